#pragma once

// Sliding windows are computed a tile of output at a time. The input that a tile needs is first
// copied to a scratch area with its padding written out, and with columns sorted by their remainder
// modulo the horizontal stride ("phases"). What a tap wants for neighbouring outputs then lies side
// by side for any stride and dilation, and no tap needs a bounds check.

#include "dispatch.h"

/// Floats in a scratch area: small enough for a thread's stack and for the first-level cache.
#define RK_SCRATCH 8192

typedef struct rk_tiling {
  /// Output columns and rows in a tile.
  ptrdiff_t columns, rows;
  /// Columns, rounded up to whole vectors.
  ptrdiff_t padded_columns;
  /// Floats of one phase of a row, and of all of them.
  ptrdiff_t phase, pitch;
} rk_tiling;

/// The tiling for vectors of `width` lanes, with `extra` further floats for each row and padded
/// column; columns is 0 where not even one vector fits the scratch area.
static inline rk_tiling rk_tile(const rk_window *w, ptrdiff_t width, ptrdiff_t extra) {
  rk_tiling t = {0};
  // Each factor is compared with the scratch area first, so that no product can overflow.
  if (w->kernel_height > RK_SCRATCH || w->kernel_width > RK_SCRATCH ||
      w->dilation_y > RK_SCRATCH || w->dilation_x > RK_SCRATCH || w->stride_x > RK_SCRATCH ||
      w->stride_y > RK_SCRATCH)
    return t;
  ptrdiff_t reach = (w->kernel_width - 1) * w->dilation_x / w->stride_x;
  ptrdiff_t least_rows = (w->kernel_height - 1) * w->dilation_y + 1;
  ptrdiff_t fits = (RK_SCRATCH / least_rows - reach * w->stride_x) / (w->stride_x + extra);
  if (fits < width) return t;
  ptrdiff_t columns = w->out_width < fits ? w->out_width : fits - fits % width;
  ptrdiff_t padded = (columns + width - 1) / width * width;
  if (padded > fits) padded = columns = fits - fits % width;
  t.columns = columns;
  t.padded_columns = padded;
  t.phase = padded + reach;
  t.pitch = t.phase * w->stride_x;
  ptrdiff_t in_rows = RK_SCRATCH / (t.pitch + extra * padded);
  t.rows = (in_rows - least_rows) / w->stride_y + 1;
  if (t.rows > w->out_height) t.rows = w->out_height;
  return t;
}

/// The first index i in 0 ..< count with start + i * step >= 0, or count.
static inline ptrdiff_t rk_first_inside(ptrdiff_t start, ptrdiff_t step, ptrdiff_t count) {
  if (start >= 0) return 0;
  ptrdiff_t i = (-start + step - 1) / step;
  return i < count ? i : count;
}

/// The first index i in 0 ..< count with start + i * step >= size, or count.
static inline ptrdiff_t rk_first_outside(
    ptrdiff_t start, ptrdiff_t step, ptrdiff_t count, ptrdiff_t size) {
  if (start >= size) return 0;
  ptrdiff_t i = (size - start + step - 1) / step;
  return i < count ? i : count;
}
