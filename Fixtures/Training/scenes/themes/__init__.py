"""Scenes with a theme: kinds in the places where they are met, among what is not counted there."""

import numpy as np

from ..plans import Plan
from . import aerial, lab, outdoors, stacked, tables
from .stage import Stage

__all__ = ["THEMES", "Stage", "random_theme"]

# How often each is drawn.
THEMES = {
    tables.table: 14, tables.newer: 14, tables.dice: 7, tables.bricks: 7, tables.crowd: 7,
    tables.plate: 6, tables.few: 6, tables.nothing: 7,
    outdoors.orchard: 9, outdoors.meadow: 3, outdoors.shoal: 6, outdoors.flock: 2,
    aerial.apron: 6, aerial.marina: 5, aerial.parked: 5, aerial.pasture: 4, aerial.grove: 5,
    aerial.beach: 2,
    lab.blood: 6, lab.nuclei: 7, lab.colonies: 5, lab.bubbles: 2,
    stacked.cartons: 9, stacked.sacks: 2, stacked.ends: 7, stacked.pavers: 3,
}
_SHARES = np.array(list(THEMES.values()), float)
_SHARES = _SHARES / _SHARES.sum()


def random_theme(stage: Stage, rng: np.random.Generator, name: str | None = None) -> Plan:
    """A plan of any theme, or of the one of this name."""
    makers = {maker.__name__: maker for maker in THEMES}
    maker = makers[name] if name else list(THEMES)[rng.choice(len(THEMES), p=_SHARES)]
    return maker(stage, rng)
