"""Fruit, eggs, beans, nuts, stones, shells, leaves, logs."""

import math

import numpy as np

from .. import colours
from ..shading import dome, grained, lit, painted, random_material
from ..shapes import coverage, ellipse, path, superellipse, wavy
from .base import FLAT, ROUND, Kind, prism, sprite


class Fruit(Kind):
    """Apples, oranges, lemons, cherries, tomatoes, berries, grapes; ripeness varies."""

    body = ROUND
    thickness = 0.95

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.base = colours.from_hsv(rng.choice([0, 3, 8, 14, 20, 28, 40, 150, 175]),
                                     rng.uniform(140, 255), rng.uniform(110, 250))
        self.blush = colours.from_hsv(rng.choice([0, 5, 20, 40]), 200, rng.uniform(80, 220))
        self.blushing = rng.uniform(0, 0.9) if rng.random() < 0.5 else 0
        self.ry = rng.uniform(0.65, 0.9) if rng.random() < 0.3 else 0.95
        self.tip = rng.uniform(0.05, 0.2) if rng.random() < 0.25 else 0
        self.extent = (0.96, self.ry)
        self.pores = rng.uniform(0, 0.03)
        self.seeds = rng.random() < 0.2
        self.stalk = rng.random() < 0.5
        self.leaf = rng.random() < 0.2
        self.material = random_material(rng, rng.uniform(0.1, 1))

    def draw(self, a, rng, light):
        tip = self.tip * np.exp(-((np.abs(a.angle)) / 0.3) ** 2)
        d = ellipse(a, 0.96 - self.tip, self.ry - self.tip * 0.3) - tip
        d = d + 0.02 * rng.random() * np.cos(3 * a.angle + rng.uniform(0, 6))
        texture = self.texture(a, rng)
        blush = np.clip(0.5 + 0.6 * a.x * rng.uniform(-1, 1) + 0.3 * texture, 0, 1) * self.blushing
        albedo = self.base * rng.uniform(0.85, 1.1) * (1 - blush[..., None])
        albedo = grained(albedo + self.blush * blush[..., None], texture, self.grain * 0.4)
        height = dome(d, 0.95, 0.9) + self.pores * self.noise.patch(rng, a.size) * 0.4
        if self.seeds:
            dots = (np.sin(a.x * 17) * np.sin(a.y * 17 + 1)) > 0.85
            albedo = np.where(dots[..., None], [150, 220, 235], albedo)
        colour = lit(a, height, albedo, self.material, light)
        if self.stalk:
            at = rng.uniform(-0.5, 0.5, 2)
            pit = np.exp(-((a.x - at[0]) ** 2 + (a.y - at[1]) ** 2) / 0.03)[..., None]
            colour = colour * (1 - 0.5 * pit)
            end = at + rng.normal(0, 0.15, 2)
            stalk = path(a, np.array([at, end]), 0.035)
            colour = painted(colour, [30, 60, 75], stalk, a)
        if self.leaf:
            leaf = np.hypot((a.x + 0.4) / 0.45, (a.y - 0.1) / 0.16) - 1
            colour = painted(colour, [40, 120, 60], leaf * 0.16, a)
        return sprite(colour, coverage(d, a))


class Egg(Kind):
    """Eggs, olives, potatoes, avocados, plums."""

    body = ROUND
    thickness = 0.75

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.shells = [colours.white(rng) if rng.random() < 0.5 else colours.brown(rng)
                       for _ in range(int(rng.choice([1, 1, 2])))]
        if rng.random() < 0.2:
            self.shells = [colours.anything(rng)]
        self.ry = rng.uniform(0.62, 0.8)
        self.lean = rng.uniform(0, 0.22)
        self.speckled = rng.uniform(0.2, 0.7) if rng.random() < 0.3 else 0
        self.extent = (0.96, self.ry)
        self.bumpy = rng.uniform(0, 0.06) if rng.random() < 0.3 else 0

    def draw(self, a, rng, light):
        d = np.hypot(a.x / 0.96, a.y / (self.ry * (1 - self.lean * a.x))) - 1
        d = d * self.ry + self.bumpy * self.texture(a, rng) * 0.4
        shell = colours.varied(self.shells[rng.integers(len(self.shells))], rng, 0.05, 0.01)
        albedo = grained(shell, self.texture(a, rng), self.grain * 0.3)
        if self.speckled:
            spots = self.noise.patch(rng, a.size) > 1.3
            albedo = albedo * (1 - self.speckled * spots)[..., None]
        return sprite(lit(a, dome(d, self.ry), albedo, self.material, light), coverage(d, a))


class Bean(Kind):
    """Beans, nuts, coffee, seeds, rice, raisins, dates: small, alike, bent or creased."""

    body = ROUND
    thickness = 0.8

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.colour = colours.brown(rng) if rng.random() < 0.7 else colours.anything(rng)
        self.ry = rng.uniform(0.22, 0.8)
        self.bend = rng.uniform(0, 0.5) if rng.random() < 0.5 else 0
        self.crease = rng.random() < 0.35
        self.ridges = rng.uniform(10, 30) if rng.random() < 0.25 else 0
        self.pointed = rng.uniform(1.4, 2) if rng.random() < 0.3 else 2.2
        self.extent = (0.96, min(0.95, self.ry + self.bend * 0.3))
        self.wrinkle = rng.uniform(0, 0.08)
        self.spread = rng.uniform(0.02, 0.15)

    def draw(self, a, rng, light):
        bend = self.bend * rng.uniform(0.7, 1.3)
        y = a.y - bend * (a.x * a.x - 0.4)
        ry = self.ry * rng.uniform(0.9, 1.05)
        d = ((np.abs(a.x / 0.96) ** self.pointed + np.abs(y / ry) ** self.pointed)
             ** (1 / self.pointed) - 1) * ry
        texture = self.texture(a, rng)
        height = dome(d, ry, 0.9) + self.wrinkle * texture
        if self.crease:
            height = height - 0.12 * np.exp(-((y + 0.04 * np.sin(4 * a.x)) / 0.05) ** 2)
        if self.ridges:
            height = height + 0.03 * np.sin(y * self.ridges + 0.5 * texture)
        albedo = grained(colours.varied(self.colour, rng, self.spread, 0.03), texture,
                         self.grain + 0.05)
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a))


class Stone(Kind):
    """Pebbles, gravel, potatoes, chunks of ore, charcoal, popcorn."""

    body = ROUND
    thickness = 0.6

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.tones = [colours.grey(rng) if rng.random() < 0.6 else colours.brown(rng)
                      for _ in range(int(rng.integers(1, 5)))]
        self.rough = rng.uniform(0, 0.15)
        self.ry = rng.uniform(0.6, 0.95)
        self.extent = (0.92, self.ry)
        self.veins = rng.random() < 0.3

    def draw(self, a, rng, light):
        ry = np.clip(self.ry * rng.uniform(0.8, 1.15), 0.5, 0.95)
        waves = 0.0
        for k in (2, 3, 4, 5):
            waves = waves + 0.09 / k * rng.normal() * np.cos(k * a.angle + rng.uniform(0, 6))
        d = superellipse(a, 0.88, ry * 0.92, rng.uniform(2, 2.8)) + waves
        texture = self.texture(a, rng)
        tone = colours.varied(self.tones[rng.integers(len(self.tones))], rng, 0.15, 0.02)
        albedo = grained(tone, texture, self.grain + 0.1)
        if self.veins:
            vein = np.exp(-((a.x * rng.normal() + a.y * rng.normal() + 0.1 * texture) / 0.05) ** 2)
            albedo = albedo + 50 * vein[..., None]
        height = dome(d, rng.uniform(0.35, 0.8)) + self.rough * texture
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a))


class Shell(Kind):
    """Scallops and cockles with ribs; snail shells."""

    body = ROUND
    thickness = 0.4

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.tones = [colours.pastel(rng) if rng.random() < 0.5 else colours.brown(rng)
                      for _ in range(int(rng.integers(1, 4)))]
        self.ribs = int(rng.integers(8, 26))
        self.spiral = rng.random() < 0.3
        self.bands = rng.uniform(4, 14)

    def draw(self, a, rng, light):
        tone = colours.varied(self.tones[rng.integers(len(self.tones))], rng, 0.1, 0.03)
        if self.spiral:
            d = ellipse(a, 0.94, 0.8)
            wave = np.sin(a.angle + self.bands * np.sqrt(a.radius + 0.01) * 2)
            height = dome(d, 0.7) + 0.08 * wave
            stripes = 1 + 0.25 * wave
        else:
            x, y = a.x, a.y + 0.8
            fan = np.arctan2(x, y)
            reach = np.hypot(x, y)
            d = np.maximum(reach - 1.72 - 0.03 * np.cos(fan * self.ribs), np.abs(fan) * reach - 1.0)
            d = np.maximum(d, wavy(a, 0.97, []))
            height = dome(d, 0.8) + 0.05 * np.cos(fan * self.ribs)
            stripes = 1 + 0.15 * np.sin(reach * self.bands) + 0.1 * np.cos(fan * self.ribs)
        albedo = grained(tone, self.texture(a, rng), self.grain) * stripes[..., None]
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a))


class Leaf(Kind):
    """Leaves and petals with veins."""

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.base = colours.from_hsv(rng.choice([10, 18, 28, 40, 50, 60]), rng.uniform(90, 230),
                                     rng.uniform(60, 220))
        self.ry = rng.uniform(0.3, 0.7)
        self.extent = (0.96, self.ry)
        self.veins = rng.uniform(6, 20)
        self.teeth = rng.uniform(0, 0.04)

    def draw(self, a, rng, light):
        profile = self.ry * np.maximum(1 - (a.x / 0.95) ** 2, 0) ** rng.uniform(0.6, 1)
        bent = a.y - 0.15 * rng.normal() * (a.x**2 - 0.3)
        d = np.abs(bent) - profile * (1 + 0.1 * rng.normal()) + self.teeth * np.sin(a.x * 40)
        d = np.maximum(d, np.abs(a.x) - 0.97) * 0.8
        veins = np.cos((a.x - np.abs(bent) * 0.8) * self.veins) * 0.02 - 0.06 * np.exp(
            -((bent / 0.03) ** 2))
        albedo = grained(colours.varied(self.base, rng, 0.12, 0.06), self.texture(a, rng), 0.1)
        albedo = albedo * (1 + 3 * veins)[..., None]
        return sprite(lit(a, dome(d, 0.5, 0.4) + veins, albedo, self.material, light),
                      coverage(d, a))


class LogEnd(Kind):
    """Ends of logs, pipes, straws, tubes, rolls: rings seen from the front or stood up."""

    body = FLAT

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.hollow = rng.uniform(0.45, 0.9) if rng.random() < 0.5 else 0
        self.wood = colours.brown(rng) if not self.hollow or rng.random() < 0.2 else (
            colours.metal(rng) if rng.random() < 0.6 else colours.anything(rng))
        self.bark = self.wood * rng.uniform(0.25, 0.7)
        self.rings = rng.uniform(15, 60) if not self.hollow else 0
        self.height = rng.uniform(0.3, 3)
        self.inside = np.full(3, rng.uniform(5, 60))

    def draw(self, a, rng, light):
        squeeze = rng.uniform(0, 0.03)
        waves = [(2, squeeze, rng.uniform(0, 6)), (3, squeeze, rng.uniform(0, 6))]
        d = wavy(a, 0.95 - 2 * squeeze, waves)
        texture = self.texture(a, rng)
        albedo = grained(self.wood * rng.uniform(0.8, 1.15), texture, self.grain + 0.04)
        if self.rings:
            off = rng.normal(0, 0.1, 2)
            r = np.hypot(a.x - off[0], a.y - off[1])
            albedo = albedo * (1 + 0.12 * np.sin(r * self.rings + texture))[..., None]
            crack = np.exp(-((a.x * math.sin(squeeze * 90) + a.y * math.cos(squeeze * 90)) / 0.02)
                           ** 2) * (r < 0.6) * (a.x > 0)
            albedo = albedo * (1 - 0.5 * crack)[..., None]
            albedo = np.where((d > -0.09)[..., None], self.bark, albedo)
        colour = lit(a, dome(d, 0.06) + 0.01 * texture, albedo, self.material, light)
        if self.hollow:
            hole = ellipse(a, self.hollow, self.hollow)
            depth = np.clip(0.4 + 0.4 * (a.x * light[0] + a.y * light[1]), 0, 1)[..., None]
            colour = painted(colour, self.inside + self.wood * 0.5 * depth, hole, a)
        return sprite(colour, coverage(d, a), walls=prism(self.height, self.bark))
