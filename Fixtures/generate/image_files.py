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
import tifffile
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


def webps():
    image = Image.fromarray(drawn())
    image.save(FORMATS / "lossy.webp", quality=80)
    image.save(FORMATS / "lossless.webp", lossless=True)
    with_alpha = np.dstack([drawn(), np.arange(HEIGHT * WIDTH).reshape(HEIGHT, WIDTH) % 256])
    transparent = Image.fromarray(with_alpha.astype(np.uint8))
    transparent.save(FORMATS / "lossy_alpha.webp", quality=80)
    transparent.save(FORMATS / "lossless_alpha.webp", lossless=True, exact=True)
    for orientation in (1, 3, 6, 8):
        image.save(FORMATS / f"turned_{orientation}.webp", quality=80, exif=exif(orientation))
    image.save(FORMATS / "profile.webp", quality=80, icc_profile=b"not looked at" * 41)
    frames = [image, Image.fromarray(drawn()[:, ::-1])]
    frames[0].save(FORMATS / "animated.webp", save_all=True, append_images=frames[1:], duration=99)


def tiffs():
    image = drawn()
    numbers = np.random.default_rng(2)
    grey = image[:, :, 1]
    deep = numbers.integers(0, 65536, image.shape, dtype=np.uint16)
    alpha = numbers.integers(0, 256, grey.shape, dtype=np.uint8)
    inks = numbers.integers(0, 256, (*grey.shape, 4), dtype=np.uint8)

    def tiff(name, samples, **how):
        tifffile.imwrite(FORMATS / f"{name}.tif", samples, metadata=None, software="", **how)

    for name, compression in (
        ("raw", None), ("lzw", "lzw"), ("deflate", "zlib"), ("packbits", "packbits")):
        tiff(f"rgb_{name}", image, photometric="rgb", compression=compression, rowsperstrip=7)
    tiff("rgb_predicted", image, photometric="rgb", compression="lzw", predictor=2)
    tiff("rgb_tiled", image, photometric="rgb", compression="zlib", tile=(16, 32))
    tiff("rgb_planes", np.moveaxis(image, -1, 0), photometric="rgb", planarconfig="separate",
         compression="lzw", rowsperstrip=5)
    tiff("rgb_planes_tiled", np.moveaxis(image, -1, 0), photometric="rgb", planarconfig="separate",
         compression="zlib", tile=(16, 16))
    tiff("rgb_16", deep, photometric="rgb", compression="zlib")
    tiff("rgb_16_big_endian", deep, photometric="rgb", byteorder=">")
    tiff("rgb_big", image, photometric="rgb", compression="zlib", bigtiff=True)
    tiff("grey_8", grey, photometric="minisblack", compression="lzw")
    tiff("grey_16", deep[:, :, 0], photometric="minisblack", compression="zlib")
    tiff("grey_16_tiled", deep[:, :, 0], photometric="minisblack", tile=(16, 16), byteorder=">")
    tiff("grey_inverted", grey, photometric="miniswhite")
    tiff("grey_1", grey > 99, photometric="minisblack")
    tiff("grey_alpha", np.dstack([grey, alpha]), photometric="minisblack", extrasamples=["unassalpha"],
         planarconfig="contig")
    tiff("rgba", np.dstack([image, alpha]), photometric="rgb", extrasamples=["unassalpha"],
         compression="zlib")
    tiff("rgb_fourth", np.dstack([image, alpha]), photometric="rgb", extrasamples=["unspecified"])
    tiff("cmyk", inks, photometric="separated", compression="lzw")
    tiff("cmyk_planes", np.moveaxis(inks, -1, 0), photometric="separated", planarconfig="separate")
    palette = Image.fromarray(image).quantize(200)
    palette.save(FORMATS / "palette_8.tif", compression="tiff_lzw")
    Image.fromarray(image).quantize(13).save(FORMATS / "palette_4.tif")
    multiplied = np.dstack([image.astype(int) * alpha[..., None] // 255, alpha]).astype(np.uint8)
    tiff("rgba_multiplied", multiplied, photometric="rgb", extrasamples=["assocalpha"])
    Image.fromarray(image).save(FORMATS / "rgb_jpeg.tif", compression="jpeg", quality=85)
    Image.fromarray(grey).save(FORMATS / "grey_jpeg.tif", compression="jpeg", quality=85)
    Image.fromarray(grey > 99).save(FORMATS / "fax.tif", compression="group4")
    for orientation in range(1, 9):
        tiff(f"turned_{orientation}", image, photometric="rgb", compression="zlib",
             extratags=[(274, 3, 1, orientation, False)])
    pages = [Image.fromarray(image), Image.fromarray(image[::-1])]
    pages[0].save(FORMATS / "pages.tif", save_all=True, append_images=pages[1:],
                  compression="tiff_deflate")
    # Kinds that are refused.
    tiff("refused_float", deep[:, :, 0].astype(np.float32), photometric="minisblack")
    tiff("refused_lab", image, photometric="cielab")
    tiff("refused_copy", image, photometric="rgb", compression="zlib", subfiletype=1)
    tiff("refused_samples", np.repeat(grey[..., None], 9, -1), photometric="minisblack",
         planarconfig="contig")


def tiff_pixels(path):
    """What a TIFF decodes to: by Pillow, or from tifffile's samples where Pillow has no such image."""
    name = path.stem
    samples = tifffile.imread(path, key=0) if not name.startswith(("palette", "fax")) else None
    orientation = Image.open(path).getexif().get(0x112, 1) if name.startswith("turned") else 1
    if name.startswith(("rgb_16", "grey_16")):
        answer = (samples >> 8).astype(np.uint8)
    elif name in ("grey_inverted",):
        answer = 255 - samples
    elif name == "grey_1":
        answer = samples.astype(np.uint8) * 255
    elif name == "grey_alpha":
        answer = samples[..., 0]
    elif name == "rgb_fourth":
        answer = samples[..., :3]
    elif name == "cmyk_planes":
        answer = np.asarray(Image.fromarray(np.moveaxis(samples, 0, -1), "CMYK").convert("RGB"))
    elif name == "rgb_planes_tiled":
        answer = np.moveaxis(samples, 0, -1)
    else:
        answer = np.asarray(ImageOps.exif_transpose(Image.open(path)).convert("RGB"))
    if answer.ndim == 2:
        answer = np.repeat(answer[..., None], 3, -1)
    return answer, orientation


def webp_pixels(path):
    image = Image.open(path)
    answer = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    return answer, image.getexif().get(0x112, 1)


def new_formats():
    for path in sorted([*FORMATS.glob("*.webp"), *FORMATS.glob("*.tif")]):
        if path.name.startswith(("refused", "animated")):
            continue
        answer, orientation = (webp_pixels if path.suffix == ".webp" else tiff_pixels)(path)
        yield {
            "name": path.name, "width": answer.shape[1], "height": answer.shape[0],
            "orientation": orientation,
            "checksum": zlib.crc32(np.ascontiguousarray(answer).tobytes()),
        }


def reduced():
    """What Pillow's `draft` makes of JPEGs: libjpeg's own scaling."""
    for path in sorted(FORMATS.glob("*.jpg")):
        for reduction in (2, 4, 8):
            image = Image.open(path)
            if image.mode == "CMYK" and "unmarked" in path.name:
                continue
            image.decoderconfig = (reduction, 0)
            width, height = image.size
            image._size = (-(-width // reduction), -(-height // reduction))
            tile = image.tile[0]
            image.tile = [tile._replace(extents=(0, 0, *image._size))]
            answer = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
            yield {
                "name": path.name, "reduction": reduction, "width": answer.shape[1],
                "height": answer.shape[0],
                "checksum": zlib.crc32(np.ascontiguousarray(answer).tobytes()),
            }


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
    webps()
    tiffs()
    write("formats.json", formats())
    write("webp_and_tiff.json", new_formats())
    write("reduced.json", reduced())
    if PHOTOS.exists():
        write("photos.json", photos())
    else:
        print("photos.json left as it is: ../shared is not here")
