"""Writes Fixtures/Goldens/FrameAnalysis: what Pillow, NumPy and SciPy answer.

Run from the top of the checkout: python Fixtures/generate/frame_analysis.py
"""

import io

import numpy as np
import scipy.signal
from PIL import Image, ImageOps

from common import seeded

WIDTH, HEIGHT = 5, 3


def orientations():
    """Where Pillow puts each stored pixel, for each value of the EXIF tag: [column, row] each."""
    numbers = np.arange(WIDTH * HEIGHT, dtype=np.uint8).reshape(HEIGHT, WIDTH)
    for value in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = value
        file = io.BytesIO()
        Image.fromarray(numbers).save(file, "PNG", exif=exif)
        upright = np.asarray(ImageOps.exif_transpose(Image.open(file)))
        moves = []
        for row in range(HEIGHT):
            for column in range(WIDTH):
                (to_row,), (to_column,) = np.nonzero(upright == numbers[row, column])
                moves.append([column, row, int(to_column), int(to_row)])
        yield {
            "orientation": value, "width": WIDTH, "height": HEIGHT,
            "uprightWidth": upright.shape[1], "uprightHeight": upright.shape[0], "moves": moves,
        }  # fmt: skip


def smoothing():
    """A first-order filter over values at equal times, by SciPy; the first value starts it."""
    for seed, milliseconds, constant in [(1, 150, 100), (2, 33, 100), (3, 500, 250), (4, 10, 1000)]:
        values = 0.3 + 0.1 * seeded.units(seed, 20)
        share = milliseconds / (milliseconds + constant)
        start = [(1 - share) * values[0]]
        smoothed, _ = scipy.signal.lfilter([share], [1, share - 1], values, zi=start)
        yield {
            "seed": seed, "interval": milliseconds, "constant": constant,
            "smoothed": [float(value) for value in smoothed],
        }  # fmt: skip


def durations():
    """Mean and 95th percentile, by nearest rank, of durations in nanoseconds."""
    for count in [1, 2, 19, 20, 21, 99, 100, 101, 255, 256, 300, 1000]:
        values = (seeded.bits(count, count) % np.uint64(1_000_000_000)).astype(np.int64)
        last = values[-256:]
        yield {
            "count": count,
            "mean": int(last.sum()) // len(last),
            "p95": int(np.quantile(last, 0.95, method="inverted_cdf")),
        }


seeded.write("FrameAnalysis/orientations.json", list(orientations()))
seeded.write("FrameAnalysis/smoothing.json", list(smoothing()))
seeded.write("FrameAnalysis/durations.json", list(durations()))
