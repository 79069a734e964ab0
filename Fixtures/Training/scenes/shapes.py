"""Drawing area of a sprite, and signed distances of outlines on it (negative inside).

Coordinates run over -1.12...1.12 in both directions; shapes should stay within -1...1.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

REACH = 1.12


@dataclass(frozen=True, eq=False)
class Area:
    """The pixels of a square sprite."""

    size: int
    x: np.ndarray
    y: np.ndarray
    radius: np.ndarray
    angle: np.ndarray
    pixels_per_unit: float

    def turned(self, angle: float) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates in a system turned by `angle`."""
        c, s = math.cos(angle), math.sin(angle)
        return self.x * c + self.y * s, self.y * c - self.x * s

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """Where a point lies, for OpenCV's drawing functions."""
        k = self.pixels_per_unit
        return int((x + REACH) * k), int((y + REACH) * k)


@lru_cache(maxsize=16)
def area(size: int) -> Area:
    """The drawing area of `size` pixels a side."""
    k = size / (2 * REACH)
    line = ((np.arange(size, dtype=np.float32) + 0.5) / k - REACH).astype(np.float32)
    x, y = np.meshgrid(line, line)
    return Area(size, x, y, np.hypot(x, y), np.arctan2(y, x), k)


def coverage(distance: np.ndarray, a: Area) -> np.ndarray:
    """How much of each pixel is inside, 0...1."""
    return np.clip(0.5 - distance * a.pixels_per_unit, 0, 1)


def ellipse(a: Area, rx: float, ry: float, cx: float = 0, cy: float = 0) -> np.ndarray:
    return (np.hypot((a.x - cx) / rx, (a.y - cy) / ry) - 1) * min(rx, ry)


def superellipse(a: Area, rx: float, ry: float, power: float) -> np.ndarray:
    """Between an ellipse (2) and a rectangle (large)."""
    value = np.abs(a.x / rx) ** power + np.abs(a.y / ry) ** power
    return (value ** (1 / power) - 1) * min(rx, ry)


def rounded_box(a: Area, rx: float, ry: float, corner: float, cx: float = 0, cy: float = 0):
    qx, qy = np.abs(a.x - cx) - rx + corner, np.abs(a.y - cy) - ry + corner
    outside = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0))
    return outside + np.minimum(np.maximum(qx, qy), 0) - corner


def polygon(a: Area, radius: float, corners: int, turn: float = 0) -> np.ndarray:
    """A regular polygon of `corners` corners at `radius`."""
    sector = 2 * math.pi / corners
    folded = (a.angle - turn + sector / 2) % sector - sector / 2
    return a.radius * np.cos(folded) - radius * math.cos(sector / 2)


def star(a: Area, radius: float, points: int, depth: float, turn: float = 0) -> np.ndarray:
    """Straight-edged points; `depth` 0...1 is how deep the notches are."""
    sector = 2 * math.pi / points
    fold = np.abs(((a.angle - turn) % sector) / sector * 2 - 1)
    return (a.radius - radius * (1 - (1 - fold) * depth)) * 0.8


def wavy(a: Area, radius: float, waves: list[tuple[int, float, float]]) -> np.ndarray:
    """A circle whose radius waves: (periods, amplitude, phase) each."""
    outline = np.full_like(a.angle, radius)
    for periods, amplitude, phase in waves:
        outline += amplitude * np.cos(periods * a.angle + phase)
    return a.radius - outline


def heart(a: Area, radius: float) -> np.ndarray:
    x, y = a.x / radius, -(a.y / radius) * 1.1 + 0.15
    return (np.hypot(x, y - 0.55 * np.sqrt(np.abs(x))) - 0.88) * radius * 0.8


def path(a: Area, points: np.ndarray, width: float | np.ndarray) -> np.ndarray:
    """A line through points, `width` its half thickness (one, or one per segment)."""
    widths = np.broadcast_to(width, len(points) - 1)
    best = np.full_like(a.x, 9)
    for (x0, y0), (x1, y1), w in zip(points[:-1], points[1:], widths, strict=True):
        dx, dy = x1 - x0, y1 - y0
        t = np.clip(((a.x - x0) * dx + (a.y - y0) * dy) / (dx * dx + dy * dy + 1e-9), 0, 1)
        np.minimum(best, np.hypot(a.x - x0 - t * dx, a.y - y0 - t * dy) - w, out=best)
    return best


def blobs(a: Area, circles: list[tuple[float, float, float]], smooth: float = 0.0) -> np.ndarray:
    """The union of circles (x, y, radius), smoothly joined."""
    best = np.full_like(a.x, 9)
    for cx, cy, r in circles:
        d = np.hypot(a.x - cx, a.y - cy) - r
        if smooth:
            h = np.clip(0.5 + 0.5 * (best - d) / smooth, 0, 1)
            best = best + (d - best) * h - smooth * h * (1 - h)
        else:
            np.minimum(best, d, out=best)
    return best
