"""Themes out of doors seen from the side: fruit in trees, blossoms, shoals, flocks."""

import math

import numpy as np

from .. import foliage, grounds, layouts
from ..kinds.fish import Fish
from ..kinds.kernels import HangingFruit
from ..kinds.land import Bird, Blossom
from ..kinds.nature import Fruit
from ..layouts import Region
from ..plans import Plan
from .stage import Stage, askew


def orchard(stage: Stage, rng: np.random.Generator) -> Plan:
    """Fruit in a tree, hidden in part by leaves."""
    kind = (Fruit if rng.random() < 0.4 else HangingFruit)(rng, stage.noise)
    size = stage.sized(rng, 13, 75)
    count = int(min(120, rng.uniform(0.02, 0.25) * (stage.size / size) ** 2)) + 1
    half = stage.size / 2
    region = Region(-half, -half, half, half)
    apart = size * rng.choice([0.6, 0.85, 1.0])
    far = rng.choice([0.0, 0.15, 0.35])

    def hanging() -> float:
        return rng.uniform(0, 2 * math.pi)

    spots = (layouts.clusters if rng.random() < 0.6 else layouts.scatter)(
        rng, region, count, apart, hanging)
    upright = not kind.free_rotation
    for spot in spots:  # some hang farther off
        spot.scale = math.exp(-abs(rng.normal()) * far)
        spot.angle = rng.normal() * 0.35 if upright else spot.angle
    spots.sort(key=lambda spot: spot.scale)
    plant = stage.leaves.plant(rng)
    canvas = stage.leaves.ground(rng, stage.size, plant)
    hidden = rng.uniform(0, 2.2)
    reach = size * rng.uniform(0.5, 1.3)

    def cover(rng, painter) -> None:
        at = np.array([[spot.x + half, spot.y + half] for spot in spots])
        stage.leaves.cover(rng, painter.canvas, painter.ids, plant,
                          int(min(160, hidden * len(spots))), reach, at)
        if rng.random() < 0.3:
            foliage.branch(painter.canvas, rng, size * 0.12, painter.ids)

    return stage.scene([kind], size, "orchard", spots=spots, canvas=canvas, cover=cover,
                       in_order=True, turning="near" if upright else "free", shadowless=True,
                       quad=askew(rng, stage.size) if rng.random() < 0.3 else None,
                       spread=rng.uniform(0.05, 0.2))


def shoal(stage: Stage, rng: np.random.Generator) -> Plan:
    """Fish under water, all bound one way, near and far."""
    kinds = [Fish(rng, stage.noise) for _ in range(int(rng.choice([1, 1, 1, 2])))]
    size = stage.sized(rng, 22, 200)
    half = stage.size / 2
    count = int(math.exp(rng.uniform(0.7, math.log(120))))
    depth, wander = rng.choice([0.1, 0.4, 0.8]), rng.choice([0.08, 0.12, 0.3])
    if rng.random() < 0.45:  # so crowded that most hide a part of another
        kinds, depth = kinds[:1], rng.choice([0.05, 0.15, 0.3])
        size = stage.sized(rng, 45, 200)
        full = rng.uniform(0.6, 2.2) * stage.size ** 2 / (size * size * kinds[0].ry * 1.3)
        count = int(np.clip(full, 3, 120))
    spots = layouts.shoal(rng, Region(-half, -half, half, half), count, size,
                          rng.normal() * 0.25, depth, wander)
    canvas = (grounds.underwater if rng.random() < 0.85 else grounds.water)(rng, stage.size)
    return stage.scene(kinds, size, "shoal", spots=spots, turning="near", in_order=True,
                       heading=spots[0].angle if spots else 0.0, canvas=canvas,
                       shadowless=True, spread=0.08)


def meadow(stage: Stage, rng: np.random.Generator) -> Plan:
    """Blossoms among leaves or grass, some half hidden."""
    kind = Blossom(rng, stage.noise)
    size = stage.sized(rng, 14, 110)
    count = int(min(110, rng.uniform(0.03, 0.35) * (stage.size / size) ** 2)) + 1
    spots = stage.strewn(rng, size, count, rng.choice([0.7, 1.0]))
    plant = stage.leaves.plant(rng)
    half = stage.size / 2
    if rng.random() < 0.6:
        canvas = stage.leaves.ground(rng, stage.size, plant)
    else:
        canvas = grounds.grass(rng, stage.size)
    hidden = rng.uniform(0, 1.0)

    def cover(rng, painter) -> None:
        at = np.array([[spot.x + half, spot.y + half] for spot in spots])
        stage.leaves.cover(rng, painter.canvas, painter.ids, plant,
                           int(min(90, hidden * len(spots))), size * 0.8, at)

    return stage.scene([kind], size, "meadow", spots=spots, canvas=canvas, cover=cover,
                       spread=rng.uniform(0.03, 0.2))


def flock(stage: Stage, rng: np.random.Generator) -> Plan:
    """Birds against the sky or over water."""
    kind = Bird(rng, stage.noise)
    size = stage.sized(rng, 14, 90)
    half = stage.size / 2
    spots = layouts.shoal(rng, Region(-half, -half, half, half),
                          int(math.exp(rng.uniform(0.7, 4.9))), size, rng.normal() * 0.2,
                          rng.choice([0.05, 0.2, 0.5]))
    canvas = (foliage.sky if rng.random() < 0.8 else grounds.water)(rng, stage.size)
    return stage.scene([kind], size, "flock", spots=spots, canvas=canvas, turning="near",
                       in_order=True, shadowless=True, spread=0.08,
                       heading=spots[0].angle if spots else 0.0)
