"""Light on a sprite: normals from a height field, diffuse and specular terms, reflections."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from .shapes import Area, coverage


@dataclass
class Material:
    """How a surface answers light. A kind has one; its specimens share it."""

    ambient: float = 0.5
    specular: float = 0.3
    shininess: float = 25.0
    # Metals and glazes mirror their surroundings: a small map looked up by the normal.
    mirror: float = 0.0
    surroundings: np.ndarray | None = field(default=None, repr=False)
    # Gummies and glass glow where light leaves them, opposite to where it comes from.
    translucency: float = 0.0


def random_material(rng: np.random.Generator, gloss: float | None = None) -> Material:
    """`gloss` 0...1: matt to shiny; random without it."""
    gloss = rng.choice([0.0, 0.15, 0.4, 0.7, 1.0]) if gloss is None else gloss
    return Material(
        ambient=rng.uniform(0.3, 0.75),
        specular=gloss * rng.uniform(0.4, 1.0),
        shininess=rng.uniform(6, 20) + 70 * gloss * rng.random(),
    )


def metallic(rng: np.random.Generator) -> Material:
    """Mirrors, softly or sharply."""
    grid = rng.uniform(0.35, 1.45, (6, 6)).astype(np.float32)
    return Material(
        ambient=rng.uniform(0.3, 0.7), specular=rng.uniform(0.2, 0.9),
        shininess=rng.uniform(8, 50), mirror=rng.uniform(0.3, 0.9),
        surroundings=cv2.resize(grid, (64, 64), interpolation=cv2.INTER_CUBIC),
    )


def dome(distance: np.ndarray, width: float, rise: float = 0.8) -> np.ndarray:
    """Height of a body that rises from its outline as a quarter circle `width` wide."""
    t = np.clip(-distance / width, 0, 1)
    return np.sqrt(np.maximum(1 - (1 - t) ** 2, 0)) * (width * rise)


def lit(
    a: Area, height: np.ndarray, albedo: np.ndarray, material: Material, light: np.ndarray
) -> np.ndarray:
    """Colours of a surface of `height` (units of the area) under a light from direction `light`."""
    height = cv2.GaussianBlur(height.astype(np.float32), (0, 0), max(0.6, a.size / 110))
    scale = a.pixels_per_unit / 8
    gx = cv2.Sobel(height, -1, 1, 0, ksize=3, scale=scale)
    gy = cv2.Sobel(height, -1, 0, 1, ksize=3, scale=scale)
    inverse = 1 / np.sqrt(gx * gx + gy * gy + 1)
    facing = np.maximum((light[2] - gx * light[0] - gy * light[1]) * inverse, 0)
    shade = material.ambient + (1 - material.ambient) * facing / max(light[2], 0.35)
    if material.mirror:
        column = np.clip(32 - gx * inverse * 31, 0, 63).astype(np.int32)
        row = np.clip(32 - gy * inverse * 31, 0, 63).astype(np.int32)
        shade = shade * (1 - material.mirror + material.mirror * material.surroundings[row, column])
    if material.translucency:
        away = np.maximum((gx * light[0] + gy * light[1]) * inverse, 0)
        shade = shade + material.translucency * away
    colour = albedo * shade[..., None]
    if material.specular > 0:
        half = light + np.array([0, 0, 1], np.float32)
        half = half / np.linalg.norm(half)
        glint = np.maximum((half[2] - gx * half[0] - gy * half[1]) * inverse, 0)
        colour += (255 * material.specular) * (glint ** material.shininess)[..., None]
    return colour


def grained(albedo: np.ndarray, noise: np.ndarray, strength: float) -> np.ndarray:
    """A colour (or an image of them) with a texture."""
    return np.asarray(albedo, np.float32) * (1 + strength * noise)[..., None]


def over(below: np.ndarray, above: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """`above` laid on `below`."""
    return below + (above - below) * alpha[..., None]


def painted(below: np.ndarray, above: np.ndarray, distance: np.ndarray, a: Area) -> np.ndarray:
    """`above` laid on `below` inside an outline."""
    return over(below, np.asarray(above, np.float32), coverage(distance, a))
