#include "RunnerKernels.h"

#define VK_BODY "binary_body.h"
#include "levels.h"

VK_DISPATCH(
    rk_binary_rows_f32,
    (rk_binary_op op, const float *a, ptrdiff_t a_row, ptrdiff_t a_step, const float *b,
     ptrdiff_t b_row, ptrdiff_t b_step, float *y, ptrdiff_t rows, ptrdiff_t columns),
    (op, a, a_row, a_step, b, b_row, b_step, y, rows, columns))

VK_DISPATCH(
    rk_compare_f32,
    (rk_relation relation, const float *a, ptrdiff_t a_step, const float *b, ptrdiff_t b_step,
     uint8_t *y, ptrdiff_t count),
    (relation, a, a_step, b, b_step, y, count))

VK_DISPATCH(
    rk_compare_i64,
    (rk_relation relation, const int64_t *a, ptrdiff_t a_step, const int64_t *b, ptrdiff_t b_step,
     uint8_t *y, ptrdiff_t count),
    (relation, a, a_step, b, b_step, y, count))

void rk_binary_f32(
    rk_binary_op op, const float *a, ptrdiff_t a_step, const float *b, ptrdiff_t b_step, float *y,
    ptrdiff_t count) {
  rk_binary_rows_f32(op, a, 0, a_step, b, 0, b_step, y, 1, count);
}
