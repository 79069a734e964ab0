"""Pills, capsules, lentils, candies, gummies, beads, buttons: colour is part of the kind."""

import math

import cv2
import numpy as np

from .. import colours
from ..shading import Material, dome, grained, lit, painted, random_material
from ..shapes import Area, blobs, coverage, ellipse, path, polygon, rounded_box, star, superellipse
from .base import FLAT, ROUND, Kind, prism, sprite


class Coloured(Kind):
    """A kind known by its colour."""

    body = ROUND
    colour_is_kind = True
    palette = staticmethod(colours.saturated)

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.colour = self.palette(rng)

    def recolour(self, rng, others):
        self.colour = colours.distinct(rng, [other.colour for other in others], self.palette)


def any_pill_colour(rng: np.random.Generator) -> np.ndarray:
    makers = (colours.white, colours.pastel, colours.pastel, colours.saturated, colours.anything)
    return makers[rng.integers(len(makers))](rng)


def letters(rng: np.random.Generator, count: int) -> str:
    return "".join(chr(rng.integers(48, 91)) for _ in range(count))


def text_mask(a: Area, text: str, rng: np.random.Generator, height: float) -> np.ndarray:
    """Text about the centre, 0...1, letters `height` units tall."""
    mask = np.zeros((a.size, a.size), np.uint8)
    font, scale = int(rng.integers(0, 8)), height * a.pixels_per_unit / 22
    thick = max(1, round(scale * rng.uniform(1, 2.5)))
    (w, h), _ = cv2.getTextSize(text, font, scale, thick)
    origin = ((a.size - w) // 2, (a.size + h) // 2)
    cv2.putText(mask, text, origin, font, scale, 255, thick, cv2.LINE_AA)
    return mask.astype(np.float32) / 255


class Tablet(Coloured):
    """Round, oval or oblong, scored, printed or plain, bevelled."""

    palette = staticmethod(any_pill_colour)

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.ry = rng.uniform(0.42, 0.8) if rng.random() < 0.4 else 0.96
        self.extent = (0.96, self.ry)
        self.power = rng.choice([2.0, 2.0, 2.0, 2.6, 4.0])
        self.bevel = rng.uniform(0.08, 0.9)
        self.thickness = rng.uniform(0.25, 0.5)
        self.score = rng.random() < 0.35
        self.imprint = letters(rng, int(rng.integers(1, 4))) if rng.random() < 0.3 else ""
        self.ink = rng.random() < 0.4
        self.speckle = rng.uniform(0, 0.15) if rng.random() < 0.3 else 0
        if rng.random() < 0.12:
            self.corners = int(rng.integers(3, 9))
            self.extent = (0.96, 0.96)
        else:
            self.corners = 0

    def draw(self, a, rng, light):
        if self.corners:
            d = polygon(a, 0.97, self.corners)
        else:
            d = superellipse(a, 0.96, self.ry, self.power)
        height = dome(d, self.bevel)
        if self.score:
            height = height - 0.05 * (np.abs(a.x) < 0.035)
        albedo = grained(self.colour, self.texture(a, rng), self.grain * 0.4)
        if self.speckle:
            albedo = albedo * (1 - self.speckle * (self.texture(a, rng) > 1.2))[..., None]
        if self.imprint:
            mask = text_mask(a, self.imprint, rng, 0.5)
            if self.ink:
                albedo = albedo * (1 - 0.8 * mask[..., None])
            else:
                height = height - 0.05 * mask
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a))


class Capsule(Coloured):
    """Gelatine capsule: two halves of one or two colours, one a little wider."""

    palette = staticmethod(any_pill_colour)

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.radius = rng.uniform(0.27, 0.42)
        self.extent = (0.97, self.radius)
        self.thickness = 1.0
        self.second = any_pill_colour(rng) if rng.random() < 0.75 else self.colour
        self.material = random_material(rng, rng.uniform(0.3, 1))
        self.join = rng.uniform(-0.2, 0.25)
        self.imprint = letters(rng, int(rng.integers(2, 5))) if rng.random() < 0.25 else ""

    def draw(self, a, rng, light):
        r = self.radius
        d = path(a, np.array([[-0.96 + r, 0], [0.96 - r, 0]]), r)
        lid = a.x > self.join
        d = np.where(lid, d, d + 0.025)
        albedo = np.where(lid[..., None], self.colour, self.second)
        albedo = grained(albedo, self.texture(a, rng), self.grain * 0.3)
        if self.imprint:
            albedo = albedo * (1 - 0.7 * text_mask(a, self.imprint, rng, 0.22)[..., None])
        return sprite(lit(a, dome(d, r, 1), albedo, self.material, light), coverage(d, a))


class Lentil(Coloured):
    """Sugar-coated chocolate lentils and balls, glossy, with or without a letter."""

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.thickness = rng.uniform(0.4, 1.0)
        self.rx, self.ry = 0.97, rng.uniform(0.7, 0.97) if rng.random() < 0.3 else 0.97
        self.extent = (self.rx, self.ry)
        self.material = random_material(rng, rng.uniform(0.3, 1))
        self.mark = "msMW*&xS"[rng.integers(8)] if rng.random() < 0.3 else ""
        self.crackle = rng.uniform(0, 0.06)

    def draw(self, a, rng, light):
        rx, ry = self.rx * rng.uniform(0.93, 1), self.ry * rng.uniform(0.93, 1)
        d = ellipse(a, rx, ry)
        albedo = grained(self.colour, self.texture(a, rng), self.crackle)
        if self.mark and rng.random() < 0.6:
            albedo = albedo + (240 - albedo) * text_mask(a, self.mark, rng, 0.6)[..., None]
        height = dome(d, min(rx, ry), 0.9)
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a))


class PatternedCandy(Coloured):
    """Peppermint swirls, striped pillows, sugared drops, wrapped sweets."""

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.second = colours.white(rng) if rng.random() < 0.6 else colours.saturated(rng)
        self.pattern = ("swirl", "stripes", "sugar", "wrapped", "plain")[rng.integers(5)]
        self.count = int(rng.integers(3, 9))
        self.twist = rng.uniform(0, 4)
        self.outline = ("disc", "pillow", "drop")[rng.integers(3)]
        self.bevel = rng.uniform(0.3, 0.95)
        self.thickness = rng.uniform(0.5, 1)
        if self.pattern == "wrapped":
            self.extent = (0.98, 0.55)
        elif self.outline == "pillow":
            self.extent = (0.95, 0.72)

    def draw(self, a, rng, light):
        if self.pattern == "wrapped":
            body = ellipse(a, 0.58, 0.5)
            fan = np.abs(a.y) - (0.1 + 0.75 * (np.abs(a.x) - 0.5))
            d = np.minimum(body, np.maximum(fan, np.abs(a.x) - 0.97 - 0.04 * np.cos(30 * a.y)))
            height = dome(body, 0.5) + 0.05 * np.sin(a.y * 28) * (body > 0)
        else:
            d = {"disc": lambda: ellipse(a, 0.96, 0.96),
                 "pillow": lambda: superellipse(a, 0.95, 0.72, 3.2),
                 "drop": lambda: blobs(a, [(-0.3, 0, 0.64), (0.35, 0, 0.3), (0.75, 0, 0.1)], 0.35),
                 }[self.outline]()
            height = dome(d, self.bevel)
        albedo = grained(self.colour, self.texture(a, rng), self.grain * 0.5)
        phase = rng.uniform(0, 6.28)
        if self.pattern == "swirl":
            wave = np.sin(self.count * (a.angle + self.twist * a.radius) + phase)
            albedo = np.where((wave > 0)[..., None], albedo, self.second)
        elif self.pattern in ("stripes", "wrapped"):
            wave = np.sin(self.count * 2.5 * (a.x + 0.4 * a.y) + phase)
            albedo = np.where((wave > 0.1)[..., None], albedo, self.second)
        elif self.pattern == "sugar":
            crystals = np.maximum(self.noise.patch(rng, a.size), 0)
            albedo = albedo + 45 * crystals[..., None]
            height = height + 0.015 * crystals
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a))


class Gummy(Kind):
    """Gummy bears, discs, rings, hearts, worms: translucent, all colours mixed in one bag."""

    body = ROUND

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.shape = ("bear", "disc", "ring", "worm", "worm", "bottle")[rng.integers(6)]
        self.count = int(rng.integers(1, 7))
        self.palette = [colours.saturated(rng) for _ in range(self.count)]
        self.material = Material(
            ambient=rng.uniform(0.45, 0.8), specular=rng.uniform(0.2, 1),
            shininess=rng.uniform(15, 70), translucency=rng.uniform(0.2, 0.9))
        self.sugared = rng.random() < 0.3
        self.thickness = rng.uniform(0.5, 0.9)
        self.clear = rng.uniform(0.7, 1)
        if self.shape == "worm":
            self.radius = rng.uniform(0.1, 0.19)
            self.extent = (0.97, self.radius * 1.6)
        elif self.shape == "bear":
            self.extent = (0.62, 0.95)
        elif self.shape == "bottle":
            self.extent = (0.42, 0.95)

    def outline(self, a, rng):
        if self.shape == "bear":
            body = [(0, 0.25, 0.46), (0, -0.42, 0.34), (-0.27, -0.7, 0.15), (0.27, -0.7, 0.15),
                    (-0.42, 0.02, 0.18), (0.42, 0.02, 0.18), (-0.36, 0.68, 0.22),
                    (0.36, 0.68, 0.22)]
            return blobs(a, body, 0.08), 0.4
        if self.shape == "disc":
            return ellipse(a, 0.95, 0.95), 0.5
        if self.shape == "ring":
            return np.abs(a.radius - 0.64) - 0.3, 0.3
        if self.shape == "bottle":
            return blobs(a, [(0, 0.5, 0.4), (0, 0.1, 0.37), (0, -0.35, 0.22), (0, -0.78, 0.16)],
                         0.25), 0.35
        x = np.linspace(-0.95 + self.radius, 0.95 - self.radius, 12)
        bend = rng.uniform(0, 0.5) * rng.choice([-1, 1])
        y = bend * np.sin(x * rng.uniform(0.8, 3.5) + rng.uniform(0, 3))
        y -= y.mean()
        limit = 0.95 - self.radius
        return path(a, np.stack([x, np.clip(y, -limit, limit)], 1), self.radius), self.radius

    def draw(self, a, rng, light):
        d, width = self.outline(a, rng)
        colour = self.palette[rng.integers(self.count)]
        albedo = grained(colour, self.texture(a, rng), 0.05)
        height = dome(d, width)
        if self.shape == "worm":
            second = self.palette[rng.integers(self.count)]
            join = rng.uniform(-0.5, 0.5)
            blend = np.clip((a.x - join) * 3 + 0.5, 0, 1)[..., None]
            albedo = albedo * blend + second * (1 - blend)
            height = height + 0.02 * np.sin(a.x * 32)
        elif self.shape == "bear":
            height = height - 0.08 * (blobs(a, [(-0.12, -0.46, 0.05), (0.12, -0.46, 0.05)]) < 0)
            height = height + 0.12 * dome(ellipse(a, 0.14, 0.1, 0, -0.36), 0.1)
        if self.sugared:
            albedo = albedo + 35 * np.maximum(self.noise.patch(rng, a.size), 0)[..., None]
        alpha = coverage(d, a) * self.clear
        return sprite(lit(a, height, albedo, self.material, light), alpha)


class Bead(Coloured):
    """Beads with a hole, pearls, buttons."""

    palette = staticmethod(colours.anything)

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.button = rng.random() < 0.5
        self.material = random_material(rng, rng.uniform(0.3, 1))
        self.holes = int(rng.choice([2, 4, 4])) if self.button else int(rng.integers(0, 2))
        self.thickness = 0.25 if self.button else 1.0
        self.facets = int(rng.integers(5, 10)) if rng.random() < 0.25 else 0
        self.rim = rng.uniform(0.1, 0.3)
        self.hole = rng.uniform(0.07, 0.12) if self.button else rng.uniform(0.12, 0.35)

    def draw(self, a, rng, light):
        d = polygon(a, 0.96, self.facets) if self.facets else ellipse(a, 0.96, 0.96)
        albedo = grained(self.colour, self.texture(a, rng), self.grain)
        if self.button:
            height = dome(d, 0.15) - 0.1 * np.clip(-(d + self.rim) * 8, 0, 1)
            spots = [(0.26 * math.cos(k * 2 * math.pi / self.holes + 0.8),
                      0.26 * math.sin(k * 2 * math.pi / self.holes + 0.8), self.hole)
                     for k in range(self.holes)]
        else:
            height = dome(d, 0.95)
            spots = [(0.0, 0.0, self.hole)] * self.holes
        colour = lit(a, height, albedo, self.material, light)
        if spots:
            colour = painted(colour, colour * 0.3, blobs(a, spots), a)
        return sprite(colour, coverage(d, a))


class Marshmallow(Coloured):
    """Short cylinders and cubes of sweets: walls as high as wide."""

    body = FLAT
    palette = staticmethod(any_pill_colour)

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.material = random_material(rng, rng.uniform(0, 0.5))
        self.outline = ("disc", "square", "star")[rng.integers(3)]
        self.height = rng.uniform(0.5, 1.4)

    def draw(self, a, rng, light):
        d = {"disc": lambda: ellipse(a, 0.95, 0.95),
             "square": lambda: rounded_box(a, 0.9, 0.9, 0.25),
             "star": lambda: star(a, 0.97, 5, 0.4)}[self.outline]()
        albedo = grained(self.colour, self.texture(a, rng), self.grain)
        colour = lit(a, dome(d, 0.2), albedo, self.material, light)
        return sprite(colour, coverage(d, a), walls=prism(self.height, self.colour * 0.85))


class BlisterPocket(Kind):
    """A clear pocket with one or two capsules or tablets: the pocket is the thing to count."""

    body = FLAT
    free_rotation = False

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.round = rng.random() < 0.35
        self.ry = 0.95 if self.round else rng.uniform(0.45, 0.75)
        self.extent = (0.95, self.ry)
        maker = Tablet if self.round or rng.random() < 0.3 else Capsule
        self.content = maker(rng, noise)
        self.many = 1 if self.round or rng.random() < 0.4 else 2
        self.glass = colours.white(rng)
        self.haze = rng.uniform(0.08, 0.45)
        self.filled = 1.0 if rng.random() < 0.8 else rng.uniform(0.6, 0.95)
        self.corner = rng.uniform(0.5, 1) * self.ry

    def draw(self, a, rng, light):
        d = rounded_box(a, 0.95, self.ry, self.corner)
        pocket = lit(a, dome(d, 0.25, 1), grained(self.glass, self.texture(a, rng), 0.05),
                     Material(0.7, 0.9, 20), light)
        edge = np.exp(-((d + 0.06) / 0.06) ** 2)
        alpha = coverage(d, a) * np.clip(self.haze + 0.55 * edge, 0, 1)
        colour = pocket
        if rng.random() < self.filled:
            for k in range(self.many):
                inside = self.content.draw(a, rng, light).image.astype(np.float32)
                fit = 0.72 if self.round else 0.66 * rng.uniform(0.85, 1)
                turn = rng.uniform(-25, 25)
                if self.many > 1:
                    turn = rng.choice([0, 180]) + rng.normal() * 8
                middle = a.size / 2 - 0.5
                m = cv2.getRotationMatrix2D((middle, middle), turn, fit)
                shift = 0 if self.many == 1 else (k - 0.5) * self.ry * 0.75
                m[:, 2] += np.array([rng.normal() * 0.06, shift]) * a.pixels_per_unit
                inside = cv2.warpAffine(inside, m, (a.size, a.size))
                mask = inside[..., 3:] / 255
                straight = inside[..., :3] / np.maximum(mask, 1e-3)
                joined = np.maximum(alpha[..., None], mask)
                colour = colour * (1 - mask) + straight * mask
                alpha = joined[..., 0]
        glare = np.exp(-((a.y + 0.5 * self.ry) / 0.09) ** 2) * (np.abs(a.x) < 0.6) * (d < -0.1)
        colour = colour + 120 * self.haze * glare[..., None]
        return sprite(colour, np.where(d < 0.02, alpha, 0))
