// Products with a right matrix that was packed before, at one level. The right matrix lies in panels
// of VK_PANEL columns, row after row, so that a block of rows of one panel stays in the first-level
// cache while all tiles of the left matrix pass over it; a tile of the result is held in registers
// (Goto and van de Geijn, "Anatomy of high-performance matrix multiplication", 2008).

//
// With the widest vectors two panels are multiplied at a time: six rows by four vectors take 10 loads
// for 24 products where 14 by 2 take 16 for 28, and loads are what another thread on the same core
// leaves too few of.

#include "lanes.h"

#undef VK_TILE_ROWS
#undef VK_TILE_VECTORS
#undef VK_PAIR_ROWS
#undef VK_DEPTH
#undef VK_MOST_DEPTH
// Rows of the right matrix that are multiplied at a time: that many of one panel, or of two, leave
// room in the first-level cache. Up to VK_MOST_DEPTH rows are not split.
#define VK_DEPTH 256
#define VK_MOST_DEPTH 384
#if VK_WIDTH == 16
#define VK_TILE_ROWS 14
#define VK_TILE_VECTORS 2
#define VK_PAIR_ROWS 6
#undef VK_DEPTH
#undef VK_MOST_DEPTH
#define VK_DEPTH 128
#define VK_MOST_DEPTH 192
#elif VK_WIDTH == 8
#define VK_TILE_ROWS 6
#define VK_TILE_VECTORS 2
#elif VK_HAS_LANES
#define VK_TILE_ROWS 6
#define VK_TILE_VECTORS 4
#else
#define VK_TILE_ROWS 4
#define VK_TILE_VECTORS 2
#endif

/// `rows` rows and `vectors` vectors (constants where this is inlined) of the result: c = a b + before,
/// which may be null. Vectors of further panels, where there are more than one panel's, lie `panel` apart
/// in b. On the way, `depth` cache lines of what is wanted next are fetched from `ahead`.
VK_INLINE void VK(packed_tile)(
    const int rows, const int vectors, ptrdiff_t depth, const float *a, ptrdiff_t a_row,
    const float *b, ptrdiff_t panel, const float *before, ptrdiff_t before_row, float *c,
    ptrdiff_t c_row, const float *ahead) {
  enum { per_panel = VK_PANEL / VK_WIDTH };
  vf sums[VK_TILE_ROWS][8];
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++) sums[r][v] = v_set(0.0f);
  if (before) {
#pragma clang loop unroll(full)
    for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; v++) sums[r][v] = v_load(before + r * before_row + v * VK_WIDTH);
  }
#if VK_HAS_LANES
  for (; depth >= 4; depth -= 4, a += 4, b += 4 * VK_PANEL, ahead += 4 * 16) {
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; i++) __builtin_prefetch(ahead + i * 16, 0, 2);
    VK(v_lane_products)(sums[0], rows, 8, vectors, 1, a, a_row, b, VK_PANEL);
  }
#endif
  // With 12 products a round, counting and addresses would take a fifth of what a core can start.
#if VK_WIDTH == 8
#pragma clang loop unroll_count(4)
#endif
  for (ptrdiff_t k = 0; k < depth; k++) {
    vf right[8];
    __builtin_prefetch(ahead + k * 16, 0, 2);
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++)
      right[v] = v_load(b + v / per_panel * panel + v % per_panel * VK_WIDTH);
#pragma clang loop unroll(full)
    for (int r = 0; r < rows; r++) {
      vf left = v_set(a[r * a_row]);
#pragma clang loop unroll(full)
      for (int v = 0; v < vectors; v++) sums[r][v] += left * right[v];
    }
    a++;
    b += VK_PANEL;
  }
#pragma clang loop unroll(full)
  for (int r = 0; r < rows; r++)
#pragma clang loop unroll(full)
    for (int v = 0; v < vectors; v++) v_store(c + r * c_row + v * VK_WIDTH, sums[r][v]);
}

/// A whole panel, or two of them (`panel` apart), under `rows` rows, up to VK_TILE_ROWS or VK_PAIR_ROWS.
static void VK(packed_rows)(
    int panels, ptrdiff_t rows, ptrdiff_t depth, const float *a, ptrdiff_t a_row, const float *b,
    ptrdiff_t panel, const float *before, ptrdiff_t before_row, float *c, ptrdiff_t c_row,
    const float *ahead) {
#if VK_WIDTH == 16
  if (panels == 2) {
    switch (rows) {
#define VK_TILE(n)                                                                           \
  case n:                                                                                    \
    VK(packed_tile)(n, 4, depth, a, a_row, b, panel, before, before_row, c, c_row, ahead);   \
    return;
      VK_TILE(1) VK_TILE(2) VK_TILE(3) VK_TILE(4) VK_TILE(5) VK_TILE(6)
#undef VK_TILE
    }
    return;
  }
#endif
#if VK_HAS_LANES
  // A whole panel under few rows: half of one would have half as many sums.
  switch (rows) {
#define VK_TILE(n)                                                                           \
  case n:                                                                                    \
    VK(packed_tile)(n, 8, depth, a, a_row, b, 0, before, before_row, c, c_row, ahead);       \
    return;
    VK_TILE(1) VK_TILE(2) VK_TILE(3)
#undef VK_TILE
  }
#endif
#if VK_WIDTH == 8
  // Likewise under one or two rows. A product waits four cycles for the one before it.
  switch (rows) {
    case 1: VK(packed_tile)(1, 4, depth, a, a_row, b, 0, before, before_row, c, c_row, ahead); return;
    case 2: VK(packed_tile)(2, 4, depth, a, a_row, b, 0, before, before_row, c, c_row, ahead); return;
  }
#endif
  for (int v = 0; v < VK_PANEL / VK_WIDTH; v += VK_TILE_VECTORS) {
    const float *right = b + v * VK_WIDTH;
    const float *start = before ? before + v * VK_WIDTH : 0;
    float *to = c + v * VK_WIDTH;
    switch (rows) {
#define VK_TILE(n)                                                                           \
  case n:                                                                                    \
    VK(packed_tile)(                                                                         \
        n, VK_TILE_VECTORS, depth, a, a_row, right, 0, start, before_row, to, c_row, ahead); \
    break;
#if !VK_HAS_LANES
      VK_TILE(1) VK_TILE(2) VK_TILE(3)
#endif
      VK_TILE(4)
#if VK_TILE_ROWS > 4
      VK_TILE(5) VK_TILE(6)
#endif
#if VK_TILE_ROWS > 6
      VK_TILE(7) VK_TILE(8) VK_TILE(9) VK_TILE(10) VK_TILE(11) VK_TILE(12) VK_TILE(13) VK_TILE(14)
#endif
#undef VK_TILE
    }
  }
}

#if VK_WIDTH == 16
/// Four panels under one row, two under two: with few rows, one panel alone has too few sums to keep
/// the multipliers busy.
static void VK(packed_few)(
    ptrdiff_t rows, ptrdiff_t depth, const float *a, ptrdiff_t a_row, const float *b,
    ptrdiff_t panel, const float *before, float *c, ptrdiff_t c_row) {
  if (rows == 1)
    VK(packed_tile)(1, 8, depth, a, a_row, b, panel, before, c_row, c, c_row, b);
  else
    VK(packed_tile)(2, 4, depth, a, a_row, b, panel, before, c_row, c, c_row, b);
}
#endif

/// What happens to the sums of `columns` columns once they are complete, on their way to c.
VK_INLINE void VK(packed_finish_kind)(
    const float *sums, ptrdiff_t sums_row, float *c, ptrdiff_t c_row, const float *bias,
    const float *residual, ptrdiff_t residual_row, ptrdiff_t rows, ptrdiff_t columns,
    const vk_finish *f, const vk_activation_kind kind) {
  for (ptrdiff_t r = 0; r < rows; r++, sums += sums_row, c += c_row, residual += residual ? residual_row : 0) {
    ptrdiff_t i = 0;
#define VK_FINISH(LOAD, STORE)                                                               \
  {                                                                                          \
    vf x = LOAD(sums + i);                                                                   \
    if (bias) x = x + LOAD(bias + i);                                                        \
    if (residual && f->residual_first) x = x + LOAD(residual + i);                           \
    x = v_activate(x, kind, f->activation.alpha, f->activation.beta);                        \
    if (residual && !f->residual_first) x = x + LOAD(residual + i);                          \
    STORE(c + i, x);                                                                         \
  }
#define VK_LOAD_SOME(p) v_load_some(p, columns - i)
#define VK_STORE_SOME(p, v) v_store_some(p, v, columns - i)
    for (; i + VK_WIDTH <= columns; i += VK_WIDTH) VK_FINISH(v_load, v_store)
    if (i < columns) VK_FINISH(VK_LOAD_SOME, VK_STORE_SOME)
#undef VK_FINISH
#undef VK_LOAD_SOME
#undef VK_STORE_SOME
  }
}

static void VK(packed_finish)(
    const float *sums, ptrdiff_t sums_row, float *c, ptrdiff_t c_row, const float *bias,
    const float *residual, ptrdiff_t residual_row, ptrdiff_t rows, ptrdiff_t columns,
    const vk_finish *f) {
  switch (f->activation.kind) {
#define VK_CASE(kind)                                                                        \
  case kind:                                                                                 \
    VK(packed_finish_kind)(                                                                  \
        sums, sums_row, c, c_row, bias, residual, residual_row, rows, columns, f, kind);     \
    break;
    VK_CASE(VK_IDENTITY) VK_CASE(VK_RELU) VK_CASE(VK_LEAKY_RELU) VK_CASE(VK_CLIP)
    VK_CASE(VK_SIGMOID) VK_CASE(VK_SILU) VK_CASE(VK_TANH) VK_CASE(VK_HARD_SIGMOID)
    VK_CASE(VK_HARD_SWISH) VK_CASE(VK_EXP) VK_CASE(VK_ERF) VK_CASE(VK_GELU)
    VK_CASE(VK_SCALED_HARD_SWISH) VK_CASE(VK_ELU) VK_CASE(VK_TANH_GELU) VK_CASE(VK_SCALED_SILU)
#undef VK_CASE
  }
}

/// Rows of the left matrix side by side: from rows whose distance would map them to few sets of the
/// cache, or from columns.
static void VK(packed_copy)(
    const float *a, ptrdiff_t a_row, ptrdiff_t a_column, ptrdiff_t rows, ptrdiff_t depth,
    float *to, ptrdiff_t to_row) {
  if (a_column == 1) {
    for (ptrdiff_t r = 0; r < rows; r++)
      __builtin_memcpy(to + r * to_row, a + r * a_row, (size_t)depth * sizeof(float));
    return;
  }
  for (ptrdiff_t k = 0; k < depth; k++)
    for (ptrdiff_t r = 0; r < rows; r++) to[r * to_row + k] = a[r * a_row + k * a_column];
}

static void VK(vk_packed_gemm_f32)(
    const vk_product *product, const float *a, const float *packed, const float *bias,
    const float *residual, float *c, ptrdiff_t first_row, ptrdiff_t row_count,
    ptrdiff_t first_panel, ptrdiff_t panel_count) {
  if (row_count <= 0 || product->depth <= 0) return;
  // At most 182 KiB on the stack. With few rows one group is best, as every group reads all of b; with
  // many, smaller ones leave more room in the second-level cache.
  enum {
    block = VK_DEPTH,
    longest = VK_MOST_DEPTH,
#if VK_WIDTH == 8
    copy_rows = 17 * VK_TILE_ROWS,
    most_rows = 2 * copy_rows,
    many_rows = copy_rows,
#else
    copy_rows = (VK_DEPTH == 128 ? 16 : 8) * VK_TILE_ROWS,
    most_rows = copy_rows,
    many_rows = 8 * VK_TILE_ROWS,
#endif
    copy_row = longest + 16
  };
  __attribute__((aligned(64))) float copy[copy_rows * copy_row];
  __attribute__((aligned(64))) float sums[VK_TILE_ROWS * VK_PANEL] = {0};
  static const vk_finish none = {{VK_IDENTITY, 0, 0}, 0};
  const int is_finished = bias || residual || product->finish.activation.kind != VK_IDENTITY;
  const ptrdiff_t depth = product->depth, columns = product->columns;
  const ptrdiff_t a_row = product->a_row, c_row = product->c_row;
  const ptrdiff_t panel_size = depth * VK_PANEL;
  const int is_copied = product->a_column != 1 || (a_row & 511) == 0;
  const ptrdiff_t blocks = depth <= longest ? 1 : (depth + block - 1) / block;
  // Groups of rows of about equal size, and in them tiles likewise.
  const ptrdiff_t groups =
      row_count <= (is_copied ? copy_rows : most_rows) ? 1 : (row_count + many_rows - 1) / many_rows;
  for (ptrdiff_t group = 0; group < groups; group++) {
    ptrdiff_t group_row = first_row + row_count * group / groups;
    ptrdiff_t rows = first_row + row_count * (group + 1) / groups - group_row;
    for (ptrdiff_t at = 0; at < blocks; at++) {
      ptrdiff_t k = depth * at / blocks;
      ptrdiff_t length = depth * (at + 1) / blocks - k;
      int is_last = at == blocks - 1;
      const float *left = a + group_row * a_row + k * product->a_column;
      ptrdiff_t left_row = a_row;
      if (is_copied) {
        VK(packed_copy)(left, a_row, product->a_column, rows, length, copy, copy_row);
        left = copy;
        left_row = copy_row;
      }
      for (ptrdiff_t panel = first_panel; panel < first_panel + panel_count; panel++) {
        const float *right = packed + panel * panel_size + k * VK_PANEL;
        ptrdiff_t column = panel * VK_PANEL;
        ptrdiff_t width = columns - column < VK_PANEL ? columns - column : VK_PANEL;
        const float *bias_here = bias ? bias + column : 0;
#if VK_WIDTH == 16
        ptrdiff_t together = rows == 1 ? 4 : 2;
        if (rows <= 2 && panel + together <= first_panel + panel_count &&
            columns - column >= together * VK_PANEL) {
          float *to = c + group_row * c_row + column;
          VK(packed_few)(
              rows, length, left, left_row, right, panel_size, at > 0 ? to : 0, to, c_row);
          if (is_last && is_finished)
            VK(packed_finish)(
                to, c_row, to, c_row, bias_here,
                residual ? residual + group_row * product->residual_row + column : 0,
                product->residual_row, rows, together * VK_PANEL, &product->finish);
          panel += together - 1;
          continue;
        }
#endif
        int panels = 1;
        ptrdiff_t tile_rows = VK_TILE_ROWS;
#if VK_WIDTH == 16
        if (panel + 2 <= first_panel + panel_count && columns - column >= 2 * VK_PANEL) {
          panels = 2;
          tile_rows = VK_PAIR_ROWS;
          width = 2 * VK_PANEL;
        }
#endif
        const ptrdiff_t tiles = (rows + tile_rows - 1) / tile_rows;
        // What comes next is fetched while the first tiles are multiplied.
        const float *next = right + panels * panel_size;
        ptrdiff_t next_panels = first_panel + panel_count - panel - panels;
        if (next_panels == 0) {
          next = packed + first_panel * panel_size + (k + length) * VK_PANEL;
          next_panels = is_last ? 0 : panels;
        }
        const ptrdiff_t tiles_each = VK_PANEL / 16;
        for (ptrdiff_t tile = 0; tile < tiles; tile++) {
          ptrdiff_t row = rows * tile / tiles;
          ptrdiff_t count = rows * (tile + 1) / tiles - row;
          float *to = c + (group_row + row) * c_row + column;
          const float *from = left + row * left_row;
          const ptrdiff_t fetched = tile / tiles_each;
          const float *ahead = fetched < next_panels && fetched < panels
              ? next + fetched * panel_size + tile % tiles_each * length * 16
              : right;
          // Sums pass by a buffer where something happens to them, as a tile of a result whose rows
          // lie 4 KiB apart would not stay in the cache, and where vectors reach over the edge.
          if (width == panels * VK_PANEL && !(is_last && is_finished)) {
            VK(packed_rows)(
                panels, count, length, from, left_row, right, panel_size, at > 0 ? to : 0, c_row, to,
                c_row, ahead);
            continue;
          }
          const float *before = 0;
          ptrdiff_t before_row = c_row;
          if (at > 0) {
            before = to;
            if (width < VK_PANEL) {
              for (ptrdiff_t r = 0; r < count; r++)
                for (ptrdiff_t i = 0; i < width; i += VK_WIDTH)
                  v_store(sums + r * VK_PANEL + i, v_load_some(to + r * c_row + i, width - i));
              before = sums;
              before_row = VK_PANEL;
            }
          }
          const ptrdiff_t sums_row = panels * VK_PANEL;
          VK(packed_rows)(
              panels, count, length, from, left_row, right, panel_size, before, before_row, sums,
              sums_row, ahead);
          VK(packed_finish)(
              sums, sums_row, to, c_row, is_last ? bias_here : 0,
              is_last && residual ? residual + (group_row + row) * product->residual_row + column
                                  : 0,
              product->residual_row, count, width, is_last ? &product->finish : &none);
        }
        panel += panels - 1;
      }
    }
  }
}

static void VK(vk_pack_right_f32)(
    const float *b, ptrdiff_t b_row, ptrdiff_t b_column, ptrdiff_t depth, ptrdiff_t columns,
    float alpha, float *packed, ptrdiff_t first_panel, ptrdiff_t panel_count) {
  for (ptrdiff_t panel = first_panel; panel < first_panel + panel_count; panel++) {
    ptrdiff_t column = panel * VK_PANEL;
    ptrdiff_t width = columns - column < VK_PANEL ? columns - column : VK_PANEL;
    const float *from = b + column * b_column;
    float *to = packed + panel * depth * VK_PANEL;
    if (b_column == 1) {
      for (ptrdiff_t k = 0; k < depth; k++, from += b_row, to += VK_PANEL)
        for (ptrdiff_t i = 0; i < VK_PANEL; i += VK_WIDTH) {
          ptrdiff_t left = width - i;
          v_store(to + i, (left > 0 ? v_load_some(from + i, left) : v_set(0.0f)) * alpha);
        }
    } else {
      // From rows of the transposed matrix; whole cache lines on both sides.
      for (ptrdiff_t k = 0; k < depth; k += 16) {
        ptrdiff_t length = depth - k < 16 ? depth - k : 16;
        float *block = to + k * VK_PANEL;
        if (width < VK_PANEL)
          for (ptrdiff_t i = 0; i < length * VK_PANEL; i++) block[i] = 0.0f;
        if (b_row == 1) {
          vk_transpose_f32(from + k, block, width, length, b_column, VK_PANEL);
        } else {
          for (ptrdiff_t j = 0; j < width; j++)
            for (ptrdiff_t i = 0; i < length; i++)
              block[i * VK_PANEL + j] = from[(k + i) * b_row + j * b_column];
        }
        if (alpha != 1.0f)
          for (ptrdiff_t i = 0; i < length * VK_PANEL; i += VK_WIDTH)
            v_store(block + i, v_load(block + i) * alpha);
      }
    }
  }
}

typedef vf VK(vk_byte_aligned_vf) __attribute__((aligned(1), may_alias));

static void VK(vk_pack_rows_f32)(
    const void *b, ptrdiff_t depth, ptrdiff_t columns, float alpha, float *packed) {
  const char *from = b;
  const ptrdiff_t panels = (columns + VK_PANEL - 1) / VK_PANEL;
  for (ptrdiff_t panel = 0; panel < panels; panel++) {
    ptrdiff_t column = panel * VK_PANEL;
    ptrdiff_t width = columns - column < VK_PANEL ? columns - column : VK_PANEL;
    float *to = packed + panel * depth * VK_PANEL;
    for (ptrdiff_t k = 0; k < depth; k++, to += VK_PANEL) {
      const char *row = from + (k * columns + column) * (ptrdiff_t)sizeof(float);
      if (width < VK_PANEL) {
        float line[VK_PANEL] = {0};
        __builtin_memcpy(line, row, (size_t)width * sizeof(float));
        for (ptrdiff_t i = 0; i < VK_PANEL; i += VK_WIDTH) v_store(to + i, v_load(line + i) * alpha);
        continue;
      }
      for (ptrdiff_t i = 0; i < VK_PANEL; i += VK_WIDTH)
        v_store(
            to + i, *(const VK(vk_byte_aligned_vf) *)(row + i * (ptrdiff_t)sizeof(float)) * alpha);
    }
  }
}
