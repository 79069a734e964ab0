"""All kinds of things, by family, with how often each is drawn."""

import numpy as np

from ..noise import NoiseBank
from .bakery import Cookie, Doughnut, Roll, Sushi, Tart
from .base import FLAT, ROUND, UPRIGHT, Kind, Ring, Sprite
from .closures import Button, Cork, CrownCap, Cup, Parasol, Potted, Tyre
from .coins import Coin
from .cutouts import CutOut
from .hardware import Battery, Key, NutOrWasher, Paperclip, Screw, ToyBrick
from .kernels import CoffeeBean, DriedFruit, HangingFruit, Nut, Seed, Tuber
from .land import Blossom
from .nature import Bean, Egg, Fruit, Leaf, LogEnd, Shell, Stone
from .packaging import BookSpine, Bottle, Box, Can, Plate, StandingBottle
from .snacks import Dumpling, FilledRoll, Parcel, Slice
from .stacks import Paver
from .sweets import Bead, BlisterPocket, Capsule, Gummy, Lentil, Marshmallow, PatternedCandy, Tablet
from .vehicles import Car, Truck

__all__ = ["FAMILIES", "FLAT", "INDIVIDUAL", "ROUND", "UPRIGHT", "CutOut", "Kind", "Ring",
           "NEWER", "STRUCTURED", "Sprite", "random_kind"]

FAMILIES: dict[type[Kind], float] = {
    Coin: 5, Tablet: 4, Capsule: 3, Lentil: 4, PatternedCandy: 3, Gummy: 3, Bead: 2,
    Marshmallow: 1, BlisterPocket: 2, Tart: 5, Cookie: 6, Doughnut: 1.5, Roll: 2, Sushi: 1.5,
    Screw: 2, NutOrWasher: 2.5, Key: 1, Battery: 2.5, ToyBrick: 1.5, Paperclip: 0.7, Fruit: 3,
    Egg: 2.5, Bean: 3, Stone: 2.5, Shell: 1.5, Leaf: 1.5, LogEnd: 2, Bottle: 3.5,
    StandingBottle: 3, Can: 3, Box: 4, BookSpine: 2, Plate: 1.5, Car: 4, Truck: 1,
}
# Families whose specimens differ by themselves in colour and face. Whoever counts coins counts
# copper and silver ones, so that all of such a family in one scene are of one kind.
INDIVIDUAL = {
    "Coin", "Car", "Truck", "BookSpine", "Stone", "Shell", "LogEnd", "Leaf", "Egg", "Aircraft",
    "Animal", "BarEnd", "Blossom", "Boat", "Brick", "Button", "Container", "CrownCap", "Die",
    "House", "Nucleus", "Parasol", "Paver", "Person", "Polyhedron",
}

# Families of which a part, or what lies on one, looks like a thing by itself.
STRUCTURED = {
    "Cookie", "Tart", "Doughnut", "Sushi", "BlisterPocket", "Car", "Truck", "Bottle",
    "StandingBottle", "Can", "Box", "BookSpine", "Battery", "Screw", "Key", "Paperclip", "ToyBrick",
    "Plate", "Aircraft", "BarEnd", "BloodCell", "Boat", "Brick", "Carton", "Die", "Fish", "Person",
    "PipeEnd", "Polyhedron", "Sack", "Blossom", "Button", "Chair", "Container", "Cork", "CrownCap",
    "Cup", "DriedFruit", "Dumpling", "FilledRoll", "House", "Nut", "Parasol", "Parcel", "Paver",
    "Potted", "Slice", "Tyre",
}

# Families that came later; scenes with a theme take them.
NEWER: dict[type[Kind], float] = {
    CoffeeBean: 2, DriedFruit: 4, Nut: 3, Seed: 3, Tuber: 2, CrownCap: 3, Cork: 2, Button: 3,
    Tyre: 1.5, Cup: 3, Potted: 2, Parasol: 1, Dumpling: 3, FilledRoll: 3, Slice: 3, Parcel: 3,
    Paver: 2, Blossom: 1.5, HangingFruit: 1.5,
}


def random_kind(
    rng: np.random.Generator, noise: NoiseBank, cutouts: list[tuple[str, np.ndarray]],
    cutout_share: float, families: dict[type[Kind], float] = FAMILIES,
) -> Kind:
    """A kind of any of the families, or a cut-out."""
    if cutouts and rng.random() < cutout_share:
        name, image = cutouts[rng.integers(len(cutouts))]
        return CutOut(rng, noise, name, image)
    shares = np.array(list(families.values()))
    family = list(families)[rng.choice(len(families), p=shares / shares.sum())]
    return family(rng, noise)
