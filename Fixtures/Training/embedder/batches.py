"""Batches of crops, made in the training's own process or ahead of it by several loaders.

A loader is a process that makes whole batches, from random numbers of its own. It keeps pictures
that it has decoded and draws each several times, in batches far apart: decoding takes longer than
all that is done to a picture's crops.
"""

import functools
import glob
import os
import time
from dataclasses import dataclass

import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from scenes import shards
from together import begin_loader

from .crops import Crop, Pick, Scene, crops_of, network_input, training_picks
from .network import DEVIATION, MEAN
from .photographs import PhotographStream

SCENES_A_BATCH = 24
ONE_KIND_LEFT_OUT = 0.6
# A loader draws a picture so often before another takes its place. Of photographs there are few.
SCENE_TIMES, PHOTOGRAPH_TIMES = 4, 16
# A loader's batches are of so many crops or a multiple: a GPU plans its work anew for every size.
MULTIPLE = 32
AHEAD = 4  # batches that a loader makes ahead
PATIENCE = 180.0  # seconds that a loader waits for the first shard

Labels = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


class SceneStream:
    """Scenes of all shards, forever: a few shards at a time in memory, drawn at random."""

    def __init__(
        self, folder: str, rng: np.random.Generator, open_shards: int = 6, patience: float = 0.0
    ) -> None:
        """`patience`: for so many seconds the first shard may be waited for."""
        self.folder, self.rng, self.open_shards = folder, rng, open_shards
        self.patience = patience
        self.pool: list[shards.StoredScene] = []

    def paths(self) -> list[str]:
        """All shards that there are by now."""
        end = time.monotonic() + self.patience
        while not (paths := sorted(glob.glob(os.path.join(self.folder, "train-*.npz")))):
            if time.monotonic() >= end:
                raise SystemExit(f"{self.folder} holds no train-*.npz")
            time.sleep(0.5)
        return paths

    def next(self) -> shards.StoredScene:
        if not self.pool:
            paths = self.paths()
            for path in self.rng.choice(paths, min(self.open_shards, len(paths)), replace=False):
                self.pool += shards.read(path)
            self.rng.shuffle(self.pool)
        return self.pool.pop()


class Decoded:
    """A scene or photograph that keeps its picture once it was asked for."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.boxes, self.visible = scene.boxes, scene.visible
        self.kinds, self.kind_names = scene.kinds, scene.kind_names

    @functools.cached_property
    def image(self) -> np.ndarray:
        return self.scene.image


class Kept:
    """What a stream gives, each `times` times on average: drawn at random from `room` of it."""

    def __init__(
        self, stream: SceneStream | PhotographStream, room: int, times: int,
        rng: np.random.Generator,
    ) -> None:
        self.stream, self.room, self.times, self.rng = stream, room, times, rng
        self.kept: list[Decoded] = []

    def next(self) -> Decoded:
        if len(self.kept) < self.room:
            self.kept.append(Decoded(self.stream.next()))
            return self.kept[-1]
        place = self.rng.integers(self.room)
        if self.rng.random() < 1 / self.times:
            self.kept[place] = Decoded(self.stream.next())
        return self.kept[place]


class Batches:
    """Crops of some scenes and photographs, with what the loss has to know of each."""

    def __init__(
        self, shards_folder: str, photographs: list[str], share: float, rng: np.random.Generator,
        size: int = SCENES_A_BATCH, room: int = 0, patience: float = 0.0,
    ) -> None:
        """`share`: which part of a batch's `size` scenes are photographs; `room`: so many decoded
        scenes and so many photographs are kept; `patience`: as of `SceneStream`."""
        self.rng, self.size = rng, size
        self.scenes = SceneStream(shards_folder, rng, patience=patience)
        self.photographs = PhotographStream(photographs, rng)
        self.share = share if len(self.photographs) else 0.0
        if room:
            self.scenes = Kept(self.scenes, room, SCENE_TIMES, rng)
            self.photographs = Kept(self.photographs, room, PHOTOGRAPH_TIMES, rng)

    def crops(self) -> list[Crop]:
        """The crops of a batch."""
        crops = []
        for number in range(self.size):
            source = self.photographs if self.rng.random() < self.share else self.scenes
            found = []
            while not found:
                scene = source.next()
                picks = training_picks(scene, self.rng)
                if picks and not (source is self.scenes and self.passes_over(picks)):
                    found = crops_of(scene, picks, number, self.rng)
            crops += found
        return crops

    def next(self) -> tuple[torch.Tensor, Labels]:
        """The crops of a batch for the network and, for each, its scene, kind and family."""
        crops = self.crops()
        pixels = torch.from_numpy(np.stack([network_input(crop.pixels) for crop in crops]))
        scenes, kinds, families = torch.from_numpy(labels(crops))
        return pixels.to(memory_format=torch.channels_last), (scenes, kinds, families)

    def passes_over(self, picks: list[Pick]) -> bool:
        """Whether a scene is left out: of those of one kind, which tell none apart, many are."""
        return len({kind for kind, _ in picks}) == 1 and self.rng.random() < ONE_KIND_LEFT_OUT


def labels(crops: list[Crop]) -> np.ndarray:
    """[3, N]: of each crop its scene, its kind and its family's number in this batch."""
    numbers = {name: n for n, name in enumerate(sorted({crop.family for crop in crops}))}
    rows = [(crop.scene, crop.kind, numbers[crop.family]) for crop in crops]
    return np.array(rows, np.int64).T.copy()


@dataclass(frozen=True)
class Prepared(IterableDataset):
    """The batches of one loader, forever: crops as bytes [N, 3, 64, 64] and `labels`.

    They are arrays, not tensors: those would go through shared memory, and a container may have
    little of it.
    """

    shards: str
    photographs: list[str]
    share: float
    size: int
    room: int
    seed: list[int]

    def __iter__(self):
        rng = np.random.default_rng([*self.seed, 1 + get_worker_info().id])
        batches = Batches(
            self.shards, self.photographs, self.share, rng, self.size, self.room, PATIENCE)
        while True:
            crops = batches.crops()
            crops = crops[: len(crops) // MULTIPLE * MULTIPLE] or crops
            pixels = np.stack([crop.pixels.transpose(2, 0, 1) for crop in crops])
            yield np.rint(pixels, out=pixels).astype(np.uint8), labels(crops)


def unchanged(batch):
    """What a loader passes on is a batch as it is."""
    return batch


class Loaders:
    """Batches that several processes make ahead, in the order in which they are done."""

    def __init__(self, prepared: Prepared, count: int, device: str) -> None:
        self.device = device
        # Forked processes would share the states of CUDA and of OpenCV's threads with this one.
        self.batches = iter(DataLoader(
            prepared, batch_size=None, num_workers=count, prefetch_factor=AHEAD, in_order=False,
            collate_fn=unchanged, worker_init_fn=begin_loader, timeout=2 * PATIENCE,
            multiprocessing_context="spawn", pin_memory=device != "cpu"))

    def next(self) -> tuple[torch.Tensor, Labels]:
        """As that of `Batches`, on the device."""
        pixels, (scenes, kinds, families) = (self.moved(array) for array in next(self.batches))
        pixels = (pixels.float() / 255 - MEAN) / DEVIATION
        return pixels.to(memory_format=torch.channels_last), (scenes, kinds, families)

    def moved(self, array: np.ndarray) -> torch.Tensor:
        """The array on the device, without waiting for what the device is doing."""
        tensor = torch.from_numpy(array)
        if self.device == "cpu":
            return tensor
        return tensor.pin_memory().to(self.device, non_blocking=True)
