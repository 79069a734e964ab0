"""Writes Fixtures/Goldens/NumPyFiles: .npy files of every element type, order and header version.

Run from the top of the checkout: python Fixtures/generate/numpy_files.py
"""

import base64
import io
import json
import pathlib

import numpy as np
from numpy.lib import format as npy

FOLDER = pathlib.Path("Fixtures/Goldens/NumPyFiles")
TYPES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
SHAPES = [(), (0,), (5,), (1, 1), (2, 3), (3, 0, 2), (2, 3, 4), (3, 1, 2, 2)]


def values(kind, shape, rng):
    """Values of the type's whole range, its extremes first."""
    count = int(np.prod(shape))
    bits = rng.integers(0, 256, size=count * np.dtype(kind).itemsize, dtype=np.uint8)
    if kind == "b1":
        return (bits & 1).astype(bool).reshape(shape)
    array = bits.view(kind).copy()
    special = (
        [np.inf, -np.inf, -0.0, np.finfo(kind).max, np.finfo(kind).smallest_subnormal]
        if kind[0] == "f"
        else [np.iinfo(kind).max, np.iinfo(kind).min]
    )
    if kind[0] == "f":  # no NaN: it equals nothing
        array[np.isnan(array)] = 1.5
    for index, value in enumerate(special[:count]):
        array[index] = value
    return array.reshape(shape)


def file_bytes(array, version=None):
    out = io.BytesIO()
    npy.write_array(out, array, version=version)
    return out.getvalue()


def text(data):
    return base64.b64encode(data).decode()


def main():
    rng = np.random.default_rng(20260822)
    cases = []

    def add(name, array, stored, version=None):
        cases.append(
            {
                "name": name,
                "type": np.dtype(array.dtype).str[1:],
                "shape": list(array.shape),
                "file": text(file_bytes(stored, version)),
                "saved": text(file_bytes(np.asarray(array, order="C"))),
                "values": text(array.tobytes(order="C")),
            }
        )

    for kind in TYPES:
        for shape in SHAPES if kind in ("f4", "i8") else [(2, 3, 4)]:
            array = values(kind, shape, rng)
            name = f"{kind} {shape}"
            add(name, array, array)
            add(f"{name} big-endian", array, array.astype(array.dtype.newbyteorder(">")))
            add(f"{name} Fortran", array, np.asfortranarray(array).reshape(shape, order="A"))
    array = values("f8", (4, 3), rng)
    both = np.asfortranarray(array.astype(">f8"))
    add("big-endian and Fortran", array, both)
    for version in [(1, 0), (2, 0), (3, 0)]:
        add(f"version {version}", array, array, version)

    halves = np.arange(65536, dtype=np.uint32).astype(np.uint16).view(np.float16)
    floats = halves.astype(np.float32)
    # FNV-1a over the bit patterns; every NaN counts as 0.
    checksum = 0xCBF29CE484222325
    for bits in np.where(np.isnan(floats), np.float32(0), floats).view(np.uint32).tolist():
        checksum = ((checksum ^ bits) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF

    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "files.json", "w") as out:
        json.dump({"cases": cases, "halvesChecksum": str(checksum)}, out, indent=0)
        out.write("\n")


main()
