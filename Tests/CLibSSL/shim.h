#pragma once
#include <openssl/ssl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// accept(2) with the close-on-exec flag set in the same step, so that a program started by another
/// test never holds the connection open. Glibc's module does not show accept4.
static inline int runner_accept(int descriptor) {
    return (int)syscall(SYS_accept4, descriptor, (void *)0, (void *)0, SOCK_CLOEXEC);
}
