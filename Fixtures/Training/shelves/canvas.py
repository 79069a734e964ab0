"""A camera, and what it sees: pixels, what each shows, whose spine it is."""

import cv2
import numpy as np

NOTHING, SPINE, FORE_EDGE, BOARD = 0, 1, 2, 3


class Camera:
    """A pinhole in front of the books, x to the right, y upward, z away from it. It shows a window of its picture."""

    def __init__(self, size, window, center, distance, focal, angles):
        self.size, self.window, self.focal, self.distance = size, window, focal, distance
        yaw, pitch, roll = np.radians(angles)
        cy, sy, cx, sx, cr, sr = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch), np.cos(roll), np.sin(roll)
        turn = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
        self.turn = turn @ np.array([[cy, 0, -sy], [0, 1, 0], [sy, 0, cy]])
        self.eye = np.array([*center, 0.0]) - self.turn.T @ np.array([0, 0, distance])

    def seen(self, points):
        """Pixels of the window."""
        relative = (np.asarray(points, float) - self.eye) @ self.turn.T
        depth = np.maximum(relative[:, 2:], 5)
        middle = (self.size[0] / 2 - self.window[0], self.size[1] / 2 - self.window[1])
        return relative[:, :2] * (1, -1) * self.focal / depth + middle


class Canvas:
    def __init__(self, camera):
        self.camera = camera
        self.width, self.height = camera.window[2:]
        self.pixels = np.zeros((self.height, self.width, 3), np.float32)
        self.kind = np.zeros((self.height, self.width), np.uint8)
        self.owner = np.full((self.height, self.width), -1, np.int16)

    def face(self, corners, texture, kind=NOTHING, owner=-1, bend=0.0, shade=None):
        """Draws on four points of space: top left, top right, bottom right, bottom left.

        The texture is a colour, or what paints one of a width and height. Shade darkens: one factor for each corner.
        """
        quad = self.camera.seen(corners)
        if cv2.contourArea(np.float32(quad), True) <= 0.5:
            return
        low = np.floor(quad.min(0)).astype(int) - 1
        high = np.ceil(quad.max(0)).astype(int) + 2
        low, high = np.maximum(low, 0), np.minimum(high, (self.width, self.height))
        if (high <= low).any():
            return
        size = tuple(int(v) for v in high - low)
        wide = max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[3]))
        tall = max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1]))
        wide, tall = int(np.clip(wide, 2, 900)), int(np.clip(tall, 2, 900))
        outline = self.outline(quad - low, bend)
        mask = np.zeros(size[::-1], np.uint8)
        cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        region = (slice(low[1], high[1]), slice(low[0], high[0]))
        if callable(texture):
            page = texture(wide, tall)
            if shade is not None:
                page = page * gradient(shade, wide, tall)
            origin = np.float32([[0, 0], [page.shape[1], 0], [page.shape[1], page.shape[0]], [0, page.shape[0]]])
            change = cv2.getPerspectiveTransform(origin, np.float32(quad - low))
            page = cv2.warpPerspective(
                page, change, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        else:
            page = np.float32(texture) * (1 if shade is None else float(np.mean(shade)))
        part = self.pixels[region]
        alpha = mask[..., None] * np.float32(1 / 255)
        part += alpha * (page - part)
        hard = mask > 127
        self.kind[region][hard] = kind
        self.owner[region][hard] = owner

    @staticmethod
    def outline(quad, bend):
        """The quadrilateral, its sides bent to the right by so many pixels in their middles."""
        if not bend:
            return quad
        t = np.linspace(0, 1, 9)[:, None]
        wave = 4 * t * (1 - t) * (bend, 0)
        right, left = quad[1] + t * (quad[2] - quad[1]) + wave, quad[3] + t * (quad[0] - quad[3]) + wave[::-1]
        return np.concatenate([right, left])

    def sprite(self, image, alpha, x, y):
        """A thing in front, its upper left corner in the window's pixels."""
        rows, columns = alpha.shape
        top, left = max(0, y), max(0, x)
        bottom, right = min(self.height, y + rows), min(self.width, x + columns)
        if bottom <= top or right <= left:
            return
        cut = (slice(top - y, bottom - y), slice(left - x, right - x))
        region = (slice(top, bottom), slice(left, right))
        part = self.pixels[region]
        part += alpha[cut][..., None] * (image[cut] - part)
        hard = alpha[cut] > 0.5
        self.kind[region][hard] = NOTHING
        self.owner[region][hard] = -1


def gradient(shade, width, height):
    """Between four corners' values."""
    (a, b, c, d) = shade
    x = np.linspace(0, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(0, 1, height, dtype=np.float32)[:, None]
    return ((1 - y) * ((1 - x) * a + x * b) + y * ((1 - x) * d + x * c))[..., None].astype(np.float32)


def box(x, y, z, width, height, depth, lean=0.0, yaw=0.0):
    """Eight corners: front from the top left clockwise, then the back.

    Leaning to the right (positive) it turns about its lower right corner's foot, to the left about its lower left.
    """
    points = np.array(
        [[0, height, 0], [width, height, 0], [width, 0, 0], [0, 0, 0],
         [0, height, depth], [width, height, depth], [width, 0, depth], [0, 0, depth]], float)
    if lean:
        c, s = np.cos(lean), np.sin(lean)
        pivot = np.array([width if lean > 0 else 0, 0, 0])
        points -= pivot
        points[:, :2] = points[:, :2] @ np.array([[c, -s], [s, c]])
        points += pivot
    if yaw:
        c, s = np.cos(yaw), np.sin(yaw)
        middle = np.array([width / 2, 0, 0])
        points = (points - middle) @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) + middle
    return points + (x, y, z)
