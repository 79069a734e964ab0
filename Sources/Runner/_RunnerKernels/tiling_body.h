// Filling a tile. See tiling.h.

/// Writes the input rows for output rows from `oy` and columns from `ox` to `tile`, `rows` of them.
VK_INLINE void VK(fill_tile)(
    const float *plane, const rk_window *w, const rk_tiling *t, ptrdiff_t oy, ptrdiff_t ox,
    ptrdiff_t rows, float padding, float *tile) {
  vf blank = v_set(padding);
  for (ptrdiff_t r = 0; r < rows; r++) {
    ptrdiff_t iy = oy * w->stride_y - w->pad_top + r;
    float *to = tile + r * t->pitch;
    if (iy < 0 || iy >= w->in_height) {
      for (ptrdiff_t i = 0; i < t->pitch; i += VK_WIDTH) v_store_some(to + i, blank, t->pitch - i);
      continue;
    }
    const float *row = plane + iy * w->in_width;
    for (ptrdiff_t p = 0; p < w->stride_x; p++, to += t->phase) {
      ptrdiff_t start = ox * w->stride_x + p - w->pad_left;
      ptrdiff_t first = rk_first_inside(start, w->stride_x, t->phase);
      ptrdiff_t end = rk_first_outside(start, w->stride_x, t->phase, w->in_width);
      if (end < first) end = first;
      ptrdiff_t i = 0;
      for (; i < first; i++) to[i] = padding;
      if (w->stride_x == 1) {
        const float *from = row + start;
        for (; i + VK_WIDTH <= end; i += VK_WIDTH) v_store(to + i, v_load(from + i));
        if (i < end) v_store_some(to + i, v_load_some(from + i, end - i), end - i);
      } else {
        ptrdiff_t step = w->stride_x;
        const float *from = row + start;
#if VK_WIDTH == 4
#define RK_EVENS 0, 2, 4, 6
#elif VK_WIDTH == 8
#define RK_EVENS 0, 2, 4, 6, 8, 10, 12, 14
#else
#define RK_EVENS 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#endif
        // The second load ends one value past the last that is wanted, so stay one short.
        if (step == 2) {
          for (; i + VK_WIDTH < end; i += VK_WIDTH)
            v_store(
                to + i, __builtin_shufflevector(
                            v_load(from + 2 * i), v_load(from + 2 * i + VK_WIDTH), RK_EVENS));
          if (i < end) {
            ptrdiff_t left = end - i, reach = 2 * left - 1;
            ptrdiff_t some = reach < VK_WIDTH ? reach : VK_WIDTH;
            vf low = v_load_some(from + 2 * i, some);
            vf high = reach > some ? v_load_some(from + 2 * i + VK_WIDTH, reach - some) : low;
            v_store_some(to + i, __builtin_shufflevector(low, high, RK_EVENS), left);
            i = end;
          }
        }
#undef RK_EVENS
        for (; i < end; i++) to[i] = from[i * step];
      }
      for (i = end; i < t->phase; i += VK_WIDTH) v_store_some(to + i, blank, t->phase - i);
    }
  }
}
