#include "TIFFCodec.h"

#include <stdlib.h>
#include <string.h>

#include "TIFFLayout.h"

// Sample `index` of a row, as 8 bits; of a palette as it is.
static uint8_t sample_at(const layout *image, const uint8_t *row, size_t index) {
  switch (image->header.bits) {
    case 8: return row[index];
    case 16: {
      uint16_t value;
      memcpy(&value, row + 2 * index, 2);
      return (uint8_t)(value >> 8);
    }
    default: {
      int bits = image->header.bits, highest = (1 << bits) - 1;
      size_t place = index * (size_t)bits;
      int value = row[place / 8] >> (8 - bits - (int)(place % 8)) & highest;
      return (uint8_t)(image->photometric == PHOTOMETRIC_PALETTE ? value : value * 255 / highest);
    }
  }
}

// Ink on paper, as Pillow converts CMYK.
static uint8_t printed(int ink, int paper) {
  int product = ink * paper + 128;
  int left = paper - (((product >> 8) + product) >> 8);
  return (uint8_t)(left < 0 ? 0 : left > 255 ? 255 : left);
}

static void write_pixel(const layout *image, const uint8_t samples[8], int channels,
                        uint8_t *pixel) {
  uint8_t colors[3];
  int value = samples[0];
  switch (image->photometric) {
    case PHOTOMETRIC_MINISWHITE: value = 255 - value;  // fall through
    case PHOTOMETRIC_MINISBLACK: colors[0] = colors[1] = colors[2] = (uint8_t)value; break;
    case PHOTOMETRIC_PALETTE:
      for (int i = 0; i < 3; i++)
        colors[i] = (uint8_t)(image->palette[i][value] >> (image->palette_has_8_bits ? 0 : 8));
      break;
    case PHOTOMETRIC_SEPARATED:
      for (int i = 0; i < 3; i++) colors[i] = printed(samples[i], 255 - samples[3]);
      break;
    default: memcpy(colors, samples, 3);
  }
  int alpha = image->has_alpha ? samples[image->colors] : 255;
  if (image->alpha_is_multiplied && alpha != 0 && alpha != 255)
    for (int i = 0; i < 3; i++) {
      int straight = 255 * colors[i] / alpha;
      colors[i] = (uint8_t)(straight > 255 ? 255 : straight);
    }
  int used = channels >= 3 ? 3 : 1;
  memcpy(pixel, colors, (size_t)used);
  if (channels > used) pixel[used] = (uint8_t)alpha;
}

// Where the samples of some pixels of a row are: one row of all, or one of each plane.
static void write_pixels(const layout *image, const uint8_t *const *planes, uint32_t count,
                         int channels, uint8_t *pixels) {
  int separate = image->planar == PLANARCONFIG_SEPARATE;
  int used = image->colors + image->has_alpha;
  // What most files are needs no look at every sample.
  if (!separate && image->photometric == PHOTOMETRIC_RGB && image->header.bits == 8 &&
      image->header.samples == 3 && channels == 3) {
    memcpy(pixels, planes[0], (size_t)count * 3);
    return;
  }
  for (uint32_t x = 0; x < count; x++) {
    uint8_t samples[8];
    for (int i = 0; i < used; i++)
      samples[i] = separate ? sample_at(image, planes[i], x)
                            : sample_at(image, planes[0],
                                        (size_t)x * (size_t)image->header.samples + (size_t)i);
    write_pixel(image, samples, channels, pixels + (size_t)x * (size_t)channels);
  }
}

// Planes that lie one after the other in the file are read a row of each at a time, which libtiff does only for
// uncompressed rows; so each plane is read by a reader of its own.
enum { MAXIMUM_PLANES = 8 };

static int decode_rows(TIFF **readers, int count, reading *state, const layout *image,
                       int channels, uint8_t *pixels) {
  size_t size = (size_t)TIFFScanlineSize64(readers[0]);
  size_t needed = ((size_t)image->header.width * (size_t)image->header.bits *
                       (size_t)(count > 1 ? 1 : image->header.samples) + 7) / 8;
  if (size < needed)
    return tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "its rows are shorter than it is wide");
  uint8_t *rows[MAXIMUM_PLANES] = {0};
  int whole = 1;
  for (int plane = 0; plane < count; plane++) whole = whole && (rows[plane] = malloc(size));
  if (!whole) tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "there is no memory for a row");
  for (uint32_t y = 0; whole && y < image->header.height; y++) {
    for (int plane = 0; whole && plane < count; plane++)
      whole = TIFFReadScanline(readers[plane], rows[plane], y, (uint16_t)plane) == 1;
    if (!whole || state->code != TALLY_TIFF_OK) break;
    write_pixels(image, (const uint8_t *const *)rows, image->header.width, channels,
                 pixels + (size_t)y * image->header.width * (size_t)channels);
  }
  for (int plane = 0; plane < count; plane++) free(rows[plane]);
  return whole || tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "a row cannot be decoded");
}

static int decode_tiles(TIFF *tiff, int count, reading *state, const layout *image, int channels,
                        uint8_t *pixels) {
  size_t size = (size_t)TIFFTileSize64(tiff), row = (size_t)TIFFTileRowSize64(tiff);
  size_t needed = ((size_t)image->tile_width * (size_t)image->header.bits *
                       (size_t)(count > 1 ? 1 : image->header.samples) + 7) / 8;
  if (row < needed || size / row < image->tile_height)
    return tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "its tiles are smaller than they should be");
  uint8_t *tiles[MAXIMUM_PLANES] = {0};
  int whole = 1;
  for (int plane = 0; plane < count; plane++) whole = whole && (tiles[plane] = malloc(size));
  if (!whole) tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "there is no memory for a tile");
  for (uint32_t top = 0; whole && top < image->header.height; top += image->tile_height) {
    for (uint32_t left = 0; whole && left < image->header.width; left += image->tile_width) {
      for (int plane = 0; whole && plane < count; plane++)
        whole = TIFFReadTile(tiff, tiles[plane], left, top, 0, (uint16_t)plane) > 0;
      if (!whole || state->code != TALLY_TIFF_OK) break;
      uint32_t wide = image->header.width - left, high = image->header.height - top;
      if (wide > image->tile_width) wide = image->tile_width;
      if (high > image->tile_height) high = image->tile_height;
      for (uint32_t y = 0; y < high; y++) {
        const uint8_t *planes[MAXIMUM_PLANES] = {0};
        for (int plane = 0; plane < count; plane++) planes[plane] = tiles[plane] + y * row;
        size_t at = ((size_t)(top + y) * image->header.width + left) * (size_t)channels;
        write_pixels(image, planes, wide, channels, pixels + at);
      }
      if (image->header.width - left <= image->tile_width) break;
    }
    if (image->header.height - top <= image->tile_height) break;
  }
  for (int plane = 0; plane < count; plane++) free(tiles[plane]);
  return whole || tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "a tile cannot be decoded");
}

// Whether all strips or tiles lie within the file.
static int has_all_data(TIFF *tiff, reading *state, const layout *image) {
  uint32_t count = image->tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t offset = TIFFGetStrileOffset(tiff, i), bytes = TIFFGetStrileByteCount(tiff, i);
    if (offset > state->source->size || bytes > state->source->size - offset)
      return tally_tiff_stop(state, TALLY_TIFF_TRUNCATED, "its image data lie beyond its end");
    if (offset == 0 || bytes == 0)
      return tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "it lacks image data");
  }
  return 1;
}

// What was said of tags that were not needed does not matter, unless they are missing.
static void forget_tags(reading *state) {
  if (state->code == TALLY_TIFF_CORRUPT) state->code = TALLY_TIFF_OK;
}

int tally_tiff_describe(const tally_tiff_source *source, tally_tiff_header *header,
                        char message[TALLY_TIFF_MESSAGE_SIZE]) {
  reading state = {source, 0, 0, TALLY_TIFF_OK, message};
  message[0] = 0;
  TIFF *tiff = tally_tiff_open(&state);
  if (!tiff) return state.code;
  layout image;
  if (tally_tiff_read_layout(tiff, &state, &image)) {
    forget_tags(&state);
    has_all_data(tiff, &state, &image);
    *header = image.header;
  }
  TIFFClose(tiff);
  return state.code;
}

static int is_same(const tally_tiff_header *one, const tally_tiff_header *other) {
  return one->width == other->width && one->height == other->height &&
         one->channels == other->channels && one->bits == other->bits &&
         one->samples == other->samples;
}

int tally_tiff_decode(const tally_tiff_source *source, const tally_tiff_header *header,
                      int channels, uint8_t *pixels, char message[TALLY_TIFF_MESSAGE_SIZE]) {
  // Each reader has its own place in the file.
  reading states[MAXIMUM_PLANES];
  TIFF *readers[MAXIMUM_PLANES] = {0};
  layout image;
  message[0] = 0;
  states[0] = (reading){source, 0, 0, TALLY_TIFF_OK, message};
  readers[0] = tally_tiff_open(&states[0]);
  if (!readers[0]) return states[0].code;
  int good = tally_tiff_read_layout(readers[0], &states[0], &image);
  if (good && !is_same(&image.header, header))
    good = tally_tiff_stop(&states[0], TALLY_TIFF_CORRUPT, "the header contradicts itself");
  if (good) {
    forget_tags(&states[0]);
    states[0].decoding = 1;
    int used = image.colors + image.has_alpha;
    int planes = image.planar == PLANARCONFIG_SEPARATE ? used : 1;
    if (image.tiled) {
      decode_tiles(readers[0], planes, &states[0], &image, channels, pixels);
    } else {
      for (int plane = 1; plane < planes && good; plane++) {
        layout other;
        states[plane] = (reading){source, 0, 0, TALLY_TIFF_OK, message};
        readers[plane] = tally_tiff_open(&states[plane]);
        good = readers[plane] && tally_tiff_read_layout(readers[plane], &states[plane], &other);
        if (good) forget_tags(&states[plane]);
        states[plane].decoding = 1;
      }
      if (good) decode_rows(readers, planes, &states[0], &image, channels, pixels);
      for (int plane = 1; plane < planes && readers[plane]; plane++)
        if (states[0].code == TALLY_TIFF_OK) states[0].code = states[plane].code;
    }
  }
  for (int plane = 0; plane < MAXIMUM_PLANES; plane++)
    if (readers[plane]) TIFFClose(readers[plane]);
  return states[0].code;
}
