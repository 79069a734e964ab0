#pragma once

// AMX's eight tile registers, of up to 16 rows of 64 bytes. A product adds to a tile of sums what a tile of inputs
// times a tile of weights gives. All three lie in rows, as they do in memory.

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rk_amx_shape {
  uint8_t palette, start_row, reserved[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
} rk_amx_shape;

/// Lets this thread use the tiles until rk_amx_end, after which the system need not save them: sums in tiles 0 to 3,
/// inputs in 4 and 5, weights in 6 and 7, with so many `rows` of sums and `groups` of four bytes in a row of inputs,
/// up to 16 of each. The time of a product goes by the rows.
__attribute__((target("amx-tile"), always_inline)) static inline void rk_amx_begin(
    ptrdiff_t rows, ptrdiff_t groups) {
  rk_amx_shape shape = {.palette = 1};
  for (int i = 0; i < 8; i++) {
    shape.row_bytes[i] = (uint16_t)(i == 4 || i == 5 ? groups * 4 : 64);
    shape.rows[i] = (uint8_t)(i < 6 ? rows : groups);
  }
  _tile_loadconfig(&shape);
}

__attribute__((target("amx-tile"), always_inline)) static inline void rk_amx_end(void) {
  _tile_release();
}
