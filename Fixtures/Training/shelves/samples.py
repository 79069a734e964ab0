"""Batches of windows that shelves.shards rendered: uint8 images [N, 3, S, S] and planes [N, 8, S/2, S/2]."""

import glob
import os
import re
import time
from itertools import islice

import cv2
import numpy as np
import torch
from torch.utils import data

from together import begin_loader

from . import labels

SIDE, BATCH = 320, 8
# A loader reads so many new windows with every batch it gives.
FRESH = 16
# After so many seconds without a batch something is wrong.
PATIENCE = 300


def shards(folder):
    """The paths of all shards that are written to the end."""
    paths = glob.glob(os.path.join(folder, "shelves-*.npz"))
    return [p for p in paths if ".tmp" not in p]


def read(path):
    """(image, planes) of a shard, as they were rendered."""
    with np.load(path) as file:
        images, planes = file["images"], file["planes"]
        image_ends, plane_ends = file["image_ends"], file["plane_ends"]
    starts = zip(np.r_[0, image_ends[:-1]], image_ends, np.r_[0, plane_ends[:-1]], plane_ends)
    for a, b, c, d in starts:
        image = cv2.imdecode(images[a:b], cv2.IMREAD_COLOR)
        plane = cv2.imdecode(planes[c:d], cv2.IMREAD_UNCHANGED)
        yield image.transpose(2, 0, 1), plane.reshape(8, -1, plane.shape[1])


def cut(image, planes, side, rng):
    """A crop of `side`, mirrored at times; the whole window as it is without a side."""
    if side is None:
        return image, planes
    x, y = (2 * int(v) for v in rng.integers(0, (image.shape[1] - side) // 2 + 1, 2))
    image = image[:, y : y + side, x : x + side]
    planes = planes[:, y // 2 : (y + side) // 2, x // 2 : (x + side) // 2]
    if rng.random() < 0.3:
        image, planes = image[:, :, ::-1], planes[:, :, ::-1].copy()
        planes[labels.SINE] = (256 - planes[labels.SINE].astype(int)).clip(1, 255)
    return image, planes


def stacked(pairs):
    images, planes = zip(*pairs)
    return torch.from_numpy(np.stack(images)), torch.from_numpy(np.stack(planes))


class Stream:
    """Samples of all shards, in turn, the newest and those seen least first."""

    def __init__(self, folder, rng, side=SIDE, batch=BATCH):
        self.folder, self.rng, self.side, self.count = folder, rng, side, batch
        self.seen, self.pool = {}, []

    def next(self):
        while len(self.pool) < 300:
            paths = shards(self.folder)
            least = min(self.seen.get(p, 0) for p in paths)
            path = str(self.rng.choice([p for p in paths if self.seen.get(p, 0) == least]))
            self.seen[path] = least + 1
            self.pool += list(read(path))
            self.rng.shuffle(self.pool)
        return self.pool.pop()

    def batch(self):
        return stacked([cut(*self.next(), self.side, self.rng) for _ in range(self.count)])


class Held(data.IterableDataset):
    """Batches without end, of windows that stay in memory as they were decoded, taken at random.

    Every loader has shards of its own: all that are there before its first batch, new ones as they come. When it holds
    `limit` windows, a new one takes the place of the oldest.
    """

    def __init__(self, folder, seed, side, batch, limit):
        self.folder, self.seed, self.side, self.count, self.limit = folder, seed, side, batch, limit

    def fresh(self, number, loaders):
        """Windows that were not read yet; None when there is none at the moment."""
        known = set()
        while True:
            paths = set(shards(self.folder)) - known
            known |= paths
            # Renderers number their shards alike, each with a seed of its own.
            mine = sorted(p for p in paths if sum(map(int, re.findall(r"\d+", os.path.basename(p)))) % loaders == number)
            for path in mine:
                yield from read(path)
            if not mine:
                yield None

    def __iter__(self):
        worker = data.get_worker_info()
        number, loaders = (worker.id, worker.num_workers) if worker else (0, 1)
        rng = np.random.default_rng([*self.seed, number])
        fresh, held, taken = self.fresh(number, loaders), [], 0
        while True:
            for window in islice(fresh, FRESH if held else None):
                if window is None:
                    break
                window = tuple(map(np.ascontiguousarray, window))
                if len(held) < self.limit:
                    held.append(window)
                else:
                    held[taken % self.limit] = window
                taken += 1
            if held:
                yield stacked([cut(*held[i], self.side, rng) for i in rng.integers(0, len(held), self.count)])
            else:
                time.sleep(0.5)


def prepared(held, loaders, pinned):
    """Batches that so many processes prepare ahead, in whatever order they come."""
    return iter(data.DataLoader(
        held, batch_size=None, num_workers=loaders, prefetch_factor=4, in_order=False, pin_memory=pinned,
        timeout=PATIENCE, worker_init_fn=begin_loader))
