#define RK_BODY "movement_body.h"
#include "levels.h"

RK_DISPATCH(
    rk_upsample_nearest2_f32,
    (const float *input, float *output, ptrdiff_t channels, ptrdiff_t height, ptrdiff_t width),
    (input, output, channels, height, width))
RK_DISPATCH(
    rk_transpose_f32,
    (const float *input, float *output, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t input_stride,
     ptrdiff_t output_stride),
    (input, output, rows, columns, input_stride, output_stride))
RK_DISPATCH(
    rk_pixel_rows_f32,
    (const float *input, float *output, ptrdiff_t pixels, ptrdiff_t depth, ptrdiff_t output_step),
    (input, output, pixels, depth, output_step))
