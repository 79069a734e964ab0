"""Bottles, jars, cans, cups, boxes, crates, bricks, books: tall bodies and printed faces."""

import math

import cv2
import numpy as np

from .. import colours
from ..lettering import write
from ..shading import Material, dome, grained, lit, metallic, painted, random_material
from ..shapes import Area, coverage, ellipse, polygon, rounded_box
from .base import FLAT, UPRIGHT, Kind, Ring, prism, sprite
from .sweets import letters


def printed(image: np.ndarray, a: Area, rng: np.random.Generator, rx: float, ry: float,
            busy: float) -> np.ndarray:
    """Print on a face: bars, a picture, lines of text. Never a thing to count by itself."""
    image = np.ascontiguousarray(image, np.float32)
    for _ in range(int(rng.poisson(3 * busy))):
        colour = tuple(float(v) for v in colours.anything(rng))
        x0, y0 = rng.uniform(-rx, rx * 0.6), rng.uniform(-ry, ry * 0.6)
        x1, y1 = x0 + rng.uniform(0.1, rx), y0 + rng.uniform(0.05, ry * 0.6)
        if rng.random() < 0.25:
            cv2.circle(image, a.pixel(x0, y0), int(rng.uniform(0.1, 0.4) * ry * a.pixels_per_unit),
                       colour, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(image, a.pixel(x0, y0), a.pixel(min(x1, rx), min(y1, ry)), colour, -1)
    for _ in range(int(rng.poisson(2.5 * busy))):
        colour = tuple(float(v) for v in colours.anything(rng))
        at = a.pixel(rng.uniform(-rx, 0.2 * rx), rng.uniform(-ry * 0.7, ry))
        write(image, letters(rng, int(rng.integers(2, 10))), at, int(rng.integers(0, 8)),
              a.size / 96 * rng.uniform(0.25, 0.7), colour, 1 + (rng.random() < 0.3))
    return image


class Bottle(Kind):
    """Bottles and flasks as turned bodies, seen from above or at a slant: cap, neck, shoulder."""

    body = FLAT

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.glass = colours.anything(rng) * rng.uniform(0.15, 0.8)
        self.cap = colours.anything(rng)
        self.cap_radius = rng.uniform(0.3, 0.75)
        self.height = rng.uniform(1.2, 3.6)
        self.shoulder = rng.uniform(0.45, 0.8)
        self.label = colours.anything(rng) if rng.random() < 0.6 else None
        self.crimped = rng.random() < 0.4
        self.material = random_material(rng, rng.uniform(0.4, 1))

    def draw(self, a, rng, light):
        r = self.cap_radius
        # The face at the top is the cap alone; the slices below it are wider.
        d = ellipse(a, r, r)
        if self.crimped:
            d = d + 0.03 * np.cos(21 * a.angle)
        albedo = grained(self.cap, self.texture(a, rng), self.grain * 0.5)
        colour = lit(a, dome(d, 0.12) + 0.03 * (d < -0.1), albedo, self.material, light)
        if rng.random() < 0.3:
            colour = painted(colour, self.glass, ellipse(a, r * 0.5, r * 0.5), a)
        h, neck = self.height, r * 0.85
        label = self.glass if self.label is None else self.label
        walls = [Ring(0, 1 / r, self.glass * 0.5), Ring(0.15 * h, 1 / r, self.glass),
                 Ring(0.16 * h, 1 / r, label), Ring(0.5 * h, 1 / r, label),
                 Ring(0.51 * h, 1 / r, self.glass), Ring(self.shoulder * h, 0.97 / r, self.glass),
                 Ring((self.shoulder + 0.12) * h, neck / r, self.glass * 1.15),
                 Ring(0.93 * h, neck / r, self.glass), Ring(0.935 * h, 1, self.cap * 0.8),
                 Ring(h, 1, self.cap * 0.9)]
        return sprite(colour, coverage(d, a), walls=walls)


class StandingBottle(Kind):
    """Bottles, jars, tubes, vases from the side: outline turned about the upright axis."""

    body = UPRIGHT
    free_rotation = False

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.glass = colours.anything(rng)
        self.cap = colours.anything(rng)
        self.material = metallic(rng) if rng.random() < 0.4 else random_material(rng)
        half = rng.uniform(0.2, 0.55)
        neck = half * rng.uniform(0.25, 1)
        shoulder = rng.uniform(-0.75, 0.0)
        cap = rng.uniform(0.08, 0.3)
        rounding = rng.uniform(0.05, 0.4)
        self.heights = np.array([-0.97, -0.97 + cap, -0.97 + cap + 0.001, shoulder,
                                 min(shoulder + rounding, 0.5), 0.9, 0.97])
        self.widths = np.array([neck * 1.1, neck * 1.1, neck, neck, half, half, half * 0.93])
        self.cap_end = -0.97 + cap
        self.extent = (half, 0.97)
        self.label = colours.anything(rng) if rng.random() < 0.75 else None
        self.label_from, self.label_to = rng.uniform(0.05, 0.3), rng.uniform(0.5, 0.88)
        self.level = rng.uniform(-0.4, 0.6) if rng.random() < 0.4 else -1
        self.busy = rng.uniform(0, 1.5)
        self.same_label = int(rng.integers(1 << 30))
        self.clear = rng.uniform(0.45, 0.8) if rng.random() < 0.2 else 1.0

    def draw(self, a, rng, light):
        half = np.interp(a.y[:, 0], self.heights, self.widths).astype(np.float32)[:, None]
        d = np.maximum(np.abs(a.x) - half, np.abs(a.y) - 0.97)
        across = np.clip(np.abs(a.x) / np.maximum(half, 0.02), 0, 1)
        albedo = np.broadcast_to(self.glass, (a.size, a.size, 3)).astype(np.float32)
        if self.level > -1:
            below = (a.y > self.level + 0.1 * rng.normal())[..., None]
            albedo = np.where(below, albedo * [0.5, 0.45, 0.6], albedo * 0.5 + 110)
        if self.label is not None:
            inside = (a.y > self.label_from) & (a.y < self.label_to)
            paper = np.broadcast_to(self.label, albedo.shape)
            paper = printed(paper, a, np.random.default_rng(self.same_label), self.extent[0], 0.8,
                            self.busy)
            albedo = np.where(inside[..., None], paper, albedo)
        albedo = np.where((a.y < self.cap_end)[..., None], self.cap, albedo)
        albedo = grained(albedo, self.texture(a, rng), self.grain * 0.3)
        height = np.sqrt(1 - across**2) * half
        alpha = coverage(d, a) * np.where(np.abs(d) < 0.06, 1, self.clear)
        return sprite(lit(a, height, albedo, self.material, light), alpha)


class Can(Kind):
    """Cans, jars, tubs, cups, glasses, candles, drums from above: walls and a lid or an opening."""

    body = FLAT

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.side = colours.anything(rng)
        self.second = colours.anything(rng)
        self.top = colours.metal(rng) if rng.random() < 0.4 else colours.anything(rng)
        self.material = metallic(rng) if rng.random() < 0.5 else random_material(rng)
        self.height = rng.uniform(0.4, 2.6)
        self.taper = 1.0 if rng.random() < 0.5 else rng.uniform(0.6, 0.95)
        self.open = rng.random() < 0.4
        self.content = colours.anything(rng)
        self.ridges = int(rng.integers(0, 4))
        self.tab = rng.random() < 0.4
        self.square = rng.random() < 0.15
        self.rim = rng.uniform(0.04, 0.15)
        self.handle = self.open and rng.random() < 0.4

    def draw(self, a, rng, light):
        d = rounded_box(a, 0.95, 0.95, 0.3) if self.square else ellipse(a, 0.95, 0.95)
        albedo = grained(self.top, self.texture(a, rng), self.grain * 0.5)
        height = dome(d, 0.07)
        for k in range(self.ridges):
            height = height + 0.03 * (np.abs(d + 0.12 + 0.18 * k) < 0.03)
        colour = lit(a, height, albedo, self.material, light)
        if self.open:
            inner = d + self.rim
            depth = 0.45 + 0.35 * np.clip(-(a.x * light[0] + a.y * light[1]) + 0.4, 0, 1)
            content = grained(self.content * rng.uniform(0.85, 1.1), self.texture(a, rng), 0.05)
            colour = painted(colour, content * depth[..., None], inner, a)
        elif self.tab:
            tab = np.minimum(ellipse(a, 0.3, 0.16, 0.1, 0), ellipse(a, 0.1, 0.1, -0.25, 0))
            colour = painted(colour, lit(a, dome(tab, 0.1), albedo * 0.8, self.material, light),
                             tab, a)
        alpha = coverage(d, a)
        if self.handle:
            d2 = np.abs(np.hypot(a.x - 0.85, a.y) - 0.2) - 0.05
            colour = painted(colour, self.side, np.maximum(d2, -d), a)
        h = self.height
        walls = [Ring(0, self.taper, self.side * 0.6), Ring(0.25 * h, self.taper, self.side),
                 Ring(0.26 * h, self.taper, self.second), Ring(0.7 * h, 1, self.second),
                 Ring(0.71 * h, 1, self.side), Ring(h, 1, self.top * 0.8)]
        return sprite(colour, alpha, walls=walls)


class Box(Kind):
    """Cartons, crates, bricks, dominoes, dice, soap, parcels, tiles, cards."""

    body = FLAT

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        brown = np.array([rng.uniform(70, 130), rng.uniform(110, 170), rng.uniform(150, 210)])
        self.faces = [brown if rng.random() < 0.4 else colours.anything(rng)
                      for _ in range(int(rng.choice([1, 1, 1, 3])))]
        self.ry = rng.uniform(0.35, 0.95)
        self.extent = (0.95, self.ry)
        self.height = math.exp(rng.uniform(math.log(0.03), math.log(1.5)))
        self.corner = rng.uniform(0.01, 0.2) * self.ry
        self.style = ("print", "print", "slats", "tape", "dots", "plain", "holes")[rng.integers(7)]
        self.busy = rng.uniform(0.2, 1.8)
        self.same_print = int(rng.integers(1 << 30))
        self.slats = int(rng.integers(3, 9))
        self.tape = colours.brown(rng)

    def draw(self, a, rng, light):
        d = rounded_box(a, 0.95, self.ry, self.corner)
        face = self.faces[rng.integers(len(self.faces))] * rng.uniform(0.92, 1.06)
        albedo = grained(face, self.texture(a, rng), self.grain)
        height = dome(d, max(0.03, self.corner))
        if self.style == "print":
            albedo = printed(albedo, a, np.random.default_rng(self.same_print), 0.9, self.ry,
                             self.busy)
        elif self.style == "slats":
            gap = np.abs(((a.x + 0.95) * self.slats / 1.9) % 1 - 0.5) > 0.42
            albedo = albedo * (1 - 0.6 * gap)[..., None]
        elif self.style == "tape":
            albedo = np.where((np.abs(a.y) < 0.12 * self.ry + 0.04)[..., None],
                              self.tape * 0.5 + albedo * 0.5, albedo)
        elif self.style == "dots":
            n = int(rng.integers(1, 7))
            for k in range(n):
                spot = ellipse(a, 0.13, 0.13, 0.45 * ((k % 2) * 2 - 1) * (n > 1),
                               self.ry * 0.55 * (k // 2 - (n - 1) // 2 / 2))
                albedo = painted(albedo, [30, 30, 30], spot, a)
        elif self.style == "holes":
            grid = np.sin((a.x + 0.95) * 10) * np.sin((a.y + self.ry) * 10)
            albedo = albedo * (1 - 0.7 * (grid > 0.75))[..., None]
        colour = lit(a, height, albedo, self.material, light)
        return sprite(colour, coverage(d, a), walls=prism(self.height, face * 0.8))


class BookSpine(Kind):
    """Spines side by side on a shelf, from the front; every one looks different."""

    body = UPRIGHT
    free_rotation = False

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.rx = rng.uniform(0.08, 0.22)
        self.extent = (self.rx, 0.97)
        self.one_edition = rng.random() < 0.25
        self.colour = colours.anything(rng)

    def draw(self, a, rng, light):
        rx = self.rx * rng.uniform(0.85, 1)
        top = rng.uniform(-0.97, -0.6)
        d = np.maximum(np.abs(a.x) - rx, np.maximum(top - a.y, a.y - 0.97))
        cover = self.colour if self.one_edition else colours.anything(rng)
        albedo = grained(cover, self.texture(a, rng), self.grain)
        for _ in range(int(rng.integers(0, 4))):
            at = rng.uniform(top, 0.9)
            band = np.abs(a.y - at) < rng.uniform(0.01, 0.12)
            albedo = np.where(band[..., None], colours.anything(rng), albedo)
        if rng.random() < 0.8:  # the title runs along the spine
            strip = np.zeros((int(rx * 2 * a.pixels_per_unit) + 2, a.size), np.float32)
            size = strip.shape[0] / 32 * rng.uniform(0.5, 1.0)
            write(strip, letters(rng, int(rng.integers(4, 22))),
                  (int(a.size * 0.2), int(strip.shape[0] * 0.8)), int(rng.integers(0, 8)), size, 1)
            strip = np.rot90(strip, 1 if rng.random() < 0.5 else 3)
            x0 = (a.size - strip.shape[1]) // 2
            ink = colours.anything(rng)
            part = albedo[:, x0:x0 + strip.shape[1]]
            albedo[:, x0:x0 + strip.shape[1]] = part + (ink - part) * strip[..., None]
        bow = np.sqrt(np.clip(1 - (a.x / (rx * 1.4)) ** 2, 0.05, 1)) * rx
        return sprite(lit(a, bow, albedo, self.material, light), coverage(d, a))


class Plate(Kind):
    """Plates, lids, discs, records, dishes."""

    body = FLAT

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.glaze = colours.white(rng) if rng.random() < 0.5 else colours.anything(rng)
        self.rim = rng.uniform(0.15, 0.4)
        self.line = colours.anything(rng) if rng.random() < 0.5 else None
        self.label = colours.anything(rng) if rng.random() < 0.3 else None
        self.height = rng.uniform(0.05, 0.2)
        self.corners = int(rng.integers(4, 9)) if rng.random() < 0.15 else 0
        self.material = Material(0.6, rng.uniform(0, 0.5), rng.uniform(8, 40))

    def draw(self, a, rng, light):
        d = polygon(a, 0.96, self.corners) if self.corners else ellipse(a, 0.95, 0.95)
        well = np.clip((d + self.rim) * -12, -1, 1)
        albedo = grained(self.glaze, self.texture(a, rng), self.grain * 0.4)
        if self.line is not None:
            albedo = np.where((np.abs(d + 0.08) < 0.025)[..., None], self.line, albedo)
        if self.label is not None:
            albedo = painted(albedo, self.label, ellipse(a, 0.35, 0.35), a)
        colour = lit(a, dome(d, 0.06) - 0.03 * well, albedo, self.material, light)
        return sprite(colour, coverage(d, a), walls=[Ring(0, 0.75, self.glaze * 0.5),
                                                     Ring(self.height, 1, self.glaze * 0.8)])
