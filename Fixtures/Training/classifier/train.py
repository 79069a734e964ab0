"""Trains an image classifier on a folder of labelled pictures; stops and goes on at any time.

    python -m classifier.train FOLDER STATE_FOLDER [--steps 400] [--validation FOLDER]

FOLDER has a folder for each class, which has its name and holds its pictures. It starts from EfficientNet-Lite0's
ImageNet weights: first the new last layer is trained alone, then all of them, at a rate that falls to nothing along a
cosine. A share of each class is held out and measured (`--hold-out`), or those of another folder are (`--validation`):
if several pictures show the same thing, hold out all of them or none, or the figures will be too good.

Writes `state.pt` every minute and at the end, and `log.csv`. The same command goes on from the state and comes to the
same result: what a step sees depends on `--seed` and its number alone.
"""

import argparse
import csv
import math
import os
import time

import numpy as np
import torch
from torch.nn import functional

from .network import MULTIPLE, SMALLEST_SIDE, Classifier, with_published_weights
from .pictures import Picture, Pictures, as_classified, divided, listed, network_input, opened

HEAD_RATE, RATE, DECAY, SMOOTHING = 3e-3, 6e-4, 0.02, 0.1
WARM_UP = 20
SAVE_EVERY = 60  # seconds


def rates(step: int, head_steps: int, steps: int, rate: float) -> tuple[float, float]:
    """What the last layer learns at, and all others."""
    if step < head_steps:
        return HEAD_RATE, 0.0
    done = (step - head_steps) / max(1, steps - head_steps)
    now = rate * min(1.0, (step - head_steps + 1) / WARM_UP) * (1 + math.cos(math.pi * done)) / 2
    return now, now


@torch.no_grad()
def probabilities(network: Classifier, pictures: list[Picture], size: int) -> np.ndarray:
    """[N, classes]: what the network says of pictures as `tally classify` shows them to it."""
    network.eval()
    rows = []
    for start in range(0, len(pictures), 32):
        batch = np.stack([
            network_input(as_classified(opened(p.path), size)) for p in pictures[start : start + 32]])
        rows.append(torch.softmax(network(torch.from_numpy(batch)), 1).numpy())
    return np.concatenate(rows)


def top(rows: np.ndarray, pictures: list[Picture], count: int) -> float:
    """The share of pictures whose class is among the first `count`; of equal ones the lower number comes first."""
    order = np.argsort(-rows, axis=1, kind="stable")[:, :count]
    return float(np.mean([p.label in row for p, row in zip(pictures, order, strict=True)]))


class Run:
    """Network, optimiser, step and the seconds behind, and the classes: all that a state file holds."""

    def __init__(self, options: argparse.Namespace, names: list[str], held_out: list[Picture]) -> None:
        self.path = os.path.join(options.state, "state.pt")
        self.names, self.size, self.held_out = names, options.size, held_out
        is_new = not os.path.exists(self.path)
        self.network = with_published_weights(len(names)) if is_new else Classifier(len(names))
        body = [p for name, p in self.network.named_parameters() if not name.startswith("answer.")]
        self.optimiser = torch.optim.AdamW(
            [{"params": self.network.answer.parameters()}, {"params": body}], weight_decay=DECAY)
        self.step, self.seconds = 0, 0.0
        if is_new:
            return
        state = torch.load(self.path, map_location="cpu", weights_only=True)
        if state["names"] != names or state["size"] != options.size:
            raise SystemExit(f"{self.path} was trained for other classes or another --size; take another folder")
        self.network.load_state_dict(state["network"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.step, self.seconds = state["step"], state["seconds"]

    def save(self) -> None:
        """Writes the state at once or not at all."""
        state = {
            "network": self.network.state_dict(), "optimiser": self.optimiser.state_dict(), "step": self.step,
            "seconds": self.seconds, "names": self.names, "size": self.size,
            "held_out": [(os.path.abspath(p.path), p.label) for p in self.held_out],
        }
        torch.save(state, self.path + ".partial")
        os.replace(self.path + ".partial", self.path)

    def learn(self, pixels: torch.Tensor, labels: torch.Tensor, is_head_alone: bool) -> float:
        """One step; the loss before it."""
        network = self.network.train()
        if is_head_alone:
            with torch.no_grad():
                features = network.features(pixels)
            answer = network.answer(network.dropout(features))
        else:
            answer = network(pixels)
        loss = functional.cross_entropy(answer, labels, label_smoothing=SMOOTHING)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        self.optimiser.step()
        self.step += 1
        return loss.item()


def parts(options: argparse.Namespace) -> tuple[list[str], list[Picture], list[Picture]]:
    """The names of the classes, what is trained on, and what is held out."""
    names, pictures = listed(options.folder)
    if not options.validation:
        return names, *divided(pictures, options.hold_out)
    others, held_out = listed(options.validation)
    unknown = sorted(set(others) - set(names))
    if unknown:
        raise SystemExit(f"{options.validation} has classes that {options.folder} lacks: {', '.join(unknown)}")
    return names, pictures, [Picture(p.path, names.index(others[p.label])) for p in held_out]


def train(options: argparse.Namespace) -> None:
    names, trained, held_out = parts(options)
    os.makedirs(options.state, exist_ok=True)
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(options.seed)
    run = Run(options, names, held_out)
    print(f"{len(names)} classes, {len(trained)} pictures to train on, {len(held_out)} held out; "
          f"step {run.step} of {options.steps}", flush=True)
    source = Pictures(trained, options.size, not options.no_mirror)
    start, before = time.monotonic(), run.seconds
    saved, measured, losses = start, start, []
    while run.step < options.steps:
        rng = np.random.default_rng([options.seed, run.step])
        torch.manual_seed(options.seed * 1_000_003 + run.step)
        pixels, labels = source.batch(options.batch, rng)
        for group, rate in zip(
            run.optimiser.param_groups, rates(run.step, options.head_steps, options.steps, options.rate), strict=True
        ):
            group["lr"] = rate
        losses.append(run.learn(
            torch.from_numpy(pixels), torch.from_numpy(labels), run.step < options.head_steps))
        run.seconds = before + time.monotonic() - start
        if run.step % options.measure_every == 0 or run.step == options.steps:
            pace = len(losses) * options.batch / (time.monotonic() - measured)
            measure(run, float(np.mean(losses)), pace, options.state)
            losses, measured = [], time.monotonic()
        if time.monotonic() - saved > SAVE_EVERY:
            run.save()
            saved = time.monotonic()
    run.save()


def measure(run: Run, loss: float, pace: float, folder: str) -> None:
    """Writes a row of the log."""
    row = {"step": run.step, "seconds": round(run.seconds), "loss": f"{loss:.4f}"}
    if run.held_out:
        rows = probabilities(run.network, run.held_out, run.size)
        row |= {f"top-{k}": f"{top(rows, run.held_out, k):.4f}" for k in (1, 3)}
    with open(os.path.join(folder, "log.csv"), "a", newline="") as file:
        writer = csv.DictWriter(file, row)
        if file.tell() == 0:
            writer.writeheader()
        writer.writerow(row)
    print(row, f"{pace:.0f} pictures/s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="with a folder of pictures for each class")
    parser.add_argument("state", help="the folder for the state and the log")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--head-steps", type=int, default=60, help="of these, the last layer's alone")
    parser.add_argument("--batch", type=int, default=24, help="pictures a step")
    parser.add_argument("--size", type=int, default=160, help="side of the network's input")
    parser.add_argument("--rate", type=float, default=RATE, help="the highest, once all layers are trained")
    parser.add_argument("--hold-out", type=float, default=0.2, help="share of each class that is measured")
    parser.add_argument("--validation", help="another such folder, which is measured instead")
    parser.add_argument("--no-mirror", action="store_true", help="left and right tell classes apart")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--measure-every", type=int, default=100, help="steps")
    options = parser.parse_args()
    if options.size < SMALLEST_SIDE or options.size % MULTIPLE:
        parser.error(f"--size is a multiple of {MULTIPLE}, {SMALLEST_SIDE} at least")
    if not 0 <= options.hold_out < 1:
        parser.error("--hold-out is a share from 0 to below 1")
    train(options)


if __name__ == "__main__":
    main()
