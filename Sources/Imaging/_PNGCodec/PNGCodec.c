#include "PNGCodec.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

typedef struct {
  const uint8_t *data;
  size_t size;
  size_t offset;
  int code;
  char *message;
} source;

static void keep_message(char *target, const char *message) {
  strncpy(target, message, TALLY_PNG_MESSAGE_SIZE - 1);
  target[TALLY_PNG_MESSAGE_SIZE - 1] = 0;
}

static void stop_reading(png_structp png, png_const_charp message) {
  source *from = png_get_error_ptr(png);
  keep_message(from->message, message);
  if (from->code == TALLY_PNG_OK) from->code = TALLY_PNG_CORRUPT;
  png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void take(png_structp png, png_bytep target, size_t count) {
  source *from = png_get_io_ptr(png);
  if (count > from->size - from->offset) {
    from->code = TALLY_PNG_TRUNCATED;
    png_error(png, "the data end too early");
  }
  memcpy(target, from->data + from->offset, count);
  from->offset += count;
}

static int row_channels(int color_type) {
  return ((color_type & PNG_COLOR_MASK_COLOR) ? 3 : 1) +
         ((color_type & PNG_COLOR_MASK_ALPHA) ? 1 : 0);
}

static void read_all(png_structp png, png_infop info, uint32_t width, uint32_t height,
                     int channels, uint8_t *pixels) {
  // A chunk whose checksum is wrong is an error, even one that is not needed for the pixels.
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  // Colour profiles, texts and the like are checked and skipped; they never reach libpng's parsers.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_read_info(png, info);
  if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height)
    png_error(png, "the header contradicts itself");

  int color_type = png_get_color_type(png, info);
  int depth = png_get_bit_depth(png, info);
  int transparent = png_get_valid(png, info, PNG_INFO_tRNS) != 0;
  int wants_alpha = channels % 2 == 0;
  if (depth == 16) png_set_strip_16(png);
  if (color_type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (color_type == PNG_COLOR_TYPE_GRAY && depth < 8) png_set_expand_gray_1_2_4_to_8(png);
  if (transparent && wants_alpha) png_set_tRNS_to_alpha(png);
  if (!wants_alpha) png_set_strip_alpha(png);
  if (channels >= 3) png_set_gray_to_rgb(png);
  int has_alpha = (color_type & PNG_COLOR_MASK_ALPHA) != 0 || transparent;
  if (wants_alpha && !has_alpha) png_set_add_alpha(png, 255, PNG_FILLER_AFTER);

  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  size_t row_bytes = (size_t)width * (size_t)channels;
  if (png_get_rowbytes(png, info) != row_bytes ||
      row_channels(png_get_color_type(png, info)) != channels)
    png_error(png, "the samples cannot be converted");
  for (int pass = 0; pass < passes; pass++)
    for (uint32_t y = 0; y < height; y++) png_read_row(png, pixels + y * row_bytes, NULL);
  png_read_end(png, NULL);
}

int tally_png_read(const uint8_t *data, size_t size, uint32_t width, uint32_t height, int channels,
                   uint8_t *pixels, char message[TALLY_PNG_MESSAGE_SIZE]) {
  source from = {data, size, 0, TALLY_PNG_OK, message};
  message[0] = 0;
  png_structp png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, &from, stop_reading, ignore_warning);
  if (!png) return TALLY_PNG_FAILED;
  png_infop info = png_create_info_struct(png);
  if (!info) {
    png_destroy_read_struct(&png, NULL, NULL);
    return TALLY_PNG_FAILED;
  }
  // Neither `png` nor `info` changes between setjmp and a jump, so they need not be volatile here.
  if (setjmp(png_jmpbuf(png)) == 0) {
    png_set_read_fn(png, &from, take);
    read_all(png, info, width, height, channels, pixels);
  }
  png_destroy_read_struct(&png, &info, NULL);
  return from.code;
}

typedef struct {
  tally_png_sink sink;
  void *context;
  int code;
  char *message;
} target;

static void stop_writing(png_structp png, png_const_charp message) {
  target *to = png_get_error_ptr(png);
  keep_message(to->message, message);
  to->code = TALLY_PNG_FAILED;
  png_longjmp(png, 1);
}

static void give(png_structp png, png_bytep data, size_t count) {
  target *to = png_get_io_ptr(png);
  if (!to->sink(to->context, data, count)) png_error(png, "the data could not be kept");
}

static void nothing_to_flush(png_structp png) { (void)png; }

int tally_png_write(const uint8_t *pixels, uint32_t width, uint32_t height, int channels,
                    int compression, tally_png_sink sink, void *context,
                    char message[TALLY_PNG_MESSAGE_SIZE]) {
  static const int color_types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                    PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  target to = {sink, context, TALLY_PNG_OK, message};
  message[0] = 0;
  if (channels < 1 || channels > 4) return TALLY_PNG_FAILED;
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, &to, stop_writing, ignore_warning);
  if (!png) return TALLY_PNG_FAILED;
  png_infop info = png_create_info_struct(png);
  if (!info) {
    png_destroy_write_struct(&png, NULL);
    return TALLY_PNG_FAILED;
  }
  if (setjmp(png_jmpbuf(png)) == 0) {
    png_set_write_fn(png, &to, give, nothing_to_flush);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_compression_level(png, compression);
    png_set_IHDR(png, info, width, height, 8, color_types[channels - 1], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    size_t row_bytes = (size_t)width * (size_t)channels;
    for (uint32_t y = 0; y < height; y++) png_write_row(png, pixels + y * row_bytes);
    png_write_end(png, info);
  }
  png_destroy_write_struct(&png, &info);
  return to.code;
}
