"""Themes of the laboratory: smears, stained and glowing nuclei, dishes, bubbles."""

import math

import numpy as np

from .. import grounds
from ..kinds.base import Kind
from ..kinds.cells import BloodCell, Colony, Nucleus
from ..kinds.land import Bubble
from ..plans import Plan
from .stage import Stage


def blood(stage: Stage, rng: np.random.Generator) -> Plan:
    """A smear: red cells, and a few stained ones of another kind."""
    kinds: list[Kind] = [BloodCell(rng, stage.noise)]
    size = stage.sized(rng, 22, 105)
    count = int(min(220, rng.uniform(0.1, 1.1) * (stage.size / size) ** 2)) + 1
    spots = stage.strewn(rng, size, count, rng.choice([0.55, 0.8, 0.95]), 0.75)
    for spot in spots:
        spot.kind = 0
    if rng.random() < 0.5:
        white = Nucleus(rng, stage.noise)
        white.glow, white.lumps = False, 0.25
        kinds.append(white)
        for spot in spots[:int(rng.integers(1, 4))]:
            spot.kind = 1
    return stage.scene(kinds, size, "smear", spots=spots, shadowless=True,
                       factors=np.array([1, rng.uniform(0.8, 1.5)])[:len(kinds)],
                       canvas=grounds.bright_field(rng, stage.size), spread=rng.uniform(0, 0.12))


def nuclei(stage: Stage, rng: np.random.Generator) -> Plan:
    """Nuclei that glow on dark or are dyed on pale ground."""
    kind = Nucleus(rng, stage.noise)
    kind.glow = rng.random() < 0.6
    size = stage.sized(rng, 11, 85)
    count = int(min(230, rng.uniform(0.03, 0.7) * (stage.size / size) ** 2)) + 1
    if kind.glow:
        canvas = grounds.dark_field(rng, stage.size)
        if rng.random() < 0.35:
            kind.light = rng.uniform(25, 70)
    else:
        maker = grounds.stained if rng.random() < 0.6 else grounds.bright_field
        canvas = maker(rng, stage.size)
    return stage.scene([kind], size, "nuclei", shadowless=True, canvas=canvas,
                       spots=stage.strewn(rng, size, count, rng.choice([0.5, 0.8, 1.0]), 0.75),
                       spread=rng.uniform(0.05, 0.3))


def colonies(stage: Stage, rng: np.random.Generator) -> Plan:
    """Colonies in a dish."""
    kind = Colony(rng, stage.noise)
    size = stage.sized(rng, 7, 34)
    canvas, (x, y, radius) = grounds.dish(rng, stage.size)
    spots = stage.strewn(rng, size, int(math.exp(rng.uniform(0.7, 5.2))), 0.85, 0.6)
    if rng.random() < 0.3:  # hardly told from the agar
        agar = canvas[int(y), int(x)]
        kind.tone = np.minimum(agar * rng.uniform(1.1, 1.5) + rng.uniform(5, 30), 250)
    cx, cy = stage.middle(x, y)
    spots = [s for s in spots if math.hypot(s.x - cx, s.y - cy) < radius - size / 2]
    return stage.scene([kind], size, "dish", spots=spots, canvas=canvas,
                       shadowless=rng.random() < 0.6, spread=rng.uniform(0.05, 0.4))


def bubbles(stage: Stage, rng: np.random.Generator) -> Plan:
    """Bubbles or drops, of many sizes."""
    kind = Bubble(rng, stage.noise)
    size = stage.sized(rng, 10, 70)
    makers = (grounds.water, grounds.underwater, grounds.dark_field)
    return stage.scene([kind], size, "bubbles", shadowless=True, spread=rng.uniform(0.05, 0.5),
                       spots=stage.strewn(rng, size, int(rng.integers(3, 120)),
                                          rng.choice([0.8, 1.0])),
                       canvas=makers[rng.integers(3)](rng, stage.size))
