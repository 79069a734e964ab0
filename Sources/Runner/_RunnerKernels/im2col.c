#include <string.h>

#include "RunnerKernels.h"
#include "tiling.h"

// Copies and fills only, which the C library and the compiler do well at any level.
void rk_im2col_f32(
    const float *input, float *columns, ptrdiff_t channels, const rk_window *w,
    ptrdiff_t first_row, ptrdiff_t row_count, ptrdiff_t column_stride) {
  for (ptrdiff_t c = 0; c < channels; c++) {
    const float *plane = input + c * w->in_height * w->in_width;
    for (ptrdiff_t ky = 0; ky < w->kernel_height; ky++)
      for (ptrdiff_t kx = 0; kx < w->kernel_width; kx++) {
        float *to = columns;
        columns += column_stride;
        ptrdiff_t start = kx * w->dilation_x - w->pad_left;
        ptrdiff_t first = rk_first_inside(start, w->stride_x, w->out_width);
        ptrdiff_t end = rk_first_outside(start, w->stride_x, w->out_width, w->in_width);
        if (end < first) end = first;
        for (ptrdiff_t oy = first_row; oy < first_row + row_count; oy++, to += w->out_width) {
          ptrdiff_t iy = oy * w->stride_y - w->pad_top + ky * w->dilation_y;
          if (iy < 0 || iy >= w->in_height) {
            memset(to, 0, (size_t)w->out_width * sizeof(float));
            continue;
          }
          // An offset, not a pointer, as it may point before the row for the taps left of it.
          const float *row = plane + iy * w->in_width;
          for (ptrdiff_t i = 0; i < first; i++) to[i] = 0;
          if (w->stride_x == 1) {
            memcpy(to + first, row + start + first, (size_t)(end - first) * sizeof(float));
          } else if (w->stride_x == 2) {
            // Known to the compiler, which then moves several at a time.
            for (ptrdiff_t i = first; i < end; i++) to[i] = row[start + i * 2];
          } else {
            for (ptrdiff_t i = first; i < end; i++) to[i] = row[start + i * w->stride_x];
          }
          for (ptrdiff_t i = end; i < w->out_width; i++) to[i] = 0;
        }
      }
  }
}
