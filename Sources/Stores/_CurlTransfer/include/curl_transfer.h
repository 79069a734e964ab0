#ifndef TALLY_CURL_TRANSFER_H
#define TALLY_CURL_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>

// One GET over HTTP or HTTPS by libcurl, whose options are set by a function of any arguments, which
// Swift cannot call.

/// What a transfer is told, and whom it tells. Pointers need to live as long as the call.
typedef struct {
  const char *_Nonnull url;
  const char *_Nonnull user_agent;
  /// Header lines with a line feed between them, each of less than 2048 bytes.
  const char *_Nonnull headers;
  /// Handed to the three functions.
  void *_Nonnull context;
  /// A header line as it came, with its line end. False ends the transfer.
  bool (*_Nonnull receive_header)(void *_Nonnull context, const char *_Nonnull bytes, size_t count);
  /// Bytes of the body. False ends the transfer.
  bool (*_Nonnull receive_body)(void *_Nonnull context, const char *_Nonnull bytes, size_t count);
  /// Asked some twenty times a second, whether anything came or not. False ends the transfer.
  bool (*_Nonnull proceed)(void *_Nonnull context);
} tally_transfer;

/// How a transfer ended.
typedef struct {
  /// Whether the response was received to its end.
  bool succeeded;
  /// Whether one of the functions ended it.
  bool was_stopped;
  /// What went wrong, in libcurl's words.
  char message[256];
} tally_transfer_end;

/// Makes the transfer and returns when it is over. Redirections are not followed.
tally_transfer_end tally_transfer_run(const tally_transfer *_Nonnull transfer);

#endif
