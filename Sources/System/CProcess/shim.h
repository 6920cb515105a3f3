#pragma once
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

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

// How long the process was on processors, in the system's hands included, in microseconds.
static inline long long cprocess_cpu_microseconds(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

// How much of the process is in the machine's memory, in bytes; 0 if the system does not say (proc(5), "statm").
static inline long long cprocess_resident_bytes(void) {
    long long total = 0, resident = 0;
    FILE *const file = fopen("/proc/self/statm", "re");
    if (!file) return 0;
    const int found = fscanf(file, "%lld %lld", &total, &resident);
    fclose(file);
    return found == 2 ? resident * (long long)sysconf(_SC_PAGESIZE) : 0;
}

// How many descriptors are open, but for the one that it takes to count them; 0 if the system does not say.
static inline long cprocess_open_descriptors(void) {
    DIR *const folder = opendir("/proc/self/fd");
    if (!folder) return 0;
    long count = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) count += entry->d_name[0] != '.';
    closedir(folder);
    return count - 1;
}

// How many descriptors the process may have.
static inline long cprocess_descriptor_limit(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (long)limit.rlim_cur : 0;
}

// What a release is built from: words without quotes, so that they pass any shell, given as -DTRIBUTARY_COMMIT=0123abc and
// -DTRIBUTARY_COMMIT_DATE=2026-11-24 (.ci/package). Without them it is a development build, and both are empty.
#ifndef TRIBUTARY_COMMIT
#define TRIBUTARY_COMMIT
#endif
#ifndef TRIBUTARY_COMMIT_DATE
#define TRIBUTARY_COMMIT_DATE
#endif
#define CPROCESS_WORDS(words) #words
#define CPROCESS_TEXT(words) CPROCESS_WORDS(words)

// A byte of the commit that the program is built from; 0 behind the last one, and in a development build.
static inline unsigned char cprocess_commit(unsigned int place) {
    static const char text[] = CPROCESS_TEXT(TRIBUTARY_COMMIT);
    return place < sizeof text ? (unsigned char)text[place] : 0;
}

// A byte of the day of that commit; 0 behind the last one, and in a development build.
static inline unsigned char cprocess_commit_date(unsigned int place) {
    static const char text[] = CPROCESS_TEXT(TRIBUTARY_COMMIT_DATE);
    return place < sizeof text ? (unsigned char)text[place] : 0;
}

// Where Swift's runtime keeps the hook that it hands each job to which is ready (swift/Runtime/Concurrency.h); null if it has
// none.
extern void *swift_task_enqueueGlobal_hook __attribute__((weak));
static inline void **cprocess_enqueue_hook(void) { return &swift_task_enqueueGlobal_hook; }

// Has SQLite not count the memory that it takes, which it does under a lock for every block; only before it is first used. It is
// variadic, which Swift cannot call (https://www.sqlite.org/c3ref/c_config_covering_index_scan.html, SQLITE_CONFIG_MEMSTATUS).
// Answers whether it is so.
extern int sqlite3_config(int, ...);
static inline int cprocess_leave_sqlite_uncounted(void) { return sqlite3_config(9, 0) == 0; }

// How many columns the terminal behind a descriptor has; 0 if it is none, or does not say.
static inline int cprocess_terminal_columns(int descriptor) {
    struct winsize size = {0};
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
