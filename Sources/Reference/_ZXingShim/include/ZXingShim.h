// ZXing's C++ reader behind functions of plain C.
//
// ZXing throws, and an exception must not cross Swift frames: these functions catch all of them, and failed
// assertions too, and answer a code. Pixels are only read, and only during a call. What is answered is the caller's to release.

#ifndef TALLY_ZXING_SHIM_H
#define TALLY_ZXING_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TALLY_ZXING_OK = 0,
  // The picture's size, its stride and the number of its bytes don't go together.
  TALLY_ZXING_BAD_PICTURE = 1,
  TALLY_ZXING_OUT_OF_MEMORY = 2,
  // ZXing threw something else, or one of its assertions failed.
  TALLY_ZXING_FAILED = 3,
};

// The kinds, as bits of a set.
enum {
  TALLY_ZXING_AZTEC = 1 << 0,
  TALLY_ZXING_CODABAR = 1 << 1,
  TALLY_ZXING_CODE39 = 1 << 2,
  TALLY_ZXING_CODE93 = 1 << 3,
  TALLY_ZXING_CODE128 = 1 << 4,
  TALLY_ZXING_DATABAR = 1 << 5,
  TALLY_ZXING_DATABAR_EXPANDED = 1 << 6,
  TALLY_ZXING_DATA_MATRIX = 1 << 7,
  TALLY_ZXING_EAN8 = 1 << 8,
  TALLY_ZXING_EAN13 = 1 << 9,
  TALLY_ZXING_ITF = 1 << 10,
  TALLY_ZXING_MAXICODE = 1 << 11,
  TALLY_ZXING_PDF417 = 1 << 12,
  TALLY_ZXING_QR = 1 << 13,
  TALLY_ZXING_UPCA = 1 << 14,
  TALLY_ZXING_UPCE = 1 << 15,
};

// How pixels become black and white.
enum {
  // Each against the mean around it; of bars, against the valley of the row's histogram.
  TALLY_ZXING_LOCAL_AVERAGE = 0,
  // Against the valley of one histogram.
  TALLY_ZXING_GLOBAL_HISTOGRAM = 1,
};

typedef struct {
  // A set of kinds. Nothing is looked for where it is empty.
  uint32_t kinds;
  int binarizer;
  // Whether rows are read closely, and columns, and the picture reduced.
  int thorough;
  // Whether codes that were found and could not be read are answered too.
  int unread;
  // Whether the first code is all that is looked for.
  int single;
} tally_zxing_options;

typedef struct {
  // One kind.
  uint32_t kind;
  // Whether it was read; otherwise only kind and corners say anything.
  int is_read;
  // On how many lines it was read; 0 of two-dimensional codes.
  int lines;
  // Whether it is seen from behind.
  int is_mirrored;
  // x and y, clockwise from the corner where reading begins, in pixels; all zeros of MaxiCode.
  int32_t corners[8];
  // What the code holds, byte by byte; may contain zeros.
  const uint8_t *bytes;
  size_t byte_count;
  // The same as UTF-8, by the character set that the code names or that fits; may contain zeros.
  const uint8_t *text;
  size_t text_count;
} tally_zxing_code;

typedef struct tally_zxing_codes tally_zxing_codes;

// The codes of a grey picture: `height` rows of `width` bytes, each `stride` bytes after the one before.
//
// `*codes` is set only where the answer is TALLY_ZXING_OK.
int tally_zxing_read(const uint8_t *pixels, size_t size, int32_t width, int32_t height, size_t stride,
                     const tally_zxing_options *options, tally_zxing_codes **codes);

// How many there are.
size_t tally_zxing_count(const tally_zxing_codes *codes);

// One of them, whose memory is that of `codes`; all zeros where there are not so many.
tally_zxing_code tally_zxing_at(const tally_zxing_codes *codes, size_t index);

// Releases what was answered; null is allowed.
void tally_zxing_release(tally_zxing_codes *codes);

#ifdef __cplusplus
}
#endif

#endif
