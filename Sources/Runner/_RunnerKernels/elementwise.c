#define RK_BODY "elementwise_body.h"
#include "levels.h"

RK_DISPATCH(
    rk_activate_f32, (const float *x, float *y, ptrdiff_t count, rk_activation activation),
    (x, y, count, activation))
RK_DISPATCH(
    rk_bias_activation_f32,
    (float *data, const float *bias, ptrdiff_t channels, ptrdiff_t pixels, ptrdiff_t plane_stride,
     rk_activation activation),
    (data, bias, channels, pixels, plane_stride, activation))
RK_DISPATCH(
    rk_bias_activation_rows_f32,
    (float *data, const float *bias, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t row_stride,
     rk_activation activation),
    (data, bias, rows, columns, row_stride, activation))

void rk_exp_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (rk_activation){RK_EXP, 0, 0});
}
void rk_sigmoid_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (rk_activation){RK_SIGMOID, 0, 0});
}
void rk_silu_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (rk_activation){RK_SILU, 0, 0});
}
void rk_tanh_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (rk_activation){RK_TANH, 0, 0});
}
void rk_erf_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (rk_activation){RK_ERF, 0, 0});
}
void rk_gelu_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (rk_activation){RK_GELU, 0, 0});
}
void rk_hard_swish_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (rk_activation){RK_HARD_SWISH, 0, 0});
}
void rk_hard_sigmoid_f32(const float *x, float *y, ptrdiff_t count, float alpha, float beta) {
  rk_activate_f32(x, y, count, (rk_activation){RK_HARD_SIGMOID, alpha, beta});
}
void rk_relu_f32(const float *x, float *y, ptrdiff_t count) {
  rk_activate_f32(x, y, count, (rk_activation){RK_RELU, 0, 0});
}
void rk_leaky_relu_f32(const float *x, float *y, ptrdiff_t count, float alpha) {
  rk_activate_f32(x, y, count, (rk_activation){RK_LEAKY_RELU, alpha, 0});
}
void rk_clip_f32(const float *x, float *y, ptrdiff_t count, float low, float high) {
  rk_activate_f32(x, y, count, (rk_activation){RK_CLIP, low, high});
}
