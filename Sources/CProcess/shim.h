#pragma once
// Starts a program so that nothing of it can be left behind. Swift cannot fork, and what runs between fork(2) and
// execve(2) in a process with threads may only call what signal-safety(7) lists; so that part is in C.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// What a guard tells through its pipe.
struct runner_program_news {
    // 'E': the program could not be started, `value` is the errno and `step` where; 'X': it ended, `value` is the
    // status of waitpid(2).
    int32_t kind;
    int32_t value;
    int32_t step;
};

enum { runner_step_fork = 1, runner_step_folder = 2, runner_step_execute = 3 };

struct runner_program {
    const char *path;
    char *const *arguments;
    char *const *environment;
    // Working folder.
    const char *folder;
    // Standard input; standard output and standard error together.
    int input;
    int output;
    // Read end of a pipe: 'T' asks the program to end, 'K' ends it, and so does the end of the file, which comes when
    // the process that holds the other end has gone.
    int orders;
    // Write end of a pipe for `struct runner_program_news`.
    int news;
};

static inline void runner_tell(int fd, int kind, int value, int step) {
    struct runner_program_news news = {kind, value, step};
    // Less than PIPE_BUF, so that it is written whole or not at all (pipe(7)).
    while (write(fd, &news, sizeof news) < 0 && errno == EINTR) {}
}

// Ends every child of the guard that is left, which is every descendant of the program, since the guard is the
// subreaper of all of them (prctl(2), PR_SET_CHILD_SUBREAPER).
static inline void runner_end_all(void) {
    for (;;) {
        int listed = 0;
        int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
        if (fd >= 0) {
            char text[4096];
            ssize_t count = read(fd, text, sizeof text);
            close(fd);
            pid_t pid = 0;
            for (ssize_t i = 0; i < count; i++) {
                if (text[i] >= '0' && text[i] <= '9') {
                    pid = pid * 10 + (text[i] - '0');
                } else {
                    if (pid > 0) { kill(pid, SIGKILL); listed++; }
                    pid = 0;
                }
            }
        }
        // Where the kernel does not list children, only the group can be ended; do not wait for what has left it.
        pid_t reaped = waitpid(-1, NULL, listed > 0 ? 0 : WNOHANG);
        if (reaped < 0 && errno == EINTR) continue;
        if (reaped <= 0) return;
    }
}

static inline void runner_execute(const struct runner_program *program, pid_t guard) {
    setpgid(0, 0);
    // The kernel ends the program when its guard is killed; the guard may have been before this call.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guard) _exit(127);
    for (int number = 1; number < 65; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (chdir(program->folder) != 0) {
        runner_tell(4, 'E', errno, runner_step_folder);
        _exit(127);
    }
    execve(program->path, program->arguments, program->environment);
    runner_tell(4, 'E', errno, runner_step_execute);
    _exit(127);
}

static inline void runner_guard(const struct runner_program *program) {
    // The guard holds nothing of its parent but its pipes: a socket that stays open here would never be closed.
    int fds[4] = {program->input, program->output, program->orders, program->news};
    for (int i = 0; i < 4; i++) {
        fds[i] = fcntl(fds[i], F_DUPFD, 5);
        if (fds[i] >= 0) continue;
        // A limit (RLIMIT_NOFILE) that leaves no such number is EINVAL (fcntl(2)).
        runner_tell(program->news, 'E', errno == EINVAL ? EMFILE : errno, runner_step_fork);
        _exit(0);
    }
    dup2(fds[0], 0);
    dup2(fds[1], 1);
    dup2(fds[1], 2);
    dup2(fds[2], 3);
    dup2(fds[3], 4);
    fcntl(3, F_SETFD, FD_CLOEXEC);
    fcntl(4, F_SETFD, FD_CLOEXEC);
    // close_range(2), which old kernels and some sandboxes do not have.
    if (syscall(436, 5u, ~0u, 0u) != 0) {
        long most = sysconf(_SC_OPEN_MAX);
        if (most < 0 || most > 65536) most = 65536;
        for (int fd = 5; fd < most; fd++) close(fd);
    }
    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    // An ignored SIGCHLD would reap children unseen.
    signal(SIGCHLD, SIG_DFL);
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    pid_t guard = getpid();
    pid_t child = fork();
    if (child == 0) runner_execute(program, guard);
    // The ends of the program's pipes, or the reader would wait for the guard.
    close(0);
    close(1);
    close(2);
    if (child < 0) {
        runner_tell(4, 'E', errno, runner_step_fork);
        _exit(0);
    }
    // So that the group is there before the first order can come.
    setpgid(child, child);
    int isListening = 1;
    for (;;) {
        struct pollfd wanted[2] = {{signals, POLLIN, 0}, {isListening ? 3 : -1, POLLIN, 0}};
        if (poll(wanted, 2, -1) < 0 && errno != EINTR) break;
        if (wanted[1].revents) {
            char order = 'K';
            ssize_t count = read(3, &order, 1);
            if (count == 1 && order == 'T') {
                kill(-child, SIGTERM);
            } else if (count >= 0 || errno != EINTR) {
                kill(-child, SIGKILL);
                kill(child, SIGKILL);
                if (count <= 0) isListening = 0;
            }
        }
        struct signalfd_siginfo info;
        while (read(signals, &info, sizeof info) > 0) {}
        for (;;) {
            // Looked at before it is reaped: until then nobody else can get the number of the program's group.
            siginfo_t ended;
            ended.si_pid = 0;
            if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == 0) break;
            if (ended.si_pid == child) {
                int status = 0;
                kill(-child, SIGKILL);
                waitpid(child, &status, 0);
                runner_end_all();
                runner_tell(4, 'X', status, 0);
                _exit(0);
            }
            waitpid(ended.si_pid, NULL, 0);
        }
    }
    kill(-child, SIGKILL);
    runner_end_all();
    _exit(0);
}

// Starts a guard, which starts the program; returns the guard's process id, or -1 with errno.
static inline pid_t runner_start_program(const struct runner_program *program) {
    // No handler of the parent's may run in the guard.
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pid_t guard = fork();
    if (guard == 0) runner_guard(program);
    int code = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return guard;
}

static inline int runner_did_exit(int status) { return WIFEXITED(status); }
static inline int runner_exit_status(int status) { return WEXITSTATUS(status); }
static inline int runner_end_signal(int status) { return WTERMSIG(status); }
