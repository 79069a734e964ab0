#define VK_BODY "sums_body.h"
#include "levels.h"

VK_DISPATCH_RETURNING(
    double, vk_dot_f32_f32, (const float *a, const float *b, ptrdiff_t count), (a, b, count))
VK_DISPATCH_RETURNING(
    double, vk_dot_f32_f64, (const float *a, const double *b, ptrdiff_t count), (a, b, count))
VK_DISPATCH_RETURNING(
    double, vk_dot_f64_f64, (const double *a, const double *b, ptrdiff_t count), (a, b, count))
VK_DISPATCH(
    vk_add_scaled_f32_f64, (double scale, const float *x, double *sum, ptrdiff_t count),
    (scale, x, sum, count))
VK_DISPATCH(
    vk_add_scaled_f64_f64, (double scale, const double *x, double *sum, ptrdiff_t count),
    (scale, x, sum, count))
