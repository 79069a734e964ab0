"""A pinhole camera above a table: world x to the right, y towards the viewer, z up.

One world unit is one pixel where the camera looks at; the table is z = 0.
"""

import math

import numpy as np


class Camera:
    """`tilt` 0 looks straight down; `distance` is in world units, to the point looked at."""

    def __init__(self, size: int, tilt: float, distance: float, roll: float = 0.0) -> None:
        self.size, self.tilt, self.distance = size, tilt, distance
        self.cosine, self.sine = math.cos(tilt), math.sin(tilt)
        c, s = math.cos(roll), math.sin(roll)
        self.roll = np.array([[c, -s], [s, c]])
        self.center = np.array([size / 2, size / 2])

    def depth(self, y: float, z: float) -> float:
        """Distance along the axis, at least a tenth of the distance to the point looked at."""
        return max(self.distance - y * self.sine - z * self.cosine, 0.1 * self.distance)

    def point(self, x: float, y: float, z: float) -> np.ndarray:
        """Where a world point is seen, in pixels."""
        k = self.distance / self.depth(y, z)
        flat = np.array([x, y * self.cosine - z * self.sine]) * k
        return self.roll @ flat + self.center

    def scale(self, y: float, z: float) -> float:
        """Pixels per world unit across the line of sight."""
        return self.distance / self.depth(y, z)

    def jacobian(self, x: float, y: float, z: float) -> np.ndarray:
        """How the picture of a point of a level plane moves with its x and y."""
        d = self.depth(y, z)
        k = self.distance / d
        up = y * self.cosine - z * self.sine
        flat = np.array([[k, k * x * self.sine / d],
                         [0, k * (self.cosine + up * self.sine / d)]])
        return self.roll @ flat

    def homography(self) -> np.ndarray:
        """From the table (x, y, 1) to pixels."""
        d, r, c = self.distance, self.roll, self.center
        projection = np.array([[d, 0, 0], [0, d * self.cosine, 0], [0, -self.sine, d]])
        rolled = np.eye(3)
        rolled[:2, :2], rolled[:2, 2] = r, c
        return rolled @ projection

    def visible_y(self) -> tuple[float, float]:
        """The far and the near end of the table seen in the middle column."""
        half, d = self.size / 2, self.distance
        ends = []
        for v in (-half, half):
            denominator = d * self.cosine + v * self.sine
            ends.append(v * d / max(denominator, 0.12 * d))
        return ends[0], ends[1]
