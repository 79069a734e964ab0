#include "RunnerKernels.h"
#include "tiling.h"

/// How many taps of window `index` along one axis count for an average.
static inline float rk_pool_count(
    ptrdiff_t index, ptrdiff_t stride, ptrdiff_t kernel, ptrdiff_t dilation, ptrdiff_t pad_before,
    ptrdiff_t pad_after, ptrdiff_t size, int count_padding) {
  ptrdiff_t start = index * stride - pad_before;
  ptrdiff_t low = count_padding ? -pad_before : 0;
  ptrdiff_t high = count_padding ? size + pad_after : size;
  ptrdiff_t first = rk_first_inside(start - low, dilation, kernel);
  ptrdiff_t end = rk_first_outside(start, dilation, kernel, high);
  return end > first ? (float)(end - first) : 0;
}

/// For windows so large that no tile fits: value by value.
static void rk_pool_plain(
    const float *input, float *output, ptrdiff_t channels, const rk_window *w, int is_max,
    int count_padding) {
  for (ptrdiff_t c = 0; c < channels; c++) {
    const float *plane = input + c * w->in_height * w->in_width;
    for (ptrdiff_t oy = 0; oy < w->out_height; oy++)
      for (ptrdiff_t ox = 0; ox < w->out_width; ox++) {
        ptrdiff_t top = oy * w->stride_y - w->pad_top, left = ox * w->stride_x - w->pad_left;
        ptrdiff_t first_y = rk_first_inside(top, w->dilation_y, w->kernel_height);
        ptrdiff_t first_x = rk_first_inside(left, w->dilation_x, w->kernel_width);
        float best = -__builtin_inff();
        double sum = 0;
        for (ptrdiff_t ky = first_y; ky < w->kernel_height; ky++) {
          ptrdiff_t iy = top + ky * w->dilation_y;
          if (iy >= w->in_height) break;
          for (ptrdiff_t kx = first_x; kx < w->kernel_width; kx++) {
            ptrdiff_t ix = left + kx * w->dilation_x;
            if (ix >= w->in_width) break;
            float x = plane[iy * w->in_width + ix];
            sum += x;
            if (x > best || x != x) best = x;
          }
        }
        float count =
            rk_pool_count(
                oy, w->stride_y, w->kernel_height, w->dilation_y, w->pad_top, w->pad_bottom,
                w->in_height, count_padding) *
            rk_pool_count(
                ox, w->stride_x, w->kernel_width, w->dilation_x, w->pad_left, w->pad_right,
                w->in_width, count_padding);
        *output++ = is_max ? best : (float)(sum / (count > 0 ? count : 1));
      }
  }
}

#define VK_BODY "pooling_body.h"
#include "levels.h"

VK_DISPATCH(
    rk_max_pool_f32,
    (const float *input, float *output, ptrdiff_t channels, const rk_window *window),
    (input, output, channels, window))
VK_DISPATCH(
    rk_average_pool_f32,
    (const float *input, float *output, ptrdiff_t channels, const rk_window *window,
     int count_padding),
    (input, output, channels, window, count_padding))
