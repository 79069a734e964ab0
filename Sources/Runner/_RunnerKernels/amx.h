#pragma once

// AMX's eight tile registers, all of 16 rows of 64 bytes.

#include <immintrin.h>
#include <stdint.h>

typedef struct rk_amx_shape {
  uint8_t palette, start_row, reserved[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
} rk_amx_shape;

/// Lets this thread use the tiles until rk_amx_end, after which the system need not save them.
__attribute__((target("amx-tile"), always_inline)) static inline void rk_amx_begin(void) {
  static const rk_amx_shape shape = {
      .palette = 1,
      .row_bytes = {64, 64, 64, 64, 64, 64, 64, 64},
      .rows = {16, 16, 16, 16, 16, 16, 16, 16},
  };
  _tile_loadconfig(&shape);
}

__attribute__((target("amx-tile"), always_inline)) static inline void rk_amx_end(void) {
  _tile_release();
}
