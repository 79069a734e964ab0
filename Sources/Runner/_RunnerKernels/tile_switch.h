// RK_COMPUTE(pixels, blocks) with constants for what `pixels` and `blocks` are, up to the tiles
// RK_COMPUTE_TILE(blocks) of RK_COMPUTE_BLOCKS blocks: every size of tile is compiled by itself.

switch (blocks) {
  case 1:
    switch (pixels) {
#define RK_CASE_BLOCKS 1
#define RK_CASE_PIXELS RK_COMPUTE_TILE(1)
#include "tile_cases.h"
    }
    return;
#if RK_COMPUTE_BLOCKS > 1
  case 2:
    switch (pixels) {
#define RK_CASE_BLOCKS 2
#define RK_CASE_PIXELS RK_COMPUTE_TILE(2)
#include "tile_cases.h"
    }
    return;
#endif
#if RK_COMPUTE_BLOCKS > 2
  case 3:
    switch (pixels) {
#define RK_CASE_BLOCKS 3
#define RK_CASE_PIXELS RK_COMPUTE_TILE(3)
#include "tile_cases.h"
    }
    return;
  case 4:
    switch (pixels) {
#define RK_CASE_BLOCKS 4
#define RK_CASE_PIXELS RK_COMPUTE_TILE(4)
#include "tile_cases.h"
    }
    return;
#endif
}
#undef RK_COMPUTE
#undef RK_COMPUTE_BLOCKS
#undef RK_COMPUTE_TILE
