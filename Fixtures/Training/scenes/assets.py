"""Cuts the assets of scenes to size: `python -m scenes.assets FOLDER`, after scenes/fetch."""

import os
import sys

import cv2

from .sources import (
    BACKGROUND_SIDE,
    emoji,
    game_textures,
    gimp_patterns,
    photographs,
    stamps,
    trimmed,
)


def build(folder: str) -> None:
    """Writes FOLDER/assets from FOLDER/tree."""
    tree, assets = os.path.join(folder, "tree"), os.path.join(folder, "assets")
    for kind in ("cutouts", "backgrounds"):
        os.makedirs(os.path.join(assets, kind), exist_ok=True)
    cutouts = backgrounds = 0
    for make in (stamps, emoji):
        for name, picture in make(tree):
            image = trimmed(picture)
            if image is not None:
                cv2.imwrite(os.path.join(assets, "cutouts", name + ".png"), image)
                cutouts += 1
    for make in (gimp_patterns, game_textures, photographs):
        for name, image in make(tree):
            fit = min(1.0, BACKGROUND_SIDE / max(image.shape[:2]))
            if fit < 1:
                image = cv2.resize(image, None, fx=fit, fy=fit, interpolation=cv2.INTER_AREA)
            cv2.imwrite(os.path.join(assets, "backgrounds", name + ".jpg"), image,
                        [cv2.IMWRITE_JPEG_QUALITY, 92])
            backgrounds += 1
    print(f"{cutouts} cut-outs, {backgrounds} backgrounds in {assets}")


if __name__ == "__main__":
    build(sys.argv[1])
