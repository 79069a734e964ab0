"""Trains the embedder on scenes and photographs; stops and goes on at any time.

    python -m embedder.train SHARDS_FOLDER STATE_FOLDER --start STATE.pt [--steps N] [--minutes M]
        [--photographs FOLDER... --photograph-share 0.5] [--processes 2] [--finish --falling 1]
        [--device cuda --loaders 4 --cache 1000 --scenes-a-batch 96]

Reads the shards `train-*.npz` of the folder, new ones as they come, and `held-out-*.npz` to measure.
Writes `state.pt` every two minutes (network, average, optimiser, step) and `log.csv`. A rate that is
constant and falls to nothing over the last quarter of the steps: raise `--steps` before that, and
the run goes on as if it had been planned so.

`--start` takes the weights that `embedder.pretrained` or `embedder.unfold` made a state of; it is
needed only where STATE_FOLDER has no state yet. `--photographs` mixes labelled photographs in. With
`--finish` it is the minutes, not the steps, over which the rate falls: on a busy machine nobody
knows how many steps there will be.

`--device cuda` trains on a GPU and saves every minute. One process cannot feed it: `--loaders` says
how many make batches ahead. They wait for the first shard, and the minutes count meanwhile.
"""

import argparse
import csv
import glob
import os
import time

import numpy as np
import torch
from torch.nn import functional

from together import greatest, run_processes, share_gradients

from .batches import SCENES_A_BATCH, Batches, Loaders, Prepared
from .crops import Crop, network_input
from .evaluate import figures, held_out_crops, normalised
from .loss import contrastive_loss
from .network import Embedder

RATE, DECAY, AVERAGE = 2e-3, 0.02, 0.998
TEMPERATURE, SCENE_WEIGHT = 0.1, 4.0
FINAL_SHARE = 0.25


def rate(step: int, done: float, falling: float) -> float:
    """The share of the full rate: a short rise, level, then straight down to 0.

    `done` is how much of the training is behind, 0...1, and `falling` over which part of it, the last,
    the rate falls.
    """
    return max(0.0, min((step + 1) / 200, 1.0, (1 - done) / falling))


@torch.no_grad()
def embed(network: Embedder, crops: list[Crop], device: str) -> np.ndarray:
    network.eval()
    rows = []
    for start in range(0, len(crops), 256):
        pixels = np.stack([network_input(c.pixels) for c in crops[start : start + 256]])
        found = network(torch.from_numpy(pixels).to(device))
        rows.append(found.cpu().numpy().astype(np.float64))
    return normalised(np.concatenate(rows))


class Run:
    """Network, average, optimiser, step and the seconds behind: all that a state file holds."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.path = os.path.join(options.state, "state.pt")
        self.device, self.decay = options.device, options.decay
        self.network = Embedder(frozen=not options.unfrozen).to(
            self.device, memory_format=torch.channels_last)
        self.average = Embedder().to(self.device)
        self.optimiser = torch.optim.AdamW(
            self.network.parameters(), options.rate, weight_decay=DECAY)
        self.step, self.seconds = 0, 0.0
        if os.path.exists(self.path):
            state = torch.load(self.path, map_location="cpu")
            self.network.load_state_dict(state["network"])
            self.average.load_state_dict(state["average"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.step, self.seconds = state["step"], state["seconds"]
            return
        if not options.start:
            # The first layers are never trained, so they must have been trained before.
            raise SystemExit(f"{self.path} is not there: a new training needs --start")
        self.network.load_state_dict(torch.load(options.start, map_location="cpu")["network"])
        self.average.load_state_dict(self.network.state_dict())

    def rows(self, pixels: torch.Tensor) -> torch.Tensor:
        """The embeddings in training, of length 1. Half precision pays on a GPU alone."""
        on_gpu = self.device != "cpu"
        with torch.autocast(self.device, torch.bfloat16, enabled=on_gpu):
            features = self.network.features(pixels)
        return functional.normalize(self.network.project(features.float()))

    def save(self) -> None:
        """Writes the state at once or not at all."""
        state = {
            "network": self.network.state_dict(), "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(), "step": self.step, "seconds": self.seconds,
        }
        torch.save(state, self.path + ".partial")
        os.replace(self.path + ".partial", self.path)

    def update_average(self) -> None:
        # Early on, the average would be that of beginnings.
        keep = min(self.decay, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            for ours, theirs in zip(
                self.average.state_dict().values(), self.network.state_dict().values(), strict=True
            ):
                if ours.is_floating_point():
                    ours.lerp_(theirs, 1 - keep)
                else:
                    ours.copy_(theirs)


def batches_of(options: argparse.Namespace, seed: list[int]) -> Batches | Loaders:
    """Batches from this process, or from loaders beside it."""
    source = (options.shards, options.photographs, options.photograph_share)
    if not options.loaders:
        return Batches(*source, np.random.default_rng(seed), options.scenes_a_batch)
    prepared = Prepared(*source, options.scenes_a_batch, options.cache, seed)
    return Loaders(prepared, options.loaders, options.device)


def train(options: argparse.Namespace, rank: int) -> None:
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(1)
    os.makedirs(options.state, exist_ok=True)
    run = Run(options)
    batches = batches_of(options, [1 + rank, run.step])
    paths = sorted(glob.glob(os.path.join(options.shards, "held-out-*.npz")))
    held_out = held_out_crops(paths, 150) if rank == 0 else []
    start, before = time.monotonic(), run.seconds
    saved, measured, losses, things = start, start, [], 0
    while True:
        run.seconds = before + time.monotonic() - start
        # With `--finish` the minutes are those of all runs together.
        minutes = (run.seconds if options.finish else run.seconds - before) / 60 / options.minutes
        done = run.step / options.steps
        over = greatest(max(done, minutes))
        if over >= 1:
            break
        for group in run.optimiser.param_groups:
            falling = over if options.finish else done
            group["lr"] = options.rate * rate(run.step, falling, options.falling)
        pixels, labels = batches.next()
        run.network.train()
        loss = contrastive_loss(run.rows(pixels), *labels, TEMPERATURE, SCENE_WEIGHT)
        run.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        share_gradients(run.network)
        torch.nn.utils.clip_grad_norm_(run.network.parameters(), 5.0)
        run.optimiser.step()
        run.step += 1
        run.update_average()
        things += len(pixels) * options.processes
        losses.append(loss.detach())  # to ask for its value now would be to wait for the GPU
        if rank > 0:
            continue
        if run.step % options.measure_every == 0 or run.step == options.steps:
            mean = torch.stack(losses).mean().item()
            pace = things / (time.monotonic() - measured)
            measure(run, held_out, mean, pace, options.state)
            losses, things, measured = [], 0, time.monotonic()
        if time.monotonic() - saved > (120 if options.device == "cpu" else 60):
            run.save()
            saved = time.monotonic()
    if rank == 0:
        run.save()


def measure(run: Run, held_out: list[Crop], loss: float, pace: float, folder: str) -> None:
    """Writes a row of the log."""
    found = figures(embed(run.average, held_out, run.device), held_out) if held_out else {}
    row = {"step": run.step, "loss": f"{loss:.4f}"}
    row |= {name: f"{value:.4f}" for name, value in found.items()}
    with open(os.path.join(folder, "log.csv"), "a", newline="") as file:
        writer = csv.DictWriter(file, row)
        if file.tell() == 0:
            writer.writeheader()
        writer.writerow(row)
    print(row, f"{pace:.0f} things/s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shards")
    parser.add_argument("state")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop, with the state saved")
    parser.add_argument("--finish", action="store_true", help="the rate is 0 when the minutes are over")
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--falling", type=float, default=FINAL_SHARE, help="a share of the steps")
    parser.add_argument("--start", help="a state of embedder.pretrained or embedder.unfold")
    parser.add_argument("--photographs", nargs="*", default=[], help="folders")
    parser.add_argument("--photograph-share", type=float, default=0.3)
    parser.add_argument("--scenes-a-batch", type=int, default=SCENES_A_BATCH)
    parser.add_argument("--unfrozen", action="store_true", help="the first layers are trained, too")
    parser.add_argument("--decay", type=float, default=AVERAGE, help="of the weights' average")
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--loaders", type=int, default=0,
                        help="processes that make batches ahead; 0: this one makes them itself")
    parser.add_argument("--cache", type=int, default=500,
                        help="scenes, and as many photographs, that a loader keeps decoded")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1,
                        help="that make every step together, each with a batch of its own")
    parser.add_argument("--measure-every", type=int, default=500)
    options = parser.parse_args()
    if options.device != "cpu" and options.processes > 1:
        parser.error("a GPU takes one process")
    run_processes(train, options, options.processes)


if __name__ == "__main__":
    main()
