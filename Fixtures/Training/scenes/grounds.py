"""Natural grounds with much in them and nothing to count: grass, gravel, water, fields of view."""

import math

import cv2
import numpy as np

from . import colours
from .noise import fractal


def mixed(first: np.ndarray, second: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Between two colours, pixel by pixel."""
    share = np.clip(share, 0, 1)[..., None]
    return (np.asarray(first) * (1 - share) + np.asarray(second) * share).astype(np.float32)


def grass(rng: np.random.Generator, size: int) -> np.ndarray:
    """A lawn or meadow: patches from afar, blades from near."""
    dark = colours.from_hsv(rng.uniform(28, 55), rng.uniform(50, 190), rng.uniform(40, 130))
    light = colours.from_hsv(rng.uniform(22, 50), rng.uniform(50, 170), rng.uniform(100, 210))
    canvas = mixed(dark, light, 0.5 + 0.25 * fractal(rng, int(rng.integers(4, 60)), 0.85, 6, 1,
                                                      size))
    length = rng.choice([0, 6, 14, 30]) * size / 448
    if length:
        for _ in range(900):
            x, y = rng.integers(0, size, 2)
            dx, dy = rng.normal() * length * 0.4, -length * rng.uniform(0.4, 1)
            tone = dark + (light - dark) * rng.uniform(0, 1.5)
            cv2.line(canvas, (int(x), int(y)), (int(x + dx), int(y + dy)),
                     colours.scalar(tone), 1 + (length > 20), cv2.LINE_AA)
    return canvas


def soil(rng: np.random.Generator, size: int) -> np.ndarray:
    """Earth, sand, dust; ruts and stones."""
    value = rng.uniform(90, 215)
    tone = value * np.array([rng.uniform(0.45, 0.85), rng.uniform(0.68, 0.95), 1])
    canvas = mixed(tone * 0.55, tone * 1.15,
                   0.5 + 0.22 * fractal(rng, int(rng.integers(3, 50)), 0.9, 7, 1, size))
    if rng.random() < 0.4:
        pebbles(canvas, rng, int(rng.integers(10, 150)), rng.uniform(1, 4) * size / 448)
    return canvas


def pebbles(canvas: np.ndarray, rng: np.random.Generator, count: int, radius: float) -> None:
    """Small stones, each lighter above than below."""
    base = colours.grey(rng) * 0.6 + colours.brown(rng) * 0.4
    for x, y in rng.integers(0, canvas.shape[0], (count, 2)):
        long, short = radius * rng.uniform(0.5, 1.6), radius * rng.uniform(0.5, 1.2)
        axes = (max(1, int(long)), max(1, int(short)))
        turn, tone = rng.uniform(0, 180), base * rng.uniform(0.6, 1.5)
        shadow, stone = colours.scalar(tone * 0.4), colours.scalar(tone)
        cv2.ellipse(canvas, (int(x) + 1, int(y) + 1), axes, turn, 0, 360, shadow, -1)
        cv2.ellipse(canvas, (int(x), int(y)), axes, turn, 0, 360, stone, -1, cv2.LINE_AA)


def gravel(rng: np.random.Generator, size: int) -> np.ndarray:
    """Nothing but small stones."""
    canvas = np.full((size, size, 3), rng.uniform(20, 90), np.float32)
    for radius in (9, 6, 4):
        pebbles(canvas, rng, 500, radius * size / 448 * rng.uniform(0.6, 1.1))
    return canvas * (1 + 0.08 * fractal(rng, 60, 0.9, 4, 1, size))[..., None]


def water(rng: np.random.Generator, size: int) -> np.ndarray:
    """Sea, lake or pool from above: waves, glints, foam."""
    deep = colours.from_hsv(rng.uniform(80, 120), rng.uniform(40, 230), rng.uniform(40, 190))
    light = deep * 0.6 + colours.from_hsv(rng.uniform(80, 110), 60, 240) * 0.4
    waves = fractal(rng, int(rng.integers(4, 50)), rng.uniform(0.5, 0.8), 5,
                    rng.choice([0.3, 1, 3]), size)
    canvas = mixed(deep, light, 0.35 + rng.uniform(0.05, 0.25) * waves)
    style = rng.random()
    if style < 0.25:  # light gathered by waves on a bright ground
        web = np.exp(-np.abs(fractal(rng, int(rng.integers(6, 20)), 0.4, 3, 1, size)) * 7)
        canvas += 90 * web[..., None]
    elif style < 0.5:
        canvas += 160 * np.clip(waves - rng.uniform(1.5, 2.6), 0, 1)[..., None]
    return canvas


def underwater(rng: np.random.Generator, size: int) -> np.ndarray:
    """A tank or the open sea from the side: lighter above, rays, floating specks, rocks."""
    tone = colours.from_hsv(rng.uniform(85, 122), rng.uniform(90, 255), rng.uniform(90, 230))
    ramp = np.linspace(rng.uniform(0.9, 1.5), rng.uniform(0.3, 0.9), size)[:, None]
    cloud = 1 + 0.12 * fractal(rng, 3, 0.5, 4, 1, size)
    canvas = (tone * (ramp * cloud)[..., None]).astype(np.float32)
    if rng.random() < 0.4:
        line = np.arange(size) / size
        slant = line[None] + rng.uniform(-0.6, 0.6) * line[:, None]
        rays = np.sin(slant * rng.uniform(10, 30) + rng.uniform(0, 6)) ** 8
        canvas *= (1 + rng.uniform(0.1, 0.5) * rays * (1 - line[:, None]))[..., None]
    if rng.random() < 0.4:
        reef = fractal(rng, 5, 0.7, 6, 1, size) * 0.13 + np.linspace(-0.8, 0.5, size)[:, None]
        shade = colours.anything(rng) * 0.3 + tone * 0.3
        rough = (1 + 0.3 * fractal(rng, 20, 0.8, 5, 1, size))[..., None]
        canvas += (shade * rough - canvas) * np.clip(reef * 12, 0, 1)[..., None]
    for x, y in rng.integers(0, size, (int(rng.integers(0, 120)), 2)):
        cv2.circle(canvas, (int(x), int(y)), 1, colours.scalar(tone * 1.3 + 30), -1, cv2.LINE_AA)
    return canvas


def round_field(canvas: np.ndarray, strength: float) -> np.ndarray:
    """Darker towards the edges."""
    size = canvas.shape[0]
    line = np.linspace(-1, 1, size, dtype=np.float32)
    radius = line[:, None] ** 2 + line[None] ** 2
    return canvas * (1 - strength * radius)[..., None]


def bright_field(rng: np.random.Generator, size: int) -> np.ndarray:
    """A lit microscope field: pale, even, with specks and out-of-focus dirt."""
    tone = np.clip(rng.uniform(185, 250) + rng.uniform(-28, 8, 3), 0, 255)
    canvas = np.empty((size, size, 3), np.float32)
    canvas[:] = tone
    canvas *= (1 + rng.uniform(0, 0.05) * fractal(rng, 3, 0.5, 5, 1, size))[..., None]
    dirt = np.zeros((size, size), np.float32)
    for x, y in rng.integers(0, size, (int(rng.integers(0, 14)), 2)):
        cv2.circle(dirt, (int(x), int(y)), int(rng.integers(1, 5)), rng.uniform(0.05, 0.5), -1)
    canvas *= 1 - cv2.GaussianBlur(dirt, (0, 0), rng.uniform(0.6, 3))[..., None]
    return round_field(canvas, rng.uniform(0, 0.25))


def stained(rng: np.random.Generator, size: int) -> np.ndarray:
    """Tissue: pink and violet fibres and pale gaps."""
    pink = colours.from_hsv(rng.uniform(145, 172), rng.uniform(40, 130), rng.uniform(170, 240))
    pale = np.array([238, 228, 240]) * rng.uniform(0.9, 1)
    fibres = fractal(rng, int(rng.integers(4, 14)), 0.75, 6, rng.choice([0.3, 1, 2.5]), size)
    return mixed(pink, pale, 0.4 + 0.35 * fibres)


def dark_field(rng: np.random.Generator, size: int) -> np.ndarray:
    """Fluorescence: black, a glow, faint blobs out of focus."""
    glow = 1 + 0.4 * fractal(rng, 3, 0.5, 3, 1, size)
    tints = ((1, 1, 1), (1, 1, 1), (1, 0.25, 0.15), (0.2, 1, 0.3), (0.3, 0.3, 1))
    tint = np.array(tints[rng.integers(len(tints))])
    canvas = (tint * rng.uniform(1, 30) * glow[..., None]).astype(np.float32)
    if rng.random() < 0.4:
        blobs = np.zeros((size // 4, size // 4), np.float32)
        for x, y in rng.integers(0, size // 4, (int(rng.integers(3, 20)), 2)):
            cv2.circle(blobs, (int(x), int(y)), int(rng.integers(2, 9)), rng.uniform(5, 25), -1)
        blobs = cv2.GaussianBlur(blobs, (0, 0), rng.uniform(2, 6))
        canvas += tint * cv2.resize(blobs, (size, size))[..., None]
    return canvas.astype(np.float32)


def dish(rng: np.random.Generator, size: int) -> tuple[np.ndarray, tuple[float, float, float]]:
    """Agar in a dish on a dark or light ground, and the circle (x, y, radius) it fills."""
    around = colours.grey(rng) * rng.choice([0.2, 1])
    canvas = np.empty((size, size, 3), np.float32)
    canvas[:] = around
    radius = size * rng.uniform(0.42, 0.75 if rng.random() < 0.3 else 0.49)
    x, y = size / 2 + rng.normal(size=2) * size * 0.02
    agars = ((60, 105, 115), (150, 195, 205), (90, 160, 190), (60, 60, 160), (215, 225, 228),
             (35, 45, 50), (120, 170, 130))
    agar = np.array(agars[rng.integers(len(agars))]) * rng.uniform(0.7, 1.15)
    center = (int(x * 16), int(y * 16))

    def disc(r, tone, thick=-1):
        cv2.circle(canvas, center, int(r * 16), colours.scalar(tone), thick,
                   cv2.LINE_AA, 4)

    disc(radius, agar * 0.75 + 15)
    disc(radius, np.minimum(agar * 1.4 + 30, 250), max(1, size // 150))
    disc(radius * 0.955, agar)
    disc(radius * 0.955, np.minimum(agar * 1.25 + 20, 250), max(1, size // 200))
    if rng.random() < 0.5:
        start = rng.uniform(0, 360)
        cv2.ellipse(canvas, (int(x), int(y)), (int(radius * 0.98),) * 2, start, 0,
                    rng.uniform(10, 60), (245, 245, 245), max(1, size // 110), cv2.LINE_AA)
    shade = 1 + rng.uniform(0.01, 0.06) * fractal(rng, 2, 0.5, 6, 1, size)
    canvas *= shade[..., None]
    return canvas, (x, y, radius * 0.9)


def ripples(rng: np.random.Generator, size: int) -> np.ndarray:
    """Sand or water in even waves."""
    line = np.arange(size, dtype=np.float32)
    angle = rng.uniform(0, math.pi)
    along = line[None] * math.cos(angle) + line[:, None] * math.sin(angle)
    bend = fractal(rng, 4, 0.5, 4, 1, size) * rng.uniform(0.5, 2)
    wave = np.sin(along * 6.28 / rng.uniform(9, 40) + bend)
    tone = colours.brown(rng) if rng.random() < 0.6 else colours.from_hsv(100, 120, 160)
    return mixed(tone * 0.7, tone * 1.2, 0.5 + 0.3 * wave + 0.1 * fractal(rng, 40, 0.9, 4, 1, size))
