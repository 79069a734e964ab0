"""Dumplings, rolls, slices, parcels, skewers: filled, folded, garnished; the whole is the thing."""

import math

import numpy as np

from .. import colours
from ..shading import dome, grained, lit, painted, random_material
from ..shapes import blobs, coverage, ellipse, path, rounded_box, superellipse
from .bakery import sprinkle, topping_colour
from .base import FLAT, ROUND, Kind, Ring, prism, sprite


def food(rng: np.random.Generator) -> np.ndarray:
    """Dough, rice, jelly, leaf: what snacks are coloured like."""
    makers = (colours.brown, colours.brown, colours.white, colours.pastel, colours.saturated)
    return makers[rng.integers(5)](rng)


class Dumpling(Kind):
    """Half moons with a crimped edge, pleated rounds, folded parcels."""

    body = ROUND
    thickness = 0.5
    specimens = 8

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.dough = food(rng)
        self.moon = rng.random() < 0.6
        self.pleats = int(rng.integers(8, 22))
        self.browned = rng.uniform(0, 0.6)
        self.extent = (0.95, 0.55) if self.moon else (0.92, 0.92)
        self.seam = rng.uniform(0.1, 0.22)

    def draw(self, a, rng, light):
        texture = self.texture(a, rng)
        if self.moon:
            lower = np.hypot(a.x / 0.95, (a.y - 0.45) / 0.95) - 1
            d = np.maximum(lower * 0.9, a.y - 0.45 + 0.06 * (a.x**2))
            d = d + 0.02 * np.cos(np.arctan2(a.y - 0.45, a.x) * self.pleats * 2)
            edge = (lower > -self.seam) & (a.y < 0.42)
            fan = np.arctan2(a.y - 0.45, a.x)
            relief = 0.06 * np.sin(fan * self.pleats * 2) * edge
        else:
            d = ellipse(a, 0.93, 0.93) + 0.015 * np.cos(self.pleats * a.angle)
            relief = 0.08 * np.sin(self.pleats * (a.angle + 0.8 * a.radius)) * np.exp(
                -((a.radius - 0.3) / 0.35) ** 2)
        albedo = grained(self.dough * rng.uniform(0.9, 1.06), texture, 0.05)
        burn = np.clip(texture * 0.5 + 0.3, 0, 1)[..., None] * self.browned
        albedo = albedo * (1 - burn) + np.array([30, 75, 130]) * burn
        colour = lit(a, dome(d, 0.5, 0.8) + relief, albedo, self.material, light)
        return sprite(colour, coverage(d, a))


class FilledRoll(Kind):
    """Spring rolls, wraps, stuffed tubes, sausages: open or closed ends, a seam, a garnish."""

    body = ROUND
    thickness = 0.9
    specimens = 8

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.skin = food(rng)
        self.filling = colours.anything(rng) * 0.8
        self.ry = rng.uniform(0.18, 0.45)
        self.extent = (0.96, self.ry)
        self.open = rng.random() < 0.5
        self.wraps = rng.uniform(3, 14) if rng.random() < 0.6 else 0
        self.bands = colours.anything(rng) if rng.random() < 0.2 else None
        self.material = random_material(rng, rng.uniform(0, 0.7))

    def draw(self, a, rng, light):
        bend = rng.normal() * 0.05
        y = a.y - bend * (a.x**2 - 0.3)
        d = superellipse(a, 0.96, self.ry, 4) + y * 0
        texture = self.texture(a, rng)
        across = np.clip(np.abs(y) / self.ry, 0, 1)
        height = np.sqrt(1 - across**2) * self.ry + 0.012 * texture
        albedo = grained(self.skin * rng.uniform(0.9, 1.06), texture, 0.07)
        if self.wraps:
            seam = np.sin((a.x * 1.2 + y) * self.wraps + rng.uniform(0, 6))
            albedo = albedo * (1 - 0.2 * (np.abs(seam) < 0.12))[..., None]
            height = height + 0.02 * seam
        if self.bands is not None:
            albedo = np.where((np.abs(a.x) < 0.15)[..., None], self.bands, albedo)
        colour = lit(a, height, albedo, self.material, light)
        if self.open:
            for side in (-1, 1):
                end = ellipse(a, 0.12, self.ry * 0.75, 0.84 * side, 0)
                colour = painted(colour, grained(self.filling, texture, 0.3) * 0.8, end, a)
        return sprite(colour, coverage(d, a))


class Slice(Kind):
    """Cakes and jellies cut to squares, diamonds or wedges: layers at the sides, a top."""

    body = FLAT
    specimens = 8

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.form = ("square", "box", "diamond", "wedge", "disc")[rng.integers(5)]
        self.layers = [food(rng) for _ in range(int(rng.integers(1, 5)))]
        self.top = food(rng)
        self.height = rng.uniform(0.3, 1)
        self.extent = (0.93, {"box": 0.55, "diamond": 0.6}.get(self.form, 0.9))
        self.topping = ("none", "crumbs", "swirl", "dab", "lines")[rng.integers(5)]
        self.garnish = colours.anything(rng)
        self.material = random_material(rng, rng.uniform(0, 1))

    def outline(self, a):
        if self.form == "square":
            return rounded_box(a, 0.88, 0.88, 0.06)
        if self.form == "box":
            return rounded_box(a, 0.95, 0.52, 0.06)
        if self.form == "diamond":
            return (np.abs(a.x) / 0.95 + np.abs(a.y) / 0.58 - 1) * 0.5
        if self.form == "wedge":
            return np.maximum(np.hypot(a.x + 0.9, a.y) - 1.8,
                              np.abs(a.y) - 0.45 * (a.x + 0.92))
        return ellipse(a, 0.93, 0.93)

    def draw(self, a, rng, light):
        d = self.outline(a)
        texture = self.texture(a, rng)
        albedo = grained(self.top * rng.uniform(0.92, 1.05), texture, 0.06)
        height = dome(d, 0.06)
        if self.topping == "lines":
            wave = np.sin((a.x + 0.6 * a.y) * 18) > 0.5
            albedo = np.where(wave[..., None], self.garnish, albedo)
        elif self.topping == "swirl":
            swirl = np.sin(5 * texture + a.x * 4) > 0.3
            albedo = np.where(swirl[..., None], self.garnish * 0.5 + albedo * 0.5, albedo)
        colour = lit(a, height, albedo, self.material, light)
        if self.topping == "crumbs":
            colour = sprinkle(colour, a, rng, 0.55)
        elif self.topping == "dab":
            dab = ellipse(a, 0.3, 0.3, *rng.normal(0, 0.06, 2)) + 0.04 * texture
            top = grained(self.garnish, texture, 0.05)
            colour = painted(colour, lit(a, dome(dab, 0.3, 1), top, self.material, light), dab, a)
        count = len(self.layers)
        walls = []
        for k, tone in enumerate(self.layers):
            walls += [Ring(self.height * (k + 0.01) / count, 1, tone * 0.8),
                      Ring(self.height * (k + 0.99) / count, 1, tone * 0.85)]
        return sprite(colour, coverage(d, a), walls=walls)


class Parcel(Kind):
    """Food wrapped in a leaf or paper, tied or pinned; or in a cup of paper, leaf or foil."""

    body = FLAT
    specimens = 8

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.wrap = colours.from_hsv(rng.uniform(30, 60), rng.uniform(80, 200),
                                     rng.uniform(70, 190))
        if rng.random() < 0.4:
            self.wrap = colours.anything(rng)
        self.cupped = rng.random() < 0.5
        self.filling, self.top = food(rng), topping_colour(rng)
        self.ry = 0.9 if self.cupped else rng.uniform(0.45, 0.85)
        self.extent = (0.93, self.ry)
        self.height = rng.uniform(0.2, 0.6)
        self.frill = int(rng.integers(12, 34))
        self.parts = int(rng.choice([1, 1, 3, 5]))
        self.string = colours.anything(rng) if rng.random() < 0.6 else None

    def draw(self, a, rng, light):
        texture = self.texture(a, rng)
        albedo = grained(self.wrap, texture, 0.08)
        if self.cupped:
            d = ellipse(a, 0.92, 0.92) + 0.04 * np.cos(self.frill * a.angle)
            albedo = albedo * (1 + 0.15 * np.cos(self.frill * a.angle))[..., None]
            colour = lit(a, dome(d, 0.1), albedo, self.material, light)
            turn = rng.uniform(0, 6.28)
            spots = [(0.33 * math.cos(turn + 6.28 * k / self.parts) * (self.parts > 1),
                      0.33 * math.sin(turn + 6.28 * k / self.parts) * (self.parts > 1),
                      0.68 if self.parts == 1 else 0.36) for k in range(self.parts)]
            inner = blobs(a, spots) + 0.03 * texture
            fill = lit(a, dome(inner, 0.4, 0.9), grained(self.filling, texture, 0.08),
                       self.material, light)
            colour = painted(colour, fill, inner, a)
            if rng.random() < 0.6:
                dab = ellipse(a, 0.2, 0.2) + 0.04 * texture
                colour = painted(colour, self.top, dab, a)
        else:
            d = superellipse(a, 0.95, self.ry, 3.5) + 0.015 * texture
            fold = np.abs(a.x * 0.5 + a.y) * 0.3
            veins = 0.02 * np.sin(a.x * 40 + texture)
            colour = lit(a, dome(d, 0.2) - fold + veins, albedo, self.material, light)
            if self.string is not None:
                for at in (-0.3, 0.3):
                    line = path(a, np.array([[at, -1.0], [at + rng.normal() * 0.05, 1.0]]), 0.02)
                    colour = painted(colour, self.string, np.maximum(line, d), a)
        return sprite(colour, coverage(d, a), walls=prism(self.height, self.wrap * 0.7, 0.8))
