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
    ("code39", "Code39", "TALLY39", "Code 39"), ("itf", "ITF", "00012345678905", "ITF"),
]

os.makedirs(FOLDER, exist_ok=True)
rows = []
for name, kind, text, symbology in KINDS:
    barcode = zxingcpp.create_barcode(text, getattr(zxingcpp.BarcodeFormat, kind))
    bars = np.array(zxingcpp.write_barcode_to_image(barcode, scale=3))
    image = np.pad(bars, 24, constant_values=255)
    Image.fromarray(image).save(f"{FOLDER}/{name}.png", optimize=True)
    # The box of what is dark.
    y, x = np.nonzero(image < 128)
    box = [int(x.min()), int(y.min()), int(x.max()) + 1, int(y.max()) + 1]
    rows.append({"file": f"{name}.png", "payload": text, "symbology": symbology, "box": box})
with open(f"{FOLDER}/kinds.json", "w") as file:
    json.dump(rows, file, indent=1)
    file.write("\n")
