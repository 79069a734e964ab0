// CURLOPT_PROTOCOLS is: what takes its place came with 7.85, and macOS 12 has 7.79.
#define CURL_DISABLE_DEPRECATION

#include "curl_transfer.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static CURLcode initialised = CURLE_FAILED_INIT;
static pthread_once_t initialising = PTHREAD_ONCE_INIT;

// Not every libcurl does this safely by itself where two threads come first at once.
static void initialise(void) { initialised = curl_global_init(CURL_GLOBAL_DEFAULT); }

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

/// Header lines with a line feed between them as libcurl takes them, added to `list`.
static CURLcode append_lines(const char *lines, struct curl_slist **list) {
  for (const char *line = lines; *line;) {
    char copy[2048];
    size_t length = strcspn(line, "\n");
    if (length >= sizeof copy) return CURLE_BAD_FUNCTION_ARGUMENT;
    memcpy(copy, line, length);
    copy[length] = 0;
    struct curl_slist *longer = curl_slist_append(*list, copy);
    if (!longer) return CURLE_OUT_OF_MEMORY;
    *list = longer;
    line += length + (line[length] != 0);
  }
  return CURLE_OK;
}

static CURLcode prepare(
    CURL *easy, state *now, const struct curl_slist *headers, char *words) {
  CURLcode code = CURLE_OK;
#define SET(option, value) \
  if (code == CURLE_OK) code = curl_easy_setopt(easy, option, value)
  SET(CURLOPT_URL, now->transfer->url);
  SET(CURLOPT_USERAGENT, now->transfer->user_agent);
  SET(CURLOPT_HTTPHEADER, headers);
  SET(CURLOPT_HTTPGET, 1L);
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_NOPROGRESS, 1L);
  SET(CURLOPT_FOLLOWLOCATION, 0L);
  // Bytes as they are in the file, not as a server may wrap them up.
  SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);
  SET(CURLOPT_HTTP09_ALLOWED, 0L);
  SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  SET(CURLOPT_ERRORBUFFER, words);
  SET(CURLOPT_HEADERFUNCTION, receive_header);
  SET(CURLOPT_HEADERDATA, now);
  SET(CURLOPT_WRITEFUNCTION, receive_body);
  SET(CURLOPT_WRITEDATA, now);
#undef SET
  return code;
}

/// Runs a transfer to its end, or until it is stopped.
static CURLcode perform(CURL *easy, CURLM *multi, state *now, char words[CURL_ERROR_SIZE]) {
  int running = 1;
  while (running) {
    CURLMcode code = curl_multi_perform(multi, &running);
    if (code == CURLM_OK && running) {
      if (now->was_stopped || !now->transfer->proceed(now->transfer->context)) {
        now->was_stopped = true;
        return CURLE_OK;
      }
      code = curl_multi_wait(multi, NULL, 0, 50, NULL);
    }
    if (code != CURLM_OK) {
      snprintf(words, CURL_ERROR_SIZE, "%s", curl_multi_strerror(code));
      return CURLE_FAILED_INIT;
    }
  }
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)))
    if (message->msg == CURLMSG_DONE && message->easy_handle == easy) return message->data.result;
  return CURLE_GOT_NOTHING;
}

tally_transfer_end tally_transfer_run(const tally_transfer *transfer) {
  tally_transfer_end end = {.succeeded = false, .was_stopped = false, .message = ""};
  state now = {.transfer = transfer, .was_stopped = false};
  char words[CURL_ERROR_SIZE] = "";
  struct curl_slist *headers = NULL;
  pthread_once(&initialising, initialise);
  CURLcode code = initialised;
  CURL *easy = code == CURLE_OK ? curl_easy_init() : NULL;
  CURLM *multi = easy ? curl_multi_init() : NULL;
  if (code == CURLE_OK && !multi) code = CURLE_OUT_OF_MEMORY;
  if (code == CURLE_OK) code = append_lines(transfer->headers, &headers);
  if (code == CURLE_OK) code = prepare(easy, &now, headers, words);
  if (code == CURLE_OK && curl_multi_add_handle(multi, easy) != CURLM_OK)
    code = CURLE_OUT_OF_MEMORY;
  if (code == CURLE_OK) {
    code = perform(easy, multi, &now, words);
    curl_multi_remove_handle(multi, easy);
  }
  end.was_stopped = now.was_stopped;
  end.succeeded = code == CURLE_OK && !now.was_stopped;
  if (code != CURLE_OK)
    snprintf(end.message, sizeof end.message, "%s", words[0] ? words : curl_easy_strerror(code));
  curl_easy_cleanup(easy);
  curl_multi_cleanup(multi);
  curl_slist_free_all(headers);
  return end;
}
