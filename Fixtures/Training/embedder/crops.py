"""Crops of things, by scene and kind, from the shards that `scenes.shards` writes or photographs."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from scenes import shards
from scenes.kinds import INDIVIDUAL

from .network import DEVIATION, MEAN, SIDE
from .photographs import Photograph, family

# Photographs have all that is asked of a scene here.
Scene = shards.StoredScene | Photograph

LEAST_SIDE = 9  # pixels of a box that shows anything
LEAST_VISIBLE = 0.45
CENTRED = np.linspace(-1, 1, SIDE, dtype=np.float32)
VALUES = np.arange(256.0)[:, None]

# A kind and the box of a thing of it.
Pick = tuple[int, np.ndarray]


@dataclass(frozen=True)
class Crop:
    """A thing's pixels, [64, 64, RGB], which kind of which scene it is, and of what family."""

    pixels: np.ndarray
    kind: int
    scene: int
    family: str


def stretched(image: np.ndarray, box: np.ndarray) -> np.ndarray | None:
    """The box of a BGR image as a square of RGB pixels; None where it covers nothing.

    The whole box is seen, whatever its shape: of long things a square crop of the middle would show
    no ends.
    """
    height, width = image.shape[:2]
    x0, y0, x1, y1 = (int(v) for v in box)
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None
    crop = image[y0:y1, x0:x1]
    shrinks = max(x1 - x0, y1 - y0) > SIDE
    # What the package does with Pillow's antialiased filter comes to nearly the same.
    method = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
    return cv2.cvtColor(cv2.resize(crop, (SIDE, SIDE), interpolation=method), cv2.COLOR_BGR2RGB)


def jittered(box: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A box as a detector might find it: mostly close, sometimes loose, tight or beside."""
    width, height = box[2:] - box[:2]
    sides = np.array([width, height, width, height])
    spread = 0.035 if rng.random() < 0.6 else 0.09
    margin = rng.normal(0, spread) * np.array([-1, -1, 1, 1])
    return box + (margin + rng.normal(0, spread, 4)) * sides


def chosen(
    scene: Scene, rng: np.random.Generator, most_kinds: int, most_of_kind: int,
    most_single: int = 0,
) -> list[Pick]:
    """Some kinds of a scene and some boxes of each: at least two, as one alone teaches nothing.

    Beside such kinds up to `most_single` things that are alone of theirs: they are what others are not.
    """
    sides = scene.boxes[:, 2:] - scene.boxes[:, :2]
    usable = (sides.min(1) >= LEAST_SIDE) & (scene.visible >= LEAST_VISIBLE)
    picks, single = [], []
    kinds = [k for k in np.unique(scene.kinds[usable])]
    rng.shuffle(kinds)
    for kind in kinds:
        members = np.flatnonzero(usable & (scene.kinds == kind))
        if len(members) < 2:
            single.append((int(kind), scene.boxes[members[0]]))
            continue
        members = rng.permutation(members)[:most_of_kind]
        picks += [(int(kind), scene.boxes[m]) for m in members]
        if len({k for k, _ in picks}) == most_kinds:
            break
    return picks + single[:most_single] if picks else []


def disturbed(planes: np.ndarray, rng: np.random.Generator, individual: bool) -> np.ndarray:
    """A crop turned, lit, blurred, hidden in part as another specimen of the kind might be.

    Of an `individual` family it may have another colour, too. The crop is [3, 64, 64]: three planes
    are several times faster to work on than many triples.
    """
    planes = np.rot90(planes, int(rng.integers(4)), (1, 2))
    if rng.random() < 0.5:
        planes = planes[..., ::-1]
    brightness, tint = (0.25, 0.15) if individual else (0.1, 0.02)
    light = math.exp(rng.normal() * brightness) * (1 + rng.normal(size=3) * tint)
    planes = np.multiply(planes, of_planes(light), order="C")
    if rng.random() < 0.3:  # a shadow or a light across
        slope = 1 + CENTRED * (float(rng.normal()) * 0.2)
        planes *= slope[:, None] if rng.random() < 0.5 else slope
    if rng.random() < 0.2:
        deviation = rng.uniform(0.4, 1.6)
        planes = np.stack([cv2.GaussianBlur(plane, (0, 0), deviation) for plane in planes])
    if rng.random() < 0.3:
        planes = surrounded(planes, rng)
    if rng.random() < 0.25:
        w, h = rng.integers(6, SIDE // 2, 2)
        x, y = rng.integers(0, SIDE - w), rng.integers(0, SIDE - h)
        planes[:, y : y + h, x : x + w] = of_planes(rng.uniform(0, 255, 3))
    if rng.random() < 0.3:
        deviation = float(rng.uniform(1, 8))
        planes += deviation * rng.standard_normal(planes.shape, np.float32)
    return np.clip(planes, 0, 255, out=planes)


def of_planes(values: np.ndarray) -> np.ndarray:
    """One value a plane, [3, 1, 1]."""
    return values.astype(np.float32)[:, None, None]


def surrounded(planes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A crop with another ground in its corners: one kind may lie on cardboard and on cloth."""
    a, b = rng.uniform(0.85, 1.1, 2).tolist()
    reach = (CENTRED[:, None] / a) ** 2 + (CENTRED / b) ** 2
    share = np.clip((reach - 1) * float(rng.uniform(3, 10)), 0, 1)
    ground = of_planes(rng.uniform(0, 255, 3))
    if rng.random() < 0.5:  # as much darker or lighter as another ground would be
        ground = planes * of_planes(np.exp(rng.normal(0, 0.35, 3)))
    return planes * (1 - share) + ground * share


def recoloured(pixels: list[np.ndarray], rng: np.random.Generator) -> list[np.ndarray]:
    """All crops of a scene under another light: the same for each, so that kinds stay kinds.

    They come as [64, 64, 3], bytes, and go as [3, 64, 64].
    """
    if rng.random() < 0.5:
        return [crop.transpose(2, 0, 1).astype(np.float32, order="C") for crop in pixels]
    order = rng.permutation(3) if rng.random() < 0.5 else np.arange(3)
    gain, power = rng.uniform(0.8, 1.2, 3), rng.uniform(0.75, 1.3)
    grey = rng.random() < 0.06
    # What becomes of every value of every channel.
    light = (255 * (np.clip(VALUES * gain, 0, 255) / 255) ** power).astype(np.float32)
    result = []
    for crop in pixels:
        planes = np.stack([light[:, n][crop[..., channel]] for n, channel in enumerate(order)])
        result.append(np.repeat(planes.mean(0, keepdims=True), 3, 0) if grey else planes)
    return result


def network_input(pixels: np.ndarray) -> np.ndarray:
    """[3, 64, 64] as the network wants it."""
    return ((pixels.astype(np.float32) / 255 - MEAN) / DEVIATION).transpose(2, 0, 1)


def training_picks(scene: Scene, rng: np.random.Generator) -> list[Pick]:
    """Things of a scene that a batch may have; none where nothing in it is of use."""
    return chosen(scene, rng, most_kinds=4, most_of_kind=5, most_single=2)


def crops_of(
    scene: Scene, picks: list[Pick], number: int, rng: np.random.Generator
) -> list[Crop]:
    """Disturbed crops of things of one scene, without those that show nothing."""
    image = scene.image
    found = [(kind, stretched(image, jittered(box, rng))) for kind, box in picks]
    found = [(kind, crop) for kind, crop in found if crop is not None]
    changed = recoloured([crop for _, crop in found], rng)
    return [
        Crop(
            disturbed(crop, rng, scene.kind_names[kind] in INDIVIDUAL).transpose(1, 2, 0), kind,
            number, family(scene.kind_names[kind]),
        )
        for (kind, _), crop in zip(found, changed, strict=True)
    ]


def plain_crops(scene: Scene, number: int, most_of_kind: int = 40) -> list[Crop]:
    """Crops of one scene as a photo gives them."""
    picks = chosen(scene, np.random.default_rng(number), 99, most_of_kind)
    if not picks:
        return []
    image = scene.image
    crops = [(kind, stretched(image, box)) for kind, box in picks]
    return [
        Crop(crop, kind, number, scene.kind_names[kind])
        for kind, crop in crops
        if crop is not None
    ]
