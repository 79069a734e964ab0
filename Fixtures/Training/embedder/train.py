"""Trains the embedder on rendered scenes; stops and goes on at any time.

    python -m embedder.train SHARDS_FOLDER STATE_FOLDER [--steps N] [--minutes M]
    python -m embedder.train SHARDS_FOLDER STATE_FOLDER --start unfolded.pt --rate 5e-4 --falling 1
        --photographs FOLDER FOLDER --photograph-share 0.3 --minutes 40 --finish

Reads the shards `train-*.npz` of the folder, new ones as they come, and `held-out-*.npz` to measure.
Writes `state.pt` every two minutes (network, average, optimiser, step) and `log.csv`. A rate that is
constant and falls to nothing over the last quarter of the steps: raise `--steps` before that, and
the run goes on as if it had been planned so.

`--start` takes the weights of a state that `embedder.unfold` made of an exported file. `--photographs`
mixes labelled photographs in. With `--finish` it is the minutes, not the steps, over which the rate
falls: on a busy machine nobody knows how many steps there will be.
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
from .photographs import PhotographStream

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


class Batches:
    """Crops of some scenes and photographs, with what the loss has to know of each."""

    def __init__(
        self, shards_folder: str, photographs: list[str], share: float, rng: np.random.Generator
    ) -> None:
        """`share`: which part of a batch's scenes are photographs."""
        self.rng = rng
        self.scenes = SceneStream(shards_folder, rng)
        self.photographs = PhotographStream(photographs, rng)
        self.share = share if len(self.photographs) else 0.0

    def next(self) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
        """The crops of a batch and, for each, its scene, kind and family."""
        crops = []
        for number in range(SCENES_A_BATCH):
            source = self.photographs if self.rng.random() < self.share else self.scenes
            found = []
            while not found:
                found = training_crops(source.next(), number, self.rng)
            crops += found
        pixels = torch.from_numpy(np.stack([network_input(crop.pixels) for crop in crops]))
        scenes = torch.tensor([crop.scene for crop in crops])
        kinds = torch.tensor([crop.kind for crop in crops])
        names = sorted({crop.family for crop in crops})
        families = torch.tensor([names.index(crop.family) for crop in crops])
        return pixels.to(memory_format=torch.channels_last), (scenes, kinds, families)


def rate(step: int, done: float, falling: float) -> float:
    """The share of the full rate: a short rise, level, then straight down to 0.

    `done` is how much of the training is behind, 0...1, and `falling` over which part of it, the last,
    the rate falls.
    """
    return max(0.0, min((step + 1) / 200, 1.0, (1 - done) / falling))


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
    parser.add_argument("--finish", action="store_true", help="the rate is 0 when the minutes are over")
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--falling", type=float, default=FINAL_SHARE, help="a share of the steps")
    parser.add_argument("--start", help="a state of embedder.unfold")
    parser.add_argument("--photographs", nargs="*", default=[], help="folders")
    parser.add_argument("--photograph-share", type=float, default=0.3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--measure-every", type=int, default=500)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    os.makedirs(options.state, exist_ok=True)
    state_path = os.path.join(options.state, "state.pt")
    network = Embedder().to(memory_format=torch.channels_last)
    if options.start:
        network.load_state_dict(torch.load(options.start)["network"])
    average = Embedder()
    average.load_state_dict(network.state_dict())
    optimiser = torch.optim.AdamW(network.parameters(), options.rate, weight_decay=DECAY)
    step, spent = 0, 0.0
    if os.path.exists(state_path):
        state = torch.load(state_path)
        network.load_state_dict(state["network"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent = state["step"], state.get("seconds", 0.0)
    rng = np.random.default_rng([1, step])
    batches = Batches(options.shards, options.photographs, options.photograph_share, rng)
    held_out = held_out_crops(
        sorted(glob.glob(os.path.join(options.shards, "held-out-*.npz"))), 150
    )

    def save() -> None:
        state = {
            "network": network.state_dict(), "average": average.state_dict(),
            "optimiser": optimiser.state_dict(), "step": step,
            "seconds": time.monotonic() - start,
        }
        torch.save(state, state_path + ".partial")
        os.replace(state_path + ".partial", state_path)

    # With `--finish` the minutes are those of all runs together.
    start = time.monotonic() - (spent if options.finish else 0.0)
    saved, losses, things, first = time.monotonic(), [], 0, time.monotonic()
    while step < options.steps and time.monotonic() - start < 60 * options.minutes:
        pixels, labels = batches.next()
        done = step / options.steps
        if options.finish:
            done = max(done, (time.monotonic() - start) / (60 * options.minutes))
        for group in optimiser.param_groups:
            group["lr"] = options.rate * rate(step, done, options.falling)
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
            pace = things / (time.monotonic() - first)
            print(row, f"{pace:.0f} things/s", flush=True)
            losses = []
        if time.monotonic() - saved > 120:
            save()
            saved = time.monotonic()
    save()


if __name__ == "__main__":
    main()
