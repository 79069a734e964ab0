"""What a phone makes of the scene: light, blur, noise, compression."""

import cv2
import numpy as np


def photograph(rng, pixels):
    """The picture as it would have been taken; uint8."""
    height, width = pixels.shape[:2]
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :, None]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None, None]
    angle = rng.uniform(0, 6.3)
    light = 1 + np.float32(rng.uniform(0, 0.4)) * np.float32(np.cos(angle)) * x + np.float32(rng.uniform(0, 0.4) * np.sin(angle)) * y
    light -= np.float32(rng.uniform(0, 0.25)) * (x**2 + y**2)
    if rng.random() < 0.2:
        # A shadow or a patch of sun with an edge.
        a, b, c = rng.normal(0, 1), rng.normal(0, 1), rng.normal(0, 0.5)
        edge = 1 / (1 + np.exp(-np.clip((a * x + b * y + c) * rng.uniform(4, 60), -30, 30)))
        light *= 1 - np.float32(rng.uniform(0.2, 0.7)) * edge.astype(np.float32)
    exposure = float(rng.choice([rng.uniform(0.75, 1.15), rng.uniform(0.25, 0.75), rng.uniform(1.1, 1.4)], p=[0.65, 0.22, 0.13]))
    pixels = pixels * light * np.float32(exposure) * rng.uniform(0.86, 1.12, 3).astype(np.float32)
    if rng.random() < 0.5:
        pixels = np.clip(pixels, 0, 400)
        pixels = 255 * (pixels / 255) ** np.float32(rng.uniform(0.75, 1.3))
    if rng.random() < 0.15:
        gray = pixels.mean(2, keepdims=True)
        pixels = gray + (pixels - gray) * np.float32(rng.uniform(0, 0.6))
    if rng.random() < 0.15:
        # Haze, or glass in front.
        pixels = pixels * np.float32(0.75) + np.float32(rng.uniform(20, 60))
    if rng.random() < 0.12:
        length, turn = rng.uniform(2, 7), rng.uniform(0, 3.2)
        kernel = np.zeros((9, 9), np.float32)
        dx, dy = np.cos(turn) * length / 2, np.sin(turn) * length / 2
        cv2.line(kernel, (int(4 - dx), int(4 - dy)), (int(4 + dx), int(4 + dy)), 1)
        pixels = cv2.filter2D(pixels, -1, kernel / kernel.sum())
    pixels = cv2.GaussianBlur(pixels, (0, 0), float(rng.choice([rng.uniform(0.3, 0.7), rng.uniform(0.6, 1.6)], p=[0.7, 0.3])))
    if rng.random() < 0.35:
        pixels += np.float32(rng.uniform(0.2, 0.9)) * (pixels - cv2.GaussianBlur(pixels, (0, 0), 1.5))
    grain = rng.uniform(0, 5) if rng.random() < 0.8 else rng.uniform(4, 14)
    pixels = pixels + rng.standard_normal(pixels.shape, dtype=np.float32) * np.float32(grain)
    image = np.clip(pixels, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.integers(35, 96))
        image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return image
