"""How well the rule that tells kinds apart counts the main kind, where every box is right.

    python -m embedder.kinds MODEL.onnx... --of SOURCE... [--held-out] [--jitter 0.03] [--photos]

A source is a folder of photographs with `truth.json` or `annotations.json`, or a shard of scenes.
With `--held-out` the photographs of a folder are the tenth that is not trained on.

The rule is the counting pipeline's (`KindStage`): average linkage on cosine distances makes a tree,
the tree is cut into 2 to 8 clusters of which at least two have two things or more, and the cut with the
greatest mean silhouette is the best one. It is taken if its silhouette is at least S and the mean
distance between things of different clusters at least D; else, and of fewer than five things, all are
one kind.

The accuracy of a photo is that of the main kind's number: 1 - |found - true| / true, at least 0, where
what is found is the largest cluster. The boxes' labels say what is true. For every model there are

- the accuracy over a grid of S and D, with the best of it and how much of the grid is close to that;
- the same apart for photos of one kind and of several, at the shipped S and D and at the best;
- with `--photos`, what became of each photo at the shipped S and D.
"""

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import onnxruntime
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import squareform

from scenes import shards

from .crops import LEAST_SIDE, LEAST_VISIBLE, Scene, network_input, stretched
from .evaluate import normalised
from .photographs import annotations, held_out, photograph

MOST_KINDS, LEAST_COUNT = 8, 5
SHIPPED = (0.45, 0.55)
SILHOUETTES = np.round(np.arange(0.3, 0.801, 0.05), 2)
DISTANCES = np.round(np.arange(0, 0.901, 0.05), 2)
NEARLY = 0.01  # an accuracy so much below the best is as good


@dataclass(frozen=True)
class Photo:
    """The things of a photo or a scene: RGB crops, and the kind of each."""

    name: str
    domain: str
    crops: list[np.ndarray]
    kinds: list[str]

    @property
    def main(self) -> int:
        """How many things the main kind has."""
        return max(Counter(self.kinds).values())


@dataclass(frozen=True)
class Division:
    """The best cut of a photo's things; a silhouette of -1 where there is none."""

    silhouette: float
    distance: float
    largest: int
    things: int

    def found(self, silhouette: float, distance: float) -> int:
        """The main kind's number by the rule."""
        taken = self.silhouette >= silhouette and self.distance >= distance
        return self.largest if taken else self.things


def photo(name: str, scene: Scene, domain: str, jitter: float, visible: float) -> Photo:
    """The things of a scene that are seen at all, their boxes moved by `jitter` of their sides."""
    rng = np.random.default_rng(len(scene.boxes))
    image, crops, kinds = scene.image, [], []
    for box, seen, kind in zip(scene.boxes, scene.visible, scene.kinds, strict=True):
        sides = np.tile(box[2:] - box[:2], 2)
        if sides.min() < LEAST_SIDE or seen < visible:
            continue
        crop = stretched(image, box + rng.normal(0, jitter, 4) * sides)
        if crop is not None:
            crops.append(crop)
            kinds.append(f"{kind} {scene.kind_names[kind]}")
    return Photo(name, domain, crops, kinds)


def photos(source: str, only_held_out: bool, jitter: float) -> Iterator[Photo]:
    """The photos of a folder or the scenes of a shard that show anything."""
    if source.endswith(".npz"):
        for number, scene in enumerate(shards.read(source)):
            name = f"{os.path.basename(source)} {number}"
            found = photo(name, scene, "scenes", jitter, LEAST_VISIBLE)
            if found.crops:
                yield found
        return
    entries = annotations(source)
    names = held_out(entries) if only_held_out else set(entries)
    for name in sorted(names):
        scene = photograph(source, name, entries[name])
        found = photo(name, scene, scene.domain, jitter, 0.0)
        if found.crops:
            yield found


class Model:
    """An exported embedder."""

    def __init__(self, path: str, threads: int) -> None:
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(path, settings)
        given = self.session.get_inputs()[0]
        self.input, self.type = given.name, np.float16 if "16" in given.type else np.float32

    def rows(self, crops: list[np.ndarray]) -> np.ndarray:
        """One row of length 1 a crop."""
        rows = []
        for start in range(0, len(crops), 32):
            pixels = np.stack([network_input(crop) for crop in crops[start : start + 32]])
            rows.append(self.session.run(None, {self.input: pixels.astype(self.type)})[0])
        return normalised(np.concatenate(rows).astype(np.float64))


def mean_silhouette(labels: np.ndarray, distances: np.ndarray) -> float:
    """The mean silhouette of a clustering; a thing alone in its cluster has 0."""
    member = np.equal.outer(np.arange(labels.max() + 1), labels).astype(float)
    sizes = member.sum(1)
    sums = member @ distances  # [clusters, things]
    things = np.arange(len(labels))
    inside = sums[labels, things] / np.maximum(sizes[labels] - 1, 1)
    means = sums / sizes[:, None]
    means[labels, things] = np.inf
    outside = means.min(0)
    larger = np.maximum(inside, outside)
    each = np.where((sizes[labels] > 1) & (larger > 0), (outside - inside) / (larger + 1e-12), 0)
    return float(each.mean())


def division(rows: np.ndarray) -> Division:
    """The best cut of things by their embeddings."""
    count = len(rows)
    best = Division(-1.0, 0.0, count, count)
    if count < LEAST_COUNT:
        return best
    distances = np.clip(1 - rows @ rows.T, 0, 2)
    np.fill_diagonal(distances, 0)
    distances = (distances + distances.T) / 2
    tree = linkage(squareform(distances, checks=False), "average")
    for clusters in range(2, min(MOST_KINDS, count - 1) + 1):
        labels = cut_tree(tree, clusters)[:, 0]
        sizes = np.bincount(labels)
        if (sizes > 1).sum() < 2:
            continue
        silhouette = mean_silhouette(labels, distances)
        if silhouette > best.silhouette:
            apart = distances[np.not_equal.outer(labels, labels)].mean()
            best = Division(silhouette, float(apart), int(sizes.max()), count)
    return best


def accuracy(found: int, true: int) -> float:
    return max(0.0, 1 - abs(found - true) / true)


def grid(divisions: list[Division], true: list[int]) -> np.ndarray:
    """The mean accuracy for each S (rows) and D (columns)."""
    return np.array([
        [
            np.mean([accuracy(d.found(s, t), n) for d, n in zip(divisions, true, strict=True)])
            for t in DISTANCES
        ]
        for s in SILHOUETTES
    ])


def report(name: str, divisions: list[Division], shown: list[Photo], each: bool) -> None:
    """Prints what the grid of a model says."""
    true = [one.main for one in shown]
    several = np.array([len(set(one.kinds)) > 1 for one in shown])
    found = grid(divisions, true)
    row, column = np.unravel_index(found.argmax(), found.shape)
    best = (float(SILHOUETTES[row]), float(DISTANCES[column]))
    print(f"\n{name}: {len(shown)} photos, {several.sum()} of several kinds")
    for title, rule in (("shipped", SHIPPED), ("best", best)):
        scores = np.array(
            [accuracy(d.found(*rule), n) for d, n in zip(divisions, true, strict=True)]
        )
        parts = ", ".join(
            f"{part} {scores[of].mean():.3f}"
            for part, of in (("one kind", ~several), ("several", several)) if of.any()
        )
        print(f"  {title} S {rule[0]:.2f} D {rule[1]:.2f}: {scores.mean():.3f} ({parts})")
    close = found >= found.max() - NEARLY
    print(f"  {close.mean():.0%} of the grid is within {NEARLY} of the best:")
    for s, cells in zip(SILHOUETTES, close, strict=True):
        if cells.any():
            print(f"    S {s:.2f}: D " + ", ".join(f"{d:.2f}" for d in DISTANCES[cells]))
    print("     S\\D " + " ".join(f"{d:5.2f}" for d in DISTANCES))
    for s, values in zip(SILHOUETTES, found, strict=True):
        print(f"    {s:.2f}  " + " ".join(f"{value:5.3f}" for value in values))
    if each:
        for one, d in zip(shown, divisions, strict=True):
            counted = d.found(*SHIPPED)
            print(f"    {one.name[:34]:34} {one.main:4} of {d.things:4}, found {counted:4}"
                  f" ({accuracy(counted, one.main):.2f}); the best cut has {d.largest:4},"
                  f" silhouette {d.silhouette:.2f}, distance {d.distance:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+")
    parser.add_argument("--of", nargs="+", required=True, help="folders of photographs and shards")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--jitter", type=float, default=0.0)
    parser.add_argument("--photos", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    shown = [
        one for source in options.of for one in photos(source, options.held_out, options.jitter)
    ]
    for path in options.models:
        model = Model(path, options.threads)
        divisions = [division(model.rows(one.crops)) for one in shown]
        report(path, divisions, shown, options.photos)


if __name__ == "__main__":
    main()
