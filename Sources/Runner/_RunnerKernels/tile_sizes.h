// How much a tile of each kernel holds in registers at the level being compiled. The bodies include
// this, once a level, on purpose without a guard.
//
// A tile is so many output pixels by so many blocks of 16 channels, RK_..._TILE(blocks) and at most
// RK_..._BLOCKS: its sums fill the registers, less those for weights and inputs. tile_cases.h
// compiles every number of pixels up to these.

#undef RK_LANES
#undef RK_CONV_BLOCKS
#undef RK_CONV_TILE
#undef RK_CONV_NEAR
#undef RK_PRECISE_BLOCKS
#undef RK_PRECISE_TILE
#undef RK_PLANAR_BLOCKS
#undef RK_PLANAR_TILE
#undef RK_WINOGRAD_BLOCKS
#undef RK_WINOGRAD_TILE
#undef RK_Q8_BLOCKS
#undef RK_Q8_TILE
#undef RK_BF16_BLOCKS
#undef RK_BF16_TILE
#undef RK_DW_VECTORS
#undef RK_GEMM_ROWS
#undef RK_GEMM_VECTORS

// RK_CONV_NEAR: blocks of 16 by 16 weights, 1 KiB each, that a convolution uses for all its pixels before it goes on
// to others, so that they stay in the first-level cache; 0 if that takes longer than to fetch them from the second one.

/// Vectors in a block.
#define RK_LANES (16 / VK_WIDTH)

/// Vectors of four rows that a depthwise convolution of planes sums at a time.
#if VK_HAS_LANES
#define RK_DW_VECTORS 4
#else
#define RK_DW_VECTORS 2
#endif

#if VK_WIDTH == 16
#define RK_CONV_NEAR 32
#define RK_CONV_BLOCKS 4
#define RK_CONV_TILE(blocks) ((blocks) == 1 ? 14 : (blocks) == 2 ? 12 : (blocks) == 3 ? 8 : 6)
#define RK_PRECISE_BLOCKS 2
#define RK_PRECISE_TILE 6
#define RK_PLANAR_BLOCKS 2
#define RK_PLANAR_TILE(blocks) ((blocks) == 2 ? 6 : 12)
#define RK_WINOGRAD_BLOCKS 2
#define RK_WINOGRAD_TILE 14
#define RK_GEMM_ROWS 12
#define RK_GEMM_VECTORS 2
#if VK_DOT
#define RK_Q8_BLOCKS 4
#define RK_Q8_TILE(blocks) ((blocks) == 1 ? 14 : (blocks) == 2 ? 12 : (blocks) == 3 ? 8 : 6)
#define RK_BF16_BLOCKS 2
#define RK_BF16_TILE(blocks) ((blocks) == 1 ? 14 : 12)
#else
// Without the instructions each vector of weights takes two registers.
#define RK_Q8_BLOCKS 2
#define RK_Q8_TILE(blocks) ((blocks) == 1 ? 12 : 10)
#define RK_BF16_BLOCKS 2
#define RK_BF16_TILE(blocks) ((blocks) == 1 ? 12 : 10)
#endif

#elif VK_WIDTH == 8
#define RK_CONV_NEAR 0
#define RK_CONV_BLOCKS 1
#define RK_CONV_TILE(blocks) 6
#define RK_PRECISE_BLOCKS 1
#define RK_PRECISE_TILE 3
#define RK_PLANAR_BLOCKS 1
#define RK_PLANAR_TILE(blocks) 3
#define RK_WINOGRAD_BLOCKS 1
#define RK_WINOGRAD_TILE 6
#define RK_GEMM_ROWS 6
#define RK_GEMM_VECTORS 2
#define RK_Q8_BLOCKS 1
#define RK_Q8_TILE(blocks) (VK_DOT ? 6 : 4)
#define RK_BF16_BLOCKS 1
#define RK_BF16_TILE(blocks) 4

#elif VK_HAS_LANES
#define RK_CONV_NEAR 0
// 32 vectors.
// More blocks if an image is so narrow that one has few sums.
#define RK_CONV_BLOCKS 4
#define RK_CONV_TILE(blocks) ((blocks) == 1 ? 6 : (blocks) == 2 ? 3 : (blocks) == 3 ? 2 : 1)
#define RK_PRECISE_BLOCKS 1
#define RK_PRECISE_TILE 6
#define RK_PLANAR_BLOCKS 1
#define RK_PLANAR_TILE(blocks) 5
// By lanes from planes: pixels by vectors of 3 taps and pixels 1 apart, of 3 taps and 2 apart, and
// so on.
#define RK_PLANAR_3_1 8, 2
#define RK_PLANAR_3_2 10, 2
#define RK_PLANAR_6_2 5, 4
#define RK_PLANAR_7_2 4, 4
#define RK_WINOGRAD_BLOCKS 1
#define RK_WINOGRAD_TILE 6
#define RK_GEMM_ROWS 6
#define RK_GEMM_VECTORS 4
#define RK_Q8_BLOCKS 1
// Without the instructions each sum takes two registers.
#define RK_Q8_TILE(blocks) (VK_DOT ? 5 : 2)
#define RK_BF16_BLOCKS 1
// Widened, each vector of inputs and of weights takes two registers.
#define RK_BF16_TILE(blocks) (VK_DOT ? 5 : 4)

#else
#define RK_CONV_NEAR 0
#define RK_CONV_BLOCKS 1
#define RK_CONV_TILE(blocks) 2
#define RK_PRECISE_BLOCKS 1
#define RK_PRECISE_TILE 2
#define RK_PLANAR_BLOCKS 1
#define RK_PLANAR_TILE(blocks) 1
#define RK_WINOGRAD_BLOCKS 1
#define RK_WINOGRAD_TILE 2
#define RK_GEMM_ROWS 4
#define RK_GEMM_VECTORS 2
#define RK_Q8_BLOCKS 1
#define RK_Q8_TILE(blocks) 2
#define RK_BF16_BLOCKS 1
#define RK_BF16_TILE(blocks) 2
#endif
