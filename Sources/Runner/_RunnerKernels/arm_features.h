#pragma once

// What a 64-bit ARM processor has beyond the least. Linux tells it in the auxiliary vector, Apple's
// systems by name; of others nothing is known, and they get what every processor has.

#include <stdatomic.h>

#if defined(__linux__)
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

/// Whether Apple's systems say that there is a feature. `known` is what they said, and -1 before they
/// are asked, as that takes a call.
static inline int rk_apple_has(const char *name, atomic_int *known) {
#if defined(__APPLE__)
  int has = atomic_load_explicit(known, memory_order_relaxed);
  if (has < 0) {
    size_t size = sizeof has;
    if (sysctlbyname(name, &has, &size, 0, 0) != 0 || has < 0) has = 0;
    atomic_store_explicit(known, has, memory_order_relaxed);
  }
  return has;
#else
  (void)name, (void)known;
  return 0;
#endif
}

/// Whether there are SDOT and UDOT, four products of bytes a lane (FEAT_DotProd).
static inline int rk_arm_has_dot(void) {
#if defined(__ARM_FEATURE_DOTPROD)
  return 1;
#elif defined(__linux__)
  // HWCAP_ASIMDDP
  return (getauxval(AT_HWCAP) >> 20 & 1) != 0;
#else
  static atomic_int known = -1;
  return rk_apple_has("hw.optional.arm.FEAT_DotProd", &known);
#endif
}

/// Whether there are BFMLALB and BFMLALT, products of bfloat16 numbers added to float32
/// (FEAT_BF16).
static inline int rk_arm_has_bf16(void) {
#if defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
  return 1;
#elif defined(__linux__)
  // HWCAP2_BF16
  return (getauxval(AT_HWCAP2) >> 14 & 1) != 0;
#else
  static atomic_int known = -1;
  return rk_apple_has("hw.optional.arm.FEAT_BF16", &known);
#endif
}
