"""Themes on tables and floors: dice, toy bricks, crowds of seeds, plates; few things or none."""

import math

import cv2
import numpy as np

from .. import colours, grounds, layouts, places
from ..backgrounds import add_tray
from ..camera import Camera
from ..kinds import NEWER
from ..kinds.bakery import Cookie, Roll, Sushi, Tart
from ..kinds.base import Kind
from ..kinds.games import Brick, Die, Polyhedron
from ..kinds.kernels import CoffeeBean, DriedFruit, Nut, Seed
from ..kinds.nature import Bean
from ..kinds.packaging import Plate
from ..kinds.snacks import Dumpling, FilledRoll, Parcel, Slice
from ..layouts import Region, Spot
from ..plans import Plan
from .stage import Stage


def table(stage: Stage, rng: np.random.Generator) -> Plan:
    """Ordinary things on a ground full of what is none."""
    plan = stage.planner.plan(rng)
    plan.canvas = stage.laid(rng, plan.camera, stage.ground(rng))
    plan.cover = hand if rng.random() < 0.06 else None
    return plan


def newer(stage: Stage, rng: np.random.Generator) -> Plan:
    """Nuts, caps, cups, snacks and the like, laid out as ordinary things are."""
    plan = stage.planner.plan(rng, NEWER)
    if rng.random() < 0.6:
        plan.canvas = stage.plain(rng, plan.camera)
    plan.cover = hand if rng.random() < 0.06 else None
    return plan


def hand(rng: np.random.Generator, painter) -> None:
    """A hand that reaches in from an edge and hides what is below."""
    size = painter.canvas.shape[0]
    tone = np.array([rng.uniform(60, 190), rng.uniform(90, 200), rng.uniform(120, 235)])
    angle, wide = rng.uniform(0, 6.28), size * rng.uniform(0.07, 0.14)
    way = np.array([math.cos(angle), math.sin(angle)])
    palm = size / 2 - way * size * rng.uniform(0.2, 0.4)
    strokes = [(palm - way * size, palm, wide), (palm, palm + way * wide * 0.35, wide * 1.25)]
    for k in range(4):
        turn = angle + (k - 1.5) * 0.28 + rng.normal() * 0.05
        finger = np.array([math.cos(turn), math.sin(turn)]) * wide * rng.uniform(1.5, 2.1)
        root = palm + np.array([-way[1], way[0]]) * (k - 1.5) * wide * 0.34
        strokes.append((root, root + finger, wide * 0.34))
    for dark in (0.62, 1.0):
        for a, b, w in strokes:
            ends = tuple(int(v) for v in a), tuple(int(v) for v in b)
            thick = max(1, int(w * (1 if dark < 1 else 0.86)))
            cv2.line(painter.canvas, *ends, colours.scalar(tone * dark), thick, cv2.LINE_AA)
            cv2.line(painter.ids, *ends, 0, thick)


def dice(stage: Stage, rng: np.random.Generator) -> Plan:
    """Dice thrown on a table or into a tray."""
    maker = Polyhedron if rng.random() < 0.15 else Die
    return thrown(stage, rng, [maker(rng, stage.noise)], stage.sized(rng, 17, 110), 0.85)


def bricks(stage: Stage, rng: np.random.Generator) -> Plan:
    """Toy bricks strewn on a floor or table."""
    return thrown(stage, rng, [Brick(rng, stage.noise)], stage.sized(rng, 18, 150), 0.75)


def thrown(stage: Stage, rng: np.random.Generator, kinds: list[Kind], size: float,
           apart: float) -> Plan:
    """Solids as they fell."""
    camera = stage.slanted(rng)
    for kind in kinds:
        kind.slant = camera.tilt
    count = int(math.exp(rng.uniform(0, math.log(60))))
    spots = stage.strewn(rng, size, count, apart)
    for spot in spots:  # they are drawn turned
        spot.angle = 0.0
    if rng.random() < 0.07:
        spots = layouts.heap(rng, Region(-1, -1, 1, 1), count, size * 0.8, lambda: 0.0)
    canvas = stage.plain(rng, camera)
    if rng.random() < 0.25:
        half = stage.size * rng.uniform(0.2, 0.4)
        add_tray(canvas, rng, camera, Region(-half * 1.2, -half, half * 1.2, half), None)
    return stage.scene(kinds, size, "thrown", camera=camera, spots=spots, turning="same",
                       canvas=canvas, spread=rng.choice([0, 0, 0.1]),
                       cover=hand if rng.random() < 0.04 else None)


def crowd(stage: Stage, rng: np.random.Generator) -> Plan:
    """Seeds, beans, grains, small and many, touching, on a plain ground."""
    makers = (Bean, CoffeeBean, CoffeeBean, Seed, Seed, Nut, DriedFruit)
    kinds = [makers[rng.integers(7)](rng, stage.noise)]
    if rng.random() < 0.3:
        kinds += [makers[rng.integers(7)](rng, stage.noise) for _ in range(rng.integers(1, 4))]
    kind, size = kinds[0], stage.sized(rng, 10, 60)
    count = int(math.exp(rng.uniform(math.log(15), math.log(240))))
    spots = stage.strewn(rng, size * kind.extent[1], count, rng.choice([0.9, 1.1, 1.5]))
    camera = Camera(stage.size, abs(rng.normal() * 0.15), 4.0 * stage.size)
    return stage.scene(kinds, size, "crowd", camera=camera, spots=spots,
                       canvas=stage.plain(rng, camera), spread=rng.uniform(0.02, 0.15))


def few(stage: Stage, rng: np.random.Generator) -> Plan:
    """One to four large things of any kind."""
    plan = stage.planner.plan(rng)
    plan.layout, plan.pitch = "few", None
    plan.kinds, plan.factors = plan.kinds[:2], np.ones(len(plan.kinds[:2]))
    size = stage.sized(rng, 110, 270)
    plan.size = size
    half = stage.size * 0.3
    plan.spots = layouts.scatter(rng, Region(-half, -half, half, half),
                                 int(rng.integers(1, 5)), size * 0.8,
                                 lambda: plan.heading if plan.turning != "free"
                                 else rng.uniform(0, 6.28))
    if rng.random() < 0.6:
        plan.canvas = stage.laid(rng, plan.camera, stage.ground(rng))
    return plan


def nothing(stage: Stage, rng: np.random.Generator) -> Plan:
    """No thing at all: only ground."""
    choice = rng.integers(8)
    if choice == 0:
        canvas = stage.leaves.ground(rng, stage.size, stage.leaves.plant(rng))
    elif choice == 1:
        makers = (grounds.bright_field, grounds.dark_field, grounds.stained,
                  grounds.underwater)
        canvas = makers[rng.integers(4)](rng, stage.size)
    elif choice == 2:
        makers = (places.apron, places.yard, places.store)
        canvas = makers[rng.integers(3)](rng, stage.size)
    elif choice == 3:
        canvas = places.road(rng, stage.size)[0]
    elif choice == 4:
        canvas = stage.backgrounds.texture(rng)
        canvas = stage.laid(rng, Camera(stage.size, 0.0, stage.size * 4.0), canvas)
    else:
        camera = stage.slanted(rng)
        canvas = stage.laid(rng, camera, stage.ground(rng))
    if rng.random() < 0.3:
        stage.litter(rng, canvas)
    return stage.scene([], 10.0, "nothing", spots=[], canvas=canvas)


def plate(stage: Stage, rng: np.random.Generator) -> Plan:
    """Food on a plate; the plate is no thing to count."""
    makers = (Dumpling, FilledRoll, Parcel, Slice, Roll, Tart, Sushi, Cookie)
    kinds = [makers[rng.integers(8)](rng, stage.noise)
             for _ in range(int(rng.choice([1, 1, 1, 2])))]
    camera = stage.slanted(rng)
    dish = stage.size * rng.uniform(0.55, 0.95)
    count = int(rng.integers(1, 15))
    size = dish * rng.uniform(0.5, 0.85) / math.sqrt(count + 1)
    kind = kinds[0]
    breadth = math.sqrt(kind.extent[0] * kind.extent[1])
    beside = rng.random() < 0.4 and kind.extent[1] < 0.6
    heading = rng.uniform(0, 6.28)
    if beside:  # side by side, as rolls are laid
        step = np.array([-math.sin(heading), math.cos(heading)]) * size * kind.extent[1] * 1.02
        spots = [Spot(*(step * (k - (min(count, 6) - 1) / 2)), heading + rng.normal() * 0.06)
                 for k in range(min(count, 6))]
    else:
        room = dish * 0.3
        spots = layouts.scatter(rng, Region(-room, -room, room, room), count,
                                size * breadth * rng.choice([0.6, 0.85, 1.0]),
                                lambda: rng.uniform(0, 6.28))
    canvas = stage.laid(rng, camera, stage.ground(rng))
    below = [(Plate(rng, stage.noise), Spot(0, 0, rng.uniform(0, 6.28)), dish)]
    return stage.scene(kinds, size, "plate", camera=camera, spots=spots, canvas=canvas,
                       turning="near" if beside else "free", heading=heading, below=below,
                       spread=0.05)
