"""Coins: struck or cast, worn, of several metals; faces and metals vary within the kind."""

import cv2
import numpy as np

from .. import colours
from ..shading import dome, grained, lit, metallic, random_material
from ..shapes import Area, coverage, ellipse, polygon, wavy
from .base import FLAT, Kind, prism, sprite
from .sweets import letters, text_mask


def relief(a: Area, rng: np.random.Generator) -> np.ndarray:
    """A face: a head, figures, numerals, leaves; 0...1, soft-edged."""
    mask = np.zeros((a.size, a.size), np.float32)
    k = a.pixels_per_unit
    style = rng.integers(5)
    if style == 0:  # a head in profile: skull, nose, neck, hair
        side = rng.choice([-1, 1])
        for dx, dy, rx, ry in ((0, -0.1, 0.34, 0.42), (0.28, 0, 0.14, 0.1), (-0.08, 0.4, 0.2, 0.35),
                               (-0.2, -0.25, 0.25, 0.3), (0.12, 0.22, 0.18, 0.12)):
            center = a.pixel(side * (dx + rng.normal() * 0.03), dy + rng.normal() * 0.03)
            axes = (max(1, int(rx * k)), max(1, int(ry * k)))
            layer = np.zeros_like(mask)
            cv2.ellipse(layer, center, axes, rng.uniform(-20, 20), 0, 360, 1, -1, cv2.LINE_AA)
            mask += layer * rng.uniform(0.4, 1)
    elif style == 1:
        mask += text_mask(a, letters(rng, int(rng.integers(1, 4))), rng, rng.uniform(0.6, 1.0))
    elif style == 2:  # leaves about the centre
        for turn in np.linspace(0, 360, int(rng.integers(3, 9)), endpoint=False):
            angle = np.radians(turn)
            center = a.pixel(0.4 * np.cos(angle), 0.4 * np.sin(angle))
            axes = (int(0.3 * k), int(0.1 * k) + 1)
            cv2.ellipse(mask, center, axes, turn, 0, 360, 1, -1, cv2.LINE_AA)
    else:
        for _ in range(rng.integers(2, 8)):
            center = a.pixel(*rng.normal(0, 0.28, 2))
            axes = tuple(int(v * k) + 1 for v in rng.uniform(0.05, 0.35, 2))
            cv2.ellipse(mask, center, axes, rng.uniform(0, 180), 0, 360, rng.uniform(0.4, 1),
                        -1 if rng.random() < 0.6 else 2, cv2.LINE_AA)
    if rng.random() < 0.6:  # a legend along the rim
        count = int(rng.integers(10, 30))
        start, span = rng.uniform(0, 6.28), rng.uniform(2.5, 6.28)
        for t in np.linspace(start, start + span, count):
            p = a.pixel(0.78 * np.cos(t), 0.78 * np.sin(t))
            cv2.circle(mask, p, max(1, int(0.05 * k)), rng.uniform(0.3, 1), -1, cv2.LINE_AA)
    return cv2.GaussianBlur(mask, (0, 0), max(0.5, a.size / 120))


class Coin(Kind):
    """Modern and ancient coins and tokens."""

    body = FLAT

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.material = metallic(rng) if rng.random() < 0.6 else random_material(rng, 0.4)
        self.ancient = rng.random() < 0.4
        self.irregular = rng.uniform(0.01, 0.06) if self.ancient else 0
        self.metals = [colours.metal(rng) for _ in range(int(rng.choice([1, 1, 2, 4])))]
        self.rim = rng.uniform(0.04, 0.14)
        self.depth = rng.uniform(0.02, 0.11)
        self.wear = rng.uniform(0, 0.35)
        self.two_metals = rng.random() < 0.2
        self.hole = rng.uniform(0.12, 0.25) if rng.random() < 0.12 else 0
        self.corners = int(rng.integers(7, 13)) if rng.random() < 0.08 else 0
        self.height = rng.uniform(0.08, 0.25)

    def draw(self, a, rng, light):
        if self.ancient:
            waves = [(int(rng.integers(2, 7)), self.irregular * rng.random(), rng.uniform(0, 6))
                     for _ in range(3)]
            d = wavy(a, 0.96 - 2 * self.irregular, waves)
        elif self.corners:
            d = polygon(a, 0.97, self.corners)
        else:
            d = ellipse(a, 0.97, 0.97)
        metal = self.metals[rng.integers(len(self.metals))] * rng.uniform(0.8, 1.15)
        texture = self.texture(a, rng)
        face = relief(a, rng)
        height = self.depth * (face + 0.3 * texture * self.wear)
        height = np.where(d < -self.rim, height, self.depth if not self.ancient else height * 0.5)
        height = height + dome(d, 0.06 if not self.ancient else 0.2)
        albedo = grained(metal, texture, self.grain + self.wear * 0.4)
        albedo = albedo * (1 - self.wear * 0.9 * np.clip(0.5 - face, 0, 0.5))[..., None]
        if self.two_metals:
            ring = (d > -0.28)[..., None]
            albedo = np.where(ring, albedo, grained(metal * [1.3, 1.1, 0.9], texture, 0.05))
            height = height + 0.03 * (np.abs(d + 0.28) < 0.02)
        alpha = coverage(d, a)
        if self.hole:
            alpha = alpha * (1 - coverage(ellipse(a, self.hole, self.hole), a))
        colour = lit(a, height, albedo, self.material, light)
        return sprite(colour, alpha, walls=prism(self.height, metal * 0.7))
