#!/usr/bin/env python3
"""Writes photos of shelves with changes: Fixtures/Training/shelf_changes.py PHOTOS... FOLDER

PHOTOS are folders. FOLDER gets a folder for each change, with all photos: turned upside down, smaller, larger, darker
with noise, turned a little, and compressed more. None of it changes what a person reads, but a recognizer reads other
letters, and a detector other outlines. So they say better than the photos alone how often a title is right.
Needs Pillow and NumPy.
"""

import pathlib
import sys

import numpy as np
from PIL import Image, ImageOps


def darker(image, generator):
    dark = 255 * (np.asarray(image, dtype=np.float32) / 255) ** 1.5
    noise = generator.normal(0, 6, (image.height, image.width, 1))
    return Image.fromarray(np.clip(dark + noise, 0, 255).astype(np.uint8))


def changes(image, generator):
    """The changed pictures, and the quality of their JPEG files, by name."""
    def scaled(factor, how):
        return image.resize((int(image.width * factor), int(image.height * factor)), how)

    return {
        "turned": (image.transpose(Image.Transpose.ROTATE_180), 93),
        "small": (scaled(0.8, Image.Resampling.LANCZOS), 93),
        "large": (scaled(1.15, Image.Resampling.BICUBIC), 93),
        "dark": (darker(image, generator), 93),
        "skew": (image.rotate(2.5, Image.Resampling.BICUBIC, fillcolor=(90, 90, 90)), 93),
        "compressed": (image, 45),
    }


def main():
    *folders, target = map(pathlib.Path, sys.argv[1:])
    for path in sorted(path for folder in folders for path in folder.iterdir()):
        if path.suffix.lower() not in (".jpg", ".jpeg", ".png", ".webp"):
            continue
        image = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
        generator = np.random.default_rng(sum(map(ord, path.name)))
        for name, (changed, quality) in changes(image, generator).items():
            (target / name).mkdir(parents=True, exist_ok=True)
            # All are JPEG files, whatever their names say, so that truth is found by name.
            changed.save(target / name / path.name, format="JPEG", quality=quality)


if __name__ == "__main__":
    main()
