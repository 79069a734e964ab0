"""Trains the detector, in steps that save and go on.

    python train.py main SCENES FOLDER --steps 30000
    python train.py finish SCENES FOLDER --steps 2500
    python train.py main SCENES FOLDER --steps 4000 --start shipped.pt --photographs DIR DIR

`main` warms up and then trains at a constant rate on crops; it can be stopped at any time and
lengthened at will. `finish` branches off from where `main` stands (FOLDER/main.pt): the rate falls
to nothing along a cosine, on whole pictures, with the L1 term. It leaves FOLDER/finish.pt, the
state with the averaged weights that export.py reads; a later `finish --name other` starts from a
later `main.pt`. Both write FOLDER/log.csv. `--start` takes the weights of a state that unfold.py
made of the shipped file, so that training goes on on any machine; `--photographs` mixes labelled
photographs in.
"""

import argparse
import copy
import csv
import math
import os
import time

import torch
from data import Loaded, Samples, SceneStore
from loss import detection_loss
from network import Detector, grid
from photographs import Photograph, Photographs

from together import greatest, run_processes, share_gradients

LOG_FIELDS = ("phase", "step", "samples", "seconds", "rate", "scenes", "loss", "objectness", "box",
              "class", "l1", "positives")


# After so many updates an average is as long as it gets.
LONG_AVERAGE = 2000


class Average:
    """Exponential moving average of a model's weights, short at first."""

    def __init__(self, model: Detector, decay: float = 0.9985) -> None:
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay, self.updates = decay, 0

    def update(self, model: Detector) -> None:
        self.updates += 1
        keep = self.decay * (1 - math.exp(-self.updates / 400))
        with torch.no_grad():
            current = model.state_dict()
            for name, value in self.model.state_dict().items():
                if value.dtype.is_floating_point:
                    value.lerp_(current[name], 1 - keep)
                else:
                    value.copy_(current[name])


class Run:
    """Model, optimiser, average and step: all that a state file holds."""

    def __init__(self, design: str, rate: float, decay: float, device: str) -> None:
        self.device = device
        self.model = Detector(design).to(device, memory_format=torch.channels_last)
        weights = [p for p in self.model.parameters() if p.ndim > 1]
        others = [p for p in self.model.parameters() if p.ndim <= 1]
        self.optimiser = torch.optim.AdamW(
            [{"params": weights, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}],
            lr=rate)
        self.average = Average(self.model)
        self.step = 0
        self.samples = 0

    def save(self, path: str) -> None:
        """Writes the state at once or not at all."""
        torch.save({
            "design": self.model.design, "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "average": self.average.model.state_dict(), "updates": self.average.updates,
            "step": self.step, "samples": self.samples}, path + ".partial")
        os.replace(path + ".partial", path)

    def start(self, state: dict) -> None:
        """Takes the weights of a state, with a new optimiser."""
        self.model.load_state_dict(state["model"])
        self.average = Average(self.model)
        # The average of a trained network is long from the beginning.
        self.average.updates = LONG_AVERAGE

    def resume(self, state: dict) -> None:
        """Takes all of a state."""
        self.model.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.average.model.load_state_dict(state["average"])
        self.average.updates = state["updates"]
        self.step, self.samples = state["step"], state["samples"]


def begun(options: argparse.Namespace, path: str) -> Run:
    """The run as it goes on from the phase's own state at `path`, from the phase before, or from
    the state that is named to start from; else a new one of the dense design."""
    def run_of(state: dict) -> Run:
        design = state.get("design", "dense")
        return Run(design, options.rate, options.weight_decay, options.device)

    def read(path: str) -> dict:
        return torch.load(path, map_location=options.device, weights_only=True)

    if os.path.exists(path):
        state = read(path)
        run = run_of(state)
        run.resume(state)
    elif options.phase == "finish" and not options.start:
        state = read(os.path.join(options.folder, "main.pt"))
        run = run_of(state)
        run.resume(state)
        run.step = 0
    elif options.start:
        state = read(options.start)
        run = run_of(state)
        run.start(state)
    else:
        run = run_of({})
    return run


def rate_at(step: int, done: float, options: argparse.Namespace) -> float:
    """Constant in `main`, half a cosine in `finish`, after a warm-up if the optimiser is new.

    `done`: the share of the phase.
    """
    rate = options.rate
    if options.phase == "main" or options.start:
        rate *= min(1.0, ((step + 1) / options.warm_up) ** 2)
    if options.phase == "finish":
        rate *= 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
    return rate


def share_done(step: int, started: float, options: argparse.Namespace) -> float:
    """How much of a phase is done, by steps or by minutes, whichever is more; the same in all
    processes."""
    done = (step + 1) / options.steps
    if options.minutes:
        done = greatest(max(done, (time.monotonic() - started) / (60 * options.minutes)))
    return done


def train(options: argparse.Namespace, rank: int) -> None:
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(options.seed)
    finishing = options.phase == "finish"
    os.makedirs(options.folder, exist_ok=True)
    name = options.name or options.phase
    path, log = (os.path.join(options.folder, f) for f in (name + ".pt", "log.csv"))
    run = begun(options, path)
    Photograph.keeps_images = options.keep_images
    photographs = Photographs(options.photographs, options.without)
    store = SceneStore(options.scenes, "train", photographs=photographs,
                       photograph_share=options.photograph_share)
    asked = (store, options.seed + 1000 * finishing + 10_000 * rank, options.size, options.batch,
             tuple(options.sides))
    if options.loaders:
        batches = Loaded(*asked).batches(options.loaders)
    else:
        batches = Samples(*asked, options.workers).batches(run.step, options.steps)
    cells = grid(options.size, options.size).to(options.device)
    on_gpu = options.device != "cpu"
    half = on_gpu or options.bfloat16
    torch.backends.cudnn.benchmark = on_gpu
    run.model.train()
    sums: dict[str, torch.Tensor] = {}
    started = time.monotonic()
    for pictures, targets in batches:
        done = share_done(run.step, started, options)
        if done > 1:
            break
        rate = rate_at(run.step, done, options)
        for group in run.optimiser.param_groups:
            group["lr"] = rate
        pictures = pictures.to(options.device, non_blocking=True).float().contiguous(
            memory_format=torch.channels_last)
        targets = targets.to(options.device)
        with torch.autocast(options.device, torch.bfloat16, enabled=half):
            output = run.model(pictures)
        loss, parts = detection_loss(output, targets, cells, finishing)
        run.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        share_gradients(run.model)
        torch.nn.utils.clip_grad_norm_(run.model.parameters(), 10.0)
        run.optimiser.step()
        run.average.update(run.model)
        run.step += 1
        run.samples += options.batch * options.processes
        for key, value in {"loss": loss.detach(), **parts}.items():
            sums[key] = sums.get(key, 0.0) + value
        if rank == 0 and (run.step % options.report == 0 or run.step == options.steps):
            row = {k: f"{v.item() / options.report:.4f}" for k, v in sums.items()}
            row |= {"phase": name, "step": run.step, "samples": run.samples,
                    "seconds": f"{time.monotonic() - started:.0f}", "rate": f"{rate:.2e}",
                    "scenes": len(store.scenes)}
            write_row(log, row)
            sums = {}
            run.save(path)
        if run.step % options.report == 0:
            store.refresh()
        if run.step >= options.steps:
            break
    if rank == 0:
        run.save(path)


def write_row(path: str, row: dict) -> None:
    """Appends to the log, with a heading if it is new."""
    fresh = not os.path.exists(path)
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, LOG_FIELDS, restval="", extrasaction="ignore")
        if fresh:
            writer.writeheader()
        writer.writerow(row)
    print(" ".join(f"{k}={v}" for k, v in row.items()), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("phase", choices=("main", "finish"))
    parser.add_argument("scenes", help="folder of shards")
    parser.add_argument("folder", help="states and log")
    parser.add_argument("--steps", type=int, required=True, help="of this phase, in all")
    parser.add_argument("--start", help="state to begin with, of unfold.py")
    parser.add_argument("--minutes", type=float,
                        help="end after so long, the rate at 0, if the steps are not done before")
    parser.add_argument("--photographs", nargs="*", default=[],
                        help="folders of labelled photographs")
    parser.add_argument("--photograph-share", type=float, default=0.5,
                        help="of all samples, if there are photographs")
    parser.add_argument("--without", nargs="*", default=[],
                        help="domains of photographs that are held out")
    parser.add_argument("--name", help="of the state file; the phase's if not given")
    parser.add_argument("--size", type=int, help="side of the crops: 320 in main, 416 in finish")
    parser.add_argument("--sides", type=float, nargs=2, default=(14, 190),
                        help="least and greatest side of the usual thing in a crop, in pixels")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--weight-decay", type=float, default=0.02)
    parser.add_argument("--warm-up", type=int, default=150, help="steps")
    parser.add_argument("--report", type=int, default=50, help="steps between log rows and states")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--bfloat16", action="store_true",
                        help="the network in bfloat16, as on a GPU always; 1.6 times as fast on "
                        "processors that compute in it, slower on others")
    parser.add_argument("--threads", type=int, default=1,
                        help="of the network, on the CPU; two processes do more than two threads")
    parser.add_argument("--processes", type=int, default=1,
                        help="that make every step together, each with a batch of its own")
    parser.add_argument("--workers", type=int, default=1, help="threads that prepare samples")
    parser.add_argument("--loaders", type=int, default=0,
                        help="processes that prepare batches, which a GPU needs")
    parser.add_argument("--keep-images", action="store_true",
                        help="decoded photographs stay in memory, 3 MB each in each process")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    finishing = options.phase == "finish"
    options.size = options.size or (416 if finishing else 320)
    run_processes(train, options, options.processes)


if __name__ == "__main__":
    main()
