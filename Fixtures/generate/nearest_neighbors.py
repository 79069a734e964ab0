"""Goldens of NearestNeighbors: half precision as NumPy converts it.

All 65,536 halves as single precision, and seeded and chosen single-precision numbers as halves; too many to keep, so
their CRC-32 is.
"""

import json
import pathlib
import sys
import zlib

import numpy as np

FOLDER = pathlib.Path(__file__).parent.parent / "Goldens" / "nearest_neighbors"
GAMMA = np.uint64(0x9E3779B97F4A7C15)


def numbers(count, seed):
    """SplitMix64, as TestSupport's SeededGenerator has it."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * GAMMA
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def main():
    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    with np.errstate(all="ignore"):
        singles = halves.astype(np.float32)
        # Every half, what lies half-way to the next, and the numbers on both sides of that.
        finite = singles[np.isfinite(singles)].astype(np.float64)
        following = np.abs(halves[np.isfinite(singles)].view(np.uint16).astype(np.int64) & 0x7FFF) + 1
        upper = np.where(following < 0x7C00, following.astype(np.uint16).view(np.float16).astype(np.float64), 65536.0)
        middles = ((np.abs(finite) + upper) / 2 * np.sign(np.copysign(1, finite))).astype(np.float32)
        around = np.concatenate((np.nextafter(middles, np.float32(-np.inf)), middles,
                                 np.nextafter(middles, np.float32(np.inf))))
        drawn = (numbers(1_000_000, 42) >> np.uint64(32)).astype(np.uint32).view(np.float32)
        drawn = drawn[~np.isnan(drawn)]
        golden = {
            "singles": zlib.crc32(np.where(np.isnan(singles), np.float32(0), singles).tobytes()),
            "around": zlib.crc32(around.astype(np.float16).tobytes()),
            "drawn": zlib.crc32(drawn.astype(np.float16).tobytes()),
            "drawnCount": len(drawn),
        }
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "half.json").write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
