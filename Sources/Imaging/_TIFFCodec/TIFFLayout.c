#include "TIFFLayout.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int tally_tiff_stop(reading *state, int code, const char *message) {
  if (state->code == TALLY_TIFF_OK) {
    state->code = code;
    snprintf(state->message, TALLY_TIFF_MESSAGE_SIZE, "%s", message);
  }
  return 0;
}

static int stop_for_kind(reading *state, const char *form, unsigned value) {
  char message[TALLY_TIFF_MESSAGE_SIZE];
  snprintf(message, sizeof message, form, value);
  return tally_tiff_stop(state, TALLY_TIFF_UNSUPPORTED, message);
}

static int keep_error(TIFF *tiff, void *context, const char *module, const char *form,
                      va_list arguments) {
  (void)tiff;
  (void)module;
  char message[TALLY_TIFF_MESSAGE_SIZE];
  vsnprintf(message, sizeof message, form, arguments);
  tally_tiff_stop(context, TALLY_TIFF_CORRUPT, message);
  return 1;
}

static int keep_warning(TIFF *tiff, void *context, const char *module, const char *form,
                        va_list arguments) {
  reading *state = context;
  // A tag that lies beyond the end may be the palette, without which libtiff takes the image for a grey one.
  if (strstr(form, "IO error during reading"))
    return !tally_tiff_stop(state, TALLY_TIFF_TRUNCATED, "a tag lies beyond its end");
  // Of other tags warnings are harmless; of a JPEG stream or a fax line they stand for lost pixels.
  int of_decoder = module && (strstr(module, "JPEG") || strstr(module, "Fax"));
  if (state->decoding && of_decoder) return keep_error(tiff, context, module, form, arguments);
  return 1;
}

static tmsize_t read_bytes(thandle_t handle, void *target, tmsize_t size) {
  reading *state = handle;
  if (size <= 0 || state->offset >= state->source->size) return 0;
  uint64_t left = state->source->size - state->offset;
  size_t count = (uint64_t)size < left ? (size_t)size : (size_t)left;
  if (state->source->data)
    memcpy(target, state->source->data + state->offset, count);
  else
    count = state->source->read(state->source->context, state->offset, target, count);
  state->offset += count;
  return (tmsize_t)count;
}

static tmsize_t write_nothing(thandle_t handle, void *data, tmsize_t size) {
  (void)handle;
  (void)data;
  (void)size;
  return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
  reading *state = handle;
  if (whence == SEEK_SET) state->offset = offset;
  if (whence == SEEK_CUR) state->offset += offset;
  if (whence == SEEK_END) state->offset = state->source->size + offset;
  return state->offset;
}

static int close_nothing(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t size_of(thandle_t handle) { return ((reading *)handle)->source->size; }

static int map(thandle_t handle, void **base, toff_t *size) {
  reading *state = handle;
  if (!state->source->data) return 0;
  *base = (void *)state->source->data;
  *size = state->source->size;
  return 1;
}

static void unmap(thandle_t handle, void *base, toff_t size) {
  (void)handle;
  (void)base;
  (void)size;
}

TIFF *tally_tiff_open(reading *state) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) return NULL;
  TIFFOpenOptionsSetErrorHandlerExtR(options, keep_error, state);
  TIFFOpenOptionsSetWarningHandlerExtR(options, keep_warning, state);
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)256 << 20);
  TIFF *tiff = TIFFClientOpenExt("image", state->source->data ? "r" : "rm", state, read_bytes,
                                 write_nothing, seek, close_nothing, size_of, map, unmap, options);
  TIFFOpenOptionsFree(options);
  if (!tiff) tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "it has no directory of tags");
  return tiff;
}

static void read_alpha(TIFF *tiff, layout *image) {
  uint16_t count = 0, *kinds = NULL;
  if (!TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) || count == 0 || !kinds) return;
  if (image->header.samples == image->colors) return;
  // A first extra sample that nobody says is alpha is none.
  image->has_alpha = kinds[0] == EXTRASAMPLE_ASSOCALPHA || kinds[0] == EXTRASAMPLE_UNASSALPHA;
  image->alpha_is_multiplied = kinds[0] == EXTRASAMPLE_ASSOCALPHA;
}

static int read_palette(TIFF *tiff, reading *state, layout *image) {
  if (!TIFFGetField(tiff, TIFFTAG_COLORMAP, &image->palette[0], &image->palette[1],
                    &image->palette[2]))
    return tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "its palette is missing");
  // Some writers store 8 bits where there should be 16.
  image->palette_has_8_bits = 1;
  for (int channel = 0; channel < 3; channel++)
    for (int i = 0; i < 1 << image->header.bits; i++)
      if (image->palette[channel][i] > 255) image->palette_has_8_bits = 0;
  return 1;
}

static int read_colors(TIFF *tiff, reading *state, layout *image) {
  uint16_t inks = 1;
  switch (image->photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK: image->colors = 1; break;
    case PHOTOMETRIC_RGB: image->colors = 3; break;
    case PHOTOMETRIC_PALETTE:
      image->colors = 1;
      if (image->header.bits > 8)
        return stop_for_kind(state, "a palette of %u bits", (unsigned)image->header.bits);
      if (!read_palette(tiff, state, image)) return 0;
      break;
    case PHOTOMETRIC_SEPARATED:
      image->colors = 4;
      TIFFGetFieldDefaulted(tiff, TIFFTAG_INKSET, &inks);
      if (inks != INKSET_CMYK) return stop_for_kind(state, "inks other than CMYK (set %u)", inks);
      break;
    case PHOTOMETRIC_YCBCR:
      if (image->compression != COMPRESSION_JPEG || image->planar == PLANARCONFIG_SEPARATE)
        return stop_for_kind(state, "YCbCr of compression %u; it is read in JPEG, in one plane",
                             image->compression);
      // The JPEG decoder converts.
      TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
      image->colors = 3;
      break;
    default: return stop_for_kind(state, "colours of kind %u (photometric)", image->photometric);
  }
  if (image->header.samples < image->colors)
    return tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "it has fewer samples than colours");
  if (image->header.samples > 8)
    return stop_for_kind(state, "%u samples a pixel; up to 8 are read",
                         (unsigned)image->header.samples);
  read_alpha(tiff, image);
  int is_grey = image->colors == 1 && image->photometric != PHOTOMETRIC_PALETTE;
  image->header.channels = (is_grey ? 1 : 3) + image->has_alpha;
  return 1;
}

static int read_sizes(TIFF *tiff, reading *state, layout *image) {
  uint32_t width = 0, height = 0;
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
  if (width == 0 || height == 0 || width > INT32_MAX || height > INT32_MAX)
    return tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "its image has no size");
  image->header.width = width;
  image->header.height = height;
  image->tiled = TIFFIsTiled(tiff);
  uint64_t planes = image->planar == PLANARCONFIG_SEPARATE ? (uint64_t)image->header.samples : 1;
  uint64_t pixel_bits = (uint64_t)image->header.bits * image->header.samples / planes;
  uint64_t row = (width * pixel_bits + 7) / 8;
  uint64_t pieces = image->tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
  // A row of each plane, where each piece is, and what a compression needs.
  image->header.working_bytes = planes * row + planes * pieces * 16 + ((uint64_t)1 << 20);
  if (image->tiled) {
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &image->tile_width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &image->tile_height);
    if (image->tile_width == 0 || image->tile_height == 0)
      return tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "its tiles have no size");
    uint64_t tile = (uint64_t)TIFFTileSize64(tiff);
    if (tile == 0 || tile > ((uint64_t)64 << 20) + 2 * row * height)
      return tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "its tiles are larger than it is");
    image->header.working_bytes += planes * tile;
  }
  // Compressed samples become whole rows; a JPEG keeps some lines beside.
  if (image->compression == COMPRESSION_JPEG) image->header.working_bytes += 64 * row;
  return 1;
}

// Those that photos come in, and whose decoders take no more memory than they need.
static int reads_compression(uint16_t compression) {
  switch (compression) {
    case COMPRESSION_NONE:
    case COMPRESSION_LZW:
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE:
    case COMPRESSION_PACKBITS:
    case COMPRESSION_JPEG:
    case COMPRESSION_CCITTRLE:
    case COMPRESSION_CCITTFAX3:
    case COMPRESSION_CCITTFAX4: return TIFFIsCODECConfigured(compression);
    default: return 0;
  }
}

int tally_tiff_read_layout(TIFF *tiff, reading *state, layout *image) {
  memset(image, 0, sizeof *image);
  uint16_t samples = 1, bits = 1, format = SAMPLEFORMAT_UINT, orientation = 1;
  uint32_t kind = 0;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &kind);
  if (kind & FILETYPE_REDUCEDIMAGE)
    return tally_tiff_stop(state, TALLY_TIFF_UNSUPPORTED,
                "its first image is a small copy of another, as in a camera's raw file");
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &image->compression);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &image->planar);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
  if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &image->photometric))
    return tally_tiff_stop(state, TALLY_TIFF_CORRUPT, "it does not say what its samples mean");
  if (!reads_compression(image->compression))
    return stop_for_kind(state, "compression %u", image->compression);
  if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID)
    return stop_for_kind(state, "samples that are no whole numbers (format %u)", format);
  if (bits != 1 && bits != 2 && bits != 4 && bits != 8 && bits != 16)
    return stop_for_kind(state, "%u bits a sample; 1, 2, 4, 8 and 16 are read", bits);
  image->header.samples = samples;
  image->header.bits = bits;
  image->header.orientation = orientation;
  return read_colors(tiff, state, image) && read_sizes(tiff, state, image);
}
