// libpng behind functions that return instead of jumping.
//
// libpng reports errors by longjmp, which must not cross Swift frames. These functions catch it and answer a
// code and a message. Nothing here allocates pixels: the caller's memory is written row by row.

#ifndef TALLY_PNG_CODEC_H
#define TALLY_PNG_CODEC_H

#include <stddef.h>
#include <stdint.h>

enum {
  TALLY_PNG_OK = 0,
  // The data end before the image does.
  TALLY_PNG_TRUNCATED = 1,
  // The data are not what PNG says they must be.
  TALLY_PNG_CORRUPT = 2,
  // A writer's callback refused, or memory ran out.
  TALLY_PNG_FAILED = 3,
  TALLY_PNG_MESSAGE_SIZE = 128,
};

// Decodes a PNG into `pixels`: `height` rows of `width * channels` bytes.
//
// `channels` says what is wanted: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha. Grey is never made of
// colour. 16-bit samples keep their high byte. `width` and `height` are what the header was found to say;
// anything else is corrupt. A wrong checksum in any chunk is corrupt.
int tally_png_read(const uint8_t *data, size_t size, uint32_t width, uint32_t height, int channels,
                   uint8_t *pixels, char message[TALLY_PNG_MESSAGE_SIZE]);

// Takes a piece of an encoded PNG; 0 to refuse.
typedef int (*tally_png_sink)(void *context, const uint8_t *data, size_t size);

// Encodes `height` rows of `width * channels` bytes as an 8-bit PNG.
int tally_png_write(const uint8_t *pixels, uint32_t width, uint32_t height, int channels,
                    int compression, tally_png_sink sink, void *context,
                    char message[TALLY_PNG_MESSAGE_SIZE]);

#endif
