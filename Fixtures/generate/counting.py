#!/usr/bin/env python
"""Writes Fixtures/Goldens/Counting and Fixtures/Goldens/ReferenceModels.

    python Fixtures/generate/counting.py

Run from the top of a checkout that has `../shared` beside it. Only numbers are stored: what
`Fixtures/reference` answers for the photos there, and for drawn boxes and drawn embeddings.
"""

import json
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "reference"))

import count as reference
from detect import detect, read_image, session

GOLDENS = HERE.parent / "Goldens"
SHARED = HERE.parents[2] / "shared"
PHOTOS = SHARED / "photos"


def write(path, value):
    path = GOLDENS / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, separators=(",", ":")) + "\n")


def number(value, digits):
    """A float with no more digits than the tests look at."""
    return float(f"{float(value):.{digits}g}")


def compact(found):
    """Rows of x1, y1, x2, y2, score, objectness, class score, class id."""
    return [
        [round(float(v), 3) for v in box]
        + [number(score, 6), number(objectness, 6), number(class_score, 6), int(class_id)]
        for box, score, objectness, class_score, class_id in zip(
            found["boxes"],
            found["scores"],
            found["objectness"],
            found["class_scores"],
            found["class_ids"],
        )
    ]


def photos(folder="count"):
    return sorted(json.loads((PHOTOS / folder / "truth.json").read_text()))


def detections():
    for size in (416, 640):
        network = session(str(SHARED / f"models/yolox_nano_{size}.onnx"), 1)
        answers = {
            name: compact(detect(read_image(str(PHOTOS / "count" / name)), network))
            for name in photos()
        }
        write(f"ReferenceModels/detections_{size}.json", answers)


def counts():
    """Stage counts of photos, for four ways of asking; the standard way has the photos of all folders."""
    detector = session(str(SHARED / "models/yolox_nano_416.onnx"), 1)
    embedder = session(str(SHARED / "models/mobilenetv3_small_embedder.onnx"), 1)
    ways = {
        "standard": [],
        "pythonReference": ["--set", "python-reference"],
        "published": "--size-sigma 3 --aspect-range 0.45:2.2 --area-sigma 2".split(),
        "open": "--size-sigma off --aspect-sigma off --area-sigma off --confidence 0.02".split(),
    }
    answers = {}
    for way, given in ways.items():
        options = reference.arguments(["-", "--detector", "-", "--embedder", "-"] + given)
        answers[way] = {}
        folders = ["count"] + (["count_more", "world"] if way == "standard" else [])
        for name in (f"{folder}/{name}" for folder in folders for name in photos(folder)):
            result = reference.count(read_image(str(PHOTOS / name)), detector, embedder, options)
            answers[way][name] = {k: result[k] for k in ("count", "mainCluster", "clusters", "stages")}
    write("ReferenceModels/counts.json", answers)


def drawn_boxes(random, n):
    """Boxes of like size with outliers, a few without height, a few beyond the image."""
    centers = random.uniform(-20, 340, (n, 2))
    sides = random.normal(40, 6, (n, 2)) * np.where(random.random((n, 1)) < 0.15, 3, 1)
    sides[random.random(n) < 0.03, 1] = 0
    boxes = np.concatenate((centers - sides / 2, centers + sides / 2), 1)
    return (np.round(boxes * 8) / 8).astype(np.float32)


def stages():
    """Every stage after detection on drawn boxes and embeddings: indices and labels."""
    random = np.random.default_rng(20)
    cases = []
    for case in range(40):
        n = int(random.integers(0, 60)) if case > 4 else case
        boxes = drawn_boxes(random, n)
        scores = (random.integers(1, 64, n) / 64).astype(np.float32)
        kinds = random.integers(0, 3, n)
        centers = np.eye(3, 8)
        embeddings = (centers[kinds] + random.normal(0, 0.12, (n, 8))).astype(np.float32)
        k = [float(v) for v in random.choice([0.5, 1.0, 2.0, 3.0], 3)]
        fixed = None if case % 3 else [0.6, 1.7]
        similarity = float(random.choice([0.6, 0.8, 0.95]))
        first = "main" if case % 2 else "score"
        index = np.arange(n)
        steps = {}

        def keep(mask, name):
            nonlocal index
            index = index[mask]
            steps[name] = index.tolist()

        keep(reference.size_filter(boxes[index], k[0]), "size")
        keep(reference.aspect_filter(boxes[index], k[1], fixed), "aspect")
        _, filled = reference.crop_rects(boxes[index], 320, 300)
        keep(filled, "crop")
        keep(reference.area_filter(boxes[index], k[2]), "area")
        rows = embeddings[index]
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        labels = reference.cluster(rows, similarity)
        main = reference.largest(labels)
        kept = reference.merge(boxes[index], scores[index], labels, main, first, 0.5)
        steps["labels"] = labels.tolist()
        keep(kept, "merged")
        labels = labels[kept]
        main = reference.largest(labels)
        cases.append(
            {
                "boxes": boxes.tolist(),
                "scores": scores.tolist(),
                "embeddings": [[number(v, 7) for v in row] for row in embeddings],
                "sizeSigma": k[0],
                "aspectSigma": k[1],
                "aspectRange": fixed,
                "areaSigma": k[2],
                "similarity": similarity,
                "mergeFirst": first,
                "steps": steps,
                "mainCluster": main,
                "count": int((labels == main).sum()) if main is not None else 0,
            }
        )
    write("Counting/stages.json", {"width": 320, "height": 300, "cases": cases})


if __name__ == "__main__":
    stages()
    if not PHOTOS.is_dir():
        sys.exit(f"counting: {PHOTOS} is not here; the photos' goldens stay as they are")
    detections()
    counts()
