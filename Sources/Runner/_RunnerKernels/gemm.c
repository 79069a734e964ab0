#define RK_BODY "gemm_body.h"
#include "levels.h"

RK_DISPATCH(
    rk_gemm_f32,
    (ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t depth, float alpha, const float *a,
     ptrdiff_t a_row, ptrdiff_t a_column, const float *b, ptrdiff_t b_row, ptrdiff_t b_column,
     float beta, float *c, ptrdiff_t c_row),
    (rows, columns, depth, alpha, a, a_row, a_column, b, b_row, b_column, beta, c, c_row))
RK_DISPATCH(
    rk_gemm_f64,
    (ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t depth, double alpha, const double *a,
     ptrdiff_t a_row, ptrdiff_t a_column, const double *b, ptrdiff_t b_row, ptrdiff_t b_column,
     double beta, double *c, ptrdiff_t c_row),
    (rows, columns, depth, alpha, a, a_row, a_column, b, b_row, b_column, beta, c, c_row))
