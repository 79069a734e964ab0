#include "RunnerKernels.h"

#define VK_BODY "overlap_body.h"
#include "levels.h"

VK_DISPATCH_RETURNING(
    int, rk_overlaps_f32,
    (const float *corners, ptrdiff_t stride, ptrdiff_t count, const float *box, float limit),
    (corners, stride, count, box, limit))
