#pragma once
// System calls of Linux that the Glibc module hides, because it is built without _GNU_SOURCE.
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

// O_PATH of open(2): a descriptor that names a folder and needs no permission to read it.
enum { runner_open_path = 010000000 };
