#!/usr/bin/env python
"""Writes Fixtures/Images/Formats (small image files of every kind that is read) and
Fixtures/Goldens/ImageFiles (what OpenCV and Pillow decode them, and the photos, to).

    python Fixtures/generate/image_files.py

The photos' answers need `../shared` beside the checkout; without it that file is left as it is.
"""

import json
import pathlib
import random
import struct
import warnings
import zlib

import cv2
import numpy as np
import pillow_heif
from PIL import Image, ImageOps

HERE = pathlib.Path(__file__).resolve().parent
GOLDENS = HERE.parent / "Goldens" / "ImageFiles"
FORMATS = HERE.parent / "Images" / "Formats"
PHOTOS = HERE.parents[2] / "shared" / "photos"
WIDTH, HEIGHT = 43, 29

warnings.simplefilter("ignore")
pillow_heif.register_heif_opener()


def write(name, rows):
    GOLDENS.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    (GOLDENS / name).write_text(f"[\n{lines}\n]\n")


def drawn(width=WIDTH, height=HEIGHT):
    """Ramps with a patch of noise, and one plain colour in each corner: red, green, blue, white."""
    y, x = np.mgrid[:height, :width]
    image = np.stack([x * 5 % 256, y * 7 % 256, (x + y) * 3 % 256], -1).astype(np.uint8)
    image[10:20, 12:30] = np.random.default_rng(1).integers(0, 256, (10, 18, 3))
    side = min(width, height) // 3
    image[:side, :side] = (230, 20, 20)
    image[:side, -side:] = (20, 230, 20)
    image[-side:, :side] = (20, 20, 230)
    image[-side:, -side:] = (235, 235, 235)
    return image


def exif(orientation):
    block = Image.Exif()
    block[0x112] = orientation
    return block


def jpegs():
    image = Image.fromarray(drawn())
    for sampling in ("4:4:4", "4:2:2", "4:2:0", "4:1:1"):
        name = sampling.replace(":", "")
        image.save(FORMATS / f"baseline_{name}.jpg", quality=85, subsampling=sampling)
        image.save(
            FORMATS / f"progressive_{name}.jpg", quality=85, subsampling=sampling, progressive=True)
    flags = [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x121111, cv2.IMWRITE_JPEG_RST_INTERVAL, 3]
    cv2.imwrite(str(FORMATS / "restart_440.jpg"), drawn()[:, :, ::-1], flags)
    image.convert("L").save(FORMATS / "grey.jpg", quality=85)
    image.convert("L").save(FORMATS / "grey_progressive.jpg", quality=85, progressive=True)
    image.save(FORMATS / "rgb.jpg", quality=85, keep_rgb=True)
    image.convert("CMYK").save(FORMATS / "cmyk.jpg", quality=85)
    image.convert("CMYK").save(FORMATS / "cmyk_progressive.jpg", quality=85, progressive=True)
    data = (FORMATS / "cmyk.jpg").read_bytes()
    start = data.index(b"\xff\xee")
    (length,) = struct.unpack(">H", data[start + 2 : start + 4])
    (FORMATS / "cmyk_unmarked.jpg").write_bytes(data[:start] + data[start + 2 + length :])
    for orientation in range(1, 9):
        image.save(FORMATS / f"turned_{orientation}.jpg", quality=85, exif=exif(orientation))
    # Two stray bytes before the end marker, as some cameras leave.
    data = (FORMATS / "baseline_420.jpg").read_bytes()
    (FORMATS / "stray_bytes.jpg").write_bytes(data[:-2] + b"\x12\x34" + data[-2:])
    (FORMATS / "trailer.jpg").write_bytes(data + b"more data of the maker's own" * 3)


def png(name, color_type, depth, channels, interlaced=False, palette=None, transparency=None, extra=()):
    """A PNG with random samples, written by hand so that every depth and pass is met."""
    width, height = 19, 13
    numbers = random.Random(name)
    highest = (1 << depth) - 1
    samples = [
        [[numbers.randint(0, highest) for _ in range(channels)] for _ in range(width)]
        for _ in range(height)
    ]

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    passes = [(0, 0, 1, 1)]
    if interlaced:
        passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    rows = b""
    for left, top, right, down in passes:
        for y in range(top, height, down):
            bits = "".join(
                format(sample, f"0{depth}b") for x in range(left, width, right) for sample in samples[y][x])
            if bits:
                bits += "0" * (-len(bits) % 8)
                rows += b"\0" + int(bits, 2).to_bytes(len(bits) // 8, "big")
    header = struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, int(interlaced))
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    for kind, body in extra:
        data += chunk(kind, body)
    if palette:
        data += chunk(b"PLTE", palette)
    if transparency:
        data += chunk(b"tRNS", transparency)
    data += chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    (FORMATS / f"{name}.png").write_bytes(data)


def pngs():
    for interlaced in (False, True):
        suffix = "_interlaced" if interlaced else ""
        for depth in (1, 2, 4, 8, 16):
            png(f"grey_{depth}{suffix}", 0, depth, 1, interlaced)
            if depth <= 8:
                colours = random.Random(depth).randbytes(3 << depth)
                alphas = random.Random(-depth).randbytes(1 << depth)
                png(f"palette_{depth}{suffix}", 3, depth, 1, interlaced, colours)
                png(f"palette_alpha_{depth}{suffix}", 3, depth, 1, interlaced, colours, alphas)
            if depth >= 8:
                png(f"rgb_{depth}{suffix}", 2, depth, 3, interlaced)
                png(f"grey_alpha_{depth}{suffix}", 4, depth, 2, interlaced)
                png(f"rgba_{depth}{suffix}", 6, depth, 4, interlaced)
    png("rgb_transparent", 2, 8, 3, transparency=struct.pack(">HHH", 1, 2, 3))
    png("grey_transparent", 0, 8, 1, transparency=struct.pack(">H", 77))
    png("gamma", 2, 8, 3, extra=[(b"gAMA", struct.pack(">I", 100000)), (b"tEXt", b"Title\0x")])
    for orientation in range(1, 9):
        Image.fromarray(drawn()).save(FORMATS / f"turned_{orientation}.png", exif=exif(orientation))


def boxes(data, start, end):
    """The boxes between two offsets: kind, where the box starts, where its body does, where it ends."""
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", data[start : start + 8])
        yield kind, start, start + 8, start + size
        start += size


def with_property(data, body):
    """A HEIC file with one more property (`irot`, `imir`) on its primary image.

    Encoders at hand don't write these, phones do. Every enclosing box grows, and so do the offsets of what
    comes after (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 6.5 and 9.3).
    """
    data = bytearray(data)
    meta = next(b for b in boxes(data, 0, len(data)) if b[0] == b"meta")
    inner = {b[0]: b for b in boxes(data, meta[2] + 4, meta[3])}
    (primary,) = struct.unpack(">H", data[inner[b"pitm"][2] + 4 : inner[b"pitm"][2] + 6])
    parts = {b[0]: b for b in boxes(data, inner[b"iprp"][2], inner[b"iprp"][3])}
    ipco, ipma = parts[b"ipco"], parts[b"ipma"]
    index = 1 + sum(1 for _ in boxes(data, ipco[2], ipco[3]))
    grown = len(body) + 1

    def grow(box, count):
        (size,) = struct.unpack(">I", data[box[1] : box[1] + 4])
        data[box[1] : box[1] + 4] = struct.pack(">I", size + count)

    # Offsets first, while every position is still where it was.
    at = inner[b"iloc"][2]
    sizes, count = struct.unpack(">HH", data[at + 4 : at + 8])
    assert data[at] == 0 and sizes == 0x4440, "4-byte offsets, lengths and bases are expected"
    at += 8
    for _ in range(count):
        base, extents = struct.unpack(">IH", data[at + 4 : at + 10])
        data[at + 4 : at + 8] = struct.pack(">I", base + grown)
        at += 10 + 8 * extents
    at = ipma[2]
    assert data[at] == 0 and data[at + 3] & 1 == 0, "one-byte associations are expected"
    (entries,) = struct.unpack(">I", data[at + 4 : at + 8])
    at += 8
    for _ in range(entries):
        (item,) = struct.unpack(">H", data[at : at + 2])
        end = at + 3 + data[at + 2]
        if item == primary:
            data[at + 2] += 1
            break
        at = end
    for box in (meta, inner[b"iprp"]):
        grow(box, grown)
    grow(ipma, 1)
    grow(ipco, len(body))
    data[end:end] = bytes([0x80 | index])
    data[ipco[3] : ipco[3]] = body
    return bytes(data)


def heics():
    image = Image.fromarray(drawn(96, 64))
    image.save(FORMATS / "plain.heic", quality=80)
    image.convert("L").save(FORMATS / "grey.heic", quality=80)
    image.convert("RGBA").save(FORMATS / "alpha.heic", quality=80)
    samples = np.asarray(image).astype(np.uint16) * 257
    deep = pillow_heif.from_bytes("RGB;16", image.size, samples.tobytes())
    deep.save(FORMATS / "deep.heic", quality=80)
    # As phones write: the property turns the image, and EXIF says the same once more.
    image.save(FORMATS / "exif_only.heic", quality=80, exif=exif(6))
    data = (FORMATS / "exif_only.heic").read_bytes()
    for quarter in (1, 2, 3):
        turn = struct.pack(">I4sB", 9, b"irot", quarter)
        (FORMATS / f"turned_{quarter}.heic").write_bytes(with_property(data, turn))
    mirror = struct.pack(">I4sB", 9, b"imir", 1)
    (FORMATS / "mirrored.heic").write_bytes(with_property(data, mirror))


def decoded(path):
    """Width, height and checksum of the upright RGB image, as OpenCV and Pillow agree on it.

    They differ where Pillow clips 16-bit grey instead of scaling it, and where OpenCV converts CMYK in a
    way of its own; then the one is taken that the reader follows.
    """
    image = Image.open(path)
    pillow = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    opencv = cv2.imread(str(path), cv2.IMREAD_COLOR)[:, :, ::-1]
    if image.mode == "CMYK":
        answer = pillow
    elif image.mode.startswith("I"):
        answer = opencv
    else:
        assert np.array_equal(pillow, opencv), path
        answer = opencv
    return {
        "width": answer.shape[1], "height": answer.shape[0],
        # Some cameras write 0, which is no orientation.
        "orientation": image.getexif().get(0x112, 1) or 1,
        "checksum": zlib.crc32(np.ascontiguousarray(answer).tobytes()),
    }


def formats():
    for path in sorted([*FORMATS.glob("*.jpg"), *FORMATS.glob("*.png")]):
        yield {"name": path.name, **decoded(path)}


def photos():
    for path in sorted([*PHOTOS.rglob("*.jpg"), *PHOTOS.rglob("*.png")]):
        yield {"name": str(path.relative_to(PHOTOS.parent)), **decoded(path)}


if __name__ == "__main__":
    FORMATS.mkdir(parents=True, exist_ok=True)
    jpegs()
    pngs()
    heics()
    write("formats.json", formats())
    if PHOTOS.exists():
        write("photos.json", photos())
    else:
        print("photos.json left as it is: ../shared is not here")
