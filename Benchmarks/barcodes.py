"""Reads a folder of photos with `tally barcode`, ZBar alone and zxing-cpp, and prints a row a photo.

Run from the top of the checkout, after `swift build -c release`:
python Benchmarks/barcodes.py FOLDER [--tally .build/release/tally] [--spoil WAY]

FOLDER holds photos and EXPECTED.tsv: a file name, a tab, the digits, a line each. Every reader gets the
decoded picture at its own size and its own settings. --spoil reads a spoilt copy of each photo instead.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time
import warnings

import numpy as np
import zxingcpp
from PIL import Image, ImageFilter
from pyzbar import pyzbar

warnings.filterwarnings("ignore", module="PIL")  # Palettes with transparency, which no reader looks at.


SPOILT = {
    "turned": lambda image: image.rotate(13, Image.BICUBIC, expand=True, fillcolor=(128,) * 3),
    "small": lambda image: image.resize((image.width * 7 // 10, image.height * 7 // 10), Image.BICUBIC),
    "blurred": lambda image: image.filter(ImageFilter.GaussianBlur(1.5)),
    "noisy": lambda image: Image.fromarray(
        np.clip(
            np.asarray(image, float) + np.random.default_rng(1).normal(0, 15, (image.height, image.width, 1)), 0,
            255).astype(np.uint8)),
    "dark": lambda image: image.point(lambda value: value // 4),
}


def timed(call):
    start = time.perf_counter()
    answer = call()
    return answer, 1000 * (time.perf_counter() - start)


def tally(program, path):
    line = subprocess.run([program, "barcode", "--json", str(path)], check=True, capture_output=True).stdout
    return [code["payload"] for code in json.loads(line)["barcodes"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tally", default=".build/release/tally")
    parser.add_argument("--spoil", choices=SPOILT)
    options = parser.parse_args()
    spoilt = tempfile.TemporaryDirectory()
    rows = [line.split("\t") for line in (options.folder / "EXPECTED.tsv").read_text().splitlines() if line]
    readers = ["tally", "ZBar", "zxing-cpp"]
    right, others = dict.fromkeys(readers, 0), {reader: [] for reader in readers}
    times = {reader: [] for reader in readers}
    print("| photo | " + " | ".join(readers) + " |\n|---|" + "---|" * len(readers))
    for name, digits in rows:
        path = options.folder / name
        picture = Image.open(path)
        if options.spoil:
            picture = SPOILT[options.spoil](picture.convert("RGB"))
            path = pathlib.Path(spoilt.name) / f"{path.stem}.png"
            picture.save(path)
        grey, colour = picture.convert("L"), np.array(picture.convert("RGB"))
        calls = {
            "tally": lambda: tally(options.tally, path),
            "ZBar": lambda: [code.data.decode() for code in pyzbar.decode(grey)],
            "zxing-cpp": lambda: [code.text for code in zxingcpp.read_barcodes(colour)],
        }
        cells = []
        for reader in readers:
            found, milliseconds = timed(calls[reader])
            times[reader].append(milliseconds)
            is_right = any(text[:13] == digits for text in found)
            right[reader] += is_right
            rest = [text for text in found if text[:13] != digits and len(text) > 5]
            others[reader] += [(name, text) for text in rest]
            cells.append(("yes" if is_right else "no") + "".join(f", {text}" for text in rest))
        print(f"| {name} | " + " | ".join(cells) + " |")
    print(f"| read of {len(rows)} | " + " | ".join(str(right[reader]) for reader in readers) + " |")
    print(
        "| median ms | " + " | ".join(f"{statistics.median(times[reader]):.0f}" for reader in readers) + " |")
    print("\nThe time of tally is that of a whole process, which decodes the file too.")


if __name__ == "__main__":
    main()
