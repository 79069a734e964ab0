"""Writes Fixtures/Goldens/Counting/adaptive.json: what the reference of adaptive counting selects.

Scenes of boxes are made from seeds, here and in Tests/CountingTests/AdaptiveGoldenTests.swift alike:
things of one size with a spread, in perspective or not, parts inside them, groups around them, and
things that the frame cuts. The reference finds a mode on a grid and the package climbs on to the top,
so that sizes agree to a few thousandths; scenes in which a box lies that near to the end of a band
are passed over.

Run from the top of the checkout: python Fixtures/generate/adaptive.py
"""

import math
import pathlib
import sys

import numpy as np

from common import seeded

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "reference"))
import adaptive  # noqa: E402
import confidence  # noqa: E402

WIDTH, HEIGHT = 1200, 900
PARAMETERS = adaptive.Parameters()


def scene(seed):
    """Boxes and scores as float32."""
    units = iter(seeded.units(seed, 2000).tolist())
    side, slope = 20 + 60 * next(units), (2 * next(units) - 1) if seed % 2 else 0.0
    ratio = 0.6 + 1.1 * next(units)
    boxes, scores = [], []

    def add(x, y, w, h, score):
        corners = (max(x - w / 2, 0), max(y - h / 2, 0), min(x + w / 2, WIDTH), min(y + h / 2, HEIGHT))
        boxes.append(corners)
        scores.append(score)

    for _ in range(40):
        x, y = WIDTH * next(units), HEIGHT * next(units)
        here = side * math.exp(slope * (y / HEIGHT - 0.5) + 0.16 * (next(units) - 0.5))
        w, h = here * math.sqrt(ratio), here / math.sqrt(ratio)
        score = 0.2 + 0.7 * next(units)
        add(x, y, w, h, score)
        kind = next(units)
        if kind < 0.3:  # a part
            add(x + 0.2 * w, y, w * 0.4, h * 0.5, score * 0.6 * next(units))
        elif kind < 0.5:  # the same again, a little off
            add(x + 0.1 * w, y - 0.1 * h, w * 1.1, h, score * next(units))
        elif kind < 0.6:  # a group
            add(x, y, w * 2.4, h * 2.2, 0.3 * next(units))
        elif kind < 0.7:  # something else, as sure
            add(WIDTH * next(units), HEIGHT * next(units), w * 0.6, h * 0.6, score)
    return np.array(boxes, np.float32), np.array(scores, np.float32)


def is_borderline(boxes, scores, found):
    """Whether a box lies so near to a band's end that a few thousandths decide."""
    sides = np.log(boxes[:, 2:] - boxes[:, :2])
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    expected = found.slopes[0] * (middles[:, 1] / HEIGHT - 0.5)
    expected += found.slopes[1] * (middles[:, 0] / WIDTH - 0.5)
    u = sides.mean(1) - expected - math.log(found.size)
    da = sides[:, 0] - sides[:, 1] - found.aspect
    near = np.abs(np.abs(u) - math.log(PARAMETERS.size_band)) < 0.01
    near |= np.abs(np.abs(da) - math.log(PARAMETERS.aspect_band)) < 0.01
    for axis in (0, 1):
        skew = (0.5, -0.5)[axis] * found.aspect
        off = sides[:, axis] - math.log(found.size) - expected - skew
        for end in (PARAMETERS.frame_fit * math.log(PARAMETERS.size_band),
                    math.log(PARAMETERS.size_band), -math.log(PARAMETERS.frame_least)):
            near |= np.abs(np.abs(off) - end) < 0.01
    return bool(near.any())


def cases():
    seed = 0
    found = []
    while len(found) < 24:
        seed += 1
        boxes, scores = (v.astype(np.float64) for v in scene(seed))
        selection = adaptive.select(boxes, scores, WIDTH, HEIGHT, 2, PARAMETERS)
        if is_borderline(boxes, scores, selection):
            continue
        median = adaptive.weighted_median(selection.scores)
        kept = selection.scores >= PARAMETERS.cut * median
        others = adaptive.other_sizes(selection, selection.boxes[kept], PARAMETERS)
        find = {tuple(box): i for i, box in enumerate(boxes)}
        found.append({
            "seed": seed,
            "side": selection.size,
            "aspect": math.exp(selection.aspect),
            "slopes": list(selection.slopes),
            "stages": [selection.stages[k] for k in ("size", "frame", "contained")],
            "kept": [find[tuple(box)] for box in selection.boxes],
            "fits": selection.fits.tolist(),
            "median": median,
            "others": [int(i) for i in others],
            "worth": adaptive.worth(selection, 0.8, PARAMETERS),
        })
    return found


def intervals():
    calibration = confidence.Calibration(0.03, (0.2, 0.1, 0.4, 0.3, 0.05), 1.9, -3.0, 1.1)
    rows = []
    for count in (1, 4, 24, 119, 1000):
        for values in ((0, 0, 0, 0, 0), (0.2, 0.1, 0.05, 0.3, 0.1), (1.5, 0.9, 1, 1, 1)):
            low, high = confidence.interval(count, values, calibration)
            rows.append({
                "count": count, "doubts": list(values), "least": low, "greatest": high,
                "value": confidence.confidence(values, calibration),
            })
    return rows


if __name__ == "__main__":
    seeded.write("Counting/adaptive.json", cases())
    seeded.write("Counting/confidence.json", intervals())
