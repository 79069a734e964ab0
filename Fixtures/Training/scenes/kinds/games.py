"""Dice and toy bricks, lying as they fell; faces, and mostly colours, vary within the kind."""

import math

import cv2
import numpy as np

from .. import colours
from ..lettering import write
from .base import ROUND, Kind, sprite
from .solids import Solid, View, box_faces, fixed, resting

PIPS = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
        5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
        6: [(-1, -1), (-1, 1), (1, -1), (1, 1), (-1, 0), (1, 0)]}


class Die(Solid):
    """Dice of six faces with pips or numbers, solid or translucent; the whole die is the thing."""

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        count = int(rng.choice([1, 3, 6, 9]))
        self.palette = []
        for _ in range(count):
            tone = (colours.saturated, colours.saturated, colours.white, colours.anything)[
                rng.integers(4)](rng)
            dark = float(tone @ [0.11, 0.59, 0.3]) < 140
            ink = np.full(3, rng.uniform(215, 255) if dark else rng.uniform(5, 50))
            if rng.random() < 0.15:
                ink = colours.saturated(rng)
            self.palette.append((tone, ink))
        self.pip = rng.uniform(0.085, 0.13)
        self.spacing = rng.uniform(0.44, 0.56)
        self.numbers = rng.random() < 0.12
        self.rounding = rng.uniform(0.02, 0.14)
        self.clear = rng.uniform(0.72, 0.92) if rng.random() < 0.35 else 1.0
        self.gloss = rng.uniform(0, 90)

    def texture(self, value: int, tone, ink, rng) -> np.ndarray:
        """One face."""
        n = 56
        face = np.empty((n, n, 3), np.float32)
        face[:] = tone
        if self.numbers:
            write(face, str(value), (n // 4, int(n * 0.78)), 0, n / 32, ink, 3)
            return face
        quarter = rng.random() < 0.5
        for u, v in PIPS[value]:
            u, v = (v, u) if quarter else (u, v)
            at = np.array([0.5 + u * self.spacing / 2, 0.5 + v * self.spacing / 2]) * n * 16
            radius = self.pip * (1.5 if value == 1 else 1) * n
            cv2.circle(face, (int(at[0]), int(at[1])), int(radius * 16),
                       colours.scalar(ink), -1, cv2.LINE_AA, 4)
        return face

    def draw(self, a, rng, light):
        tone, ink = self.palette[rng.integers(len(self.palette))]
        h = 0.97 / math.sqrt(3) - self.rounding * 0.6
        view = View(a, resting(rng), self.slant + rng.normal() * 0.06, 1.0)
        signs = np.array([[x, y, z] for x in (-h, h) for y in (-h, h) for z in (-h, h)])
        colour, alpha = self.start(a, view.pixels(signs), np.minimum(tone * 1.25 + 15, 255),
                                   self.rounding)
        values = rng.permutation(3) + 1
        for normal, corner, first, second in box_faces((h, h, h)):
            if view.sees(normal):
                value = int(values[np.abs(normal).argmax()])
                value = value if normal.sum() > 0 else 7 - value
                bright = view.shade(normal, light, self.ambient)
                if self.clear < 1:
                    bright = bright * 0.5 + 0.5
                face = self.texture(value, tone, ink, rng) * bright
                self.face(colour, view, corner, first, second, face)
        spot = np.exp(-((a.x + light[0] * -0.3) ** 2 + (a.y - light[1] * 0.3) ** 2) / 0.08)
        colour = colour + self.gloss * spot[..., None]
        if self.clear < 1:  # light comes through
            colour = colour * (1 + 0.25 * (a.x * light[0] + a.y * light[1]))[..., None]
        return self.packed(colour, alpha * self.clear)


class Polyhedron(Kind):
    """Dice of more faces: facets about the one on top, with a number on it."""

    body = ROUND
    thickness = 0.9
    extent = (0.93, 0.93)

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.corners = int(rng.choice([5, 6, 6, 8, 10]))
        self.palette = [colours.anything(rng) for _ in range(int(rng.choice([1, 2, 5])))]
        self.inner = rng.uniform(0.5, 0.7)
        self.sides = int(rng.choice([3, 4, 5]))
        self.ink = np.full(3, rng.choice([20.0, 240.0]))

    def draw(self, a, rng, light):
        tone = self.palette[rng.integers(len(self.palette))]
        t = np.linspace(0, 2 * math.pi, self.corners, endpoint=False)
        hull = np.stack([np.cos(t), np.sin(t)], 1) * 0.95
        u = np.linspace(0, 2 * math.pi, self.sides, endpoint=False)
        top = np.stack([np.cos(u), np.sin(u)], 1) * self.inner
        colour = np.empty((a.size, a.size, 3), np.float32)
        colour[:] = tone
        mask = np.zeros((a.size, a.size), np.uint8)

        def pixels(points):
            return fixed((points + a.size / 2 / a.pixels_per_unit) * a.pixels_per_unit)

        cv2.fillConvexPoly(mask, pixels(hull), 255, cv2.LINE_AA, 4)
        for k in range(self.corners):
            middle = (hull[k] + hull[(k + 1) % self.corners]) / 2
            bright = 0.75 + 0.35 * float(middle @ light[:2])
            near = top[np.argmin(((top - middle) ** 2).sum(1))]
            corners = np.stack([hull[k], hull[(k + 1) % self.corners], near])
            cv2.fillConvexPoly(colour, pixels(corners), colours.scalar(tone * bright),
                               cv2.LINE_AA, 4)
        cv2.fillConvexPoly(colour, pixels(top), colours.scalar(tone * 1.1), cv2.LINE_AA, 4)
        write(colour, str(int(rng.integers(1, 21))), a.pixel(-0.25, 0.2), 0, a.size / 130, self.ink,
              1 + (a.size > 100))
        return sprite(colour, mask.astype(np.float32) / 255)


class Brick(Solid):
    """Toy bricks with studs: bricks, plates, slopes, wheels; many forms and colours, one kind."""

    specimens = 16
    extent = (0.3, 0.3)

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.palette = [colours.saturated(rng) if rng.random() < 0.75 else colours.grey(rng)
                        for _ in range(int(rng.choice([1, 4, 7, 10])))]
        self.forms = [self.form(rng) for _ in range(int(rng.choice([1, 3, 6, 8])))]
        self.on_top = rng.choice([1, 0.6, 0.3])
        self.largest = max(math.hypot(c, r) for c, r, _, _ in self.forms)
        self.by_scale = rng.random() < 0.7
        self.gloss = rng.uniform(0, 60)

    def form(self, rng) -> tuple[int, int, float, str]:
        """Columns, rows, height, and what it is."""
        what = ("brick", "brick", "brick", "plate", "plate", "slope", "wheel", "tile", "round")[
            rng.integers(9)]
        columns, rows = int(rng.choice([1, 2, 2, 3, 4, 4, 6, 8])), int(rng.choice([1, 1, 2, 2, 2]))
        if what in ("wheel", "round"):
            columns = rows = int(rng.choice([1, 2]))
        elif what == "plate" and rng.random() < 0.25:  # what others are built on
            columns, rows = int(rng.choice([6, 8, 10, 12])), int(rng.choice([4, 6, 8]))
        return columns, rows, 0.4 if what in ("plate", "tile") else 1.2, what

    def draw(self, a, rng, light):
        columns, rows, height, what = self.forms[rng.integers(len(self.forms))]
        tone = self.palette[rng.integers(len(self.palette))]
        if what == "wheel":
            tone = np.full(3, rng.uniform(20, 50))
        span = math.hypot(math.hypot(columns, rows), height + 0.2)
        whole = max(span, self.largest) if self.by_scale else span
        scale = 1.9 / max(whole, 0.5 * self.largest if self.by_scale else 0)
        on_top = self.on_top
        if what in ("wheel", "round"):
            on_top = 0.7
        view = View(a, resting(rng, on_top), self.slant + rng.normal() * 0.08, scale)
        half = (columns / 2, rows / 2, height / 2)
        if what in ("wheel", "round"):
            return self.turned_form(a, view, half, tone, what, light, rng)
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
        cut = 0.0
        if what == "slope" and columns > 1:
            cut = columns * rng.uniform(0.5, 0.75)
            corners[(corners[:, 0] > 0) & (corners[:, 2] > 0), 0] -= cut
        colour, alpha = self.start(a, view.pixels(corners), tone * 0.6, 0.012)
        up = np.array([0.0, 0, 1])
        studs = what in ("brick", "plate", "slope")
        if studs and not view.sees(up):
            self.studs(colour, alpha, view, half, cut, tone, light)
        for normal, corner, first, second in box_faces(half):
            if not view.sees(normal):
                continue
            face = np.empty((24, 24, 3), np.float32)
            face[:] = tone * view.shade(normal, light, self.ambient)
            if normal[2] < 0:  # hollow below
                face[3:-3, 3:-3] *= 0.35
                cv2.circle(face, (12, 12), 5, colours.scalar(tone * 0.7), 2, cv2.LINE_AA)
            if cut and normal[0] > 0:
                slope = np.array([cut, 0, -height])
                top = np.array([half[0] - cut, -half[1], half[2]])
                tilted = np.array([height, 0, cut]) / math.hypot(height, cut)
                face[:] = tone * view.shade(tilted, light, self.ambient)
                self.face(colour, view, top, slope, second * 0 + [0, 2 * half[1], 0], face)
                continue
            if cut and normal[2] > 0:
                first = first - [cut, 0, 0]
            if cut and normal[1] != 0:
                quad = corners[np.sign(corners[:, 1]) == normal[1]]
                hull = cv2.convexHull(view.pixels(quad).astype(np.float32))[:, 0]
                cv2.fillConvexPoly(colour, fixed(hull), colours.scalar(face[0, 0]),
                                   cv2.LINE_AA, 4)
                continue
            self.face(colour, view, corner, first, second, face)
        if studs and view.sees(up):
            self.studs(colour, alpha, view, half, cut, tone, light)
        return self.packed(colour + self.gloss * np.exp(-((a.x - a.y) ** 2) / 0.1)[..., None] * 0.4,
                           alpha)

    def studs(self, colour, alpha, view: View, half, cut, tone, light) -> None:
        """Short cylinders on the top face."""
        up = np.array([0, 0, 1.0])
        for x in np.arange(0.5, 2 * half[0] - cut + 0.01):
            for y in np.arange(0.5, 2 * half[1]):
                foot = np.array([x - half[0], y - half[1], half[2]])
                side = tone * 0.65 * view.shade(up, light, self.ambient)
                top = tone * 1.06 * view.shade(up, light, self.ambient)
                self.cylinder(colour, alpha, view, foot, 0.3, 0.2, side, top)

    def cylinder(self, colour, alpha, view: View, foot, radius, height, side, top) -> None:
        """An upright (in the body's own axes) cylinder, its side first."""
        t = np.linspace(0, 2 * math.pi, 16, endpoint=False)
        ring = np.stack([np.cos(t) * radius, np.sin(t) * radius, 0 * t], 1)
        low, high = view.pixels(ring + foot), view.pixels(ring + foot + [0, 0, height])
        hull = fixed(cv2.convexHull(np.vstack([low, high]).astype(np.float32))[:, 0])
        cv2.fillConvexPoly(colour, hull, colours.scalar(side), cv2.LINE_AA, 4)
        cv2.fillConvexPoly(alpha, hull, 1.0, cv2.LINE_AA, 4)
        near = high if view.sees([0, 0, 1]) else low
        cv2.fillConvexPoly(colour, fixed(near), colours.scalar(top), cv2.LINE_AA, 4)

    def turned_form(self, a, view: View, half, tone, what, light, rng):
        """Wheels and round bricks."""
        colour = np.empty((a.size, a.size, 3), np.float32)
        colour[:] = tone * 0.6
        alpha = np.zeros((a.size, a.size), np.float32)
        foot, up = np.array([0, 0, -half[2]]), view.shade([0, 0, 1], light, self.ambient)
        self.cylinder(colour, alpha, view, foot, half[0], 2 * half[2], tone * 0.6, tone * up)
        rim = np.array([0, 0, half[2] if view.sees([0, 0, 1]) else -half[2]])
        hub = self.palette[rng.integers(len(self.palette))] if what == "wheel" else tone * 0.7
        self.cylinder(colour, alpha, view, rim, half[0] * 0.55, 0, hub, hub * 0.9)
        self.cylinder(colour, alpha, view, rim, half[0] * 0.2, 0, hub, hub * 0.3)
        return self.packed(colour, alpha)
