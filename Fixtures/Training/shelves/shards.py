"""Renders samples of one window each:  python -m shelves.shards CACHE FONTS OUT --shards A:B"""

import argparse
import pathlib
import time

import cv2
import numpy as np

from . import labels, textures
from .photo import photograph
from .scene import Scene
from .sources import Sources, arguments

SIDE = labels.WINDOW


def nothing(rng, sources):
    """A picture without books: a photograph, or bars."""
    if rng.random() < 0.6:
        image = sources.others.whole(rng).astype(np.float32)
        factor = SIDE / min(image.shape[:2]) * rng.uniform(0.7, 1.6)
        image = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        y = int(rng.integers(0, max(1, image.shape[0] - SIDE + 1)))
        x = int(rng.integers(0, max(1, image.shape[1] - SIDE + 1)))
        image = image[y : y + SIDE, x : x + SIDE].copy()
    else:
        image = sources.photographs.cut(rng, SIDE, SIDE) if rng.random() < 0.5 else textures.surface(
            rng, SIDE, SIDE, textures.colour(rng, True), rng.random() < 0.5)
        for _ in range(int(rng.integers(1, 6))):
            w, h = (int(v) for v in rng.uniform(40, 400, 2))
            page = textures.stripes(rng, w, h)
            if rng.random() < 0.4:
                page = cv2.rotate(page, cv2.ROTATE_90_CLOCKWISE)
            turn = cv2.getRotationMatrix2D((page.shape[1] / 2, page.shape[0] / 2), float(rng.choice([0, rng.normal(0, 20)])), 1)
            turn[:, 2] += rng.uniform(0, SIDE, 2) - np.array(page.shape[1::-1]) / 2
            mask = cv2.warpAffine(np.ones(page.shape[:2], np.float32), turn, (SIDE, SIDE))[..., None]
            image = image * (1 - mask) + mask * cv2.warpAffine(page, turn, (SIDE, SIDE))
    planes = np.zeros((8, image.shape[0] // 2, image.shape[1] // 2), np.uint8)
    planes[labels.COSINE] = planes[labels.SINE] = 128
    # Nobody says what of such a photo is a board, or pages.
    planes[labels.WEIGHT] = 2
    return image, planes


def sample(seed, sources):
    """A picture of SIDE x SIDE and its planes."""
    rng = np.random.default_rng([*np.atleast_1d(seed), 1])
    if rng.random() < 0.13:
        pixels, planes = nothing(rng, sources)
        image = photograph(rng, pixels)
    else:
        for trial in range(20):
            scene = Scene([*np.atleast_1d(seed), trial], sources.lettering, sources.photographs, sources.sprites, (SIDE, SIDE))
            planes, truth = labels.maps(scene)
            if planes[labels.SPINE].mean() > 0.02:
                break
        image = photograph(rng, scene.canvas.pixels)
    if rng.random() < 0.12:
        # A photo that lies on its side.
        turns = int(rng.choice([1, 3]))
        image, planes = np.rot90(image, turns), np.rot90(planes, turns, (1, 2)).copy()
        planes[labels.COSINE] = 256 - planes[labels.COSINE].astype(int).clip(1, 255)
        planes[labels.SINE] = 256 - planes[labels.SINE].astype(int).clip(1, 255)
    full = np.full((SIDE, SIDE, 3), 114, np.uint8)
    full[: image.shape[0], : image.shape[1]] = image
    every = np.zeros((8, SIDE // 2, SIDE // 2), np.uint8)
    every[labels.COSINE] = every[labels.SINE] = 128
    every[labels.WEIGHT] = 1
    every[:, : planes.shape[1], : planes.shape[2]] = planes
    return full, every


def main():
    parser = argparse.ArgumentParser()
    arguments(parser)
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shards", default="0:4")
    parser.add_argument("--scenes", type=int, default=100)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    sources = Sources(options.cache, options.fonts, options.photographs, options.seed)
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    first, last = map(int, options.shards.split(":"))
    for shard in range(first, last):
        path = out / f"shelves-{options.seed}-{shard:04d}.npz"
        if path.exists():
            continue
        start = time.time()
        pairs = []
        for index in range(options.scenes):
            try:
                pairs.append(sample([options.seed, shard, index], sources))
            except (ValueError, cv2.error) as problem:
                # An odd scene costs itself alone.
                print(f"{path.name} {index}: {problem}", flush=True)
        images = [cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1] for image, _ in pairs]
        planes = [cv2.imencode(".png", p.reshape(-1, p.shape[2]), [cv2.IMWRITE_PNG_COMPRESSION, 1])[1] for _, p in pairs]
        temporary = path.with_suffix(".tmp.npz")
        np.savez(temporary, images=np.concatenate(images), image_ends=np.cumsum([len(i) for i in images]),
                 planes=np.concatenate(planes), plane_ends=np.cumsum([len(p) for p in planes]))
        temporary.rename(path)
        print(f"{path.name}: {len(pairs) / (time.time() - start):.1f} a second", flush=True)


if __name__ == "__main__":
    main()
