#pragma once
#include <sys/prctl.h>
#include <sys/resource.h>

// prctl is variadic, which Swift cannot call.

// Keeps what is in memory out of core files, and out of the hands of a handler that cores are piped to: the limit alone
// does not stop that one (core(5), "Piping core dumps to a program"). Answers whether both are in force.
static inline int cprocess_forbid_core_dumps(void) {
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}
