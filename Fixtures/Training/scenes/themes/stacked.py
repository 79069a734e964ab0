"""Themes of stacks seen from the front: cartons, containers, sacks, ends of pipes, pavers."""

import cv2
import numpy as np

from .. import colours, layouts, places
from ..kinds.closures import Tyre
from ..kinds.stacks import BarEnd, Carton, Container, Paver, PipeEnd, Sack
from ..layouts import Region, Spot
from ..plans import Plan
from .stage import Stage, askew


def _askew(stage: Stage, rng: np.random.Generator) -> np.ndarray | None:
    return askew(rng, stage.size) if rng.random() < 0.65 else None


def _behind(stage: Stage, rng: np.random.Generator) -> np.ndarray:
    """A store room, rarely a yard."""
    return (places.store if rng.random() < 0.75 else places.yard)(rng, stage.size)


def racks(rng: np.random.Generator, painter) -> None:
    """Uprights, beams, straps and film before a stack."""
    size = painter.canvas.shape[0]
    tone = colours.anything(rng)
    for _ in range(int(rng.integers(1, 4))):
        at, wide = int(rng.integers(0, size)), int(rng.uniform(2, 22) * size / 448)
        ends = ((at, 0), (at + wide, size)) if rng.random() < 0.5 else ((0, at), (size, at + wide))
        cv2.rectangle(painter.canvas, *ends, colours.scalar(tone * rng.uniform(0.6, 1)), -1)
        cv2.rectangle(painter.ids, *ends, 0, -1)
    if rng.random() < 0.4:  # film: streaks of light
        film = np.zeros((size, size), np.float32)
        for _ in range(int(rng.integers(5, 25))):
            ends = rng.integers(0, size, 4)
            cv2.line(film, (int(ends[0]), int(ends[1])), (int(ends[2]), int(ends[3])),
                     rng.uniform(0.1, 0.6), int(rng.integers(1, 6)), cv2.LINE_AA)
        film = cv2.blur(film, (5, 5))[..., None]
        painter.canvas += (235 - painter.canvas) * film


def cartons(stage: Stage, rng: np.random.Generator) -> Plan:
    """Boxes of board stacked in a store room."""
    kind = (Carton if rng.random() < 0.75 else Container)(rng, stage.noise)
    size = stage.sized(rng, 40, 230)
    half = tuple(v * size / 2 for v in kind.half)
    width, height = (2 * v * size / 2 for v in kind.extent)
    columns = int(np.clip(stage.size / width * rng.uniform(0.4, 1.5), 1, 14))
    rows = int(np.clip(stage.size / height * rng.uniform(0.4, 1.4), 1, 14))
    layers = int(rng.choice([1, 1, 2, 3])) if columns * rows < 80 else 1
    spots = layouts.wall(rng, columns, rows, layers, kind.plane, kind.toward, half,
                         rng.random() < 0.2)
    at = np.array([[spot.x, spot.y] for spot in spots])
    shift = rng.normal(size=2) * stage.size * 0.08 - (at.max(0) + at.min(0)) / 2
    for spot in spots:
        spot.x, spot.y = spot.x + shift[0], spot.y + shift[1]
    return stage.scene([kind], size, "wall", spots=spots, turning="same", in_order=True,
                       canvas=_behind(stage, rng), spread=0.0, shadowless=True,
                       quad=_askew(stage, rng), cover=racks if rng.random() < 0.35 else None)


def sacks(stage: Stage, rng: np.random.Generator) -> Plan:
    """Sacks on one another, every row in the gaps of the one below."""
    kind = Sack(rng, stage.noise)
    size = stage.sized(rng, 40, 190)
    px, py = size * kind.extent[0] * 0.97, size * kind.extent[1] * 0.9
    rows, columns = (int(rng.integers(2, 12)) for _ in range(2))
    floor = min(stage.size * 0.48, rows * py / 2 + stage.size * 0.1)
    spots = []
    for row in range(rows):
        inset = row // 2 * 0.5 * rng.integers(0, 2)
        for k in range(columns):
            if inset <= k <= columns - 1 - inset:
                x = (k - columns / 2 + 0.5 * (row % 2)) * px + rng.normal() * px * 0.03
                spots.append(Spot(x, floor - (row + 0.5) * py + rng.normal() * py * 0.04))
    return stage.scene([kind], size, "sacks", spots=spots, turning="near", in_order=True,
                       canvas=_behind(stage, rng), spread=0.02,
                       quad=_askew(stage, rng))


def ends(stage: Stage, rng: np.random.Generator) -> Plan:
    """Pipes, bars or logs in a pile, seen at their ends."""
    maker = (PipeEnd, PipeEnd, BarEnd, Tyre)[rng.integers(4)]
    kinds = [maker(rng, stage.noise)]
    size = stage.sized(rng, 17, 120)
    columns = int(np.clip(stage.size / size * rng.uniform(0.4, 1.3), 2, 26))
    rows = int(np.clip(stage.size / size * rng.uniform(0.3, 1.2), 1, 26))
    x0 = -columns * size / 2 + rng.normal() * size
    floor = min(stage.size * 0.5, rows * size * 0.44 + stage.size * rng.uniform(0, 0.15))
    square = kinds[0].extent[1] < 0.95 or not kinds[0].free_rotation
    if square:
        px, py = size * 0.98, size * kinds[0].extent[1] * 1.03
        spots = [Spot(x0 + (c + 0.5) * px, floor - (r + 0.5) * py, 0, 0, r)
                 for r in range(rows) for c in range(columns)][:layouts.LIMIT]
    else:
        spots = layouts.packed_ends(rng, x0, x0 + columns * size, floor, rows, size * 0.97,
                                    rng.choice([0.0, 0.0, 0.25, 0.5]))
    if rng.random() < 0.1:
        spots = [spot for spot in spots if rng.random() < 0.85]
    canvas = places.yard(rng, stage.size)
    places.tubes(canvas, rng, [stage.pixel(spot) for spot in spots], size)
    return stage.scene(kinds, size, "ends", spots=spots, canvas=canvas, shadowless=True,
                       turning="same" if square else "free", quad=_askew(stage, rng),
                       spread=rng.choice([0.01, 0.01, 0.03, 0.1]))


def pavers(stage: Stage, rng: np.random.Generator) -> Plan:
    """Bricks, tiles or slabs, laid as a wall or a pavement, joints between them."""
    kind = Paver(rng, stage.noise)
    size = stage.sized(rng, 30, 170)
    half = stage.size * rng.uniform(0.35, 0.6)
    joint = rng.uniform(1.0, 1.06)
    spots = layouts.grid(rng, Region(-half, -half, half, half),
                         (size * kind.extent[0] * joint, size * kind.extent[1] * joint),
                         False, 0.0)
    bond = rng.choice([0.0, 0.5, 0.33])
    for spot in spots:
        spot.x += bond * size * (spot.row % 2 if bond == 0.5 else spot.row % 3)
    canvas = places.concrete(rng, stage.size, 40, 200)
    return stage.scene([kind], size, "pavers", spots=spots, canvas=canvas, turning="near",
                       quad=_askew(stage, rng), spread=0.0, shadowless=rng.random() < 0.5)
