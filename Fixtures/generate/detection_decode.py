"""Writes Fixtures/Goldens/DetectionDecode: the heads of detectors, decoded by NumPy.

Run from the top of the checkout: python Fixtures/generate/detection_decode.py
"""

import numpy as np

from common import seeded

F = np.float32


def units(seed, *shape):
    """Numbers in 0..<1; DetectionDecodeTests/HeadGoldenTests.swift makes the same."""
    return seeded.units32(seed, int(np.prod(shape))).reshape(shape)


def corners(boxes):
    half = boxes[:, 2:4] / F(2)
    return np.concatenate([boxes[:, 0:2] - half, boxes[:, 0:2] + half], axis=1)


def rows(found):
    return [[float(v) for v in box] + [float(score), int(kind)] for box, score, kind in found]


def table(seed, name, count, columns, minimum, classes, objectness, best, is_center):
    values = units(seed, count, columns)
    values[:, 0:4] *= F(64)
    boxes = corners(values[:, 0:4]) if is_center else values[:, 0:4]
    if best:
        values[:, 5] = np.floor(values[:, 5] * F(80))
        scores, kinds = values[:, 4], values[:, 5]
    else:
        first = 5 if objectness else 4
        # Ties among the classes.
        values[:, first : first + classes] = np.floor(values[:, first : first + classes] * F(16)) / F(16)
        kinds = values[:, first : first + classes].argmax(1)
        scores = values[:, first : first + classes].max(1)
        if objectness:
            scores = values[:, 4] * scores
    keep = np.flatnonzero(scores >= F(minimum))
    return dict(
        head=name, seed=seed, rows=count, columns=columns, classes=classes, minimum=minimum,
        candidates=rows(zip(boxes[keep], scores[keep], kinds[keep])))


def tables():
    yield table(1, "yolov5", 90, 5 + 7, 0.3, 7, True, False, True)
    yield table(2, "yolov5-seg", 40, 5 + 3 + 4, 0.2, 3, True, False, True)
    yield table(3, "yolov8", 84, 4 + 80, 0.9, 80, False, False, True)
    yield table(3, "yolov8-rows", 84, 4 + 80, 0.9, 80, False, False, True)
    yield table(4, "yolov8-one", 50, 5, 0.5, 1, False, False, True)
    yield table(5, "yolov8-obb", 30, 4 + 6 + 1, 0.9, 6, False, False, True)
    yield table(6, "end-to-end", 30, 6, 0.25, 0, False, True, False)


def queries():
    for seed, activation, count, classes, minimum in [
        (11, "sigmoid", 50, 20, 0.6), (12, "sigmoid", 10, 91, 0.0), (13, "softmax", 60, 12, 0.15),
    ]:  # fmt: skip
        logits = units(seed, count, classes) * F(6) - F(3)
        boxes = units(seed + 100, count, 4)
        exact = logits.astype(np.float64)
        if activation == "sigmoid":
            scores = 1 / (1 + np.exp(-exact))
            order = np.argsort(-scores.flatten(), kind="stable")[:count]
            order = order[scores.flatten()[order] >= minimum]
            found = [(boxes[i // classes], scores.flatten()[i], i % classes) for i in order]
        else:
            shares = np.exp(exact) / np.exp(exact).sum(1, keepdims=True)
            best = shares[:, :-1].max(1)
            found = [(boxes[i], best[i], shares[i, :-1].argmax()) for i in np.flatnonzero(best >= minimum)]
        yield dict(
            activation=activation, seed=seed, queries=count, classes=classes, minimum=minimum,
            candidates=rows((corners(b[None])[0], s, k) for b, s, k in found))


def dense():
    """Scores of every class for each place, and given boxes or distributions of the distances to the sides."""
    for seed, columns, height, stride, bins, classes, minimum in [
        (31, 7, 5, 0, 1, 4, 0.8), (32, 8, 6, 16, 8, 3, 0.85), (33, 1, 1, 64, 3, 5, 0.1),
    ]:  # fmt: skip
        count = columns * height
        scores = units(seed, count, classes)
        sides = units(seed + 100, count, 4 * bins)
        if stride:
            logits = (sides * F(8) - F(4)).astype(np.float64).reshape(count, 4, bins)
            shares = np.exp(logits) / np.exp(logits).sum(2, keepdims=True)
            distances = (shares * np.arange(bins)).sum(2) * stride
            x = (np.arange(count) % columns + 0.5) * stride
            y = (np.arange(count) // columns + 0.5) * stride
            boxes = np.stack([x, y, x, y], 1) + distances * [-1, -1, 1, 1]
        else:
            boxes = sides * F(64)
        places, kinds = np.nonzero(scores >= F(minimum))
        yield dict(
            seed=seed, columns=columns, rows=height, stride=stride, bins=bins, classes=classes, minimum=minimum,
            candidates=rows(zip(boxes[places], scores[places, kinds], kinds)))


def covariance(box):
    x, y, w, h, angle = box
    a, b = w * w / 12, h * h / 12
    c, s = np.cos(angle), np.sin(angle)
    return a * c * c + b * s * s, a * s * s + b * c * c, (a - b) * c * s


def likeness(one, other, eps=1e-7):
    """Llerena et al., equations 3 to 8, with the small terms that Ultralytics adds."""
    (a1, b1, c1), (a2, b2, c2) = covariance(one), covariance(other)
    a, b, c = a1 + a2, b1 + b2, c1 + c2
    dx, dy = other[0] - one[0], one[1] - other[1]
    det = a * b - c * c
    t1 = (a * dy**2 + b * dx**2) / (det + eps) / 4
    t2 = c * dx * dy / (det + eps) / 2
    t3 = np.log(det / (4 * np.sqrt(max(a1 * b1 - c1**2, 0) * max(a2 * b2 - c2**2, 0)) + eps) + eps) / 2
    distance = min(max(t1 + t2 + t3, eps), 100)
    return max(0, 1 - np.sqrt(1 - np.exp(-distance) + eps))


def rotated():
    for seed, count, classes, threshold in [(21, 60, 1, 0.7), (22, 80, 3, 0.4), (23, 40, 1, 0.05)]:
        u = units(seed, count, 7).astype(np.float64)
        boxes = np.stack(
            [u[:, 0] * 40, u[:, 1] * 40, 4 + u[:, 2] * 30, 4 + u[:, 3] * 10, (u[:, 4] - 0.5) * np.pi], axis=1)
        scores = u[:, 5].astype(F)
        kinds = np.floor(u[:, 6] * classes).astype(int)
        order = np.argsort(-scores, kind="stable")
        kept = [
            int(i) for place, i in enumerate(order)
            if all(kinds[i] != kinds[j] or likeness(boxes[i], boxes[j]) < threshold for j in order[:place])]
        yield dict(
            seed=seed, count=count, classes=classes, threshold=threshold, kept=kept,
            first=[likeness(boxes[0], b) for b in boxes[1:9]])


if __name__ == "__main__":
    seeded.write("DetectionDecode/tables.json", list(tables()))
    seeded.write("DetectionDecode/queries.json", list(queries()))
    seeded.write("DetectionDecode/dense.json", list(dense()))
    seeded.write("NMS/rotated.json", list(rotated()))
