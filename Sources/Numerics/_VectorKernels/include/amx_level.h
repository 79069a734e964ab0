// Compiles VK_BODY once, for processors with AMX, under the suffix `amx`. See dispatch.h.
//
// A body that uses tiles has another layout of its operands than that of the other levels, so it is a family of its
// own. On other processors than x86-64 there is none.

#include "dispatch.h"

#if VK_HAS_X86_LEVELS
#pragma clang attribute push(__attribute__((target(VK_AMX))), apply_to = function)
#define VK_SUFFIX amx
#define VK_WIDTH 16
#define VK_THIS_LEVEL 2
#define VK_DOT 1
#include "level.h"
#pragma clang attribute pop
#endif
