"""Random numbers that the Swift tests can make too, so that goldens need hold no inputs.

SplitMix64, as in Tests/TestSupport/SeededGenerator.swift.
"""

import json
import pathlib

import numpy as np


def bits(seed, count):
    """The first `count` 64-bit numbers after `seed`."""
    with np.errstate(over="ignore"):
        steps = np.arange(1, count + 1, dtype=np.uint64)
        z = np.uint64(seed) + steps * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def units(seed, count):
    """float64 in 0..<1: the upper 53 bits of each number."""
    return (bits(seed, count) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def units32(seed, count):
    """float32 in 0..<1: the upper 24 bits of each number."""
    return (bits(seed, count) >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)


def write(path, value):
    """Writes a golden, one top-level entry a line."""
    path = pathlib.Path("Fixtures/Goldens") / path
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(value, dict):
        rows = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()]
        text = "{\n" + ",\n".join(rows) + "\n}\n"
    else:
        text = "[\n" + ",\n".join(json.dumps(v) for v in value) + "\n]\n"
    path.write_text(text)
