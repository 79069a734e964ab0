"""What microscopes and dishes show: blood cells, nuclei, colonies, algae."""

import numpy as np

from .. import colours
from ..shading import dome, grained, lit, random_material
from ..shapes import blobs, coverage, ellipse, superellipse, wavy
from .base import FLAT, Kind, sprite


class BloodCell(Kind):
    """Red cells: discs with a pale middle, lightly see-through; some bent, some without it."""

    body = FLAT
    specimens = 14

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.tone = colours.from_hsv(rng.choice([172, 176, 0, 4, 165, 150]),
                                     rng.uniform(50, 190), rng.uniform(150, 235))
        self.pale = rng.uniform(0.0, 0.75)
        self.middle = rng.uniform(0.25, 0.6)
        self.soft = rng.uniform(0.08, 0.25)
        self.edge = rng.uniform(-0.1, 0.3)
        self.clear = rng.uniform(0.75, 0.95)
        self.uneven = rng.uniform(0.01, 0.07)
        self.extent = (0.93, 0.93)

    def draw(self, a, rng, light):
        waves = [(k, self.uneven * rng.normal() / (k - 1), rng.uniform(0, 6)) for k in (2, 3, 4)]
        d = wavy(a, 0.9 - self.uneven, waves)
        pale = self.pale * rng.uniform(0.5, 1.2)
        off = rng.normal(size=2) * 0.06
        r = np.hypot(a.x - off[0], a.y - off[1])
        centre = 1 / (1 + np.exp((r - self.middle * rng.uniform(0.8, 1.15)) / self.soft * 2.5))
        albedo = grained(self.tone * rng.uniform(0.9, 1.06), self.texture(a, rng), 0.03)
        rim = np.exp(-((d + 0.05) / 0.05) ** 2)[..., None]
        albedo = albedo * (1 - self.edge * rim)
        albedo = albedo + (245 - albedo) * (pale * centre)[..., None]
        alpha = coverage(d, a) * (self.clear - 0.25 * pale * centre)
        return sprite(albedo, np.maximum(alpha, coverage(d, a) * 0.45))


class Nucleus(Kind):
    """Nuclei and cells as smooth blobs: glowing on dark, stained on light ground."""

    body = FLAT
    specimens = 16

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.glow = True
        tints = ((1, 1, 1), (1, 1, 1), (1, 0.4, 0.25), (0.35, 1, 0.4), (0.4, 0.4, 1))
        self.tint = np.array(tints[rng.integers(len(tints))])
        self.light = rng.uniform(50, 240)
        self.dye = colours.from_hsv(rng.uniform(115, 165), rng.uniform(80, 210),
                                    rng.uniform(60, 190))
        self.ry = rng.uniform(0.5, 0.95)
        self.soft = rng.uniform(0.02, 0.16)
        self.lumps = rng.uniform(0.05, 0.3)
        self.varying = rng.uniform(0.05, 0.5)
        self.spots = rng.random() < 0.4
        self.extent = (0.9, self.ry * 0.95)

    def draw(self, a, rng, light):
        ry = np.clip(self.ry * rng.uniform(0.75, 1.15), 0.4, 0.93)
        waves = sum(0.06 / k * rng.normal() * np.cos(k * a.angle + rng.uniform(0, 6))
                    for k in (2, 3, 4))
        d = superellipse(a, 0.88, ry * 0.94, rng.uniform(2, 2.5)) + waves
        texture = self.texture(a, rng)
        alpha = np.clip(0.5 - d / max(2 * self.soft, 1 / a.pixels_per_unit), 0, 1)
        if self.glow:
            bright = self.light * np.exp(rng.normal() * self.varying)
            body = self.tint * bright
        else:
            body = self.dye * np.exp(rng.normal() * self.varying * 0.4)
        colour = grained(body, texture, self.lumps * (0.6 if self.glow else 1))
        if self.spots:
            at = [(*rng.normal(0, 0.3, 2), rng.uniform(0.06, 0.16)) for _ in range(3)]
            colour = colour * (1 - 0.35 * coverage(blobs(a, at), a))[..., None]
        return sprite(colour, alpha)


class Colony(Kind):
    """Colonies on agar: small round domes, near the agar's colour or not."""

    body = FLAT
    specimens = 10

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.material = random_material(rng, rng.uniform(0.1, 1))
        self.tone = colours.white(rng) * rng.uniform(0.75, 1)
        choice = rng.random()
        if choice < 0.2:
            self.tone = colours.from_hsv(rng.uniform(15, 35), rng.uniform(60, 200), 225)
        elif choice < 0.35:
            self.tone = colours.from_hsv(rng.choice([0, 130, 165, 60]), 150, rng.uniform(60, 170))
        self.halo = rng.uniform(0, 0.35)
        self.clear = rng.uniform(0.6, 1)
        self.rings = rng.random() < 0.2
        self.uneven = rng.uniform(0, 0.05)
        self.extent = (0.9, 0.9)

    def draw(self, a, rng, light):
        waves = [(k, self.uneven * rng.normal() / k, rng.uniform(0, 6)) for k in (2, 3, 5)]
        d = wavy(a, 0.88, waves)
        albedo = grained(self.tone * rng.uniform(0.92, 1.05), self.texture(a, rng), 0.04)
        if self.rings:
            albedo = albedo * (1 - 0.25 * coverage(ellipse(a, 0.5, 0.5), a))[..., None]
        colour = lit(a, dome(d, 0.9, 0.5), albedo, self.material, light)
        rim = np.exp(-((d + 0.06) / 0.06) ** 2)
        colour = colour * (1 - self.halo * rim)[..., None]
        return sprite(colour, coverage(d, a) * self.clear)
