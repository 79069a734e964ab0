#include "RunnerKernels.h"

#define VK_BODY "narrow_body.h"
#include "levels.h"

VK_DISPATCH(rk_f16_to_f32, (const uint16_t *x, float *y, ptrdiff_t count), (x, y, count))
VK_DISPATCH(rk_f32_to_f16, (const float *x, uint16_t *y, ptrdiff_t count), (x, y, count))
VK_DISPATCH(rk_bf16_to_f32, (const uint16_t *x, float *y, ptrdiff_t count), (x, y, count))
VK_DISPATCH(rk_f32_to_bf16, (const float *x, uint16_t *y, ptrdiff_t count), (x, y, count))
VK_DISPATCH(
    rk_f32_to_bf16_pairs, (const float *x, const float *y, uint16_t *z, ptrdiff_t pixels),
    (x, y, z, pixels))
