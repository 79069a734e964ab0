"""Cuts the things that a detector found out of photos, for a folder of a class.

    tally detect --json photos/coins*.jpg | python -m classifier.cut FOLDER/coin
"""

import argparse
import json
import os
import sys

from PIL import Image

from .pictures import opened


def cut(image: Image.Image, box: list[float], margin: float) -> Image.Image:
    """A box with a margin, a share of its longer side, inside the photo."""
    left, top, right, bottom = box
    surplus = margin * max(right - left, bottom - top)
    return image.crop((
        int(max(0, left - surplus)), int(max(0, top - surplus)),
        int(min(image.width, right + surplus)), int(min(image.height, bottom + surplus))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--margin", type=float, default=0.1, help="share of the longer side")
    parser.add_argument("--least", type=int, default=16, help="pixels of the shorter side")
    parser.add_argument("--most", type=int, default=60, help="things of a photo, the surest first")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    count = 0
    for line in sys.stdin:
        found = json.loads(line)
        image = opened(found["image"])
        name = os.path.splitext(os.path.basename(found["image"]))[0]
        boxes = [d["box"] for d in found["detections"]]
        boxes = [b for b in boxes if min(b[2] - b[0], b[3] - b[1]) >= options.least][: options.most]
        for number, box in enumerate(boxes):
            cut(image, box, options.margin).save(
                os.path.join(options.folder, f"{name}_{number:03}.jpg"), quality=92)
        count += len(boxes)
    print(f"{options.folder}: {count} things")


if __name__ == "__main__":
    main()
