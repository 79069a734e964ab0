"""Leaves, sprays and branches: behind fruit as ground, before it as what hides it."""

import math

import cv2
import numpy as np

from . import colours
from .noise import fractal
from .shapes import area, coverage

# An occluder's pixels hide what is below where they cover more than this (of 255).
SOLID = 100


def paste(canvas: np.ndarray, sprite: np.ndarray, at: tuple[float, float], angle: float,
          scale: float, tint: np.ndarray, ids: np.ndarray | None = None,
          squash: float = 1.0, shadow: float = 0.0) -> None:
    """Lays a premultiplied BGRA sprite on a canvas of 3 or 4 channels, turned, scaled, squashed.

    With `ids` it hides instances: its pixels show none any more.
    """
    height, width = sprite.shape[:2]
    c, s = math.cos(angle) * scale, math.sin(angle) * scale
    matrix = np.array([[c, -s * squash], [s, c * squash]])
    reach = np.abs(matrix) @ np.array([width / 2, height / 2]) + 1
    x0, y0 = int(at[0] - reach[0]), int(at[1] - reach[1])
    left, top = max(0, x0), max(0, y0)
    right = min(canvas.shape[1], x0 + int(2 * reach[0]) + 2)
    bottom = min(canvas.shape[0], y0 + int(2 * reach[1]) + 2)
    if right <= left or bottom <= top:
        return
    full = np.empty((2, 3))
    full[:, :2] = matrix
    full[:, 2] = np.array(at) - matrix @ [width / 2, height / 2] - [left, top]
    image = cv2.warpAffine(sprite, full, (right - left, bottom - top), flags=cv2.INTER_LINEAR)
    part = canvas[top:bottom, left:right]
    alpha = image[..., 3].astype(np.float32) * np.float32(1 / 255)
    if shadow:
        k = max(1, int(reach[1] * 0.12))
        part[k:, k:, :3] *= 1 - shadow * alpha[:-k, :-k, None]
    part *= 1 - alpha[..., None]
    part += image[..., :canvas.shape[2]] * tint[:canvas.shape[2]].astype(np.float32)
    if ids is not None:
        ids[top:bottom, left:right][image[..., 3] > SOLID] = 0


def leaf_sprite(rng: np.random.Generator, side: int, tone: np.ndarray) -> np.ndarray:
    """One leaf along x, folded at its middle rib, premultiplied BGRA."""
    a = area(side)
    breadth = rng.uniform(0.22, 0.6)
    y = a.y - rng.normal() * 0.2 * (a.x * a.x - 0.3)
    profile = breadth * np.maximum(1 - (a.x / 0.95) ** 2, 0) ** rng.uniform(0.5, 1.1)
    profile = profile * (1 - rng.uniform(-0.3, 0.5) * a.x)
    teeth = rng.uniform(0, 0.03) * np.sin(a.x * rng.uniform(20, 50))
    d = np.maximum(np.abs(y) - profile + teeth, np.abs(a.x) - 0.96) * 0.8
    fold = rng.uniform(-0.35, 0.35)
    shade = 1 + fold * np.sign(y) + 0.25 * rng.normal() * a.x
    shade = shade + 0.08 * np.cos((a.x - np.abs(y)) * rng.uniform(8, 18))
    rib = np.exp(-((y / 0.03) ** 2)) * rng.uniform(-0.1, 0.35)
    gloss = rng.uniform(-60, 60) * np.exp(-((y - 0.5 * breadth * np.sign(fold)) / 0.12) ** 2)
    colour = np.clip(tone * (shade + rib)[..., None] + gloss[..., None], 0, 255)
    alpha = coverage(d, a)
    return np.dstack([colour * alpha[..., None], alpha * 255]).astype(np.uint8)


def green(rng: np.random.Generator, hue: float) -> np.ndarray:
    """A leaf's colour near a plant's own hue."""
    return colours.from_hsv(hue + rng.normal() * 4, rng.uniform(60, 200), rng.uniform(70, 215))


def spray(rng: np.random.Generator, side: int, hue: float) -> np.ndarray:
    """A twig with leaves, each casting some shadow on those below; premultiplied BGRA."""
    image = np.zeros((side, side, 4), np.float32)
    middle = side / 2
    leaves = [leaf_sprite(rng, 48, green(rng, hue)) for _ in range(5)]
    stem = (*(float(v) for v in np.array([40, 60, 70]) * rng.uniform(0.6, 1.5)), 255.0)
    end = (int(middle + side * 0.38), int(middle + rng.normal() * side * 0.08))
    cv2.line(image, (int(side * 0.08), int(middle)), end, stem, max(1, side // 70), cv2.LINE_AA)
    length = side * rng.uniform(0.2, 0.42) / 48
    for _ in range(int(rng.integers(12, 44))):
        at = (side * rng.uniform(0.15, 0.85), middle + rng.normal() * side * 0.16)
        angle = rng.normal() * 0.5 + rng.choice([-1.0, 1.0, 0.4, -0.4])
        tint = np.append(np.ones(3) * rng.uniform(0.55, 1.25), 1)
        paste(image, leaves[rng.integers(5)], at, angle, length * rng.uniform(0.6, 1.15), tint,
              squash=rng.uniform(0.5, 1), shadow=0.4)
    image[..., 3] = np.minimum(image[..., 3], 255)
    image[..., :3] = np.minimum(image[..., :3], image[..., 3:])
    return image.astype(np.uint8)


class Foliage:
    """Sprays and leaves made once, and pictures made of them."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng([seed, 0xF0])
        hues = rng.uniform(28, 62, 8)
        self.sprays = [[spray(rng, 160, hue) for _ in range(7)] for hue in hues]
        self.leaves = [[leaf_sprite(rng, 48, green(rng, hue)) for _ in range(10)] for hue in hues]

    def plant(self, rng: np.random.Generator) -> tuple[list, list, np.ndarray]:
        """The sprays and leaves of one plant, and the light they are in."""
        k = int(rng.integers(len(self.sprays)))
        tint = rng.uniform(0.6, 1.25) * rng.uniform(0.85, 1.15, 3)
        if rng.random() < 0.12:  # autumn, or a plant that is not green
            tint = tint * rng.uniform(0.4, 1.6, 3)
        return self.sprays[k], self.leaves[k], tint

    def ground(self, rng: np.random.Generator, size: int, plant) -> np.ndarray:
        """A tree or hedge that fills the picture: dark depth or sky, branches, sprays."""
        sprays, _, tint = plant
        k = size / 448
        depth = fractal(rng, int(rng.integers(4, 14)), 0.7, 5, 1, size)[..., None]
        open_sky = rng.random() < 0.35
        if open_sky:
            canvas = sky(rng, size)
        else:
            dark = green(rng, 45) * rng.uniform(0.15, 0.7)
            canvas = np.clip(dark * (1 + 0.5 * depth), 0, 255).astype(np.float32)
            bright = sky(rng, size)
            hole = np.clip((depth - rng.uniform(1.2, 3)) * 4, 0, 1)
            canvas += (bright - canvas) * hole
        reach = rng.uniform(0.22, 0.6)
        many = int(rng.uniform(1.0, 2.6) / reach**2 * (0.6 if open_sky else 1))
        back = cv2.resize(canvas, (size // 2, size // 2))
        for _ in range(many):
            at = rng.uniform(0, size // 2, 2)
            paste(back, sprays[rng.integers(len(sprays))], at, rng.uniform(0, 6.28),
                  reach * size / 2 / 160 * rng.uniform(0.5, 1), tint * rng.uniform(0.35, 0.8))
        back = cv2.GaussianBlur(back, (0, 0), rng.uniform(0.8, 3) * k)
        canvas = cv2.resize(back, (size, size))
        for _ in range(int(rng.integers(0, 6))):
            branch(canvas, rng, rng.uniform(1, 11) * k)
        for _ in range(many):
            paste(canvas, sprays[rng.integers(len(sprays))], rng.uniform(0, size, 2),
                  rng.uniform(0, 6.28), reach * size / 160 * rng.uniform(0.6, 1.2),
                  tint * rng.uniform(0.6, 1.2), shadow=0.0 if open_sky else 0.35)
        return canvas

    def cover(self, rng: np.random.Generator, canvas: np.ndarray, ids: np.ndarray, plant,
              count: int, reach: float, places: np.ndarray) -> None:
        """Leaves and some sprays before things, most of them near one of `places`."""
        sprays, leaves, tint = plant
        size = canvas.shape[0]
        for _ in range(count):
            near = len(places) and rng.random() < 0.8
            at = (places[rng.integers(len(places))] + rng.normal(size=2) * reach * 0.7
                  if near else rng.uniform(0, size, 2))
            light = tint * rng.uniform(0.7, 1.3)
            if rng.random() < 0.12:
                paste(canvas, sprays[rng.integers(len(sprays))], at, rng.uniform(0, 6.28),
                      reach * 2.2 / 160, light, ids, rng.uniform(0.5, 1), 0.3)
            else:
                paste(canvas, leaves[rng.integers(len(leaves))], at, rng.uniform(0, 6.28),
                      reach * rng.uniform(0.7, 1.4) / 48, light, ids, rng.uniform(0.4, 1), 0.3)


def branch(canvas: np.ndarray, rng: np.random.Generator, width: float,
           ids: np.ndarray | None = None) -> None:
    """A crooked branch across the picture, lighter on one side; hides what is below."""
    size = canvas.shape[0]
    at, angle = rng.uniform(0, size, 2), rng.uniform(0, 6.28)
    at = at - size * 0.6 * np.array([math.cos(angle), math.sin(angle)])
    points = [at]
    for _ in range(12):
        angle += rng.normal() * 0.22
        points.append(points[-1] + size / 8 * np.array([math.cos(angle), math.sin(angle)]))
    tone = np.array([70, 85, 100]) * rng.uniform(0.4, 1.5)
    line = np.round(np.array(points) * 16).astype(np.int32)[None]
    thick = max(1, round(width))
    cv2.polylines(canvas, line, False, colours.scalar(tone * 0.6), thick, cv2.LINE_AA, 4)
    shift = np.array([-1, -1]) * int(width * 3)
    cv2.polylines(canvas, line + shift, False, colours.scalar(tone), max(1, thick // 2),
                  cv2.LINE_AA, 4)
    if ids is not None:
        cv2.polylines(ids, line, False, 0, thick, cv2.LINE_8, 4)


def sky(rng: np.random.Generator, size: int) -> np.ndarray:
    """Blue, white or grey, lighter towards one end, with or without clouds."""
    top = colours.from_hsv(rng.uniform(98, 114), rng.uniform(0, 190), rng.uniform(170, 250))
    bottom = top * 0.4 + np.array([250, 248, 245]) * 0.6
    ramp = np.linspace(0, 1, size, dtype=np.float32)[:, None, None]
    canvas = np.repeat(top * (1 - ramp) + bottom * ramp, size, 1).astype(np.float32)
    if rng.random() < 0.5:
        cloud = np.clip(fractal(rng, 3, 0.55, 5, 1.5, size) * 0.7 - rng.uniform(-0.5, 1), 0, 1)
        canvas += (np.array([252, 250, 248]) - canvas) * cloud[..., None]
    return canvas.astype(np.float32)
