#pragma once

// How a family of kernels comes to be compiled several times. A family `x` is two files: `x_body.h`
// with static functions named VK(vk_..._f32), and `x.c`:
//
//     #define VK_BODY "x_body.h"
//     #include "levels.h"
//     VK_DISPATCH(vk_..._f32, (parameters), (arguments))
//
// `levels.h` includes the body once a level, each time with the vector types of `simd.h` at another
// width and with another `target` attribute.

#include "VectorKernels.h"

#if defined(__x86_64__)
#define VK_HAS_X86_LEVELS 1
#else
#define VK_HAS_X86_LEVELS 0
#endif

/// Whether there are 32 vectors of four floats, and products with one lane of a vector.
#if defined(__aarch64__)
#define VK_HAS_LANES 1
#else
#define VK_HAS_LANES 0
#endif

#if VK_HAS_X86_LEVELS
#include <immintrin.h>
#endif
#if VK_HAS_LANES
#include <arm_neon.h>
#endif

/// A function's name at the level being compiled.
#define VK(name) VK_JOIN(name, VK_SUFFIX)
#define VK_JOIN(a, b) VK_JOIN_(a, b)
#define VK_JOIN_(a, b) a##_##b
#define VK_AVX2 "avx2,fma,f16c"
#define VK_AVX512 "avx512f,avx512bw,avx512dq,avx512vl," VK_AVX2
#define VK_AMX "amx-tile,amx-bf16,amx-int8,avx512bf16," VK_AVX512

// Vectors wider than the baseline never cross a function that is not inlined.
#pragma clang diagnostic ignored "-Wpsabi"

#if VK_HAS_X86_LEVELS
#define VK_CHOOSE(name, arguments)                       \
  switch (vk_level()) {                                  \
    case VK_LEVEL_AMX:                                   \
    case VK_LEVEL_AVX512: return name##_avx512 arguments; \
    case VK_LEVEL_AVX2: return name##_avx2 arguments;     \
    default: return name##_baseline arguments;           \
  }
#else
#define VK_CHOOSE(name, arguments) return name##_baseline arguments;
#endif

/// The public face of a kernel: calls the copy for the level in use.
#define VK_DISPATCH_RETURNING(type, name, parameters, arguments) \
  type name parameters { VK_CHOOSE(name, arguments) }
#define VK_DISPATCH(name, parameters, arguments) \
  VK_DISPATCH_RETURNING(void, name, parameters, arguments)
