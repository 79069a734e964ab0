// The state of reading a TIFF, and how its samples are laid out.

#ifndef TALLY_TIFF_LAYOUT_H
#define TALLY_TIFF_LAYOUT_H

#include <tiffio.h>

#include "TIFFCodec.h"

// The state of one reading.
typedef struct {
  const tally_tiff_source *source;
  uint64_t offset;
  // Whether pixels are being decoded: then a decoder's warning says that some are lost.
  int decoding;
  int code;
  char *message;
} reading;

// What the file says about how its samples are laid out.
typedef struct {
  tally_tiff_header header;
  uint16_t photometric;
  uint16_t compression;
  uint16_t planar;
  // Samples of a pixel that are colours; an alpha follows them, if there is one.
  int colors;
  int has_alpha;
  int alpha_is_multiplied;
  int tiled;
  uint32_t tile_width;
  uint32_t tile_height;
  uint16_t *palette[3];
  int palette_has_8_bits;
} layout;

// Keeps the first failure, and answers 0.
int tally_tiff_stop(reading *state, int code, const char *message);

// Opens the first image of the source; NULL where there is none.
TIFF *tally_tiff_open(reading *state);

// Reads how the image is laid out; 0 where it is of no kind that is read.
int tally_tiff_read_layout(TIFF *tiff, reading *state, layout *image);

#endif
