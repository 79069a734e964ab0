"""Writes Fixtures/Goldens/Geometry: torchvision's box operators transcribed to NumPy, OpenCV's
polygon operators, and letterbox sizes as Python truncates them.

Run from the top of the checkout: python Fixtures/generate/geometry.py
"""

import cv2
import numpy as np

from common import seeded


def boxes(seed, count):
    """Corners on an image of 100 by 80, some of them integers; GeometryTests makes the same."""
    u = seeded.units32(seed, count * 4).reshape(count, 4)
    x, y = u[:, 0] * np.float32(100), u[:, 1] * np.float32(80)
    w, h = u[:, 2] * np.float32(50), u[:, 3] * np.float32(40)
    corners = np.stack([x, y, x + w, y + h], axis=1)
    corners[::3] = np.floor(corners[::3])
    return corners


def overlaps(a, b):
    """torchvision.ops.box_iou and generalized_box_iou, in float32, operation by operation."""
    area_a = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    area_b = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    size = np.maximum(high - low, np.float32(0))
    shared = size[..., 0] * size[..., 1]
    union = area_a[:, None] + area_b[None] - shared
    iou = shared / union
    hull_low = np.minimum(a[:, None, :2], b[None, :, :2])
    hull_high = np.maximum(a[:, None, 2:], b[None, :, 2:])
    hull_size = np.maximum(hull_high - hull_low, np.float32(0))
    hull = hull_size[..., 0] * hull_size[..., 1]
    generalized = iou - (hull - union) / hull
    smaller = shared / np.minimum(area_a[:, None], area_b[None])
    assert iou.dtype == np.float32 and np.isfinite(iou).all()
    return iou, generalized, smaller


def letterbox_checksum(width, height, sizes):
    """One number for the truncated sizes of many images, and how many they are.

    A side that truncates to 0 has no answer in Python's rule; such sizes are left out.
    """
    total, used = 0, 0
    for w, h in sizes:
        r = min(height / h, width / w)
        if int(w * r) and int(h * r):
            total = (total * 1000003 + int(w * r) * 65536 + int(h * r)) % 2**64
            used += 1
    return {"used": used, "checksum": str(total)}


def letterboxes():
    some = seeded.bits(11, 40000)
    random = [
        (int(a % np.uint64(8000)) + 1, int(b % np.uint64(8000)) + 1)
        for a, b in zip(some[::2], some[1::2])
    ]
    square = [(w, h) for w in range(1, 301) for h in range(1, 301)]
    for width, height in [(416, 416), (640, 640), (640, 416), (1280, 768), (224, 320)]:
        yield {
            "width": width,
            "height": height,
            "random": letterbox_checksum(width, height, random),
            "square": letterbox_checksum(width, height, square),
        }


def letterbox_boxes():
    """Boxes divided by the ratio as YOLOX's demo does it: a float32 array by a Python float."""
    for w, h in [(1000, 750), (479, 640), (333, 77), (4032, 3024)]:
        r = min(416 / h, 416 / w)
        yield {"width": w, "height": h, "boxes": (boxes(5, 20) / r).astype(float).tolist()}


def rotated(u):
    """The corners of a rotated rectangle, and whether they are listed backwards."""
    center = (float(u[0]) * 60 + 20, float(u[1]) * 60 + 20)
    size = (float(u[2]) * 50 + 2, float(u[3]) * 50 + 2)
    corners = cv2.boxPoints((center, size, float(u[4]) * 180)).astype(np.float64)
    return corners[::-1] if u[5] < 0.5 else corners


def quadrilaterals():
    """Pairs of convex shapes, and single shapes of any kind, against OpenCV."""
    for row in seeded.units(21, 60 * 12).reshape(60, 12):
        a, b = rotated(row[:6]), rotated(row[6:])
        shared, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
        yield {"a": a.tolist(), "b": b.tolist(), "shared": float(shared)}


def shapes():
    for row in seeded.units(22, 80 * 8).reshape(80, 4, 2):
        corners = np.floor(row * 64).astype(np.float32)
        points = np.floor(seeded.units(23, 40) * 64).reshape(20, 2)
        yield {
            "corners": corners.astype(float).tolist(),
            "area": float(cv2.contourArea(corners, oriented=True)),
            "convex": bool(cv2.isContourConvex(corners)),
            "points": points.tolist(),
            "inside": [
                cv2.pointPolygonTest(corners, (float(x), float(y)), False) >= 0 for x, y in points
            ],
        }


if __name__ == "__main__":
    iou, generalized, smaller = overlaps(boxes(1, 24), boxes(2, 30))
    seeded.write(
        "Geometry/overlaps.json",
        {
            "iou": iou.ravel().astype(float).tolist(),
            "generalized": generalized.ravel().astype(float).tolist(),
            "smaller": smaller.ravel().astype(float).tolist(),
        },
    )
    seeded.write("Geometry/letterboxes.json", list(letterboxes()))
    seeded.write("Geometry/letterbox_boxes.json", list(letterbox_boxes()))
    seeded.write("Geometry/quadrilaterals.json", list(quadrilaterals()))
    seeded.write("Geometry/shapes.json", list(shapes()))
