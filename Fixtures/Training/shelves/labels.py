"""What the network is asked to say of a picture, at half its size."""

import cv2
import numpy as np

from .canvas import BOARD, FORE_EDGE

# Planes of the maps.
SPINE, CORE, BORDER, FORE, BOARDS, COSINE, SINE, WEIGHT = range(8)

# The side of the windows that shards hold.
WINDOW = 416

# The core is the middle half of a spine, and ends before the spine does.
ACROSS = 0.25
ALONG = 0.3


def outline(camera, corners, lies):
    """The four corners of a spine in the window: long sides are from 0 to 3 and from 1 to 2."""
    quad = camera.seen(corners)
    return quad[[1, 2, 3, 0]] if lies else quad


def at(quad, u, v):
    """A point by its share across and along."""
    return (1 - v) * ((1 - u) * quad[0] + u * quad[1]) + v * ((1 - u) * quad[3] + u * quad[2])


def filled(shape, points):
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(np.asarray(points) * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    return mask


def maps(scene):
    """Planes of uint8 (the last three scaled to 0...255), and the outlines of spines that are seen well enough to count.

    An outline has 4 corners (the window's pixels), the share of its area that is seen, and its thickness.
    """
    canvas = scene.canvas
    rows, columns = canvas.height // 2, canvas.width // 2
    owner = canvas.owner[::2, ::2][:rows, :columns]
    kind = canvas.kind[::2, ::2][:rows, :columns]
    planes = np.zeros((8, rows, columns), np.uint8)
    planes[COSINE] = planes[SINE] = 128
    planes[WEIGHT] = 1
    planes[FORE] = kind == FORE_EDGE
    planes[BOARDS] = kind == BOARD
    truth = []
    for corners, lies, index in scene.spines:
        quad = outline(scene.camera, corners, lies)
        half = quad / 2
        mask = owner == index
        seen = int(mask.sum())
        if seen == 0:
            continue
        whole = max(abs(cv2.contourArea(np.float32(half))), 1)
        axis = (quad[0] + quad[1]) / 2 - (quad[2] + quad[3]) / 2
        long = np.linalg.norm(axis)
        thickness = 2 * abs(cv2.contourArea(np.float32(half))) * 2 / max(long, 1)
        share = seen / whole
        frame = np.float32([[0, 0], [columns, 0], [columns, rows], [0, rows]])
        common = cv2.intersectConvexConvex(np.float32(half), frame)[1] if long > 2 else None
        inside = cv2.contourArea(common) if common is not None and len(common) > 2 else 0
        visible = seen / max(inside, 1)
        truth.append((quad, share, visible, thickness, inside / whole))
        if thickness < 4 or visible < 0.15 or long < 1.3 * thickness:
            planes[WEIGHT][mask] = 0
            continue
        planes[SPINE][mask] = 1
        margin = min(0.12, ALONG * thickness / max(long, 1))
        core = filled(owner.shape, [at(half, u, v) for u, v in (
            (ACROSS, margin), (1 - ACROSS, margin), (1 - ACROSS, 1 - margin), (ACROSS, 1 - margin))])
        planes[CORE][(core > 0) & mask] = 1
        border = np.zeros(owner.shape, np.uint8)
        for a, b in ((0, 3), (1, 2)):
            p, q = (np.round(half[a] * 16).astype(int), np.round(half[b] * 16).astype(int))
            cv2.line(border, tuple(map(int, p)), tuple(map(int, q)), 1, 1, cv2.LINE_8, 4)
        near = cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
        planes[BORDER][(border & near) > 0] = 1
        double = 2 * np.arctan2(axis[1], axis[0])
        planes[COSINE][mask] = int(round(128 + 127 * np.cos(double)))
        planes[SINE][mask] = int(round(128 + 127 * np.sin(double)))
    return planes, truth
