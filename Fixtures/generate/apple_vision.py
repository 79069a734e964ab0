"""Writes Fixtures/Goldens/AppleVision: arrays with strides, half precision and premultiplied pixels, by NumPy and Pillow.

Run from the top of the checkout: python Fixtures/generate/apple_vision.py
"""

import zlib

import numpy as np
from PIL import Image

from common import seeded

F = np.float32
# Core ML's numbers for the types of arrays.
TYPES = {np.float16: 0x10010, np.float32: 0x10020, np.float64: 0x10040, np.int8: 0x20008, np.int32: 0x20020}


def seeded_bytes(seed, count):
    """As AppleVisionTests/Samples.swift makes them."""
    return (seeded.bits(seed, count) >> np.uint64(56)).astype(np.uint8)


def bits(values):
    """The bits of float32 values, with one NaN for all."""
    values = values.astype(F)
    return np.where(np.isnan(values), np.uint32(0x7FC00000), values.view(np.uint32))


def arrays():
    shapes = [
        ([7], [1]), ([7], [3]), ([2, 3], [3, 1]), ([2, 3], [1, 2]), ([1, 4, 5], [64, 16, 1]),
        ([1, 6, 33], [640, 64, 1]), ([2, 3, 4, 5], [60, 20, 5, 1]), ([2, 3, 4, 5], [1, 2, 6, 24]),
        ([3, 0, 2], [1, 1, 1]), ([], []), ([2, 2, 2], [0, 2, 1]),
    ]  # fmt: skip
    for number, (shape, strides) in enumerate(shapes):
        for kind, code in TYPES.items():
            size = np.dtype(kind).itemsize
            reach = 0 if 0 in shape else 1 + sum((n - 1) * s for n, s in zip(shape, strides))
            raw = seeded_bytes(100 + number, reach * size)
            with np.errstate(over="ignore", invalid="ignore"):
                view = np.lib.stride_tricks.as_strided(
                    raw.view(kind), shape=shape, strides=[s * size for s in strides])
                values = view.astype(F).reshape(-1)
            yield {
                "shape": shape, "strides": strides, "type": code, "seed": 100 + number, "bytes": len(raw),
                "count": len(values), "crc": zlib.crc32(bits(values).tobytes())}  # fmt: skip


def halves():
    every = np.arange(65536, dtype=np.uint16).view(np.float16)
    # Random bits, the numbers between two halves, and those next to them.
    random = (seeded.bits(7, 20000) >> np.uint64(32)).astype(np.uint32).view(F)
    finite = every[np.isfinite(every)].astype(np.float64)
    between = ((np.sort(finite)[1:] + np.sort(finite)[:-1]) / 2).astype(F)
    values = np.concatenate([
        random, between, np.nextafter(between, F(np.inf)), np.nextafter(between, F(-np.inf)),
        np.array([65504, 65519.99, 65520, -65520, 1e9, np.inf, -np.inf, 2**-25, 2**-26, -0.0, 0.0], F)])
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = values.astype(np.float16)
    codes = np.where(np.isnan(rounded), np.uint16(0x7E00), rounded.view(np.uint16))
    return {
        "every": zlib.crc32(bits(every).tobytes()),
        "rounded": zlib.crc32(codes.astype(np.uint16).tobytes()), "values": len(values)}  # fmt: skip


def pixels():
    for width, height in [(1, 1), (5, 3), (17, 8)]:
        for channels, mode in [(1, "L"), (2, "LA"), (3, "RGB"), (4, "RGBA")]:
            raw = seeded_bytes(width + channels, width * height * channels)
            picture = Image.frombytes(mode, (width, height), raw.tobytes())
            straight = picture.convert("RGBA")
            # Pillow's `RGBa` is RGBA with colours multiplied by alpha.
            premultiplied = straight.convert("RGBa")
            yield {
                "width": width, "height": height, "channels": channels, "seed": width + channels,
                "straight": bgra(straight), "premultiplied": bgra(premultiplied)}  # fmt: skip


def bgra(picture):
    rgba = np.frombuffer(picture.tobytes(), np.uint8).reshape(-1, 4)
    return zlib.crc32(rgba[:, [2, 1, 0, 3]].tobytes())


def detections():
    """A YOLOv8 output of three rows in half precision, whose rows lie 32 numbers apart."""
    rows = np.array([
        # cx, cy, w, h, class 0, class 1
        [320.0, 320.0, 64.0, 32.0, 0.125, 0.75],
        [10.5, 130.25, 20.0, 8.0, 0.5, 0.5],
        [600.0, 500.0, 40.0, 30.0, 0.0625, 0.1875],
    ], np.float16)  # fmt: skip
    table = np.zeros((6, 32), np.float16)
    table[:, :3] = rows.T
    width, height, side = 1000, 600, 640
    ratio = min(side / width, side / height)
    left = (side - round(width * ratio)) // 2
    top = (side - round(height * ratio)) // 2
    found = []
    for cx, cy, w, h, *classes in rows.astype(F):
        if max(classes) < 0.25:
            continue
        x, y = (np.array([cx - w / 2, cx + w / 2], F) - F(left)) / F(ratio), (
            np.array([cy - h / 2, cy + h / 2], F) - F(top)) / F(ratio)  # fmt: skip
        found.append([float(v) for v in [x[0], y[0], x[1], y[1], max(classes), int(np.argmax(classes))]])
    return {
        "width": width, "height": height, "side": side, "shape": [1, 6, 3], "strides": [192, 32, 1],
        "bits": [int(v) for v in table.view(np.uint16).reshape(-1)], "found": found}  # fmt: skip


if __name__ == "__main__":
    seeded.write("AppleVision/arrays.json", list(arrays()))
    seeded.write("AppleVision/halves.json", halves())
    seeded.write("AppleVision/pixels.json", list(pixels()))
    seeded.write("AppleVision/detections.json", detections())
