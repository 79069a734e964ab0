"""Counts all things on photographs with known numbers: a check that scenes resemble photographs.

    python photos.py PHOTOS MODEL.onnx... [--confidences 0.3 0.4 0.5] [--overlap 0.5]

PHOTOS is a folder with truth.json ({"name": {"all": number}}). One pass over the whole photograph,
no tiling, no selection. These photographs are never trained on.
"""

import argparse
import json
import os

import cv2
import numpy as np
from inference import Session


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--confidences", type=float, nargs="+", default=[0.3, 0.4, 0.5])
    parser.add_argument("--overlap", type=float, default=0.5)
    options = parser.parse_args()
    with open(os.path.join(options.photos, "truth.json")) as file:
        truth = {name: entry["all"] for name, entry in json.load(file).items()}
    for path in options.models:
        session = Session(path)
        counts = np.array([
            [(found[:, 4] >= c).sum() for c in options.confidences]
            for name in truth
            for found in [session.detect(cv2.imread(os.path.join(options.photos, name)),
                                         min(options.confidences), options.overlap)]])
        right = np.array(list(truth.values()))[:, None]
        accuracy = np.clip(1 - np.abs(counts - right) / right, 0, None)
        print(f"{path}: at {options.confidences} accuracy {accuracy.mean(0).round(3).tolist()}, "
              f"exact {(counts == right).sum(0).tolist()} of {len(truth)}")
        for name, row, number in zip(truth, counts.tolist(), right[:, 0].tolist(), strict=True):
            print(f"  {name}: {number}, found {row}")


if __name__ == "__main__":
    main()
