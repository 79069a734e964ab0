"""Eight ways to spoil a photo without changing what it shows, each with fixed parameters."""

import cv2
import numpy as np


def quarter_turn(image):
    """Turned by 90 degrees, clockwise."""
    return cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE)


def tilt(image, degrees=8):
    """Turned by 8 degrees on a canvas that holds it all, filled with the median border color."""
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1)
    cosine, sine = abs(turn[0, 0]), abs(turn[0, 1])
    wide, high = int(width * cosine + height * sine), int(width * sine + height * cosine)
    turn[:, 2] += ((wide - width) / 2, (high - height) / 2)
    edge = np.concatenate((image[0], image[-1], image[:, 0], image[:, -1]))
    fill = tuple(float(v) for v in np.median(edge, 0))
    return cv2.warpAffine(image, turn, (wide, high), flags=cv2.INTER_LINEAR, borderValue=fill)


def darken(image):
    """Half as bright."""
    return (image * 0.5 + 0.5).astype(np.uint8)


def warm(image):
    """Lamp light: blue times 0.75, red times 1.15."""
    return np.clip(image * np.array((0.75, 1.0, 1.15)) + 0.5, 0, 255).astype(np.uint8)


def shrink(image):
    """Scaled to 0.6 of its sides, by area."""
    return cv2.resize(image, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)


def compress(image):
    """JPEG at quality 25."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 25])
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


def pad(image):
    """A mid-grey border of 15 % of each side all around."""
    height, width = image.shape[:2]
    y, x = round(height * 0.15), round(width * 0.15)
    return cv2.copyMakeBorder(image, y, y, x, x, cv2.BORDER_CONSTANT, value=(128, 128, 128))


def grain(image):
    """Gaussian noise of standard deviation 12, seeded."""
    noise = np.random.default_rng(1).normal(0, 12, image.shape)
    return np.clip(image + noise + 0.5, 0, 255).astype(np.uint8)


PERTURBATIONS = {
    function.__name__: function
    for function in (quarter_turn, tilt, darken, warm, shrink, compress, pad, grain)
}
