"""What is decided of an ordinary scene before anything is drawn: kinds, camera, layout, places."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from . import layouts
from .camera import Camera
from .kinds import FAMILIES, UPRIGHT, BlisterPocket, BookSpine, Bottle, Kind, random_kind
from .layouts import Region, Spot
from .noise import NoiseBank


@dataclass
class Plan:
    """All that is decided before anything is drawn."""

    camera: Camera
    kinds: list[Kind]
    factors: np.ndarray  # size of each kind against the scene's
    size: float
    layout: str
    heading: float
    turning: str  # "free", "same", "near"
    region: Region
    pitch: tuple[float, float] | None = None  # of a grid
    # The rest is for scenes with a theme; None or False: as in ordinary scenes.
    spots: list[Spot] | None = None
    canvas: np.ndarray | None = None
    cover: Callable | None = None  # lays what hides things over the painter's picture
    below: list = field(default_factory=list)  # (kind, spot, size) of what is no thing to count
    quad: np.ndarray | None = None  # the four corners of what is shown of the picture
    spread: float | None = None  # deviation of a specimen's size
    shadowless: bool = False
    in_order: bool = False  # the spots are from the back to the front


class Planner:
    """Plans ordinary scenes: any kinds, any layout, any table."""

    def __init__(self, size: int, noise: NoiseBank,
                 cutouts: list[tuple[str, np.ndarray]]) -> None:
        self.size, self.noise, self.cutouts = size, noise, cutouts

    def kinds(self, rng: np.random.Generator, families: dict) -> list[Kind]:
        share = 0.28 if families is FAMILIES else 0.03
        first = random_kind(rng, self.noise, self.cutouts, share, families)
        kinds = [first]
        choice = rng.random()
        if choice < 0.52:
            return kinds
        more = int(rng.integers(1, 5))
        for _ in range(more):
            if first.colour_is_kind and rng.random() < 0.75:
                kinds.append(first.recoloured(rng, [k for k in kinds if type(k) is type(first)]))
            elif rng.random() < 0.4:
                try:
                    kinds.append(type(first)(rng, self.noise))
                except TypeError:  # another cut-out
                    kinds.append(random_kind(rng, self.noise, self.cutouts, 1.0))
            else:
                kinds.append(random_kind(rng, self.noise, self.cutouts, share, families))
        return kinds

    def plan(self, rng: np.random.Generator, families: dict = FAMILIES) -> Plan:
        """An ordinary scene with kinds of these families, or cut-outs."""
        kinds = self.kinds(rng, families)
        upright = any(kind.body == UPRIGHT for kind in kinds)
        choice = rng.random()
        if upright:
            tilt = 0.0 if choice < 0.6 else rng.uniform(0.6, 1.1)
        elif choice < 0.38:
            tilt = abs(rng.normal() * 0.08)
        elif choice < 0.75:
            tilt = rng.uniform(0.1, 0.65)
        else:
            tilt = rng.uniform(0.65, 1.12)
        distance = self.size * math.exp(rng.uniform(math.log(1.3), math.log(4)))
        roll = rng.normal() * 0.12 if rng.random() < 0.5 else 0.0
        camera = Camera(self.size, tilt, distance, roll)
        names = ("grid", "staggered", "rows", "scatter", "loose", "heap", "chains", "clusters")
        shares = np.array([0.2, 0.14, 0.06, 0.17, 0.1, 0.12, 0.13, 0.08])
        first = kinds[0]
        if isinstance(first, BookSpine) or (upright and tilt == 0 and rng.random() < 0.5):
            layout = "shelf"
        elif isinstance(first, (BlisterPocket, Bottle)) and rng.random() < 0.75:
            layout = ("grid", "grid", "staggered")[rng.integers(3)]
        else:
            layout = names[rng.choice(len(names), p=shares)]
        low, high = {"chains": (14, 62), "loose": (24, 190), "heap": (18, 110),
                     "shelf": (60, 260)}.get(layout, (16, 140))
        # Sizes are for a picture of 448 pixels; larger pictures show the same, sharper.
        size = math.exp(rng.uniform(math.log(low), math.log(high))) * self.size / 448
        if not first.free_rotation:
            turning = "same" if rng.random() < 0.8 else "near"
            heading = 0.0
        else:
            turning = ("free", "free", "same", "near")[rng.integers(4)]
            heading = rng.uniform(0, 6.28) if rng.random() < 0.5 else rng.choice([0, math.pi / 2])
        if layout == "rows":
            turning = "same"
        factors = np.exp(rng.normal(size=len(kinds)) * rng.choice([0, 0.1, 0.35]))
        return Plan(camera, kinds, factors, size, layout, heading, turning,
                    self._region(camera, rng))

    def _region(self, camera: Camera, rng: np.random.Generator) -> Region:
        far, near = camera.visible_y()
        far = max(far, -3.0 * self.size)
        wide = rng.random() < 0.45  # goes on beyond the picture
        a, b, c, d = rng.uniform(0.9, 1.25, 4) if wide else rng.uniform(0.45, 0.95, 4)
        half = self.size / 2
        return Region(-half * a, far * b, half * c, near * d)

    def _headings(self, plan: Plan, rng: np.random.Generator):
        def heading() -> float:
            if plan.turning == "free":
                return rng.uniform(0, 2 * math.pi)
            return plan.heading + (rng.normal() * 0.12 if plan.turning == "near" else 0)
        return heading

    def spots(self, plan: Plan, rng: np.random.Generator) -> list[Spot]:
        heading = self._headings(plan, rng)
        size, region = plan.size * float(plan.factors.max()), plan.region
        extent = np.max([kind.extent for kind in plan.kinds], 0)
        count = int(math.exp(rng.uniform(math.log(4), math.log(170))))
        if plan.layout in ("grid", "staggered", "rows"):
            c, s = abs(math.cos(plan.heading)), abs(math.sin(plan.heading))
            if plan.turning == "free":
                breadth = depth = float(extent.max())
            else:
                breadth = math.hypot(extent[0] * c, extent[1] * s)
                depth = math.hypot(extent[0] * s, extent[1] * c)
                if 0.1 < s < 0.99:  # headings aslant need the room of a rectangle
                    breadth, depth = extent[0] * c + extent[1] * s, extent[0] * s + extent[1] * c
            gap = rng.choice([1.0, 1.04, 1.12, 1.35, 1.9])
            px, py = size * breadth * gap, size * depth * gap * rng.choice([1, 1, 1.15])
            if plan.kinds[0].body == UPRIGHT and plan.camera.sine < 0.3:
                py *= 1.02
            if plan.layout == "rows":
                px, py = (px, py * rng.uniform(1.2, 2.5)) if rng.random() < 0.6 else (
                    px * rng.uniform(1.2, 2.5), py)
            plan.pitch = (px, py)
            spots = layouts.grid(rng, region, (px, py), plan.layout == "staggered", plan.heading)
            if plan.turning == "free":
                for spot in spots:
                    spot.angle = rng.uniform(0, 2 * math.pi)
            return spots
        if plan.layout == "shelf":
            return self._shelf(plan, rng, size, extent)
        if plan.layout == "heap":
            return layouts.heap(rng, region, count, size * math.sqrt(float(extent.min())), heading)
        if plan.layout == "chains":
            breadth = float(extent.min()) if plan.turning != "free" else float(extent.mean())
            return layouts.chains(rng, region, size, breadth, heading)
        if plan.layout == "clusters":
            return layouts.clusters(rng, region, count, size * math.sqrt(float(extent.min())),
                                    heading)
        if plan.layout == "loose":
            count = int(rng.integers(1, 14))
        apart = size * float(extent.mean()) * rng.choice([0.55, 0.85, 1.0, 1.3])
        return layouts.scatter(rng, region, count, apart, heading)

    def _shelf(self, plan: Plan, rng: np.random.Generator, size: float, extent) -> list[Spot]:
        """Rows from the front, things standing shoulder to shoulder."""
        region, spots = plan.region, []
        gap = rng.choice([1.0, 1.03, 1.15])
        pitch = size * extent[1] * rng.uniform(1.04, 1.5)
        for row, y in enumerate(np.arange(region.y0 + pitch / 2, region.y1, pitch)):
            x = region.x0
            while x < region.x1 and len(spots) < layouts.LIMIT:
                lean = rng.normal() * 0.03 if rng.random() < 0.15 else 0
                spots.append(Spot(x, y, lean, 0, row))
                x += size * extent[0] * gap * (1 if rng.random() < 0.97 else 1.8)
        return spots

    def assign(self, plan: Plan, spots: list[Spot], rng: np.random.Generator) -> np.ndarray:
        """Which kind goes where: mixed, by rows, by halves."""
        count = len(plan.kinds)
        if plan.spots is not None and any(spot.kind >= 0 for spot in spots):
            return np.array([max(0, spot.kind) for spot in spots], np.int64)
        if count <= 1:
            return np.zeros(len(spots), np.int64)
        if rng.random() < 0.25:
            return np.array([spot.row % count for spot in spots], np.int64)
        shares = rng.dirichlet(np.full(count, 2.0))
        return rng.choice(count, len(spots), p=shares)
