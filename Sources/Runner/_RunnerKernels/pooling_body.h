// Pooling, separably: along rows first, then along columns. See dispatch.h and tiling.h.

#include "tiling_body.h"

VK_INLINE void VK(pool)(
    const float *input, float *output, ptrdiff_t channels, const rk_window *w, const rk_tiling *t,
    int is_max, int count_padding) {
  float tile[RK_SCRATCH];
  // How many taps count along a row, for the columns from `counted` on.
  float wide[RK_SCRATCH];
  ptrdiff_t counted = -1;
  ptrdiff_t in_plane = w->in_height * w->in_width, out_plane = w->out_height * w->out_width;
  for (ptrdiff_t c = 0; c < channels; c++) {
    const float *plane = input + c * in_plane;
    for (ptrdiff_t oy = 0; oy < w->out_height; oy += t->rows) {
      ptrdiff_t rows = w->out_height - oy < t->rows ? w->out_height - oy : t->rows;
      ptrdiff_t in_rows = (rows - 1) * w->stride_y + (w->kernel_height - 1) * w->dilation_y + 1;
      // Reduced rows follow the tile in the same scratch area.
      float *reduced = tile + in_rows * t->pitch;
      for (ptrdiff_t ox = 0; ox < w->out_width; ox += t->columns) {
        ptrdiff_t columns = w->out_width - ox < t->columns ? w->out_width - ox : t->columns;
        VK(fill_tile)(plane, w, t, oy, ox, in_rows, is_max ? -__builtin_inff() : 0, tile);
        if (!is_max && counted != ox) {
          counted = ox;
          for (ptrdiff_t i = 0; i < t->padded_columns; i++)
            wide[i] = rk_pool_count(
                ox + i, w->stride_x, w->kernel_width, w->dilation_x, w->pad_left, w->pad_right,
                w->in_width, count_padding);
        }
        for (ptrdiff_t r = 0; r < in_rows; r++) {
          const float *row = tile + r * t->pitch;
          float *to = reduced + r * t->padded_columns;
          for (ptrdiff_t x = 0; x < columns; x += VK_WIDTH) {
            vf value = v_load(row + x);
            for (ptrdiff_t kx = 1; kx < w->kernel_width; kx++) {
              ptrdiff_t column = kx * w->dilation_x;
              vf other = v_load(row + x + column % w->stride_x * t->phase + column / w->stride_x);
              value = is_max ? v_nan_max(value, other) : value + other;
            }
            v_store(to + x, value);
          }
        }
        for (ptrdiff_t r = 0; r < rows; r++) {
          const float *top = reduced + r * w->stride_y * t->padded_columns;
          float *to = output + c * out_plane + (oy + r) * w->out_width + ox;
          float tall = is_max ? 0
                              : rk_pool_count(
                                    oy + r, w->stride_y, w->kernel_height, w->dilation_y,
                                    w->pad_top, w->pad_bottom, w->in_height, count_padding);
          for (ptrdiff_t x = 0; x < columns; x += VK_WIDTH) {
            vf value = v_load(top + x);
            for (ptrdiff_t ky = 1; ky < w->kernel_height; ky++) {
              vf other = v_load(top + ky * w->dilation_y * t->padded_columns + x);
              value = is_max ? v_nan_max(value, other) : value + other;
            }
            if (!is_max) {
              vf count = v_load(wide + x) * tall;
              value = value / (count > 0.0f ? count : (vf)1.0f);
            }
            v_store_some(to + x, value, columns - x);
          }
        }
      }
    }
  }
}

static void VK(rk_max_pool_f32)(
    const float *input, float *output, ptrdiff_t channels, const rk_window *w) {
  rk_tiling t = rk_tile(w, VK_WIDTH, 1);
  if (t.columns == 0)
    rk_pool_plain(input, output, channels, w, 1, 0);
  else
    VK(pool)(input, output, channels, w, &t, 1, 0);
}

static void VK(rk_average_pool_f32)(
    const float *input, float *output, ptrdiff_t channels, const rk_window *w, int count_padding) {
  rk_tiling t = rk_tile(w, VK_WIDTH, 1);
  if (t.columns == 0)
    rk_pool_plain(input, output, channels, w, 0, count_padding);
  else
    VK(pool)(input, output, channels, w, &t, 0, count_padding);
}
