#ifndef TALLY_HTTP_DAEMON_H
#define TALLY_HTTP_DAEMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What an HTTP server needs of libmicrohttpd and of sockets, whose functions take any arguments, which Swift cannot
// call.

/// A running server.
typedef struct tally_daemon tally_daemon;
/// One request on one connection.
typedef struct MHD_Connection tally_connection;

/// What `tally_http_receive` answers.
typedef enum {
  /// The rest of the request may come, or its response is queued.
  TALLY_HTTP_GO_ON = 0,
  /// The connection is closed without a response.
  TALLY_HTTP_CLOSE = 1,
} tally_http_step;

/// What a server allows, and whom it tells. The functions are called on the server's one thread.
typedef struct {
  unsigned connections;
  unsigned connections_per_address;
  /// Seconds without a byte, after which a connection is closed.
  unsigned idle_seconds;
  /// Seconds for a head to come, for a body to come, and for a response to be read, each. A connection that takes
  /// longer is closed, however often a byte comes.
  double step_seconds;
  /// Handed to the functions.
  void *_Nonnull context;
  /// Called first with a request's head, then with each piece of its body, and at last with `count` 0. `slot` is kept
  /// for the request; it is nil at first.
  tally_http_step (*_Nonnull receive)(
      void *_Nonnull context, tally_daemon *_Nonnull daemon, tally_connection *_Nonnull connection, const char *_Nonnull path,
      const char *_Nonnull method, const uint8_t *_Nullable bytes, size_t count,
      void *_Nullable *_Nonnull slot);
  /// The request is over, answered or not; not called if `slot` is still nil.
  void (*_Nonnull finish)(void *_Nonnull context, void *_Nonnull slot);
} tally_http_settings;

/// A socket that listens at a numeric address; -1 if there is none, and then `reason` is a text that lives on.
///
/// Port 0 stands for any free one; `port` receives the one in use.
int tally_http_listen(
    const char *_Nonnull address, uint16_t *_Nonnull port, const char *_Nullable *_Nonnull reason);

/// Serves on a listening socket, which it then owns; nil if that is not possible.
tally_daemon *_Nullable tally_http_start(int listener, const tally_http_settings *_Nonnull settings);

/// Stops listening, and keeps the connections.
void tally_http_quiesce(tally_daemon *_Nonnull daemon);

/// Closes all connections and ends. No connection may be paused.
void tally_http_stop(tally_daemon *_Nonnull daemon);

/// Pauses a request until `tally_http_resume`, which any thread may call; it is then received with `count` 0 again.
void tally_http_pause(tally_daemon *_Nonnull daemon, tally_connection *_Nonnull connection);
void tally_http_resume(tally_connection *_Nonnull connection);

/// Calls `visit` with each header (or each item of the query) of a request. A value is nil if there is no equals sign.
void tally_http_visit(
    tally_connection *_Nonnull connection, bool is_query, void *_Nonnull context,
    void (*_Nonnull visit)(
        void *_Nonnull context, const char *_Nonnull name, size_t name_count,
        const char *_Nullable value, size_t value_count));

/// Writes the client's numeric address; false if it is not known.
bool tally_http_peer(tally_connection *_Nonnull connection, char *_Nonnull text, size_t size);

/// Whether the client is on this machine.
bool tally_http_is_local(tally_connection *_Nonnull connection);

/// The socket of a connection.
int tally_http_socket(tally_connection *_Nonnull connection);

/// Whether the other end of a socket has closed it.
bool tally_http_has_left(int socket);

/// Queues a response. `headers` are lines "Name: value" with a line feed after each. The body is copied if `owner` is
/// nil. Else it has to live until `release` is called with `owner`, which happens in any case.
bool tally_http_respond(
    tally_daemon *_Nonnull daemon, tally_connection *_Nonnull connection, unsigned status,
    const char *_Nonnull headers, const uint8_t *_Nullable body, size_t count, void *_Nullable owner,
    void (*_Nonnull release)(void *_Nullable owner));

#endif
