#pragma once

// What a 64-bit ARM processor has beyond the least. Linux tells it in the auxiliary vector, Apple's
// systems by name; of others nothing is known, and they get what every processor has.

#include <stdatomic.h>

#if defined(__linux__)
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

/// Whether there are SDOT and UDOT, four products of bytes a lane (FEAT_DotProd).
static inline int rk_arm_has_dot(void) {
#if defined(__ARM_FEATURE_DOTPROD)
  return 1;
#elif defined(__linux__)
  // HWCAP_ASIMDDP
  return (getauxval(AT_HWCAP) >> 20 & 1) != 0;
#elif defined(__APPLE__)
  // 1 or 0 once it is known. The system is asked by a call.
  static atomic_int known = -1;
  int has = atomic_load_explicit(&known, memory_order_relaxed);
  if (has < 0) {
    size_t size = sizeof has;
    if (sysctlbyname("hw.optional.arm.FEAT_DotProd", &has, &size, 0, 0) != 0 || has < 0) has = 0;
    atomic_store_explicit(&known, has, memory_order_relaxed);
  }
  return has;
#else
  return 0;
#endif
}
