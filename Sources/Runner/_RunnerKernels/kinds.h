#pragma once

#include "VectorKernels.h"

/// What an activation keeps its results between, and whether it does nothing else. NaN stays.
typedef struct rk_bounds {
  float low, high;
  int suffice;
} rk_bounds;

static inline rk_bounds rk_bounds_of(vk_activation activation) {
  const float infinity = __builtin_inff();
  switch (activation.kind) {
    case VK_IDENTITY: return (rk_bounds){-infinity, infinity, 1};
    case VK_RELU: return (rk_bounds){0, infinity, 1};
    case VK_CLIP: return (rk_bounds){activation.alpha, activation.beta, 1};
    default: return (rk_bounds){-infinity, infinity, 0};
  }
}

/// Switches on the activation once, so that the loop inside has it as a constant.
#define RK_FOR_KIND(kind, call)                                    \
  switch (kind) {                                                  \
    case VK_IDENTITY: { enum { K = VK_IDENTITY }; call; } break;   \
    case VK_RELU: { enum { K = VK_RELU }; call; } break;           \
    case VK_LEAKY_RELU: { enum { K = VK_LEAKY_RELU }; call; } break; \
    case VK_CLIP: { enum { K = VK_CLIP }; call; } break;           \
    case VK_SIGMOID: { enum { K = VK_SIGMOID }; call; } break;     \
    case VK_SILU: { enum { K = VK_SILU }; call; } break;           \
    case VK_TANH: { enum { K = VK_TANH }; call; } break;           \
    case VK_HARD_SIGMOID: { enum { K = VK_HARD_SIGMOID }; call; } break; \
    case VK_HARD_SWISH: { enum { K = VK_HARD_SWISH }; call; } break; \
    case VK_EXP: { enum { K = VK_EXP }; call; } break;             \
    case VK_ERF: { enum { K = VK_ERF }; call; } break;             \
    case VK_GELU: { enum { K = VK_GELU }; call; } break;           \
    case VK_SCALED_HARD_SWISH: { enum { K = VK_SCALED_HARD_SWISH }; call; } break; \
    case VK_ELU: { enum { K = VK_ELU }; call; } break;             \
    case VK_TANH_GELU: { enum { K = VK_TANH_GELU }; call; } break; \
    case VK_SCALED_SILU: { enum { K = VK_SCALED_SILU }; call; } break; \
  }
