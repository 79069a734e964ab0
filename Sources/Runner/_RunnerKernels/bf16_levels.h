// Compiles RK_BODY once a level, AVX512_BF16 among them. Like levels.h otherwise.

#include "dispatch.h"

#if RK_HAS_X86_LEVELS
#include <immintrin.h>
#endif

#define RK_JOIN_(a, b) a##_##b
#define RK_JOIN(a, b) RK_JOIN_(a, b)
#define RK(name) RK_JOIN(name, RK_SUFFIX)

#define RK_SUFFIX baseline
#define RK_WIDTH 4
#define RK_THIS_LEVEL 0
#define RK_DOT 0
#include "simd.h"
#include RK_BODY
#undef RK_SUFFIX
#undef RK_WIDTH
#undef RK_THIS_LEVEL
#undef RK_DOT

#if RK_HAS_X86_LEVELS
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#define RK_SUFFIX avx2
#define RK_WIDTH 8
#define RK_THIS_LEVEL 1
#define RK_DOT 0
#include "simd.h"
#include RK_BODY
#undef RK_SUFFIX
#undef RK_WIDTH
#undef RK_THIS_LEVEL
#undef RK_DOT
#pragma clang attribute pop

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c"))), apply_to = function)
#define RK_SUFFIX avx512
#define RK_WIDTH 16
#define RK_THIS_LEVEL 2
#define RK_DOT 0
#include "simd.h"
#include RK_BODY
#undef RK_SUFFIX
#undef RK_DOT
#pragma clang attribute pop

#pragma clang attribute push( \
    __attribute__((target("avx512bf16,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c"))), \
    apply_to = function)
#define RK_SUFFIX avx512_dot
#define RK_DOT 1
#include "simd.h"
#include RK_BODY
#undef RK_SUFFIX
#undef RK_WIDTH
#undef RK_THIS_LEVEL
#undef RK_DOT
#pragma clang attribute pop
#endif
