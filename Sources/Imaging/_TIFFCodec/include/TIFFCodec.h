// libtiff behind functions without variable arguments, with errors by file instead of by process.
//
// The first image of a file is read, row by row or tile by tile: beside the caller's pixels memory is taken for
// one row, or one row of tiles, and for what a compression needs.

#ifndef TALLY_TIFF_CODEC_H
#define TALLY_TIFF_CODEC_H

#include <stddef.h>
#include <stdint.h>

enum {
  TALLY_TIFF_OK = 0,
  // The data end before the image does.
  TALLY_TIFF_TRUNCATED = 1,
  // The data are not what TIFF says they must be.
  TALLY_TIFF_CORRUPT = 2,
  // The image is of a kind that is not read; the message says which.
  TALLY_TIFF_UNSUPPORTED = 3,
  TALLY_TIFF_MESSAGE_SIZE = 160,
};

// Copies up to `size` bytes of the file, from `offset` on, and answers how many there were.
typedef size_t (*tally_tiff_read)(void *context, uint64_t offset, void *target, size_t size);

// Where the bytes are: in memory, or behind a function.
typedef struct {
  const uint8_t *data;
  tally_tiff_read read;
  void *context;
  uint64_t size;
} tally_tiff_source;

// What the first image is like.
typedef struct {
  uint32_t width;
  uint32_t height;
  // Samples of a pixel, alpha included.
  int samples;
  int bits;
  // 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha: what the pixels become without loss.
  int channels;
  // 1 to 8, as EXIF numbers them.
  int orientation;
  // Memory that decoding takes beside the pixels.
  uint64_t working_bytes;
} tally_tiff_header;

// Reads what the file says of its first image.
int tally_tiff_describe(const tally_tiff_source *source, tally_tiff_header *header,
                        char message[TALLY_TIFF_MESSAGE_SIZE]);

// Decodes the first image into `pixels`: `height` rows of `width * channels` bytes, not turned.
//
// `channels` is 3 or what the header says. 16-bit samples keep their high byte; alpha is made straight.
// The header is what `tally_tiff_describe` answered; anything else is corrupt.
int tally_tiff_decode(const tally_tiff_source *source, const tally_tiff_header *header,
                      int channels, uint8_t *pixels, char message[TALLY_TIFF_MESSAGE_SIZE]);

#endif
