#include "ClusteringKernels.h"
#include "VectorKernels.h"

#include <math.h>
#include <string.h>

/// A merge as the chain finds it.
typedef struct ck_found {
  double distance;
  /// In which order it was found.
  int32_t number;
  /// Whether its distance was taken in double precision.
  int32_t is_exact;
} ck_found;

/// What the chain keeps in its room.
typedef struct ck_room {
  /// The merges so far, by distance.
  ck_found *found;
  /// Directions' sums in double precision.
  double *sums[2];
  /// For each row one over its length; 0 before it was asked for.
  double *scales;
  /// For each merge its two clusters: a row, or count plus the number of a merge.
  int32_t *first, *second;
  /// For each row how many rows are in the cluster that goes under its number, and which that is.
  int32_t *sizes, *nodes;
  /// The rows under whose numbers there are clusters, ascending, and for each place of a row of distances
  /// infinity where there is none any more.
  int32_t *left;
  float *gone;
  int32_t *chain, *pending, *places;
} ck_room;

size_t ck_average_tree_room(ptrdiff_t count, ptrdiff_t width) {
  return (size_t)count * (sizeof(ck_found) + sizeof(double) + 8 * sizeof(int32_t)) +
      2 * (size_t)width * sizeof(double) + (size_t)ck_distance_stride(count) * sizeof(float);
}

static ck_room divided(void *room, ptrdiff_t count, ptrdiff_t width) {
  ck_room parts;
  parts.found = room;
  parts.sums[0] = (double *)(parts.found + count);
  parts.sums[1] = parts.sums[0] + width;
  parts.scales = parts.sums[1] + width;
  parts.first = (int32_t *)(parts.scales + count);
  parts.second = parts.first + count;
  parts.sizes = parts.second + count;
  parts.nodes = parts.sizes + count;
  parts.chain = parts.nodes + count;
  parts.pending = parts.chain + count;
  parts.places = parts.pending + count;
  parts.left = parts.places + count;
  parts.gone = (float *)(parts.left + count);
  return parts;
}

/// The sum of the directions of a cluster's rows; how many these are.
static int32_t direction_sum(
    const ck_tree_task *task, ck_room room, int32_t node, double *restrict sum) {
  int32_t waiting = 0, members = 0;
  memset(sum, 0, (size_t)task->width * sizeof(double));
  room.pending[waiting++] = node;
  while (waiting > 0) {
    node = room.pending[--waiting];
    if (node >= task->count) {
      room.pending[waiting++] = room.first[node - task->count];
      room.pending[waiting++] = room.second[node - task->count];
      continue;
    }
    const float *row = task->rows + node * task->width;
    if (room.scales[node] == 0)
      room.scales[node] = 1 / sqrt(vk_dot_f32_f32(row, row, task->width));
    vk_add_scaled_f32_f64(room.scales[node], row, sum, task->width);
    members++;
  }
  return members;
}

/// The mean distance between the rows of a cluster and those of the one whose sum is in sums[0].
static double exact_distance(
    const ck_tree_task *task, ck_room room, int32_t members, int32_t node) {
  double size = (double)members * direction_sum(task, room, node, room.sums[1]);
  double distance = 1 - vk_dot_f64_f64(room.sums[0], room.sums[1], task->width) / size;
  return distance < 0 ? 0 : distance > 2 ? 2 : distance;
}

/// Which of a row's nearest is the nearest, those told apart by double precision that single leaves open; -1
/// where two are equal. `value` is that of the least, `distance` becomes the chosen one's.
static ptrdiff_t decided(
    const ck_tree_task *task, ck_room room, int32_t row, float value, double *distance) {
  const float *values = task->distances + row * ck_distance_stride(task->count);
  int32_t members = direction_sum(task, room, room.nodes[row], room.sums[0]);
  double best = INFINITY, second = INFINITY;
  ptrdiff_t nearest = -1;
  for (ptrdiff_t other = 0; other < task->count; other++) {
    if (!(values[other] + room.gone[other] < value + task->doubt)) continue;
    double exact = exact_distance(task, room, members, room.nodes[other]);
    if (exact < best) {
      second = best;
      best = exact;
      nearest = other;
    } else if (exact < second) {
      second = exact;
    }
  }
  *distance = best;
  return second - best < task->rounding ? -1 : nearest;
}

/// Puts a merge in its place among those before it.
static void insert(ck_found *found, ptrdiff_t place, ck_found merge) {
  for (; place > 0; place--) {
    ck_found before = found[place - 1];
    if (before.distance < merge.distance ||
        (before.distance == merge.distance && before.number < merge.number))
      break;
    found[place] = before;
  }
  found[place] = merge;
}

#define VK_BODY "tree_body.h"
#include "levels.h"

/// Takes merges again that single precision may have put in a wrong order, or on the wrong side of the cut.
static void sharpen(const ck_tree_task *task, ck_room room) {
  ptrdiff_t count = task->count - 1;
  int changes = 0;
  for (ptrdiff_t place = 0; place < count; place++) {
    ck_found *merge = room.found + place;
    if (merge->is_exact) continue;
    int is_doubtful =
        (place > 0 && merge->distance - merge[-1].distance < task->doubt) ||
        (place + 1 < count && merge[1].distance - merge->distance < task->doubt) ||
        fabs(merge->distance - task->cut) < task->doubt;
    if (!is_doubtful) continue;
    int32_t members = direction_sum(task, room, room.first[merge->number], room.sums[0]);
    merge->distance = exact_distance(task, room, members, room.second[merge->number]);
    merge->is_exact = changes = 1;
  }
  // What was right to within the doubt moves by a few places at most, and past nothing else.
  if (changes)
    for (ptrdiff_t place = 1; place < count; place++) insert(room.found, place, room.found[place]);
}

/// Joins the chain's merges into a tree.
static void join(const ck_tree_task *task, ck_room room, ck_merge *merges) {
  int32_t count = (int32_t)task->count, *places = room.places;
  // For each merge as it was found its number in the tree.
  for (int32_t place = 0; place < count - 1; place++) places[room.found[place].number] = place;
  for (int32_t place = 0; place < count - 1; place++) {
    int32_t number = room.found[place].number, ends[2] = {room.first[number], room.second[number]};
    int32_t size = 0;
    for (int end = 0; end < 2; end++) {
      if (ends[end] >= count) {
        ends[end] = places[ends[end] - count];
        size += merges[ends[end]].size;
        ends[end] += count;
      } else {
        size += 1;
      }
    }
    merges[place].left = ends[0] < ends[1] ? ends[0] : ends[1];
    merges[place].right = ends[0] < ends[1] ? ends[1] : ends[0];
    merges[place].size = size;
    merges[place].distance = room.found[place].distance;
  }
}

static int chain(const ck_tree_task *task, ck_room room) { VK_CHOOSE(ck_chain, (task, room)) }

int ck_average_tree_f32(const ck_tree_task *task, void *room, ck_merge *merges) {
  if (task->count < 2) return 1;
  ck_room parts = divided(room, task->count, task->width);
  if (!chain(task, parts)) return 0;
  sharpen(task, parts);
  join(task, parts, merges);
  return 1;
}
