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


@dataclass(frozen=True)
class Crop:
    """A thing's pixels, RGB, which kind of which scene it is, and of what family."""

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
    sides = np.tile(box[2:] - box[:2], 2)
    spread = 0.035 if rng.random() < 0.6 else 0.09
    margin = rng.normal(0, spread) * np.array([-1, -1, 1, 1])
    return box + (margin + rng.normal(0, spread, 4)) * sides


def chosen(
    scene: Scene, rng: np.random.Generator, most_kinds: int, most_of_kind: int,
    most_single: int = 0,
) -> list[tuple[int, np.ndarray]]:
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


def disturbed(pixels: np.ndarray, rng: np.random.Generator, individual: bool) -> np.ndarray:
    """A crop turned, lit, blurred, hidden in part as another specimen of the kind might be.

    Of an `individual` family it may have another colour, too.
    """
    turns = int(rng.integers(4))
    pixels = np.rot90(pixels, turns)
    if rng.random() < 0.5:
        pixels = pixels[:, ::-1]
    pixels = pixels.astype(np.float32)
    brightness, tint = (0.25, 0.15) if individual else (0.1, 0.02)
    pixels = pixels * math.exp(rng.normal() * brightness) * (1 + rng.normal(size=3) * tint)
    if rng.random() < 0.3:  # a shadow or a light across
        slope = np.linspace(-1, 1, SIDE, dtype=np.float32) * rng.normal() * 0.2
        pixels = pixels * (1 + (slope[:, None, None] if rng.random() < 0.5 else slope[:, None]))
    if rng.random() < 0.2:
        pixels = cv2.GaussianBlur(np.ascontiguousarray(pixels), (0, 0), rng.uniform(0.4, 1.6))
    if rng.random() < 0.3:
        pixels = surrounded(pixels, rng)
    if rng.random() < 0.25:
        w, h = rng.integers(6, SIDE // 2, 2)
        x, y = rng.integers(0, SIDE - w), rng.integers(0, SIDE - h)
        pixels = np.array(pixels)
        pixels[y : y + h, x : x + w] = rng.uniform(0, 255, 3)
    if rng.random() < 0.3:
        pixels = pixels + rng.normal(0, rng.uniform(1, 8), pixels.shape)
    return np.clip(pixels, 0, 255)


def surrounded(pixels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A crop with another ground in its corners: one kind may lie on cardboard and on cloth."""
    a, b = rng.uniform(0.85, 1.1, 2)
    reach = (CENTRED[:, None] / a) ** 2 + (CENTRED[None] / b) ** 2
    share = np.clip((reach - 1) * rng.uniform(3, 10), 0, 1)[..., None].astype(np.float32)
    ground = rng.uniform(0, 255, 3).astype(np.float32)
    if rng.random() < 0.5:  # as much darker or lighter as another ground would be
        ground = pixels * np.exp(rng.normal(0, 0.35, 3)).astype(np.float32)
    return pixels * (1 - share) + ground * share


def recoloured(pixels: list[np.ndarray], rng: np.random.Generator) -> list[np.ndarray]:
    """All crops of a scene under another light: the same for each, so that kinds stay kinds."""
    if rng.random() < 0.5:
        return pixels
    order = rng.permutation(3) if rng.random() < 0.5 else np.arange(3)
    gain, power = rng.uniform(0.8, 1.2, 3), rng.uniform(0.75, 1.3)
    grey = rng.random() < 0.06
    result = []
    for crop in pixels:
        light = np.clip(crop[..., order] * gain, 0, 255) / 255
        light = 255 * light**power
        result.append(np.repeat(light.mean(2, keepdims=True), 3, 2) if grey else light)
    return result


def network_input(pixels: np.ndarray) -> np.ndarray:
    """[3, 64, 64] as the network wants it."""
    return ((pixels.astype(np.float32) / 255 - MEAN) / DEVIATION).transpose(2, 0, 1)


def training_crops(
    scene: Scene, number: int, rng: np.random.Generator, most_kinds: int = 4,
    most_of_kind: int = 5,
) -> list[Crop]:
    """Disturbed crops of one scene; none where nothing in it is of use."""
    picks = chosen(scene, rng, most_kinds, most_of_kind, most_single=2)
    if not picks:
        return []
    image = scene.image
    found = [(kind, stretched(image, jittered(box, rng))) for kind, box in picks]
    found = [(kind, crop) for kind, crop in found if crop is not None]
    changed = recoloured([crop for _, crop in found], rng)
    return [
        Crop(
            disturbed(crop, rng, scene.kind_names[kind] in INDIVIDUAL), kind, number,
            family(scene.kind_names[kind]),
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
