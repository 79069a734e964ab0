#!/usr/bin/env python
"""The whole count, by OpenCV, NumPy, Pillow, scikit-learn and ONNX Runtime.

    python Fixtures/reference/count.py IMAGE... --detector FILE --embedder FILE [options]

What `tally count` is held to, stage by stage. Prints one JSON object a line per image: the count,
how many items each stage let through, seconds per stage, the detections.
"""

import argparse
import json
import time

import numpy as np
from PIL import Image

from detect import as_rows, detect, read_image, session

NORMALIZATIONS = {
    "clip": ((0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)),
    "imagenet": ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
    "half": ((0.5, 0.5, 0.5), (0.25, 0.25, 0.25)),
}

SETS = {
    "standard": dict(size_sigma=1.0, aspect_sigma=0.5, area_sigma=1.0, merge_first="score"),
    "python-reference": dict(size_sigma=3.0, aspect_sigma=1.0, area_sigma=2.0, merge_first="main"),
}


def band(values, k):
    """Which values lie in median +- k * population deviation, bounds included."""
    values = np.asarray(values, np.float64)
    middle, deviation = np.median(values), values.std()
    return (values >= middle - k * deviation) & (values <= middle + k * deviation)


def sides(boxes):
    """Widths and heights: float32 differences, as of the boxes, in float64 from there on."""
    return (boxes[:, 2:] - boxes[:, :2]).astype(np.float64).T


def areas(boxes):
    widths, heights = sides(boxes)
    return widths * heights


def size_filter(boxes, k):
    if k is None or len(boxes) < 3:
        return np.ones(len(boxes), bool)
    return band(areas(boxes), k)


def aspect_filter(boxes, k, fixed):
    widths, heights = sides(boxes)
    keep = heights > 0
    if k is None and fixed is None:
        return np.ones(len(boxes), bool)
    with np.errstate(divide="ignore", invalid="ignore"):
        aspects = widths / heights
    if fixed is not None:
        return keep & (aspects >= fixed[0]) & (aspects <= fixed[1])
    if keep.sum() <= 2 or aspects[keep].std() == 0:
        return keep
    keep[keep] = band(aspects[keep], k)
    return keep


def crop_rects(boxes, width, height):
    """Corners truncated to integers, then clamped; which of them hold pixels."""
    corners = np.trunc(boxes).astype(np.int64)
    corners[:, 0::2] = corners[:, 0::2].clip(0, width)
    corners[:, 1::2] = corners[:, 1::2].clip(0, height)
    return corners, (corners[:, 2] > corners[:, 0]) & (corners[:, 3] > corners[:, 1])


def area_filter(boxes, k):
    return size_filter(boxes, k)


def preprocess(crop, normalization, size=224):
    """CLIP's preprocessing of an RGB crop: shortest side to `size`, center crop, normalize.

    Sizes truncate and the crop's corner rounds as torchvision's `Resize` and `CenterCrop` do.
    """
    image = Image.fromarray(crop)
    width, height = image.size
    if width <= height:
        scaled = (size, int(size * height / width))
    else:
        scaled = (int(size * width / height), size)
    image = image.resize(scaled, Image.Resampling.BICUBIC)
    left, top = (int(round((side - size) / 2)) for side in image.size)
    image = image.crop((left, top, left + size, top + size))
    mean, deviation = (np.array(v, np.float32) for v in NORMALIZATIONS[normalization])
    pixels = (np.asarray(image, np.float32) / np.float32(255) - mean) / deviation
    return pixels.transpose(2, 0, 1)


def embed(crops, network, normalization, batch):
    name = network.get_inputs()[0].name
    rows = []
    for start in range(0, len(crops), batch):
        pixels = np.stack([preprocess(c, normalization) for c in crops[start : start + batch]])
        rows.append(network.run(None, {name: pixels})[0].reshape(len(pixels), -1))
    rows = np.concatenate(rows)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def cluster(embeddings, similarity):
    from sklearn.cluster import AgglomerativeClustering

    if len(embeddings) < 2:
        return np.zeros(len(embeddings), int)
    return AgglomerativeClustering(
        n_clusters=None, metric="cosine", linkage="average", distance_threshold=1 - similarity
    ).fit_predict(embeddings)


def largest(labels):
    """The label most items bear; the lowest of those that tie."""
    return int(np.bincount(labels).argmax()) if len(labels) else None


def merge(boxes, scores, labels, main, first, threshold):
    """Greedy: indices to keep, in the order they were looked at."""
    if first == "score":
        order = np.argsort(-scores, kind="stable")
    else:
        order = np.argsort(labels != main, kind="stable")
    kept = []
    size = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    for i in order:
        for j in kept:
            overlap = np.maximum(
                np.minimum(boxes[i, 2:], boxes[j, 2:]) - np.maximum(boxes[i, :2], boxes[j, :2]), 0
            )
            intersection = overlap[0] * overlap[1]
            if intersection / (size[i] + size[j] - intersection) > threshold:
                break
        else:
            kept.append(i)
    return np.array(kept, int)


def count(image, detector, embedder, options):
    seconds = {}
    stages = {}
    clock = time.perf_counter()

    def lap(name):
        nonlocal clock
        now = time.perf_counter()
        seconds[name] = round(now - clock, 6)
        clock = now

    found = detect(image, detector, options.confidence, options.nms, options.decoded)
    stages["detected"] = len(found["boxes"])
    lap("detecting")

    def keep(mask, stage):
        nonlocal found
        found = {key: value[mask] for key, value in found.items()}
        stages[stage] = len(found["boxes"])

    keep(size_filter(found["boxes"], options.size_sigma), "size")
    keep(aspect_filter(found["boxes"], options.aspect_sigma, options.aspect_range), "aspect")
    height, width = image.shape[:2]
    _, filled = crop_rects(found["boxes"], width, height)
    keep(filled, "area")
    keep(area_filter(found["boxes"], options.area_sigma), "area")
    lap("filtering")

    corners, _ = crop_rects(found["boxes"], width, height)
    rgb = image[:, :, ::-1]
    crops = [np.ascontiguousarray(rgb[y1:y2, x1:x2]) for x1, y1, x2, y2 in corners]
    if crops:
        embeddings = embed(crops, embedder, options.normalization, options.batch)
    else:
        embeddings = np.zeros((0, 0), np.float32)
    stages["embedded"] = len(embeddings)
    lap("embedding")

    labels = cluster(embeddings, options.similarity)
    main = largest(labels)
    lap("clustering")

    kept = merge(
        found["boxes"], found["scores"], labels, main, options.merge_first, options.merge_iou
    )
    labels = labels[kept]
    keep(kept, "merged")
    main = largest(labels)
    lap("merging")
    seconds["total"] = round(sum(seconds.values()), 6)

    rows = as_rows(found)
    for row, label in zip(rows, labels):
        row["cluster"] = int(label)
        row["main"] = bool(label == main)
    sizes = {str(i): int(n) for i, n in enumerate(np.bincount(labels)) if n} if len(labels) else {}
    return {
        "count": sizes[str(main)] if main is not None else 0,
        "mainCluster": main,
        "clusters": sizes,
        "stages": stages,
        "seconds": seconds,
        "detections": rows,
    }


def factor(text):
    return None if text == "off" else float(text)


def interval(text):
    low, high = text.split(":")
    return float(low), float(high)


def arguments(given=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("images", nargs="+", metavar="IMAGE")
    parser.add_argument("--detector", required=True, metavar="FILE")
    parser.add_argument("--embedder", required=True, metavar="FILE")
    parser.add_argument("--set", choices=SETS, default="standard")
    parser.add_argument("--confidence", type=float, default=0.001)
    parser.add_argument("--nms", type=float, default=0.65)
    parser.add_argument("--similarity", type=float, default=0.80)
    parser.add_argument("--size-sigma", metavar="K|off")
    parser.add_argument("--aspect-sigma", metavar="K|off")
    parser.add_argument("--aspect-range", type=interval, metavar="A:B")
    parser.add_argument("--area-sigma", metavar="K|off")
    parser.add_argument("--merge-iou", type=float, default=0.5)
    parser.add_argument("--merge-first", choices=("main", "score"))
    parser.add_argument("--normalization", choices=NORMALIZATIONS, default="imagenet")
    parser.add_argument("--decoded", action="store_true", help="the detector decodes its own head")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args(given)
    for name, value in SETS[options.set].items():
        asked = getattr(options, name)
        if asked is None:
            setattr(options, name, value)
        elif name.endswith("_sigma"):
            setattr(options, name, factor(asked))
    return options


def main():
    options = arguments()
    detector = session(options.detector, options.threads)
    embedder = session(options.embedder, options.threads)
    for path in options.images:
        image = read_image(path)
        result = count(image, detector, embedder, options)
        size = {"image": path, "width": image.shape[1], "height": image.shape[0]}
        print(json.dumps({**size, **result}))


if __name__ == "__main__":
    main()
