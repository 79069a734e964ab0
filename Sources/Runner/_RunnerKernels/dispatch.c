#include "dispatch.h"

#include <stdatomic.h>

static atomic_int chosen = -1;

int rk_best_level(void) {
#if RK_HAS_X86_LEVELS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c")) {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
      return RK_LEVEL_AVX512;
    return RK_LEVEL_AVX2;
  }
#endif
  return RK_LEVEL_BASELINE;
}

// Two threads that come first at once both find the same answer, so a relaxed store will do.
int rk_level(void) {
  int level = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (__builtin_expect(level < 0, 0)) {
    level = rk_best_level();
    atomic_store_explicit(&chosen, level, memory_order_relaxed);
  }
  return level;
}

int rk_force_level(int level) {
  int best = rk_best_level();
  if (level < 0 || level > best) level = best;
  atomic_store_explicit(&chosen, level, memory_order_relaxed);
  return level;
}
