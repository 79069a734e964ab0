"""Trains the network that sees spines; stops and goes on at any time.

    python -m shelves.train SHARDS STATE.pt --minutes 60 [--start STATE.pt]

Reads `shelves-*.npz` of the folder, new ones as they come. Writes STATE.pt every two minutes (network, average,
optimiser, samples) and STATE.csv. The rate falls to nothing over the minutes, as on a busy machine nobody knows how many
steps there will be. Without a state and a start it begins with EfficientNet-Lite0's published weights.

With a GPU:  --device cuda --loaders 4 --batch 64 --augment. Loaders are processes that hold windows in memory and wait
for shards that are still to come; a state of a GPU is as good as any on a CPU.
"""

import argparse
import csv
import itertools
import math
import os
import sys
import time

import cv2
import numpy as np
import torch
from torch.nn import functional

from . import labels
from .augment import Augmentation
from .network import SpineNetwork, with_published_weights
from .samples import BATCH, SIDE, Held, Stream, prepared

# Of what each plane of probabilities costs. Sides are thin, and what they cost has to count.
COSTS = (1.0, 1.5, 1.5, 0.5, 0.3)
# Steps between rows of the log.
REPORT = 50


def loss_of(output, planes):
    weight = (planes[:, labels.WEIGHT] > 0).float()
    others = (planes[:, labels.WEIGHT] == 1).float()
    target = planes[:, :5].float()
    raw = functional.binary_cross_entropy_with_logits(output[:, :5], target, reduction="none")
    raw = raw * torch.stack([c * w for c, w in zip(COSTS, (weight, weight, weight, others, others))], 1)
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


class Average:
    """Exponential moving average of all a network's values, short at first."""

    def __init__(self, network, decay):
        self.values = {name: value.clone() for name, value in network.state_dict().items()}
        self.decay, self.updates = decay, 0
        pairs = [(self.values[name], value) for name, value in network.state_dict().items()]
        self.averaged, self.current = zip(*(pair for pair in pairs if pair[1].dtype.is_floating_point))
        self.counted = [pair for pair in pairs if not pair[1].dtype.is_floating_point]

    def load(self, values):
        for name, value in self.values.items():
            value.copy_(values[name])

    @torch.no_grad()
    def update(self):
        self.updates += 1
        keep = min(self.decay, self.updates / (self.updates + 20))
        torch._foreach_lerp_(self.averaged, self.current, 1 - keep)
        for mine, value in self.counted:
            mine.copy_(value)


def batches(options, samples):
    """Pairs of uint8 images and planes, without end."""
    side = None if options.augment else options.size
    if options.loaders:
        held = Held(options.shards, [options.seed, samples], side, options.batch, options.windows)
        return prepared(held, options.loaders, options.device != "cpu")
    stream = Stream(options.shards, np.random.default_rng([options.seed, samples]), side, options.batch)
    return (stream.batch() for _ in itertools.count())


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shards")
    parser.add_argument("state")
    parser.add_argument("--start", help="state to begin with, of unfold.py")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--warm-up", type=int, help="steps; if not given, 200 with published weights, else none")
    parser.add_argument("--decay", type=float, default=0.998, help="of the average")
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--size", type=int, default=SIDE, help="side of the crops, up to the window's %d" % labels.WINDOW)
    parser.add_argument("--augment", action="store_true", help="other scales, light and noise, on the device")
    parser.add_argument("--unfrozen", action="store_true", help="train the stem and the first stages, too")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--loaders", type=int, default=0, help="processes that prepare batches; 0: this one does")
    parser.add_argument("--windows", type=int, default=8000, help="that each loader holds in memory, 0.9 MB each")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.size % 32 or not 0 < options.size <= labels.WINDOW:
        parser.error(f"--size is a multiple of 32 up to {labels.WINDOW}")
    if options.warm_up is None:
        options.warm_up = 0 if options.start or os.path.exists(options.state) else 200
    return options


def main():
    options = parsed()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    device, on_gpu = options.device, options.device != "cpu"
    source = options.state if os.path.exists(options.state) else options.start
    state = torch.load(source, map_location="cpu", weights_only=True) if source else {"samples": 0}
    samples = state["samples"]
    # Loaders are forked before anything is on the device.
    stream = batches(options, samples)
    frozen = not options.unfrozen
    network = SpineNetwork(frozen) if source else with_published_weights(frozen)
    network = network.to(device, memory_format=torch.channels_last)
    average = Average(network, options.decay)
    network.train()
    early, late = [], []
    for name, parameter in network.named_parameters():
        if parameter.requires_grad:
            (early if name.startswith(("stem", "stages")) else late).append(parameter)
    optimiser = torch.optim.AdamW([{"params": early, "scale": 0.3}, {"params": late, "scale": 1.0}], lr=options.rate,
                                  weight_decay=0.02)
    if source:
        network.load_state_dict(state["network"])
        average.load(state["average"])
        if "optimiser" in state and source == options.state:
            optimiser.load_state_dict(state["optimiser"])
    augmentation = Augmentation(options.size, device, options.seed + samples) if options.augment else None
    torch.backends.cudnn.benchmark = on_gpu
    start = last = time.time()
    # Sums stay on the device, which nothing waits for but a report.
    sums, count, waited = torch.zeros(4, dtype=torch.float64, device=device), 0, 0.0
    while True:
        share = (time.time() - start) / 60 / options.minutes
        if share >= 1:
            break
        warm = min(1, (count + 1) / max(1, options.warm_up))
        rate = options.rate * warm * (0.5 * (1 + math.cos(math.pi * share)) + 0.003)
        for group in optimiser.param_groups:
            group["lr"] = rate * group["scale"]
        before = time.time()
        images, planes = next(stream)
        waited += time.time() - before
        images, planes = images.to(device, non_blocking=True), planes.to(device, non_blocking=True)
        images, planes = augmentation(images, planes) if augmentation else (images.float(), planes)
        # Half precision pays on a GPU alone.
        with torch.autocast(device, torch.bfloat16, enabled=on_gpu):
            output = network(images.contiguous(memory_format=torch.channels_last))
        loss, parts = loss_of(output.float(), planes)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5)
        optimiser.step()
        average.update()
        samples += options.batch
        count += 1
        sums += torch.stack([loss.detach(), *(p.detach() for p in parts)])
        if count % REPORT == 0:
            means = (sums / REPORT).tolist()
            if not math.isfinite(means[0]):
                sys.exit("the loss is not a number; the state stays as it was saved last")
            row = [samples, round(time.time() - start), f"{rate:.2e}", *(f"{v:.4f}" for v in means)]
            print(*row, f"waited {waited:.0f}", flush=True)
            with open(options.state + ".csv", "a") as file:
                csv.writer(file).writerow(row)
            sums.zero_()
        if time.time() - last > (60 if on_gpu else 120):
            save(options.state, network, average, optimiser, samples)
            last = time.time()
    save(options.state, network, average, optimiser, samples)


def save(path, network, average, optimiser, samples):
    torch.save({"network": network.state_dict(), "average": average.values, "optimiser": optimiser.state_dict(),
                "samples": samples}, path + ".tmp")
    os.replace(path + ".tmp", path)


if __name__ == "__main__":
    main()
