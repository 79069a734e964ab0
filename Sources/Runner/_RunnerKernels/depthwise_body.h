// Depthwise convolution. See dispatch.h and tiling.h.

#include "lanes.h"
#include "tile_sizes.h"
#include "tiling_body.h"

// The weight of a tap, in all lanes. If products take lanes, there are four in a vector, and those
// of a whole kernel stay in registers.
#undef RK_DW_WEIGHT
#if VK_HAS_LANES
#define RK_DW_WEIGHT(weights, tap) v_set((weights)[(tap) / 4][(tap) % 4])
#else
#define RK_DW_WEIGHT(weights, tap) (weights)[tap]
#endif

typedef struct VK(dw_target) {
  float *output;
  ptrdiff_t pitch;
  vf bias, low, high;
} VK(dw_target);

/// `rows` x `vectors` of output at column ox of a tile. All of kernel, stride, rows and vectors are
/// constants where this is inlined; each input vector is loaded once for all output rows it goes
/// to.
VK_INLINE void VK(dw_block)(
    const float *tile, const rk_tiling *t, const vf *weights, int kernel, int stride, int rows,
    int vectors, VK(dw_target) target, ptrdiff_t ox, ptrdiff_t columns) {
  vf sums[4 * RK_DW_VECTORS];
#pragma clang loop unroll(full)
  for (int s = 0; s < rows * vectors; s++) sums[s] = target.bias;
#pragma clang loop unroll(full)
  for (int i = 0; i < kernel + (rows - 1) * stride; i++) {
    const float *row = tile + i * t->pitch + ox;
#pragma clang loop unroll(full)
    for (int kx = 0; kx < kernel; kx++) {
      const float *tap = row + (kx % stride) * t->phase + kx / stride;
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; v++) {
        vf x = v_load(tap + v * VK_WIDTH);
#pragma clang loop unroll(full)
        for (int r = 0; r < rows; r++) {
          int ky = i - r * stride;
          if (ky >= 0 && ky < kernel)
            sums[r * vectors + v] =
                sums[r * vectors + v] + x * RK_DW_WEIGHT(weights, ky * kernel + kx);
        }
      }
#if VK_HAS_LANES
#pragma clang loop unroll(full)
      for (int s = 0; s < rows * vectors; s++) VK_FINISHED(sums[s]);
#endif
    }
  }
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; r++) {
    float *to = target.output + r * target.pitch + ox;
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++) {
      vf y = v_min(v_max(sums[r * vectors + v], target.low), target.high);
      if (vectors > 1)
        v_store(to + v * VK_WIDTH, y);
      else
        v_store_some(to, y, columns - ox);
    }
  }
}

/// A tile of `rows` x `columns`, for a square kernel and stride that are constants here.
VK_INLINE void VK(dw_tile)(
    const float *tile, const rk_tiling *t, const vf *spread, int kernel, int stride,
    VK(dw_target) target, ptrdiff_t rows, ptrdiff_t columns) {
#if VK_HAS_LANES
  vf weights[7];
#pragma clang loop unroll(full)
  for (int i = 0; i < (kernel * kernel + 3) / 4; i++) weights[i] = spread[i];
#else
  const vf *weights = spread;
#endif
  ptrdiff_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    ptrdiff_t x = 0;
#if RK_DW_VECTORS > 2
    for (; x + RK_DW_VECTORS * VK_WIDTH <= columns; x += RK_DW_VECTORS * VK_WIDTH)
      VK(dw_block)(tile, t, weights, kernel, stride, 4, RK_DW_VECTORS, target, x, columns);
#endif
    for (; x + 2 * VK_WIDTH <= columns; x += 2 * VK_WIDTH)
      VK(dw_block)(tile, t, weights, kernel, stride, 4, 2, target, x, columns);
    for (; x < columns; x += VK_WIDTH)
      VK(dw_block)(tile, t, weights, kernel, stride, 4, 1, target, x, columns);
    tile += 4 * stride * t->pitch;
    target.output += 4 * target.pitch;
  }
  for (; r < rows; r++) {
    ptrdiff_t x = 0;
    for (; x + 2 * VK_WIDTH <= columns; x += 2 * VK_WIDTH)
      VK(dw_block)(tile, t, weights, kernel, stride, 1, 2, target, x, columns);
    for (; x < columns; x += VK_WIDTH)
      VK(dw_block)(tile, t, weights, kernel, stride, 1, 1, target, x, columns);
    tile += stride * t->pitch;
    target.output += target.pitch;
  }
}

#undef RK_DW_TILE
#if VK_HAS_LANES
// Each is a function of its own, as clang finds better registers then. The copy of the tiling stays
// in registers over VK_FINISHED.
#define RK_DW_SHAPE(kernel, stride)                                                               \
  __attribute__((noinline)) static void VK(dw_tile_##kernel##_##stride)(                          \
      const float *tile, const rk_tiling *t, const vf *weights, VK(dw_target) target,             \
      ptrdiff_t rows, ptrdiff_t columns) {                                                        \
    const rk_tiling tiling = *t;                                                                  \
    VK(dw_tile)(tile, &tiling, weights, kernel, stride, target, rows, columns);                   \
  }
RK_DW_SHAPE(3, 1)
RK_DW_SHAPE(3, 2)
RK_DW_SHAPE(5, 1)
RK_DW_SHAPE(5, 2)
#undef RK_DW_SHAPE
#define RK_DW_TILE(kernel, stride) \
  VK(dw_tile_##kernel##_##stride)(tile, &t, spread, target, rows, columns)
#else
#define RK_DW_TILE(kernel, stride) \
  VK(dw_tile)(tile, &t, spread, kernel, stride, target, rows, columns)
#endif

/// A tile for any kernel, stride and dilation.
static void VK(dw_tile_any)(
    const float *tile, const rk_tiling *t, const float *weights, const rk_window *w,
    VK(dw_target) target, ptrdiff_t rows, ptrdiff_t columns) {
  for (ptrdiff_t r = 0; r < rows; r++) {
    float *to = target.output + r * target.pitch;
    for (ptrdiff_t x = 0; x < columns; x += 2 * VK_WIDTH) {
      // The second vector is left out where the tile ends with the first.
      int two = x + VK_WIDTH < columns;
      vf a = target.bias, b = target.bias;
      for (ptrdiff_t ky = 0; ky < w->kernel_height; ky++) {
        const float *row = tile + (r * w->stride_y + ky * w->dilation_y) * t->pitch + x;
        for (ptrdiff_t kx = 0; kx < w->kernel_width; kx++) {
          ptrdiff_t column = kx * w->dilation_x;
          const float *tap = row + column % w->stride_x * t->phase + column / w->stride_x;
          vf weight = v_set(weights[ky * w->kernel_width + kx]);
          a = a + v_load(tap) * weight;
          if (two) b = b + v_load(tap + VK_WIDTH) * weight;
        }
      }
      v_store_some(to + x, v_min(v_max(a, target.low), target.high), columns - x);
      if (two)
        v_store_some(
            to + x + VK_WIDTH, v_min(v_max(b, target.low), target.high), columns - x - VK_WIDTH);
    }
  }
}

static void VK(rk_depthwise_f32)(
    const float *input, const float *weights, const float *bias, float *output, ptrdiff_t channels,
    ptrdiff_t multiplier, const rk_window *w, vk_activation activation) {
  rk_tiling t = rk_tile(w, VK_WIDTH, 0);
  if (t.columns == 0) {
    rk_depthwise_plain(input, weights, bias, output, channels, multiplier, w, activation);
    return;
  }
  ptrdiff_t in_plane = w->in_height * w->in_width, out_plane = w->out_height * w->out_width;
  ptrdiff_t taps = w->kernel_height * w->kernel_width;
  int square = w->kernel_height == w->kernel_width && w->stride_y == w->stride_x &&
               w->dilation_y == 1 && w->dilation_x == 1;
  int special = !square || w->stride_x > 2 ? 0
                : w->kernel_width == 3     ? (w->stride_x == 1 ? 31 : 32)
                : w->kernel_width == 5     ? (w->stride_x == 1 ? 51 : 52)
                                           : 0;
  // The cheap activations are applied in registers, the others a tile later.
  float low = -__builtin_inff(), high = __builtin_inff();
  int later = 0;
  if (activation.kind == VK_RELU) low = 0;
  else if (activation.kind == VK_CLIP) low = activation.alpha, high = activation.beta;
  else later = activation.kind != VK_IDENTITY;

  float tile[RK_SCRATCH];
  for (ptrdiff_t c = 0; c < channels; c++) {
    const float *plane = input + c / multiplier * in_plane;
    const float *kernel = weights + c * taps;
    vf spread[VK_HAS_LANES ? 7 : 25];
    if (special)
#if VK_HAS_LANES
      for (ptrdiff_t i = 0; i < taps; i += 4) spread[i / 4] = v_load_some(kernel + i, taps - i);
#else
      for (ptrdiff_t i = 0; i < taps; i++) spread[i] = v_set(kernel[i]);
#endif
    VK(dw_target) target = {
        .pitch = w->out_width,
        .bias = v_set(bias ? bias[c] : 0),
        .low = v_set(low),
        .high = v_set(high),
    };
    for (ptrdiff_t oy = 0; oy < w->out_height; oy += t.rows) {
      ptrdiff_t rows = w->out_height - oy < t.rows ? w->out_height - oy : t.rows;
      ptrdiff_t in_rows =
          (rows - 1) * w->stride_y + (w->kernel_height - 1) * w->dilation_y + 1;
      for (ptrdiff_t ox = 0; ox < w->out_width; ox += t.columns) {
        ptrdiff_t columns = w->out_width - ox < t.columns ? w->out_width - ox : t.columns;
        VK(fill_tile)(plane, w, &t, oy, ox, in_rows, 0, tile);
        target.output = output + c * out_plane + oy * w->out_width + ox;
        switch (special) {
          case 31: RK_DW_TILE(3, 1); break;
          case 32: RK_DW_TILE(3, 2); break;
          case 51: RK_DW_TILE(5, 1); break;
          case 52: RK_DW_TILE(5, 2); break;
          default: VK(dw_tile_any)(tile, &t, kernel, w, target, rows, columns);
        }
        if (!later) continue;
        if (columns == w->out_width)
          rk_activate_f32(target.output, target.output, rows * columns, activation);
        else
          for (ptrdiff_t r = 0; r < rows; r++) {
            float *row = target.output + r * w->out_width;
            rk_activate_f32(row, row, columns, activation);
          }
      }
    }
  }
}
