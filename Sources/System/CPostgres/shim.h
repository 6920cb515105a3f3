#pragma once
#include <libpq-fe.h>
#include <spawn.h>

// What a server that we start needs of posix_spawn. The C library shows both functions only under _GNU_SOURCE, which
// the module that Swift imports it by does not define.
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

/// Lets the program begin in the folder `/` and inherit no open file but the first three.
static inline int spawn_file_actions_detach(posix_spawn_file_actions_t *actions) {
    int failure = posix_spawn_file_actions_addchdir_np(actions, "/");
    return failure ? failure : posix_spawn_file_actions_addclosefrom_np(actions, 3);
}
