#pragma once
#include <curl/curl.h>
#include <sys/eventfd.h>
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

// For CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA and CURLOPT_PRIVATE.
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
