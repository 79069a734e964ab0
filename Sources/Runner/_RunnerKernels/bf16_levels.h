// Compiles VK_BODY once a level, AVX512_BF16 among them. Like levels.h otherwise.

#include "dispatch.h"

#if VK_HAS_X86_LEVELS
#include <immintrin.h>
#endif

#define VK_JOIN_(a, b) a##_##b
#define VK_JOIN(a, b) VK_JOIN_(a, b)
#define VK(name) VK_JOIN(name, VK_SUFFIX)

#define VK_SUFFIX baseline
#define VK_WIDTH 4
#define VK_THIS_LEVEL 0
#define RK_DOT 0
#include "simd.h"
#include VK_BODY
#undef VK_SUFFIX
#undef VK_WIDTH
#undef VK_THIS_LEVEL
#undef RK_DOT

#if VK_HAS_X86_LEVELS
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#define VK_SUFFIX avx2
#define VK_WIDTH 8
#define VK_THIS_LEVEL 1
#define RK_DOT 0
#include "simd.h"
#include VK_BODY
#undef VK_SUFFIX
#undef VK_WIDTH
#undef VK_THIS_LEVEL
#undef RK_DOT
#pragma clang attribute pop

#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c"))), apply_to = function)
#define VK_SUFFIX avx512
#define VK_WIDTH 16
#define VK_THIS_LEVEL 2
#define RK_DOT 0
#include "simd.h"
#include VK_BODY
#undef VK_SUFFIX
#undef RK_DOT
#pragma clang attribute pop

#pragma clang attribute push( \
    __attribute__((target("avx512bf16,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c"))), \
    apply_to = function)
#define VK_SUFFIX avx512_dot
#define RK_DOT 1
#include "simd.h"
#include VK_BODY
#undef VK_SUFFIX
#undef VK_WIDTH
#undef VK_THIS_LEVEL
#undef RK_DOT
#pragma clang attribute pop
#endif
