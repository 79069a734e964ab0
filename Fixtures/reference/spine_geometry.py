"""The geometry of book spines as SpineHeuristics documents it, in NumPy and SciPy, for goldens.

A quadrilateral is four corners: top left, top right, bottom right, bottom left; y grows downward.
"""

import math

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

STANDING_TILT, LYING_TILT = 10.0, 15.0
ASPECT_RATIO = 0.01, 0.45
MAXIMUM_ANGLE, MINIMUM_LENGTH_RATIO, MINIMUM_SIDE_BY_SIDE, MAXIMUM_GAP = 12.0, 0.5, 0.6, 1.0
ROW_OVERLAP = 0.5


def sides(quad):
    """The mean lengths of the upper and lower side, and of the left and right one."""
    a, b, c, d = np.asarray(quad, np.float64)
    return (np.linalg.norm(b - a) + np.linalg.norm(c - d)) / 2, (np.linalg.norm(d - a) + np.linalg.norm(c - b)) / 2


def axis(quad):
    """The mean direction of the two long sides, of length 1."""
    a, b, c, d = np.asarray(quad, np.float64)
    width, height = sides(quad)
    sum_of_sides = (b - a) + (c - d) if width >= height else (d - a) + (c - b)
    return sum_of_sides / np.linalg.norm(sum_of_sides)


def tilt(quad):
    x, y = axis(quad)
    return math.degrees(math.atan2(abs(x), abs(y)))


def orientation(quad):
    angle = tilt(quad)
    return "vertical" if angle <= STANDING_TILT else "horizontal" if angle >= 90 - LYING_TILT else "leaning"


def is_convex(quad):
    corners = np.asarray(quad, np.float64)
    edges = np.roll(corners, -1, axis=0) - corners
    turns = edges[:, 0] * np.roll(edges, -1, axis=0)[:, 1] - edges[:, 1] * np.roll(edges, -1, axis=0)[:, 0]
    return bool((turns > 0).all() or (turns < 0).all())


def is_spine_shaped(quad):
    ratio = min(sides(quad)) / max(sides(quad))
    return is_convex(quad) and bool(ASPECT_RATIO[0] <= ratio <= ASPECT_RATIO[1])


def likeness(first, second):
    one, two = axis(first), axis(second)
    angle = math.degrees(math.atan2(abs(one[0] * two[1] - one[1] * two[0]), abs(float(one @ two))))
    lengths = max(sides(first)), max(sides(second))
    if lengths[0] == lengths[1]:
        along = one + math.copysign(1.0, float(one @ two)) * two
        along = along / np.linalg.norm(along)
    else:
        along = one if lengths[0] > lengths[1] else two

    def shared(direction):
        """How far two shadows overlap, negative if they are apart, and the length of the shorter."""
        shadows = [np.asarray(quad, np.float64) @ direction for quad in (first, second)]
        overlap = min(s.max() for s in shadows) - max(s.min() for s in shadows)
        return overlap, min(np.ptp(s) for s in shadows)

    overlap, shortest = shared(along)
    apart = -shared(np.array([-along[1], along[0]]))[0]
    thickness = (min(sides(first)) + min(sides(second))) / 2
    return {
        "angle": angle,
        "lengthRatio": float(min(lengths) / max(lengths)),
        "sideBySide": float(min(1.0, max(0.0, overlap / shortest))),
        "gap": float(max(0.0, apart) / thickness),
    }


def are_neighbours(first, second):
    found = likeness(first, second)
    return (
        found["angle"] <= MAXIMUM_ANGLE and found["lengthRatio"] >= MINIMUM_LENGTH_RATIO
        and found["sideBySide"] >= MINIMUM_SIDE_BY_SIDE and found["gap"] <= MAXIMUM_GAP)


def reading_order(quads):
    """The recursive X-Y cut (Nagy and Seth, 1984) of the boxes around the outlines."""
    boxes = np.asarray(quads, np.float64)
    low, high = boxes.min(axis=1), boxes.max(axis=1)
    middle = low / 2 + high / 2

    def plain(members):
        return sorted(members, key=lambda i: (middle[i, 0], low[i, 1], i))

    def bands(members, side):
        found = []
        for i in sorted(plain(members), key=lambda i: middle[i, side]):
            if found:
                band, start, end = found[-1]
                overlap = min(end, high[i, side]) - max(start, low[i, side])
                if overlap > 0 and overlap >= ROW_OVERLAP * min(end - start, high[i, side] - low[i, side]):
                    found[-1] = (band + [i], min(start, low[i, side]), max(end, high[i, side]))
                    continue
            found.append(([i], low[i, side], high[i, side]))
        return [band for band, _, _ in found]

    def cut(members, side, is_whole=False):
        if len(members) < 2:
            return members
        parts = bands(members, side)
        if len(parts) == 1 and is_whole:
            return plain(members)
        return [i for part in parts for i in cut(part, 1 - side, len(parts) == 1)]

    return [int(i) for i in cut(list(range(len(quads))), 1)]


def rows(quads):
    """The connected components of what stands beside each other or lies on each other."""
    boxes = np.asarray(quads, np.float64)
    (left, top), (right, bottom) = boxes.min(axis=1).T, boxes.max(axis=1).T
    middle, count = left / 2 + right / 2, len(quads)
    order = reading_order(quads)

    def beside(i, j):
        overlap = min(bottom[i], bottom[j]) - max(top[i], top[j])
        return overlap > 0 and overlap >= ROW_OVERLAP * min(bottom[i] - top[i], bottom[j] - top[j])

    def lies(i, j):
        width, height = right[i] - left[i], bottom[i] - top[i]
        overlap = min(right[i], right[j]) - max(left[i], left[j])
        return (i != j and width > height and top[i] < top[j] and 2 * overlap >= min(width, right[j] - left[j])
                and abs(top[j] - bottom[i]) <= height / 2)

    links = [(i, j) for i in range(count) for j in range(count) if lies(i, j)]
    from_left = sorted(range(count), key=lambda i: middle[i])
    for place, i in enumerate(from_left):
        for others in (from_left[place + 1:], from_left[:place][::-1]):
            links += [(i, j) for j in others if beside(i, j)][:1]
    table = coo_array((np.ones(len(links)), np.array(links).reshape(-1, 2).T), shape=(count, count))
    _, labels = connected_components(table, directed=False)
    found = {}
    for i in order:
        found.setdefault(int(labels[i]), []).append(i)
    return list(found.values())
