"""What scenes with a theme share: grounds, cameras, places strewn or thrown."""

import math

import cv2
import numpy as np

from .. import foliage, grounds, layouts, places
from ..backgrounds import Backgrounds
from ..camera import Camera
from ..kinds import Kind
from ..layouts import Region, Spot
from ..plans import Plan, Planner


class Stage:
    """Where themes get their means from."""

    def __init__(self, planner: Planner, backgrounds: Backgrounds,
                 leaves: foliage.Foliage) -> None:
        self.planner, self.backgrounds, self.leaves = planner, backgrounds, leaves
        self.size, self.noise = planner.size, planner.noise

    def sized(self, rng: np.random.Generator, low: float, high: float) -> float:
        """Of all sizes alike by their logarithm; given for a picture of 448 pixels."""
        return math.exp(rng.uniform(math.log(low), math.log(high))) * self.size / 448

    def scene(self, kinds: list[Kind], size: float, name: str, **rest) -> Plan:
        """A plan whose region is the picture; `rest` are the plan's other values."""
        camera = rest.pop("camera", None) or Camera(self.size, 0.0, 4.0 * self.size)
        half = self.size / 2
        values = {"factors": np.ones(len(kinds)), "heading": 0.0, "turning": "free",
                  "region": Region(-half, -half, half, half)}
        return Plan(camera, kinds, size=size, layout=name, **(values | rest))

    def middle(self, x: float, y: float) -> tuple[float, float]:
        """Where a pixel lies under a camera that looks straight down."""
        return x - self.size / 2, y - self.size / 2

    def ground(self, rng: np.random.Generator) -> np.ndarray:
        """A ground of any sort, square, seen from above."""
        makers = (places.floor, places.floor, places.carpet, places.carpet, places.cloth,
                  places.cloth, places.concrete, grounds.gravel, grounds.grass, grounds.soil,
                  grounds.ripples, grounds.water)
        canvas = makers[rng.integers(len(makers))](rng, self.size)
        if rng.random() < 0.12:
            self.litter(rng, canvas)
        return np.clip(canvas, 0, 255).astype(np.float32)

    def litter(self, rng: np.random.Generator, canvas: np.ndarray) -> None:
        """Fallen leaves, pebbles, words: on the ground, and nothing to count."""
        k = self.size / 448
        _, leaves, tint = self.leaves.plant(rng)
        for _ in range(int(rng.integers(2, 30))):
            foliage.paste(canvas, leaves[rng.integers(len(leaves))], rng.uniform(0, self.size, 2),
                          rng.uniform(0, 6.28), rng.uniform(0.2, 0.8) * k, tint, None,
                          rng.uniform(0.5, 1), 0.3)
        if rng.random() < 0.3:
            grounds.pebbles(canvas, rng, int(rng.integers(5, 60)), rng.uniform(1, 5) * k)
        if rng.random() < 0.3:
            places.notes(canvas, rng, int(rng.integers(1, 6)))

    def laid(self, rng: np.random.Generator, camera: Camera, image: np.ndarray) -> np.ndarray:
        """A ground spread over the table."""
        image = np.clip(image, 0, 255).astype(np.float32)
        canvas = self.backgrounds.on_table(rng, camera, image)
        return np.ascontiguousarray(canvas, np.float32)

    def plain(self, rng: np.random.Generator, camera: Camera) -> np.ndarray:
        """Paper, a table, a tray of one colour; or a ground."""
        if rng.random() < 0.5:
            return self.backgrounds.plain(rng, self.size)
        return self.laid(rng, camera, self.ground(rng))

    def strewn(self, rng: np.random.Generator, size: float, count: int,
               gap: float, full: float = 0.3) -> list[Spot]:
        """Places anywhere, about one middle, or about a few; `full`: how often all over."""
        half = self.size / 2
        everywhere = rng.random() < full
        room = np.full(2, half * 1.05) if everywhere else half * rng.uniform(0.4, 1.05, 2)
        region = Region(-room[0], -room[1], room[0], room[1])
        choice, least = rng.random(), size * gap

        def any_way() -> float:
            return rng.uniform(0, 2 * math.pi)

        if everywhere or choice < 0.5:
            return layouts.scatter(rng, region, count, least, any_way)
        middles = rng.uniform(-0.8, 0.8, (1 if choice < 0.75 else int(rng.integers(2, 7)), 2))
        spread = least * math.sqrt(count / len(middles)) * rng.uniform(0.35, 0.9)
        near = middles[rng.integers(0, len(middles), 3 * count)] * room
        spots = [Spot(*p, any_way()) for p in near + rng.normal(size=(3 * count, 2)) * spread]
        return apart(spots, least)[:min(count, layouts.LIMIT)]

    def slanted(self, rng: np.random.Generator) -> Camera:
        """From above or at a slant."""
        tilt = abs(rng.normal() * 0.1) if rng.random() < 0.5 else rng.uniform(0.1, 1.0)
        return Camera(self.size, tilt, self.size * rng.uniform(1.6, 4))

    def seen_by(self, camera: Camera, canvas: np.ndarray) -> np.ndarray:
        """A ground drawn as seen straight down, seen by another camera."""
        shift = np.array([[1, 0, -self.size / 2], [0, 1, -self.size / 2], [0, 0, 1]])
        return cv2.warpPerspective(canvas, camera.homography() @ shift, (self.size, self.size),
                                   flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)

    def pixel(self, spot: Spot) -> tuple[float, float]:
        return spot.x + self.size / 2, spot.y + self.size / 2


def apart(spots: list[Spot], least: float) -> list[Spot]:
    """Those that are not too near to an earlier one."""
    kept: list[Spot] = []
    at = np.empty((len(spots), 2))
    for spot in spots:
        here = np.array([spot.x, spot.y])
        if not kept or ((at[:len(kept)] - here) ** 2).sum(1).min() >= least * least:
            at[len(kept)] = here
            kept.append(spot)
    return kept


def askew(rng: np.random.Generator, size: int) -> np.ndarray:
    """Four corners well inside a picture: what a camera that is not quite opposite would show."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * size
    inward = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]], np.float32) * size
    return corners + inward * rng.uniform(0, 0.13, (4, 2)).astype(np.float32)
