"""What land looks like from above or afar: crowns of trees, houses, bales, blossoms, birds."""

import math

import numpy as np

from .. import colours
from ..shading import dome, grained, lit, painted, random_material
from ..shapes import coverage, ellipse, path, rounded_box, wavy
from .base import FLAT, Kind, sprite


class TreeCrown(Kind):
    """Trees, palms and bushes from above: rough crowns, dark on one side."""

    body = FLAT
    thickness = 1.2
    specimens = 12

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.tone = colours.from_hsv(rng.uniform(25, 60), rng.uniform(60, 190),
                                     rng.uniform(50, 170))
        self.palm = int(rng.integers(7, 14)) if rng.random() < 0.3 else 0
        self.rough = rng.uniform(0.05, 0.25)
        self.extent = (0.9, 0.9)

    def draw(self, a, rng, light):
        texture = self.texture(a, rng)
        if self.palm:
            turn = rng.uniform(0, 6)
            fronds = np.abs(np.cos(self.palm / 2 * a.angle + turn))
            d = (a.radius - 0.95 * (0.35 + 0.6 * fronds**1.5) * rng.uniform(0.9, 1)) * 0.6
            height = 0.4 * (1 - a.radius) + 0.1 * fronds
        else:
            waves = [(int(k), 0.08 * rng.random(), rng.uniform(0, 6))
                     for k in (3, 5, rng.integers(7, 14))]
            d = wavy(a, 0.82, waves) + 0.03 * texture
            height = dome(d, 0.8, 0.8) + self.rough * texture
        albedo = grained(colours.varied(self.tone, rng, 0.12, 0.04), texture, 0.2)
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a))


class House(Kind):
    """Roofs: two or four slopes, flat ones with boxes on them, greenhouses, panels."""

    body = FLAT
    thickness = 0.7
    specimens = 12

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.roofs = [colours.from_hsv(rng.choice([4, 8, 12, 100, 20]), rng.uniform(10, 170),
                                       rng.uniform(70, 220)) for _ in range(3)]
        self.ry = rng.uniform(0.4, 0.9)
        self.extent = (0.93, self.ry)
        self.panels = rng.random() < 0.2
        self.rows = rng.uniform(20, 60)

    def draw(self, a, rng, light):
        ry = self.ry * rng.uniform(0.75, 1)
        rx = 0.93 * rng.uniform(0.8, 1)
        d = rounded_box(a, rx, ry, 0.02)
        if rng.random() < 0.3 and not self.panels:  # a wing
            d = np.minimum(d, rounded_box(a, 0.3, min(ry + 0.25, 0.93), 0.02, rng.choice(
                [-0.5, 0.5]), 0.0))
        if self.panels:
            grid = np.minimum(np.abs(((a.x + 1) * 6) % 1 - 0.5), np.abs(((a.y + 1) * 4) % 1 - 0.5))
            tone = np.array([110, 60, 35]) * rng.uniform(0.6, 1.1)
            albedo = grained(tone, self.texture(a, rng), 0.05)
            albedo = np.where((grid > 0.46)[..., None], 170, albedo)
            return sprite(albedo, coverage(d, a))
        tone = self.roofs[rng.integers(3)] * rng.uniform(0.8, 1.1)
        slope = np.minimum(np.abs(a.y) - ry, (np.abs(a.x) - rx) * rng.choice([0, 1.0]) - 0.001)
        height = -slope * rng.choice([0, 0.5, 0.8])
        tiles = 1 + 0.06 * np.sin(a.y * self.rows)
        albedo = grained(tone, self.texture(a, rng), 0.08) * tiles[..., None]
        colour = lit(a, height, albedo, self.material, light)
        for _ in range(int(rng.integers(0, 4))):
            box = rounded_box(a, *rng.uniform(0.03, 0.12, 2), 0.01, *(rng.uniform(-0.7, 0.7, 2)
                                                                        * [rx, ry]))
            colour = painted(colour, colours.grey(rng), np.maximum(box, d + 0.05), a)
        return sprite(colour, coverage(d, a))


class Bale(Kind):
    """Bales of hay and rolls: cylinders on their side from above."""

    body = FLAT
    thickness = 0.9

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.tone = np.array([90, 165, 205]) * rng.uniform(0.6, 1.15)
        if rng.random() < 0.3:
            self.tone = colours.white(rng) if rng.random() < 0.6 else np.array([80, 140, 90.0])
        self.ry = rng.uniform(0.6, 0.95)
        self.extent = (0.93, self.ry)
        self.straw = rng.uniform(20, 70)

    def draw(self, a, rng, light):
        d = rounded_box(a, 0.93, self.ry, 0.12) + 0.02 * self.texture(a, rng)
        across = np.clip(np.abs(a.y) / self.ry, 0, 1)
        wave = 0.02 * np.sin(a.x * self.straw + self.texture(a, rng))
        albedo = grained(self.tone, self.texture(a, rng), 0.15)
        height = np.sqrt(1 - across**2) * self.ry * 0.8 + wave
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a))


class Blossom(Kind):
    """Flowers: petals about a middle, in one or two rows; bells and balls."""

    body = FLAT
    thickness = 0.3
    specimens = 10

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.petals = int(rng.choice([4, 5, 5, 6, 8, 13, 21]))
        self.tones = [colours.saturated(rng) if rng.random() < 0.6 else colours.white(rng)
                      for _ in range(int(rng.choice([1, 1, 3])))]
        self.heart = colours.from_hsv(rng.uniform(15, 30), rng.uniform(100, 230),
                                      rng.uniform(70, 240))
        self.middle = rng.uniform(0.12, 0.4)
        self.breadth = rng.uniform(0.75, 1.5)
        self.double = rng.random() < 0.3
        self.throat = rng.uniform(-0.5, 0.4)
        self.extent = (0.9, 0.9)

    def ring(self, a, reach, turn):
        half = min(reach * math.sin(math.pi / self.petals) * self.breadth, 0.45 * reach)
        best = np.full_like(a.x, 9)
        for k in range(self.petals):
            t = turn + 2 * math.pi * k / self.petals
            x, y = a.turned(t)
            centre = reach * 0.6
            petal = (np.hypot((x - centre) / (reach * 0.4), y / half) - 1) * half
            np.minimum(best, petal, out=best)
        return best

    def draw(self, a, rng, light):
        turn = rng.uniform(0, 6.28)
        d = self.ring(a, 0.95, turn)
        middle = ellipse(a, self.middle, self.middle)
        tone = self.tones[rng.integers(len(self.tones))] * rng.uniform(0.85, 1.08)
        fade = 1 - self.throat * np.clip(1 - a.radius * 1.4, 0, 1)
        albedo = grained(tone, self.texture(a, rng), 0.05) * fade[..., None]
        folds = 0.03 * np.cos(a.angle * self.petals * 3)
        colour = lit(a, dome(d, 0.3, 0.5) + folds, albedo, self.material, light)
        if self.double:
            inner = self.ring(a, 0.65, turn + math.pi / self.petals)
            upper = lit(a, dome(inner, 0.2), albedo * 1.08, self.material, light)
            colour = painted(colour * (1 - 0.3 * (inner < 0.04))[..., None], upper, inner, a)
        heart = lit(a, dome(middle, self.middle) + 0.03 * self.texture(a, rng),
                    grained(self.heart, self.texture(a, rng), 0.2), self.material, light)
        colour = painted(colour, heart, middle, a)
        return sprite(colour, coverage(np.minimum(d, middle), a))


class Bird(Kind):
    """Birds in flight against the sky or over water: wings at all points of their beat."""

    body = FLAT
    thickness = 0.1
    free_rotation = False
    specimens = 14

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.tone = colours.grey(rng) * rng.uniform(0.1, 0.6) if rng.random() < 0.7 else (
            colours.white(rng))
        self.tips = self.tone * rng.uniform(0.2, 1)
        self.body_width = rng.uniform(0.08, 0.16)
        self.wing = rng.uniform(0.09, 0.2)
        self.neck = rng.uniform(0.1, 0.4)
        self.material = random_material(rng, 0)

    def draw(self, a, rng, light):
        beat, way = rng.uniform(-0.7, 0.8), rng.choice([-1, 1])
        trunk = path(a, np.array([[-0.35 * way, 0.05], [0.25 * way, 0]]), self.body_width)
        head = path(a, np.array([[0.2 * way, 0], [(0.3 + self.neck) * way, -0.06]]), 0.06)
        tail = path(a, np.array([[-0.3 * way, 0.05], [-0.62 * way, 0.08]]), 0.06)
        near = path(a, np.array([[0.05 * way, 0], [-0.1 * way - 0.1, -0.5 * beat],
                                 [-0.45 * way, -0.9 * beat - 0.05]]),
                    np.array([self.wing, self.wing * 0.6]))
        far = path(a, np.array([[0.1 * way, 0], [0.3 * way, -0.45 * beat],
                                [0.15 * way, -0.85 * beat - 0.05]]),
                   np.array([self.wing * 0.8, self.wing * 0.5]))
        wings = np.minimum(near, far)
        d = np.minimum(np.minimum(trunk, head), np.minimum(tail, wings))
        plumage = grained(self.tone, self.texture(a, rng), 0.08)
        colour = lit(a, dome(trunk, self.body_width), plumage, self.material, light)
        colour = painted(colour, self.tips, np.maximum(wings, -trunk), a)
        return sprite(colour, coverage(d, a))


class Chair(Kind):
    """Chairs, loungers and desks from above: a seat, a back, legs or arms."""

    body = FLAT
    thickness = 0.8
    specimens = 4

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.tone, self.seat = colours.anything(rng), colours.anything(rng)
        self.arms = rng.random() < 0.5
        self.slats = rng.uniform(10, 40) if rng.random() < 0.4 else 0
        self.length = rng.uniform(0.5, 0.95)
        self.extent = (0.95, 0.8)

    def draw(self, a, rng, light):
        seat = rounded_box(a, self.length, 0.62, 0.12, 0.93 - self.length)
        back = rounded_box(a, 0.12, 0.72, 0.08, 0.93 - 2 * self.length + 0.05)
        d = np.minimum(seat, back)
        cloth = grained(self.seat, self.texture(a, rng), 0.06)
        if self.slats:
            cloth = cloth * (1 - 0.35 * (np.sin(a.x * self.slats) > 0.6))[..., None]
        colour = lit(a, dome(seat, 0.1), cloth, self.material, light)
        frame = lit(a, dome(back, 0.1), grained(self.tone, self.texture(a, rng), 0.05),
                    self.material, light)
        colour = painted(colour, frame, back, a)
        if self.arms:
            for side in (-1, 1):
                arm = rounded_box(a, self.length * 0.7, 0.09, 0.06, 0.9 - self.length, side * 0.7)
                colour = painted(colour, frame * 0.9, arm, a)
                d = np.minimum(d, arm)
        return sprite(colour, coverage(d, a))


class Bubble(Kind):
    """Bubbles, drops and lenses: bright rims, one glint, see-through."""

    body = FLAT
    thickness = 0.2
    specimens = 6

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.rim = rng.uniform(0.08, 0.3)
        self.tone = colours.white(rng) if rng.random() < 0.6 else colours.pastel(rng)
        self.clear = rng.uniform(0.15, 0.5)
        self.dark = rng.random() < 0.3

    def draw(self, a, rng, light):
        d = ellipse(a, 0.93, 0.93)
        edge = np.exp(-np.maximum(-d, 0) / self.rim)
        tone = self.tone * (0.25 if self.dark else 1)
        glint = np.exp(-((a.x - 0.4 * light[0]) ** 2 + (a.y - 0.4 * light[1]) ** 2) / 0.02)
        colour = np.broadcast_to(tone, (a.size, a.size, 3)) * (0.75 + 0.25 * edge)[..., None]
        colour = colour + 200 * glint[..., None]
        alpha = coverage(d, a) * np.clip(np.maximum(self.clear + (1 - self.clear) * edge, glint),
                                         0.42, 1)
        return sprite(colour, alpha)
