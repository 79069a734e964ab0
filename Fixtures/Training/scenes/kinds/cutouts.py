"""Cut-outs of real and drawn things. One cut-out is one kind in all scenes."""

import cv2
import numpy as np

from ..shapes import REACH
from .base import FLAT, UPRIGHT, Kind, Sprite, prism


class CutOut(Kind):
    """A picture of a thing with transparency, lying flat or standing."""

    def __init__(self, rng, noise, name: str, image: np.ndarray):
        super().__init__(rng, noise)
        self.name = name
        self.picture = image
        height, width = image.shape[:2]
        longer = max(height, width)
        self.extent = (width / longer, height / longer)
        self.free_rotation = rng.random() < 0.5
        self.body = FLAT if self.free_rotation or rng.random() < 0.5 else UPRIGHT
        self.height = rng.uniform(0.02, 0.4) if rng.random() < 0.4 else 0
        self.hue = int(rng.integers(0, 180)) if rng.random() < 0.15 else 0
        self.mirrors = rng.random() < 0.2

    @property
    def family(self) -> str:
        return f"CutOut/{self.name}/{self.hue}"

    def draw(self, a, rng, light):
        picture = self.picture
        fit = a.size / REACH / max(picture.shape[:2])
        size = (max(2, int(picture.shape[1] * fit)), max(2, int(picture.shape[0] * fit)))
        way = cv2.INTER_AREA if fit < 1 else cv2.INTER_LINEAR
        picture = cv2.resize(picture, size, interpolation=way)
        if self.mirrors and rng.random() < 0.5:
            picture = picture[:, ::-1]
        image = np.zeros((a.size, a.size, 4), np.uint8)
        y, x = (a.size - picture.shape[0]) // 2, (a.size - picture.shape[1]) // 2
        image[y:y + picture.shape[0], x:x + picture.shape[1]] = picture
        if self.hue:
            hsv = cv2.cvtColor(image[..., :3], cv2.COLOR_BGR2HSV)
            hsv[..., 0] = (hsv[..., 0].astype(np.int32) + self.hue) % 180
            image[..., :3] = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
        walls = []
        if self.height and self.body == FLAT:
            solid = image[..., 3] > 200
            mean = image[solid][:, :3].mean(0) if solid.any() else np.full(3, 90.0)
            walls = prism(self.height, mean.astype(np.float32) * 0.7)
        return Sprite(image, walls)
