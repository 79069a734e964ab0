"""Renders whole pictures with the outlines of their spines, to measure on:  python -m shelves.rendered CACHE FONTS OUT

OUT/truth.json: for each picture `spines` (4 corners each, long sides from the first to the fourth and from the second to the
third) and `ignored`: spines of which too little is seen to say whether they count. Seeds from 100000 on are never trained on.
"""

import argparse
import json
import pathlib

import cv2
import numpy as np

from . import labels
from .photo import photograph
from .scene import Scene
from .sources import Sources, arguments

def main():
    parser = argparse.ArgumentParser()
    arguments(parser)
    parser.add_argument("out")
    parser.add_argument("--first", type=int, default=100000)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    sources = Sources(options.cache, options.fonts, options.photographs, 4)
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    truth = {}
    seed = options.first
    while len(truth) < options.count:
        scene = Scene([seed, 0], sources.lettering, sources.photographs, sources.sprites)
        _, found = labels.maps(scene)
        name, spines, ignored = f"shelf_{seed}.jpg", [], []
        seed += 1
        for quad, share, visible, thickness, inside in found:
            # Half of it in the picture and most of that not hidden, and thick enough to be seen by eye.
            seen = visible >= 0.5 and inside >= 0.4 and thickness >= 8
            (spines if seen else ignored).append(np.round(quad, 1).tolist())
        if len(spines) < 2 or len(ignored) > len(spines) / 2:
            continue
        image = photograph(scene.rng, scene.canvas.pixels)
        cv2.imwrite(str(out / name), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
        truth[name] = {"width": image.shape[1], "height": image.shape[0], "spines": spines, "ignored": ignored}
    (out / "truth.json").write_text(json.dumps(truth) + "\n")


if __name__ == "__main__":
    main()
