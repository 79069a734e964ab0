#ifndef TALLY_CURL_TRANSFER_H
#define TALLY_CURL_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>

// One GET over HTTP or HTTPS by libcurl, which is opened when it is first needed: who never fetches
// anything neither links nor loads it. Its interface has been binary compatible since 2006 ("libcurl.so.4"),
// so its headers are not needed either.

/// What a transfer is told, and whom it tells. Pointers need to live as long as the call.
typedef struct {
  const char *_Nonnull url;
  const char *_Nonnull user_agent;
  /// Header lines with a line feed between them.
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
  /// 0 where the response was received to its end.
  int code;
  /// Whether one of the functions ended it.
  bool was_stopped;
  /// The status of the response, 0 where there was none.
  long status;
  /// What went wrong, in libcurl's words.
  char message[256];
} tally_transfer_end;

/// Whether libcurl can be opened.
bool tally_transfer_available(void);

/// Makes the transfer and returns when it is over. Redirections are not followed.
tally_transfer_end tally_transfer_run(const tally_transfer *_Nonnull transfer);

#endif
