"""One scene: kinds, a camera, a layout, a table; everything drawn from (seed, index)."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from . import backgrounds, colours, photo
from .foliage import Foliage
from .kinds import INDIVIDUAL, Kind
from .layouts import Spot
from .noise import NoiseBank
from .painter import Body, Model, Painter, Shadow
from .plans import Plan, Planner
from .shapes import area
from .sources import load
from .themes import Stage, random_theme

# Raised whenever the same seed and index would give another picture.
VERSION = 9

# The share of scenes with a theme; the others are ordinary.
THEMED = 0.6

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
        self.planner = Planner(size, self.noise, self.cutouts)
        self.stage = Stage(self.planner, self.backgrounds, Foliage(0 if split == "train" else 1))
        self.only_theme: str | None = None  # to look at one

    def scene(self, seed: int, index: int) -> Scene:
        """The scene of this seed and index."""
        rng = np.random.default_rng([seed, index, 0 if self.split == "train" else 1])
        cv2.setRNGSeed(0)
        if rng.random() < THEMED or self.only_theme:
            return self._shown(random_theme(self.stage, rng, self.only_theme), rng)
        return self._shown(self.planner.plan(rng), rng)

    def _shown(self, plan: Plan, rng: np.random.Generator) -> Scene:
        """A plan carried out."""
        spots = self.planner.spots(plan, rng) if plan.spots is None else plan.spots
        which = self.planner.assign(plan, spots, rng)
        canvas = self._table(plan, spots, rng) if plan.canvas is None else plan.canvas
        painter, order = self._paint(plan, spots, which, canvas, rng)
        if plan.cover is not None:
            plan.cover(rng, painter)
        if plan.quad is not None:
            painter.look_at(plan.quad)
        families = [kind.family for kind in plan.kinds]
        instances = []
        for number, kind in order:
            box, share = painter.visible(number)
            share = min(1.0, share / plan.kinds[kind].seen_share)
            if box is not None:
                if families[kind] in INDIVIDUAL:
                    kind = families.index(families[kind])
                instances.append(Instance(tuple(float(v) for v in box), share, kind))
        if plan.canvas is None and rng.random() < 0.1:
            self._captions(painter, instances, rng)
        image = photo.photographed(painter.canvas, rng)
        return Scene(photo.encoded(image, rng), instances, families, plan.layout)

    # How it looks.

    def _table(self, plan: Plan, spots: list[Spot], rng: np.random.Generator) -> np.ndarray:
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
        usual = 8 if not kind.colour_is_kind and side < 160 else 5
        for _ in range(kind.specimens if kind.specimens and side < 160 else usual):
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
        if rng.random() < 0.8 and not plan.shadowless:
            slope = min(1 / math.tan(height), 1.8)
            shadow = Shadow(rng.uniform(0.2, 0.75), rng.uniform(0.06, 0.5),
                            (-math.cos(azimuth) * slope, -math.sin(azimuth) * slope))
        painter = Painter(canvas, plan.camera, shadow)
        sizes = plan.size * plan.factors
        models = [self._models(plan, kind, size, light, rng)
                  for kind, size in zip(plan.kinds, sizes, strict=True)]
        bodies = [Body(kind.body, kind.thickness, kind.extent) for kind in plan.kinds]
        spread = rng.choice([0, 0.03, 0.1, 0.2]) if plan.spread is None else plan.spread
        brightness, tint = rng.choice([0.02, 0.07, 0.15]), rng.choice([0, 0.02, 0.05])
        # Far things are hidden by near ones; in heaps the later ones lie on the earlier.
        as_laid = plan.in_order or plan.layout == "heap" and plan.camera.sine < 0.6
        order = range(len(spots)) if as_laid else sorted(
            range(len(spots)), key=lambda i: spots[i].y + 2 * spots[i].z)
        for kind, spot, size in plan.below:
            model = Model(kind.draw(area(256), rng, light), 0.0, light)
            painter.place(model, Body(kind.body, kind.thickness, kind.extent), spot, size,
                          np.ones(3, np.float32), 0)
        placed = []
        for i in order:
            spot, kind = spots[i], int(which[i])
            model = models[kind][rng.integers(len(models[kind]))]
            if plan.turning == "free" and plan.kinds[kind].free_rotation:
                spot.angle = model.angle + rng.normal() * 0.15
            tone = np.exp(rng.normal() * brightness) * (1 + rng.normal(size=3) * tint)
            number = len(placed) + 1
            size = sizes[kind] * spot.scale * math.exp(rng.normal() * spread)
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
