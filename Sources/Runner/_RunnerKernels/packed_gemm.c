#include <math.h>

// Attention calls the products of its own level, so both are one family.
#define RK_BODY "packed_products.h"
#include "levels.h"

ptrdiff_t rk_panel_count(ptrdiff_t columns) { return (columns + RK_PANEL - 1) / RK_PANEL; }

ptrdiff_t rk_attention_scratch(const rk_attention *attention) {
  ptrdiff_t width = rk_panel_count(attention->value_size) * RK_PANEL;
  return RK_ATTENTION_KEYS * (attention->size + width) +
         RK_ATTENTION_ROWS * (RK_ATTENTION_SCORES + width);
}

RK_DISPATCH(
    rk_packed_gemm_f32,
    (const rk_product *product, const float *a, const float *packed, const float *bias,
     const float *residual, float *c, ptrdiff_t first_row, ptrdiff_t row_count,
     ptrdiff_t first_panel, ptrdiff_t panel_count),
    (product, a, packed, bias, residual, c, first_row, row_count, first_panel, panel_count))
RK_DISPATCH(
    rk_pack_right_f32,
    (const float *b, ptrdiff_t b_row, ptrdiff_t b_column, ptrdiff_t depth, ptrdiff_t columns,
     float alpha, float *packed, ptrdiff_t first_panel, ptrdiff_t panel_count),
    (b, b_row, b_column, depth, columns, alpha, packed, first_panel, panel_count))
RK_DISPATCH(
    rk_attention_f32,
    (const rk_attention *attention, const float *query, const float *key, const float *value,
     const float *mask, float *output, ptrdiff_t first_query, ptrdiff_t query_count,
     float *scratch),
    (attention, query, key, value, mask, output, first_query, query_count, scratch))
RK_DISPATCH(
    rk_pack_rows_f32,
    (const void *b, ptrdiff_t depth, ptrdiff_t columns, float alpha, float *packed),
    (b, depth, columns, alpha, packed))
