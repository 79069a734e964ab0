"""Trains the embedder on rendered scenes; stops and goes on at any time.

    python -m embedder.train SHARDS_FOLDER STATE_FOLDER [--steps N] [--minutes M]

Reads the shards `train-*.npz` of the folder, new ones as they come, and `held-out-*.npz` to measure.
Writes `state.pt` every few minutes (network, average, optimiser, step) and `log.csv`. A rate that is
constant and falls to nothing over the last quarter of the steps: raise `--steps` before that, and
the run goes on as if it had been planned so.
"""

import argparse
import csv
import glob
import os
import time

import numpy as np
import torch
from torch.nn import functional

from scenes import shards

from .crops import network_input, training_crops
from .evaluate import figures, held_out_crops, normalised
from .loss import contrastive_loss
from .network import Embedder

RATE, DECAY, AVERAGE = 2e-3, 0.02, 0.998
TEMPERATURE, SCENE_WEIGHT = 0.1, 4.0
SCENES_A_BATCH = 16
FINAL_SHARE = 0.25


class SceneStream:
    """Scenes of all shards, forever: a few shards at a time in memory, drawn at random."""

    def __init__(self, folder: str, rng: np.random.Generator, open_shards: int = 6) -> None:
        self.folder, self.rng, self.open_shards = folder, rng, open_shards
        self.pool: list[shards.StoredScene] = []

    def next(self) -> shards.StoredScene:
        if not self.pool:
            paths = sorted(glob.glob(os.path.join(self.folder, "train-*.npz")))
            if not paths:
                raise SystemExit(f"{self.folder} holds no train-*.npz")
            for path in self.rng.choice(paths, min(self.open_shards, len(paths)), replace=False):
                self.pool += shards.read(path)
            self.rng.shuffle(self.pool)
        return self.pool.pop()


def batch(stream: SceneStream, rng: np.random.Generator):
    """Crops of some scenes, with what the loss has to know of each."""
    crops = []
    for number in range(SCENES_A_BATCH):
        found = []
        while not found:
            found = training_crops(stream.next(), number, rng)
        crops += found
    pixels = torch.from_numpy(np.stack([network_input(crop.pixels) for crop in crops]))
    scenes = torch.tensor([crop.scene for crop in crops])
    kinds = torch.tensor([crop.kind for crop in crops])
    names = sorted({crop.family for crop in crops})
    families = torch.tensor([names.index(crop.family) for crop in crops])
    return pixels.to(memory_format=torch.channels_last), (scenes, kinds, families)


def rate(step: int, steps: int) -> float:
    """The share of the full rate at a step: a short rise, level, then straight down to 0."""
    return min((step + 1) / 200, 1.0, (steps - step) / (FINAL_SHARE * steps))


@torch.no_grad()
def embed(network: Embedder, crops) -> np.ndarray:
    network.eval()
    rows = []
    for start in range(0, len(crops), 256):
        pixels = np.stack([network_input(c.pixels) for c in crops[start : start + 256]])
        rows.append(network(torch.from_numpy(pixels)).numpy().astype(np.float64))
    return normalised(np.concatenate(rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shards")
    parser.add_argument("state")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop, with the state saved")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--measure-every", type=int, default=500)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    os.makedirs(options.state, exist_ok=True)
    state_path = os.path.join(options.state, "state.pt")
    network = Embedder().to(memory_format=torch.channels_last)
    average = Embedder()
    average.load_state_dict(network.state_dict())
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    step = 0
    if os.path.exists(state_path):
        state = torch.load(state_path)
        network.load_state_dict(state["network"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        step = state["step"]
    rng = np.random.default_rng([1, step])
    stream = SceneStream(options.shards, rng)
    held_out = held_out_crops(
        sorted(glob.glob(os.path.join(options.shards, "held-out-*.npz"))), 150
    )

    def save() -> None:
        state = {
            "network": network.state_dict(), "average": average.state_dict(),
            "optimiser": optimiser.state_dict(), "step": step,
        }
        torch.save(state, state_path + ".partial")
        os.replace(state_path + ".partial", state_path)

    start, saved, losses, things = time.monotonic(), time.monotonic(), [], 0
    while step < options.steps and time.monotonic() - start < 60 * options.minutes:
        pixels, labels = batch(stream, rng)
        for group in optimiser.param_groups:
            group["lr"] = RATE * rate(step, options.steps)
        network.train()
        rows = functional.normalize(network(pixels))
        loss = contrastive_loss(rows, *labels, TEMPERATURE, SCENE_WEIGHT)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        step += 1
        things += len(pixels)
        losses.append(loss.item())
        # Early on, the average would be that of beginnings.
        keep = min(AVERAGE, (1 + step) / (10 + step))
        with torch.no_grad():
            for ours, theirs in zip(
                average.state_dict().values(), network.state_dict().values(), strict=True
            ):
                if ours.is_floating_point():
                    ours.lerp_(theirs, 1 - keep)
                else:
                    ours.copy_(theirs)
        if step % options.measure_every == 0 or step == options.steps:
            found = figures(embed(average, held_out), held_out) if held_out else {}
            row = {"step": step, "loss": f"{np.mean(losses):.4f}"}
            row |= {name: f"{value:.4f}" for name, value in found.items()}
            with open(os.path.join(options.state, "log.csv"), "a", newline="") as file:
                writer = csv.DictWriter(file, row)
                if file.tell() == 0:
                    writer.writeheader()
                writer.writerow(row)
            pace = things / (time.monotonic() - start)
            print(row, f"{pace:.0f} things/s", flush=True)
            losses = []
        if time.monotonic() - saved > 120:
            save()
            saved = time.monotonic()
    save()


if __name__ == "__main__":
    main()
