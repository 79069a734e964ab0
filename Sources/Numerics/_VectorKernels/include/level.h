// One level of levels.h.

#include "simd.h"
#include VK_BODY

#undef VK_SUFFIX
#undef VK_WIDTH
#undef VK_THIS_LEVEL
#undef VK_DOT
