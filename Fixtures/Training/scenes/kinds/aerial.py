"""Seen from straight above: aircraft, boats, cattle, people; heights are nothing there."""

import cv2
import numpy as np

from .. import colours
from ..shading import dome, grained, lit, painted, random_material
from ..shapes import Area, blobs, coverage, ellipse, path, rounded_box, superellipse
from .base import FLAT, Kind, sprite


class Aircraft(Kind):
    """Airliners, jets and propeller craft: body, wings, tail, engines; liveries vary."""

    body = FLAT
    thickness = 0.35
    specimens = 10

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.material = random_material(rng, rng.uniform(0.2, 0.8))
        self.breadth = rng.uniform(0.055, 0.11)
        self.span = rng.uniform(0.65, 0.97)
        self.sweep = rng.uniform(0.0, 0.55) if rng.random() < 0.85 else -0.05
        self.root, self.tip = rng.uniform(0.22, 0.42), rng.uniform(0.05, 0.14)
        self.wing_at = rng.uniform(-0.02, 0.3)
        self.tail = rng.uniform(0.22, 0.42)
        self.engines = int(rng.choice([0, 2, 2, 2, 4]))
        self.delta = rng.random() < 0.08
        self.military = rng.random() < 0.15
        self.white = rng.random() < 0.7
        self.extent = (0.97, self.span)

    def paint(self, rng) -> np.ndarray:
        if self.military:
            return colours.grey(rng) * 0.5 + np.array([40, 60, 55])
        return colours.white(rng) if self.white or rng.random() < 0.6 else colours.anything(rng)

    def plate(self, mask, a, points) -> None:
        corners = np.array([a.pixel(x, y) for x, y in points], np.int32)
        cv2.fillPoly(mask, [corners], 1.0, cv2.LINE_AA)

    def draw(self, a, rng, light):
        span = self.span * rng.uniform(0.92, 1.03)
        body = superellipse(a, 0.95, self.breadth, 2.6)
        body = np.maximum(body, np.abs(a.y) - self.breadth * np.clip((a.x + 0.98) * 2.2, 0.15, 1))
        wings = np.zeros((a.size, a.size), np.float32)
        root = 0.9 if self.delta else self.root
        front = self.wing_at + self.root / 2
        for side in (-1, 1):
            reach = min(span, 0.97) * side
            back = front - self.sweep * span - (0.55 if self.delta else 0)
            self.plate(wings, a, [(front, 0), (back, reach), (back - self.tip, reach),
                                  (front - root, 0)])
            tail = self.tail * side
            self.plate(wings, a, [(-0.7, 0), (-0.82 - self.sweep * 0.2, tail),
                                  (-0.93 - self.sweep * 0.1, tail), (-0.9, 0)])
        skin = self.paint(rng)
        wing_tone = skin * rng.uniform(0.8, 1) if rng.random() < 0.6 else np.full(
            3, rng.uniform(120, 220))
        colour = grained(wing_tone, self.texture(a, rng), 0.04)
        colour = colour * (1 + 0.2 * light[1] * np.sign(a.y))[..., None]
        alpha = wings
        for k in range(self.engines):
            side = 1 if k % 2 else -1
            y = side * span * (0.33 if k < 2 else 0.6)
            x = front - self.sweep * abs(y) + 0.03
            pod = superellipse(_shifted(a, x, y), 0.1, 0.045, 3)
            colour = painted(colour, skin * 0.75, pod, a)
            alpha = np.maximum(alpha, coverage(pod, a))
        trunk = lit(a, dome(body, self.breadth, 1), grained(skin, self.texture(a, rng), 0.03),
                    self.material, light)
        colour = painted(colour, trunk, body, a)
        fin = path(a, np.array([[-0.93, 0.0], [-0.66, 0.0]]), 0.018)
        fin_tone = colours.saturated(rng) if rng.random() < 0.6 else skin * 0.6
        colour = painted(colour, fin_tone, fin, a)
        glass = rounded_box(a, 0.025, self.breadth * 0.6, 0.01, 0.86)
        colour = painted(colour, np.full(3, 45.0), glass, a)
        return sprite(colour, np.maximum(alpha, coverage(body, a)))


def _shifted(a, x: float, y: float):
    """The area with its origin moved."""
    moved_x, moved_y = a.x - x, a.y - y
    return Area(a.size, moved_x, moved_y, np.hypot(moved_x, moved_y),
                np.arctan2(moved_y, moved_x), a.pixels_per_unit)


class Boat(Kind):
    """Yachts, motor boats, dinghies, barges, ships with their deck; hulls vary."""

    body = FLAT
    thickness = 0.4
    specimens = 10

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.ry = rng.uniform(0.16, 0.36)
        self.extent = (0.97, self.ry)
        self.style = ("yacht", "motor", "motor", "open", "ship")[rng.integers(5)]
        if self.style == "ship":
            self.ry = rng.uniform(0.12, 0.2)
        self.white = rng.uniform(0.4, 0.95)
        self.wake = rng.random() < 0.1

    def draw(self, a, rng, light):
        ry = self.ry * rng.uniform(0.88, 1.05)
        bow = np.clip((0.97 - a.x) / rng.uniform(0.5, 1.2), 0, 1) ** 0.6
        stern = np.clip((a.x + 1.1) / 0.4, 0.75, 1)
        d = np.maximum(np.abs(a.y) - ry * bow * stern, np.abs(a.x) - 0.96)
        hull = colours.white(rng) if rng.random() < self.white else colours.anything(rng)
        deck = hull * rng.uniform(0.75, 1.02) if rng.random() < 0.6 else colours.brown(rng) + 20
        colour = grained(hull, self.texture(a, rng), 0.04)
        colour = painted(colour, grained(np.minimum(deck, 250), self.texture(a, rng), 0.05),
                         d + 0.05, a)
        style = self.style if rng.random() < 0.85 else "motor"
        if style == "open":
            colour = painted(colour, deck * 0.4, d + 0.11, a)
            for x in rng.uniform(-0.7, 0.4, int(rng.integers(1, 4))):
                colour = painted(colour, deck * 0.8, rounded_box(a, 0.05, ry * 0.8, 0.01, x), a)
        elif style == "ship":
            for x in np.arange(-0.35, 0.75, rng.uniform(0.18, 0.4)):
                hold = rounded_box(a, 0.07, ry * 0.65, 0.01, x)
                colour = painted(colour, colours.anything(rng), hold, a)
            bridge = rounded_box(a, 0.1, ry * 0.85, 0.02, -0.72)
            colour = painted(colour, [235, 235, 235], bridge, a)
        else:
            cabin = superellipse(_shifted(a, rng.uniform(-0.2, 0.15), 0), rng.uniform(0.25, 0.45),
                                 ry * rng.uniform(0.5, 0.72), 3)
            top = lit(a, dome(cabin, 0.08), grained(np.minimum(hull * 1.05, 252),
                                                    self.texture(a, rng), 0.02),
                      self.material, light)
            glass = np.array([90, 70, 45]) * rng.uniform(0.4, 1.3)
            colour = painted(colour, glass, cabin - 0.03, a)
            colour = painted(colour, top, cabin + 0.03, a)
            if style == "yacht":
                mast = path(a, np.array([[-0.7, rng.normal() * 0.03], [0.2, 0.0]]), 0.02)
                cover = colours.anything(rng) if rng.random() < 0.6 else np.full(3, 235.0)
                colour = painted(colour, cover, mast, a)
            elif rng.random() < 0.4:
                colour = painted(colour, colours.saturated(rng),
                                 rounded_box(a, 0.2, ry * 0.7, 0.05, -0.6), a)
        return sprite(colour, coverage(d, a))


class Animal(Kind):
    """Cattle, sheep, seals and birds from above or afar: a body, a head, legs or wings."""

    body = FLAT
    thickness = 0.5
    specimens = 12

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.coats = [colours.brown(rng) if rng.random() < 0.5 else colours.grey(rng)
                      for _ in range(int(rng.choice([1, 2, 4])))]
        if rng.random() < 0.4:
            self.coats = [colours.white(rng)]
        self.ry = rng.uniform(0.28, 0.5)
        self.extent = (0.95, self.ry)
        self.wings = rng.random() < 0.3
        self.patches = rng.random() < 0.3
        self.fleece = rng.uniform(0, 0.08)
        self.head = self.coats[0] * rng.uniform(0.25, 1)

    def draw(self, a, rng, light):
        bend = rng.normal() * 0.12
        y = a.y - bend * a.x
        texture = self.texture(a, rng)
        trunk = np.hypot((a.x + 0.2) / 0.72, y / self.ry) - 1
        trunk = trunk * self.ry + self.fleece * texture
        turn = rng.normal() * 0.15
        head = ellipse(a, 0.2, 0.13, 0.68, turn + bend * 0.68)
        neck = path(a, np.array([[0.3, 0.3 * bend], [0.68, turn + bend * 0.68]]), self.ry * 0.4)
        d = np.minimum(np.minimum(trunk, head), neck)
        coat = self.coats[rng.integers(len(self.coats))] * rng.uniform(0.85, 1.1)
        albedo = grained(coat, texture, 0.08)
        if self.patches:
            albedo = np.where((self.texture(a, rng) > 0.4)[..., None], [235, 238, 240], albedo)
        colour = lit(a, dome(np.minimum(trunk, neck), self.ry), albedo, self.material, light)
        colour = painted(colour, self.head, head, a)
        if self.wings:
            flap = rng.uniform(0.5, 0.9)
            pair = blobs(a, [(-0.1, s * flap * f, 0.24 - 0.12 * f) for s in (-1, 1)
                             for f in (0.4, 0.7, 1.0)], 0.15)
            colour = painted(colour, coat * 0.85, np.maximum(pair, -trunk), a)
            d = np.minimum(d, pair)
        return sprite(colour, coverage(d, a))


class Person(Kind):
    """People from above: a head or hat on shoulders, bags and arms; clothes vary."""

    body = FLAT
    thickness = 1.2
    specimens = 14
    extent = (0.6, 0.9)

    def draw(self, a, rng, light):
        cloth = colours.anything(rng) * rng.uniform(0.4, 1)
        shoulders = superellipse(a, rng.uniform(0.3, 0.42), 0.86, 2.5)
        arm = path(a, np.array([[0.0, 0.7], [0.5, rng.uniform(0.3, 0.7)]]), 0.13)
        d = np.minimum(shoulders, arm) if rng.random() < 0.6 else shoulders
        colour = lit(a, dome(d, 0.3), grained(cloth, self.texture(a, rng), 0.08), self.material,
                     light)
        if rng.random() < 0.25:
            colour = painted(colour, colours.anything(rng), rounded_box(a, 0.18, 0.35, 0.08, -0.35),
                             a)
        head = ellipse(a, 0.36, 0.31, 0.06 + rng.normal() * 0.03, rng.normal() * 0.04)
        hair = colours.brown(rng) * rng.uniform(0.1, 0.9) if rng.random() < 0.8 else (
            colours.anything(rng))
        top = lit(a, dome(head, 0.33, 1), grained(hair, self.texture(a, rng), 0.1), self.material,
                  light)
        colour = painted(colour, top, head, a)
        return sprite(colour, coverage(np.minimum(d, head), a))
