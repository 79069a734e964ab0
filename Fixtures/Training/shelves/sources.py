"""What scenes are made of, loaded once a process."""

import argparse
import pathlib

import cv2
import numpy as np

from .lettering import Lettering, fonts
from .textures import Photographs


class Sources:
    """Lettering, photographs to cut from, photographs without books, cut-outs with transparency."""

    def __init__(self, cache, fonts_folder, photographs, seed=0):
        rng = np.random.default_rng([seed, 77])
        self.lettering = Lettering(rng, fonts([fonts_folder, "/usr/share/fonts"]))
        tree = pathlib.Path(cache) / "tree"
        pictures = [tree / name for name in ("mate-backgrounds", "plasma-workspace-wallpapers", "gnome-backgrounds", "opencv-doc")]
        self.photographs = Photographs([*pictures, *photographs])
        self.others = Photographs(photographs, 480)
        self.sprites = []
        paths = sorted(pathlib.Path(cache).glob("assets/cutouts/*.png"))
        for index in rng.permutation(len(paths))[:300]:
            image = cv2.imread(str(paths[index]), cv2.IMREAD_UNCHANGED)
            if image is not None and image.ndim == 3 and image.shape[2] == 4:
                factor = min(1, 200 / max(image.shape[:2]))
                image = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
                self.sprites.append((image[..., :3], image[..., 3]))


def arguments(parser: argparse.ArgumentParser):
    parser.add_argument("cache", help="what scenes/fetch made")
    parser.add_argument("fonts", help="a folder of fonts")
    parser.add_argument("--photographs", nargs="+", default=[], help="folders of photos without books")
