"""What things lie on: plain, wood, cloth, metal, stone, tiles, photographs; trays and tables."""

import math

import cv2
import numpy as np

from . import colours
from .camera import Camera
from .layouts import Region
from .lettering import write
from .noise import NoiseBank, fractal

TEXTURE = 640


def procedural(rng: np.random.Generator, style: int) -> np.ndarray:
    """A surface of one of six styles, `TEXTURE` pixels a side."""
    n = TEXTURE
    y, x = np.mgrid[0:n, 0:n].astype(np.float32)
    first = colours.anything(rng)
    second = first + rng.uniform(-60, 60, 3) * (0.3 if rng.random() < 0.5 else 1)
    if style == 0:  # planks
        first = np.array([rng.uniform(30, 150), rng.uniform(60, 190), rng.uniform(90, 225)])
        second = first * rng.uniform(0.45, 0.8)
        grain = fractal(rng, 4, 0.6, 7, rng.choice([0.08, 0.15]), n)
        mix = np.sin(grain * rng.uniform(2, 6)) * 0.5 + fractal(rng, 60, 0.8, 4, 0.05, n) * 0.3
        if rng.random() < 0.5:
            board = n / rng.integers(3, 9)
            mix = mix - 2 * ((y % board) < 2)
    elif style == 1:  # brushed metal, scratches
        mix = fractal(rng, 200, 0.9, 3, 0.02, n) * 0.7 + fractal(rng, 3, 0.6, 5, 1, n) * 0.4
    elif style == 2:  # cloth
        period = rng.uniform(3, 9)
        mix = np.sin(x * 6.28 / period) * np.sin(y * 6.28 / period)
        mix = mix + fractal(rng, 5, 0.6, 6, 1, n) * 0.4 + rng.standard_normal((n, n)) * 0.3
    elif style == 3:  # stone, paper, baking parchment, asphalt
        mix = fractal(rng, int(rng.integers(3, 80)), rng.uniform(0.5, 0.95), 7, 1, n)
    elif style == 4:  # tiles, stripes, parking bays
        period, a = rng.uniform(30, 160), rng.uniform(0, math.pi)
        u, v = x * math.cos(a) + y * math.sin(a), y * math.cos(a) - x * math.sin(a)
        width = rng.uniform(0.03, 0.5)
        mix = ((u / period) % 1 < width).astype(np.float32)
        if rng.random() < 0.6:
            other = ((v / (period * rng.uniform(1, 4))) % 1 < width * 0.5).astype(np.float32)
            mix = np.maximum(mix, other)
        mix = cv2.GaussianBlur(mix, (0, 0), 1) * 2 - 1 + fractal(rng, 6, 0.6, 6, 1, n) * 0.25
    else:
        mix = rng.standard_normal((n, n)) * 0.5 + fractal(rng, 2, 0.6, 6, 1, n) * 0.5
    mix = np.clip(mix * 0.5 + 0.5, -0.3, 1.3)[..., None].astype(np.float32)
    return np.clip(first * mix + second * (1 - mix), 0, 255).astype(np.uint8)


class Backgrounds:
    """Surfaces to choose from."""

    def __init__(self, photographs: list[np.ndarray], noise: NoiseBank, seed: int) -> None:
        rng = np.random.default_rng([seed, 0xB6])
        self.noise = noise
        self.photographs = photographs
        self.surfaces = [procedural(rng, k % 6) for k in range(48)]

    def texture(self, rng: np.random.Generator) -> np.ndarray:
        """A picture of some surface; its colours are changed at random."""
        if rng.random() < 0.55 or not self.photographs:
            image = self.surfaces[rng.integers(len(self.surfaces))]
        else:
            image = self.photographs[rng.integers(len(self.photographs))]
        height, width = image.shape[:2]
        side = int(min(height, width) * rng.uniform(0.4, 1))
        y, x = rng.integers(0, height - side + 1), rng.integers(0, width - side + 1)
        image = image[y:y + side, x:x + side]
        if rng.random() < 0.5:
            image = image.transpose(1, 0, 2)
        image = image.astype(np.float32) * (rng.uniform(0.6, 1.25) * rng.uniform(0.88, 1.12, 3))
        image = image.astype(np.float32)
        if rng.random() < 0.4:
            mean = image.mean((0, 1))
            image = mean + (image - mean) * np.float32(rng.uniform(0.2, 0.8))
        if rng.random() < 0.12:
            image = image[..., ::-1]
        return np.ascontiguousarray(np.clip(image + np.float32(rng.uniform(-20, 20)), 0, 255))

    def plain(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """One colour, hardly textured: paper, a table top, a light box."""
        makers = (colours.white, colours.white, colours.grey, colours.grey, colours.grey,
                  colours.anything)
        image = np.empty((size, size, 3), np.float32)
        image[:] = makers[rng.integers(len(makers))](rng)
        if rng.random() < 0.75:
            grain = cv2.resize(self.noise.patch(rng, 256), (size, size))
            image *= (1 + rng.uniform(0, 0.07) * grain)[..., None]
        return image

    def on_table(self, rng: np.random.Generator, camera: Camera, image: np.ndarray) -> np.ndarray:
        """A texture spread over the table, mirrored beyond its edges."""
        span = camera.size * rng.uniform(0.8, 2.2)
        turn = rng.uniform(0, 2 * math.pi) if rng.random() < 0.4 else rng.choice([0, math.pi / 2])
        k, c, s = span / image.shape[0], math.cos(turn), math.sin(turn)
        to_world = np.array([[k * c, -k * s, rng.uniform(-1, 1) * span],
                             [k * s, k * c, rng.uniform(-1, 1) * span], [0, 0, 1]])
        return cv2.warpPerspective(
            image, camera.homography() @ to_world, (camera.size, camera.size),
            flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)

    def canvas(self, rng: np.random.Generator, camera: Camera) -> np.ndarray:
        """A table that fills the picture, or an arbitrary blurred surrounding."""
        choice = rng.random()
        if choice < 0.42:
            return self.plain(rng, camera.size)
        image = self.texture(rng)
        if choice < 0.85:
            image = self.on_table(rng, camera, image)
        else:
            image = cv2.resize(image, (camera.size, camera.size))
        if rng.random() < 0.25:
            image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 5))
        return image


def world_polygon(camera: Camera, corners: list[tuple[float, float]]) -> np.ndarray:
    """Corners on the table as OpenCV wants them, with four fractional bits."""
    points = [camera.point(x, y, 0.0) for x, y in corners]
    return np.round(np.array(points) * 16).astype(np.int32)[None]


def add_tray(canvas: np.ndarray, rng: np.random.Generator, camera: Camera, region: Region,
             surface: np.ndarray | None) -> None:
    """A tray, sheet, crate bottom or mat under the region, with a raised rim."""
    margin = rng.uniform(0.01, 0.12) * camera.size
    rim = rng.uniform(0.0, 0.035) * camera.size
    x0, y0 = region.x0 - margin, region.y0 - margin
    x1, y1 = region.x1 + margin, region.y1 + margin

    def rectangle(grow: float) -> np.ndarray:
        return world_polygon(camera, [(x0 - grow, y0 - grow), (x1 + grow, y0 - grow),
                                      (x1 + grow, y1 + grow), (x0 - grow, y1 + grow)])

    tone = colours.anything(rng)
    if rim > 2:
        outer = tuple(float(v) for v in np.clip(tone * rng.uniform(0.5, 1.5), 0, 255))
        shadow = rectangle(rim * 1.6)
        mask = np.zeros(canvas.shape[:2], np.uint8)
        cv2.fillPoly(mask, shadow, 255, cv2.LINE_AA, 4)
        mask = cv2.blur(mask, (9, 9))
        canvas *= 1 - (0.5 / 255) * mask[..., None].astype(np.float32)
        cv2.fillPoly(canvas, rectangle(rim), outer, cv2.LINE_AA, 4)
        bright = tuple(float(v) for v in np.clip(tone * 1.5 + 30, 0, 255))
        cv2.polylines(canvas, rectangle(rim * 0.6), True, bright, 1 + int(rim / 8), cv2.LINE_AA, 4)
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillPoly(mask, rectangle(0), 255, cv2.LINE_AA, 4)
    inside = np.float32(tone) if surface is None else surface
    alpha = (mask.astype(np.float32) / 255)[..., None]
    canvas += (inside - canvas) * alpha
    if rim > 2:
        edge = tuple(float(v) for v in tone * 0.5)
        cv2.polylines(canvas, rectangle(-1), True, edge, 2, cv2.LINE_AA, 4)


def add_text(canvas: np.ndarray, rng: np.random.Generator, at: tuple[int, int], text: str,
             scale: float, colour) -> None:
    """Text drawn straight onto the picture."""
    write(canvas, text, at, int(rng.integers(0, 8)), scale, colour, 1 + (scale > 0.8))


def add_clutter(canvas: np.ndarray, rng: np.random.Generator, noise: NoiseBank) -> None:
    """Lines, tape, stains, crumbs, print: there, but nothing to count."""
    size = canvas.shape[0]
    if rng.random() < 0.2:
        for _ in range(int(rng.integers(1, 6))):
            ends = rng.integers(0, size, 4)
            colour = tuple(float(v) for v in colours.anything(rng))
            cv2.line(canvas, (int(ends[0]), int(ends[1])), (int(ends[2]), int(ends[3])), colour,
                     int(rng.integers(1, 8)), cv2.LINE_AA)
    if rng.random() < 0.15:
        stain = cv2.resize(noise.patch(rng, 128), (size, size))
        canvas *= (1 - 0.3 * np.clip(stain - 1, 0, 1))[..., None]
    if rng.random() < 0.15:
        tone = tuple(float(v) for v in colours.brown(rng))
        for x, y in rng.integers(0, size, (int(rng.integers(10, 120)), 2)):
            cv2.circle(canvas, (int(x), int(y)), 1 + (rng.random() < 0.2), tone, -1, cv2.LINE_AA)
    if rng.random() < 0.3:
        for _ in range(int(rng.integers(1, 8))):
            text = "".join(chr(rng.integers(40, 123)) for _ in range(rng.integers(2, 16)))
            at = (int(rng.integers(-20, size)), int(rng.integers(0, size)))
            add_text(canvas, rng, at, text, rng.uniform(0.3, 1.6), colours.anything(rng))
