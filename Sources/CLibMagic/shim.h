#pragma once
// libmagic(3) by dlopen(3): it is loaded when it is needed, and the program starts where it is not installed.
#include <dlfcn.h>
#include <stddef.h>

typedef struct runner_magic {
    void *cookie;
    const char *(*buffer)(void *cookie, const void *bytes, size_t count);
    void (*close)(void *cookie);
} runner_magic;

// 0, or -1 where the library or its database is missing.
static inline int runner_magic_open(runner_magic *magic) {
    void *library = dlopen("libmagic.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
    void *(*open)(int) = (void *(*)(int))dlsym(library, "magic_open");
    int (*load)(void *, const char *) = (int (*)(void *, const char *))dlsym(library, "magic_load");
    magic->buffer = (const char *(*)(void *, const void *, size_t))dlsym(library, "magic_buffer");
    magic->close = (void (*)(void *))dlsym(library, "magic_close");
    if (!open || !load || !magic->buffer || !magic->close) return -1;
    // MAGIC_MIME_TYPE
    magic->cookie = open(0x10);
    if (!magic->cookie) return -1;
    if (load(magic->cookie, NULL) == 0) return 0;
    magic->close(magic->cookie);
    return -1;
}

// The media type of a file that begins with these bytes; it stays until the next call. NULL for an error.
static inline const char *runner_magic_type(const runner_magic *magic, const void *bytes, size_t count) {
    return magic->buffer(magic->cookie, bytes, count);
}

static inline void runner_magic_close(const runner_magic *magic) {
    magic->close(magic->cookie);
}
