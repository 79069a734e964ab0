#include "RunnerKernels.h"
#include "tiling.h"

/// For windows so large that no tile fits: value by value.
static void rk_depthwise_plain(
    const float *input, const float *weights, const float *bias, float *output, ptrdiff_t channels,
    ptrdiff_t multiplier, const rk_window *w, vk_activation activation) {
  for (ptrdiff_t c = 0; c < channels; c++) {
    const float *plane = input + c / multiplier * w->in_height * w->in_width;
    const float *kernel = weights + c * w->kernel_height * w->kernel_width;
    float *to = output + c * w->out_height * w->out_width;
    for (ptrdiff_t oy = 0; oy < w->out_height; oy++)
      for (ptrdiff_t ox = 0; ox < w->out_width; ox++) {
        float sum = bias ? bias[c] : 0;
        for (ptrdiff_t ky = 0; ky < w->kernel_height; ky++) {
          ptrdiff_t iy = oy * w->stride_y - w->pad_top + ky * w->dilation_y;
          if (iy < 0 || iy >= w->in_height) continue;
          for (ptrdiff_t kx = 0; kx < w->kernel_width; kx++) {
            ptrdiff_t ix = ox * w->stride_x - w->pad_left + kx * w->dilation_x;
            if (ix < 0 || ix >= w->in_width) continue;
            sum += plane[iy * w->in_width + ix] * kernel[ky * w->kernel_width + kx];
          }
        }
        to[oy * w->out_width + ox] = sum;
      }
    rk_activate_f32(to, to, w->out_height * w->out_width, activation);
  }
}

#define VK_BODY "depthwise_body.h"
#include "levels.h"

VK_DISPATCH(
    rk_depthwise_f32,
    (const float *input, const float *weights, const float *bias, float *output, ptrdiff_t channels,
     ptrdiff_t multiplier, const rk_window *window, vk_activation activation),
    (input, weights, bias, output, channels, multiplier, window, activation))
