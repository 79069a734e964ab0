"""Trains the network that sees spines; stops and goes on at any time.

    python -m shelves.train SHARDS STATE.pt --minutes 60 [--start STATE.pt]

Reads `shelves-*.npz` of the folder, new ones as they come. Writes STATE.pt every two minutes (network, average,
optimiser, samples) and STATE.csv. The rate falls to nothing over the minutes, as on a busy machine nobody knows how many
steps there will be. Without a state and a start it begins with EfficientNet-Lite0's published weights.
"""

import argparse
import csv
import glob
import math
import os
import time

import cv2
import numpy as np
import torch
from torch.nn import functional

from . import labels
from .network import SpineNetwork, with_published_weights

SIDE, BATCH = 320, 8


def read(path):
    """(image, planes) of a shard, as they were rendered."""
    with np.load(path) as file:
        images, planes = file["images"], file["planes"]
        image_ends, plane_ends = file["image_ends"], file["plane_ends"]
    starts = zip(np.r_[0, image_ends[:-1]], image_ends, np.r_[0, plane_ends[:-1]], plane_ends)
    for a, b, c, d in starts:
        image = cv2.imdecode(images[a:b], cv2.IMREAD_COLOR)
        plane = cv2.imdecode(planes[c:d], cv2.IMREAD_UNCHANGED)
        yield image, plane.reshape(8, -1, plane.shape[1])


class Stream:
    """Samples of all shards, in turn, the newest and those seen least first."""

    def __init__(self, folder, rng):
        self.folder, self.rng, self.seen, self.pool = folder, rng, {}, []

    def next(self):
        while len(self.pool) < 300:
            paths = glob.glob(os.path.join(self.folder, "shelves-*.npz"))
            paths = [p for p in paths if ".tmp" not in p]
            least = min(self.seen.get(p, 0) for p in paths)
            path = str(self.rng.choice([p for p in paths if self.seen.get(p, 0) == least]))
            self.seen[path] = least + 1
            self.pool += list(read(path))
            self.rng.shuffle(self.pool)
        return self.pool.pop()

    def batch(self):
        images, planes = [], []
        for _ in range(BATCH):
            image, plane = self.next()
            x, y = (2 * int(v) for v in self.rng.integers(0, (image.shape[0] - SIDE) // 2 + 1, 2))
            image = image[y : y + SIDE, x : x + SIDE]
            plane = plane[:, y // 2 : (y + SIDE) // 2, x // 2 : (x + SIDE) // 2]
            if self.rng.random() < 0.3:
                image, plane = image[:, ::-1], plane[:, :, ::-1].copy()
                plane[labels.SINE] = (256 - plane[labels.SINE].astype(int)).clip(1, 255)
            images.append(np.ascontiguousarray(image.transpose(2, 0, 1)))
            planes.append(np.ascontiguousarray(plane))
        return torch.from_numpy(np.stack(images)).float(), torch.from_numpy(np.stack(planes))


def loss_of(output, planes):
    weight = (planes[:, labels.WEIGHT] > 0).float()
    others = (planes[:, labels.WEIGHT] == 1).float()
    target = planes[:, :5].float()
    raw = functional.binary_cross_entropy_with_logits(output[:, :5], target, reduction="none")
    raw = raw * torch.stack([weight, weight, weight, others, others], 1)
    # Sides are thin, and what they cost has to count.
    raw = raw * torch.tensor([1.0, 1.5, 1.5, 0.5, 0.3]).view(1, 5, 1, 1)
    focus = raw[:, 2] * (1 + 2 * target[:, 2])
    cross = raw[:, 0].mean() + raw[:, 1].mean() + focus.mean() + raw[:, 3].mean() + raw[:, 4].mean()
    probability = output[:, :2].sigmoid() * weight[:, None]
    overlap = (probability * target[:, :2]).sum((2, 3))
    dice = 1 - (2 * overlap + 50) / (probability.sum((2, 3)) + (target[:, :2] * weight[:, None]).sum((2, 3)) + 50)
    inside = target[:, 0] * weight
    direction = functional.normalize(output[:, 5:7], dim=1, eps=1e-3)
    wanted = (planes[:, labels.COSINE : labels.SINE + 1].float() - 128) / 127
    turned = ((1 - (direction * wanted).sum(1)) * inside).sum() / (inside.sum() + 1)
    return cross + 0.5 * dice.mean() + 0.3 * turned, (cross, dice.mean(), turned)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shards")
    parser.add_argument("state")
    parser.add_argument("--start")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    source = options.state if os.path.exists(options.state) else options.start
    network = SpineNetwork() if source else with_published_weights()
    network = network.to(memory_format=torch.channels_last)
    average = {name: value.clone() for name, value in network.state_dict().items()}
    samples = 0
    network.train()
    early = [p for n, p in network.named_parameters() if n.startswith("stages") and p.requires_grad]
    late = [p for n, p in network.named_parameters() if not n.startswith("stages") and p.requires_grad]
    optimiser = torch.optim.AdamW([{"params": early, "scale": 0.3}, {"params": late, "scale": 1.0}], lr=options.rate,
                                  weight_decay=0.02)
    if source:
        state = torch.load(source, weights_only=True)
        network.load_state_dict(state["network"])
        average = state["average"]
        samples = state["samples"]
        if "optimiser" in state and source == options.state:
            optimiser.load_state_dict(state["optimiser"])
    stream = Stream(options.shards, np.random.default_rng([options.seed, samples]))
    start = last = time.time()
    sums, count = np.zeros(4), 0
    while True:
        share = (time.time() - start) / 60 / options.minutes
        if share >= 1:
            break
        warm = min(1, (count + 1) / 200) if not source else 1
        rate = options.rate * warm * (0.5 * (1 + math.cos(math.pi * share)) + 0.003)
        for group in optimiser.param_groups:
            group["lr"] = rate * group["scale"]
        images, planes = stream.batch()
        loss, parts = loss_of(network(images.contiguous(memory_format=torch.channels_last)), planes)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5)
        optimiser.step()
        samples += BATCH
        count += 1
        keep = min(0.998, count / (count + 20))
        with torch.no_grad():
            for name, value in network.state_dict().items():
                if value.dtype.is_floating_point:
                    average[name].lerp_(value, 1 - keep)
                else:
                    average[name].copy_(value)
        sums += [float(loss.detach()), *(float(p.detach()) for p in parts)]
        if count % 50 == 0:
            row = [samples, round(time.time() - start), f"{rate:.2e}", *(f"{v / 50:.4f}" for v in sums)]
            print(*row, flush=True)
            with open(options.state + ".csv", "a") as file:
                csv.writer(file).writerow(row)
            sums[:] = 0
        if time.time() - last > 120:
            save(options.state, network, average, optimiser, samples)
            last = time.time()
    save(options.state, network, average, optimiser, samples)


def save(path, network, average, optimiser, samples):
    torch.save({"network": network.state_dict(), "average": average, "optimiser": optimiser.state_dict(),
                "samples": samples}, path + ".tmp")
    os.replace(path + ".tmp", path)


if __name__ == "__main__":
    main()
