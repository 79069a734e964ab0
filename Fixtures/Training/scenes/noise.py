"""Fractal noise, made once and cut from afterwards."""

import cv2
import numpy as np

SIZE = 512


def fractal(
    rng: np.random.Generator, cells: int, persistence: float = 0.6, octaves: int = 6,
    stretch: float = 1.0, size: int = SIZE,
) -> np.ndarray:
    """Zero mean, unit deviation; `cells` lumps a side at the coarsest, drawn out by `stretch`."""
    total = np.zeros((size, size), np.float32)
    amplitude = 1.0
    for _ in range(octaves):
        grid = rng.standard_normal((max(2, cells), max(2, int(cells * stretch))))
        grid = cv2.resize(grid.astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
        total += amplitude * grid
        amplitude *= persistence
        cells *= 2
        if cells > size:
            break
    total -= total.mean()
    return total / (total.std() + 1e-6)


class NoiseBank:
    """Patterns of many grains to cut patches from."""

    def __init__(self, seed: int = 0, count: int = 28) -> None:
        rng = np.random.default_rng([seed, 0x4E])
        stretches = (1, 1, 1, 0.1, 8)
        self.patterns = [
            fractal(rng, int(rng.integers(3, 40)), rng.uniform(0.4, 0.9),
                    stretch=stretches[i % len(stretches)])
            for i in range(count)
        ]

    def patch(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """A random square of `size` pixels at a random grain."""
        pattern = self.patterns[rng.integers(len(self.patterns))]
        if size >= SIZE:
            return cv2.resize(pattern, (size, size))
        step = int(rng.integers(1, max(2, min(4, SIZE // size + 1))))
        span = size * step
        if span > SIZE:
            step, span = 1, size
        y, x = rng.integers(0, SIZE - span + 1, 2)
        patch = pattern[y:y + span:step, x:x + span:step]
        return patch.T if rng.random() < 0.5 else patch
