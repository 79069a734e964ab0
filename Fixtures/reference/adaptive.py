#!/usr/bin/env python
"""Adaptive counting, by NumPy, SciPy, scikit-learn and ONNX Runtime.

    python Fixtures/reference/adaptive.py IMAGE... --detector FILE --embedder FILE

Counts the objects of the main kind and of all kinds in a photo, with any YOLOX and any embedder.
Prints one JSON object a line per image. `Parameters` holds every constant and a switch for every
part. All arithmetic after the network is float64. In order:

1.  **Level.** At level n the photo is cut into n x n tiles of equal size, each overlapping its
    neighbour by `overlap` of a tile: along a side of L pixels a tile is t = L / (n - (n - 1)
    overlap) long, tile i covers [round(i (1 - overlap) t), round(i (1 - overlap) t + t)), round
    half up, clamped to the photo. Each tile goes through the detector as SPEC section 1 says
    (letterbox, decode, score >= `confidence`, suppression at IoU > `tile_nms`). A box is
    dropped if any of its edges lies within max(`border_pixels`, `border_fraction` * longer tile
    side) of a tile border that is not the photo's own. The others, in row-major order of tiles,
    are moved and clipped to the photo; empty boxes and those larger than `largest` of the photo
    are dropped; then one suppression at IoU > `tile_nms` over all tiles.

2.  **Density.** `WeightedDensity`: weights spread linearly onto a grid of step bandwidth / 8 that
    begins at the least value, then summed under a Gaussian kernel cut at 4 bandwidths (not
    normalised: one value of weight 1 has the peak 1). The mode is the highest node, the lowest of
    those that tie, moved by the parabola through it and its two neighbours; the peak is the
    node's own height.

3.  **Size mode.** v = ln(width * height) / 2, weight score^`weight_power`; m the mode, bandwidth
    `size_bandwidth`. Perspective: for slopes b in -`slope_limit`...`slope_limit`, step
    `slope_step`, in ascending order, the peak of v - b * p, p the box's center y / photo height -
    1/2; the best slope (the first of those that tie) is taken only if its peak is at least
    1 + `slope_gain` times that without. The same for x on what y leaves.
    u = v - slopes - m.

4.  **Aspect mode.** a = ln(width / height); the mode of a over the boxes with |u| <= ln
    `size_band`, same weights, bandwidth `aspect_bandwidth`; da = a - mode.

5.  **Band.** A box stays if |u| <= ln `size_band` and |da| <= ln `aspect_band`. A box that touches
    the photo's frame (within `frame_pixels`) may stay by its uncut side instead: with the expected
    sides w = exp(m + slopes + mode / 2) and h = exp(m + slopes - mode / 2), its uncut side s
    has to fit, |ln(s / expected)| <= `frame_fit` * ln `size_band`, and its cut side has to be at
    least `frame_least` of the expected and at most `size_band` times it; then u = ln(s / expected)
    and da = 0. A box cut on both axes stays only by the first rule.

6.  **Fit.** fit = sqrt(score) * exp(-(u / (ln size_band / 2))^2 / 2)
    * exp(-(da / (ln aspect_band / 2))^2 / 2).

7.  **Containment.** Greedy suppression, best fit first (ties by order), of boxes whose intersection
    with a kept one is more than `containment` of the smaller of the two areas.

8.  **Choice of the level.** A level's worth is the sum of the squared scores that steps 3-7 keep,
    times exp(-z^2 / 2), where z = ln(exp(m) in network pixels / `target`), over `target_above` if
    it is positive and the level is not 1, over `target_below` otherwise: an object much larger
    than the target would have been seen at the level before. Levels are tried in ascending
    order and the one of the greatest worth counts (the lowest of those that tie). In comparing a
    level with b, the best so far, each of its scores is multiplied by 1 - w, w the best score of a
    box that b kept, at least `part_larger` times as large and holding at least `part_share` of this
    one, if exp(m) of b is at least `part_side` network pixels: what was seen whole does not lose
    against its parts. Before each level n after the first, with p b's exp(m) in network pixels at n:
    the search ends if p > `enough` * `target` and the score-weighted median of b (9) is at least
    `sure`; and, for n > `levels`, also unless b is level n - 1 and its own exp(m) in network
    pixels is less than `deep` * `target`. It ends at `deepest` at the latest.

9.  **Cut.** M is the score-weighted median of the kept scores (ascending scores: the first at
    which the running sum reaches half of the total); score >= `cut` * M stays.
    Other sizes: of the chosen level's boxes, those with a score of at least max(`other_score` * M,
    `other_least`) and sqrt(width * height) within exp(m) / `other_smaller`...exp(m) *
    `other_larger` that have at most `other_overlap` of the smaller area in common with any box
    that stayed; suppressed among themselves as in 7, best score first (ties by order), at more than
    `other_nms`; they come after the others. All objects are these together.

10. **Kinds.** From `least_for_kinds` boxes on. `views` of each box, its corners truncated to
    integers: "squashed", the crop resized to the embedder's square whatever its shape; "center",
    the crop as SPEC section 1 embeds it (shortest side to the embedder's, center square);
    "context", likewise the square of the longer side around the box's center, cut off at the
    photo's frame. Distance: the least 1 - cosine of the views. Average linkage; for k in
    2...`most_kinds` the flat cut with k clusters, if at least two of them hold `least_of_kind`
    boxes (one odd box is no second kind); its mean silhouette (the first best of those that tie);
    k kinds if it is at least `silhouette` and the mean distance between boxes of different kinds at
    least `least_distance`, else one. So two things have to speak for a split: clusters that
    stand apart for their width, and, with an embedder trained to tell kinds, apart at all.
    With `cut_boxes_follow`, boxes that touch the frame (5) do not speak for a kind of their own:
    where `least_for_kinds` others remain, only those are split, and each that touches then joins
    the kind of the least mean distance.
    Main kind: the largest; ties go to the larger sum of scores, then to the kind of the first box.
    Kinds are numbered by size in that order, main kind 0.

By example. With a box that a user drew around one object, what looks like it is counted:
*   8: the one level at which the drawn box's sqrt(width * height) comes nearest to `target` by
    ratio (ties: the lower) is used.
*   3: slopes as above; m is the highest node of the density within ln(`size_band`) / 2 of the drawn
    box's own v - slopes, or that value where no node is so near.
*   4: with e = |ln(width / height)| of the drawn box, da = max(0, |a| - e): nothing much longer
    than the drawn box, however it lies. For the frame rule the mode is the drawn box's.
*   7: the drawn box goes first, whatever its fit, so it stands for what was detected there; its
    score is the score-weighted median of the other kept ones (1 where there are none).
*   10: kinds are split at `like_silhouette`; the main kind is the drawn box's.
"""

import argparse
import dataclasses
import json
import math

import numpy as np
from PIL import Image
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import silhouette_score

from count import NORMALIZATIONS, preprocess
from detect import detect, read_image, session, suppress


@dataclasses.dataclass(frozen=True)
class Parameters:
    """Every constant and switch of the method; lengths in photo pixels unless said otherwise."""

    confidence: float = 0.001  # least score of a detection
    overlap: float = 0.25  # of neighbouring tiles, as a share of a tile
    border_pixels: float = 4.0  # a box this near to an inner tile border is dropped
    border_fraction: float = 0.012  # the same as a share of the longer tile side; the larger counts
    largest: float = 0.5  # boxes of a larger share of the photo are dropped
    tile_nms: float = 0.65  # IoU
    levels: int = 3  # tried unless objects get too large; 1, with `deepest` 1, turns tiling off
    deepest: int = 4  # tried only where objects are still small
    target: float = 80.0  # network pixels of a typical object's side that suit the detector
    part_share: float = 0.7  # of a box in a larger one of the level before; above 1 turns it off
    part_larger: float = 1.6  # times the area, at least
    part_side: float = 40.0  # least typical side of that level, network pixels
    target_below: float = 1.0  # spread of ln(side / target) for smaller objects
    target_above: float = 0.3  # and for larger ones
    enough: float = 1.6
    sure: float = 0.6
    deep: float = 0.6

    weight_power: float = 0.5  # of the score, for densities
    size_bandwidth: float = 0.12  # in ln(side)
    size_band: float = 1.5  # largest factor between a side and the mode's
    perspective: bool = True
    slope_limit: float = 2.0  # in ln(side) over the photo's whole height or width
    slope_step: float = 0.1
    slope_gain: float = 0.15  # least relative rise of the peak
    aspect_bandwidth: float = 0.12
    aspect: bool = True
    aspect_band: float = 1.8
    frame_rule: bool = True
    frame_pixels: float = 2.0
    frame_fit: float = 0.75
    frame_least: float = 0.25
    containment: float = 0.45  # intersection over the smaller area; 1 or more turns it off

    cut: float = 0.06  # times the score-weighted median; 0 turns it off
    other_sizes: bool = True  # sure boxes of other sizes are objects too
    other_score: float = 0.8
    other_least: float = 0.6
    other_smaller: float = 2.0
    other_larger: float = 2.5
    other_overlap: float = 0.2
    other_nms: float = 0.3
    kinds: bool = True
    views: tuple = ("squashed",)
    least_for_kinds: int = 5
    most_kinds: int = 8
    least_of_kind: int = 2
    silhouette: float = 0.5
    least_distance: float = 0.0  # 0 for features of ImageNet, whose distances say little
    like_silhouette: float = 0.4  # with a drawn box: its user expects other kinds
    cut_boxes_follow: bool = False # boxes that touch the frame have no say in the split


# For the bundled detector, of one class: its scores are near to probabilities, and what it scores low
# is texture, much of it and small. The same as Swift's `suitedToBundledModels(embedder: false)`.
ONE_CLASS = dataclasses.replace(
    Parameters(), confidence=0.35, tile_nms=0.55, target=50.0, size_band=1.4, cut=0.5)


# Level: tiles and detections


def tile_spans(length, count, overlap):
    """Integer [start, end) of `count` overlapping tiles along a side."""
    tile = length / (count - (count - 1) * overlap)
    starts = [i * (1 - overlap) * tile for i in range(count)]
    return [
        (math.floor(s + 0.5), min(length, math.floor(s + tile + 0.5))) for s in starts
    ]


def tiles(width, height, level, overlap):
    """Rectangles x1, y1, x2, y2 of a level's tiles, row by row."""
    rows = tile_spans(height, level, overlap)
    columns = tile_spans(width, level, overlap)
    return [(x1, y1, x2, y2) for y1, y2 in rows for x1, x2 in columns]


def whole_boxes(boxes, tile, width, height, parameters):
    """Which boxes, in the tile's pixels, are not cut by a border inside the photo."""
    x1, y1, x2, y2 = tile
    margin = max(parameters.border_pixels, parameters.border_fraction * max(x2 - x1, y2 - y1))
    keep = np.ones(len(boxes), bool)
    if x1 > 0:
        keep &= boxes[:, 0] >= margin
    if y1 > 0:
        keep &= boxes[:, 1] >= margin
    if x2 < width:
        keep &= boxes[:, 2] <= x2 - x1 - margin
    if y2 < height:
        keep &= boxes[:, 3] <= y2 - y1 - margin
    return keep


def level_detections(detections_in, width, height, level, parameters):
    """Boxes and scores of all tiles of a level, suppressed as one, best score first.

    `detections_in(tile)` gives the detector's boxes (in the tile's pixels) and scores.
    """
    boxes, scores = [], []
    for tile in tiles(width, height, level, parameters.overlap):
        found, score = detections_in(tile)
        found = np.asarray(found, np.float64).reshape(-1, 4)
        keep = whole_boxes(found, tile, width, height, parameters)
        boxes.append(found[keep] + (tile[0], tile[1], tile[0], tile[1]))
        scores.append(np.asarray(score, np.float64)[keep])
    boxes, scores = np.concatenate(boxes), np.concatenate(scores)
    boxes[:, 0::2] = boxes[:, 0::2].clip(0, width)
    boxes[:, 1::2] = boxes[:, 1::2].clip(0, height)
    sides = boxes[:, 2:] - boxes[:, :2]
    keep = (sides > 0).all(1) & (sides.prod(1) <= parameters.largest * width * height)
    boxes, scores = boxes[keep], scores[keep]
    keep = suppress(boxes, scores, parameters.tile_nms)
    return boxes[keep], scores[keep]


def network_scale(width, height, level, overlap, side):
    """Network pixels per photo pixel at a level, for a network of side = (height, width)."""
    x1, y1, x2, y2 = tiles(width, height, level, overlap)[0]
    return min(side[0] / (y2 - y1), side[1] / (x2 - x1))


# Density


class WeightedDensity:
    """A Gaussian kernel density on a grid; see the module's documentation, 2."""

    NODES_PER_BANDWIDTH = 8
    REACH = 4  # bandwidths

    def __init__(self, values, weights, bandwidth):
        self.step = bandwidth / self.NODES_PER_BANDWIDTH
        self.origin = values.min()
        position = (values - self.origin) / self.step
        node = np.floor(position).astype(int)
        share = position - node
        bins = np.bincount(node, weights * (1 - share), node.max() + 2)
        bins += np.bincount(node + 1, weights * share, node.max() + 2)
        reach = self.REACH * self.NODES_PER_BANDWIDTH
        offsets = np.arange(-reach, reach + 1)
        kernel = np.exp(-((offsets / self.NODES_PER_BANDWIDTH) ** 2) / 2)
        self.heights = np.convolve(bins, kernel)[reach : reach + len(bins)]

    def mode(self, near=None, within=None):
        """The mode and the height of its node; with `near`, among nodes `within` of that value.

        `near` itself and 0 where no node is so near.
        """
        heights = self.heights
        if near is not None:
            nodes = self.origin + self.step * np.arange(len(heights))
            heights = np.where(np.abs(nodes - near) <= within, heights, -1.0)
            if heights.max() <= 0:
                return near, 0.0
        top = int(heights.argmax())
        place = float(top)
        if 0 < top < len(self.heights) - 1:
            below, here, above = self.heights[top - 1 : top + 2]
            bend = below - 2 * here + above
            if bend < 0:
                place += (below - above) / bend / 2
        return self.origin + place * self.step, self.heights[top]


def slope(values, places, weights, parameters):
    """The slope of values over places that gathers them best; 0 if none gathers them clearly."""

    def peak(b):
        return WeightedDensity(values - b * places, weights, parameters.size_bandwidth).mode()[1]

    steps = round(parameters.slope_limit / parameters.slope_step)
    slopes = [i * parameters.slope_step for i in range(-steps, steps + 1)]
    peaks = [peak(b) for b in slopes]
    best = int(np.argmax(peaks))
    return slopes[best] if peaks[best] >= (1 + parameters.slope_gain) * peak(0.0) else 0.0


# Selection


def weighted_median(scores):
    """The score at which the running sum of the ascending scores reaches half of the total."""
    ascending = np.sort(scores)
    sums = np.cumsum(ascending)
    return float(ascending[np.searchsorted(sums, sums[-1] / 2)])


@dataclasses.dataclass
class Selection:
    """Boxes of the typical size and shape at one level."""

    level: int
    boxes: np.ndarray
    scores: np.ndarray
    fits: np.ndarray
    size: float  # mode of the side, photo pixels
    slopes: tuple  # ln(side) over the photo's height, width
    aspect: float  # mode of ln(width / height)
    stages: dict  # how many boxes each step let through
    detected: tuple  # boxes and scores of the level


def frame_cuts(boxes, width, height, pixels):
    """Whether each box touches the left or right, and the top or bottom, of the photo."""
    across = (boxes[:, 0] <= pixels) | (boxes[:, 2] >= width - pixels)
    down = (boxes[:, 1] <= pixels) | (boxes[:, 3] >= height - pixels)
    return across, down


def contained(boxes, order, limit):
    """Greedy: indices to keep, in the given order, by intersection over the smaller area."""
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(1)
    kept = []
    while order.size:
        best, order = order[0], order[1:]
        kept.append(int(best))
        left_top = np.maximum(boxes[best, :2], boxes[order, :2])
        right_bottom = np.minimum(boxes[best, 2:], boxes[order, 2:])
        intersection = np.maximum(right_bottom - left_top, 0).prod(1)
        order = order[~(intersection / np.minimum(areas[best], areas[order]) > limit)]
    return np.array(kept, int)


def select(boxes, scores, width, height, level, parameters, like=None):
    """Steps 3 to 7; None where nothing was detected.

    With `like`, a drawn box x1, y1, x2, y2, the first of the boxes kept is that one.
    """
    if like is not None:
        boxes, scores = np.vstack((like, boxes)), np.concatenate(((0.0,), scores))
    if not len(boxes):
        return None
    sides = boxes[:, 2:] - boxes[:, :2]
    values = np.log(sides.prod(1)) / 2
    weights = scores**parameters.weight_power
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    across, down = middles[:, 0] / width - 0.5, middles[:, 1] / height - 0.5
    slopes = (0.0, 0.0)
    expected = np.zeros(len(boxes))
    if parameters.perspective:
        over_y = slope(values, down, weights, parameters)
        over_x = slope(values - over_y * down, across, weights, parameters)
        slopes = (over_y, over_x)
        expected = over_y * down + over_x * across
    density = WeightedDensity(values - expected, weights, parameters.size_bandwidth)
    size_band, aspect_band = math.log(parameters.size_band), math.log(parameters.aspect_band)
    near = None if like is None else values[0] - expected[0]
    size_mode = density.mode(near, size_band / 2)[0]
    u = values - expected - size_mode
    sized = np.abs(u) <= size_band

    ratios = np.log(sides[:, 0] / sides[:, 1])
    if like is None:
        density = WeightedDensity(ratios[sized], weights[sized], parameters.aspect_bandwidth)
        aspect_mode = density.mode()[0]
        da = ratios - aspect_mode
    else:
        aspect_mode = ratios[0]
        da = np.maximum(np.abs(ratios) - abs(aspect_mode), 0)
    da *= parameters.aspect
    shaped = sized & (np.abs(da) <= aspect_band)

    framed = np.zeros(len(boxes), bool)
    if parameters.frame_rule:
        cuts = frame_cuts(boxes, width, height, parameters.frame_pixels)
        for cut_axis in (0, 1):
            signs = np.array((0.5, -0.5)) * aspect_mode
            logs = np.log(sides) - (size_mode + expected)[:, None] - signs
            fits = np.abs(logs[:, 1 - cut_axis]) <= parameters.frame_fit * size_band
            fits &= logs[:, cut_axis] >= math.log(parameters.frame_least)
            fits &= logs[:, cut_axis] <= size_band
            fits &= cuts[cut_axis] & ~cuts[1 - cut_axis] & ~shaped
            u[fits], da[fits] = logs[fits, 1 - cut_axis], 0.0
            framed |= fits

    keep = np.flatnonzero(shaped | framed)
    fits = np.sqrt(scores) * np.exp(-((u / (size_band / 2)) ** 2) / 2)
    fits *= np.exp(-((da / (aspect_band / 2)) ** 2) / 2)
    order = keep[np.argsort(-fits[keep], kind="stable")]
    if like is not None:
        order = np.concatenate(((0,), order[order != 0]))
    kept = contained(boxes, order, parameters.containment)
    if like is not None:
        scores[0] = weighted_median(scores[kept[1:]]) if len(kept) > 1 else 1.0
        fits[0] = math.sqrt(scores[0])
    stages = {
        "detected": len(boxes),
        "size": int(sized.sum()),
        "aspect": int(shaped.sum()),
        "frame": len(keep),
        "contained": len(kept),
    }
    return Selection(
        level, boxes[kept], scores[kept], fits[kept], math.exp(size_mode), slopes, aspect_mode,
        stages, (boxes, scores),
    )


# Choice of the level


def sureness_of_wholes(selection, before, scale, parameters):
    """Of each box, the best score of what the level before saw around it; 0 if nothing."""
    none = np.zeros(len(selection.boxes))
    if before is None or before.size * scale < parameters.part_side:
        return none
    parts, wholes = selection.boxes[:, None], before.boxes[None]
    sides = np.minimum(parts[..., 2:], wholes[..., 2:]) - np.maximum(parts[..., :2], wholes[..., :2])
    areas = (parts[..., 2:] - parts[..., :2]).prod(-1)
    inside = np.maximum(sides, 0).prod(-1) >= parameters.part_share * areas
    inside &= (wholes[..., 2:] - wholes[..., :2]).prod(-1) >= parameters.part_larger * areas
    return np.where(inside, before.scores[None], 0.0).max(1, initial=0.0)


def worth(selection, scale, parameters, before=None, scale_before=1.0):
    """How much a level shows, at `scale` network pixels per photo pixel, `before` being the best so far."""
    z = math.log(selection.size * scale / parameters.target)
    above = z > 0 and selection.level > 1
    z /= parameters.target_above if above else parameters.target_below
    sure = selection.scores * (1 - sureness_of_wholes(selection, before, scale_before, parameters))
    return float((sure**2).sum()) * math.exp(-(z**2) / 2)


def goes_on(best, level, scales, parameters):
    """Whether the search goes on to a level, `best` being the best selection so far."""
    if best is None:
        return level <= parameters.levels
    if best.size * scales[level] > parameters.enough * parameters.target:
        if weighted_median(best.scores) >= parameters.sure:
            return False
    if level <= parameters.levels:
        return True
    small = best.size * scales[best.level] < parameters.deep * parameters.target
    return best.level == level - 1 and small


def level_for(like, scales, parameters):
    """The level at which a drawn box comes nearest to the target size."""
    size = math.sqrt((like[2] - like[0]) * (like[3] - like[1]))
    return min(scales, key=lambda n: (abs(math.log(size * scales[n] / parameters.target)), n))


def best_level(detections_in, width, height, side, parameters, like=None):
    """Step 8: the selection of the level that counts, and the levels tried with theirs."""
    levels = range(1, max(parameters.levels, parameters.deepest) + 1)
    scales = {n: network_scale(width, height, n, parameters.overlap, side) for n in levels}
    if like is not None:
        level = level_for(like, scales, parameters)
        boxes, scores = level_detections(detections_in, width, height, level, parameters)
        found = select(boxes, scores, width, height, level, parameters, like)
        return found, [(level, found)]
    best, most, tried = None, 0.0, []
    for level in levels:
        if level > 1 and not goes_on(best, level, scales, parameters):
            break
        boxes, scores = level_detections(detections_in, width, height, level, parameters)
        found = select(boxes, scores, width, height, level, parameters)
        tried.append((level, found))
        if found is None:
            continue
        before = scales[best.level] if best is not None else 1.0
        if worth(found, scales[level], parameters, best, before) > most:
            best, most = found, worth(found, scales[level], parameters)
    return best, tried


def other_sizes(selection, kept, parameters):
    """Indices into `selection.detected` of sure boxes that lie apart from the kept ones."""
    boxes, scores = selection.detected
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(1)
    least = parameters.other_score * weighted_median(selection.scores)
    sides = np.sqrt(areas) / selection.size
    sure = scores >= max(least, parameters.other_least)
    sure &= (sides >= 1 / parameters.other_smaller) & (sides <= parameters.other_larger)
    apart = []
    for i in np.flatnonzero(sure):
        left_top = np.maximum(boxes[i, :2], kept[:, :2])
        intersection = np.maximum(np.minimum(boxes[i, 2:], kept[:, 2:]) - left_top, 0).prod(1)
        smaller = np.minimum(areas[i], (kept[:, 2:] - kept[:, :2]).prod(1))
        if (intersection <= parameters.other_overlap * smaller).all():
            apart.append(i)
    apart = np.array(apart, int)
    order = apart[np.argsort(-scores[apart], kind="stable")]
    return contained(boxes, order, parameters.other_nms)


# Kinds


def crop_corners(boxes, width, height):
    """Corners truncated to integers, at least one pixel inside the photo."""
    corners = np.trunc(boxes).astype(np.int64)
    corners[:, 0] = corners[:, 0].clip(0, width - 1)
    corners[:, 1] = corners[:, 1].clip(0, height - 1)
    corners[:, 2] = np.maximum(corners[:, 2].clip(0, width), corners[:, 0] + 1)
    corners[:, 3] = np.maximum(corners[:, 3].clip(0, height), corners[:, 1] + 1)
    return corners


def crop_view(image, corners, view, side):
    """A view of a box in an RGB image, before the preprocessing of an embedder of that side."""
    x1, y1, x2, y2 = corners
    if view == "context":
        height, width = image.shape[:2]
        half, x, y = max(x2 - x1, y2 - y1) / 2, (x1 + x2) / 2, (y1 + y2) / 2
        x1, y1 = (max(0, math.trunc(v)) for v in (x - half, y - half))
        x2, y2 = min(width, math.trunc(x + half)), min(height, math.trunc(y + half))
    crop = np.ascontiguousarray(image[y1 : max(y2, y1 + 1), x1 : max(x2, x1 + 1)])
    if view == "squashed":
        crop = np.asarray(Image.fromarray(crop).resize((side, side), Image.Resampling.BICUBIC))
    return crop


def view_distances(embeddings):
    """Distances of boxes from the embeddings of their views (a list of L2-normalised matrices)."""
    distances = np.min([1 - rows @ rows.T for rows in embeddings], axis=0)
    distances = np.maximum((distances + distances.T) / 2, 0)
    np.fill_diagonal(distances, 0)
    return distances


def split(distances, parameters, least):
    """Labels of kinds (one if the best silhouette is below `least`), those of the best
    silhouette however low, and that silhouette."""
    count = len(distances)
    one, best = np.zeros(count, int), -1.0
    labels = one
    if not parameters.kinds or count < parameters.least_for_kinds:
        return one, one, best
    tree = linkage(squareform(distances, checks=False), "average")
    for k in range(2, min(parameters.most_kinds, count - 1) + 1):
        flat = fcluster(tree, k, "maxclust")
        if np.sum(np.bincount(flat) >= parameters.least_of_kind) < 2:
            continue
        score = silhouette_score(distances, flat, metric="precomputed")
        if score > best:
            labels, best = flat, score
    different = labels[:, None] != labels[None]
    apart = distances[different].mean() if different.any() else 0.0
    least = least if apart >= parameters.least_distance else math.inf
    return labels if best >= least else one, labels, float(best)


def split_with_cut(distances, cut, parameters, least):
    """`split` of the boxes that are not cut by the frame; the others join the nearest kind."""
    whole, part = np.flatnonzero(~cut), np.flatnonzero(cut)
    if not len(part) or len(whole) < parameters.least_for_kinds:
        return split(distances, parameters, least)
    *labelings, silhouette = split(distances[np.ix_(whole, whole)], parameters, least)
    for i, found in enumerate(labelings):
        kinds = np.unique(found)
        means = [distances[np.ix_(part, whole[found == kind])].mean(1) for kind in kinds]
        labelings[i] = np.zeros(len(distances), int)
        labelings[i][whole], labelings[i][part] = found, kinds[np.argmin(means, axis=0)]
    return *labelings, silhouette


def by_size(labels, scores, first=None):
    """Labels renumbered: most boxes first, then the larger sum of scores, then the first box.

    With `first`, the index of a box, its kind comes before all others.
    """
    kinds = {}
    for i, label in enumerate(labels):
        kinds.setdefault(int(label), []).append(i)
    order = sorted(kinds.values(), key=lambda m: (first not in m, -len(m), -scores[m].sum(), m[0]))
    numbers = np.zeros(len(labels), int)
    for number, members in enumerate(order):
        numbers[members] = number
    return numbers


# The whole


@dataclasses.dataclass
class Count:
    """What a photo holds."""

    boxes: np.ndarray
    scores: np.ndarray
    kinds: np.ndarray  # kind of each box, main kind 0
    silhouette: float
    split: np.ndarray  # kinds by the best silhouette, whether it sufficed or not
    tried: list  # levels and their selections
    selection: Selection

    @property
    def main(self):
        return int((self.kinds == 0).sum())

    @property
    def all(self):
        return len(self.kinds)


def count(
    detections_in, embeddings_of, width, height, side, parameters=Parameters(), like=None
):
    """Counts with any detector and embedder.

    `detections_in(tile)`: boxes in the tile's pixels, and scores. `embeddings_of(corners)`: a list
    of matrices, one a view, a row a box. `side`: height, width of the detector's input. `like`:
    corners of a box drawn around one of the objects to count.
    """
    selection, tried = best_level(detections_in, width, height, side, parameters, like)
    if selection is None:
        nothing = np.zeros(0)
        none = nothing.astype(int)
        return Count(np.zeros((0, 4)), nothing, none, -1.0, none, tried, None)
    keep = selection.scores >= parameters.cut * weighted_median(selection.scores)
    boxes, scores = selection.boxes[keep], selection.scores[keep]
    if parameters.other_sizes and like is None:
        others = other_sizes(selection, boxes, parameters)
        boxes = np.vstack((boxes, selection.detected[0][others]))
        scores = np.concatenate((scores, selection.detected[1][others]))
    labels, silhouette = np.zeros(len(boxes), int), -1.0
    best = labels
    if parameters.kinds and len(boxes) >= parameters.least_for_kinds:
        embeddings = embeddings_of(crop_corners(boxes, width, height))
        across, down = frame_cuts(boxes, width, height, parameters.frame_pixels)
        cut = (across | down) & parameters.cut_boxes_follow
        least = parameters.silhouette if like is None else parameters.like_silhouette
        distances = view_distances(embeddings)
        labels, best, silhouette = split_with_cut(distances, cut, parameters, least)
    kinds, best = (by_size(v, scores, None if like is None else 0) for v in (labels, best))
    return Count(boxes, scores, kinds, silhouette, best, tried, selection)


def tile_detector(image, network, parameters):
    """`detections_in` of a BGR image and a YOLOX."""

    def detections_in(tile):
        x1, y1, x2, y2 = tile
        found = detect(
            image[y1:y2, x1:x2], network, parameters.confidence, parameters.tile_nms
        )
        return found["boxes"], found["scores"]

    return detections_in


def view_embedder(image, network, normalization, views):
    """`embeddings_of` of a BGR image and an embedder."""
    node = network.get_inputs()[0]
    side = node.shape[2] if isinstance(node.shape[2], int) else 224
    kind = np.float16 if node.type == "tensor(float16)" else np.float32
    rgb = image[:, :, ::-1]

    def embeddings_of(corners):
        rows = [[] for _ in views]
        for box in corners:
            for i, view in enumerate(views):
                pixels = preprocess(crop_view(rgb, box, view, side), normalization, side)[None]
                row = network.run(None, {node.name: pixels.astype(kind)})[0]
                row = row.reshape(-1).astype(np.float64)
                rows[i].append(row / np.linalg.norm(row))
        return [np.stack(view) for view in rows]

    return embeddings_of


def as_json(found):
    selection = found.selection
    rows = [
        {"box": [round(v, 3) for v in box], "score": round(score, 7), "kind": int(kind)}
        for box, score, kind in zip(found.boxes.tolist(), found.scores.tolist(), found.kinds)
    ]
    result = {"count": found.main, "all": found.all, "levels": [n for n, _ in found.tried]}
    result["silhouette"] = round(found.silhouette, 6)
    if selection is not None:
        result["level"] = selection.level
        result["size"] = round(selection.size, 4)
        result["slopes"] = [round(s, 4) for s in selection.slopes]
        result["aspect"] = round(math.exp(selection.aspect), 4)
        result["stages"] = {**selection.stages, "all": found.all, "kinds": found.main}
    result["detections"] = rows
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("images", nargs="+", metavar="IMAGE")
    parser.add_argument("--detector", required=True, metavar="FILE")
    parser.add_argument("--embedder", required=True, metavar="FILE")
    parser.add_argument("--normalization", choices=NORMALIZATIONS, default="imagenet")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--one-class", action="store_true", help="parameters for such a detector")
    parser.add_argument("--like", metavar="X,Y,W,H", help="count what looks like this box")
    options = parser.parse_args()
    detector = session(options.detector, options.threads)
    embedder = session(options.embedder, options.threads)
    side = detector.get_inputs()[0].shape[2:4]
    parameters, like = ONE_CLASS if options.one_class else Parameters(), None
    if options.like:
        x, y, w, h = map(float, options.like.split(","))
        like = (x, y, x + w, y + h)
    for path in options.images:
        image = read_image(path)
        height, width = image.shape[:2]
        found = count(
            tile_detector(image, detector, parameters),
            view_embedder(image, embedder, options.normalization, parameters.views),
            width, height, side, parameters, like,
        )
        print(json.dumps({"image": path, "width": width, "height": height, **as_json(found)}))


if __name__ == "__main__":
    main()
