"""Cut-outs and background photographs, taken from Debian packages and the scikit-image wheel.

`python -m scenes.assets FOLDER` reads the packages unpacked under FOLDER/tree and writes
FOLDER/assets: cut-outs as PNG of at most 160 pixels, backgrounds as JPEG of at most 900. Which
packages, and their terms: ../README.md.
"""

import glob
import os
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass

import cv2
import numpy as np

CUTOUT_SIDE = 160
BACKGROUND_SIDE = 900

# Folders of stamps that show no single solid thing.
NOT_THINGS = ("symbols/alphabets", "symbols/math", "symbols/music", "symbols/faces", "00_symbols",
              "flags", "roadsigns", "monuments", "naturalforces", "town/", "vehicles/ship",
              "space/")
# Pictures that show countable things, which would be there without a label, or nothing at all;
# smarties and coins are among the photographs that the result is judged by.
NOT_BACKGROUNDS = (
    "smarties", "coins", "fruits", "ColorfulCups", "OneStandsOut", "FlyingKonqui", "pic1", "pic2",
    "pic3", "pic4", "pic5", "pic6", "digits", "cards", "ellipses", "detect_blob", "pca_test",
    "mask", "stuff", "basketball", "orange", "apple", "chessboard", "left0", "left1", "right0",
    "right1", "Blender", "logo", "Logo", "horse", "phantom", "cell", "gradient", "shape_sample",
    "multipage", "tuto", "screenshot", "trimap", "aloeGT", "microaneurysms", "html", "nice.dat",
    "symbolic", "vnc", "motorcycle_right", "aloeR", "leuvenB", "ela_original", "graf3",
    "rubberwhale2", "text_motion", "Transparent-Wallpaper", "5640x3172", "3840x2160.jpg",
    "HappyFish", "templ", "ml.png", "alphamat", "segmented", "scenetext_char", "board.jpg", "ihc",
    "hubble",
)


@dataclass
class Assets:
    """What `load` found: (name, premultiplied BGRA) and BGR pictures."""

    cutouts: list[tuple[str, np.ndarray]]
    backgrounds: list[np.ndarray]


def is_held_out(name: str) -> bool:
    """One in ten, by name: seen in evaluation only."""
    return zlib.crc32(name.encode()) % 10 == 0


def load(folder: str, split: str) -> Assets:
    """The assets of a split, "train" or "held-out"; there may be no backgrounds."""
    wanted = split == "held-out"
    cutouts, backgrounds = [], []
    for path in sorted(glob.glob(os.path.join(folder, "assets", "cutouts", "*.png"))):
        name = os.path.basename(path)[:-4]
        if is_held_out(name) == wanted:
            cutouts.append((name, cv2.imread(path, cv2.IMREAD_UNCHANGED)))
    for path in sorted(glob.glob(os.path.join(folder, "assets", "backgrounds", "*.jpg"))):
        if is_held_out(os.path.basename(path)) == wanted:
            backgrounds.append(cv2.imread(path, cv2.IMREAD_COLOR))
    if not cutouts:
        raise FileNotFoundError(f"no assets in {folder}; run scenes/fetch first")
    return Assets(cutouts, backgrounds)


def trimmed(image: np.ndarray | None) -> np.ndarray | None:
    """Premultiplied, cropped to what is seen, at most `CUTOUT_SIDE`; nil if no solid thing."""
    if image is None or image.ndim != 3 or image.shape[2] != 4:
        return None
    if image.dtype != np.uint8:
        image = (image / 257).astype(np.uint8)
    ys, xs = np.nonzero(image[..., 3] > 100)
    if len(xs) < 200:
        return None
    image = image[ys.min():ys.max() + 1, xs.min():xs.max() + 1].astype(np.float32)
    height, width = image.shape[:2]
    solid = (image[..., 3] > 100).mean()
    if solid < 0.25 or solid > 0.995 or max(height, width) > 5 * min(height, width):
        return None
    image[..., :3] *= image[..., 3:] / 255
    fit = CUTOUT_SIDE / max(height, width)
    way = cv2.INTER_AREA if fit < 1 else cv2.INTER_CUBIC
    size = (max(8, round(width * fit)), max(8, round(height * fit)))
    image = cv2.resize(image, size, interpolation=way)
    image[..., :3] = np.minimum(image[..., :3], image[..., 3:])
    return np.clip(image, 0, 255).astype(np.uint8)


def stamps(tree: str):
    """Tux Paint's stamps: photographs and drawings of things."""
    root = os.path.join(tree, "tuxpaint-stamps-default/usr/share/tuxpaint/stamps")
    for path in sorted(glob.glob(root + "/**/*.png", recursive=True)):
        name = os.path.relpath(path, root)
        if not any(part in name for part in NOT_THINGS):
            yield "stamp-" + name[:-4].replace("/", "-"), cv2.imread(path, cv2.IMREAD_UNCHANGED)


def is_sign(code: int) -> bool:
    """Letters, arrows, clocks, hearts as signs: print, and print is nothing to count."""
    return any(a <= code <= b for a, b in (
        (0x1F493, 0x1F4A3), (0x1F4B1, 0x1F4B2), (0x1F4DB, 0x1F4DB), (0x1F4F4, 0x1F4F6),
        (0x1F500, 0x1F54E), (0x1F549, 0x1F567), (0x1F5E8, 0x1F5EF), (0x1F6AB, 0x1F6C5),
        (0x1F6D0, 0x1F6D1)))


def emoji(tree: str):
    """Noto's emoji that are one character; combined ones repeat them."""
    from fontTools.ttLib import TTFont

    pattern = os.path.join(tree, "fonts-noto-color-emoji/**/NotoColorEmoji.ttf")
    for path in glob.glob(pattern, recursive=True):
        font = TTFont(path)
        pictures = font["CBDT"].strikeData[0]
        for code, glyph in sorted(font.getBestCmap().items()):
            if code >= 0x1F300 and not is_sign(code) and glyph in pictures:
                data = np.frombuffer(pictures[glyph].imageData, np.uint8)
                yield f"emoji-{code:x}", cv2.imdecode(data, cv2.IMREAD_UNCHANGED)


def gimp_patterns(tree: str):
    """GIMP's patterns: wood, marble, cloth; a plain header, then bytes."""
    for path in sorted(glob.glob(os.path.join(tree, "gimp-data/**/*.pat"), recursive=True)):
        with open(path, "rb") as file:
            data = file.read()
        start, _, width, height, channels = struct.unpack(">5I", data[:20])
        pixels = np.frombuffer(data, np.uint8, width * height * channels, start)
        pixels = pixels.reshape(height, width, channels)
        image = pixels[..., 2::-1] if channels >= 3 else np.repeat(pixels[..., :1], 3, 2)
        times = (max(1, 600 // height), max(1, 600 // width), 1)
        yield "gimp-" + os.path.basename(path)[:-4], np.tile(image, times)


def game_textures(tree: str):
    """OpenArena's wall and floor textures, repeated to a useful size; one in three."""
    for path in glob.glob(os.path.join(tree, "openarena-081-textures/**/*.pk3"), recursive=True):
        with zipfile.ZipFile(path) as archive:
            names = [n for n in sorted(archive.namelist()) if re.search(r"textures/.*\.jpg$", n)]
            for name in names[::3]:
                data = np.frombuffer(archive.read(name), np.uint8)
                image = cv2.imdecode(data, cv2.IMREAD_COLOR)
                if image is None or min(image.shape[:2]) < 128 or image.std() < 4:
                    continue
                if any(word in name for word in ("skies", "sfx", "sprite", "effect", "liquid")):
                    continue
                yield "arena-" + name[9:-4].replace("/", "-"), np.tile(image, (2, 2, 1))


def photographs(tree: str):
    """Wallpapers, OpenCV's and scikit-image's sample pictures."""
    import skimage

    roots = [os.path.join(tree, name) for name in (
        "plasma-workspace-wallpapers", "gnome-backgrounds", "mate-backgrounds", "opencv-doc")]
    roots.append(os.path.join(os.path.dirname(skimage.__file__), "data"))
    for root in roots:
        paths = [p for ending in ("jpg", "png", "webp")
                 for p in glob.glob(f"{root}/**/*.{ending}", recursive=True)]
        for path in sorted(paths):
            if any(part in path[len(root):] for part in NOT_BACKGROUNDS):
                continue
            if re.search(r"/(640|800|1\d\d\d|720|2560x1440)[x\d]*\.", path):
                continue  # the same wallpaper in another size
            image = cv2.imread(path, cv2.IMREAD_COLOR)
            if image is not None and min(image.shape[:2]) >= 200:
                name = os.path.relpath(path, root)[:-4].replace("usr/share/", "")
                yield "photo-" + re.sub(r"[^A-Za-z0-9]+", "-", name), image
