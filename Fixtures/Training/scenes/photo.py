"""What lenses, sensors, lamps and files do to a picture."""

import cv2
import numpy as np


def illuminated(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Uneven light and vignette."""
    size = image.shape[0]
    if rng.random() < 0.6:
        field = rng.uniform(0.65, 1.25, (3, 3)).astype(np.float32)
        image = image * cv2.resize(field, (size, size), interpolation=cv2.INTER_CUBIC)[..., None]
    if rng.random() < 0.2:
        line = np.linspace(-1, 1, size, dtype=np.float32)
        radius = line[:, None] ** 2 + line[None] ** 2
        image = image * (1 - rng.uniform(0.1, 0.35) * radius)[..., None]
    return image


def blurred(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Defocus, motion, too few pixels, oversharpening."""
    choice = rng.random()
    if choice < 0.3:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 1.5))
    elif choice < 0.36:
        length = int(rng.integers(3, 8))
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        turn = cv2.getRotationMatrix2D((length / 2 - 0.5, length / 2 - 0.5), rng.uniform(0, 180), 1)
        kernel = cv2.warpAffine(kernel, turn, (length, length))
        image = cv2.filter2D(image, -1, kernel / max(kernel.sum(), 1e-3))
    elif choice < 0.48:
        size, k = image.shape[0], rng.uniform(0.45, 0.8)
        small = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, (size, size), interpolation=cv2.INTER_LINEAR)
    elif choice < 0.56:
        image = cv2.addWeighted(image, 1.8, cv2.GaussianBlur(image, (0, 0), 1.2), -0.8, 0)
    elif choice < 0.68:
        # Large photographs are scaled down by looking at few of their pixels: ragged edges.
        size = image.shape[0]
        line = np.arange(size, dtype=np.float32)
        shake = rng.uniform(-0.7, 0.7, (2, size, size)).astype(np.float32)
        image = cv2.remap(image.astype(np.float32), line[None] + shake[0], line[:, None] + shake[1],
                          cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return image


def developed(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Exposure, gamma, colour cast, noise, greyscale; 8 bit afterwards."""
    shape = image.shape[:2]
    if rng.random() < 0.4:
        image = image * rng.uniform(0.85, 1.15, 3) + rng.uniform(-12, 12)
    if rng.random() < 0.4:
        image = 255 * np.clip(image / 255, 0, 1) ** rng.uniform(0.6, 1.6)
    if rng.random() < 0.5:
        channels = 1 if rng.random() < 0.5 else 3
        grain = rng.standard_normal((*shape, channels), np.float32)
        image = image + grain * rng.uniform(1, 9)
    image = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.08:
        image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return image


def photographed(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """All of it; the result is what a decoder gets from the file, 8 bit."""
    return developed(blurred(illuminated(image, rng), rng), rng)


def encoded(image: np.ndarray, rng: np.random.Generator) -> bytes:
    """As a JPEG, sometimes a poor one."""
    quality = int(rng.integers(35, 96)) if rng.random() < 0.6 else 94
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
