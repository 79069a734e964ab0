"""Renders scenes into shards, files of a few hundred scenes that training reads.

    python -m scenes.shards ASSETS FOLDER --seed 1 --shards 0:80 [--scenes 250] [--size 448]
        [--split train] [--theme apron marina]

Shard k holds the scenes k*scenes ... k*scenes + scenes - 1 of the seed. Shards that are there
already are left alone, so that a stopped run goes on and several can share the work.

A shard is an uncompressed .npz: `jpeg` (all bytes one after the other) with `jpeg_ends`; `boxes`
[n, 4], `visible` [n], `kinds` [n] with `box_ends` per scene; `kind_names` with `kind_ends`;
`seed`, `first`, `version`.
"""

import argparse
import os
import time
from dataclasses import dataclass

import cv2
import numpy as np

from .scene import VERSION, Scene, Studio


@dataclass(frozen=True)
class StoredScene:
    """A scene as read from a shard."""

    jpeg: np.ndarray
    boxes: np.ndarray
    visible: np.ndarray
    kinds: np.ndarray
    kind_names: list[str]

    @property
    def image(self) -> np.ndarray:
        return cv2.imdecode(self.jpeg, cv2.IMREAD_COLOR)


def write(path: str, scenes: list[Scene], seed: int, first: int) -> None:
    """Writes a shard, at once or not at all."""
    things = [scene.instances for scene in scenes]
    everything = [thing for scene in things for thing in scene]
    content = {
        "jpeg": np.frombuffer(b"".join(scene.jpeg for scene in scenes), np.uint8),
        "jpeg_ends": np.cumsum([len(scene.jpeg) for scene in scenes]),
        "boxes": np.array([t.box for t in everything], np.float32).reshape(-1, 4),
        "visible": np.array([t.visible for t in everything], np.float32),
        "kinds": np.array([t.kind for t in everything], np.int16),
        "box_ends": np.cumsum([len(scene) for scene in things]),
        "kind_names": np.array([name for scene in scenes for name in scene.kinds]),
        "kind_ends": np.cumsum([len(scene.kinds) for scene in scenes]),
        "seed": np.array(seed), "first": np.array(first), "version": np.array(VERSION),
    }
    partial = f"{path}.{os.getpid()}.partial"
    with open(partial, "wb") as file:
        np.savez(file, **content)
    os.replace(partial, path)


def read(path: str) -> list[StoredScene]:
    """All scenes of a shard."""
    with np.load(path) as stored:
        content = {name: stored[name] for name in stored.files}

    def spans(name: str):
        ends = content[name].tolist()
        return [slice(a, b) for a, b in zip([0, *ends[:-1]], ends, strict=True)]

    return [
        StoredScene(content["jpeg"][j], content["boxes"][b], content["visible"][b],
                    content["kinds"][b], content["kind_names"][k].tolist())
        for j, b, k in zip(spans("jpeg_ends"), spans("box_ends"), spans("kind_ends"), strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("assets")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shards", default="0:80", help="first and one past the last")
    parser.add_argument("--scenes", type=int, default=250, help="scenes a shard")
    parser.add_argument("--size", type=int, default=448)
    parser.add_argument("--split", default="train", choices=("train", "held-out"))
    parser.add_argument("--theme", nargs="*", default=[],
                        help="only these themes, in turn: what the detector still gets wrong")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(options.folder, exist_ok=True)
    studio = Studio(options.assets, options.split, options.size)
    first_shard, end = (int(part) for part in options.shards.split(":"))
    for shard in range(first_shard, end):
        path = os.path.join(options.folder,
                            f"{options.split}-{options.seed}-{shard:04}-v{VERSION}.npz")
        if os.path.exists(path):
            continue
        start, first = time.monotonic(), shard * options.scenes
        scenes = []
        for k in range(options.scenes):
            if options.theme:
                studio.only_theme = options.theme[k % len(options.theme)]
            scenes.append(studio.scene(options.seed, first + k))
        write(path, scenes, options.seed, first)
        pace = options.scenes / (time.monotonic() - start)
        things = sum(len(scene.instances) for scene in scenes) / options.scenes
        print(f"{path}: {pace:.1f} scenes/s, {things:.0f} things a scene", flush=True)


if __name__ == "__main__":
    main()
