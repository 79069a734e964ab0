#include "dispatch.h"

#include <stdatomic.h>

#if VK_HAS_X86_LEVELS && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

static atomic_int best = -1;
/// What a thread was told to use; below 0 where it was told nothing. Of its own, so that what is measured
/// or tested on one does not change what others compute at the time.
static _Thread_local int forced = -1;

#if VK_HAS_X86_LEVELS
/// Whether the processor has AMX and the system lets this process use it. The 8 KiB of its registers have to be
/// asked for, once for all threads of a process.
static int may_use_amx(void) {
#if defined(__linux__)
  enum { amx_bf16 = 1 << 22, amx_tile = 1 << 24, amx_int8 = 1 << 25 };
  enum { request_permission = 0x1023, tile_data = 18 };
  const unsigned all = amx_bf16 | amx_tile | amx_int8;
  unsigned eax, ebx, ecx, edx;
  return __builtin_cpu_supports("avx512bf16") && __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) &&
         (edx & all) == all && syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
  return 0;
#endif
}
#endif

static int best_level(void) {
#if VK_HAS_X86_LEVELS
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c")) {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
      return may_use_amx() ? VK_LEVEL_AMX : VK_LEVEL_AVX512;
    return VK_LEVEL_AVX2;
  }
#endif
  return VK_LEVEL_BASELINE;
}

// Two threads that come first at once both find the same answer, so a relaxed store will do.
int vk_best_level(void) {
  int level = atomic_load_explicit(&best, memory_order_relaxed);
  if (__builtin_expect(level < 0, 0)) {
    level = best_level();
    atomic_store_explicit(&best, level, memory_order_relaxed);
  }
  return level;
}

int vk_level(void) { return __builtin_expect(forced >= 0, 0) ? forced : vk_best_level(); }

int vk_forced_level(void) { return forced; }

int vk_force_level(int level) {
  const int most = vk_best_level();
  forced = level < 0 ? -1 : level > most ? most : level;
  return vk_level();
}
