// RK_COMPUTE(pixels, RK_CASE_BLOCKS) with constants, a case for every number of pixels up to
// RK_CASE_PIXELS: what stands between the braces of a switch over pixels.

#define RK_CASE(p) \
  case p: RK_COMPUTE(p, RK_CASE_BLOCKS); return;
#if RK_CASE_PIXELS > 0
RK_CASE(1)
#endif
#if RK_CASE_PIXELS > 1
RK_CASE(2)
#endif
#if RK_CASE_PIXELS > 2
RK_CASE(3)
#endif
#if RK_CASE_PIXELS > 3
RK_CASE(4)
#endif
#if RK_CASE_PIXELS > 4
RK_CASE(5)
#endif
#if RK_CASE_PIXELS > 5
RK_CASE(6)
#endif
#if RK_CASE_PIXELS > 6
RK_CASE(7) RK_CASE(8)
#endif
#if RK_CASE_PIXELS > 8
RK_CASE(9) RK_CASE(10)
#endif
#if RK_CASE_PIXELS > 10
RK_CASE(11) RK_CASE(12)
#endif
#if RK_CASE_PIXELS > 12
RK_CASE(13) RK_CASE(14)
#endif
#undef RK_CASE
#undef RK_CASE_BLOCKS
#undef RK_CASE_PIXELS
