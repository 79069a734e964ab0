"""Writes Fixtures/Goldens/YOLOXDecode: YOLOX's decoding of raw outputs, in NumPy.

Run from the top of the checkout: python Fixtures/generate/yolox_decode.py
"""

import numpy as np

from common import seeded

F = np.float32


def output(seed, rows, classes):
    """A network's output; YOLOXDecodeTests/Samples.swift makes the same."""
    u = seeded.units32(seed, rows * (5 + classes)).reshape(rows, 5 + classes)
    u[:, 0:2] = u[:, 0:2] * F(4) - F(2)
    u[:, 2:4] = u[:, 2:4] * F(6) - F(3)
    u[:, 4] = u[:, 4] * u[:, 4]
    u[:, 5:] = np.floor(u[:, 5:] * F(32)) * F(1 / 32)  # ties among the classes
    return u


def decode(values, width, height, strides):
    """Grid and strides in the order of YOLOX's own post-processing."""
    grids, sizes = [], []
    for stride in strides:
        columns, rows = width // stride, height // stride
        x, y = np.meshgrid(np.arange(columns), np.arange(rows))
        grids.append(np.stack([x, y], axis=2).reshape(-1, 2))
        sizes.append(np.full((rows * columns, 1), stride))
    grid, size = np.concatenate(grids).astype(F), np.concatenate(sizes).astype(F)
    values = values.copy()
    values[:, 0:2] = (values[:, 0:2] + grid) * size
    # In float64 and rounded once, so that the golden hangs on no library's float32 exp.
    values[:, 2:4] = np.exp(values[:, 2:4].astype(np.float64)).astype(F) * size
    return values


def candidates(values, minimum):
    center, size = values[:, 0:2], values[:, 2:4]
    low, high = center - size / F(2), center + size / F(2)
    class_ids = values[:, 5:].argmax(axis=1)
    class_scores = values[np.arange(len(values)), 5 + class_ids]
    scores = values[:, 4] * class_scores
    assert scores.dtype == F and low.dtype == F
    for row in np.flatnonzero(scores >= F(minimum)):
        yield [
            float(v)
            for v in [*low[row], *high[row], scores[row], values[row, 4], class_scores[row]]
        ] + [int(class_ids[row])]


def cases():
    for width, height, pyramid, classes, minimum in [
        (96, 64, "p5", 1, 0.001), (96, 64, "p5", 3, 0.25), (64, 160, "p5", 80, 0.5),
        (128, 192, "p6", 2, 0.3), (64, 64, "p6", 7, 0.0), (32, 32, "p5", 4, 0.0),
    ]:  # fmt: skip
        strides = [8, 16, 32] + ([64] if pyramid == "p6" else [])
        rows = sum((width // s) * (height // s) for s in strides)
        raw = output(width + height + classes, rows, classes)
        for self_decoded in [False, True]:
            values = raw if self_decoded else decode(raw, width, height, strides)
            yield {
                "width": width,
                "height": height,
                "pyramid": pyramid,
                "rows": rows,
                "classes": classes,
                "minimum": minimum,
                "selfDecoded": self_decoded,
                "candidates": list(candidates(values, minimum)),
            }


if __name__ == "__main__":
    seeded.write("YOLOXDecode/candidates.json", list(cases()))
