"""What a kind of thing is: how its specimens look, and which body carries the look."""

import copy
from dataclasses import dataclass, field

import numpy as np

from ..noise import NoiseBank
from ..shading import random_material
from ..shapes import Area

FLAT, ROUND, UPRIGHT = "flat", "round", "upright"


@dataclass
class Ring:
    """A slice of a body with walls: its height, its size against the outline, its colour."""

    height: float
    scale: float
    colour: np.ndarray


@dataclass
class Sprite:
    """One specimen, seen from where its body says: premultiplied BGRA, 8 bit, square.

    FLAT bodies are seen from above and lie at the top of `walls` (if any); ROUND ones look alike
    from all sides but are `thickness` as high as wide; UPRIGHT ones face the camera.
    """

    image: np.ndarray
    walls: list[Ring] = field(default_factory=list)
    # Darkening of the wall around the outline, a row of 64 values over the full turn.
    flutes: np.ndarray | None = None


class Kind:
    """One kind in one scene. Subclasses draw its style once, in `__init__`.

    `colour_is_kind`: siblings differ by colour (sweets, pills) instead of a specimen's colour
    varying within the kind (cars, coins).
    """

    body = FLAT
    thickness = 0.5
    # Half extents of a specimen against the sprite's unit, for layouts to pack by.
    extent = (1.0, 1.0)
    colour_is_kind = False
    # Whether any rotation is natural. Otherwise specimens stand as they were drawn.
    free_rotation = True
    # This share in sight is as good as all: the rest is what neighbours in a stack always hide.
    seen_share = 1.0
    # How many specimens are drawn for a scene; 0: the usual number.
    specimens = 0

    def __init__(self, rng: np.random.Generator, noise: NoiseBank) -> None:
        self.noise = noise
        self.grain = rng.uniform(0, 0.12)
        self.material = random_material(rng)

    @property
    def family(self) -> str:
        return type(self).__name__

    def draw(self, a: Area, rng: np.random.Generator, light: np.ndarray) -> Sprite:
        raise NotImplementedError

    def recoloured(self, rng: np.random.Generator, others: list["Kind"]) -> "Kind":
        """A sibling: the same style in another colour, told from all of `others`."""
        sibling = copy.copy(self)
        sibling.recolour(rng, others)
        return sibling

    def recolour(self, rng: np.random.Generator, others: list["Kind"]) -> None:
        """Overridden where `colour_is_kind`."""

    def texture(self, a: Area, rng: np.random.Generator) -> np.ndarray:
        return self.noise.patch(rng, a.size)


def sprite(colour: np.ndarray, alpha: np.ndarray, **body) -> Sprite:
    """Packs straight colours and coverage."""
    image = np.empty((*alpha.shape, 4), np.uint8)
    image[..., :3] = np.clip(colour, 0, 255) * alpha[..., None]
    image[..., 3] = alpha * 255
    return Sprite(image, **body)


def prism(height: float, colour: np.ndarray, taper: float = 1.0) -> list[Ring]:
    """Walls straight up; `taper` is the size of the foot against the top's."""
    return [Ring(0, taper, colour * 0.55), Ring(height, 1.0, colour)]


