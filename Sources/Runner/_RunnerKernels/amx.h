#pragma once

// AMX's eight tile registers, of up to 16 rows of 64 bytes.

#include <immintrin.h>
#include <stdint.h>

typedef struct rk_amx_shape {
  uint8_t palette, start_row, reserved[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
} rk_amx_shape;

/// Lets this thread use the tiles until rk_amx_end, after which the system need not save them. All have 16 rows,
/// except tiles 0 to 5, the sums and the left factors, which have `rows`.
__attribute__((target("amx-tile"), always_inline)) static inline void rk_amx_begin(int rows) {
  rk_amx_shape shape = {.palette = 1};
  for (int tile = 0; tile < 8; tile++) {
    shape.row_bytes[tile] = 64;
    shape.rows[tile] = (uint8_t)(tile < 6 ? rows : 16);
  }
  _tile_loadconfig(&shape);
}

__attribute__((target("amx-tile"), always_inline)) static inline void rk_amx_end(void) {
  _tile_release();
}
