#pragma once
#include <openssl/ssl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// accept(2) with the close-on-exec flag set in the same step, so that a program started by another
/// test never holds the connection open. Glibc's module does not show accept4.
static inline int runner_accept(int descriptor) {
    return (int)syscall(SYS_accept4, descriptor, (void *)0, (void *)0, SOCK_CLOEXEC);
}

/// pipe(2) with the close-on-exec flag on both ends, for the same reason. Glibc's module does not show pipe2.
static inline int runner_pipe(int *ends) {
    return (int)syscall(SYS_pipe2, ends, O_CLOEXEC);
}

/// The file action that Glibc's module does not show: the child's working directory (glibc 2.29).
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
static inline int runner_spawn_in(posix_spawn_file_actions_t *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

/// Has a system call fail on this thread from now on where its argument of that index has one of the flags, as in a
/// sandbox (seccomp(2)); returns 0, or -1 where that cannot be had.
static inline int runner_refuse(int call, int argument, unsigned flags, int code) {
    struct sock_filter filter[] = {
        // Number, architecture and place come first, eight bytes each of the last and of the arguments.
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 3),
        // The lower half.
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 16 + (unsigned)argument * 8),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, flags, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)code),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/// splice(2) that moves pages.
static inline int runner_refuse_splice(int code) { return runner_refuse(SYS_splice, 5, 1 /* SPLICE_F_MOVE */, code); }

/// Files without a name (O_TMPFILE of open(2)), as where file systems have none.
static inline int runner_refuse_nameless(void) { return runner_refuse(SYS_openat, 2, 020000000, EOPNOTSUPP); }

/// Links to an open file by its descriptor alone (AT_EMPTY_PATH of linkat(2)), as kernels do without a privilege.
static inline int runner_refuse_empty_path(void) { return runner_refuse(SYS_linkat, 4, 0x1000, ENOENT); }
