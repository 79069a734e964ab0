"""Training samples: scenes from shards and labelled photographs, scaled, turned, mirrored and
cropped at random.

Sample k of a run depends on its seed, k, and the shards that are there when it is drawn. New
shards join as they are written.
"""

import glob
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from loss import Target, Targets  # noqa: E402
from photographs import Photograph, Photographs  # noqa: E402

from scenes.kinds import STRUCTURED  # noqa: E402
from scenes.scene import COUNTED_SHARE  # noqa: E402
from scenes.shards import StoredScene, read  # noqa: E402
from together import begin_loader  # noqa: E402

# Nothing is asked about things of which between this and `COUNTED_SHARE` is seen, nor about those
# with a side of less than so many pixels.
IGNORED_SHARE = 0.1
SMALLEST_SIDE = 6.0
PADDING = 114
# No picture is enlarged more than this, nor made smaller than this share of the window.
LARGEST_SCALE = 2.5
SMALLEST_SHARE = 0.6
# This share of samples shows things whose parts look like things: to see the whole takes longest.
STRUCTURED_SHARE = 0.4
# This share of samples are four windows in one (Bochkovskiy et al., "YOLOv4", 2020, section 3.3).
MOSAIC_SHARE = 0.15


class SceneStore:
    """All scenes of the shards in a folder, and photographs; pictures are still compressed."""

    def __init__(self, folder: str, split: str, limit: int | None = None,
                 photographs: Photographs | None = None, photograph_share: float = 0) -> None:
        """`photograph_share`: how much of what is drawn are photographs."""
        self.photographs, self.photograph_share = photographs, photograph_share
        self.pattern = os.path.join(folder, f"{split}-*.npz")
        self.known: set[str] = set()
        self.scenes: list[StoredScene] = []
        self.structured: list[StoredScene] = []
        self.limit = limit
        self.refresh()

    def refresh(self) -> None:
        """Reads shards that are new."""
        for path in sorted(glob.glob(self.pattern)):
            if path not in self.known and (self.limit is None or len(self.scenes) < self.limit):
                self.known.add(path)
                scenes = read(path)
                self.scenes += scenes
                self.structured += [s for s in scenes if STRUCTURED.intersection(s.kind_names)]

    def drawn(self, rng: np.random.Generator) -> StoredScene | Photograph:
        """A scene or a photograph at random."""
        if self.photographs and rng.random() < self.photograph_share:
            return self.photographs.drawn(rng)
        some = self.structured if rng.random() < STRUCTURED_SHARE else self.scenes
        some = some or self.scenes
        return some[rng.integers(len(some))]


def scale_to(side: float, scene: StoredScene, image_side: int, size: int) -> float:
    """The scale at which the scene's usual thing is `side` pixels large in a window of `size`."""
    extents = scene.boxes[:, 2:] - scene.boxes[:, :2]
    counted = extents[scene.visible >= COUNTED_SHARE]
    usual = float(np.median(np.sqrt(counted.prod(1)))) if len(counted) else side
    smallest = SMALLEST_SHARE * size / image_side
    return min(max(side / max(usual, 1.0), smallest), max(LARGEST_SCALE, smallest))


def place(room: float, thing: tuple[float, float] | None, size: int,
          rng: np.random.Generator) -> float:
    """Where a picture begins in the window along one axis, so that all of the thing is in it."""
    # A picture smaller than the window is padded to the right and below, as letterboxing does.
    if room >= 0:
        return 0.0
    low, high = room, 0.0
    if thing is not None and thing[1] - thing[0] < size:
        low, high = max(low, -thing[0]), min(high, size - thing[1])
    return rng.uniform(low, max(low, high))


def transformed(scene: StoredScene, size: int, rng: np.random.Generator,
                sides: tuple[float, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A random view of a scene, `size` pixels a side: picture, boxes, visible shares.

    The scale brings the usual thing to a side drawn from `sides`, evenly by factors: what a detector
    is shown in use are things of all sizes, whatever the scenes' own.
    """
    image, boxes, visible = scene.image, scene.boxes.copy(), scene.visible
    side = image.shape[0]
    scale = scale_to(np.exp(rng.uniform(np.log(sides[0]), np.log(sides[1]))), scene, side, size)
    stretch = np.exp(rng.normal() * 0.08)
    sx, sy = scale * stretch, scale / stretch
    matrix = np.array([[sx, 0, 0], [0, sy, 0]])
    if rng.random() < 0.5:
        matrix = matrix @ np.array([[-1, 0, side], [0, 1, 0], [0, 0, 1]])
    if rng.random() < 0.25:
        matrix = matrix @ np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1.0]])
    # Most windows show some thing whole; the others are as they come.
    shown = np.flatnonzero(visible >= COUNTED_SHARE)
    chosen = None
    if len(shown) and rng.random() < 0.8:
        box = boxes[shown[rng.integers(len(shown))]].reshape(2, 2)
        chosen = np.sort(box @ matrix[:, :2].T + matrix[:, 2], 0)
    for axis, extent in ((0, side * sx), (1, side * sy)):
        thing = None if chosen is None else (chosen[0, axis], chosen[1, axis])
        matrix[axis, 2] += place(size - extent, thing, size, rng)
    of_image = matrix
    if scale < 0.5 and rng.random() < 0.5:  # as by a good resizer; the others as by a plain one
        image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        of_image = matrix * [2, 2, 1]
    view = cv2.warpAffine(image, of_image, (size, size), flags=cv2.INTER_LINEAR,
                          borderValue=(PADDING,) * 3)
    corners = np.stack([boxes[:, :2], boxes[:, 2:]], 1) @ matrix[:, :2].T + matrix[:, 2]
    whole = np.concatenate([corners.min(1), corners.max(1)], 1)
    inside = np.clip(whole, 0, size)
    share = (inside[:, 2:] - inside[:, :2]).prod(1) / np.maximum(
        (whole[:, 2:] - whole[:, :2]).prod(1), 1e-6)
    return view, inside.astype(np.float32), visible * share


def developed(view: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Other exposure, contrast, tint and colours, and what a worse camera makes of it."""
    if rng.random() < 0.25:
        view = recoloured(view, rng)
    if rng.random() < 0.12:
        view = cv2.GaussianBlur(view, (0, 0), rng.uniform(0.4, 1.3))
    image = view.astype(np.float32)
    if rng.random() < 0.5:
        image = image * rng.uniform(0.8, 1.2, 3).astype(np.float32) * rng.uniform(0.75, 1.25)
        image = image + np.float32(rng.uniform(-20, 20))
    if rng.random() < 0.1:
        image = image.mean(2, keepdims=True).repeat(3, 2)
    if rng.random() < 0.15:
        grain = rng.standard_normal(image.shape, np.float32)
        image = image + grain * np.float32(rng.uniform(1, 9))
    return np.clip(image, 0, 255)


def recoloured(view: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Other hues and saturation: what a thing is hardly ever hangs on its colour."""
    hsv = cv2.cvtColor(view, cv2.COLOR_BGR2HSV)
    spread = 90 if rng.random() < 0.2 else 10
    hue = (hsv[..., 0].astype(np.int16) + int(rng.uniform(-spread, spread))) % 180
    saturation = np.minimum(hsv[..., 1] * np.float32(rng.uniform(0.5, 1.5)), 255)
    hsv[..., 0], hsv[..., 1] = hue, saturation
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)


def target(boxes: np.ndarray, visible: np.ndarray, unsure: bool = False) -> Target:
    """What is asked of the network. `unsure`: whether smaller things may be there without a box."""
    large = (boxes[:, 2:] - boxes[:, :2]).min(1, initial=1e9) >= SMALLEST_SIDE
    counted = (visible >= COUNTED_SHARE) & large
    ignored = (visible >= IGNORED_SHARE) & ~counted
    return Target(torch.from_numpy(boxes[counted]), torch.from_numpy(boxes[ignored]), unsure)


def sample(
    store: SceneStore, rng: np.random.Generator, size: int, sides: tuple[float, float]
) -> tuple[np.ndarray, Target]:
    """One picture, float 0...255, and what is asked of it."""
    if rng.random() < MOSAIC_SHARE:
        return mosaic(store, rng, size, sides)
    scene = store.drawn(rng)
    view, boxes, visible = transformed(scene, size, rng, sides)
    return developed(view, rng), target(boxes, visible, getattr(scene, "unsure", False))


def mosaic(
    store: SceneStore, rng: np.random.Generator, size: int, sides: tuple[float, float]
) -> tuple[np.ndarray, Target]:
    """Four windows of half the size side by side, of four scenes: things beside what is never so."""
    half = size // 2
    picture = np.empty((size, size, 3), np.float32)
    boxes, visible, unsure = [], [], False
    for corner in ((0, 0), (half, 0), (0, half), (half, half)):
        scene = store.drawn(rng)
        view, found, seen = transformed(scene, half, rng, (sides[0], sides[1] / 2))
        x, y = corner
        picture[y : y + half, x : x + half] = developed(view, rng)
        boxes.append(found + np.float32([x, y, x, y]))
        visible.append(seen)
        unsure |= getattr(scene, "unsure", False)
    return picture, target(np.concatenate(boxes), np.concatenate(visible), unsure)


class Samples:
    """Batches, prepared in threads ahead of their use."""

    def __init__(self, store: SceneStore, seed: int, size: int, batch: int,
                 sides: tuple[float, float], workers: int = 1) -> None:
        self.store, self.seed, self.size, self.batch, self.sides = store, seed, size, batch, sides
        self.pool, self.ahead = ThreadPoolExecutor(workers), workers + 1

    def _make(self, step: int) -> tuple[torch.Tensor, Targets]:
        parts = [
            sample(self.store, np.random.default_rng([self.seed, step * self.batch + k]),
                   self.size, self.sides)
            for k in range(self.batch)]
        pictures = torch.from_numpy(np.stack([view for view, _ in parts])).permute(0, 3, 1, 2)
        return (pictures.contiguous(memory_format=torch.channels_last),
                Targets.of([target for _, target in parts]))

    def batches(self, first: int, end: int):
        """Pictures `[B, 3, S, S]`, BGR 0...255, and targets, for the steps first..<end."""
        coming = [self.pool.submit(self._make, step)
                  for step in range(first, min(first + self.ahead, end))]
        for step in range(first, end):
            ready = coming.pop(0)
            if step + self.ahead < end:
                coming.append(self.pool.submit(self._make, step + self.ahead))
            yield ready.result()


class Loaded(IterableDataset):
    """Batches that processes prepare, for a GPU that one process would keep waiting.

    Each process looks for new shards after every batch that it made. Pictures are whole numbers on
    their way, `[B, S, S, 3]`.
    """

    def __init__(self, store: SceneStore, seed: int, size: int, batch: int,
                 sides: tuple[float, float]) -> None:
        self.store, self.seed, self.size, self.batch, self.sides = store, seed, size, batch, sides

    def __iter__(self):
        rng = np.random.default_rng([self.seed, get_worker_info().id])
        while True:
            self.store.refresh()
            parts = [sample(self.store, rng, self.size, self.sides) for _ in range(self.batch)]
            pictures = np.stack([view.round().astype(np.uint8) for view, _ in parts])
            yield torch.from_numpy(pictures), Targets.of([target for _, target in parts])

    def batches(self, loaders: int):
        """Pictures `[B, 3, S, S]`, BGR 0...255, and targets, without end."""
        pinned = torch.cuda.is_available()
        for pictures, targets in DataLoader(
                self, batch_size=None, num_workers=loaders, prefetch_factor=4, pin_memory=pinned,
                worker_init_fn=begin_loader):
            yield pictures.permute(0, 3, 1, 2), targets
