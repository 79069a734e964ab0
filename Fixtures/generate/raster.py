#!/usr/bin/env python
"""Writes Fixtures/Goldens/Raster: what OpenCV, Pillow and NumPy make of drawn images and of the photos.

    python Fixtures/generate/raster.py

Images are drawn from SplitMix64 here and in the tests alike, so only the checksums of the answers are stored.
The photos' answers need `../shared` beside the checkout; without it that file is left as it is.
"""

import json
import pathlib
import zlib

import cv2
import numpy as np
from PIL import Image, ImageOps

HERE = pathlib.Path(__file__).resolve().parent
GOLDENS = HERE.parent / "Goldens" / "Raster"
PHOTOS = HERE.parents[2] / "shared" / "photos"
MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
CLIP = ((0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711))
IMAGENET = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))


def write(name, value):
    GOLDENS.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in value)
    (GOLDENS / name).write_text(f"[\n{lines}\n]\n")


def noise(seed, count):
    """The top bytes of SplitMix64's first `count` numbers."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return ((z ^ (z >> np.uint64(31))) >> np.uint64(56)).astype(np.uint8)


def drawn(kind, seed, width, height, channels):
    """`noise`: every sample at random; `extremes`: 0 or 255; `ramps`: planes with edges where they wrap."""
    random = noise(seed, width * height * channels).reshape(height, width, channels)
    if kind == "noise":
        return random
    if kind == "extremes":
        return np.where(random >= 128, 255, 0).astype(np.uint8)
    y, x, c = np.mgrid[:height, :width, :channels]
    return (x * (3 + seed % 5) + y * (c + 1)).astype(np.uint8)


def pillow(image):
    return Image.fromarray(image[:, :, 0] if image.shape[2] == 1 else image)


def crc(array):
    return zlib.crc32(np.ascontiguousarray(array).tobytes())


def letterboxed(image, width, height):
    ratio = min(height / image.shape[0], width / image.shape[1])
    canvas = np.full((height, width, image.shape[2]), 114, np.uint8)
    inner = int(image.shape[1] * ratio), int(image.shape[0] * ratio)
    if min(inner) < 1:
        return None
    resized = cv2.resize(image, inner, interpolation=cv2.INTER_LINEAR)
    canvas[: inner[1], : inner[0]] = resized.reshape(inner[1], inner[0], -1)
    return canvas


def preprocessed(image, mean, deviation, size=224):
    """torchvision's Resize, CenterCrop, ToTensor and Normalize, by their published rules."""
    width, height = image.size
    if width <= height:
        width, height = size, int(size * height / width)
    else:
        width, height = int(size * width / height), size
    image = image.resize((width, height), Image.BICUBIC)
    left, top = int(round((width - size) / 2.0)), int(round((height - size) / 2.0))
    pixels = np.asarray(image.crop((left, top, left + size, top + size)))
    values = pixels.astype(np.float32) / np.float32(255)
    values = (values - np.array(mean, np.float32)) / np.array(deviation, np.float32)
    return values.transpose(2, 0, 1)


def sizes(random):
    """Source and target: mixed, one pixel thin, exact halves and multiples, grown, squeezed on one side."""
    yield from [
        (1, 1, 1, 1), (1, 1, 7, 5), (7, 5, 1, 1), (2, 2, 1, 1), (1, 9, 1, 4), (9, 1, 4, 1), (64, 48, 32, 24),
        (64, 48, 32, 25), (63, 47, 32, 24), (30, 30, 10, 10), (5, 5, 5, 9), (5, 5, 9, 5), (90, 10, 20, 80),
        (10, 90, 80, 20), (60, 90, 40, 50), (60, 90, 40, 49), (60, 91, 40, 50), (17, 97, 16, 95), (16, 16, 8, 8),
    ]
    for index in range(120):
        most = (8, 40, 110)[index % 3]
        source = random.integers(1, most + 1, 2)
        target = random.integers(1, (8, 40, 110)[(index // 3) % 3] + 1, 2)
        if index % 10 == 0:
            source = target * 2
        yield tuple(int(v) for v in (*source, *target))


def resizes():
    random = np.random.default_rng(20260822)
    for number, (width, height, new_width, new_height) in enumerate(sizes(random)):
        kind = ("noise", "extremes", "ramps")[number % 3]
        channels = (3, 1, 4, 2, 3)[number % 5]
        image = drawn(kind, number, width, height, channels)
        size = (new_width, new_height)
        row = {
            "kind": kind, "seed": number, "width": width, "height": height, "channels": channels,
            "newWidth": new_width, "newHeight": new_height,
            "bilinear": crc(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)),
            "bicubic": crc(pillow(image).resize(size, Image.BICUBIC)),
            "bilinearAntialiased": crc(pillow(image).resize(size, Image.BILINEAR)),
        }
        canvas = letterboxed(image, new_width, new_height)
        if canvas is not None:
            row["letterbox"] = crc(canvas)
        yield row


def conversions():
    for channels in (1, 2, 3, 4):
        image = drawn("noise", 7, 37, 23, channels)
        row = {"channels": channels, "converted": {}}
        for count, mode in MODES.items():
            # Pillow makes grey of colour without touching alpha, through these modes.
            row["converted"][str(count)] = crc(pillow(image).convert(mode))
        transforms = [
            None, Image.FLIP_LEFT_RIGHT, Image.ROTATE_180, Image.FLIP_TOP_BOTTOM, Image.TRANSPOSE,
            Image.ROTATE_270, Image.TRANSVERSE, Image.ROTATE_90,
        ]
        row["oriented"] = [
            crc(pillow(image) if t is None else pillow(image).transpose(t)) for t in transforms
        ]
        yield row


def preprocessings():
    for number, (width, height) in enumerate(
        [(224, 224), (1, 1), (1, 30), (30, 1), (31, 44), (44, 31), (300, 200), (200, 301), (225, 224),
         (224, 226), (448, 448), (100, 731), (260, 900), (513, 257), (3, 2)]
    ):
        image = drawn(("noise", "ramps")[number % 2], number, width, height, 3)
        row = {"kind": ("noise", "ramps")[number % 2], "seed": number, "width": width, "height": height}
        for name, values in (("clip", CLIP), ("imageNet", IMAGENET)):
            row[name] = crc(preprocessed(pillow(image), *values))
        yield row


MATRICES = {"bt601": (0.299, 0.114), "bt709": (0.2126, 0.0722)}


def colours(luma, chroma, matrix, full):
    """RGB of NV12 by the formulas of BT.601 and BT.709, to the nearest whole number."""
    red, blue = MATRICES[matrix]
    green = 1 - red - blue
    height, width = luma.shape
    each = chroma.repeat(2, axis=0).repeat(2, axis=1)[:height, :width].astype(np.float64) - 128
    cb, cr = each[:, :, 0], each[:, :, 1]
    y = luma.astype(np.float64)
    if not full:
        y, cb, cr = (y - 16) * 255 / 219, cb * 255 / 224, cr * 255 / 224
    rgb = np.stack([
        y + 2 * (1 - red) * cr,
        y - 2 * blue * (1 - blue) / green * cb - 2 * red * (1 - red) / green * cr,
        y + 2 * (1 - blue) * cb,
    ], axis=2)
    return np.clip(np.floor(rgb + 0.5), 0, 255).astype(np.uint8)


def camera_frames():
    """BGRA and NV12 frames; the last has each pair of chroma values, with four values of luma."""
    frames = [(1, 1), (2, 2), (3, 1), (1, 3), (5, 4), (16, 9), (37, 23), (64, 48), (512, 512)]
    for seed, (width, height) in enumerate(frames):
        bgra = noise(seed, 4 * width * height).reshape(height, width, 4)
        luma = noise(100 + seed, width * height).reshape(height, width)
        rows, columns = (height + 1) // 2, (width + 1) // 2
        chroma = noise(200 + seed, 2 * rows * columns).reshape(rows, columns, 2)
        if width == 512:
            chroma = np.stack(np.mgrid[:256, :256], axis=2).astype(np.uint8)
        row = {"seed": seed, "width": width, "height": height,
               "bgra": crc(cv2.cvtColor(bgra, cv2.COLOR_BGRA2RGB)), "nv12": {}}
        for matrix in MATRICES:
            for full in (True, False):
                rgb = colours(luma, chroma, matrix, full)
                row["nv12"][f"{matrix}{'Full' if full else 'Video'}Range"] = crc(rgb)
        if width % 2 == 0 and height % 2 == 0:
            # OpenCV has one of the four, with fewer bits, and takes luma below black for black.
            peer = cv2.cvtColorTwoPlane(luma, chroma, cv2.COLOR_YUV2RGB_NV12).astype(int)
            difference = np.abs(peer - colours(np.maximum(luma, 16), chroma, "bt601", False))
            assert difference.max() <= 1, (width, height, difference.max())
        yield row


def photos():
    for path in sorted((PHOTOS / "count").glob("*.jpg")) + sorted((PHOTOS / "count").glob("*.png")):
        image = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
        pixels = np.asarray(image)
        row = {"path": f"photos/count/{path.name}", "decoded": crc(pixels)}
        for side in (416, 640):
            planes = letterboxed(pixels, side, side)[:, :, ::-1].transpose(2, 0, 1)
            row[f"letterbox{side}"] = crc(planes.astype(np.float32))
        for name, values in (("clip", CLIP), ("imageNet", IMAGENET)):
            row[name] = crc(preprocessed(image, *values))
        crop = image.crop((image.width // 3, image.height // 4, image.width // 2, image.height * 3 // 4))
        row["cropClip"] = crc(preprocessed(crop, *CLIP))
        yield row


if __name__ == "__main__":
    write("resizes.json", resizes())
    write("conversions.json", conversions())
    write("preprocessings.json", preprocessings())
    write("camera_frames.json", camera_frames())
    if PHOTOS.exists():
        write("photos.json", photos())
    else:
        print("photos.json left as it is: ../shared is not here")
