"""Fish from the side, swimming one way: body, tail, fins, eye, stripes."""

import numpy as np

from .. import colours
from ..shading import dome, grained, lit, painted, random_material
from ..shapes import coverage, ellipse
from .base import FLAT, Kind, sprite


class Fish(Kind):
    """One species; size, bend and light vary, the colour hardly."""

    body = FLAT
    thickness = 0.1
    free_rotation = False
    specimens = 10

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.material = random_material(rng, rng.uniform(0.2, 1))
        self.back = colours.anything(rng) * rng.uniform(0.4, 1)
        self.belly = np.minimum(self.back * rng.uniform(1, 2) + rng.uniform(0, 90), 250)
        self.ry = rng.uniform(0.18, 0.6)
        self.extent = (0.97, self.ry)
        self.tail = rng.uniform(0.22, 0.36)
        self.tail_spread = rng.uniform(0.2, 0.45)
        self.fork = rng.uniform(0, 0.7)
        self.fins = rng.uniform(0.05, 0.3)
        self.fin_tone = self.back * rng.uniform(0.5, 1.3)
        self.stripes = rng.uniform(4, 16) if rng.random() < 0.35 else 0
        self.lengthwise = rng.random() < 0.4
        self.stripe_tone = colours.anything(rng)
        self.clear = rng.uniform(0.75, 1)
        self.ways = rng.choice([1.0, 1.0, 0.85, 0.5])

    def draw(self, a, rng, light):
        way = 1 if rng.random() < self.ways else -1
        x = a.x * way
        y = a.y - rng.normal() * 0.1 * (x * x - 0.3) * (x < 0.3)
        narrow = rng.uniform(0.75, 1)  # it swims a little towards or away
        x = np.clip(x / narrow, -1.5, 1.5)
        start = -0.95 + self.tail * 0.75
        t = np.clip((x - start) / (0.96 - start), 0, 1)
        profile = self.ry * 0.86 * (
            np.maximum(np.sin(np.pi * t ** rng.uniform(0.75, 0.85)), 0) ** 0.75 + 0.05)
        trunk = np.maximum(np.abs(y) - profile, np.maximum(start - x, x - 0.96)) * 0.8
        u = np.clip((start + 0.08 - x) / self.tail, 0, 1.2)
        spread = 0.05 + self.tail_spread * u
        notch = self.fork * self.tail * (1 - np.abs(y) / self.tail_spread)
        tail = np.maximum(np.abs(y) - spread, np.maximum(x - start - 0.08, -0.95 + notch - x)) * 0.7
        fin_height = profile + self.fins * np.clip(np.sin((x + 0.5) * 2.6), 0, 1)
        fins = np.maximum(np.abs(y) - fin_height, np.maximum(-0.5 - x, x - 0.5)) * 0.7
        d = np.minimum(np.minimum(trunk, tail), fins)
        rays = 1 + 0.15 * np.sin((y + 0.3 * x) * 60)
        colour = grained(self.fin_tone, self.texture(a, rng), 0.1) * rays[..., None]
        share = np.clip(0.5 + y / max(self.ry, 0.1), 0, 1)[..., None]
        albedo = self.back * (1 - share) + self.belly * share
        albedo = grained(albedo, self.texture(a, rng), 0.06)
        if self.stripes:
            wave = np.sin((y * 1.6 if self.lengthwise else x) * self.stripes + 1)
            albedo = np.where((wave > 0.4)[..., None], self.stripe_tone, albedo)
        body = lit(a, dome(trunk, self.ry * 0.8, 0.7), albedo, self.material,
                   np.array([0.1, -0.6, 0.75], np.float32))
        colour = painted(colour, body, trunk, a)
        flap = ellipse(a, 0.13, 0.06, 0.25 * way * narrow, 0.25 * self.ry)
        colour = painted(colour, colour * 0.75, flap, a)
        gill = np.abs(np.hypot(x - 0.8, y) - 0.3) * (x < 0.75) + (x >= 0.75)
        colour = colour * (1 - 0.25 * np.exp(-((gill / 0.02) ** 2)))[..., None]
        eye = ellipse(a, 0.055, 0.055, 0.74 * way * narrow, -0.12 * self.ry)
        colour = painted(colour, [235, 235, 235], eye - 0.02, a)
        colour = painted(colour, [15, 15, 15], eye, a)
        return sprite(colour, coverage(d, a) * self.clear)
