"""How well embeddings tell kinds apart, on scenes that were held out.

    python -m embedder.evaluate MODEL.onnx SHARD... [--scenes N]

Prints three figures over scenes of several kinds, and what the network is compared with:

- *scene*: how often a thing's nearest neighbour in its own scene is of its kind;
- *all*: the same among the things of all scenes;
- *gap*: the mean, over things, of (distance to the nearest other kind's mean thing - mean distance
  within the kind): what a division into kinds can hang on.
"""

import argparse

import numpy as np

from scenes import shards

from .crops import Crop, network_input, plain_crops


def held_out_crops(paths: list[str], limit: int) -> list[Crop]:
    """The crops of scenes with at least two kinds of at least two things."""
    crops, number = [], 0
    for path in paths:
        for scene in shards.read(path):
            found = plain_crops(scene, number)
            if len({crop.kind for crop in found}) > 1:
                crops += found
                number += 1
                if number == limit:
                    return crops
    return crops


def figures(rows: np.ndarray, crops: list[Crop]) -> dict[str, float]:
    """The figures of embeddings of length 1."""
    scenes = np.array([crop.scene for crop in crops])
    labels = scenes * 1000 + np.array([crop.kind for crop in crops])
    in_scene, gaps, everywhere = [], [], []
    for scene in np.unique(scenes):
        members = np.flatnonzero(scenes == scene)
        own = labels[members]
        distances = 1 - rows[members] @ rows[members].T
        nearest = (distances + 9 * np.eye(len(members))).argmin(1)
        in_scene += (own[nearest] == own).tolist()
        for i, label in enumerate(own):
            means = {k: distances[i, own == k].mean() for k in np.unique(own) if k != label}
            inside = distances[i, own == label].sum() / max((own == label).sum() - 1, 1)
            gaps.append(min(means.values()) - inside)
    for start in range(0, len(rows), 512):
        distances = 1 - rows[start : start + 512] @ rows.T
        distances[np.arange(len(distances)), start + np.arange(len(distances))] = 9
        everywhere += (labels[distances.argmin(1)] == labels[start : start + 512]).tolist()
    return {
        "scene": float(np.mean(in_scene)), "all": float(np.mean(everywhere)),
        "gap": float(np.mean(gaps)),
    }


def normalised(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def main() -> None:
    import onnxruntime

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("shards", nargs="+")
    parser.add_argument("--scenes", type=int, default=400)
    options = parser.parse_args()
    session = onnxruntime.InferenceSession(options.model)
    given = session.get_inputs()[0]
    kind = np.float16 if "float16" in given.type else np.float32
    crops = held_out_crops(options.shards, options.scenes)
    rows = [
        session.run(None, {given.name: network_input(crop.pixels)[None].astype(kind)})[0][0]
        for crop in crops
    ]
    rows = normalised(np.array(rows, np.float64).reshape(len(crops), -1))
    found = figures(rows, crops)
    print(f"{len(crops)} things: " + ", ".join(f"{k} {v:.4f}" for k, v in found.items()))


if __name__ == "__main__":
    main()
