"""What is stacked: cartons seen at a slant, sacks, ends of pipes."""

import math

import cv2
import numpy as np

from .. import colours
from ..shading import dome, grained, lit, metallic, painted
from ..shapes import area, coverage, ellipse, rounded_box, superellipse, wavy
from .base import FLAT, Kind, sprite
from .packaging import printed
from .solids import Solid, View, box_faces, turn


class Carton(Solid):
    """Boxes of board as they stand in a wall or on a pallet; all face the same way."""

    body = FLAT

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        value = rng.uniform(110, 215)
        self.board = value * np.array([rng.uniform(0.5, 0.75), rng.uniform(0.7, 0.86), 1])
        if rng.random() < 0.25:
            self.board = colours.white(rng) if rng.random() < 0.5 else colours.anything(rng)
        w, h, d = rng.uniform(0.6, 1), rng.uniform(0.35, 1), rng.uniform(0.4, 1)
        self.yaw = rng.choice([0, rng.normal() * 0.3, rng.choice([-1, 1]) * rng.uniform(0.3, 0.8)])
        self.tilt = math.pi / 2 - abs(rng.normal()) * 0.15
        if rng.random() < 0.2:
            self.tilt = rng.uniform(0.8, 1.4)
        view = View(area(64), turn(self.yaw), self.tilt, 1.0)
        corners = np.array([[x * w, y * d, z * h] for x in (-1, 1) for y in (-1, 1)
                            for z in (-1, 1)])
        reach = np.abs(corners @ view.plane.T).max()
        self.half = tuple(np.array([w, d, h]) * (0.98 / reach))
        self.plane, self.toward = view.plane, view.toward
        # Neighbours hide the sides and the top of most: half of that is forgiven.
        shown = np.abs(view.toward) * [d * h, w * h, w * d]
        self.seen_share = float(0.5 + 0.5 * shown[1] / shown.sum())
        self.extent = tuple(np.abs(corners @ view.plane.T).max(0) * (0.98 / reach))
        self.tape = rng.random() < 0.6
        self.tape_tone = self.board * rng.uniform(0.7, 1.2) + rng.uniform(-10, 40)
        self.label = rng.random() < 0.7
        self.label_at = rng.uniform(0.05, 0.6, 2)
        self.label_size = rng.uniform(0.15, 0.4, 2)
        self.hole = rng.random() < 0.25
        self.busy = rng.choice([0, 0.4, 1.2])
        self.print_seed = int(rng.integers(1 << 30))
        self.signs = rng.random() < 0.5
        self.gap = rng.uniform(0.15, 0.7)
        self.ink = self.board * rng.uniform(0.15, 0.5)

    def side(self, normal, rng) -> np.ndarray:
        """A face's texture, 64 pixels; its rows run down."""
        n = 64
        face = grained(self.board, self.noise.patch(rng, n), 0.04)
        face = np.ascontiguousarray(face, np.float32)
        if abs(normal[2]) > 0.5:
            if self.tape:
                face[n // 2 - 4:n // 2 + 4] = self.tape_tone
            face[n // 2] *= 0.6
            return face
        if self.busy:
            face = printed(face, area(n), np.random.default_rng(self.print_seed), 0.9, 0.9,
                           self.busy)
        if self.tape:
            width = int(n * 0.09)
            face[:n // 5, n // 2 - width:n // 2 + width] = self.tape_tone
        if self.hole and normal[1] != 0:
            cv2.ellipse(face, (n // 2, n // 3), (n // 7, n // 14), 0, 0, 360, (25, 30, 35), -1,
                        cv2.LINE_AA)
        if self.signs:
            for k in range(3):
                at = int(n * (0.7 + 0.1 * k))
                cv2.rectangle(face, (at, int(n * 0.8)), (at + 4, int(n * 0.92)),
                              colours.scalar(self.ink), 1)
        if self.label and rng.random() < 0.9:
            x, y = (self.label_at * n + rng.normal(size=2) * 2).astype(int)
            w, h = (self.label_size * n).astype(int)
            cv2.rectangle(face, (int(x), int(y)), (int(x + w), int(y + h)), (238, 240, 240), -1)
            for row in range(int(y) + 2, int(y + h) - 1, 3):
                cv2.line(face, (int(x) + 2, row), (int(x + w * rng.uniform(0.4, 0.9)), row),
                         (60, 60, 60), 1)
        edge = 1 - self.gap * np.exp(-np.minimum(np.arange(n), np.arange(n)[::-1]) / 1.0)
        return face * edge[:, None, None] * edge[None, :, None]

    def draw(self, a, rng, light):
        view = View(a, turn(self.yaw), self.tilt, 1.0)
        h = np.array(self.half)
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * h
        colour, alpha = self.start(a, view.pixels(corners), self.board * 0.4, 0)
        # Lamps in a store room hang above and in front, whatever the scene's light says.
        lamp = np.array([light[0] * 0.5, 0.75, 0.5])
        for normal, corner, first, second in box_faces(self.half):
            if not view.sees(normal):
                continue
            if normal[0] != 0:  # rows run down: along -z
                corner, first, second = corner + second, first, -second
            elif normal[1] != 0:
                corner, first, second = corner + first, second, -first
            texture = self.side(normal, rng)
            bright = np.clip(view.shade(normal, lamp, self.ambient), 0.3, 1.15)
            self.face(colour, view, corner, first, second, texture * np.float32(bright))
        return self.packed(colour, alpha)


class Container(Carton):
    """Freight containers and crates: ribs, doors, letters; colours vary within the kind."""

    specimens = 14

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.paints = [colours.anything(rng) for _ in range(int(rng.integers(2, 8)))]
        self.ribs = int(rng.integers(6, 24))
        self.slats = rng.random() < 0.3
        self.lines = rng.uniform(0.1, 0.3)

    def side(self, normal, rng):
        face = super().side(normal, rng)
        n = face.shape[0]
        along = np.sin(np.arange(n) / n * self.ribs * 2 * math.pi) * self.lines
        wave = along[:, None] if self.slats else along[None]
        return face * (1 - np.abs(wave))[..., None].astype(np.float32)

    def draw(self, a, rng, light):
        self.board = self.paints[rng.integers(len(self.paints))]
        return super().draw(a, rng, light)


class Paver(Kind):
    """Bricks, blocks, tiles, planks and slabs, flat or as a wall: rough, chipped, of many tones."""

    body = FLAT
    specimens = 14

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.tones = [colours.from_hsv(rng.choice([4, 7, 10, 100, 15]), rng.uniform(10, 170),
                                       rng.uniform(90, 210))
                      for _ in range(int(rng.integers(1, 4)))]
        self.ry = rng.choice([0.3, 0.45, 0.48, 0.93])
        self.extent = (0.95, self.ry)
        self.chips = rng.uniform(0, 0.03)
        self.holes = int(rng.integers(2, 7)) if rng.random() < 0.25 else 0
        self.hollow = rng.random() < 0.5
        self.bevel = rng.uniform(0.02, 0.1)
        self.free_rotation = False

    def draw(self, a, rng, light):
        texture = self.texture(a, rng)
        d = rounded_box(a, 0.95, self.ry, 0.03) + self.chips * np.maximum(texture, 0)
        tone = colours.varied(self.tones[rng.integers(len(self.tones))], rng, 0.1, 0.03)
        albedo = grained(tone, self.noise.patch(rng, a.size), 0.1)
        colour = lit(a, dome(d, self.bevel) + 0.01 * texture, albedo, self.material, light)
        for k in range(self.holes):
            x = (k + 0.5) / self.holes * 1.8 - 0.9
            wide = 0.62 / self.holes
            hole = rounded_box(a, wide, self.ry * 0.6, 0.03, x) if self.hollow else ellipse(
                a, wide, min(wide, self.ry * 0.6), x, 0)
            colour = painted(colour, colour * 0.25, hole, a)
        return sprite(colour, coverage(d, a))


class Sack(Kind):
    """Filled sacks and bags lying on one another, seen from their ends or sides."""

    body = FLAT
    free_rotation = False
    specimens = 10

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.cloth = colours.white(rng) if rng.random() < 0.5 else colours.anything(rng)
        self.ry = rng.uniform(0.3, 0.7)
        self.extent = (0.93, self.ry * 0.92)
        self.power = rng.uniform(2.4, 4)
        self.stripe = colours.saturated(rng) if rng.random() < 0.5 else None
        self.busy = rng.choice([0, 0, 0.7])
        self.print_seed = int(rng.integers(1 << 30))
        self.weave = rng.uniform(0, 0.1)

    def draw(self, a, rng, light):
        sag = 0.12 * rng.normal() * (a.x * a.x - 0.3)
        y = a.y + sag
        value = np.abs(a.x / 0.97) ** self.power + np.abs(y / self.ry) ** self.power
        texture = self.texture(a, rng)
        d = (value ** (1 / self.power) - 1) * self.ry + 0.015 * texture
        albedo = grained(self.cloth * rng.uniform(0.85, 1.08), texture, 0.05)
        if self.stripe is not None:
            albedo = np.where((np.abs(np.abs(y) - self.ry * 0.45) < 0.05)[..., None], self.stripe,
                              albedo)
        if self.busy:
            albedo = printed(albedo, a, np.random.default_rng(self.print_seed), 0.7, self.ry * 0.7,
                             self.busy)
        creases = 0.05 * texture + 0.03 * np.sin(a.x * 22 + 3 * texture) * (np.abs(a.x) > 0.7)
        height = dome(d, self.ry * 0.9) + creases
        colour = lit(a, height, albedo, self.material, light)
        colour = colour * (1 - 0.45 * np.clip((y / self.ry) * 1.2 - 0.5, 0, 1))[..., None]
        return sprite(colour, coverage(d, a))


class PipeEnd(Kind):
    """Ends of pipes and profiles in a stack: a rim about a dark hole, rust, a far light end."""

    body = FLAT
    specimens = 10

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.material = metallic(rng)
        self.metal = colours.metal(rng) if rng.random() < 0.7 else colours.anything(rng)
        self.rust = rng.uniform(0, 1) if rng.random() < 0.5 else 0
        self.wall = rng.uniform(0.04, 0.3)
        self.form = ("round", "round", "round", "round", "square", "box")[rng.integers(6)]
        self.ry = rng.uniform(0.5, 0.9) if self.form == "box" else 0.96
        self.extent = (0.96, self.ry)
        self.free_rotation = self.form == "round"
        self.look = rng.normal(size=2) * 0.25
        self.far = rng.uniform(0.3, 0.75)
        self.far_light = rng.uniform(0, 230) if rng.random() < 0.4 else 10
        self.capped = colours.saturated(rng) if rng.random() < 0.08 else None

    def outline(self, a, scale, cx=0.0, cy=0.0):
        if self.form == "round":
            return ellipse(a, 0.96 * scale, 0.96 * scale, cx, cy)
        return rounded_box(a, 0.96 * scale, self.ry * scale, 0.12 * scale, cx, cy)

    def draw(self, a, rng, light):
        d = self.outline(a, 1.0)
        texture = self.texture(a, rng)
        rusty = np.clip(texture * 0.5 + self.rust, 0, 1)[..., None] * (self.rust > 0)
        albedo = grained(self.metal * rng.uniform(0.85, 1.1), texture, self.grain)
        albedo = albedo * (1 - rusty) + np.array([25, 80, 150]) * rng.uniform(0.7, 1.2) * rusty
        colour = lit(a, dome(d, 0.05), albedo, self.material, light)
        hole = self.outline(a, 1 - self.wall)
        if self.capped is not None and rng.random() < 0.9:
            return sprite(painted(colour, self.capped * 0.9, hole, a), coverage(d, a))
        deep = np.clip(0.5 + a.x * self.look[0] * 2 + a.y * self.look[1] * 2, 0.1, 1)[..., None]
        inside = albedo * deep * rng.uniform(0.3, 0.7)
        end = self.outline(a, (1 - self.wall) * self.far, *self.look)
        inside = painted(inside, np.full(3, self.far_light) * rng.uniform(0.3, 1), end, a)
        colour = painted(colour, inside, hole, a)
        return sprite(colour, coverage(d, a))


class BarEnd(Kind):
    """Cut ends of bars, logs and beams: solid faces with rings, cracks, paint, bark."""

    body = FLAT
    specimens = 12

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.wood = rng.random() < 0.6
        self.face = colours.brown(rng) * 0.6 + 90 if self.wood else colours.metal(rng)
        self.bark = self.face * rng.uniform(0.2, 0.6)
        self.bark_width = rng.uniform(0.02, 0.13)
        self.rings = rng.uniform(20, 70)
        self.painted = colours.saturated(rng) if rng.random() < 0.25 else None
        self.uneven = rng.uniform(0.01, 0.06)
        self.extent = (0.93, 0.93)

    def draw(self, a, rng, light):
        waves = [(k, self.uneven * rng.random(), rng.uniform(0, 6)) for k in (2, 3, 5)]
        d = wavy(a, 0.95 - self.uneven, waves)
        texture = self.texture(a, rng)
        albedo = grained(self.face * rng.uniform(0.75, 1.15), texture, 0.08)
        if self.wood:
            x, y = a.x - rng.normal() * 0.12, a.y - rng.normal() * 0.12
            albedo = albedo * (1 + 0.1 * np.sin(np.hypot(x, y) * self.rings + texture))[..., None]
            for _ in range(int(rng.integers(0, 4))):
                t = rng.uniform(0, 6.28)
                across = np.abs(x * math.sin(t) - y * math.cos(t) + 0.02 * texture)
                along = x * math.cos(t) + y * math.sin(t)
                crack = np.exp(-((across / 0.018) ** 2)) * ((along > 0) & (along < 0.7))
                albedo = albedo * (1 - 0.6 * crack)[..., None]
            albedo = np.where((d > -self.bark_width)[..., None], self.bark, albedo)
        if self.painted is not None and rng.random() < 0.7:
            dab = superellipse(a, 0.5, 0.5, 2.0) + 0.1 * texture
            albedo = painted(albedo, self.painted, dab, a)
        return sprite(lit(a, dome(d, 0.08) + 0.01 * texture, albedo, self.material, light),
                      coverage(d, a))
