#define VK_BODY "transpose_body.h"
#include "levels.h"

VK_DISPATCH(
    vk_transpose_f32,
    (const float *input, float *output, ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t input_stride,
     ptrdiff_t output_stride),
    (input, output, rows, columns, input_stride, output_stride))
