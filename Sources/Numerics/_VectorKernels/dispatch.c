#include "dispatch.h"

#include <stdatomic.h>

static atomic_int chosen = -1;
/// What a thread was told to use; below 0 where it was told nothing. Of its own, so that what is measured
/// or tested on one does not change what others compute at the time.
static _Thread_local int forced = -1;

int vk_best_level(void) {
#if VK_HAS_X86_LEVELS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c")) {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
      return VK_LEVEL_AVX512;
    return VK_LEVEL_AVX2;
  }
#endif
  return VK_LEVEL_BASELINE;
}

// Two threads that come first at once both find the same answer, so a relaxed store will do.
int vk_level(void) {
  if (__builtin_expect(forced >= 0, 0)) return forced;
  int level = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (__builtin_expect(level < 0, 0)) {
    level = vk_best_level();
    atomic_store_explicit(&chosen, level, memory_order_relaxed);
  }
  return level;
}

int vk_forced_level(void) { return forced; }

int vk_force_level(int level) {
  int best = vk_best_level();
  forced = level < 0 ? -1 : level > best ? best : level;
  return vk_level();
}
