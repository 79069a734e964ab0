// Products of matrices (packed_gemm.c, gemm.c), attention (attention.c) and products of bfloat16 numbers (bf16.c).

#include "drive.h"

// MARK: - Packed

static void packed_product(ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t depth, int layout, int kind, int mode) {
  // Neighbours of a row lie side by side; then those of a column; then those of a row with room behind each.
  const ptrdiff_t room = layout == 2 ? 3 : 0, panels = vk_panel_count(columns);
  const ptrdiff_t a_row = layout == 1 ? 1 : depth + room, a_column = layout == 1 ? rows : 1;
  const ptrdiff_t b_row = layout == 1 ? 1 : columns + room, b_column = layout == 1 ? depth : 1;
  const ptrdiff_t c_row = columns + room;
  const float *a = some_floats((rows - 1) * a_row + (depth - 1) * a_column + 1, 0.5f);
  const float *b = some_floats((depth - 1) * b_row + (columns - 1) * b_column + 1, 0.5f);
  const float *bias = mode & 1 ? some_floats(columns, 1) : NULL;
  const float *residual = mode & 2 ? some_floats((rows - 1) * c_row + columns, 1) : NULL;
  float *packed = floats(panels * depth * VK_PANEL);
  // The first panel last.
  vk_pack_right_f32(b, b_row, b_column, depth, columns, layout ? 1.0f : 0.75f, packed, 1, panels - 1);
  vk_pack_right_f32(b, b_row, b_column, depth, columns, layout ? 1.0f : 0.75f, packed, 0, 1);
  const long m = (long)rows, n = (long)columns, k = (long)depth;
  record(
      EXACT, packed, panels * depth * VK_PANEL, 0, "vk_pack_right_f32 %ldx%ld layout %d", k, n, layout);
  if (layout == 0) {
    // At an address that is no multiple of four.
    uint8_t *odd = buffer(depth * columns * 4 + 1);
    memcpy(odd + 1, b, (size_t)(depth * columns) * 4);
    odd[0] = 0xa5;
    vk_pack_rows_f32(odd + 1, depth, columns, 0.5f, packed);
    record(EXACT, packed, panels * depth * VK_PANEL, 0, "vk_pack_rows_f32 %ldx%ld", k, n);
  }
  const vk_product product = {
      columns, depth, a_row, a_column, c_row, c_row,
      {{(vk_activation_kind)kind, 0.3f, 0.8f}, mode & 4 ? 1 : 0}};
  const ptrdiff_t count = (rows - 1) * c_row + columns;
  float *c = floats(count), *parts = floats(count);
  vk_packed_gemm_f32(&product, a, packed, bias, residual, c, 0, rows, 0, panels);
  record(
      NEAR, c, count, 0, "vk_packed_gemm_f32 %ldx%ldx%ld layout %d kind %d mode %d", m, n, k, layout,
      kind, mode);
  const ptrdiff_t half = rows / 3;
  vk_packed_gemm_f32(&product, a, packed, bias, residual, parts, 0, half, 0, panels);
  for (ptrdiff_t p = 0; p < panels; p++)
    vk_packed_gemm_f32(&product, a, packed, bias, residual, parts, half, rows - half, p, 1);
  expect(
      memcmp(c, parts, (size_t)count * 4) == 0, "%ldx%ldx%ld layout %d: the same in parts", m, n, k, layout);
  release();
}

void drive_packed_products(void) {
  static const ptrdiff_t sizes[][3] = {
      {1, 1, 1},    {2, 7, 5},     {3, 31, 33},   {4, 32, 127},  {5, 33, 128}, {6, 63, 129},
      {7, 64, 191}, {8, 65, 192},  {9, 96, 193},  {11, 97, 255}, {12, 16, 256}, {13, 17, 257},
      {14, 48, 383}, {15, 49, 384}, {29, 70, 385}, {43, 128, 40}, {1, 200, 390}, {2, 129, 64},
  };
  for EACH(s, sizes)
    for (int layout = 0; layout < 3; layout++) {
      const int mode = (int)(s + layout) % 8;
      packed_product(sizes[s][0], sizes[s][1], sizes[s][2], layout, (int)(s % 3) == 1 ? VK_RELU : 0, mode);
    }
  for (ptrdiff_t rows = 1; rows <= 30; rows++) packed_product(rows, 37, 9, 0, VK_SIGMOID, rows % 8);
  for (ptrdiff_t columns = 1; columns <= 68; columns += 3)
    packed_product(5, columns, 11, 2, VK_IDENTITY, columns % 8);
  for (int kind = 0; kind <= VK_SCALED_SILU; kind++) packed_product(15, 45, 20, 0, kind, 1 + kind % 7);
}

// MARK: - Not packed

void drive_products(void) {
  static const ptrdiff_t sizes[][3] = {
      {1, 1, 1},   {3, 5, 7},    {4, 8, 16},   {5, 9, 17},  {6, 15, 31}, {7, 16, 32},
      {11, 17, 64}, {12, 31, 65}, {13, 32, 255}, {14, 33, 256}, {25, 63, 257}, {37, 70, 300},
  };
  for EACH(s, sizes)
    for (int turned = 0; turned < 4; turned++) {
      const ptrdiff_t rows = sizes[s][0], columns = sizes[s][1], depth = sizes[s][2];
      const ptrdiff_t a_row = turned & 1 ? 1 : depth, a_column = turned & 1 ? rows : 1;
      const ptrdiff_t b_row = turned & 2 ? 1 : columns, b_column = turned & 2 ? depth : 1;
      const ptrdiff_t c_row = columns + (s % 2 ? 4 : 0), count = (rows - 1) * c_row + columns;
      const int has_beta = (s + turned) % 2 == 0;
      const long m = (long)rows, n = (long)columns, k = (long)depth;
      const float *a = some_floats(rows * depth, 1), *b = some_floats(depth * columns, 1);
      float *c = has_beta ? some_floats(count, 1) : floats(count);
      rk_gemm_f32(
          rows, columns, depth, 0.9f, a, a_row, a_column, b, b_row, b_column, has_beta ? 0.3f : 0, c,
          c_row);
      record(NEAR, c, count, 0, "rk_gemm_f32 %ldx%ldx%ld turned %d", m, n, k, turned);
      const double *x = some_doubles(rows * depth, 1), *y = some_doubles(depth * columns, 1);
      double *z = has_beta ? some_doubles(count, 1) : doubles(count);
      rk_gemm_f64(
          rows, columns, depth, 0.9, x, a_row, a_column, y, b_row, b_column, has_beta ? 0.3 : 0, z,
          c_row);
      record(NEAR_DOUBLES, z, count, 0, "rk_gemm_f64 %ldx%ldx%ld turned %d", m, n, k, turned);
      release();
    }
}

// MARK: - Attention

void drive_attention(void) {
  static const ptrdiff_t sizes[][4] = {
      {1, 1, 8, 8},    {7, 13, 16, 20},  {9, 31, 15, 17}, {16, 32, 33, 31}, {17, 33, 32, 32},
      {50, 130, 32, 32}, {23, 257, 64, 48}, {3, 600, 9, 33}, {2, 5, 1, 1},    {6, 64, 7, 5},
  };
  for EACH(s, sizes)
    for (int masks = 0; masks < 4; masks++) {
      const ptrdiff_t queries = sizes[s][0], keys = sizes[s][1], size = sizes[s][2], values = sizes[s][3];
      const ptrdiff_t room = s % 2 ? 2 : 0, mask_column = masks == 3 ? 0 : 1;
      const rk_attention task = {
          keys, size, values, 0.25f, size + room, size, values + room, values + 2 * room,
          masks == 2 ? 0 : masks == 3 ? 1 : keys, mask_column};
      const float *query = some_floats((queries - 1) * task.query_row + size, 1);
      const float *key = some_floats((keys - 1) * task.key_row + size, 1);
      const float *value = some_floats((keys - 1) * task.value_row + values, 1);
      float *mask = some_floats((queries - 1) * task.mask_row + (keys - 1) * mask_column + 1, 2);
      const ptrdiff_t count = (queries - 1) * task.output_row + values;
      float *output = floats(count), *parts = floats(count);
      float *scratch = floats(rk_attention_scratch(&task));
      if (masks == 1) {
        for (ptrdiff_t i = 0; i < queries * keys; i++)
          if (mask[i] < -0.5f) mask[i] = -INFINITY;
        // One that may look at no key.
        for (ptrdiff_t i = 0; i < keys; i++) mask[queries / 2 * keys + i] = -INFINITY;
      }
      const float *given = masks ? mask : NULL;
      rk_attention_f32(&task, query, key, value, given, output, 0, queries, scratch);
      record(
          NEAR, output, count, 0, "rk_attention_f32 %ld queries, %ld keys, %ld, %ld, masks %d",
          (long)queries, (long)keys, (long)size, (long)values, masks);
      for (ptrdiff_t q = 0; q < queries; q += 5)
        rk_attention_f32(
            &task, query, key, value, given, parts, q, queries - q < 5 ? queries - q : 5, scratch);
      expect(memcmp(output, parts, (size_t)count * 4) == 0, "attention is the same in parts");
      release();
    }
}

// MARK: - bfloat16

/// A convolution of taps by taps over blocks of channels with its padding in memory, or with one tap a product.
static void bf16_product(
    ptrdiff_t inputs, ptrdiff_t outputs, ptrdiff_t height, ptrdiff_t width, ptrdiff_t taps, int kind,
    int mode) {
  const ptrdiff_t in_height = height + taps - 1, in_width = width + taps - 1;
  const ptrdiff_t in_blocks = (inputs + 15) / 16, out_blocks = (outputs + 15) / 16;
  const ptrdiff_t in_count = in_blocks * in_height * in_width * 16;
  const ptrdiff_t weight_count = out_blocks * in_blocks * taps * taps * 256;
  const float *wide = some_floats(in_count, 1);
  uint16_t *input = halves(in_count), *weights = halves(weight_count);
  rk_f32_to_bf16(wide, input, in_count);
  const float *plain = some_floats(outputs * inputs * taps * taps, 0.3f);
  rk_bf16_pack_weights(
      plain, inputs * taps * taps, taps * taps, 1, weights, outputs, inputs, taps * taps, 16);
  const long in = (long)inputs, out = (long)outputs;
  record(HALVES, weights, weight_count, 0, "rk_bf16_pack_weights %ld to %ld, %ld", in, out, (long)taps);
  // Pixels of one block side by side, or all blocks of a pixel.
  const int is_blocked = (mode & 4) == 0;
  const ptrdiff_t out_pixel = is_blocked ? 16 : outputs, out_row = width * out_pixel;
  const ptrdiff_t out_block = is_blocked ? height * out_row : 16;
  const ptrdiff_t count = is_blocked ? out_blocks * height * width * 16 : height * width * outputs;
  const float *bias = mode & 1 ? some_floats(out_blocks * 16, 1) : NULL;
  const float *residual = mode & 2 ? some_floats(count, 1) : NULL;
  float *output = floats(count);
  const rk_bf16_conv conv = {
      in_blocks, 8, taps, taps, in_height * in_width * 16, in_width * 16, 16, 16, in_width * 16, outputs,
      width, out_block, out_pixel, out_row, out_block, out_pixel, out_row, is_blocked,
      {{(vk_activation_kind)kind, 0.2f, 0.7f}, (mode & 8) != 0}};
  rk_bf16_conv_rows(&conv, input, weights, bias, residual, output, 0, 1, 0, height);
  rk_bf16_conv_rows(&conv, input, weights, bias, residual, output, 1, out_blocks - 1, 0, 1);
  rk_bf16_conv_rows(&conv, input, weights, bias, residual, output, 1, out_blocks - 1, 1, height - 1);
  // A product of two bfloat16 numbers is a float32, so that it does not matter if it is rounded.
  record(
      kind <= VK_LEAKY_RELU ? EXACT : NEAR, output, count, 0,
      "rk_bf16_conv_rows %ld to %ld, %ldx%ld, %ld taps, kind %d, mode %d", in, out, (long)height,
      (long)width, (long)taps, kind, mode);
  release();
}

void drive_bf16(void) {
  for (int width = 1; width <= 30; width++)
    bf16_product(5 + width * 3 % 40, 3 + width * 7 % 70, 2, width, 1, width % 2, width % 16);
  for (int kind = 0; kind <= VK_SCALED_SILU; kind++)
    bf16_product(20 + kind, 33, 4, 5 + kind, 3, kind, (kind + 3) % 16);
}
