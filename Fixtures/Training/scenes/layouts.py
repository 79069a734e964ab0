"""Where things lie: positions on the table, in the order they are put there."""

import math
from dataclasses import dataclass

import numpy as np

LIMIT = 260  # things a scene


@dataclass
class Spot:
    """A place for one thing: world coordinates, heading, height it rests at, row it belongs to.

    `scale` is its size against the others', `kind` is set where the place says what goes there.
    """

    x: float
    y: float
    angle: float = 0.0
    z: float = 0.0
    row: int = 0
    scale: float = 1.0
    kind: int = -1


@dataclass
class Region:
    """The part of the table that is filled."""

    x0: float
    y0: float
    x1: float
    y1: float

    def holding(self, space: float) -> "Region":
        """A part of at most this area, about the centre."""
        k = math.sqrt(min(1.0, space / max(1.0, (self.x1 - self.x0) * (self.y1 - self.y0))))
        (cx, cy), w, h = self.center, (self.x1 - self.x0) / 2 * k, (self.y1 - self.y0) / 2 * k
        return Region(cx - w, cy - h, cx + w, cy + h)

    @property
    def center(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


def grid(rng, region: Region, pitch: tuple[float, float], staggered: bool,
         heading: float) -> list[Spot]:
    """Rows and columns, jittered, with gaps, slightly turned."""
    px, py = pitch
    py = py * (0.88 if staggered else 1)
    region = region.holding(LIMIT * px * py)
    jitter = rng.choice([0, 0.02, 0.05, 0.1]) * min(px, py)
    missing = rng.choice([0, 0, 0.04, 0.25])
    turn = rng.normal() * 0.06 if rng.random() < 0.6 else 0
    c, s = math.cos(turn), math.sin(turn)
    cx, cy = region.center
    spots = []
    for row, y in enumerate(np.arange(region.y0 + py / 2, region.y1, py)):
        shift = px / 2 if staggered and row % 2 else 0
        for x in np.arange(region.x0 + px / 2 + shift, region.x1, px):
            if rng.random() >= missing:
                dx, dy = x - cx + rng.normal() * jitter, y - cy + rng.normal() * jitter
                spots.append(Spot(cx + dx * c - dy * s, cy + dx * s + dy * c, heading + turn, 0,
                                  row))
    return spots[:LIMIT]


def scatter(rng, region: Region, count: int, apart: float, headings) -> list[Spot]:
    """Anywhere, centres at least `apart` from each other."""
    spots: list[Spot] = []
    taken = np.empty((0, 2))
    for _ in range(count * 6):
        if len(spots) >= min(count, LIMIT):
            break
        p = np.array([rng.uniform(region.x0, region.x1), rng.uniform(region.y0, region.y1)])
        if len(taken) and ((taken - p) ** 2).sum(1).min() < apart * apart:
            continue
        taken = np.vstack([taken, p])
        spots.append(Spot(*p, headings()))
    return spots


def heap(rng, region: Region, count: int, size: float, headings) -> list[Spot]:
    """Piled up: things rest on others, the later ones higher."""
    cx, cy = region.center
    cx, cy = cx + rng.normal() * size, cy + rng.normal() * size
    count = min(count, LIMIT)
    radius = size * math.sqrt(count) * rng.uniform(0.38, 0.62)
    spots = []
    for k in range(count):
        r, t = radius * math.sqrt(rng.random()), rng.uniform(0, 2 * math.pi)
        rise = size * 0.5 * (k / count) * max(0, 1 - r / radius)
        spots.append(Spot(cx + r * math.cos(t), cy + r * math.sin(t), headings(), rise))
    return spots


def chains(rng, region: Region, size: float, breadth: float, headings) -> list[Spot]:
    """Lines of things that touch, straight, bent and branching, as letters are laid of sweets."""
    spots: list[Spot] = []
    step = size * rng.uniform(0.88, 1.08) * max(breadth, 0.35)
    along = rng.random() < 0.5
    taken = np.empty((0, 2))
    for _ in range(int(rng.integers(1, 10))):
        x, y = rng.uniform(region.x0, region.x1), rng.uniform(region.y0, region.y1)
        angle, bend = rng.uniform(0, 2 * math.pi), rng.normal() * 0.25
        for _ in range(int(rng.integers(2, 13))):
            p = np.array([x, y])
            if len(taken) and ((taken - p) ** 2).sum(1).min() < (0.8 * step) ** 2:
                break
            taken = np.vstack([taken, p])
            spots.append(Spot(x, y, angle + math.pi / 2 if along else headings()))
            angle += bend + rng.normal() * 0.15
            if rng.random() < 0.1:
                angle += rng.choice([-1, 1]) * math.pi / 2
            x, y = x + step * math.cos(angle), y + step * math.sin(angle)
    return spots[:LIMIT]


def clusters(rng, region: Region, count: int, size: float, headings) -> list[Spot]:
    """A few groups of touching things with empty table between them."""
    spots: list[Spot] = []
    groups = int(rng.integers(2, 6))
    for _ in range(groups):
        cx, cy = rng.uniform(region.x0, region.x1), rng.uniform(region.y0, region.y1)
        n = max(1, count // groups)
        radius = size * math.sqrt(n) * 0.6
        part = Region(cx - radius, cy - radius, cx + radius, cy + radius)
        spots += scatter(rng, part, n, size * rng.uniform(0.8, 1.0), headings)
    return spots[:LIMIT]


def packed_ends(rng, x0: float, x1: float, floor: float, rows: int, pitch: float,
                slope: float) -> list[Spot]:
    """Round ends on one another, every row in the gaps of the one below, fewer by `slope`."""
    spots, shift = [], 0.0
    for row in range(rows):
        y = floor - pitch / 2 - row * pitch * 0.87
        inset = slope * row * pitch
        for x in np.arange(x0 + inset + shift + pitch / 2, x1 - inset, pitch):
            spots.append(Spot(x + rng.normal() * 0.02 * pitch, y + rng.normal() * 0.02 * pitch,
                              0, 0, row))
        shift = pitch / 2 - shift
    return spots[:LIMIT]


def shoal(rng, region: Region, count: int, size: float, heading: float,
          depth: float, wander: float = 0.12) -> list[Spot]:
    """One heading, loosely strewn about a few middles, the far ones smaller and first."""
    spots = []
    middles = [(rng.uniform(region.x0, region.x1), rng.uniform(region.y0, region.y1))
               for _ in range(int(rng.integers(1, 5)))]
    spread = size * math.sqrt(count) * rng.uniform(0.25, 0.8)
    everywhere = rng.random() < 0.4
    for scale in np.sort(np.exp(-np.abs(rng.normal(size=min(count, LIMIT))) * depth)):
        if everywhere:
            x, y = rng.uniform(region.x0, region.x1), rng.uniform(region.y0, region.y1)
        else:
            x, y = middles[rng.integers(len(middles))] + rng.normal(size=2) * [spread, spread * 0.6]
        spots.append(Spot(x, y, heading + rng.normal() * wander, 0, 0, float(scale)))
    return spots


def wall(rng, columns: int, rows: int, layers: int, plane: np.ndarray, toward: np.ndarray,
         half: tuple[float, float, float], bond: bool) -> list[Spot]:
    """Equal boxes in stacks of several heights; `plane` maps their own axes to the picture.

    From the back to the front, so that nearer ones may be painted over those behind.
    """
    w, d, h = (2 * v for v in half)
    heights = rng.integers(max(1, rows - 3), rows + 1, (layers, columns))
    if rng.random() < 0.4:
        heights[:] = rows
    gaps = np.cumsum(rng.choice([0, 0, 0, 0.06, 0.4], columns)) if rng.random() < 0.6 else (
        np.zeros(columns))
    cells = []
    for layer in range(layers):
        for column in range(columns):
            for row in range(heights[layer, column]):
                shift = 0.5 * (row % 2) if bond else 0
                at = np.array([(column + gaps[column] + shift) * w, layer * d, row * h])
                at[:2] += rng.normal(size=2) * [0.012 * w, 0.03 * d]
                cells.append((float(at @ toward), at @ plane.T, row))
    # Along the line of sight; what stands on something comes after it.
    cells.sort(key=lambda cell: cell[0])
    return [Spot(float(p[0]), float(p[1]), 0, 0, row) for _, p, row in cells[-LIMIT:]]
