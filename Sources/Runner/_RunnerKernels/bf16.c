#include "BFloat16Kernels.h"
#include "dispatch.h"

#if VK_HAS_LANES
#include "arm_features.h"
#endif

#include <stdatomic.h>
#include <string.h>

#define VK_BODY "bf16_body.h"
#define VK_DOT_AVX512 "avx512bf16,"
#define VK_DOT_NEON "bf16"
#include "levels.h"
#undef VK_BODY
#define VK_BODY "bf16_amx_body.h"
#include "amx_level.h"

/// 1 or 0 where somebody said which; below 0 what is faster.
static atomic_int preferred = -1;

int rk_bf16_is_faster(void) {
#if VK_HAS_X86_LEVELS
  return vk_level() >= VK_LEVEL_AMX ||
         (vk_level() >= VK_LEVEL_AVX512 && __builtin_cpu_supports("avx512bf16") &&
          __builtin_cpu_is("amd"));
#else
  return 0;
#endif
}

int rk_uses_bf16_instructions(void) {
#if VK_HAS_X86_LEVELS
  const int choice = atomic_load_explicit(&preferred, memory_order_relaxed);
  return choice < 0 ? rk_bf16_is_faster()
                    : choice && vk_level() >= VK_LEVEL_AVX512 && __builtin_cpu_supports("avx512bf16");
#elif VK_HAS_LANES
  return atomic_load_explicit(&preferred, memory_order_relaxed) != 0 && rk_arm_has_bf16();
#else
  return 0;
#endif
}

int rk_bf16_uses_tiles(void) {
#if VK_HAS_X86_LEVELS
  return rk_uses_bf16_instructions() && vk_level() >= VK_LEVEL_AMX;
#else
  return 0;
#endif
}

void rk_prefer_bf16_instructions(int preference) {
  atomic_store_explicit(&preferred, preference, memory_order_relaxed);
}

#if VK_HAS_X86_LEVELS
/// The most pairs that a row of a tile can hold if all tiles of a block of inputs hold as many.
static ptrdiff_t pairs_in_tile(ptrdiff_t pairs) {
  ptrdiff_t most = pairs < 16 ? pairs : 16;
  while (most > 1 && pairs % most != 0) most--;
  return most;
}

/// Whether tiles are faster. Sums differ in rounding, so it must not depend on what a call covers.
static int uses_tiles(const rk_bf16_conv *c) {
  return pairs_in_tile(c->pairs) >= 4 &&
         c->input_blocks * c->taps_y * c->taps_x * c->pairs >= 7;
}
#endif

void rk_bf16_conv_rows(
    const rk_bf16_conv *conv, const uint16_t *input, const uint16_t *weights, const float *bias,
    const float *residual, float *output, ptrdiff_t first_block, ptrdiff_t block_count,
    ptrdiff_t first_row, ptrdiff_t row_count) {
#if VK_HAS_X86_LEVELS
  if (rk_bf16_uses_tiles() && uses_tiles(conv)) {
    rk_bf16_conv_rows_amx(
        conv, input, weights, bias, residual, output, first_block, block_count, first_row, row_count,
        pairs_in_tile(conv->pairs));
    return;
  }
  if (rk_uses_bf16_instructions() && vk_level() < VK_LEVEL_AMX) {
    rk_bf16_conv_rows_avx512_dot(
        conv, input, weights, bias, residual, output, first_block, block_count, first_row, row_count);
    return;
  }
#elif VK_HAS_LANES
  if (rk_uses_bf16_instructions()) {
    rk_bf16_conv_rows_baseline_dot(
        conv, input, weights, bias, residual, output, first_block, block_count, first_row,
        row_count);
    return;
  }
#endif
  VK_CHOOSE(
      rk_bf16_conv_rows,
      (conv, input, weights, bias, residual, output, first_block, block_count, first_row, row_count))
}

void rk_bf16_pack_weights(
    const float *weights, ptrdiff_t output_step, ptrdiff_t input_step, ptrdiff_t tap_step,
    uint16_t *packed, ptrdiff_t outputs, ptrdiff_t inputs, ptrdiff_t taps, ptrdiff_t block_inputs) {
  const ptrdiff_t blocks = (inputs + block_inputs - 1) / block_inputs;
  for (ptrdiff_t o = 0; o < outputs; o += 16)
    for (ptrdiff_t b = 0; b < blocks; b++)
      for (ptrdiff_t t = 0; t < taps; t++)
        for (ptrdiff_t i = b * block_inputs; i < (b + 1) * block_inputs; i += 2) {
          float pair[32] = {0};
          const float *from = weights + o * output_step + i * input_step + t * tap_step;
          for (ptrdiff_t k = 0; k < 16 && o + k < outputs; k++) {
            if (i < inputs) pair[2 * k] = from[k * output_step];
            if (i + 1 < inputs) pair[2 * k + 1] = from[k * output_step + input_step];
          }
          rk_f32_to_bf16(pair, packed, 32);
          packed += 32;
        }
}
