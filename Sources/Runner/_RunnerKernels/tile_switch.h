// Calls RK_COMPUTE(o, acc, pixels, blocks) with constants: every size of tile is compiled by itself, up to
// RK_COMPUTE_BLOCKS blocks. The sizes are those that leave registers for the weights.

#define RK_CASE(p, b) \
  case p: RK_COMPUTE(o, acc, p, b); return;
  switch (blocks) {
    case 1:
      switch (pixels) {
        RK_CASE(1, 1) RK_CASE(2, 1)
#if VK_WIDTH > 4
        RK_CASE(3, 1) RK_CASE(4, 1)
#endif
#if VK_WIDTH == 16 || (VK_WIDTH == 8 && VK_DOT)
        RK_CASE(5, 1) RK_CASE(6, 1)
#endif
#if VK_WIDTH == 16
        RK_CASE(7, 1) RK_CASE(8, 1) RK_CASE(9, 1) RK_CASE(10, 1) RK_CASE(11, 1) RK_CASE(12, 1)
#if VK_DOT
        RK_CASE(13, 1) RK_CASE(14, 1)
#endif
#endif
      }
      return;
#if VK_WIDTH == 16
    case 2:
      switch (pixels) {
        RK_CASE(1, 2) RK_CASE(2, 2) RK_CASE(3, 2) RK_CASE(4, 2) RK_CASE(5, 2) RK_CASE(6, 2)
        RK_CASE(7, 2) RK_CASE(8, 2) RK_CASE(9, 2) RK_CASE(10, 2)
#if VK_DOT
        RK_CASE(11, 2) RK_CASE(12, 2)
#endif
      }
      return;
#if VK_DOT && RK_COMPUTE_BLOCKS > 2
    case 3:
      switch (pixels) {
        RK_CASE(1, 3) RK_CASE(2, 3) RK_CASE(3, 3) RK_CASE(4, 3) RK_CASE(5, 3) RK_CASE(6, 3)
        RK_CASE(7, 3) RK_CASE(8, 3)
      }
      return;
    case 4:
      switch (pixels) {
        RK_CASE(1, 4) RK_CASE(2, 4) RK_CASE(3, 4) RK_CASE(4, 4) RK_CASE(5, 4) RK_CASE(6, 4)
      }
      return;
#endif
#endif
  }
#undef RK_CASE

#undef RK_COMPUTE
#undef RK_COMPUTE_BLOCKS
