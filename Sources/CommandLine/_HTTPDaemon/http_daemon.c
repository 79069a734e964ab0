#include "http_daemon.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/// A connection, and when it has to be done with its present step.
typedef struct client_link {
  struct client_link *next, **place;
  int socket;
  /// Seconds of the steady clock; 0 while the client waits for its answer.
  double deadline;
} client_link;

struct tally_daemon {
  tally_http_settings settings;
  struct MHD_Daemon *library;
  pthread_mutex_t lock;
  pthread_cond_t ended;
  pthread_t sweeper;
  // The rest is guarded by the lock.
  client_link *links;
  bool is_ended;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/// Begins a connection's next step, which may take `seconds`; 0 for one without a limit.
static void begin_step(tally_daemon *daemon, struct MHD_Connection *connection, double seconds) {
  const union MHD_ConnectionInfo *found =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  client_link *link = found ? found->socket_context : NULL;
  if (!link) return;
  pthread_mutex_lock(&daemon->lock);
  link->deadline = seconds > 0 ? now() + seconds : 0;
  pthread_mutex_unlock(&daemon->lock);
}

static void notify(
    void *data, struct MHD_Connection *connection, void **slot,
    enum MHD_ConnectionNotificationCode code) {
  tally_daemon *daemon = data;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    client_link *made = calloc(1, sizeof *made);
    if (!made) return;
    made->socket = tally_http_socket(connection);
    made->deadline = now() + daemon->settings.step_seconds;
    pthread_mutex_lock(&daemon->lock);
    made->next = daemon->links;
    made->place = &daemon->links;
    if (made->next) made->next->place = &made->next;
    daemon->links = made;
    pthread_mutex_unlock(&daemon->lock);
    *slot = made;
  } else if (*slot) {
    // Its socket is closed after this, and its number may then be another connection's.
    client_link *gone = *slot;
    pthread_mutex_lock(&daemon->lock);
    *gone->place = gone->next;
    if (gone->next) gone->next->place = gone->place;
    pthread_mutex_unlock(&daemon->lock);
    free(gone);
    *slot = NULL;
  }
}

/// Shuts down connections that are late, four times a second.
static void *sweep(void *data) {
  tally_daemon *daemon = data;
  pthread_mutex_lock(&daemon->lock);
  while (!daemon->is_ended) {
    double time = now();
    for (client_link *each = daemon->links; each; each = each->next)
      if (each->deadline > 0 && each->deadline < time) shutdown(each->socket, SHUT_RDWR);
    struct timespec next;
    clock_gettime(CLOCK_REALTIME, &next);
    next.tv_nsec += 250000000;
    if (next.tv_nsec >= 1000000000) {
      next.tv_nsec -= 1000000000;
      next.tv_sec++;
    }
    pthread_cond_timedwait(&daemon->ended, &daemon->lock, &next);
  }
  pthread_mutex_unlock(&daemon->lock);
  return NULL;
}

int tally_http_listen(const char *address, uint16_t *port, const char **reason) {
  char number[8];
  snprintf(number, sizeof number, "%u", *port);
  struct addrinfo hints = {0};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  struct addrinfo *found = NULL;
  int code = getaddrinfo(address, number, &hints, &found);
  if (code != 0) {
    *reason = gai_strerror(code);
    return -1;
  }
  int listener = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
  int yes = 1;
  if (listener < 0 || fcntl(listener, F_SETFD, FD_CLOEXEC) != 0 ||
      setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      bind(listener, found->ai_addr, found->ai_addrlen) != 0 || listen(listener, 128) != 0) {
    *reason = strerror(errno);
    if (listener >= 0) close(listener);
    freeaddrinfo(found);
    return -1;
  }
  freeaddrinfo(found);
  struct sockaddr_storage own;
  socklen_t size = sizeof own;
  if (getsockname(listener, (struct sockaddr *)&own, &size) == 0) {
    if (own.ss_family == AF_INET) *port = ntohs(((struct sockaddr_in *)&own)->sin_port);
    if (own.ss_family == AF_INET6) *port = ntohs(((struct sockaddr_in6 *)&own)->sin6_port);
  }
  return listener;
}

static enum MHD_Result receive(
    void *data, struct MHD_Connection *connection, const char *path, const char *method,
    const char *version, const char *bytes, size_t *count, void **slot) {
  tally_daemon *daemon = data;
  const tally_http_settings *settings = &daemon->settings;
  (void)version;
  if (!*slot) begin_step(daemon, connection, settings->step_seconds);
  tally_http_step step = settings->receive(
      settings->context, daemon, connection, path, method, (const uint8_t *)bytes, *count, slot);
  *count = 0;
  return step == TALLY_HTTP_GO_ON ? MHD_YES : MHD_NO;
}

static void finish(
    void *data, struct MHD_Connection *connection, void **slot,
    enum MHD_RequestTerminationCode code) {
  tally_daemon *daemon = data;
  (void)code;
  begin_step(daemon, connection, daemon->settings.step_seconds);
  if (*slot) daemon->settings.finish(daemon->settings.context, *slot);
  *slot = NULL;
}

// The library's remarks about single connections are of use to nobody.
static void ignore(void *data, const char *format, va_list arguments) {
  (void)data;
  (void)format;
  (void)arguments;
}

/// Decodes `%41` and the like in a path or a query. A zero byte would end the text before its end, so such a text
/// becomes one that is not UTF-8, which the caller refuses.
static size_t unescape(void *data, struct MHD_Connection *connection, char *text) {
  (void)data;
  (void)connection;
  if (strstr(text, "%00")) strcpy(text, "\xff");
  return MHD_http_unescape(text);
}

tally_daemon *tally_http_start(int listener, const tally_http_settings *settings) {
  struct sockaddr_storage own;
  socklen_t size = sizeof own;
  // By poll: with epoll the library misses the end of a connection if it comes with the last bytes.
  unsigned flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  if (getsockname(listener, (struct sockaddr *)&own, &size) == 0 && own.ss_family == AF_INET6)
    flags |= MHD_USE_IPv6;
  tally_daemon *daemon = calloc(1, sizeof *daemon);
  if (!daemon) return NULL;
  daemon->settings = *settings;
  pthread_mutex_init(&daemon->lock, NULL);
  pthread_cond_init(&daemon->ended, NULL);
  daemon->library = MHD_start_daemon(
      flags, 0, NULL, NULL, receive, daemon, MHD_OPTION_EXTERNAL_LOGGER, ignore, NULL,
      MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, settings->connections,
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings->connections_per_address,
      MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      (size_t)64 << 10, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, unescape,
      NULL, MHD_OPTION_NOTIFY_COMPLETED, finish, daemon, MHD_OPTION_NOTIFY_CONNECTION, notify,
      daemon, MHD_OPTION_END);
  if (daemon->library && pthread_create(&daemon->sweeper, NULL, sweep, daemon) == 0) return daemon;
  if (daemon->library) {
    // The listener stays with the caller.
    MHD_quiesce_daemon(daemon->library);
    MHD_stop_daemon(daemon->library);
  }
  pthread_cond_destroy(&daemon->ended);
  pthread_mutex_destroy(&daemon->lock);
  free(daemon);
  return NULL;
}

void tally_http_quiesce(tally_daemon *daemon) {
  int listener = MHD_quiesce_daemon(daemon->library);
  if (listener != MHD_INVALID_SOCKET) close(listener);
}

void tally_http_stop(tally_daemon *daemon) {
  MHD_stop_daemon(daemon->library);
  pthread_mutex_lock(&daemon->lock);
  daemon->is_ended = true;
  pthread_cond_signal(&daemon->ended);
  pthread_mutex_unlock(&daemon->lock);
  pthread_join(daemon->sweeper, NULL);
  pthread_cond_destroy(&daemon->ended);
  pthread_mutex_destroy(&daemon->lock);
  free(daemon);
}

void tally_http_pause(tally_daemon *daemon, tally_connection *connection) {
  begin_step(daemon, connection, 0);
  MHD_suspend_connection(connection);
}

void tally_http_resume(tally_connection *connection) { MHD_resume_connection(connection); }

typedef struct {
  void *context;
  void (*visit)(void *, const char *, size_t, const char *, size_t);
} visitor;

static enum MHD_Result visit_value(
    void *data, enum MHD_ValueKind kind, const char *name, size_t name_count, const char *value,
    size_t value_count) {
  visitor *now = data;
  (void)kind;
  now->visit(now->context, name, name_count, value, value_count);
  return MHD_YES;
}

void tally_http_visit(
    tally_connection *connection, bool is_query, void *context,
    void (*visit)(void *, const char *, size_t, const char *, size_t)) {
  visitor now = {context, visit};
  MHD_get_connection_values_n(
      connection, is_query ? MHD_GET_ARGUMENT_KIND : MHD_HEADER_KIND, visit_value, &now);
}

static const struct sockaddr *client(tally_connection *connection) {
  const union MHD_ConnectionInfo *found =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return found ? found->client_addr : NULL;
}

bool tally_http_peer(tally_connection *connection, char *text, size_t size) {
  const struct sockaddr *address = client(connection);
  if (!address) return false;
  socklen_t length =
      address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
  return getnameinfo(address, length, text, (socklen_t)size, NULL, 0, NI_NUMERICHOST) == 0;
}

bool tally_http_is_local(tally_connection *connection) {
  const struct sockaddr *address = client(connection);
  if (!address) return false;
  if (address->sa_family == AF_INET)
    return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
  if (address->sa_family != AF_INET6) return false;
  const struct in6_addr *six = &((const struct sockaddr_in6 *)address)->sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(six) || (IN6_IS_ADDR_V4MAPPED(six) && six->s6_addr[12] == 127);
}

int tally_http_socket(tally_connection *connection) {
  const union MHD_ConnectionInfo *found =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return found ? found->connect_fd : -1;
}

bool tally_http_has_left(int socket) {
  char byte;
  ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

bool tally_http_respond(
    tally_daemon *daemon, tally_connection *connection, unsigned status, const char *headers, const uint8_t *body,
    size_t count, void *owner, void (*release)(void *)) {
  struct MHD_Response *response =
      owner ? MHD_create_response_from_buffer_with_free_callback_cls(
                  count, (void *)body, release, owner)
            : MHD_create_response_from_buffer(count, (void *)body, MHD_RESPMEM_MUST_COPY);
  if (!response) {
    if (owner) release(owner);
    return false;
  }
  for (const char *line = headers; *line;) {
    size_t length = strcspn(line, "\n");
    char copy[2048];
    char *colon;
    if (length < sizeof copy) {
      memcpy(copy, line, length);
      copy[length] = 0;
      if ((colon = strstr(copy, ": "))) {
        *colon = 0;
        MHD_add_response_header(response, copy, colon + 2);
      }
    }
    line += length + (line[length] != 0);
  }
  begin_step(daemon, connection, daemon->settings.step_seconds);
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result == MHD_YES;
}
