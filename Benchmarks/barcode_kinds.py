"""Draws every kind of barcode at several sizes and angles, dark on light and light on dark, and counts what is read.

Run from the top of the checkout, after `swift build -c release`:
python Benchmarks/barcode_kinds.py [--tally .build/release/tally] [--effort normal] [--keep FOLDER]

The readers are `tally barcode`, ZBar alone and zxing-cpp. --keep leaves the pictures and EXPECTED.tsv there.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import zxingcpp
from PIL import Image, ImageFilter

KINDS = [
    ("EAN-13", "EAN13", ["9780306406157", "4006381333931"]), ("EAN-8", "EAN8", ["96385074", "55123457"]),
    ("UPC-A", "UPCA", ["036000291452", "725272730706"]), ("UPC-E", "UPCE", ["01234565", "04252614"]),
    ("Code 128", "Code128", ["TALLY-128", "abc 0123456789 XYZ"]), ("Code 39", "Code39", ["TALLY39", "A-1 B.2 $3"]),
    ("Code 93", "Code93", ["TALLY 93", "CODE-93/X"]), ("Codabar", "Codabar", ["A12345678B", "C40156$16D"]),
    ("ITF", "ITF", ["1234567890", "00998877665544"]), ("ITF-14", "ITF", ["00012345678905", "15400141288763"]),
    ("DataBar", "DataBarOmni", ["[01]24012345678905", "[01]00012345678905"]),
    ("DataBar stacked", "DataBarStk", ["[01]24012345678905", "[01]00012345678905"]),
    ("DataBar stacked, omnidirectional", "DataBarStkOmni", ["[01]24012345678905", "[01]00012345678905"]),
    ("DataBar Limited", "DataBarLtd", ["[01]15012345678907", "[01]00012345678905"]),
    ("DataBar Expanded", "DataBarExp", ["[01]98898765432106[3103]001750", "[01]12345678901231[10]ABC123"]),
    ("DataBar Expanded, stacked", "DataBarExpStk", ["[01]98898765432106[3103]001750", "[01]12345678901231[10]ABC123"]),
    ("QR", "QRCode", ["Tally 24 coins", "https://example.org/" + "q" * 60]),
    ("Data Matrix", "DataMatrix", ["Tally 24 coins", "DM " + "0123456789" * 5]),
    ("Aztec", "Aztec", ["Tally 24 coins", "AZ " + "boarding pass " * 5]),
    ("PDF417", "PDF417", ["Tally 24 coins", "PDF " + "driving licence " * 4]),
    ("MaxiCode", "MaxiCode", ["Tally 24 coins", "MAXI 0123456789"]),
]
MODULES = [1.5, 2, 4]
ANGLES = [0, 7, 45, 90, 217]


def expected(text):
    return text.replace("[", "").replace("]", "")


def picture(text, kind, module, angle, is_inverted):
    """The code drawn large, turned, and reduced to so many pixels a module, a little soft and noisy."""
    content = text if kind.startswith("DataBarExp") else text.removeprefix("[01]")
    barcode = zxingcpp.create_barcode(content, getattr(zxingcpp.BarcodeFormat, kind))
    scale = 12 if kind != "MaxiCode" else 4
    bars = np.array(zxingcpp.write_barcode_to_image(barcode, scale=scale, add_quiet_zones=True))
    image = Image.fromarray(np.pad(bars, 6 * scale, constant_values=255))
    image = image.rotate(angle, Image.BICUBIC, expand=True, fillcolor=255)
    # A MaxiCode's hexagons are drawn ten pixels wide.
    share = module / (scale if kind != "MaxiCode" else 2 * scale)
    image = image.resize((round(image.width * share), round(image.height * share)), Image.BOX)
    values = np.asarray(image.filter(ImageFilter.GaussianBlur(0.4)), float)
    values = 30 + values * (225 - 30) / 255
    if is_inverted:
        values = 255 - values
    noise = np.random.default_rng(len(text) + angle).normal(0, 4, values.shape)
    return Image.fromarray(np.clip(values + noise, 0, 255).astype(np.uint8))


def draw(folder):
    rows = []
    for symbology, kind, texts in KINDS:
        for is_inverted in [False, True]:
            for index, text in enumerate(texts):
                for module in MODULES:
                    for angle in ANGLES:
                        name = f"{symbology.replace(',', '').replace(' ', '-')}_{'light' if is_inverted else 'dark'}_{index}_{module}_{angle}.png"
                        picture(text, kind, module, angle, is_inverted).save(folder / name)
                        rows.append((name, symbology, is_inverted, expected(text)))
    (folder / "EXPECTED.tsv").write_text("".join(f"{name}\t{text}\n" for name, _, _, text in rows))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tally", default=".build/release/tally")
    parser.add_argument("--effort", default="normal")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--draw-only", action="store_true")
    parser.add_argument("--kinds", default="", help="only kinds whose name begins so")
    options = parser.parse_args()
    scratch = tempfile.TemporaryDirectory()
    folder = options.keep or pathlib.Path(scratch.name)
    folder.mkdir(parents=True, exist_ok=True)
    KINDS[:] = [kind for kind in KINDS if kind[0].startswith(options.kinds)]
    rows = draw(folder)
    if options.draw_only:
        return
    from pyzbar import pyzbar

    readers = {
        "tally": lambda path: [
            code["payload"]
            for code in json.loads(
                subprocess.run(
                    [options.tally, "barcode", "--json", "--effort", options.effort, str(path)], check=True,
                    capture_output=True).stdout)["barcodes"]],
        "ZBar": lambda path: [code.data.decode(errors="replace") for code in pyzbar.decode(Image.open(path))],
        "zxing-cpp": lambda path: [code.text for code in zxingcpp.read_barcodes(np.array(Image.open(path)))],
    }
    counts, wrong = {}, []
    for name, symbology, is_inverted, text in rows:
        for reader, read in readers.items():
            found = [expected(payload.replace("(", "").replace(")", "")) for payload in read(folder / name)]
            key = (symbology, is_inverted, reader)
            # ZBar calls a UPC-A an EAN-13, whose first digit is a zero.
            right = any(payload in (text, "0" + text) for payload in found)
            counts[key] = counts.get(key, 0) + right
            wrong += [(name, reader, payload) for payload in found if payload not in (text, "0" + text)]
    each = len(MODULES) * len(ANGLES) * 2
    print("| of " + str(each) + " each | " + " | ".join(f"{r}, dark | {r}, light" for r in readers) + " |")
    print("|---|" + "---|" * 2 * len(readers))
    for symbology, _, _ in KINDS:
        cells = [str(counts[(symbology, light, reader)]) for reader in readers for light in [False, True]]
        print(f"| {symbology} | " + " | ".join(cells) + " |")
    for row in wrong:
        print("wrong:", *row)


if __name__ == "__main__":
    main()
