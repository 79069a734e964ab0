"""A sheet of samples with their planes drawn over:  python -m shelves.preview CACHE FONTS sheet.png"""

import argparse

import cv2
import numpy as np

from . import labels
from .shards import sample
from .sources import Sources, arguments


def drawn(image, planes):
    """Spines green, cores bright, borders red, pages blue, boards yellow."""
    big = cv2.resize(planes.transpose(1, 2, 0), image.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    result = image.astype(np.float32)
    for plane, tint, share in ((labels.SPINE, (0, 200, 0), 0.25), (labels.CORE, (0, 255, 120), 0.35),
                               (labels.FORE, (255, 60, 0), 0.4), (labels.BOARDS, (0, 220, 255), 0.35),
                               (labels.BORDER, (0, 0, 255), 0.8)):
        mask = (big[..., plane] == 1)[..., None] * share
        result = result * (1 - mask) + mask * np.float32(tint)
    return result.astype(np.uint8)


def main():
    parser = argparse.ArgumentParser()
    arguments(parser)
    parser.add_argument("out")
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    sources = Sources(options.cache, options.fonts, options.photographs)
    rows = []
    for row in range(4):
        cells = []
        for column in range(3):
            image, planes = sample([9, options.first + row * 3 + column], sources)
            cells.append(np.hstack([image, drawn(image, planes)]))
        rows.append(np.hstack(cells))
    cv2.imwrite(options.out, np.vstack(rows))


if __name__ == "__main__":
    main()
