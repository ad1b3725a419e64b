// path PORT TARGET DELAY RATE
//
// A TCP proxy on loopback that makes it look like a longer way: every byte arrives DELAY milliseconds after it was
// sent, in either direction, and a connection gets at most RATE bytes a second from the server (0: no limit). The
// first bytes of a connection wait for one round trip more, as the handshake of TCP would have taken. PORT is where it
// listens, TARGET where the server does. There is no loss, no slow start, and no limit that connections share.
//
// The rate is held for each connection. A limit inside the server often counts for each request instead and lets the
// first second's worth through at once, which many small ranges would get around.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { piece_length = 32 * 1024, most_waiting = 4 << 20 };

/// Some bytes on their way; of length 0 where the sender has closed.
struct piece {
    struct piece *next;
    int64_t due;
    size_t length, sent;
    char bytes[];
};

/// One direction of a connection.
struct lane {
    int from, to;
    struct piece *first, **last;
    size_t waiting;
    int64_t free_at;
    long rate;
    int ended, blocked;
};

struct link {
    struct link *next;
    int sockets[2];
    int64_t opened;
    struct lane lanes[2];
    int broken;
};

static struct link *links;
static int queue;
static int64_t delay;
static long rate;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static struct sockaddr_in loopback(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/// Tells epoll what is waited for: bytes while there is room for them, room while bytes are due and none was left.
static void watch(struct link *link, int operation) {
    for (int side = 0; side < 2; side++) {
        struct lane *in = &link->lanes[side], *out = &link->lanes[1 - side];
        struct epoll_event event = {.data.ptr = link};
        if (!in->ended && in->waiting < most_waiting) event.events |= EPOLLIN;
        if (out->blocked) event.events |= EPOLLOUT;
        epoll_ctl(queue, operation, link->sockets[side], &event);
    }
}

static void accept_all(int listener, int target) {
    for (;;) {
        int client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (client < 0) return;
        int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        struct sockaddr_in address = loopback(target);
        if (server < 0 || connect(server, (struct sockaddr *)&address, sizeof address) != 0) {
            close(client);
            if (server >= 0) close(server);
            continue;
        }
        fcntl(server, F_SETFL, O_NONBLOCK);
        int on = 1;
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct link *link = calloc(1, sizeof *link);
        link->sockets[0] = client;
        link->sockets[1] = server;
        link->opened = now();
        for (int side = 0; side < 2; side++) {
            link->lanes[side] = (struct lane){.from = link->sockets[side], .to = link->sockets[1 - side]};
            link->lanes[side].last = &link->lanes[side].first;
        }
        link->lanes[1].rate = rate;
        link->next = links;
        links = link;
        watch(link, EPOLL_CTL_ADD);
    }
}

/// When a piece read now arrives at the other end.
static int64_t arrival(struct link *link, struct lane *lane, size_t length) {
    int64_t leaves = now();
    if (lane == &link->lanes[0] && leaves < link->opened + 2 * delay) leaves = link->opened + 2 * delay;
    if (leaves < lane->free_at) leaves = lane->free_at;
    // No credit for a pause: what was not sent in time is not made up for.
    if (lane->rate > 0) leaves += (int64_t)((double)length / (double)lane->rate * 1e9);
    lane->free_at = leaves;
    return leaves + delay;
}

static void read_lane(struct link *link, struct lane *lane) {
    while (!lane->ended && lane->waiting < most_waiting) {
        struct piece *piece = malloc(sizeof *piece + piece_length);
        ssize_t length = read(lane->from, piece->bytes, piece_length);
        if (length < 0) {
            free(piece);
            if (errno != EAGAIN && errno != EINTR) link->broken = 1;
            return;
        }
        piece->next = NULL;
        piece->sent = 0;
        piece->length = (size_t)length;
        piece->due = arrival(link, lane, piece->length);
        lane->waiting += piece->length;
        *lane->last = piece;
        lane->last = &piece->next;
        if (length == 0) lane->ended = 1;
    }
}

/// Sends what is due; returns when the next piece will be, or a time far away.
static int64_t send_lane(struct link *link, struct lane *lane, int64_t time) {
    lane->blocked = 0;
    while (lane->first && lane->first->due <= time) {
        struct piece *piece = lane->first;
        if (piece->length == 0) {
            shutdown(lane->to, SHUT_WR);
        } else {
            ssize_t sent = write(lane->to, piece->bytes + piece->sent, piece->length - piece->sent);
            if (sent < 0 && errno == EINTR) continue;
            if (sent < 0) {
                lane->blocked = errno == EAGAIN;
                link->broken |= !lane->blocked;
                return INT64_MAX;
            }
            piece->sent += (size_t)sent;
            if (piece->sent < piece->length) continue;
        }
        lane->waiting -= piece->length;
        lane->first = piece->next;
        if (!lane->first) lane->last = &lane->first;
        free(piece);
    }
    return lane->first ? lane->first->due : INT64_MAX;
}

static int is_over(const struct link *link) {
    const struct lane *up = &link->lanes[0], *down = &link->lanes[1];
    return link->broken || (up->ended && !up->first && down->ended && !down->first);
}

static void free_link(struct link *link) {
    for (int side = 0; side < 2; side++) {
        close(link->sockets[side]);
        for (struct piece *piece = link->lanes[side].first; piece;) {
            struct piece *next = piece->next;
            free(piece);
            piece = next;
        }
    }
    free(link);
}

/// Moves what is due on all connections and drops those that are over; returns when to look again.
static int64_t pump(void) {
    int64_t soonest = INT64_MAX, time = now();
    for (struct link **place = &links; *place;) {
        struct link *link = *place;
        for (int side = 0; side < 2; side++) {
            int64_t next = send_lane(link, &link->lanes[side], time);
            if (next < soonest) soonest = next;
        }
        if (is_over(link)) {
            *place = link->next;
            free_link(link);
            continue;
        }
        watch(link, EPOLL_CTL_MOD);
        place = &link->next;
    }
    return soonest;
}

int main(int count, char **arguments) {
    if (count != 5) {
        fprintf(stderr, "usage: path PORT TARGET DELAY RATE\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    int target = atoi(arguments[2]);
    delay = atoll(arguments[3]) * 1000000;
    rate = atol(arguments[4]);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    struct sockaddr_in address = loopback(atoi(arguments[1]));
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 1024) != 0) {
        perror("path: listen");
        return 1;
    }
    queue = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    epoll_ctl(queue, EPOLL_CTL_ADD, listener, &event);
    for (int64_t soonest = INT64_MAX;;) {
        // Rounded up: a wait that ends a little early would only spin.
        int wait = soonest == INT64_MAX ? -1 : (int)((soonest - now() + 999999) / 1000000);
        if (soonest != INT64_MAX && wait < 0) wait = 0;
        struct epoll_event events[128];
        int ready = epoll_wait(queue, events, 128, wait);
        for (int index = 0; index < ready; index++) {
            struct link *link = events[index].data.ptr;
            if (!link) {
                accept_all(listener, target);
                continue;
            }
            for (int side = 0; side < 2; side++) read_lane(link, &link->lanes[side]);
            // Of a connection that is gone and was not being read, only this would tell.
            if ((events[index].events & EPOLLERR) != 0) link->broken = 1;
        }
        soonest = pump();
    }
}
