#pragma once
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// prctl is variadic, which Swift cannot call.

// Keeps what is in memory out of core files, and out of the hands of a handler that cores are piped to: the limit alone
// does not stop that one (core(5), "Piping core dumps to a program"). Answers whether both are in force.
static inline int cprocess_forbid_core_dumps(void) {
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

// Lets the process have as many descriptors as the system allows it, but no more than `most`, and answers how many it may
// have: many systems begin a process with fewer than a server needs, for the sake of programs that use select(2).
static inline long cprocess_raise_descriptor_limit(long most) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
    const rlim_t wanted = limit.rlim_max < (rlim_t)most ? limit.rlim_max : (rlim_t)most;
    if (limit.rlim_cur < wanted) {
        struct rlimit raised = {wanted, limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    }
    return limit.rlim_cur < (rlim_t)most ? (long)limit.rlim_cur : most;
}

// Has the calling thread, and the children that it starts, take SIGALRM: threads of a pool block all signals.
static inline void cprocess_unblock_alarm(void) {
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarm, 0);
}
