#pragma once
// System calls of Linux that the Glibc module hides, because it is built without _GNU_SOURCE.
#include <sys/ioctl.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// fallocate(2) with FALLOC_FL_KEEP_SIZE: reserves blocks, leaves the length alone.
static inline int runner_fallocate_keeping_size(int fd, off_t offset, off_t length) {
    return (int)syscall(SYS_fallocate, fd, 0x01, offset, length);
}

// copy_file_range(2) from one place to another; the positions of both descriptors stay as they are.
static inline ssize_t runner_copy_file_range(int from, off_t from_offset, int to, off_t to_offset, size_t count) {
    loff_t source = from_offset;
    loff_t target = to_offset;
    return syscall(SYS_copy_file_range, from, &source, to, &target, count, 0u);
}

// pipe2(2) with O_CLOEXEC and O_NONBLOCK.
static inline int runner_pipe(int ends[2]) {
    return (int)syscall(SYS_pipe2, ends, 02000000 | 04000);
}

// F_SETPIPE_SZ and F_GETPIPE_SZ of fcntl(2).
enum { runner_set_pipe_size = 1031, runner_get_pipe_size = 1032 };

// splice(2) into a pipe, from where the other end stands.
static inline ssize_t runner_splice_into_pipe(int from, int pipe, size_t count) {
    return syscall(SYS_splice, from, (loff_t *)0, pipe, (loff_t *)0, count, 1u /* SPLICE_F_MOVE */);
}

// splice(2) from a pipe to a place of a file; the position of its descriptor stays as it is.
static inline ssize_t runner_splice_into_file(int pipe, int file, off_t offset, size_t count) {
    loff_t place = offset;
    return syscall(SYS_splice, pipe, (loff_t *)0, file, &place, count, 1u /* SPLICE_F_MOVE */);
}

// O_PATH of open(2): a descriptor that names a folder and needs no permission to read it.
enum { runner_open_path = 010000000 };

// O_TMPFILE of open(2), which wants O_DIRECTORY beside it: a file without a name in the folder that is opened.
enum { runner_open_nameless = 020000000 };

// AT_EMPTY_PATH of linkat(2): what is linked is the open file itself.
enum { runner_empty_path = 0x1000 };

// syncfs(2): all of the file system that the descriptor is on.
static inline int runner_syncfs(int fd) {
    return (int)syscall(SYS_syncfs, fd);
}

// The f_type of statfs(2), as 32 bits: the kernel's magic numbers are no wider; 0 when it cannot be told.
static inline unsigned int runner_file_system_type(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (unsigned int)status.f_type : 0;
}

// Sets the attribute "no dump" of chattr(1) and leaves the others as they are (ioctl_iflags(2)).
static inline int runner_set_nodump(int fd) {
    // FS_IOC_GETFLAGS and FS_IOC_SETFLAGS; the kernel writes an int there, whatever their definition says.
    unsigned long flags = 0;
    if (ioctl(fd, _IOR('f', 1, long), &flags) != 0) return -1;
    unsigned int now = (unsigned int)flags;
    if (now & 0x40u) return 0;
    flags = now | 0x40u;
    return ioctl(fd, _IOW('f', 2, long), &flags);
}

// renameat2(2): with RENAME_NOREPLACE nothing is replaced, with RENAME_EXCHANGE both names change places.
enum { runner_rename_noreplace = 1, runner_rename_exchange = 2 };

static inline int runner_renameat2(int folder, const char *name, const char *other, unsigned int flags) {
    return (int)syscall(SYS_renameat2, folder, name, folder, other, flags);
}

// When a file was made, in nanoseconds since 1970; 0 where the file system does not keep it.
//
// The answer of statx(2), as far as it is wanted: its header would make the types of stat(2) this module's own.
static inline long long runner_birth_time(int fd) {
    struct {
        unsigned int mask, block_size;
        unsigned long long attributes;
        unsigned int links, owner, group;
        unsigned short mode, padding;
        unsigned long long inode, size, blocks, known_attributes;
        struct {
            long long seconds;
            unsigned int nanoseconds;
            int padding;
        } accessed, born, changed, modified;
        unsigned long long rest[16];
    } status;
    // AT_EMPTY_PATH: the open file itself. STATX_BTIME.
    if (syscall(SYS_statx, fd, "", 0x1000, 0x800u, &status) != 0) return 0;
    if (!(status.mask & 0x800u)) return 0;
    return status.born.seconds * 1000000000LL + status.born.nanoseconds;
}
