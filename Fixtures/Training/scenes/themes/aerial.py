"""Themes seen from straight above: airfields, harbours, roads, pastures, groves, beaches."""

import math

import numpy as np

from .. import airports, grounds, layouts, places
from ..camera import Camera
from ..kinds.aerial import Aircraft, Animal, Boat, Person
from ..kinds.base import Kind
from ..kinds.closures import Parasol
from ..kinds.land import Bale, Chair, House, TreeCrown
from ..kinds.vehicles import Car, Truck
from ..layouts import Region, Spot
from ..plans import Plan
from .stage import Stage, apart


def apron(stage: Stage, rng: np.random.Generator) -> Plan:
    """Aircraft on an airfield from above, in rows, along a pier, or strewn."""
    kinds = [Aircraft(rng, stage.noise) for _ in range(int(rng.choice([1, 2, 3])))]
    size = stage.sized(rng, 11, 90)
    heading = rng.uniform(0, 6.28)
    turning = ("near", "near", "free")[rng.integers(3)]
    pitch = size * rng.uniform(0.98, 1.9)
    spots = []
    if rng.random() < 0.65:
        for _ in range(int(rng.integers(1, 5))):
            at = rng.uniform(-0.5, 0.5, 2) * stage.size
            along = heading + math.pi / 2 + rng.normal() * 0.1
            step = np.array([math.cos(along), math.sin(along)]) * pitch
            turn = heading + (math.pi if rng.random() < 0.4 else 0)
            for k in range(-int(rng.integers(0, 9)), int(rng.integers(1, 9))):
                p = at + k * step + rng.normal(size=2) * size * 0.05
                spots.append(Spot(*p, turn + rng.normal() * 0.05))
        turning = "near"
    spots += stage.strewn(rng, size, int(rng.integers(0, 25)), 1.0)
    spots = apart(spots, size * 0.97)
    factors = np.exp(-np.abs(rng.normal(size=len(kinds))) * 0.5)
    if rng.random() < 0.07:
        spots = []  # an airport without aircraft
    if rng.random() < 0.7:
        canvas = airports.airport(rng, stage.size, size)
    else:
        canvas = places.apron(rng, stage.size)
    return stage.scene(kinds, size, "apron", spots=spots, turning=turning, heading=heading,
                       canvas=canvas, spread=0.15, factors=factors)


def marina(stage: Stage, rng: np.random.Generator) -> Plan:
    """Boats along piers or on open water from above."""
    kinds = [Boat(rng, stage.noise) for _ in range(int(rng.choice([1, 2, 3])))]
    size = stage.sized(rng, 12, 90)
    if rng.random() < 0.4:
        return stage.scene(
            kinds, size, "open water", canvas=grounds.water(rng, stage.size), spread=0.3,
            spots=stage.strewn(rng, size, int(rng.integers(1, 40)), 1.0))
    canvas, piers, begin, end = places.harbour(rng, stage.size)
    if len(piers) > 1:  # two rows of boats fit between two piers
        size = min(size, 0.43 * float(np.diff(piers).min()))
    spots, breadth = [], max(kind.ry for kind in kinds) * size
    for y in piers:
        for side in (-1, 1):
            x = begin + rng.uniform(0.3, 1) * size
            while x < end - breadth / 2:
                if rng.random() < 0.8:
                    at = stage.middle(x, y + side * size * 0.56)
                    spots.append(Spot(*at, side * math.pi / 2 + rng.choice([0, math.pi])
                                      + rng.normal() * 0.03))
                x += breadth * rng.uniform(1.02, 1.4)
    return stage.scene(kinds, size, "marina", spots=spots[:layouts.LIMIT], canvas=canvas,
                       heading=math.pi / 2, turning="near", spread=0.08)


def parked(stage: Stage, rng: np.random.Generator) -> Plan:
    """Cars on lanes or in bays from above."""
    kinds: list[Kind] = [Car(rng, stage.noise)]
    if rng.random() < 0.25:
        kinds.append(Truck(rng, stage.noise))
    canvas, pitch, middles = places.road(rng, stage.size)
    breadth = kinds[0].ry
    size = pitch * rng.uniform(0.55, 0.8) / breadth
    heading = rng.choice([-1, 1]) * math.pi / 2
    spots = []
    for x in middles:
        y = -rng.uniform(0, size)
        while y < stage.size + size / 2:
            if rng.random() < 0.7:
                spots.append(Spot(*stage.middle(x + rng.normal() * pitch * 0.03, y),
                                  heading + rng.normal() * 0.02))
            y += size * rng.uniform(1.03, 1.5)
    plan = stage.scene(kinds, size, "parked", spots=spots, turning="near", heading=heading,
                       spread=0.05, canvas=canvas)
    if rng.random() < 0.5:
        tilt = rng.uniform(0.05, 0.5)
        camera = Camera(stage.size, tilt, stage.size * rng.uniform(2, 4))
        plan.camera, plan.canvas = camera, stage.seen_by(camera, canvas)
    return plan


def pasture(stage: Stage, rng: np.random.Generator) -> Plan:
    """Animals or people from above."""
    people = rng.random() < 0.4
    kinds = [(Person if people else Animal)(rng, stage.noise)]
    size = stage.sized(rng, 10, 70)
    makers = (places.concrete, grounds.soil, grounds.grass) if people else (
        grounds.grass, grounds.soil, grounds.grass, grounds.water)
    return stage.scene(kinds, size, "pasture", spread=0.15,
                       spots=stage.strewn(rng, size, int(rng.integers(1, 110)),
                                          rng.choice([0.7, 1.0])),
                       canvas=makers[rng.integers(len(makers))](rng, stage.size))


def rows(stage: Stage, rng: np.random.Generator, pitch: tuple[float, float]) -> list[Spot]:
    """Even rows at any angle, with gaps."""
    half, angle = stage.size * 0.75, rng.uniform(0, 3.14)
    c, s = math.cos(angle), math.sin(angle)
    spots = layouts.grid(rng, Region(-half, -half, half, half), pitch, rng.random() < 0.4, 0.0)
    for spot in spots:
        spot.x, spot.y = spot.x * c - spot.y * s, spot.x * s + spot.y * c
        spot.angle += angle
    return spots


def grove(stage: Stage, rng: np.random.Generator) -> Plan:
    """Trees, bales or houses from above, planted in rows or anywhere."""
    maker = (TreeCrown, TreeCrown, Bale, House)[rng.integers(4)]
    kind = maker(rng, stage.noise)
    size = stage.sized(rng, 12, 90)
    in_rows = rng.random() < 0.6
    if in_rows:
        gap = rng.uniform(1.02, 2.2)
        spots = rows(stage, rng, (size * gap, size * gap * rng.uniform(0.95, 1.8)))
    else:
        spots = stage.strewn(rng, size, int(rng.integers(2, 150)), rng.choice([0.75, 1.0, 1.4]))
    ground = (grounds.soil, grounds.grass, grounds.grass)[rng.integers(3)](rng, stage.size)
    return stage.scene([kind], size, "grove", spots=spots, canvas=ground,
                       turning="near" if in_rows else "free", spread=rng.uniform(0.03, 0.25),
                       heading=spots[0].angle if spots else 0.0)


def beach(stage: Stage, rng: np.random.Generator) -> Plan:
    """Parasols, tables or chairs from above, alone of their kind."""
    kind = (Parasol if rng.random() < 0.6 else Chair)(rng, stage.noise)
    size = stage.sized(rng, 14, 90)
    in_rows = rng.random() < 0.5
    if in_rows:
        spots = rows(stage, rng, (size * rng.uniform(1.05, 2), size * rng.uniform(1.1, 2.2)))
    else:
        spots = stage.strewn(rng, size, int(rng.integers(2, 70)), 1.0)
    makers = (grounds.soil, grounds.ripples, places.concrete, grounds.grass)
    return stage.scene([kind], size, "beach", spots=spots, spread=0.04,
                       turning="near" if in_rows else "free",
                       heading=spots[0].angle if spots else 0.0,
                       canvas=makers[rng.integers(4)](rng, stage.size))
