"""Bodies with flat faces, seen from any side: drawn whole, at the slant the camera has."""

import math

import cv2
import numpy as np

from ..shapes import Area
from .base import ROUND, Kind, Sprite, sprite


class View:
    """Turns a body's own coordinates into a sprite's; parallel rays, `slant` 0 is from above."""

    def __init__(self, a: Area, matrix: np.ndarray, slant: float, scale: float) -> None:
        c, s = math.cos(slant), math.sin(slant)
        self.a, self.scale, self.matrix = a, scale, matrix
        self.plane = np.array([[1, 0, 0], [0, c, -s]]) @ matrix * scale
        self.toward = np.array([0, s, c]) @ matrix

    def pixels(self, points: np.ndarray) -> np.ndarray:
        """Sprite pixels of points (n x 3)."""
        return (np.asarray(points) @ self.plane.T + self.a.size / 2 / self.a.pixels_per_unit
                ) * self.a.pixels_per_unit

    def sees(self, normal) -> bool:
        return float(self.toward @ np.asarray(normal)) > 0.02

    def shade(self, normal, light: np.ndarray, ambient: float) -> float:
        """How bright a face is."""
        world = self.matrix @ np.asarray(normal, np.float64)
        return ambient + (1 - ambient) * max(0.0, float(world @ light)) / max(float(light[2]), 0.4)


def turn(yaw: float) -> np.ndarray:
    """About the upright axis."""
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def resting(rng: np.random.Generator, on_top: float = 0.0) -> np.ndarray:
    """One of the ways in which a box lies, then any yaw; with `on_top` its own top stays up."""
    if rng.random() < on_top:
        return turn(rng.uniform(0, 6.28))
    axes = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], (3, 1))
    if np.linalg.det(axes) < 0:
        axes[0] *= -1
    return turn(rng.uniform(0, 6.28)) @ axes


def fixed(points: np.ndarray) -> np.ndarray:
    """Corners as OpenCV wants them, with four fractional bits."""
    return np.round(points * 16).astype(np.int32)


def box_faces(half: tuple[float, float, float]):
    """(normal, corner, first edge, second edge) of the six faces."""
    h = np.array(half)
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1, 1):
            normal = np.zeros(3)
            normal[axis] = side
            corner, first, second = normal * h, np.zeros(3), np.zeros(3)
            corner[u], corner[v] = -h[u], -h[v]
            first[u], second[v] = 2 * h[u], 2 * h[v]
            yield normal, corner, first, second


class Solid(Kind):
    """Shared by bodies drawn through a `View`. `slant` is set to the camera's tilt by the plan."""

    body = ROUND
    thickness = 1.0
    # How high the middle lies above the table; both alike, so that nothing is squashed twice.
    extent = (0.5, 0.5)
    free_rotation = False
    slant = 0.0
    specimens = 12

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.ambient = rng.uniform(0.35, 0.7)

    def start(self, a: Area, outline: np.ndarray, tone: np.ndarray, rounding: float):
        """The colours and the coverage of the hull of some pixels, its corners rounded."""
        colour = np.empty((a.size, a.size, 3), np.float32)
        colour[:] = tone
        mask = np.zeros((a.size, a.size), np.uint8)
        hull = cv2.convexHull(outline.astype(np.float32))[:, 0]
        cv2.fillConvexPoly(mask, fixed(hull), 255, cv2.LINE_AA, 4)
        if rounding * a.pixels_per_unit > 0.6:
            thick = max(1, round(2 * rounding * a.pixels_per_unit))
            cv2.polylines(mask, [fixed(hull)], True, 255, thick, cv2.LINE_AA, 4)
        return colour, mask.astype(np.float32) / 255

    def face(self, colour: np.ndarray, view: View, corner, first, second,
             texture: np.ndarray) -> None:
        """Lays a texture on a parallelogram; texture rows run along `second`."""
        rows, columns = texture.shape[:2]
        at = view.pixels(np.array([corner, corner + first, corner + first + second,
                                   corner + second]))
        matrix = np.empty((2, 3))
        matrix[:, 0], matrix[:, 1] = (at[1] - at[0]) / columns, (at[3] - at[0]) / rows
        matrix[:, 2] = at[0] + (matrix[:, 0] + matrix[:, 1]) / 2 - 0.5
        image = cv2.warpAffine(texture, matrix, (colour.shape[1], colour.shape[0]),
                               flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        mask = np.zeros(colour.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, fixed(at), 255, cv2.LINE_AA, 4)
        colour += (image - colour) * (mask.astype(np.float32) / 255)[..., None]

    def packed(self, colour: np.ndarray, alpha: np.ndarray) -> Sprite:
        return sprite(colour, alpha)
