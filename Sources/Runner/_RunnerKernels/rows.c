#include <math.h>

#include "RunnerKernels.h"

#define VK_BODY "rows_body.h"
#include "levels.h"

VK_DISPATCH_RETURNING(float, rk_sum_f32, (const float *x, ptrdiff_t count), (x, count))
VK_DISPATCH_RETURNING(float, rk_sum_of_squares_f32, (const float *x, ptrdiff_t count), (x, count))
VK_DISPATCH_RETURNING(
    float, rk_dot_f32, (const float *a, const float *b, ptrdiff_t count), (a, b, count))
VK_DISPATCH_RETURNING(
    float, rk_squared_distance_f32, (const float *x, float mean, ptrdiff_t count), (x, mean, count))
VK_DISPATCH_RETURNING(float, rk_max_f32, (const float *x, ptrdiff_t count), (x, count))
VK_DISPATCH_RETURNING(float, rk_min_f32, (const float *x, ptrdiff_t count), (x, count))
VK_DISPATCH(
    rk_axpy_f32, (float alpha, const float *x, float *y, ptrdiff_t count), (alpha, x, y, count))
VK_DISPATCH(
    rk_blend_f32,
    (float alpha, const float *a, float beta, const float *b, float *y, ptrdiff_t count),
    (alpha, a, beta, b, y, count))
VK_DISPATCH(
    rk_blend_places_f32,
    (const float *x, ptrdiff_t x_row, const int32_t *first, const int32_t *second,
     const float *alpha, const float *beta, float *y, ptrdiff_t rows, ptrdiff_t columns),
    (x, x_row, first, second, alpha, beta, y, rows, columns))
VK_DISPATCH(
    rk_weighted_rows_f32,
    (const float *x, ptrdiff_t x_row, const int32_t *places, const float *weights, ptrdiff_t count,
     float *y, ptrdiff_t columns),
    (x, x_row, places, weights, count, y, columns))
VK_DISPATCH(
    rk_softmax_f32, (const float *x, float *y, ptrdiff_t rows, ptrdiff_t columns),
    (x, y, rows, columns))
VK_DISPATCH(
    rk_log_softmax_f32, (const float *x, float *y, ptrdiff_t rows, ptrdiff_t columns),
    (x, y, rows, columns))
VK_DISPATCH(
    rk_layer_norm_f32,
    (const float *x, const float *scale, const float *bias, float *y, ptrdiff_t rows,
     ptrdiff_t columns, float epsilon, float *means, float *inverse_deviations),
    (x, scale, bias, y, rows, columns, epsilon, means, inverse_deviations))
