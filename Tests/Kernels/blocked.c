// Convolution on channel blocks and its companions (blocked.c).

#include "drive.h"

static ptrdiff_t blocks_of(ptrdiff_t channels) { return (channels + 15) / 16; }

/// A convolution and the sizes that it follows from.
typedef struct blocked_case {
  ptrdiff_t inputs, outputs, height, width, kernel, stride, dilation;
  int is_precise;
  /// Floats from a pixel of the output to the next, over 16.
  ptrdiff_t step;
} blocked_case;

static ptrdiff_t padding_of(const blocked_case *k) { return (k->kernel - 1) * k->dilation / 2; }

static rk_blocked_conv conv_of(const blocked_case *k) {
  const ptrdiff_t pad = padding_of(k), reach = (k->kernel - 1) * k->dilation + 1;
  const ptrdiff_t in_height = k->height + 2 * pad, in_width = k->width + 2 * pad;
  const ptrdiff_t out_height = (in_height - reach) / k->stride + 1;
  const ptrdiff_t out_width = (in_width - reach) / k->stride + 1;
  const ptrdiff_t out_row = out_width * 16 * k->step;
  return (rk_blocked_conv){
      .input_blocks = blocks_of(k->inputs),
      .output_blocks = blocks_of(k->outputs),
      .last_input_depth = (k->inputs - 1) % 16 + 1,
      .input = {in_height * in_width * 16, in_width * 16},
      .output = {out_height * out_row, out_row},
      .residual = {out_height * out_width * 16, out_width * 16},
      .output_step = 16 * k->step,
      .out_height = out_height,
      .out_width = out_width,
      .kernel_height = k->kernel,
      .kernel_width = k->kernel,
      .stride_y = k->stride,
      .stride_x = k->stride,
      .dilation_y = k->dilation,
      .dilation_x = k->dilation,
      .is_precise = k->is_precise};
}

/// An input with zeros for its padding and for channels that there are not.
static float *padded_input(const blocked_case *k) {
  const ptrdiff_t pad = padding_of(k), in_width = k->width + 2 * pad, in_height = k->height + 2 * pad;
  const ptrdiff_t count = blocks_of(k->inputs) * in_height * in_width * 16;
  float *input = floats(count);
  memset(input, 0, (size_t)count * 4);
  for (ptrdiff_t c = 0; c < k->inputs; c++)
    for (ptrdiff_t y = pad; y < pad + k->height; y++)
      for (ptrdiff_t x = pad; x < pad + k->width; x++)
        input[((c / 16 * in_height + y) * in_width + x) * 16 + c % 16] = draw_float(1);
  return input;
}

static float *packed_weights(const blocked_case *k) {
  const ptrdiff_t taps = k->kernel * k->kernel;
  const ptrdiff_t count = blocks_of(k->inputs) * blocks_of(k->outputs) * taps * 256;
  const float *plain = some_floats(k->outputs * k->inputs * taps, 1.0f / sqrtf((float)(k->inputs * taps)));
  float *packed = floats(count);
  rk_pack_conv_weights_f32(plain, packed, k->outputs, k->inputs, taps);
  record(
      EXACT, packed, count, 0, "rk_pack_conv_weights_f32 %ld to %ld, %ld taps", (long)k->inputs,
      (long)k->outputs, (long)taps);
  return packed;
}

/// All that is written: between the pixels there may be others, which stay.
static ptrdiff_t output_count(const rk_blocked_conv *c) {
  return c->output_blocks * c->out_height * c->out_width * c->output_step - (c->output_step - 16);
}

static void convolve(const blocked_case *k, int kind, int mode) {
  rk_blocked_conv c = conv_of(k);
  const ptrdiff_t pad = padding_of(k), blocks = c.output_blocks, count = output_count(&c);
  const float *input = padded_input(k), *weights = packed_weights(k);
  const float *bias = mode & 1 ? some_floats(blocks * 16, 1) : NULL;
  const float *residual =
      mode & 2 ? some_floats(blocks * c.out_height * c.out_width * 16, 1) : NULL;
  c.finish = (vk_finish){{(vk_activation_kind)kind, 0.2f, 0.7f}, (mode & 4) != 0};
  if (mode & 8) c.edges = (rk_blocked_edges){k->height, k->width, pad, pad};
  float *output = floats(count), *parts = floats(count);
  rk_blocked_conv_f32(&c, input, weights, bias, residual, output, 0, blocks, 0, c.out_height);
  record(
      NEAR, output, count, 0,
      "rk_blocked_conv_f32 %ld to %ld of %ldx%ld, kernel %ld, stride %ld, dilation %ld, precise %d, kind "
      "%d, mode %d",
      (long)k->inputs, (long)k->outputs, (long)k->height, (long)k->width, (long)k->kernel,
      (long)k->stride, (long)k->dilation, k->is_precise, kind, mode);
  const ptrdiff_t first = c.out_height / 3;
  for (ptrdiff_t b = 0; b < blocks; b++) {
    rk_blocked_conv_f32(&c, input, weights, bias, residual, parts, b, 1, 0, first);
    rk_blocked_conv_f32(&c, input, weights, bias, residual, parts, b, 1, first, c.out_height - first);
  }
  expect(
      memcmp(output, parts, (size_t)count * 4) == 0, "a convolution of %ld to %ld is the same in parts",
      (long)k->inputs, (long)k->outputs);
  release();
}

void drive_blocked(void) {
  static const blocked_case cases[] = {
      {16, 16, 5, 5, 1, 1, 1, 0, 1},  {3, 16, 9, 11, 3, 1, 1, 1, 1},  {20, 40, 8, 13, 3, 1, 1, 0, 1},
      {32, 64, 7, 7, 1, 1, 1, 0, 2},  {40, 80, 12, 9, 3, 2, 1, 0, 1}, {16, 33, 10, 10, 3, 1, 2, 1, 1},
      {48, 96, 4, 15, 5, 1, 1, 0, 1}, {16, 96, 3, 41, 1, 2, 1, 0, 1}, {33, 17, 4, 6, 3, 1, 1, 1, 2},
      {1, 1, 1, 1, 1, 1, 1, 0, 1},    {70, 130, 2, 9, 1, 1, 1, 1, 1}, {17, 50, 6, 29, 3, 1, 1, 0, 3},
  };
  for EACH(s, cases)
    for (int mode = 0; mode < 3; mode++) convolve(cases + s, mode * 5 % 3, (int)(s * 3 + mode * 5) % 16);
  for (ptrdiff_t width = 1; width <= 30; width++) {
    const blocked_case pixel = {9 + width, 16 * (1 + width % 5), 1, width, 1, 1, 1, width % 3 == 0, 1};
    convolve(&pixel, 0, (int)width % 16);
    const blocked_case window = {5 + width % 13, 16 * (1 + width % 4), 3, width, 3, 1, 1, width % 2, 1};
    convolve(&window, 1, (int)(width + 5) % 16);
  }
  for (int kind = 0; kind <= VK_SCALED_SILU; kind++) convolve(cases + 2, kind, 1 + kind);
  // So long a row that an activation takes several turns.
  static const blocked_case row = {20, 48, 1, 601, 1, 1, 1, 0, 1};
  for (int kind = 0; kind <= VK_SCALED_SILU; kind += 5) convolve(&row, kind, kind % 8);
}

// MARK: - Depthwise

/// A depthwise convolution of an image without padding in memory gives the bits of one with it.
static void bare_depthwise(
    ptrdiff_t height, ptrdiff_t width, ptrdiff_t kernel, ptrdiff_t stride, const ptrdiff_t pads[4], int kind) {
  enum { blocks = 2 };
  const ptrdiff_t rows = height + pads[0] + pads[2], columns = width + pads[1] + pads[3];
  if (rows < kernel || columns < kernel) return;
  rk_blocked_conv c = {
      .input_blocks = blocks, .output_blocks = blocks, .last_input_depth = 16, .output_step = 16,
      .input = {rows * columns * 16, columns * 16}, .out_height = (rows - kernel) / stride + 1,
      .out_width = (columns - kernel) / stride + 1, .kernel_height = kernel, .kernel_width = kernel,
      .stride_y = stride, .stride_x = stride, .dilation_y = 1, .dilation_x = 1,
      .finish = {.activation = {(vk_activation_kind)kind, 0.2f, 0.7f}}};
  c.output = (rk_blocked_layout){c.out_height * c.out_width * 16, c.out_width * 16};
  const float *image = some_floats(blocks * height * width * 16, 1);
  const float *weights = some_floats(blocks * kernel * kernel * 16, 0.5f);
  const float *bias = kind % 2 ? some_floats(blocks * 16, 1) : NULL;
  float *padded = floats(blocks * rows * columns * 16);
  memset(padded, 0, (size_t)(blocks * rows * columns * 16) * 4);
  for (ptrdiff_t b = 0; b < blocks; b++)
    for (ptrdiff_t y = 0; y < height; y++)
      memcpy(
          padded + ((b * rows + y + pads[0]) * columns + pads[1]) * 16, image + (b * height + y) * width * 16,
          (size_t)width * 64);
  float *output = floats(output_count(&c)), *expected = floats(output_count(&c));
  for (ptrdiff_t b = 0; b < blocks; b++)
    rk_blocked_depthwise_f32(&c, padded, weights, bias, expected, b, 0, c.out_height);
  c.input = (rk_blocked_layout){height * width * 16, width * 16};
  c.edges = (rk_blocked_edges){height, width, pads[0], pads[1]};
  // The first tap of the first output, which lies outside of the image.
  const float *first = image - (pads[0] * width + pads[1]) * 16;
  for (ptrdiff_t b = 0; b < blocks; b++) {
    rk_blocked_depthwise_f32(&c, first, weights, bias, output, b, 0, c.out_height / 2);
    rk_blocked_depthwise_f32(
        &c, first, weights, bias, output, b, c.out_height / 2, c.out_height - c.out_height / 2);
  }
  expect(
      memcmp(output, expected, (size_t)output_count(&c) * 4) == 0,
      "a depthwise convolution of %ldx%ld, kernel %ld, stride %ld, pads %ld %ld %ld %ld needs no padding",
      (long)height, (long)width, (long)kernel, (long)stride, (long)pads[0], (long)pads[1], (long)pads[2],
      (long)pads[3]);
  record(
      NEAR, output, output_count(&c), 0, "rk_blocked_depthwise_f32 bare %ldx%ld, kernel %ld, stride %ld, kind %d",
      (long)height, (long)width, (long)kernel, (long)stride, kind);
  release();
}

static void bare_depthwises(void) {
  static const ptrdiff_t windows[][2] = {{3, 1}, {3, 2}, {5, 1}, {5, 2}, {7, 1}};
  for EACH(s, windows) {
    const ptrdiff_t kernel = windows[s][0], half = kernel / 2;
    expect(rk_depthwise_is_bare(kernel, kernel, windows[s][1], 1), "such a window needs no padding");
    for (ptrdiff_t width = 1; width <= 21; width++) {
      const ptrdiff_t even[4] = {half, half, half, half}, later[4] = {0, 0, half, half}, sooner[4] = {half, 1, 0, half};
      const ptrdiff_t *const pads[] = {even, later, sooner};
      for EACH(i, pads)
        bare_depthwise(1 + (width * 5 + (ptrdiff_t)i) % 9, width, kernel, windows[s][1], pads[i], (int)(width + 7 * i) % 16);
    }
  }
}

void drive_blocked_others(void) {
  bare_depthwises();
  static const ptrdiff_t cases[][5] = {
      // height, width, kernel, stride, whether precise
      {9, 9, 3, 1, 0}, {12, 20, 3, 2, 0}, {11, 17, 5, 1, 0}, {10, 10, 5, 2, 1}, {8, 3, 3, 1, 0},
      {14, 6, 7, 1, 0}, {5, 31, 3, 1, 1},  {6, 28, 5, 2, 0},  {1, 1, 1, 1, 0},   {6, 9, 2, 1, 0},
      {7, 32, 3, 3, 0}, {9, 40, 5, 1, 0},
  };
  for EACH(s, cases)
    for (int kind = (int)s % 3; kind <= VK_SCALED_SILU; kind += 3) {
      const ptrdiff_t kernel = cases[s][2], taps = kernel * kernel;
      const blocked_case k = {
          32, 32, cases[s][0], cases[s][1], kernel, cases[s][3], 1 + s % 2, (int)cases[s][4], 1};
      rk_blocked_conv c = conv_of(&k);
      c.finish.activation = (vk_activation){(vk_activation_kind)kind, 0.2f, 0.7f};
      const float *input = padded_input(&k), *weights = some_floats(2 * taps * 16, 0.5f);
      const float *bias = kind % 2 ? some_floats(32, 1) : NULL;
      float *output = floats(output_count(&c));
      for (ptrdiff_t block = 0; block < 2; block++) {
        rk_blocked_depthwise_f32(&c, input, weights, bias, output, block, 0, 1);
        rk_blocked_depthwise_f32(&c, input, weights, bias, output, block, 1, c.out_height - 1);
      }
      record(
          NEAR, output, output_count(&c), 0, "rk_blocked_depthwise_f32 case %ld, kind %d", (long)s, kind);
      release();
    }
}

// MARK: - From planes

static void from_planes(
    ptrdiff_t channels, ptrdiff_t outputs, ptrdiff_t height, ptrdiff_t width, ptrdiff_t kernel,
    ptrdiff_t stride, ptrdiff_t pad, int kind) {
  const ptrdiff_t taps = channels * kernel * kernel, blocks = blocks_of(outputs);
  // Taps that do not lie side by side, now and then.
  const ptrdiff_t dilation = kernel == 3 && width % 5 == 4 ? 2 : 1;
  const ptrdiff_t reach = (kernel - 1) * dilation + 1;
  rk_blocked_conv c = {
      .output_blocks = blocks,
      .output_step = 16,
      .out_height = (height + 2 * pad - reach) / stride + 1,
      .out_width = (width + 2 * pad - reach) / stride + 1,
      .kernel_height = kernel,
      .kernel_width = kernel,
      .stride_y = stride,
      .stride_x = stride,
      .dilation_y = dilation,
      .dilation_x = dilation,
      .finish = {{(vk_activation_kind)kind, 0.2f, 0.7f}, 0}};
  c.output = (rk_blocked_layout){c.out_height * c.out_width * 16, c.out_width * 16};
  const rk_planar_input planes = {channels, height, width, pad, pad};
  const float *input = some_floats(channels * height * width, 1);
  const float *plain = some_floats(outputs * taps, 1.0f / sqrtf((float)taps));
  const float *bias = some_floats(blocks * 16, 1);
  float *packed = floats(blocks * 16 * taps), *output = floats(output_count(&c));
  rk_pack_planar_weights_f32(plain, packed, outputs, taps);
  record(
      EXACT, packed, blocks * 16 * taps, 0, "rk_pack_planar_weights_f32 %ld, %ld", (long)outputs, (long)taps);
  const ptrdiff_t together = 1 + width % 4;
  float *scratch = floats(rk_planar_scratch(&c, channels, together));
  for (ptrdiff_t row = 0; row < c.out_height; row += together)
    rk_planar_conv_f32(
        &c, &planes, input, packed, bias, output, row,
        c.out_height - row < together ? c.out_height - row : together, scratch);
  record(
      NEAR, output, output_count(&c), 0,
      "rk_planar_conv_f32 %ld to %ld of %ldx%ld, kernel %ld, dilation %ld, stride %ld, padding %ld, kind %d",
      (long)channels, (long)outputs, (long)height, (long)width, (long)kernel, (long)dilation, (long)stride,
      (long)pad, kind);
  release();
}

void drive_planar(void) {
  for (ptrdiff_t width = 1; width <= 45; width++) {
    from_planes(3, width % 3 ? 16 : 40, 5, width, 3, 1 + width % 3, 1, VK_RELU);
    const ptrdiff_t kernel = 1 + width % 7, pad = kernel / 2 + width % 2;
    from_planes(
        1 + width % 5, 1 + width * 7 % 66, 4, width + 6, kernel, 1 + width % 2, pad, VK_IDENTITY);
  }
  for (int kind = 0; kind <= VK_SCALED_SILU; kind++) from_planes(3, 33, 9, 17, 7, 2, 3, kind);
}

// MARK: - Winograd

static void winograd(const blocked_case *k, int kind, int mode) {
  rk_blocked_conv c = conv_of(k);
  c.finish = (vk_finish){{(vk_activation_kind)kind, 0.2f, 0.7f}, (mode & 4) != 0};
  const ptrdiff_t ins = c.input_blocks, outs = c.output_blocks, pairs = (outs + 1) / 2;
  const ptrdiff_t tiles = (c.out_height + 3) / 4 * ((c.out_width + 3) / 4);
  const ptrdiff_t plane = rk_winograd_plane(ins, tiles), stride = rk_winograd_weights_stride(ins);
  const float *input = padded_input(k), *weights = packed_weights(k);
  const float *bias = mode & 1 ? some_floats(outs * 16, 1) : NULL;
  const float *residual =
      mode & 2 ? some_floats(outs * c.out_height * c.out_width * 16, 1) : NULL;
  float *turned = floats(pairs * stride), *patches = floats(36 * plane);
  float *scratch = floats(36 * rk_winograd_plane(2, tiles)), *output = floats(output_count(&c));
  // What is left free between the 36 is the same everywhere then.
  memset(turned, 0, (size_t)(pairs * stride) * 4);
  memset(patches, 0, (size_t)(36 * plane) * 4);
  const long in = (long)k->inputs, out = (long)k->outputs, height = (long)k->height, width = (long)k->width;
  for (ptrdiff_t pair = 0; pair < pairs; pair++)
    rk_winograd_weights_f32(weights, turned + pair * stride, outs, ins, pair, 1);
  record(NEAR, turned, pairs * stride, 0, "rk_winograd_weights_f32 %ld to %ld", in, out);
  rk_winograd_transform_f32(&c, input, patches, plane, 0, tiles, tiles, 0, 1);
  rk_winograd_transform_f32(&c, input, patches, plane, 0, tiles, tiles, 1, ins - 1);
  record(NEAR, patches, 36 * plane, 0, "rk_winograd_transform_f32 %ld of %ldx%ld", in, height, width);
  // The image alone gives the same.
  const ptrdiff_t row = k->width * 16, padded_row = (k->width + 2) * 16;
  float *image = floats(ins * k->height * row), *others = floats(36 * plane);
  memset(others, 0, (size_t)(36 * plane) * 4);
  for (ptrdiff_t b = 0; b < ins; b++)
    for (ptrdiff_t y = 0; y < k->height; y++)
      memcpy(
          image + (b * k->height + y) * row, input + (b * (k->height + 2) + y + 1) * padded_row + 16, (size_t)row * 4);
  rk_blocked_conv bare = c;
  bare.input = (rk_blocked_layout){k->height * row, row};
  bare.edges = (rk_blocked_edges){k->height, k->width, 1, 1};
  rk_winograd_transform_f32(&bare, image - row - 16, others, plane, 0, tiles, tiles, 0, ins);
  expect(
      memcmp(others, patches, (size_t)(36 * plane) * 4) == 0, "patches of %ldx%ld need no padding", height, width);
  rk_winograd_f32(
      &c, patches, plane, tiles, turned, bias, residual, output, 0, pairs, 0, tiles, scratch);
  record(
      NEAR, output, output_count(&c), 0, "rk_winograd_f32 %ld to %ld of %ldx%ld, kind %d, mode %d", in, out,
      height, width, kind, mode);
  float *fresh = floats(output_count(&c));
  rk_winograd_fresh_f32(
      &c, patches, plane, tiles, weights, bias, residual, fresh, 0, pairs, 0, tiles,
      floats(rk_winograd_fresh_scratch(tiles)));
  record(
      NEAR, fresh, output_count(&c), 0, "rk_winograd_fresh_f32 %ld to %ld of %ldx%ld, kind %d, mode %d", in, out,
      height, width, kind, mode);
  release();
}

void drive_winograd(void) {
  for (ptrdiff_t width = 1; width <= 33; width += width < 9 ? 1 : 4) {
    const blocked_case k = {
        1 + width * 5 % 40, 1 + width * 11 % 70, 1 + width * 3 % 11, width, 3, 1, 1, 0, 1};
    winograd(&k, (int)width % 2, (int)width % 8);
  }
  const blocked_case wide = {20, 40, 8, 61, 3, 1, 1, 0, 1}, usual = {20, 40, 8, 13, 3, 1, 1, 0, 1};
  winograd(&wide, VK_SILU, 3);
  for (int kind = 0; kind <= VK_SCALED_SILU; kind++) winograd(&usual, kind, kind % 8);
}
