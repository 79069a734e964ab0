"""Cars, vans and trucks from above; boats; colours vary within the kind."""

import numpy as np

from .. import colours
from ..shading import dome, grained, lit, painted, random_material
from ..shapes import coverage, ellipse, rounded_box, superellipse
from .base import FLAT, Kind, Ring, sprite


class Car(Kind):
    """Cars from above: body, glass, roof, lamps, mirrors."""

    body = FLAT

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.ry = rng.uniform(0.38, 0.48)
        self.extent = (0.97, self.ry)
        self.material = random_material(rng, rng.uniform(0.3, 1))
        self.height = rng.uniform(0.25, 0.6)
        self.van = rng.random() < 0.25
        self.mixed = rng.random() < 0.5
        self.scene_paint = colours.anything(rng)
        self.one_paint = rng.random() < 0.15

    def draw(self, a, rng, light):
        ry = self.ry * rng.uniform(0.93, 1)
        van = self.van if not self.mixed else rng.random() < 0.2
        d = superellipse(a, 0.96, ry, rng.uniform(3.5, 7))
        paint = self.scene_paint if self.one_paint else colours.anything(rng)
        albedo = grained(paint, self.texture(a, rng), 0.03)
        height = dome(d, 0.2) + 0.05 * (rounded_box(a, 0.5, ry * 0.75, 0.1, -0.12) < 0)
        colour = lit(a, height, albedo, self.material, light)
        glass = np.array([60, 50, 40]) * rng.uniform(0.3, 1.6)
        front, back = rng.uniform(0.28, 0.4), rng.uniform(-0.75, -0.55)
        cabin = rounded_box(a, (front - back) / 2 + 0.1, ry * 0.82, 0.12, (front + back) / 2)
        roof_front, roof_back = front - rng.uniform(0.12, 0.25), back + rng.uniform(0.08, 0.3)
        roof = rounded_box(a, (roof_front - roof_back) / 2, ry * rng.uniform(0.62, 0.74), 0.08,
                           (roof_front + roof_back) / 2)
        if van:
            cabin = rounded_box(a, 0.12, ry * 0.8, 0.06, 0.62)
            roof = rounded_box(a, 0.7, ry * 0.9, 0.04, -0.22)
        colour = painted(colour, glass * (1 + 0.4 * light[0] * a.x)[..., None], cabin, a)
        top = paint if rng.random() < 0.85 else np.full(3, 30.0)
        albedo = grained(top, self.texture(a, rng), 0.03)
        sheet = lit(a, dome(roof, 0.1, 0.3), albedo, self.material, light)
        colour = painted(colour, sheet * 1.05, roof, a)
        if rng.random() < 0.3:
            colour = painted(colour, glass, rounded_box(a, 0.12, ry * 0.4, 0.05, -0.05), a)
        for side in (-1, 1):
            lamp = ellipse(a, 0.06, 0.07, 0.9, side * ry * 0.68)
            colour = painted(colour, [230, 240, 245], lamp, a)
            tail = ellipse(a, 0.03, 0.08, -0.93, side * ry * 0.68)
            colour = painted(colour, [30, 30, 190], tail, a)
            seam = np.abs(np.abs(a.x - 0.1 * side) - 0.25)
            colour = colour * (1 - 0.12 * np.exp(-(seam / 0.015) ** 2))[..., None]
        if rng.random() < 0.25:
            stripe = np.minimum(np.abs(np.abs(a.y) - 0.08) - 0.03, 1)
            colour = painted(colour, colours.anything(rng), np.maximum(stripe, d), a)
        mirrors = np.minimum(ellipse(a, 0.06, 0.05, 0.3, -ry - 0.02),
                             ellipse(a, 0.06, 0.05, 0.3, ry + 0.02))
        colour = painted(colour, paint * 0.8, mirrors, a)
        alpha = coverage(np.minimum(d, mirrors), a)
        walls = [Ring(0, 0.94, np.full(3, 18.0)), Ring(0.3 * self.height, 1.0, paint * 0.5),
                 Ring(self.height, 0.96, paint * 0.75)]
        return sprite(colour, alpha, walls=walls)


class Truck(Kind):
    """Lorries, buses, containers, wagons from above."""

    body = FLAT

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.ry = rng.uniform(0.2, 0.34)
        self.extent = (0.97, self.ry)
        self.height = rng.uniform(0.3, 0.7)
        self.cab = rng.uniform(0.2, 0.4) if rng.random() < 0.6 else 0
        self.ribs = rng.uniform(10, 60) if rng.random() < 0.6 else 0

    def draw(self, a, rng, light):
        paint = colours.anything(rng)
        load = rounded_box(a, 0.97 - self.cab / 2, self.ry, 0.03, -self.cab / 2)
        albedo = grained(paint, self.texture(a, rng), 0.05)
        if self.ribs:
            albedo = albedo * (1 + 0.12 * np.sign(np.sin(a.x * self.ribs)))[..., None]
        colour = lit(a, dome(load, 0.05), albedo, self.material, light)
        d = load
        if self.cab:
            cab = rounded_box(a, self.cab / 2 - 0.03, self.ry * 0.92, 0.08, 0.97 - self.cab / 2)
            colour = painted(colour, colours.anything(rng), cab, a)
            glass = rounded_box(a, 0.04, self.ry * 0.8, 0.03, 0.9)
            colour = painted(colour, [50, 45, 40], glass, a)
            d = np.minimum(load, cab)
        return sprite(colour, coverage(d, a), walls=[Ring(0, 0.97, np.full(3, 20.0)),
                                                     Ring(self.height, 1, paint * 0.6)])
