"""Writes Fixtures/Goldens/Rectification: OpenCV's perspective transforms, and what it warps by them.

Run from the top of the checkout: python Fixtures/generate/rectification.py
"""

import cv2
import numpy as np

from common import seeded


def shapes(seed, count):
    """Convex quadrilaterals around a box: sides of 20 to 400, corners moved by up to a fifth of them."""
    u = seeded.units(seed, count * 12).reshape(count, 12)
    for row in u:
        x, y = np.round(row[:2] * 600)
        w, h = np.round(20 + row[2:4] * 380)
        corners = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
        yield np.round(corners + (row[4:].reshape(4, 2) - 0.5) * 0.4 * [w, h])


def transforms():
    pairs = list(zip(shapes(1, 40), shapes(2, 40)))
    # A strip of one pixel, a turn, a mirror, a shift, the corner of a large picture.
    square = np.array([[0, 0], [640, 0], [640, 480], [0, 480]], float)
    pairs += [
        (square, square), (square, np.roll(square, 1, 0)), (square, square[[1, 0, 3, 2]]), (square, square + 17),
        (square, np.array([[10, 0], [11, 0], [11, 900], [10, 900]], float)),
        (square, np.array([[11000, 8000], [11900, 8100], [11950, 8900], [11020, 8700]], float)),
    ]
    for source, target in pairs:
        # float32 is what OpenCV takes; whole numbers survive it.
        matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
        yield {"from": source.ravel().tolist(), "to": target.ravel().tolist(), "matrix": matrix.ravel().tolist()}


def noise(seed, width, height, channels):
    """Every sample at random: neighbours differ by anything."""
    return (seeded.bits(seed, width * height * channels) >> np.uint64(56)).astype(np.uint8).reshape(
        height, width, channels)


def waves(width, height, channels):
    """Ramps whose steps are at most 6: what a warp rounds is small on them."""
    y, x, c = np.mgrid[:height, :width, :channels]
    ramp = (x * 2 + y * 3 + c * 40) % 240
    return np.where(ramp < 120, ramp, 240 - ramp).astype(np.uint8) * 2


def warped(image, quad, width, height):
    """OpenCV's INTER_LINEAR. Its pixels are at whole numbers, those of the quadrilateral at halves."""
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(frame, np.asarray(quad, np.float32))
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    matrix = np.linalg.inv(half) @ matrix @ half
    answer = cv2.warpPerspective(
        image, matrix, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE)
    return answer.reshape(height, width, -1)


def shrunk(image, left, top, factor, width, height):
    """OpenCV's mean of factor x factor pixels."""
    part = image[top : top + height * factor, left : left + width * factor]
    return cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA).reshape(height, width, -1)


def integral(image, quad, width, height, fine=12):
    """The mean of many more samples than the picture has pixels there."""
    large = warped(image, quad, width * fine, height * fine).astype(float)
    means = large.reshape(height, fine, width, fine, -1).mean((1, 3))
    return np.floor(means + 0.5).astype(np.uint8)


def warps():
    def row(kind, seed, quad, answer):
        height, width, channels = answer.shape
        return {
            "kind": kind, "seed": seed, "channels": channels, "quad": np.ravel(quad).tolist(), "width": width,
            "height": height, "samples": answer.tobytes().hex(),
        }

    cases = [
        # The picture itself, turned, mirrored, in perspective, beyond the border, wholly outside.
        ([[0, 0], [40, 0], [40, 30], [0, 30]], 40, 30), ([[40, 0], [40, 30], [0, 30], [0, 0]], 30, 40),
        ([[40, 0], [0, 0], [0, 30], [40, 30]], 40, 30), ([[5, 3], [34, 6], [31, 27], [8, 22]], 31, 25),
        ([[11.25, 2.5], [19.5, 4.75], [15, 28.5], [6.5, 26.25]], 9, 26),
        ([[-6, -4], [30, 2], [44, 35], [3, 25]], 44, 40), ([[50, 40], [70, 40], [70, 55], [50, 55]], 20, 15),
        # Made larger.
        ([[10, 10], [18, 11], [17, 16], [9, 15]], 30, 24),
    ]
    for number, (quad, width, height) in enumerate(cases):
        channels = (3, 1, 4, 2)[number % 4]
        yield row("noise", number, quad, warped(noise(number, 40, 30, channels), quad, width, height))
        yield row("waves", number, quad, warped(waves(40, 30, channels), quad, width, height))
    for number, (left, top, factor, width, height) in enumerate([(0, 0, 2, 20, 15), (2, 1, 3, 12, 9), (1, 2, 7, 5, 4)]):
        right, bottom = left + width * factor, top + height * factor
        quad = [[left, top], [right, top], [right, bottom], [left, bottom]]
        yield row("noise", 20 + number, quad, shrunk(noise(20 + number, 40, 30, 3), left, top, factor, width, height))
    # Samples of a picture that is smooth are as good as its integral, however many there are.
    for quad, width, height in [
        ([[1.5, 2], [39, 3], [39.5, 29], [2, 28]], 10, 7), ([[20, 0], [40, 20], [25, 30], [4, 14]], 6, 5)]:
        yield row("waves", 0, quad, integral(waves(40, 30, 1), quad, width, height))


def cubic(image, quad, width, height):
    """OpenCV's INTER_CUBIC, the quadrilateral's pixels at whole numbers as the picture's are."""
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), frame)
    answer = cv2.warpPerspective(
        image, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return answer.reshape(height, width, -1)


def cubics():
    """Pictures of noise, some of the answers larger than a tile."""
    cases = [
        ([[0, 0], [40, 0], [40, 30], [0, 30]], 40, 30), ([[40, 0], [40, 30], [0, 30], [0, 0]], 30, 40),
        ([[5, 3], [34, 6], [31, 27], [8, 22]], 31, 25), ([[11.25, 2.5], [19.5, 4.75], [15, 28.5], [6.5, 26.25]], 9, 26),
        ([[-6, -4], [30, 2], [44, 35], [3, 25]], 44, 40), ([[50, 40], [70, 40], [70, 55], [50, 55]], 20, 15),
        ([[2, 8], [38, 3], [39, 20], [3, 27]], 150, 90), ([[30, 1], [36, 2], [16, 29], [9, 27]], 8, 70),
    ]
    for number, (quad, width, height) in enumerate(cases):
        channels = (3, 1, 4, 3, 3, 2, 1, 3)[number]
        answer = cubic(noise(40 + number, 40, 30, channels), quad, width, height)
        yield {"kind": "noise", "seed": 40 + number, "channels": channels, "quad": np.ravel(quad).tolist(),
               "width": width, "height": height, "samples": answer.tobytes().hex()}


if __name__ == "__main__":
    seeded.write("Rectification/transforms.json", list(transforms()))
    seeded.write("Rectification/warps.json", list(warps()))
    seeded.write("Rectification/cubic_warps.json", list(cubics()))
