#include "RunnerKernels.h"

#define VK_BODY "elementwise_body.h"
#include "levels.h"

VK_DISPATCH(
    rk_activate_f32, (const float *x, float *y, ptrdiff_t count, vk_activation activation),
    (x, y, count, activation))
VK_DISPATCH(
    rk_bias_activation_f32,
    (float *data, const float *bias, ptrdiff_t channels, ptrdiff_t pixels, ptrdiff_t plane_stride,
     vk_activation activation),
    (data, bias, channels, pixels, plane_stride, activation))
VK_DISPATCH(
    rk_bias_activation_rows_f32,
    (float *data, const float *bias, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t row_stride,
     vk_activation activation),
    (data, bias, rows, columns, row_stride, activation))

void rk_exp_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (vk_activation){VK_EXP, 0, 0});
}
void rk_sigmoid_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (vk_activation){VK_SIGMOID, 0, 0});
}
void rk_silu_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (vk_activation){VK_SILU, 0, 0});
}
void rk_tanh_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (vk_activation){VK_TANH, 0, 0});
}
void rk_erf_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (vk_activation){VK_ERF, 0, 0});
}
void rk_gelu_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (vk_activation){VK_GELU, 0, 0});
}
void rk_hard_swish_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (vk_activation){VK_HARD_SWISH, 0, 0});
}
void rk_hard_sigmoid_f32(const float *x, float *y, ptrdiff_t count, float alpha, float beta) {
  rk_activate_f32(x, y, count, (vk_activation){VK_HARD_SIGMOID, alpha, beta});
}
void rk_relu_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (vk_activation){VK_RELU, 0, 0});
}
void rk_leaky_relu_f32(const float *x, float *y, ptrdiff_t count, float alpha) {
  rk_activate_f32(x, y, count, (vk_activation){VK_LEAKY_RELU, alpha, 0});
}
void rk_clip_f32(const float *x, float *y, ptrdiff_t count, float low, float high) {
  rk_activate_f32(x, y, count, (vk_activation){VK_CLIP, low, high});
}
