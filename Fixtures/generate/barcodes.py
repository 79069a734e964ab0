"""Writes Fixtures/Goldens/Barcodes: a picture of each kind of barcode, drawn by zxing-cpp, and what it says.

Run from the top of the checkout: python Fixtures/generate/barcodes.py
"""

import json
import os

import numpy as np
import zxingcpp
from PIL import Image

FOLDER = "Fixtures/Goldens/Barcodes"
KINDS = [
    ("ean13", "EAN13", "9780306406157", "EAN-13"), ("ean8", "EAN8", "96385074", "EAN-8"),
    ("upca", "UPCA", "036000291452", "UPC-A"), ("upce", "UPCE", "01234565", "UPC-E"),
    ("qr", "QRCode", "Tally 24 coins", "QR"), ("code128", "Code128", "TALLY-128", "Code 128"),
    ("code39", "Code39", "TALLY39", "Code 39"), ("itf", "ITF", "1234567890", "ITF"),
    ("itf14", "ITF", "00012345678905", "ITF-14"), ("code93", "Code93", "TALLY-93", "Code 93"),
    ("codabar", "Codabar", "A40156$16B", "Codabar"), ("databar", "DataBarOmni", "0124012345678905", "DataBar"),
    ("databar_expanded", "DataBarExp", "[01]98898765432106[3103]001750", "DataBar Expanded"),
    ("datamatrix", "DataMatrix", "Tally 24 coins", "Data Matrix"), ("aztec", "Aztec", "Tally 24 coins", "Aztec"),
    ("pdf417", "PDF417", "Tally 24 coins", "PDF417"), ("maxicode", "MaxiCode", "Tally 24 coins", "MaxiCode"),
]
# DataBar whose rows stand on each other, and two codes on one picture.
STACKED = [
    ("databar_stacked", "DataBarStk", "0124012345678905", "DataBar"),
    ("databar_stacked_omnidirectional", "DataBarStkOmni", "0124012345678905", "DataBar"),
    ("databar_expanded_stacked", "DataBarExpStk", "[01]98898765432106[3103]001750", "DataBar Expanded"),
]
# Digits beside a code.
ADD_ONS = [
    ("addon_ean13_5", "EAN13", "9780306406157", "51495", "EAN-13"),
    ("addon_ean13_2", "EAN13", "9771699057002", "05", "EAN-13"),
    ("addon_upca_2", "UPCA", "036000291452", "12", "UPC-A"),
    ("addon_upce_5", "UPCE", "01234565", "01234", "UPC-E"),
]
# Interleaved 2 of 5 that is not ITF-14: a wrong check digit, other lengths.
OTHER_ITF = ["00012345678906", "123456", "1234567890128765"]
# What codes may hold beside plain text.
BYTES = [
    ("qr_binary", "QRCode", bytes([0, 1, 2, 0xFE, 0xFF, 0x80]), "QR"),
    ("qr_unicode", "QRCode", "h\u00e9 \u4e2d\u6587", "QR"),
    ("datamatrix_latin1", "DataMatrix", "Gr\u00fc\u00dfe".encode("latin-1"), "Data Matrix"),
    ("datamatrix_nul", "DataMatrix", b"a\0b", "Data Matrix"),
    ("aztec_control", "Aztec", b"\x1b[31mred\r\n", "Aztec"),
    ("pdf417_control", "PDF417", b"tab\tbell\x07end", "PDF417"),
    ("code128_control", "Code128", "a\x1bb", "Code 128"),
]


def drawn(name, content, kind):
    """Saves a code with white around it, and returns the box of what is dark."""
    barcode = zxingcpp.create_barcode(content, getattr(zxingcpp.BarcodeFormat, kind))
    # A MaxiCode's hexagons are drawn ten pixels wide at a scale of two.
    bars = np.array(zxingcpp.write_barcode_to_image(barcode, scale=1 if kind == "MaxiCode" else 3))
    image = np.pad(bars, 24, constant_values=255)
    Image.fromarray(image).save(f"{FOLDER}/{name}.png", optimize=True)
    y, x = np.nonzero(image < 128)
    return [int(x.min()), int(y.min()), int(x.max()) + 1, int(y.max()) + 1]


def write(name, rows):
    with open(f"{FOLDER}/{name}.json", "w") as file:
        json.dump(rows, file, indent=1)
        file.write("\n")


os.makedirs(FOLDER, exist_ok=True)
write("kinds", [
    {"file": f"{name}.png", "payload": text.replace("[", "(").replace("]", ")"), "symbology": symbology,
     "box": drawn(name, text[2:] if kind == "DataBarOmni" else text, kind)}
    for name, kind, text, symbology in KINDS
])
write("stacked", [
    {"file": f"{name}.png", "payload": text.replace("[", "(").replace("]", ")"), "symbology": symbology,
     "box": drawn(name, text if kind == "DataBarExpStk" else text[2:], kind)}
    for name, kind, text, symbology in STACKED
])
for name, kind, text, add_on, _ in ADD_ONS:
    drawn(name, f"{text}+{add_on}", kind)
write("addons", [
    {"file": f"{name}.png", "payload": text, "addOn": add_on, "symbology": symbology}
    for name, _, text, add_on, symbology in ADD_ONS
])
for text in OTHER_ITF:
    drawn(f"itf_{text}", text, "ITF")
write("itf", [{"file": f"itf_{text}.png", "payload": text} for text in OTHER_ITF])
for name, kind, content, _ in BYTES:
    drawn(name, content, kind)
write("bytes", [
    {"file": f"{name}.png", "symbology": symbology,
     "bytes": list(content if isinstance(content, bytes) else content.encode())}
    for name, _, content, symbology in BYTES
])
