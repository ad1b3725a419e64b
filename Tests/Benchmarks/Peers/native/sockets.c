#define _GNU_SOURCE
// sockets CONNECTIONS THREADS PORT digest|plain|publish LIST
//
// A client with nothing in it: requests on kept connections to a loopback port, bodies read and written as they come.
// Each line of LIST is a path and a file name. It trusts the server wholly (one well-formed head that fits into a
// buffer, a Content-Length, status 200) and shows what sockets and files alone cost on this machine. With `publish`
// a file has its name only when it is whole, and is looked at once more, as a program has to do that keeps a ledger.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { buffer_length = 1 << 20 };

struct item {
    char path[512];
    char name[256];
};

struct connection {
    int socket;
    int file;
    struct item *item;
    long long left;
    int in_body;
    char head[4096];
    size_t head_length;
    EVP_MD_CTX *digest;
};

static struct item *items;
static int item_count;
static atomic_int next_item;
static int port, wants_digest, publishes, connections_each;

static void stop(const char *what) {
    perror(what);
    exit(1);
}

static void write_all(int descriptor, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t written = write(descriptor, bytes, length);
        if (written < 0) {
            if (errno == EINTR) continue;
            stop("write");
        }
        bytes += written;
        length -= (size_t)written;
    }
}

static int connect_to_server(void) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) stop("connect");
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return descriptor;
}

/// Asks for the next file; 0 when none is left.
static int ask(struct connection *connection) {
    int index = atomic_fetch_add(&next_item, 1);
    if (index >= item_count) return 0;
    connection->item = &items[index];
    connection->head_length = 0;
    connection->in_body = 0;
    char request[1024];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", connection->item->path);
    write_all(connection->socket, request, (size_t)length);
    return 1;
}

static void begin_body(struct connection *connection) {
    char *length = strcasestr(connection->head, "\r\nContent-Length:");
    if (strncmp(connection->head, "HTTP/1.1 200", 12) != 0 || !length) {
        fprintf(stderr, "%s: an answer that was not meant for this\n", connection->item->path);
        exit(1);
    }
    connection->left = atoll(length + 17);
    connection->in_body = 1;
    connection->file = publishes
        ? open(".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0644)
        : open(connection->item->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (connection->file < 0) stop(connection->item->name);
    if (wants_digest) EVP_DigestInit_ex(connection->digest, EVP_sha256(), NULL);
}

/// Gives a file that is whole its name (open(2), O_TMPFILE).
static void publish(struct connection *connection) {
    char source[64];
    struct stat status;
    snprintf(source, sizeof source, "/proc/self/fd/%d", connection->file);
    if (linkat(AT_FDCWD, source, AT_FDCWD, connection->item->name, AT_SYMLINK_FOLLOW) != 0) stop("linkat");
    if (fstat(connection->file, &status) != 0) stop("fstat");
}

static void end_body(struct connection *connection) {
    if (publishes) publish(connection);
    close(connection->file);
    if (!wants_digest) return;
    unsigned char value[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    char text[2 * EVP_MAX_MD_SIZE + 1] = "";
    EVP_DigestFinal_ex(connection->digest, value, &length);
    for (unsigned index = 0; index < length; index++) snprintf(text + 2 * index, 3, "%02x", value[index]);
    printf("%s *%s\n", text, connection->item->name);
}

/// Takes bytes of a body; true when it is whole.
static int take(struct connection *connection, const char *bytes, size_t length) {
    write_all(connection->file, bytes, length);
    if (wants_digest) EVP_DigestUpdate(connection->digest, bytes, length);
    connection->left -= (long long)length;
    if (connection->left > 0) return 0;
    end_body(connection);
    return 1;
}

/// Reads what is there; 0 when this connection has nothing more to do.
static int receive(struct connection *connection, char *buffer) {
    ssize_t length;
    if (connection->in_body) {
        length = recv(connection->socket, buffer, buffer_length, 0);
        if (length <= 0) stop("recv");
        return take(connection, buffer, (size_t)length) ? ask(connection) : 1;
    }
    char *head = connection->head;
    length = recv(connection->socket, head + connection->head_length, sizeof connection->head - 1 - connection->head_length, 0);
    if (length <= 0) stop("recv");
    connection->head_length += (size_t)length;
    head[connection->head_length] = 0;
    char *end = memmem(head, connection->head_length, "\r\n\r\n", 4);
    if (!end) return 1;
    begin_body(connection);
    size_t rest = connection->head_length - (size_t)(end + 4 - head);
    if (rest == 0 && connection->left > 0) return 1;
    return take(connection, end + 4, rest) ? ask(connection) : 1;
}

static void *work(void *unused) {
    (void)unused;
    int queue = epoll_create1(EPOLL_CLOEXEC), open_connections = 0;
    char *buffer = malloc(buffer_length);
    struct connection *connections = calloc((size_t)connections_each, sizeof *connections);
    for (int index = 0; index < connections_each; index++) {
        struct connection *connection = &connections[index];
        connection->socket = connect_to_server();
        connection->digest = EVP_MD_CTX_new();
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
        epoll_ctl(queue, EPOLL_CTL_ADD, connection->socket, &event);
        if (ask(connection)) {
            open_connections += 1;
        } else {
            close(connection->socket);
        }
    }
    while (open_connections > 0) {
        struct epoll_event events[64];
        int ready = epoll_wait(queue, events, 64, -1);
        for (int index = 0; index < ready; index++) {
            struct connection *connection = events[index].data.ptr;
            if (receive(connection, buffer)) continue;
            close(connection->socket);
            open_connections -= 1;
        }
    }
    return NULL;
}

static void read_list(const char *file) {
    FILE *list = fopen(file, "r");
    if (!list) stop(file);
    int room = 0;
    for (;;) {
        if (item_count == room) items = realloc(items, sizeof *items * (size_t)(room = room ? 2 * room : 1024));
        if (fscanf(list, "%511s %255s", items[item_count].path, items[item_count].name) != 2) break;
        item_count += 1;
    }
    fclose(list);
}

int main(int count, char **arguments) {
    if (count != 6) {
        fprintf(stderr, "usage: sockets CONNECTIONS THREADS PORT digest|plain|publish LIST\n");
        return 2;
    }
    int threads = atoi(arguments[2]);
    port = atoi(arguments[3]);
    wants_digest = strcmp(arguments[4], "digest") == 0;
    publishes = strcmp(arguments[4], "publish") == 0;
    read_list(arguments[5]);
    if (threads < 1) threads = 1;
    connections_each = (atoi(arguments[1]) + threads - 1) / threads;
    pthread_t others[64];
    int started = 0;
    for (; started < threads - 1 && started < 64; started++) {
        if (pthread_create(&others[started], NULL, work, NULL) != 0) break;
    }
    work(NULL);
    for (int index = 0; index < started; index++) pthread_join(others[index], NULL);
    return 0;
}
