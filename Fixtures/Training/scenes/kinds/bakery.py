"""Tarts, cupcakes, cookies, doughnuts, bread, sushi: the whole is the thing, not its icing."""

import math

import cv2
import numpy as np

from .. import colours
from ..shading import dome, grained, lit, over, painted, random_material
from ..shapes import (
    Area,
    blobs,
    coverage,
    ellipse,
    heart,
    path,
    polygon,
    rounded_box,
    star,
    superellipse,
    wavy,
)
from .base import FLAT, ROUND, Kind, Ring, sprite


def topping_colour(rng: np.random.Generator) -> np.ndarray:
    makers = (colours.white, colours.white, colours.pastel, colours.saturated, colours.brown)
    return makers[rng.integers(len(makers))](rng)


def sprinkle(image: np.ndarray, a: Area, rng: np.random.Generator, radius: float) -> np.ndarray:
    """Small dots and rods strewn on a top."""
    image = np.ascontiguousarray(image, np.float32)
    palette = [colours.anything(rng) for _ in range(int(rng.integers(1, 5)))]
    for _ in range(int(rng.integers(6, 40))):
        r, t = radius * math.sqrt(rng.random()), rng.uniform(0, 6.28)
        x, y = r * math.cos(t), r * math.sin(t)
        dx, dy = rng.normal(0, 0.05, 2)
        colour = tuple(float(v) for v in palette[rng.integers(len(palette))])
        cv2.line(image, a.pixel(x, y), a.pixel(x + dx, y + dy), colour,
                 max(1, int(0.05 * a.pixels_per_unit)), cv2.LINE_AA)
    return image


class Tart(Kind):
    """Tarts and cupcakes in cases with fluted, tapering walls; filled, iced, topped."""

    body = FLAT

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.dough = colours.brown(rng)
        self.case = self.dough if rng.random() < 0.6 else colours.anything(rng)
        self.top = topping_colour(rng)
        self.flutes = int(rng.integers(10, 30))
        self.flute_depth = rng.uniform(0.0, 0.05)
        self.rim = rng.uniform(0.06, 0.3)
        self.height = rng.uniform(0.35, 1.1)
        self.taper = rng.uniform(0.62, 0.95)
        self.icing = ("smooth", "swirl", "lobes", "dab", "rough")[rng.integers(5)]
        self.lobes = int(rng.integers(5, 10))
        self.topped = rng.random() < 0.55
        self.berry = colours.saturated(rng) if rng.random() < 0.6 else np.full(3, 35.0)
        self.berries = int(rng.choice([1, 1, 1, 3]))
        self.berry_size = rng.uniform(0.12, 0.28)
        self.berry_at = rng.uniform(0, 0.55)
        self.sprinkles = rng.random() < 0.2
        self.icing_material = random_material(rng, rng.uniform(0, 0.6))

    def draw(self, a, rng, light):
        phase = rng.uniform(0, 6.28)
        d = wavy(a, 0.97 - self.flute_depth, [(self.flutes, self.flute_depth, phase)])
        dough = self.dough * rng.uniform(0.9, 1.08)
        albedo = grained(dough, self.texture(a, rng), self.grain + 0.06)
        colour = lit(a, dome(d, 0.16), albedo, self.material, light)
        wobble = 0.04 * self.noise.patch(rng, a.size)
        height = None
        radius = 0.97 - self.rim
        if self.icing == "lobes":
            inner = wavy(a, radius * 0.88, [(self.lobes, radius * 0.1, phase)])
            height = dome(inner, 0.4) + 0.07 * np.cos(self.lobes * a.angle + phase) * a.radius
        elif self.icing == "swirl":
            inner = ellipse(a, radius, radius) + wobble * 0.3
            turns = rng.uniform(2, 4)
            height = dome(inner, 0.8) + 0.05 * np.sin(a.angle + turns * 6.28 * a.radius + phase)
        elif self.icing == "rough":
            inner = ellipse(a, radius, radius) + wobble
            height = dome(inner, 0.4) + 0.12 * self.noise.patch(rng, a.size)
        else:
            inner = ellipse(a, radius, radius) + wobble * 0.5
            height = dome(inner, 0.12) + (0.02 * self.noise.patch(rng, a.size))
        top = grained(self.top * rng.uniform(0.94, 1.05), self.texture(a, rng), self.grain * 0.5)
        top = lit(a, height, top, self.icing_material, light)
        colour = painted(colour, top, inner, a)
        if self.icing == "dab":
            dab = ellipse(a, 0.4, 0.4) + wobble
            cream = lit(a, dome(dab, 0.4), top * 1.1, self.material, light)
            colour = painted(colour, cream, dab, a)
        if self.sprinkles:
            colour = sprinkle(colour, a, rng, radius * 0.8)
        if self.topped:
            r, turn = self.berry_size, rng.uniform(0, 6.28)
            at = self.berry_at if self.berries == 1 else max(self.berry_at, 0.3)
            spots = [(at * math.cos(turn + k * 2.1), at * math.sin(turn + k * 2.1), r)
                     for k in range(self.berries)]
            ball = blobs(a, spots)
            berry = np.broadcast_to(self.berry, (a.size, a.size, 3)).astype(np.float32)
            shadow = np.clip(1 - np.exp(-np.maximum(ball, 0) * 12), 0.55, 1)
            colour = colour * shadow[..., None]
            colour = painted(colour, lit(a, dome(ball, r, 1), berry, self.icing_material, light),
                             ball, a)
        flutes = 1 + 0.25 * np.cos(self.flutes * np.linspace(0, 2 * math.pi, 64, endpoint=False))
        walls = [Ring(0, self.taper, self.case * 0.5), Ring(self.height, 1, self.case)]
        return sprite(colour, coverage(d, a), walls=walls, flutes=flutes.astype(np.float32))


class Cookie(Kind):
    """Baked flat: plain, chips, iced in any pattern; discs, stars, flakes, hearts, flowers."""

    body = FLAT
    SHAPES = ("disc", "disc", "disc", "star", "flake", "flake", "heart", "flower", "box", "hex")

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.dough = colours.brown(rng)
        self.shape = self.SHAPES[rng.integers(len(self.SHAPES))]
        self.points = 6 if self.shape == "flake" and rng.random() < 0.8 else int(rng.integers(4, 9))
        self.notch = rng.uniform(0.25, 0.55)
        self.height = rng.uniform(0.06, 0.3)
        self.chips = rng.random() < 0.3
        self.chip_colour = colours.brown(rng) * 0.4 if rng.random() < 0.7 else colours.white(rng)
        flake = self.shape in ("flake", "star")
        icings = ("none", "none", "flood", "flood", "lines", "drizzle", "dots")
        self.icing = "lines" if flake and rng.random() < 0.7 else icings[rng.integers(7)]
        self.ice = topping_colour(rng)
        self.base_ice = topping_colour(rng) if rng.random() < 0.3 else None
        self.line = rng.uniform(0.03, 0.075)
        self.branches = rng.uniform(0.2, 0.4, int(rng.integers(1, 4)))
        self.branch_at = np.sort(rng.uniform(0.25, 0.8, len(self.branches)))
        self.dots = rng.random() < 0.6
        self.sprinkles = rng.random() < 0.2
        if self.shape == "box":
            self.extent = (0.95, rng.uniform(0.5, 0.95))

    def outline(self, a, scale=1.0):
        if self.shape == "star":
            return star(a, 0.98 * scale, self.points, self.notch)
        if self.shape == "flake":
            lobes = [(0, 0, 0.55 * scale)]
            for k in range(self.points):
                t = 2 * math.pi * k / self.points
                lobes += [(0.6 * scale * math.cos(t), 0.6 * scale * math.sin(t), 0.2 * scale),
                          (0.8 * scale * math.cos(t), 0.8 * scale * math.sin(t), 0.16 * scale)]
            return blobs(a, lobes, 0.12)
        if self.shape == "heart":
            return heart(a, 0.93 * scale)
        if self.shape == "flower":
            return wavy(a, 0.82 * scale, [(self.points, 0.14 * scale, 0)])
        if self.shape == "box":
            return rounded_box(a, 0.95 * scale, self.extent[1] * scale, 0.15)
        if self.shape == "hex":
            return polygon(a, 0.97 * scale, self.points)
        return ellipse(a, 0.95 * scale, 0.95 * scale)

    def iced_lines(self, a, rng):
        """A flake or spokes drawn with a piping bag, 0...1."""
        mask = np.zeros((a.size, a.size), np.float32)
        thick = max(1, round(self.line * 2 * a.pixels_per_unit * 0.6))

        def stroke(x0, y0, x1, y1):
            cv2.line(mask, a.pixel(x0, y0), a.pixel(x1, y1), 1, thick, cv2.LINE_AA)

        for k in range(self.points):
            t = 2 * math.pi * k / self.points + rng.normal() * 0.04
            reach = 0.8 + rng.normal() * 0.03
            c, s = math.cos(t), math.sin(t)
            stroke(0, 0, reach * c, reach * s)
            for at, length in zip(self.branch_at, self.branches, strict=True):
                for side in (-0.8, 0.8):
                    stroke(at * c, at * s, at * c + length * math.cos(t + side),
                           at * s + length * math.sin(t + side))
            if self.dots:
                cv2.circle(mask, a.pixel(reach * c, reach * s), thick, 1, -1, cv2.LINE_AA)
        return mask

    def draw(self, a, rng, light):
        d = self.outline(a) + 0.02 * self.noise.patch(rng, a.size)
        texture = self.texture(a, rng)
        dough = self.dough * rng.uniform(0.85, 1.1)
        baked = np.exp(-np.maximum(-d, 0) / 0.12)[..., None]
        albedo = grained(dough, texture, self.grain + 0.08) * (1 - 0.3 * baked)
        height = dome(d, 0.25, 0.6) + 0.03 * texture
        if self.chips:
            spots = [(r * math.cos(t), r * math.sin(t), rng.uniform(0.05, 0.14)) for r, t in
                     zip(rng.uniform(0, 0.8, 12), rng.uniform(0, 6.28, 12), strict=True)]
            chips = blobs(a, spots)
            albedo = painted(albedo, self.chip_colour, chips, a)
            height = height + 0.5 * dome(chips, 0.1)
        colour = lit(a, height, albedo, self.material, light)
        if self.base_ice is not None or self.icing == "flood":
            ice = self.ice if self.base_ice is None else self.base_ice
            inner = self.outline(a, 0.85) + 0.015 * self.noise.patch(rng, a.size)
            top = grained(ice, self.texture(a, rng), 0.03)
            top = lit(a, dome(inner, 0.12), top, self.material, light)
            colour = painted(colour, top, inner, a)
        if self.icing in ("lines", "drizzle", "dots"):
            if self.icing == "lines":
                mask = self.iced_lines(a, rng)
            elif self.icing == "drizzle":
                wave = np.sin(a.x * 16 + 0.5 * self.noise.patch(rng, a.size) + rng.uniform(0, 6))
                mask = np.clip((wave - 0.55) * 4, 0, 1) * (d < -0.1)
            else:
                t = np.linspace(0, 6.28, 2 * self.points, endpoint=False)
                dots = [(0.6 * math.cos(v), 0.6 * math.sin(v), 0.09) for v in t]
                mask = coverage(blobs(a, dots), a)
            mask = mask.astype(np.float32)
            raised = lit(a, 0.08 * mask, grained(self.ice, texture, 0.02), self.material, light)
            colour = over(colour, raised, mask * coverage(d, a))
        if self.sprinkles:
            colour = sprinkle(colour, a, rng, 0.6)
        walls = [Ring(0, 0.98, dough * 0.4), Ring(self.height, 1, dough * 0.75)]
        return sprite(colour, coverage(d, a), walls=walls)


class Doughnut(Kind):
    """Rings and bagels, glazed or plain."""

    body = ROUND
    thickness = 0.45

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.dough, self.glaze = colours.brown(rng), topping_colour(rng)
        self.glazed = rng.random() < 0.7
        self.hole = rng.uniform(0.15, 0.32)
        self.sprinkled = rng.random() < 0.5

    def draw(self, a, rng, light):
        middle, half = (1 + self.hole) / 2 - 0.02, (1 - self.hole) / 2
        ring = np.abs(a.radius - middle) - half + 0.02 * self.noise.patch(rng, a.size)
        height = dome(ring, half, 1)
        albedo = grained(self.dough, self.texture(a, rng), self.grain + 0.04)
        colour = lit(a, height, albedo, self.material, light)
        if self.glazed:
            inner = ring + 0.1 + 0.04 * self.noise.patch(rng, a.size)
            glaze = grained(self.glaze, self.texture(a, rng), 0.03)
            colour = painted(colour, lit(a, height, glaze, self.material, light), inner, a)
            if self.sprinkled:
                colour = over(colour, sprinkle(colour, a, rng, 0.9), coverage(inner, a))
        return sprite(colour, coverage(ring, a))


class Roll(Kind):
    """Bread rolls, loaves, croissants, dumplings, meatballs."""

    body = ROUND
    thickness = 0.6

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.dough = colours.brown(rng)
        self.shape = ("round", "oval", "crescent", "twist")[rng.integers(4)]
        self.ry = rng.uniform(0.4, 0.75)
        self.cuts = int(rng.integers(0, 5))
        self.extent = (0.96, 0.96 if self.shape == "round" else self.ry)
        self.floured = rng.uniform(0, 60) if rng.random() < 0.4 else 0

    def draw(self, a, rng, light):
        texture = self.texture(a, rng)
        if self.shape == "round":
            d = ellipse(a, 0.96, 0.96)
        elif self.shape == "oval":
            d = superellipse(a, 0.96, self.ry, 2.3)
        elif self.shape == "crescent":
            x = np.linspace(-0.8, 0.8, 9)
            points = np.stack([x, self.ry * (x * x * 1.2 - 0.35)], 1)
            widths = 0.12 + self.ry * 0.4 * (1 - np.abs(np.linspace(-1, 1, 8)))
            d = path(a, points, widths)
        else:
            d = ellipse(a, 0.96, self.ry) + 0.08 * np.sin(a.x * 14)
        d = d + 0.015 * texture
        height = dome(d, 0.7) + 0.02 * texture
        tone = np.ones_like(d)
        if self.shape == "crescent" or self.shape == "twist":
            height = height + 0.08 * np.sin(a.x * 11 + a.y * 3)
        elif self.cuts:
            cut = np.exp(-((np.sin((a.x + 0.3 * a.y) * math.pi * self.cuts)) / 0.25) ** 2)
            height, tone = height - 0.06 * cut, tone + 0.25 * cut
        crust = 1 - 0.35 * np.exp(-np.maximum(-d, 0) / 0.15)
        albedo = grained(self.dough * rng.uniform(0.88, 1.1), texture, self.grain + 0.05)
        albedo = albedo * (tone * crust)[..., None]
        if self.floured:
            albedo = albedo + self.floured * np.clip(self.texture(a, rng), 0, 1)[..., None]
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a))


class Sushi(Kind):
    """Rolls cut across: dark ring, rice, something in the middle; nigiri."""

    body = FLAT

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.roll = rng.random() < 0.7
        self.middle = [colours.saturated(rng) for _ in range(int(rng.integers(1, 4)))]
        self.skin = np.full(3, rng.uniform(15, 60)) if rng.random() < 0.7 else colours.white(rng)
        self.height = rng.uniform(0.4, 1.2)
        if not self.roll:
            self.extent = (0.95, 0.42)

    def draw(self, a, rng, light):
        rice = grained(np.full(3, 235.0), self.texture(a, rng), 0.06)
        bumps = 0.03 * self.noise.patch(rng, a.size)
        if self.roll:
            d = ellipse(a, 0.95, 0.95)
            colour = np.broadcast_to(self.skin, rice.shape).astype(np.float32)
            colour = painted(colour, rice, d + 0.1 + bumps * 0.3, a)
            for k, middle in enumerate(self.middle):
                t = 6.28 * k / len(self.middle) + rng.normal() * 0.2
                r = 0.0 if len(self.middle) == 1 else 0.2
                spot = rounded_box(a, 0.2, 0.2, 0.1, r * math.cos(t), r * math.sin(t)) + bumps
                colour = painted(colour, grained(middle, self.texture(a, rng), 0.08), spot, a)
            colour = lit(a, bumps + dome(d, 0.1), colour, self.material, light)
            walls = [Ring(0, 1, self.skin * 0.6), Ring(self.height, 1, self.skin)]
        else:
            d = rounded_box(a, 0.95, 0.42, 0.3)
            topping = np.where((np.sin(a.x * 14 + a.y * 6) > 0.6)[..., None],
                               self.middle[0] * 0.4 + 150, self.middle[0])
            colour = painted(rice, topping, rounded_box(a, 0.93, 0.36, 0.28), a)
            colour = lit(a, dome(d, 0.35), colour, self.material, light)
            walls = [Ring(0, 0.97, np.full(3, 150.0)), Ring(0.35, 1, np.full(3, 215.0))]
        return sprite(colour, coverage(d, a), walls=walls)
