// Products with packed matrices, and attention, which is made of them; on purpose without a guard.

/// Keys in a block, queries that share a packed block, and queries whose scores are there at once.
#define RK_ATTENTION_KEYS 256
#define RK_ATTENTION_QUERIES 256
#define RK_ATTENTION_ROWS 54
/// Scores of a query; more than a block, as rows 1 KiB apart would share few sets of the cache.
#define RK_ATTENTION_SCORES (RK_ATTENTION_KEYS + 16)

#include "packed_gemm_body.h"

#include "attention_body.h"
