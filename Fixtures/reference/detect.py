#!/usr/bin/env python
"""Detections after suppression, by OpenCV, NumPy and ONNX Runtime: what `tally detect` is held to.

    python Fixtures/reference/detect.py IMAGE... --detector FILE [--confidence X] [--nms X]

Prints one JSON object a line per image. Boxes are in pixels of the upright image.
"""

import argparse
import json
import sys
import time

import cv2
import numpy as np
import onnxruntime


def session(path, threads=0):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3  # a fixed batch size in a file is often only a leftover
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def read_image(path):
    """The upright image, BGR, 8 bit."""
    image = cv2.imread(path, cv2.IMREAD_COLOR)
    if image is None:
        sys.exit(f"detect: error: {path} is not an image")
    return image


def letterbox(image, size):
    """The network's input and the factor from image pixels to its pixels."""
    height, width = image.shape[:2]
    ratio = min(size[0] / height, size[1] / width)
    resized = cv2.resize(
        image, (int(width * ratio), int(height * ratio)), interpolation=cv2.INTER_LINEAR
    )
    canvas = np.full((size[0], size[1], 3), 114, np.uint8)
    canvas[: resized.shape[0], : resized.shape[1]] = resized
    return np.ascontiguousarray(canvas.transpose(2, 0, 1)[None], np.float32), ratio


def decode(output, size):
    """Raw head rows to rows of center x, center y, width, height in the network's pixels."""
    for strides in ((8, 16, 32), (8, 16, 32, 64)):
        if sum((size[0] // s) * (size[1] // s) for s in strides) == output.shape[0]:
            break
    else:
        sys.exit(f"detect: error: {output.shape[0]} rows fit no YOLOX of {size[0]} x {size[1]}")
    cells, steps = [], []
    for stride in strides:
        ys, xs = np.meshgrid(
            np.arange(size[0] // stride), np.arange(size[1] // stride), indexing="ij"
        )
        cells.append(np.stack((xs, ys), 2).reshape(-1, 2))
        steps.append(np.full((cells[-1].shape[0], 1), stride))
    cells = np.concatenate(cells).astype(np.float32)
    steps = np.concatenate(steps).astype(np.float32)
    decoded = output.copy()
    decoded[:, :2] = (output[:, :2] + cells) * steps
    decoded[:, 2:4] = np.exp(output[:, 2:4]) * steps
    return decoded


def probabilities(rows):
    """Rows whose scores are probabilities: logits, which leave 0...1 somewhere, go through a sigmoid."""
    objectness = rows[:, 4]
    if objectness.min() >= 0 and objectness.max() <= 1:
        return rows
    rows = rows.copy()
    rows[:, 4:] = 1 / (1 + np.exp(-rows[:, 4:]))
    return rows


def suppress(boxes, scores, threshold):
    """Greedy non-maximum suppression: indices to keep, best score first, ties in input order."""
    order = np.argsort(-scores, kind="stable")
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    kept = []
    while order.size:
        best, order = order[0], order[1:]
        kept.append(int(best))
        left_top = np.maximum(boxes[best, :2], boxes[order, :2])
        right_bottom = np.minimum(boxes[best, 2:], boxes[order, 2:])
        sides = np.maximum(right_bottom - left_top, 0)
        intersection = sides[:, 0] * sides[:, 1]
        overlap = intersection / (areas[best] + areas[order] - intersection)
        order = order[~(overlap > threshold)]
    return np.array(kept, int)


def detect(image, network, confidence=0.001, nms=0.65, decoded=False):
    """Detections of a YOLOX in a BGR image, best first: a dictionary of arrays."""
    node = network.get_inputs()[0]
    size = node.shape[2:4]
    blob, ratio = letterbox(image, size)
    output = network.run(None, {node.name: blob})[0][0]
    rows = probabilities(output if decoded else decode(output, size))
    centers, sides = rows[:, :2], rows[:, 2:4]
    boxes = np.concatenate((centers - sides / 2, centers + sides / 2), 1)
    objectness = rows[:, 4]
    class_id = rows[:, 5:].argmax(1)
    class_score = rows[:, 5:].max(1)
    scores = objectness * class_score
    sure = scores >= np.float32(confidence)
    boxes, scores = boxes[sure], scores[sure]
    kept = suppress(boxes, scores, nms)
    return {
        "boxes": boxes[kept] / np.float32(ratio),
        "scores": scores[kept],
        "objectness": objectness[sure][kept],
        "class_scores": class_score[sure][kept],
        "class_ids": class_id[sure][kept],
    }


def as_rows(found):
    return [
        {
            "box": [round(float(v), 4) for v in found["boxes"][i]],
            "score": round(float(found["scores"][i]), 7),
            "objectness": round(float(found["objectness"][i]), 7),
            "classScore": round(float(found["class_scores"][i]), 7),
            "classID": int(found["class_ids"][i]),
        }
        for i in range(len(found["boxes"]))
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("images", nargs="+", metavar="IMAGE")
    parser.add_argument("--detector", required=True, metavar="FILE")
    parser.add_argument("--confidence", type=float, default=0.001)
    parser.add_argument("--nms", type=float, default=0.65)
    parser.add_argument("--decoded", action="store_true", help="the model decodes its own head")
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    network = session(options.detector, options.threads)
    for path in options.images:
        image = read_image(path)
        start = time.perf_counter()
        found = detect(image, network, options.confidence, options.nms, options.decoded)
        seconds = time.perf_counter() - start
        print(
            json.dumps(
                {
                    "image": path,
                    "width": image.shape[1],
                    "height": image.shape[0],
                    "seconds": round(seconds, 6),
                    "detections": as_rows(found),
                }
            )
        )


if __name__ == "__main__":
    main()
