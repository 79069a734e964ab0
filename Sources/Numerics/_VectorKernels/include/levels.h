// Compiles VK_BODY once a level. See dispatch.h.
//
// A body whose products have instructions of their own says what these are called: VK_DOT_AVX2 and VK_DOT_AVX512,
// as in "avxvnni,", and VK_DOT_NEON, as in "dotprod". It is compiled with them once more, with VK_DOT set, under the
// suffix of the level and `_dot`.

#include "dispatch.h"

#define VK_SUFFIX baseline
#define VK_WIDTH 4
#define VK_THIS_LEVEL 0
#define VK_DOT 0
#include "level.h"

#if VK_HAS_LANES && defined(VK_DOT_NEON)
#pragma clang attribute push(__attribute__((target(VK_DOT_NEON))), apply_to = function)
#define VK_SUFFIX baseline_dot
#define VK_WIDTH 4
#define VK_THIS_LEVEL 0
#define VK_DOT 1
#include "level.h"
#pragma clang attribute pop
#endif

#if VK_HAS_X86_LEVELS
#pragma clang attribute push(__attribute__((target(VK_AVX2))), apply_to = function)
#define VK_SUFFIX avx2
#define VK_WIDTH 8
#define VK_THIS_LEVEL 1
#define VK_DOT 0
#include "level.h"
#pragma clang attribute pop

#ifdef VK_DOT_AVX2
#pragma clang attribute push(__attribute__((target(VK_DOT_AVX2 VK_AVX2))), apply_to = function)
#define VK_SUFFIX avx2_dot
#define VK_WIDTH 8
#define VK_THIS_LEVEL 1
#define VK_DOT 1
#include "level.h"
#pragma clang attribute pop
#endif

#pragma clang attribute push(__attribute__((target(VK_AVX512))), apply_to = function)
#define VK_SUFFIX avx512
#define VK_WIDTH 16
#define VK_THIS_LEVEL 2
#define VK_DOT 0
#include "level.h"
#pragma clang attribute pop

#ifdef VK_DOT_AVX512
#pragma clang attribute push(__attribute__((target(VK_DOT_AVX512 VK_AVX512))), apply_to = function)
#define VK_SUFFIX avx512_dot
#define VK_WIDTH 16
#define VK_THIS_LEVEL 2
#define VK_DOT 1
#include "level.h"
#pragma clang attribute pop
#endif
#endif
