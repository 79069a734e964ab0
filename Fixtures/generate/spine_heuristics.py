#!/usr/bin/env python
"""Writes Fixtures/Goldens/SpineHeuristics: tilts, likenesses, reading orders and rows of made-up spines.

    python Fixtures/generate/spine_heuristics.py

The rules are those of Fixtures/reference/spine_geometry.py. The tilts and the proportions of rectangles are held to
OpenCV's minAreaRect as well.
"""

import json
import math
import pathlib
import sys

import cv2
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "reference"))

import spine_geometry as geometry  # noqa: E402

GOLDENS = HERE.parent / "Goldens" / "SpineHeuristics"


def write(name, value):
    GOLDENS.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in value)
    (GOLDENS / name).write_text(f"[\n{lines}\n]\n")


def rectangle(x, y, width, height, degrees):
    turn = np.exp(1j * math.radians(degrees))
    corners = np.array([-width - height * 1j, width - height * 1j, width + height * 1j, -width + height * 1j]) / 2
    return [[round(float(z.real) + x, 3), round(float(z.imag) + y, 3)] for z in corners * turn]


def check_by_opencv(quad):
    _, (width, height), degrees = cv2.minAreaRect(np.asarray(quad, np.float32))
    if width < height:
        degrees += 90
    from_vertical = abs(90 - degrees % 180)
    assert abs(from_vertical - geometry.tilt(quad)) < 0.1, (quad, from_vertical, geometry.tilt(quad))
    ratio = min(width, height) / max(width, height)
    assert abs(ratio - min(geometry.sides(quad)) / max(geometry.sides(quad))) < 1e-3


def pairs():
    random = np.random.default_rng(20261127)
    for number in range(400):
        width, height = random.uniform(4, 60), random.uniform(60, 300)
        if number % 4 == 3:
            width, height = height, width
        degrees = random.uniform(-20, 20) if number % 3 else random.uniform(-90, 90)
        first = rectangle(random.uniform(0, 900), random.uniform(0, 900), width, height, degrees)
        check_by_opencv(first)
        # Near the first, like it, and at times not like it at all.
        x, y = np.mean(first, axis=0) + random.normal(0, 60, 2)
        likewise = random.uniform(0.4, 1.4, 2) * (width, height)
        second = rectangle(x, y, *likewise, degrees + random.normal(0, 12))
        if number % 5 == 0:
            second = [[a + b for a, b in zip(corner, step)] for corner, step in zip(first, [(width * 1.1, 0)] * 4)]
        if number % 2:
            # As a camera sees them: no rectangles.
            first, second = (
                [[round(c + float(random.normal(0, 3)), 3) for c in corner] for corner in quad] for quad in (first, second))
        yield {
            "first": first, "second": second, "tilt": geometry.tilt(first),
            "orientation": geometry.orientation(first), "isSpine": geometry.is_spine_shaped(first),
            **geometry.likeness(first, second), "areNeighbours": geometry.are_neighbours(first, second),
        }


def shelf(random, boards, slant):
    """Books that stand, lean and lie on boards, in a photo at a slant."""
    quads = []
    for board in range(boards):
        floor, x = 260.0 * (board + 1), 20.0
        while x < 900:
            kind = random.choice(["standing", "leaning", "stack", "gap"], p=[0.7, 0.1, 0.1, 0.1])
            if kind == "gap":
                x += random.uniform(30, 200)
            elif kind == "stack":
                length, level = random.uniform(120, 200), floor
                for _ in range(random.integers(2, 6)):
                    thickness = random.uniform(15, 40)
                    quads.append(rectangle(x + length / 2, level - thickness / 2, length, thickness, 0))
                    level -= thickness + random.uniform(0, 3)
                x += length + 5
            else:
                width, height = random.uniform(12, 60), random.uniform(120, 220)
                degrees = random.uniform(8, 20) if kind == "leaning" else random.uniform(-2, 2)
                quads.append(rectangle(x + width / 2, floor - height / 2, width, height, degrees))
                x += width + random.uniform(0, 6) + (40 if kind == "leaning" else 0)
    turn = math.radians(slant)
    turned = [[[round(px * math.cos(turn) - py * math.sin(turn), 3), round(px * math.sin(turn) + py * math.cos(turn), 3)]
               for px, py in quad] for quad in quads]
    return [turned[i] for i in random.permutation(len(turned))]


def layouts():
    random = np.random.default_rng(20261128)
    for number in range(40):
        quads = shelf(random, 1 + number % 4, (0, 1.5, -3, 5)[number // 10])
        yield {"quads": quads, "order": geometry.reading_order(quads), "rows": geometry.rows(quads)}
    # No shelf at all: outlines anywhere.
    for number in range(20):
        quads = [
            rectangle(*random.uniform(0, 500, 2), *random.uniform(5, 80, 2), random.uniform(-90, 90))
            for _ in range(3 + 2 * number)]
        yield {"quads": quads, "order": geometry.reading_order(quads), "rows": geometry.rows(quads)}


if __name__ == "__main__":
    write("pairs.json", pairs())
    write("layouts.json", layouts())
