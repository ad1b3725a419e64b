// launch SECONDS LOG COMMAND [ARGUMENT...]
//
// Runs one command and prints what it cost, in one line: wall, user and system seconds, peak memory in KiB, status.
// SECONDS is how long it may take before its process group is killed; LOG takes what it writes.
//
// A program of its own, because Linux hands the peak memory of a process on to whatever it forks and executes
// (getrusage(2), ru_maxrss): under a large parent every small command looks as large as the parent.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile pid_t child;

static void end_child(int signal_number) {
    (void)signal_number;
    if (child > 0) kill(-child, SIGKILL);
}

static double seconds_since(const struct timespec *start) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - start->tv_sec) + (double)(end.tv_nsec - start->tv_nsec) / 1e9;
}

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void become(const char *log, char **command) {
    setpgid(0, 0);
    int input = open("/dev/null", O_RDONLY);
    int output = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (input < 0 || output < 0) _exit(126);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    close(input);
    close(output);
    execvp(command[0], command);
    dprintf(STDERR_FILENO, "%s: %s\n", command[0], strerror(errno));
    _exit(127);
}

int main(int count, char **arguments) {
    if (count < 4) {
        fprintf(stderr, "usage: launch SECONDS LOG COMMAND [ARGUMENT...]\n");
        return 2;
    }
    struct sigaction action = {.sa_handler = end_child};
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);

    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    child = fork();
    if (child < 0) {
        perror("launch: fork");
        return 1;
    }
    if (child == 0) become(arguments[2], arguments + 3);
    setpgid(child, child);
    alarm((unsigned)atoi(arguments[1]));

    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno != EINTR) {
            perror("launch: wait4");
            return 1;
        }
    }
    double wall = seconds_since(&start);
    // A command that left something behind in its group must not run on beside the next measurement.
    kill(-child, SIGKILL);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    printf("%.6f %.6f %.6f %ld %d\n", wall, seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_maxrss, code);
    return 0;
}
