#include "curl_transfer.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// libcurl's names and numbers (curl.h, multi.h), which never change their meaning.
typedef void CURL;
typedef void CURLM;
typedef struct {
  int message;
  CURL *easy;
  union {
    void *whatever;
    int result;
  } data;
} CURLMsg;

enum {
  option_write_data = 10001,
  option_url = 10002,
  option_error_buffer = 10010,
  option_user_agent = 10018,
  option_http_headers = 10023,
  option_header_data = 10029,
  option_no_progress = 43,
  option_follow_location = 52,
  option_http_get = 80,
  option_no_signal = 99,
  option_http_content_decoding = 158,
  option_protocols = 181,
  option_http09_allowed = 285,
  option_write_function = 20011,
  option_header_function = 20079,
  protocol_http = 1,
  protocol_https = 2,
  info_response_code = 0x200000 + 2,
  message_done = 1,
  global_default = 3,
};

static struct {
  int (*global_init)(long);
  CURL *(*easy_init)(void);
  int (*easy_setopt)(CURL *, int, ...);
  int (*easy_getinfo)(CURL *, int, ...);
  void (*easy_cleanup)(CURL *);
  const char *(*easy_strerror)(int);
  void *(*slist_append)(void *, const char *);
  void (*slist_free_all)(void *);
  CURLM *(*multi_init)(void);
  int (*multi_add_handle)(CURLM *, CURL *);
  int (*multi_remove_handle)(CURLM *, CURL *);
  int (*multi_perform)(CURLM *, int *);
  int (*multi_wait)(CURLM *, void *, unsigned, int, int *);
  CURLMsg *(*multi_info_read)(CURLM *, int *);
  int (*multi_cleanup)(CURLM *);
} curl;

static bool is_open = false;
static pthread_once_t opening = PTHREAD_ONCE_INIT;

static void open_library(void) {
#ifdef __APPLE__
  static const char *const names[] = {"/usr/lib/libcurl.4.dylib"};
#else
  static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif
  void *library = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  const struct {
    void **function;
    const char *name;
  } wanted[] = {
      {(void **)&curl.global_init, "curl_global_init"},
      {(void **)&curl.easy_init, "curl_easy_init"},
      {(void **)&curl.easy_setopt, "curl_easy_setopt"},
      {(void **)&curl.easy_getinfo, "curl_easy_getinfo"},
      {(void **)&curl.easy_cleanup, "curl_easy_cleanup"},
      {(void **)&curl.easy_strerror, "curl_easy_strerror"},
      {(void **)&curl.slist_append, "curl_slist_append"},
      {(void **)&curl.slist_free_all, "curl_slist_free_all"},
      {(void **)&curl.multi_init, "curl_multi_init"},
      {(void **)&curl.multi_add_handle, "curl_multi_add_handle"},
      {(void **)&curl.multi_remove_handle, "curl_multi_remove_handle"},
      {(void **)&curl.multi_perform, "curl_multi_perform"},
      {(void **)&curl.multi_wait, "curl_multi_wait"},
      {(void **)&curl.multi_info_read, "curl_multi_info_read"},
      {(void **)&curl.multi_cleanup, "curl_multi_cleanup"},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    *wanted[i].function = dlsym(library, wanted[i].name);
    if (!*wanted[i].function) return;
  }
  is_open = curl.global_init(global_default) == 0;
}

bool tally_transfer_available(void) {
  pthread_once(&opening, open_library);
  return is_open;
}

/// What the callbacks share with the loop.
typedef struct {
  const tally_transfer *transfer;
  bool was_stopped;
} state;

static size_t receive_header(char *bytes, size_t size, size_t count, void *data) {
  state *now = data;
  if (now->transfer->receive_header(now->transfer->context, bytes, size * count))
    return size * count;
  now->was_stopped = true;
  return 0;
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *data) {
  state *now = data;
  if (size * count == 0) return 0;
  if (now->transfer->receive_body(now->transfer->context, bytes, size * count)) return size * count;
  now->was_stopped = true;
  return 0;
}

static void perform(CURL *easy, CURLM *multi, state *now, tally_transfer_end *end) {
  int running = 1;
  while (running) {
    int code = curl.multi_perform(multi, &running);
    if (code != 0) {
      end->code = code;
      snprintf(end->message, sizeof end->message, "libcurl's loop failed with %d", code);
      return;
    }
    if (!running) break;
    if (now->was_stopped || !now->transfer->proceed(now->transfer->context)) {
      now->was_stopped = true;
      return;
    }
    curl.multi_wait(multi, NULL, 0, 50, NULL);
  }
  int left = 0;
  CURLMsg *message;
  while ((message = curl.multi_info_read(multi, &left)))
    if (message->message == message_done && message->easy == easy) end->code = message->data.result;
  curl.easy_getinfo(easy, info_response_code, &end->status);
}

tally_transfer_end tally_transfer_run(const tally_transfer *transfer) {
  tally_transfer_end end = {.code = -1, .was_stopped = false, .status = 0, .message = ""};
  if (!tally_transfer_available()) return end;
  state now = {.transfer = transfer, .was_stopped = false};
  // As long as libcurl asks for.
  char words[256] = "";
  CURL *easy = curl.easy_init();
  CURLM *multi = curl.multi_init();
  void *headers = NULL;
  for (const char *line = transfer->headers; *line;) {
    char copy[2048];
    size_t length = strcspn(line, "\n");
    if (length < sizeof copy) {
      memcpy(copy, line, length);
      copy[length] = 0;
      headers = curl.slist_append(headers, copy);
    }
    line += length + (line[length] != 0);
  }
  if (easy && multi) {
    curl.easy_setopt(easy, option_url, transfer->url);
    curl.easy_setopt(easy, option_user_agent, transfer->user_agent);
    curl.easy_setopt(easy, option_http_headers, headers);
    curl.easy_setopt(easy, option_http_get, 1L);
    curl.easy_setopt(easy, option_no_signal, 1L);
    curl.easy_setopt(easy, option_no_progress, 1L);
    curl.easy_setopt(easy, option_follow_location, 0L);
    // Bytes as they are in the file, not as a server may wrap them up.
    curl.easy_setopt(easy, option_http_content_decoding, 0L);
    curl.easy_setopt(easy, option_http09_allowed, 0L);
    curl.easy_setopt(easy, option_protocols, (long)(protocol_http | protocol_https));
    curl.easy_setopt(easy, option_error_buffer, words);
    curl.easy_setopt(easy, option_header_function, receive_header);
    curl.easy_setopt(easy, option_header_data, &now);
    curl.easy_setopt(easy, option_write_function, receive_body);
    curl.easy_setopt(easy, option_write_data, &now);
    if (curl.multi_add_handle(multi, easy) == 0) {
      perform(easy, multi, &now, &end);
      if (end.code > 0 && end.message[0] == 0)
        snprintf(
            end.message, sizeof end.message, "%s",
            words[0] ? words : curl.easy_strerror(end.code));
      curl.multi_remove_handle(multi, easy);
    }
  }
  end.was_stopped = now.was_stopped;
  if (easy) curl.easy_cleanup(easy);
  if (multi) curl.multi_cleanup(multi);
  if (headers) curl.slist_free_all(headers);
  return end;
}
