"""Screws, bolts, nuts, washers, nails, springs, keys, batteries, toy bricks."""

import math

import numpy as np

from .. import colours
from ..shading import dome, grained, lit, metallic, painted, random_material
from ..shapes import coverage, ellipse, path, polygon, rounded_box, star
from .base import FLAT, ROUND, Kind, prism, sprite


class Metallic(Kind):
    """Something of metal, shared by the kinds here."""

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.metal = colours.metal(rng)
        self.material = metallic(rng)
        self.rust = rng.uniform(0, 0.5) if rng.random() < 0.3 else 0

    def albedo(self, a, rng):
        base = grained(self.metal, self.texture(a, rng), self.grain)
        if self.rust:
            spots = np.clip(self.texture(a, rng) - 0.3, 0, 1)[..., None] * self.rust
            base = base * (1 - spots) + np.array([25, 60, 120]) * spots
        return base


class Screw(Metallic):
    """Screws, bolts, nails and pins lying on their side."""

    body = ROUND
    thickness = 0.9

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.shank = rng.uniform(0.08, 0.2)
        self.head = self.shank * rng.uniform(1.5, 2.6)
        self.head_length = rng.uniform(0.08, 0.3)
        self.threads = rng.uniform(25, 70) if rng.random() < 0.8 else 0
        self.pointed = rng.random() < 0.6
        self.thread_from = rng.uniform(-0.6, 0.2)
        self.countersunk = rng.random() < 0.5
        self.extent = (0.97, self.head)

    def draw(self, a, rng, light):
        wave = 0.02 * np.sin(a.x * self.threads + a.y * 6) * (a.x > self.thread_from)
        half = np.full_like(a.x, self.shank)
        if self.pointed:
            half = half * np.clip((0.97 - a.x) / 0.35, 0, 1)
        shank = np.maximum(np.abs(a.y) - half - wave * (self.threads > 0), np.abs(a.x) - 0.97)
        t = np.clip((a.x + 0.97) / self.head_length, 0, 1)
        flare = self.head + (self.shank - self.head) * (t if self.countersunk else 0)
        head = np.maximum(np.abs(a.y) - flare, np.abs(a.x + 0.97 - self.head_length / 2)
                          - self.head_length / 2)
        d = np.minimum(shank, head)
        height = np.maximum(dome(shank, self.shank, 1), dome(head, self.head, 1))
        height = height + wave * 1.5
        return sprite(lit(a, height, self.albedo(a, rng), self.material, light), coverage(d, a))


class NutOrWasher(Metallic):
    """Hexagon nuts, square nuts, washers, rings, bolt and screw heads from above."""

    body = FLAT

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.shape = ("hex", "hex", "washer", "washer", "head", "lock")[rng.integers(6)]
        self.corners = 4 if self.shape == "hex" and rng.random() < 0.15 else 6
        self.hole = rng.uniform(0.35, 0.7)
        self.height = rng.uniform(0.4, 0.9) if self.shape == "hex" else rng.uniform(0.05, 0.3)
        self.drive = ("cross", "slot", "hex", "star")[rng.integers(4)]

    def draw(self, a, rng, light):
        if self.shape == "hex":
            d = np.maximum(polygon(a, 0.98, self.corners), ellipse(a, 0.93, 0.93))
        elif self.shape == "lock":
            d = star(a, 0.98, 16, 0.12)
        else:
            d = ellipse(a, 0.96, 0.96)
        colour = lit(a, dome(d, 0.9 if self.shape == "head" else 0.1, 0.5),
                     self.albedo(a, rng), self.material, light)
        alpha = coverage(d, a)
        if self.shape == "head":
            cut = {"cross": lambda: np.minimum(rounded_box(a, 0.5, 0.1, 0.02),
                                               rounded_box(a, 0.1, 0.5, 0.02)),
                   "slot": lambda: rounded_box(a, 0.85, 0.1, 0.02),
                   "hex": lambda: polygon(a, 0.45, 6),
                   "star": lambda: star(a, 0.5, 6, 0.3)}[self.drive]()
            colour = painted(colour, colour * 0.25, cut, a)
        else:
            hole = ellipse(a, self.hole, self.hole)
            ring = np.exp(-((hole - 0.03) / 0.03) ** 2)[..., None]
            colour = colour * (1 - 0.4 * ring)
            alpha = alpha * (1 - coverage(hole, a))
        return sprite(colour, alpha, walls=prism(self.height, self.metal * 0.6))


class Key(Metallic):
    """Keys."""

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.bow = rng.uniform(0.25, 0.36)
        self.extent = (0.97, self.bow)
        self.height = 0.08

    def draw(self, a, rng, light):
        cx = -0.97 + self.bow
        bow = np.hypot(a.x - cx, a.y) - self.bow
        teeth = 0.05 * np.sign(np.sin(a.x * 22 + rng.uniform(0, 6))) * (a.y > 0) * (a.x > 0.2)
        blade = np.maximum(np.abs(a.y) - 0.11 - teeth, np.abs(a.x - 0.2) - 0.76)
        d = np.minimum(bow, blade)
        height = 0.05 * (d < -0.03) - 0.03 * (np.abs(a.y) < 0.03) * (a.x > -0.3)
        alpha = coverage(d, a) * (1 - coverage(np.hypot(a.x - cx + 0.1, a.y) - 0.09, a))
        colour = lit(a, height, self.albedo(a, rng), self.material, light)
        return sprite(colour, alpha, walls=prism(self.height, self.metal * 0.5))


class Battery(Kind):
    """Cylinders on their side with bands of colour: batteries, markers, chalk, lipsticks, pens."""

    body = ROUND
    thickness = 1.0

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.radius = math.exp(rng.uniform(math.log(0.05), math.log(0.4)))
        self.extent = (0.97, self.radius)
        self.bands = np.sort(rng.uniform(-0.97, 0.97, int(rng.integers(0, 5))))
        self.band_colours = [colours.anything(rng) for _ in range(len(self.bands) + 1)]
        self.cap = rng.random() < 0.5
        self.pointed = rng.uniform(0.1, 0.4) if rng.random() < 0.4 else 0
        self.material = metallic(rng) if rng.random() < 0.4 else random_material(rng)

    def draw(self, a, rng, light):
        half = np.full_like(a.x, self.radius)
        if self.pointed:
            half = half * np.clip((0.97 - a.x) / self.pointed, 0.1, 1)
        if self.cap:
            half = np.where(a.x < -0.87, half * 0.45, half)
        d = np.maximum(np.abs(a.y) - half, np.abs(a.x) - 0.97)
        across = np.clip(np.abs(a.y) / np.maximum(half, 0.02), 0, 1)
        height = np.sqrt(1 - across**2) * half
        which = np.searchsorted(self.bands, a.x)
        albedo = np.stack(self.band_colours)[which]
        albedo = grained(albedo, self.texture(a, rng), self.grain)
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a))


class ToyBrick(Kind):
    """Building bricks with studs; colours vary within the kind."""

    body = FLAT

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.columns, self.rows = int(rng.integers(2, 5)), int(rng.integers(1, 3))
        self.ry = 0.96 * self.rows / self.columns
        self.extent = (0.96, self.ry)
        self.palette = [colours.saturated(rng) for _ in range(int(rng.integers(1, 6)))]
        self.height = rng.uniform(0.3, 1.0)
        self.material = random_material(rng, 0.5)

    def draw(self, a, rng, light):
        d = rounded_box(a, 0.96, self.ry, 0.03)
        pitch = 1.92 / self.columns
        u = (a.x + 0.96) % pitch - pitch / 2
        v = (a.y + self.ry) % pitch - pitch / 2
        stud = np.hypot(u, v) - pitch * 0.32
        colour = self.palette[rng.integers(len(self.palette))]
        albedo = grained(colour, self.texture(a, rng), 0.02)
        height = dome(d, 0.04) + 0.1 * np.clip(-stud * 20, 0, 1)
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a),
                      walls=prism(self.height, colour * 0.8))


class Paperclip(Metallic):
    """Bent wire: clips, hooks, staples, springs."""

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.wire = rng.uniform(0.03, 0.07)
        self.coloured = colours.saturated(rng) if rng.random() < 0.4 else None
        if self.coloured is not None:
            self.metal = self.coloured
        self.extent = (0.97, 0.3)
        t = np.linspace(0, math.pi, 6)
        right = np.stack([0.68 + 0.26 * np.sin(t), 0.26 * np.cos(t)], 1)
        left = np.stack([-0.72 - 0.2 * np.sin(t), -0.26 + 0.2 * (1 - np.cos(t))], 1)
        inner = np.stack([0.4 + 0.14 * np.sin(t), 0.14 * np.cos(t) - 0.0], 1)
        self.points = np.concatenate([[[-0.4, 0.26]], right, left, inner[::-1][:4]])

    def draw(self, a, rng, light):
        d = path(a, self.points, self.wire)
        colour = lit(a, dome(d, self.wire, 1), self.albedo(a, rng), self.material, light)
        return sprite(colour, coverage(d, a))
