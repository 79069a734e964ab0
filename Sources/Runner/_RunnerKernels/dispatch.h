#pragma once

// How a family of kernels comes to be compiled several times. A family `x` is two files: `x_body.h`
// with static functions named RK(rk_..._f32), and `x.c`:
//
//     #define RK_BODY "x_body.h"
//     #include "levels.h"
//     RK_DISPATCH(rk_..._f32, (parameters), (arguments))
//
// `levels.h` includes the body once a level, each time with the vector types of `simd.h` at another
// width and with another `target` attribute.

#include "RunnerKernels.h"

#if defined(__x86_64__)
#define RK_HAS_X86_LEVELS 1
#else
#define RK_HAS_X86_LEVELS 0
#endif

// Vectors wider than the baseline never cross a function that is not inlined.
#pragma clang diagnostic ignored "-Wpsabi"

#if RK_HAS_X86_LEVELS
#define RK_CHOOSE(name, arguments)                       \
  switch (rk_level()) {                                  \
    case RK_LEVEL_AVX512: return name##_avx512 arguments; \
    case RK_LEVEL_AVX2: return name##_avx2 arguments;     \
    default: return name##_baseline arguments;           \
  }
#else
#define RK_CHOOSE(name, arguments) return name##_baseline arguments;
#endif

/// The public face of a kernel: calls the copy for the level in use.
#define RK_DISPATCH_RETURNING(type, name, parameters, arguments) \
  type name parameters { RK_CHOOSE(name, arguments) }
#define RK_DISPATCH(name, parameters, arguments) \
  RK_DISPATCH_RETURNING(void, name, parameters, arguments)
