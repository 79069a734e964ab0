"""A contact sheet of scenes with their boxes, a colour per kind.

    python -m scenes.preview ASSETS OUT.png [--split held-out] [--seed 1] [--first 0]
        [--plain] [--theme orchard]
"""

import argparse

import cv2
import numpy as np

from .scene import COUNTED_SHARE, Scene, Studio

PALETTE = [(60, 220, 60), (60, 60, 240), (240, 140, 40), (40, 220, 240), (220, 60, 220)]


def overlay(scene: Scene, boxes: bool) -> np.ndarray:
    """The picture with its boxes; instances that are not counted are grey."""
    image = scene.image
    if boxes:
        for thing in scene.instances:
            x0, y0, x1, y1 = (int(v) for v in thing.box)
            counted = thing.visible >= COUNTED_SHARE
            colour = PALETTE[thing.kind % 5] if counted else (130, 130, 130)
            cv2.rectangle(image, (x0, y0), (x1 - 1, y1 - 1), colour, 1)
    counted = sum(thing.visible >= COUNTED_SHARE for thing in scene.instances)
    text = f"{counted} {scene.layout} " + " ".join(k.split("/")[-2 if "/" in k else 0]
                                                   for k in scene.kinds)
    cv2.rectangle(image, (0, 0), (len(text) * 6 + 6, 13), (0, 0, 0), -1)
    cv2.putText(image, text, (2, 10), 0, 0.35, (255, 255, 255), 1, cv2.LINE_AA)
    return image


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("assets")
    parser.add_argument("out")
    parser.add_argument("--split", default="train")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--theme", help="only scenes of this theme, as its function is named")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--columns", type=int, default=6)
    parser.add_argument("--rows", type=int, default=4)
    parser.add_argument("--plain", action="store_true", help="without boxes")
    options = parser.parse_args()
    studio = Studio(options.assets, options.split)
    studio.only_theme = options.theme
    tiles = [overlay(studio.scene(options.seed, options.first + k), not options.plain)
             for k in range(options.rows * options.columns)]
    rows = [np.hstack(tiles[r * options.columns:(r + 1) * options.columns])
            for r in range(options.rows)]
    cv2.imwrite(options.out, np.vstack(rows))


if __name__ == "__main__":
    main()
