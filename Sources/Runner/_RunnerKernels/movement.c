#include "RunnerKernels.h"

#define VK_BODY "movement_body.h"
#include "levels.h"

VK_DISPATCH(
    rk_upsample_nearest2_f32,
    (const float *input, float *output, ptrdiff_t channels, ptrdiff_t height, ptrdiff_t width),
    (input, output, channels, height, width))
VK_DISPATCH(
    rk_pixel_rows_f32,
    (const float *input, float *output, ptrdiff_t pixels, ptrdiff_t depth, ptrdiff_t output_step),
    (input, output, pixels, depth, output_step))
