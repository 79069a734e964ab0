#define VK_BODY "packed_gemm_body.h"
#include "levels.h"

ptrdiff_t vk_panel_count(ptrdiff_t columns) { return (columns + VK_PANEL - 1) / VK_PANEL; }

VK_DISPATCH(
    vk_packed_gemm_f32,
    (const vk_product *product, const float *a, const float *packed, const float *bias,
     const float *residual, float *c, ptrdiff_t first_row, ptrdiff_t row_count,
     ptrdiff_t first_panel, ptrdiff_t panel_count),
    (product, a, packed, bias, residual, c, first_row, row_count, first_panel, panel_count))
VK_DISPATCH(
    vk_pack_right_f32,
    (const float *b, ptrdiff_t b_row, ptrdiff_t b_column, ptrdiff_t depth, ptrdiff_t columns,
     float alpha, float *packed, ptrdiff_t first_panel, ptrdiff_t panel_count),
    (b, b_row, b_column, depth, columns, alpha, packed, first_panel, panel_count))
VK_DISPATCH(
    vk_pack_rows_f32,
    (const void *b, ptrdiff_t depth, ptrdiff_t columns, float alpha, float *packed),
    (b, depth, columns, alpha, packed))
