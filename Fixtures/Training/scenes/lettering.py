"""Text on pictures of any depth; OpenCV writes on 8-bit ones only."""

import cv2
import numpy as np


def text_patch(text: str, font: int, scale: float, thickness: int) -> np.ndarray:
    """The text alone, 0...1, cropped to its size."""
    (width, height), below = cv2.getTextSize(text, font, scale, thickness)
    mask = np.zeros((height + below + 2 * thickness + 2, width + 2 * thickness + 2), np.uint8)
    cv2.putText(mask, text, (thickness + 1, height + thickness), font, scale, 255, thickness,
                cv2.LINE_AA)
    return mask.astype(np.float32) / 255


def write(image: np.ndarray, text: str, at: tuple[int, int], font: int, scale: float, colour,
          thickness: int = 1) -> None:
    """Blends text into `image` in place, its lower left corner at `at`."""
    patch = text_patch(text, font, scale, thickness)
    x0, y0 = at[0], at[1] - patch.shape[0]
    left, top = max(0, x0), max(0, y0)
    right = min(image.shape[1], x0 + patch.shape[1])
    bottom = min(image.shape[0], y0 + patch.shape[0])
    if right <= left or bottom <= top:
        return
    share = patch[top - y0:bottom - y0, left - x0:right - x0]
    if image.ndim == 3:
        share = share[..., None]
    part = image[top:bottom, left:right]
    part += (np.asarray(colour, np.float32) - part) * share
