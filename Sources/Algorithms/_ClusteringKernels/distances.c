#include "ClusteringKernels.h"

#include <math.h>
#include <string.h>

#define VK_BODY "distances_body.h"
#include "levels.h"

ptrdiff_t ck_distance_stride(ptrdiff_t count) { return (count + 15) / 16 * 16; }

VK_DISPATCH_RETURNING(
    int, ck_cosine_distances_f32,
    (const float *rows, ptrdiff_t count, ptrdiff_t width, float *distances, float *scales),
    (rows, count, width, distances, scales))
