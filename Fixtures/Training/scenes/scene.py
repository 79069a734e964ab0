"""One scene: kinds, a camera, a layout, a table; everything drawn from (seed, index)."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from . import backgrounds, colours, layouts, photo
from .camera import Camera
from .kinds import INDIVIDUAL, UPRIGHT, BlisterPocket, BookSpine, Bottle, Kind, random_kind
from .layouts import Region, Spot
from .noise import NoiseBank
from .painter import Body, Model, Painter, Shadow
from .shapes import area
from .sources import load

# Raised whenever the same seed and index would give another picture.
VERSION = 6

# Less than this share of an instance in sight: it is there, but is not counted.
COUNTED_SHARE = 0.35


@dataclass(frozen=True)
class Instance:
    """One thing: `x0, y0, x1, y1` of what is seen of it, how much of it that is, its kind."""

    box: tuple[float, float, float, float]
    visible: float
    kind: int


@dataclass(frozen=True)
class Scene:
    """A picture (JPEG bytes, as a camera would store it), its things and the names of its kinds."""

    jpeg: bytes
    instances: list[Instance]
    kinds: list[str]
    layout: str

    @property
    def image(self) -> np.ndarray:
        """BGR, 8 bit."""
        return cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR)


@dataclass
class Plan:
    """What is decided before anything is drawn."""

    camera: Camera
    kinds: list[Kind]
    factors: np.ndarray  # size of each kind against the scene's
    size: float
    layout: str
    heading: float
    turning: str  # "free", "same", "near"
    region: Region
    pitch: tuple[float, float] | None = None  # of a grid


class Studio:
    """Renders scenes. Loading takes some seconds; a scene some hundredths."""

    def __init__(self, assets: str, split: str = "train", size: int = 448) -> None:
        """`split`: "train" or "held-out" (other cut-outs and photographs, other seeds)."""
        if split not in ("train", "held-out"):
            raise ValueError(f"no split {split!r}")
        self.split, self.size = split, size
        found = load(assets, split)
        self.cutouts = found.cutouts
        self.noise = NoiseBank(0 if split == "train" else 1)
        self.backgrounds = backgrounds.Backgrounds(
            found.backgrounds, self.noise, 0 if split == "train" else 1)

    def scene(self, seed: int, index: int) -> Scene:
        """The scene of this seed and index."""
        rng = np.random.default_rng([seed, index, 0 if self.split == "train" else 1])
        cv2.setRNGSeed(0)
        plan = self._plan(rng)
        spots = self._spots(plan, rng)
        which = self._assign(plan, spots, rng)
        canvas = self._table(plan, spots, which, rng)
        painter, order = self._paint(plan, spots, which, canvas, rng)
        families = [kind.family for kind in plan.kinds]
        instances = []
        for number, kind in order:
            box, share = painter.visible(number)
            if box is not None:
                if families[kind] in INDIVIDUAL:
                    kind = families.index(families[kind])
                instances.append(Instance(tuple(float(v) for v in box), share, kind))
        if rng.random() < 0.1:
            self._captions(painter, instances, rng)
        image = photo.photographed(painter.canvas, rng)
        return Scene(photo.encoded(image, rng), instances, families, plan.layout)

    # What is in the scene, and how it is seen.

    def _kinds(self, rng: np.random.Generator) -> list[Kind]:
        first = random_kind(rng, self.noise, self.cutouts, 0.28)
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
                kinds.append(random_kind(rng, self.noise, self.cutouts, 0.3))
        return kinds

    def _plan(self, rng: np.random.Generator) -> Plan:
        kinds = self._kinds(rng)
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

    # Where everything is.

    def _headings(self, plan: Plan, rng: np.random.Generator):
        def heading() -> float:
            if plan.turning == "free":
                return rng.uniform(0, 2 * math.pi)
            return plan.heading + (rng.normal() * 0.12 if plan.turning == "near" else 0)
        return heading

    def _spots(self, plan: Plan, rng: np.random.Generator) -> list[Spot]:
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

    def _assign(self, plan: Plan, spots: list[Spot], rng: np.random.Generator) -> np.ndarray:
        """Which kind goes where: mixed, by rows, by halves."""
        count = len(plan.kinds)
        if count == 1:
            return np.zeros(len(spots), np.int64)
        if rng.random() < 0.25:
            return np.array([spot.row % count for spot in spots], np.int64)
        shares = rng.dirichlet(np.full(count, 2.0))
        return rng.choice(count, len(spots), p=shares)

    # How it looks.

    def _table(self, plan: Plan, spots: list[Spot], which: np.ndarray,
               rng: np.random.Generator) -> np.ndarray:
        camera = plan.camera
        canvas = self.backgrounds.canvas(rng, camera)
        regular = plan.layout in ("grid", "staggered", "rows")
        if rng.random() < (0.4 if regular else 0.15):
            surface = None
            if rng.random() < 0.5:
                surface = self.backgrounds.on_table(rng, camera, self.backgrounds.texture(rng))
            backgrounds.add_tray(canvas, rng, camera, plan.region, surface)
        backgrounds.add_clutter(canvas, rng, self.noise)
        if regular and rng.random() < 0.3:
            self._cells(canvas, plan, spots, rng)
        return canvas

    def _cells(self, canvas: np.ndarray, plan: Plan, spots: list[Spot],
               rng: np.random.Generator) -> None:
        """A cup, pocket, bay or compartment under every thing."""
        extent = np.max([kind.extent for kind in plan.kinds], 0) * rng.uniform(1.0, 1.25)
        half = plan.size * float(plan.factors.max()) / 2
        power = rng.choice([2.0, 4.0, 12.0])
        dividers = plan.layout == "grid" and plan.pitch is not None and rng.random() < 0.5
        if dividers:  # walls between neighbours, as in a crate
            extent, power = np.array(plan.pitch) / (2 * half), 60.0
        angles = np.linspace(0, 2 * math.pi, 24, endpoint=False)
        c, s = np.cos(angles), np.sin(angles)
        ring = np.stack([np.sign(c) * np.abs(c) ** (2 / power) * extent[0],
                         np.sign(s) * np.abs(s) ** (2 / power) * extent[1]], 1) * half
        filled = rng.random() < 0.6
        tone = colours.anything(rng) * rng.uniform(0.2, 1)
        edge = tuple(float(v) for v in colours.anything(rng))
        width = int(rng.integers(1, 5) + 3 * dividers)
        for spot in spots:
            turn = spot.angle if plan.turning != "free" and not dividers else 0.0
            rc, rs = math.cos(turn), math.sin(turn)
            corners = ring @ np.array([[rc, rs], [-rs, rc]]) + [spot.x, spot.y]
            polygon = backgrounds.world_polygon(plan.camera, [tuple(p) for p in corners])
            if filled:
                cv2.fillPoly(canvas, polygon, tuple(float(v) for v in tone), cv2.LINE_AA, 4)
            cv2.polylines(canvas, polygon, True, edge, width, cv2.LINE_AA, 4)

    def _models(self, plan: Plan, kind: Kind, pixels: float, light: np.ndarray,
                rng: np.random.Generator) -> list[Model]:
        """A few specimens, each drawn under the light as it falls at its heading."""
        side = 64 if pixels < 34 else 96 if pixels < 80 else 160 if pixels < 200 else 256
        models = []
        for _ in range(8 if not kind.colour_is_kind and side < 160 else 5):
            if plan.turning == "free" and kind.free_rotation:
                angle = rng.uniform(0, 2 * math.pi)
            else:
                angle = plan.heading
            c, s = math.cos(angle), math.sin(angle)
            turned = np.array([light[0] * c + light[1] * s, light[1] * c - light[0] * s, light[2]],
                              np.float32)
            models.append(Model(kind.draw(area(side), rng, turned), angle, turned))
        return models

    def _paint(self, plan: Plan, spots: list[Spot], which: np.ndarray, canvas: np.ndarray,
               rng: np.random.Generator) -> tuple[Painter, list[tuple[int, int]]]:
        azimuth, height = rng.uniform(0, 2 * math.pi), rng.uniform(0.45, 1.4)
        light = np.array([math.cos(azimuth) * math.cos(height),
                          math.sin(azimuth) * math.cos(height), math.sin(height)], np.float32)
        shadow = None
        if rng.random() < 0.8:
            slope = min(1 / math.tan(height), 1.8)
            shadow = Shadow(rng.uniform(0.2, 0.75), rng.uniform(0.06, 0.5),
                            (-math.cos(azimuth) * slope, -math.sin(azimuth) * slope))
        painter = Painter(canvas, plan.camera, shadow)
        sizes = plan.size * plan.factors
        models = [self._models(plan, kind, size, light, rng)
                  for kind, size in zip(plan.kinds, sizes, strict=True)]
        bodies = [Body(kind.body, kind.thickness, kind.extent) for kind in plan.kinds]
        spread = rng.choice([0, 0.03, 0.1, 0.2])
        brightness, tint = rng.choice([0.02, 0.07, 0.15]), rng.choice([0, 0.02, 0.05])
        # Far things are hidden by near ones; in heaps the later ones lie on the earlier.
        order = range(len(spots)) if plan.layout == "heap" and plan.camera.sine < 0.6 else sorted(
            range(len(spots)), key=lambda i: spots[i].y + 2 * spots[i].z)
        placed = []
        for i in order:
            spot, kind = spots[i], int(which[i])
            model = models[kind][rng.integers(len(models[kind]))]
            if plan.turning == "free" and plan.kinds[kind].free_rotation:
                spot.angle = model.angle + rng.normal() * 0.15
            tone = np.exp(rng.normal() * brightness) * (1 + rng.normal(size=3) * tint)
            number = len(placed) + 1
            size = sizes[kind] * math.exp(rng.normal() * spread)
            if painter.place(model, bodies[kind], spot, size, tone.astype(np.float32), number):
                placed.append((number, kind))
        return painter, placed

    def _captions(self, painter: Painter, instances: list[Instance],
                  rng: np.random.Generator) -> None:
        """A caption below each thing, where there is room."""
        scale, colour = rng.uniform(0.25, 0.55), colours.anything(rng)
        for instance in instances:
            x, y = int(instance.box[0]), int(instance.box[3] + 9)
            if 0 <= x < self.size - 20 and 8 < y < self.size - 2:
                if not (painter.ids[y - 8:y + 2, x:x + 24] > 0).any():
                    text = "".join("(ivx)0123 abc"[rng.integers(13)] for _ in
                                   range(rng.integers(2, 7)))
                    backgrounds.add_text(painter.canvas, rng, (x, y), text, scale, colour)
