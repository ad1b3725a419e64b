// multi CONNECTIONS CERTIFICATE|- digest|plain LIST
//
// The least that a client on libcurl can do: one thread, one multi handle, every body to a part file that is renamed
// when it is whole. Each line of LIST is a URL and a file name. With `digest`, SHA-256 is computed as bytes arrive and
// its value is printed; nothing is compared, retried or recorded. It shows what libcurl itself costs.
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct transfer {
    CURL *handle;
    EVP_MD_CTX *digest;
    int descriptor;
    char name[512];
    char part[520];
};

static const char *certificate;
static int wants_digest;
static FILE *list;
static long failures;

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    size_t length = size * count;
    for (size_t done = 0; done < length;) {
        ssize_t written = write(transfer->descriptor, bytes + done, length - done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return 0;
        done += (size_t)written;
    }
    if (transfer->digest) EVP_DigestUpdate(transfer->digest, bytes, length);
    return length;
}

/// Begins the next file of the list; 0 when there is none.
static int begin(CURLM *multi, struct transfer *transfer) {
    char line[2048], url[1024];
    if (!fgets(line, sizeof line, list)) return 0;
    if (sscanf(line, "%1023s %511s", url, transfer->name) != 2) return 0;
    snprintf(transfer->part, sizeof transfer->part, "%s.part", transfer->name);
    transfer->descriptor = open(transfer->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (transfer->descriptor < 0) {
        perror(transfer->part);
        exit(1);
    }
    if (wants_digest) {
        if (!transfer->digest) transfer->digest = EVP_MD_CTX_new();
        EVP_DigestInit_ex(transfer->digest, EVP_sha256(), NULL);
    }
    CURL *handle = transfer->handle;
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(handle, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(handle, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, 512 * 1024L);
    if (certificate) {
        curl_easy_setopt(handle, CURLOPT_CAINFO, certificate);
        curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
        curl_easy_setopt(handle, CURLOPT_PIPEWAIT, 1L);
    }
    curl_multi_add_handle(multi, handle);
    return 1;
}

static void finish(struct transfer *transfer, CURLcode code) {
    close(transfer->descriptor);
    if (code != CURLE_OK) {
        fprintf(stderr, "%s: %s\n", transfer->name, curl_easy_strerror(code));
        failures += 1;
        return;
    }
    if (wants_digest) {
        unsigned char value[EVP_MAX_MD_SIZE];
        unsigned length = 0;
        EVP_DigestFinal_ex(transfer->digest, value, &length);
        for (unsigned index = 0; index < length; index++) printf("%02x", value[index]);
        printf(" *%s\n", transfer->name);
    }
    if (rename(transfer->part, transfer->name) != 0) {
        perror(transfer->name);
        failures += 1;
    }
}

int main(int count, char **arguments) {
    if (count != 5 || !(list = fopen(arguments[4], "r"))) {
        fprintf(stderr, "usage: multi CONNECTIONS CERTIFICATE|- digest|plain LIST\n");
        return 2;
    }
    int connections = atoi(arguments[1]);
    certificate = strcmp(arguments[2], "-") == 0 ? NULL : arguments[2];
    wants_digest = strcmp(arguments[3], "digest") == 0;

    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURLM *multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)connections);
    struct transfer *transfers = calloc((size_t)connections, sizeof *transfers);
    int running = 0;
    for (int index = 0; index < connections; index++) {
        transfers[index].handle = curl_easy_init();
        running += begin(multi, &transfers[index]);
    }
    while (running > 0) {
        int still, queued;
        CURLMsg *message;
        if (curl_multi_perform(multi, &still) != CURLM_OK) return 1;
        while ((message = curl_multi_info_read(multi, &queued))) {
            struct transfer *transfer;
            CURLcode code = message->data.result;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
            curl_multi_remove_handle(multi, transfer->handle);
            finish(transfer, code);
            running += begin(multi, transfer) - 1;
            still = 1;
        }
        if (running > 0 && curl_multi_poll(multi, NULL, 0, 1000, NULL) != CURLM_OK) return 1;
    }
    return failures == 0 ? 0 : 1;
}
