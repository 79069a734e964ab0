// A count of zero or less does nothing: here no pointer may be touched.

#include "drive.h"

static void of_count(ptrdiff_t n) {
  float *p = floats(0);
  double *d = doubles(0);
  uint8_t *b = bytes(0);
  uint16_t *h = halves(0);
  int32_t *i = ints(0);
  const vk_activation plain = {VK_IDENTITY, 0, 0};
  const rk_q8_range range = {1, 0};
  rk_activate_f32(p, p, n, (vk_activation){VK_TANH, 0, 0});
  rk_binary_f32(RK_MUL, p, 1, p, 1, p, n);
  rk_compare_f32(RK_EQUAL, p, 1, p, 1, b, n);
  rk_compare_i64(RK_EQUAL, buffer(0), 1, buffer(0), 1, b, n);
  rk_blend_f32(1, p, 1, p, p, n);
  rk_axpy_f32(1, p, p, n);
  rk_f16_to_f32(h, p, n);
  rk_f32_to_f16(p, h, n);
  rk_bf16_to_f32(h, p, n);
  rk_f32_to_bf16(p, h, n);
  rk_f32_to_bf16_pairs(p, p, h, n);
  rk_q8_table(b, b, n, b);
  rk_q8_max(b, b, n);
  rk_quantize_f32(p, b, n, 1, 0, 0);
  rk_dequantize_f32(b, p, n, 1, 0, 0);
  rk_q8_binary(RK_ADD, b, 1, range, b, 1, range, b, range, n);
  rk_q8_column_sums(b, n, 8, i, 8);
  rk_q8_gather(b, 8, 1, b, 8, n, 8, 0);
  rk_q8_gather(b, 1, 8, b, 8, n, 8, 0);
  vk_add_scaled_f32_f64(1, p, d, n);
  vk_add_scaled_f64_f64(1, d, d, n);
  expect(
      vk_dot_f32_f32(p, p, n) == 0 && vk_dot_f32_f64(p, d, n) == 0 && vk_dot_f64_f64(d, d, n) == 0 &&
          rk_sum_f32(p, n) == 0 && rk_sum_of_squares_f32(p, n) == 0 && rk_dot_f32(p, p, n) == 0,
      "a sum of %ld values is 0", (long)n);
  expect(
      rk_max_f32(p, n) == -INFINITY && rk_min_f32(p, n) == INFINITY, "the extremes of %ld values", (long)n);
  rk_softmax_f32(p, p, n, 8);
  rk_log_softmax_f32(p, p, n, 8);
  rk_layer_norm_f32(p, p, p, p, n, 8, 1, p, p);
  rk_bias_activation_f32(p, p, n, 8, 8, plain);
  rk_bias_activation_rows_f32(p, p, n, 8, 8, plain);
  rk_binary_rows_f32(RK_ADD, p, 8, 1, p, 8, 1, p, n, 8);
  rk_blend_places_f32(p, 8, i, i, p, p, p, n, 8);
  vk_transpose_f32(p, p, n, 8, 8, 8);
  vk_transpose_f32(p, p, 8, n, 8, 8);
  rk_upsample_nearest2_f32(p, p, n, 8, 8);
  rk_pixel_rows_f32(p, p, n, 8, 8);
  rk_blocked_scale_f32(p, 16, p, p, 16, n, 1);
  rk_blocked_affine_f32(p, 16, p, p, p, 16, n, 1);
  rk_weighted_rows_f32(p, 8, i, p, 8, p, n);
  expect(rk_overlaps_f32(p, 0, n, copy((float[5]){0, 0, 1, 1, 1}, 20), 0.5f) == 0, "no box, no overlap");
}

static void products_of_count(ptrdiff_t n) {
  float *p = floats(0);
  double *d = doubles(0);
  uint8_t *b = bytes(0);
  uint16_t *h = halves(0);
  rk_gemm_f32(n, 8, 8, 1, p, 8, 1, p, 8, 1, 0, p, 8);
  rk_gemm_f32(8, n, 8, 1, p, 8, 1, p, 8, 1, 0, p, 8);
  rk_gemm_f32(8, 8, n, 1, p, 8, 1, p, 8, 1, 0, p, 8);
  rk_gemm_f64(n, 8, 8, 1, d, 8, 1, d, 8, 1, 0, d, 8);
  rk_gemm_f64(8, 8, n, 1, d, 8, 1, d, 8, 1, 0, d, 8);
  vk_pack_right_f32(p, 8, 1, 8, 8, 1, p, 0, n);
  vk_product product = {200, 9, 9, 1, 200, 200, {{VK_RELU, 0, 0}, 0}};
  vk_packed_gemm_f32(&product, p, p, p, p, p, 0, n, 0, 7);
  vk_packed_gemm_f32(&product, p, p, p, p, p, 0, 3, 0, n);
  product.depth = n;
  vk_packed_gemm_f32(&product, p, p, p, p, p, 0, 3, 0, 7);
  rk_attention attention = {5, 8, 8, 1, 8, 8, 8, 8, 5, 1};
  rk_attention_f32(&attention, p, p, p, p, p, 0, n, p);
  attention.keys = n;
  rk_attention_f32(&attention, p, p, p, p, p, 0, 2, p);
  const rk_window window = {4, 4, 4, 4, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0};
  const vk_activation plain = {VK_IDENTITY, 0, 0};
  const rk_blocked_layout layout = {256, 64};
  rk_depthwise_f32(p, p, p, p, n, 1, &window, plain);
  rk_im2col_f32(p, p, n, &window, 0, 4, 16);
  rk_im2col_f32(p, p, 1, &window, 0, n, 16);
  rk_max_pool_f32(p, p, n, &window);
  rk_average_pool_f32(p, p, n, &window, 0);
  rk_blocked_pool_f32(&window, p, layout, p, layout, 0, 0, n, 0, 0);
  const rk_blocked_conv conv = {
      1, 2, 16, layout, layout, layout, 16, 4, 4, 3, 3, 1, 1, 1, 1, {plain, 0}, 0, {0, 0, 0, 0}};
  const rk_planar_input planes = {1, 4, 4, 1, 1};
  rk_blocked_conv_f32(&conv, p, p, p, p, p, 0, n, 0, 4);
  rk_blocked_conv_f32(&conv, p, p, p, p, p, 0, 2, 0, n);
  rk_blocked_depthwise_f32(&conv, p, p, p, p, 0, 0, n);
  rk_planar_conv_f32(&conv, &planes, p, p, p, p, 0, n, p);
  rk_winograd_weights_f32(p, p, 2, 1, 0, n);
  rk_winograd_transform_f32(&conv, p, p, 16, 0, n, 1, 0, 1);
  rk_winograd_transform_f32(&conv, p, p, 16, 0, 1, 1, 0, n);
  rk_winograd_f32(&conv, p, 16, 1, p, p, p, p, 0, n, 0, 1, p);
  rk_winograd_f32(&conv, p, 16, 1, p, p, p, p, 0, 1, 0, n, p);
  const rk_q8_conv q8 = {4, 1, 1, 16, 16, 16, 64, 20, 4, 20, 80};
  const rk_q8_finish finish = {RK_Q8_INT32, ints(0), p, p, NULL, plain, 1, 0, 0, 255};
  rk_q8_conv_rows(&q8, b, (const int8_t *)b, &finish, b, 0, n, 0, 1);
  rk_q8_conv_rows(&q8, b, (const int8_t *)b, &finish, b, 0, 2, 0, n);
  rk_q8_depthwise_rows(&q8, b, p, 0, &finish, b, 0, n);
  const rk_bf16_conv bf16 = {1, 8, 1, 1, 0, 0, 0, 16, 64, 20, 4, 64, 16, 64, 64, 16, 64, 1, {plain, 0}};
  rk_bf16_conv_rows(&bf16, h, h, p, p, p, 0, n, 0, 1);
  rk_bf16_conv_rows(&bf16, h, h, p, p, p, 0, 2, 0, n);
}

void drive_nothing(void) {
  for (ptrdiff_t n = -1; n <= 0; n++) {
    of_count(n);
    products_of_count(n);
    release();
  }
}
