#pragma once

// Average linkage of cosine distances between few rows.
//
// Nothing here checks sizes against memory: that is the caller's part.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The floats from one row of distances to the next: a multiple of 16, at least `count`.
ptrdiff_t ck_distance_stride(ptrdiff_t count);

/// The cosine distances, 0 to 2, between every two of `count` rows of `width` floats, which lie one
/// after the other: a square matrix with infinity on its diagonal and past its columns. Rows need not
/// be of length 1.
///
/// `scales` is room for `count` floats. Answers 0 where the square of a row's length is not within
/// 1e-30 and 1e30, so that the distances are of no use; else 1.
int ck_cosine_distances_f32(
    const float *rows, ptrdiff_t count, ptrdiff_t width, float *distances, float *scales);

/// A merge of a tree: two clusters, the lower first, as SciPy numbers them.
typedef struct ck_merge {
  int32_t left, right;
  int32_t size;
  double distance;
} ck_merge;

/// What ck_average_tree_f32 makes a tree of.
typedef struct ck_tree_task {
  const float *rows;
  ptrdiff_t count, width;
  /// As of ck_cosine_distances_f32; lost.
  float *distances;
  /// Distances in single precision that are nearer to each other may stand the wrong way round, and are
  /// taken again in double precision.
  double doubt;
  /// Distances in double precision that are nearer to each other are equal.
  double rounding;
  /// Where the tree will be cut: merges near it are taken again too. Negative where that is not known.
  double cut;
} ck_tree_task;

/// The bytes of room that ck_average_tree_f32 wants, aligned as doubles are.
size_t ck_average_tree_room(ptrdiff_t count, ptrdiff_t width);

/// The count - 1 merges of average linkage, the nearest first, by nearest-neighbour chain.
///
/// Answers 0 where two neighbours of a cluster are equally near: which is meant is the caller's to say.
/// Else 1.
int ck_average_tree_f32(const ck_tree_task *task, void *room, ck_merge *merges);

#ifdef __cplusplus
}
#endif
