#pragma once
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/ssl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// Swift cannot call C functions with variable arguments, so each kind of value has its own door here.
// Prefix runner_: these names are ours, not libcurl's.

static inline CURLcode runner_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode runner_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl copies the text. NULL takes the option back.
static inline CURLcode runner_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl keeps the list until the transfer has ended.
static inline CURLcode runner_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

// For CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_DEBUGDATA and CURLOPT_PRIVATE.
static inline CURLcode runner_curl_set_context(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

// At least CURL_ERROR_SIZE bytes that outlive the handle.
static inline CURLcode runner_curl_set_error_buffer(CURL *easy, char *buffer) {
    return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

typedef size_t (*runner_curl_data_callback)(char *data, size_t size, size_t count, void *context);

// For CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION and CURLOPT_READFUNCTION.
static inline CURLcode runner_curl_set_data_callback(CURL *easy, CURLoption option, runner_curl_data_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

typedef int (*runner_curl_seek_callback)(void *context, curl_off_t offset, int origin);

// For CURLOPT_SEEKFUNCTION.
static inline CURLcode runner_curl_set_seek_callback(CURL *easy, CURLoption option, runner_curl_seek_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

typedef int (*runner_curl_debug_callback)(CURL *easy, curl_infotype kind, char *data, size_t count, void *context);

// For CURLOPT_DEBUGFUNCTION, whose context is CURLOPT_DEBUGDATA.
static inline CURLcode runner_curl_set_debug_callback(CURL *easy, runner_curl_debug_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, callback);
}

typedef CURLcode (*runner_curl_tls_callback)(CURL *easy, void *context, void *user);

// For CURLOPT_SSL_CTX_FUNCTION.
static inline CURLcode runner_curl_set_tls_callback(CURL *easy, runner_curl_tls_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, callback);
}

// OpenSSL's connection that a transfer is on; NULL when it is on none. To be asked only of a libcurl that has OpenSSL.
static inline const void *runner_curl_tls_connection(CURL *easy) {
    struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || info == NULL) return NULL;
    return info->backend == CURLSSLBACKEND_OPENSSL ? info->internals : NULL;
}

// Whether client and server have agreed on HTTP/1.1 by ALPN (RFC 7301); `connection` is one of OpenSSL's.
static inline int runner_tls_speaks_http11(const void *connection) {
    const unsigned char *name = NULL;
    unsigned int length = 0;
    SSL_get0_alpn_selected((const SSL *)connection, &name, &length);
    return length == 8 && memcmp(name, "http/1.1", 8) == 0;
}

typedef void (*runner_tls_listener)(const SSL *connection, int place, int value);

static inline void runner_tls_listen(void *context, runner_tls_listener listener) {
    SSL_CTX_set_info_callback((SSL_CTX *)context, listener);
}

// libcurl keeps the form until the transfer has ended.
static inline CURLcode runner_curl_set_form(CURL *easy, curl_mime *form) {
    return curl_easy_setopt(easy, CURLOPT_MIMEPOST, form);
}

static inline CURLcode runner_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode runner_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode runner_curl_get_text(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}

// For CURLINFO_ACTIVESOCKET.
static inline CURLcode runner_curl_get_socket(CURL *easy, curl_socket_t *value) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}

// A further descriptor of a socket, which is closed on its own; -1 with errno. No program that is started meanwhile gets
// it. dup3(2) wants a number, which is taken first; fcntl(2) would do it in one call, and is what file locks are made of,
// which the tests let fail. By the number of the call, since <unistd.h> shows it with _GNU_SOURCE only, which changes types
// that Swift has seen otherwise.
static inline int runner_socket_copy(int socket) {
    int number = eventfd(0, EFD_CLOEXEC);
    if (number < 0 || syscall(SYS_dup3, socket, number, O_CLOEXEC) >= 0) return number;
    int code = errno;
    close(number);
    errno = code;
    return -1;
}

// The caller frees the list with curl_slist_free_all.
static inline CURLcode runner_curl_get_list(CURL *easy, CURLINFO info, struct curl_slist **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode runner_curl_get_context(CURL *easy, void **value) {
    return curl_easy_getinfo(easy, CURLINFO_PRIVATE, value);
}

static inline CURLMcode runner_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// For CURLMOPT_SOCKETDATA and CURLMOPT_TIMERDATA.
static inline CURLMcode runner_curl_multi_set_context(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode runner_curl_multi_set_socket_callback(CURLM *multi, curl_socket_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

static inline CURLMcode runner_curl_multi_set_timer_callback(CURLM *multi, curl_multi_timer_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}

// What curl_multi_socket_action(3) is called with when libcurl's point in time has come (CURL_SOCKET_TIMEOUT).
enum { runner_curl_no_socket = CURL_SOCKET_BAD };

// A set of descriptors to wait for (epoll(7)).
static inline int runner_watch_open(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

// Watches a descriptor for what libcurl names CURL_POLL_IN, CURL_POLL_OUT or CURL_POLL_INOUT. One that is in the set
// already is changed: a number that was closed and given anew has left the set with its closing (epoll(7)).
static inline int runner_watch_set(int set, int descriptor, int what) {
    struct epoll_event event = {0};
    event.data.fd = descriptor;
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    if (epoll_ctl(set, EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
    if (errno != ENOENT) return -1;
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

static inline void runner_watch_remove(int set, int descriptor) {
    epoll_ctl(set, EPOLL_CTL_DEL, descriptor, NULL);
}

// A descriptor at which something has happened, as libcurl names it: CURL_CSELECT_IN, _OUT, _ERR.
struct runner_ready {
    int descriptor;
    int events;
};

// Fills `ready` and returns how many there are; 0 when the time is over or a signal came.
static inline int runner_watch_wait(int set, struct runner_ready *ready, int limit, int milliseconds) {
    struct epoll_event events[64];
    int count = epoll_wait(set, events, limit < 64 ? limit : 64, milliseconds);
    for (int i = 0; i < count; i++) {
        ready[i].descriptor = events[i].data.fd;
        ready[i].events = 0;
        if (events[i].events & (EPOLLIN | EPOLLHUP)) ready[i].events |= CURL_CSELECT_IN;
        if (events[i].events & EPOLLOUT) ready[i].events |= CURL_CSELECT_OUT;
        if (events[i].events & EPOLLERR) ready[i].events |= CURL_CSELECT_ERR;
    }
    return count < 0 ? 0 : count;
}

// Deprecated because it costs as much as there are transfers; nothing else reaches one that waits for no socket.
static inline CURLMcode runner_curl_multi_socket_all(CURLM *multi, int *running) {
    CURLMcode code;
    CURL_IGNORE_DEPRECATION(code = curl_multi_socket_all(multi, running);)
    return code;
}

// The result of a finished transfer; CURLMsg holds it in a union.
static inline CURLcode runner_curl_message_result(const CURLMsg *message) {
    return message->data.result;
}

static inline const curl_version_info_data *runner_curl_version_info(void) {
    return curl_version_info(CURLVERSION_NOW);
}

// eventfd(2), which needs no fcntl(2) to be non-blocking.
static inline int runner_wakeup_open(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}
