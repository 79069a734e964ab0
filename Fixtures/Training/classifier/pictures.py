"""Pictures of a labelled folder: FOLDER/CLASS/PICTURE, the part held out, and what training sees of them."""

import math
import os
import zlib
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image, ImageOps

from .network import DEVIATION, MEAN

ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff")
# Of the shorter side of a picture what `tally classify` looks at, in the middle.
CROP_SHARE = 0.875
# Pictures are kept in memory this many times as large as the network's input, up to so many bytes.
SURPLUS, LARGEST_CACHE = 1.5, 1 << 30
# By how many degrees a picture is turned at most, and the least share of its area that is seen.
TURN, LEAST_AREA = 15, 0.35


@dataclass(frozen=True)
class Picture:
    path: str
    label: int


def listed(folder: str) -> tuple[list[str], list[Picture]]:
    """The names of the classes, in the order of the alphabet, and all pictures."""
    if not os.path.isdir(folder):
        raise SystemExit(f"{folder} is not a folder")
    names = sorted(
        entry.name for entry in os.scandir(folder) if entry.is_dir() and not entry.name.startswith("."))
    pictures = []
    for label, name in enumerate(names):
        files = sorted(
            f for f in os.listdir(os.path.join(folder, name))
            if f.lower().endswith(ENDINGS) and not f.startswith("."))
        if not files:
            raise SystemExit(f"{os.path.join(folder, name)} has no picture")
        pictures += [Picture(os.path.join(folder, name, file), label) for file in files]
    if len(names) < 2:
        raise SystemExit(f"{folder} has {len(names)} folders of classes; there must be two at least")
    return names, pictures


def divided(pictures: list[Picture], share: float) -> tuple[list[Picture], list[Picture]]:
    """Those to train on, and those held out: of each class a share, chosen by the checksum of their names.

    A class of a single picture has none to hold out. A picture stays in its part as others come.
    """
    trained, held_out = [], []
    for label in sorted({p.label for p in pictures}):
        own = [p for p in pictures if p.label == label]
        own.sort(key=lambda p: zlib.crc32(os.path.basename(p.path).encode()))
        count = min(len(own) - 1, math.ceil(len(own) * share)) if share > 0 else 0
        held_out += own[:count]
        trained += own[count:]
    return trained, held_out


def opened(path: str) -> Image.Image:
    """A picture, upright, in RGB."""
    try:
        with Image.open(path) as image:
            return ImageOps.exif_transpose(image).convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise SystemExit(f"{path} cannot be read: {error}") from error


def with_shorter_side(image: Image.Image, side: int) -> Image.Image:
    """Resized as torchvision does it, antialiased."""
    shorter = min(image.size)
    return image.resize(
        tuple(side if s == shorter else int(side * s / shorter) for s in image.size), Image.Resampling.BILINEAR)


def as_classified(image: Image.Image, size: int) -> np.ndarray:
    """[size, size, RGB]: what `tally classify` shows a network of this size."""
    image = with_shorter_side(image, int(size / CROP_SHARE))
    left, top = (round((side - size) / 2) for side in image.size)
    return np.asarray(image.crop((left, top, left + size, top + size)))


def network_input(pixels: np.ndarray) -> np.ndarray:
    """[3, S, S] as the network wants it."""
    return ((pixels.astype(np.float32) - MEAN) / DEVIATION).transpose(2, 0, 1)


class Pictures:
    """The pictures that are trained on, drawn by class, changed at random."""

    def __init__(self, pictures: list[Picture], size: int, is_mirrored: bool) -> None:
        self.size, self.is_mirrored = size, is_mirrored
        labels = sorted({p.label for p in pictures})
        self.classes = [[p for p in pictures if p.label == label] for label in labels]
        # Rare classes are seen more often than their number says, and frequent ones still more than they.
        weights = np.sqrt([len(c) for c in self.classes])
        self.shares = weights / weights.sum()
        self.cache: dict[str, np.ndarray] = {}
        self.cached = 0

    def pixels(self, path: str) -> np.ndarray:
        """A picture, no larger than is of use."""
        if path in self.cache:
            return self.cache[path]
        image = opened(path)
        largest = int(self.size * SURPLUS)
        if min(image.size) > largest:
            image = with_shorter_side(image, largest)
        pixels = np.asarray(image)
        if self.cached + pixels.nbytes <= LARGEST_CACHE:
            self.cache[path] = pixels
            self.cached += pixels.nbytes
        return pixels

    def batch(self, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Pictures [count, 3, S, S] as the network wants them, and their classes."""
        images, labels = [], []
        for number in rng.choice(len(self.classes), count, p=self.shares):
            own = self.classes[number]
            picture = own[rng.integers(len(own))]
            seen = changed(self.pixels(picture.path), self.size, self.is_mirrored, rng)
            images.append(network_input(seen))
            labels.append(picture.label)
        return np.stack(images), np.array(labels, np.int64)


def changed(pixels: np.ndarray, size: int, is_mirrored: bool, rng: np.random.Generator) -> np.ndarray:
    """A part of a picture, turned, mirrored and lit as another photo of the thing might be: [size, size, RGB]."""
    height, width = pixels.shape[:2]
    area, ratio = rng.uniform(LEAST_AREA, 1), math.exp(rng.uniform(-0.25, 0.25))
    # The square that is seen at most is that in the middle, as when the network is asked.
    side = min(width, height) * math.sqrt(area)
    w, h = min(side * ratio, width), min(side / ratio, height)
    x, y = rng.uniform(w / 2, width - w / 2), rng.uniform(h / 2, height - h / 2)
    angle = math.radians(rng.uniform(-TURN, TURN))
    cosine, sine = math.cos(angle), math.sin(angle)
    mirror = -1 if is_mirrored and rng.random() < 0.5 else 1
    # From pixels of what is seen to pixels of the picture.
    a = np.array([[cosine * w * mirror, -sine * h], [sine * w * mirror, cosine * h]]) / size
    middle = np.array([x, y]) - a @ [size / 2, size / 2]
    corner = middle + a @ [0.5, 0.5] - 0.5
    seen = cv2.warpAffine(
        pixels, np.column_stack([a, corner]), (size, size), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REFLECT_101)
    return lit(seen, rng)


def lit(pixels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Another brightness, contrast, saturation and tint; now and then blurred."""
    seen = pixels.astype(np.float32)
    grey = seen.mean(2, keepdims=True)
    seen = grey + (seen - grey) * np.float32(rng.uniform(0.6, 1.4))
    seen = seen * (math.exp(rng.normal() * 0.2) * (1 + rng.normal(size=3) * 0.04)).astype(np.float32)
    mean = seen.mean()
    seen = mean + (seen - mean) * np.float32(rng.uniform(0.7, 1.3))
    if rng.random() < 0.15:
        seen = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.4, 1.5))
    return np.clip(seen, 0, 255)
