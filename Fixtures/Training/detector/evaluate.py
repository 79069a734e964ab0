"""How well an exported detector finds the things of held-out scenes, and counts them.

    python evaluate.py MODEL.onnx SCENES [--scenes 500] [--confidences 0.3 0.4 0.5]

Average precision at IoU 0.5 by COCO's rules (101 recall levels; things seen less than the counted
share, or smaller than 6 pixels, are ignored; up to 300 detections a picture, because pictures hold
up to 260 things).
Counting accuracy of a scene is max(0, 1 - |count - truth| / truth), by number of things.
"""

import argparse
import json

import numpy as np
from data import SMALLEST_SIDE, SceneStore
from inference import Session, overlaps

from scenes.scene import COUNTED_SHARE

DETECTIONS = 300
DENSITIES = ((1, 10), (11, 25), (26, 50), (51, 100), (101, 200), (201, 300))


def matched(found: np.ndarray, boxes: np.ndarray, counted: np.ndarray, least: float) -> np.ndarray:
    """Of each detection, best first: 1 a counted thing, 0 nothing, -1 a thing that is ignored."""
    result = np.zeros(len(found), np.int8)
    free = np.ones(len(boxes), bool)
    for k, detection in enumerate(found):
        iou = overlaps(detection, boxes) if len(boxes) else np.zeros(0)
        for among, value in ((counted & free, 1), (~counted & free, -1)):
            candidates = np.where(among, iou, 0)
            if len(candidates) and candidates.max() >= least:
                best = int(candidates.argmax())
                free[best] = False
                result[k] = value
                break
    return result


def average_precision(scores: np.ndarray, hits: np.ndarray, things: int) -> float:
    """COCO's interpolation at 101 recall levels."""
    asked = hits >= 0
    order = np.argsort(-scores[asked], kind="stable")
    right = hits[asked][order] == 1
    found = np.cumsum(right)
    precision = found / np.arange(1, len(found) + 1)
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    recall = found / max(1, things)
    at = np.searchsorted(recall, np.linspace(0, 1, 101), side="left")
    return float(np.where(at < len(precision), np.append(precision, 0)[at], 0).mean())


def evaluate(model: str, folder: str, scenes: int, confidences: list[float],
             overlap: float) -> dict:
    session = Session(model)
    store = SceneStore(folder, "held-out", scenes)
    scores, hits, things = [], [], 0
    counts = {c: [] for c in confidences}
    truths = []
    for scene in store.scenes[:scenes]:
        boxes = scene.boxes
        counted = (scene.visible >= COUNTED_SHARE) & (
            (boxes[:, 2:] - boxes[:, :2]).min(1, initial=1e9) >= SMALLEST_SIDE)
        found = session.detect(scene.image, 0.005, 0.65)[:DETECTIONS]
        scores.append(found[:, 4])
        hits.append(matched(found, boxes, counted, 0.5))
        things += int(counted.sum())
        truths.append(int(counted.sum()))
        tighter = session.detect(scene.image, min(confidences), overlap)
        for c in confidences:
            counts[c].append(int((tighter[:, 4] >= c).sum()))
    truth = np.array(truths)
    result = {
        "scenes": len(truths), "things": things,
        "AP50": round(average_precision(np.concatenate(scores), np.concatenate(hits), things), 4),
        "counting": {},
    }
    for c, values in counts.items():
        accuracy = np.clip(1 - np.abs(np.array(values) - truth) / np.maximum(truth, 1), 0, None)
        rows = {"all": accuracy[truth > 0]}
        for low, high in DENSITIES:
            rows[f"{low}-{high}"] = accuracy[(truth >= low) & (truth <= high)]
        result["counting"][str(c)] = {
            name: round(float(part.mean()), 3) for name, part in rows.items() if len(part)}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("scenes", help="folder of held-out shards")
    parser.add_argument("--scenes", dest="count", type=int, default=500)
    parser.add_argument("--confidences", type=float, nargs="+", default=[0.3, 0.4, 0.5])
    parser.add_argument("--overlap", type=float, default=0.5, help="suppression when counting")
    options = parser.parse_args()
    result = evaluate(options.model, options.scenes, options.count, options.confidences,
                      options.overlap)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
