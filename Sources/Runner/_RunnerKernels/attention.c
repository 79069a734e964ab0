#include <math.h>

#include "RunnerKernels.h"

/// Keys in a block, queries that share a packed block, and queries whose scores are there at once.
#define RK_ATTENTION_KEYS 256
#define RK_ATTENTION_QUERIES 256
#define RK_ATTENTION_ROWS 54
/// Scores of a query; more than a block, as rows 1 KiB apart would share few sets of the cache.
#define RK_ATTENTION_SCORES (RK_ATTENTION_KEYS + 16)

#define VK_BODY "attention_body.h"
#include "levels.h"

ptrdiff_t rk_attention_scratch(const rk_attention *attention) {
  ptrdiff_t width = vk_panel_count(attention->value_size) * VK_PANEL;
  return RK_ATTENTION_KEYS * (attention->size + width) +
         RK_ATTENTION_ROWS * (RK_ATTENTION_SCORES + width);
}

VK_DISPATCH(
    rk_attention_f32,
    (const rk_attention *attention, const float *query, const float *key, const float *value,
     const float *mask, float *output, ptrdiff_t first_query, ptrdiff_t query_count,
     float *scratch),
    (attention, query, key, value, mask, output, first_query, query_count, scratch))
