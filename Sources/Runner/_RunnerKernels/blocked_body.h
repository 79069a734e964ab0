// Convolution and its companions on channel blocks, at one level. See blocked.c for the layout.

#include "lanes.h"
#include "tile_sizes.h"

#include "blocked_conv_body.h"

#include "blocked_depthwise_body.h"
#include "blocked_planar_body.h"
#include "blocked_pool_body.h"
#include "blocked_winograd_body.h"
