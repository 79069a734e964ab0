"""Puts one specimen into the picture: shadow, walls, face, and its number into the id map."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from .camera import Camera
from .kinds import FLAT, ROUND, UPRIGHT, Ring, Sprite
from .layouts import Spot
from .shapes import REACH

# An instance's pixels are those it covers by more than this (of 255).
SOLID = 100


@dataclass
class Shadow:
    """How dark, how soft, and how far it falls (table units per unit of height)."""

    strength: float
    softness: float
    direction: tuple[float, float]


@dataclass
class Body:
    """What the painter must know of a kind."""

    kind: str
    thickness: float
    extent: tuple[float, float]


class Model:
    """A sprite in three sizes, with the wall's shading beside its outline."""

    def __init__(self, sprite: Sprite, angle: float, light: np.ndarray) -> None:
        self.angle, self.walls = angle, sprite.walls
        self.images = [sprite.image]
        while len(self.images) < 3:
            self.images.append(cv2.resize(self.images[-1], None, fx=0.5, fy=0.5,
                                          interpolation=cv2.INTER_AREA))
        self.sides = [self._side(image, sprite.flutes, light) for image in self.images]
        self.height = max((ring.height for ring in sprite.walls), default=0.0)

    def _side(self, image: np.ndarray, flutes: np.ndarray | None, light: np.ndarray) -> np.ndarray:
        """Coverage and wall shade, two channels; the shade depends on where the wall faces."""
        size = image.shape[0]
        line = (np.arange(size, dtype=np.float32) + 0.5) / size * 2 - 1
        angle = np.arctan2(line[:, None], line[None])
        facing = np.cos(angle - math.atan2(light[1], light[0])) * math.hypot(light[0], light[1])
        shade = 0.72 + 0.38 * facing
        if flutes is not None:
            shade = shade * flutes[((angle / (2 * math.pi) + 1) * 64).astype(np.int32) % 64]
        shade = np.clip(shade * 170, 0, 255).astype(np.uint8)
        return np.dstack([image[..., 3], shade])


def slices(walls: list[Ring], count: int) -> list[tuple[float, float, np.ndarray]]:
    """(height, scale, colour) at `count` heights from the foot to just below the face."""
    heights = np.array([ring.height for ring in walls])
    scales = np.array([ring.scale for ring in walls])
    tones = np.stack([ring.colour for ring in walls])
    levels = np.linspace(0, heights[-1], count, endpoint=False)
    return [(z, float(np.interp(z, heights, scales)),
             np.array([np.interp(z, heights, tones[:, c]) for c in range(3)])) for z in levels]


class Painter:
    """The picture being made, float BGR, and which instance each pixel shows (0: none)."""

    def __init__(self, canvas: np.ndarray, camera: Camera, shadow: Shadow | None) -> None:
        self.canvas, self.camera, self.shadow = canvas, camera, shadow
        self.ids = np.zeros(canvas.shape[:2], np.int16)
        self.areas: dict[int, int] = {}
        self.windows: dict[int, tuple[slice, slice]] = {}

    def place(self, model: Model, body: Body, spot: Spot, size: float, tone: np.ndarray,
              number: int) -> bool:
        """Whether any of it is in the picture. `size` is the length of two sprite units."""
        half, camera = size / 2, self.camera
        if body.kind == FLAT:
            top = spot.z + model.height * half
            jacobian = camera.jacobian(spot.x, spot.y, top)
            face, at = jacobian @ _turn(spot.angle) * half, camera.point(spot.x, spot.y, top)
        elif body.kind == ROUND:
            short = body.thickness * min(body.extent) * half
            along = math.hypot(body.extent[0] * math.sin(spot.angle),
                               body.extent[1] * math.cos(spot.angle)) * half
            squash = math.hypot(camera.cosine, camera.sine * short / max(along, 1e-3))
            k = camera.scale(spot.y, spot.z + short)
            face = camera.roll @ np.diag([k, k * min(squash, 1.0)]) @ _turn(spot.angle) * half
            at = camera.point(spot.x, spot.y, spot.z + short)
        else:
            k = camera.scale(spot.y, spot.z)
            face = camera.roll @ _turn(spot.angle) * (half * k)
            foot = camera.point(spot.x, spot.y, spot.z)
            at = foot - (camera.roll @ np.array([0, body.extent[1] * half * k])) * (
                1.0 if camera.sine > 0.3 else 0.0)
        foot = camera.point(spot.x, spot.y, spot.z)
        widest = max((ring.scale for ring in model.walls), default=1.0)
        reach = np.abs(face).sum(1) * max(1.0, widest) + 2
        low, high = np.minimum(at, foot) - reach, np.maximum(at, foot) + reach
        x0, y0 = int(math.floor(low[0])), int(math.floor(low[1]))
        width, height = int(high[0]) - x0 + 1, int(high[1]) - y0 + 1
        limit = self.camera.size
        if (x0 >= limit or y0 >= limit or x0 + width <= 0 or y0 + height <= 0
                or max(width, height) > 3 * limit):
            return False
        level = 0
        longest = math.sqrt(abs(np.linalg.det(face))) * 2 * REACH
        while level < 2 and longest < model.images[level].shape[0] * 0.55:
            level += 1
        box = (x0, y0, width, height)
        colour, alpha = self._body(model, level, face, at, spot, half, box)
        colour = colour * tone
        self._cast(model, level, face, spot, half, box, body)
        self._blend(colour, alpha, box, number)
        return True

    def _warped(self, image: np.ndarray, matrix: np.ndarray, at: np.ndarray, box) -> np.ndarray:
        """A sprite's image in the window, `matrix` from sprite units to pixels."""
        k = image.shape[0] / (2 * REACH)
        full = np.empty((2, 3))
        full[:, :2] = matrix / k
        offset = 0.5 / k - REACH
        full[:, 2] = at + matrix @ np.array([offset, offset]) - np.array(box[:2]) - 0.5
        return cv2.warpAffine(image, full, (box[2], box[3]), flags=cv2.INTER_LINEAR)

    def _body(self, model: Model, level: int, face, at, spot: Spot, half: float, box):
        """Premultiplied colours (float) and coverage (8 bit) of walls and face."""
        top = self._warped(model.images[level], face, at, box)
        if not model.walls:
            return top[..., :3].astype(np.float32), top[..., 3]
        foot = self.camera.point(spot.x, spot.y, spot.z)
        path = float(np.abs(at - foot).max())
        taper = max(abs(ring.scale - 1) for ring in model.walls) * half
        count = int(min(16, max(path, taper) / 1.8)) + 1
        if path < 0.6 and taper < 0.6:
            return top[..., :3].astype(np.float32), top[..., 3]
        # Slices from the foot up; kept are coverage, shade, and which slice was painted last.
        cover, shade, last = np.zeros((3, box[3], box[2]), np.uint8)
        tones = np.zeros((count + 1, 3), np.float32)
        top_z = spot.z + model.height * half
        top_scale = self.camera.scale(spot.y, top_z)
        for k, (height, scale, tone) in enumerate(slices(model.walls, count), start=1):
            z = spot.z + height * half
            shrink = scale * self.camera.scale(spot.y, z) / top_scale
            side = self._warped(model.sides[level], face * shrink,
                                self.camera.point(spot.x, spot.y, z), box)
            alpha, light = cv2.split(side)
            painted = cv2.threshold(alpha, 40, k, cv2.THRESH_BINARY)[1]
            cv2.copyTo(light, painted, shade)
            cv2.max(last, painted, last)
            cv2.max(cover, alpha, cover)
            tones[k] = tone / 170
        share = top[..., 3:].astype(np.float32) / 255
        body = tones[last] * (shade.astype(np.float32) * (cover / np.float32(255)))[..., None]
        return top[..., :3] + body * (1 - share), cv2.max(cover, top[..., 3])

    def _cast(self, model: Model, level: int, face, spot: Spot, half: float, box,
              body: Body) -> None:
        """Darkens what is below."""
        if self.shadow is None:
            return
        camera, shadow = self.camera, self.shadow
        tall = body.thickness * min(body.extent)
        if body.kind == FLAT:
            tall = model.height
        elif body.kind == UPRIGHT and camera.sine < 0.3:
            tall = 0.1  # it leans against what is behind
        drop = min(max(tall, 0.04), 1.2) * half
        x = spot.x + shadow.direction[0] * drop * 0.6
        y = spot.y + shadow.direction[1] * drop * 0.6
        base = camera.point(x, y, spot.z)
        pad = int(shadow.softness * half * 1.2) + 2
        reach = np.abs(face).sum(1) + pad
        x0, y0 = int(base[0] - reach[0]), int(base[1] - reach[1])
        window = (x0, y0, int(2 * reach[0]) + 2, int(2 * reach[1]) + 2)
        widest = max((ring.scale for ring in model.walls), default=1.0)
        grow = 1.04 * (0.85 * widest if widest > 1.2 else 1.0)
        mask = self._warped(np.ascontiguousarray(model.images[level][..., 3]), face * grow, base,
                            window)
        mask = cv2.blur(mask, (2 * (pad // 2) + 1, 2 * (pad // 2) + 1))
        target, source = self._clip(window)
        if target is not None:
            self.canvas[target] *= (1 - shadow.strength / 255 * mask[source].astype(np.float32)
                                    )[..., None]

    def _blend(self, colour: np.ndarray, alpha: np.ndarray, box, number: int) -> None:
        """Lays the body on the canvas and notes whose pixels these are."""
        solid = alpha > SOLID
        self.areas[number] = int(solid.sum())
        target, source = self._clip(box)
        share = alpha[source].astype(np.float32)[..., None] / 255
        part = self.canvas[target]
        part *= 1 - share
        part += np.minimum(colour[source], 255)
        self.ids[target][solid[source]] = number
        self.windows[number] = target

    def _clip(self, box):
        """The window's slices in the canvas and in itself."""
        x0, y0, width, height = box
        size = self.camera.size
        left, top = max(0, x0), max(0, y0)
        right, bottom = min(size, x0 + width), min(size, y0 + height)
        if right <= left or bottom <= top:
            return None, None
        return (np.s_[top:bottom, left:right],
                np.s_[top - y0:bottom - y0, left - x0:right - x0])

    def look_at(self, corners: np.ndarray) -> None:
        """Shows only what lies between four corners, drawn out to the whole picture."""
        size = self.camera.size
        whole = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * size
        matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), whole)
        self.canvas = cv2.warpPerspective(self.canvas, matrix, (size, size),
                                          borderMode=cv2.BORDER_REFLECT)
        self.ids = cv2.warpPerspective(self.ids, matrix, (size, size), flags=cv2.INTER_NEAREST)
        for number, (rows, columns) in self.windows.items():
            edges = np.array([[x, y] for x in (columns.start, columns.stop)
                              for y in (rows.start, rows.stop)], np.float64)
            weights = edges @ matrix[2, :2] + matrix[2, 2]
            moved = (edges @ matrix[:2, :2].T + matrix[:2, 2]) / weights[:, None]
            low = np.clip(np.floor(moved.min(0)), 0, size).astype(int)
            high = np.clip(np.ceil(moved.max(0)) + 1, 0, size).astype(int)
            self.windows[number] = np.s_[low[1]:high[1], low[0]:high[0]]
            growth = np.linalg.det(matrix) / np.mean(weights) ** 3
            self.areas[number] = int(self.areas[number] * abs(growth))

    def visible(self, number: int) -> tuple[tuple[int, int, int, int] | None, float]:
        """The box of what is seen of an instance, and its share of the whole instance."""
        window = self.windows[number]
        seen = self.ids[window] == number
        rows, columns = np.flatnonzero(seen.any(1)), np.flatnonzero(seen.any(0))
        if len(rows) == 0:
            return None, 0.0
        y, x = window[0].start, window[1].start
        box = (x + int(columns[0]), y + int(rows[0]), x + int(columns[-1]) + 1,
               y + int(rows[-1]) + 1)
        return box, float(seen.sum()) / max(1, self.areas[number])


def _turn(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])
