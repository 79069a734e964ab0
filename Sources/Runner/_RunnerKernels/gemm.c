#include "RunnerKernels.h"

#define VK_BODY "gemm_body.h"
#include "levels.h"

#define RK_DISPATCH_GEMM(name, scalar)                                                          \
  VK_DISPATCH(                                                                                  \
      name,                                                                                     \
      (ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t depth, scalar alpha, const scalar *a,       \
       ptrdiff_t a_row, ptrdiff_t a_column, const scalar *b, ptrdiff_t b_row,                   \
       ptrdiff_t b_column, scalar beta, scalar *c, ptrdiff_t c_row),                            \
      (rows, columns, depth, alpha, a, a_row, a_column, b, b_row, b_column, beta, c, c_row))
RK_DISPATCH_GEMM(rk_gemm_f32, float)
RK_DISPATCH_GEMM(rk_gemm_f64, double)
