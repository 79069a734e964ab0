"""Grounds made by people: aprons, harbours, roads, floors, carpets, yards, store rooms."""

import math

import cv2
import numpy as np

from . import colours
from .foliage import sky
from .grounds import grass, mixed, soil, water
from .lettering import write
from .noise import fractal


def concrete(rng: np.random.Generator, size: int, low: float = 110, high: float = 205):
    """Slabs with joints and stains."""
    tone = rng.uniform(low, high) + rng.uniform(-14, 10, 3)
    canvas = mixed(tone * 0.86, tone * 1.08, 0.5 + 0.2 * fractal(rng, 6, 0.75, 6, 1, size))
    if rng.random() < 0.6:
        pitch, offset = rng.uniform(8, 40) * size / 448, rng.uniform(0, 9)
        for v in np.arange(offset, size, pitch):
            cv2.line(canvas, (int(v), 0), (int(v), size), colours.scalar(tone * 0.9), 1)
            cv2.line(canvas, (0, int(v)), (size, int(v)), colours.scalar(tone * 0.9), 1)
    return canvas


def turned(canvas: np.ndarray, angle: float) -> np.ndarray:
    """Turned about the middle and enlarged so that it still fills the picture."""
    size = canvas.shape[0]
    grow = abs(math.cos(angle)) + abs(math.sin(angle))
    matrix = cv2.getRotationMatrix2D((size / 2, size / 2), math.degrees(-angle), grow)
    return cv2.warpAffine(canvas, matrix, (size, size), flags=cv2.INTER_LINEAR,
                          borderMode=cv2.BORDER_REFLECT)


def apron(rng: np.random.Generator, size: int) -> np.ndarray:
    """An airport from above: concrete, lines, islands of grass, a building."""
    canvas = concrete(rng, size)
    green = grass(rng, size) if rng.random() < 0.5 else soil(rng, size)
    tone = canvas.mean((0, 1))
    for _ in range(int(rng.integers(0, 5))):
        mask = np.zeros((size, size), np.uint8)
        x, y = rng.integers(-50, size, 2)
        w, h = rng.integers(size // 8, size // 2, 2)
        island = cv2.ellipse2Poly((int(x + w / 2), int(y + h / 2)), (int(w), int(h) // 3),
                                  int(rng.choice([0, 90, 45])), 0, 360, 20)
        if rng.random() < 0.5:
            island = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
        cv2.fillPoly(mask, [island.astype(np.int32)], 255, cv2.LINE_AA)
        canvas += (green - canvas) * (mask[..., None] / np.float32(255))
    for _ in range(int(rng.integers(0, 4))):  # taxiways
        ends = rng.integers(-100, size + 100, 4)
        a, b = (int(ends[0]), int(ends[1])), (int(ends[2]), int(ends[3]))
        cv2.line(canvas, a, b, colours.scalar(tone * rng.uniform(0.7, 1.1)),
                 int(rng.integers(12, 50) * size / 448), cv2.LINE_AA)
        cv2.line(canvas, a, b, (90, 200, 220), 1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 7))):
        center = (int(rng.integers(0, size)), int(rng.integers(0, size)))
        cv2.ellipse(canvas, center, (int(rng.integers(20, 160)),) * 2, rng.uniform(0, 360), 0,
                    rng.uniform(40, 120), (120, 200, 215), 1, cv2.LINE_AA)
    if rng.random() < 0.6:
        building(canvas, rng, int(rng.integers(20, 70) * size / 448))
    return turned(canvas, rng.uniform(0, 6.28))


def building(canvas: np.ndarray, rng: np.random.Generator, breadth: int) -> None:
    """A long roof across the picture, with its shadow and ribs."""
    size = canvas.shape[0]
    y = int(rng.integers(0, size))
    roof = colours.grey(rng) if rng.random() < 0.6 else colours.brown(rng)
    x0, x1 = int(rng.integers(-100, size // 2)), int(rng.integers(size // 2, size + 100))
    part = canvas[max(0, y + 4):y + breadth + 6, max(0, x0 + 4):max(0, x1 + 6)]
    part *= 0.55
    cv2.rectangle(canvas, (x0, y), (x1, y + breadth), colours.scalar(roof), -1)
    for x in range(x0, x1, int(rng.integers(5, 30))):
        cv2.line(canvas, (x, y), (x, y + breadth), colours.scalar(roof * 0.88), 1)
    cv2.line(canvas, (x0, y + breadth // 2), (x1, y + breadth // 2), colours.scalar(roof * 1.15), 2)


def harbour(rng: np.random.Generator, size: int) -> tuple[np.ndarray, list[float], float, float]:
    """Water with piers; the heights (y) of the piers, all lying level; where water begins, ends."""
    canvas = water(rng, size)
    tone = colours.white(rng) * rng.uniform(0.5, 0.95) if rng.random() < 0.6 else colours.brown(rng)
    piers, y = [], rng.uniform(0, size * 0.3)
    breadth = rng.uniform(3, 12) * size / 448
    while y < size:
        piers.append(y)
        y += rng.uniform(0.16, 0.4) * size
    begin, end = 0.0, float(size)
    if rng.random() < 0.6:
        x = int(rng.choice([0, size - 1]))
        land = concrete(rng, size) if rng.random() < 0.6 else grass(rng, size)
        edge = int(rng.uniform(0.05, 0.25) * size)
        part = np.s_[:, :edge] if x == 0 else np.s_[:, size - edge:]
        canvas[part] = land[part]
        begin, end = (edge, end) if x == 0 else (begin, size - edge)
    for y in piers:
        top, bottom = int(y - breadth / 2), int(y + breadth / 2) + 1
        canvas[max(0, bottom):bottom + 3] *= 0.6
        cv2.rectangle(canvas, (0, top), (size, bottom), colours.scalar(tone), -1)
        for x in range(int(rng.integers(0, 9)), size, max(3, int(breadth))):
            cv2.line(canvas, (x, top), (x, bottom), colours.scalar(tone * 0.85), 1)
    return canvas, piers, begin, end


def road(rng: np.random.Generator, size: int) -> tuple[np.ndarray, float, list[float]]:
    """Asphalt with bays or lanes along y; the pitch and the middles (x) of the lanes."""
    canvas = mixed(np.full(3, rng.uniform(40, 100)), np.full(3, rng.uniform(100, 190)),
                   0.5 + 0.12 * fractal(rng, 60, 0.9, 4, 1, size)
                   + 0.1 * fractal(rng, 3, 0.6, 5, 0.3, size))
    lanes = int(rng.integers(2, 9))
    pitch = size / lanes
    line = colours.scalar(np.array([rng.choice([90, 230]), 225, 235]))
    dashed = rng.random() < 0.6
    for k in range(lanes + 1):
        x = int(k * pitch)
        step = int(rng.integers(20, 60)) if dashed else size
        for y in range(0, size, step):
            end = y + (step // 2 if dashed else step)
            cv2.line(canvas, (x, y), (x, end), line, max(1, size // 224), cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 5))):  # cracks and patches
        at = rng.integers(0, size, 2)
        for _ in range(8):
            step = at + rng.integers(-30, 31, 2)
            cv2.line(canvas, tuple(int(v) for v in at), tuple(int(v) for v in step),
                     (35.0, 35.0, 35.0), 1, cv2.LINE_AA)
            at = step
    side = rng.random()
    if side < 0.5:
        strip = grass(rng, size) if side < 0.3 else concrete(rng, size)
        edge = int(pitch * rng.uniform(0.4, 1))
        canvas[:, :edge] = strip[:, :edge]
        middles = [(k + 0.5) * pitch for k in range(1, lanes)]
    else:
        middles = [(k + 0.5) * pitch for k in range(lanes)]
    return canvas, pitch, middles


def floor(rng: np.random.Generator, size: int) -> np.ndarray:
    """Laminate, parquet or planks: bold grain, knots, seams."""
    tone = np.array([rng.uniform(50, 160), rng.uniform(90, 190), rng.uniform(130, 225)])
    grain = fractal(rng, int(rng.integers(3, 10)), 0.65, 7, rng.choice([0.06, 0.12]), size)
    rings = np.sin(grain * rng.uniform(2, 7)) * 0.35 + 0.25 * fractal(rng, 60, 0.8, 4, 0.05, size)
    pitch = int(rng.uniform(40, 160) * size / 448)
    for x in range(0, size, pitch):  # every board is cut elsewhere
        rings[:, x:x + pitch] = np.roll(rings[:, x:x + pitch], int(rng.integers(size)), 0)
        rings[:, x:x + pitch] += rng.normal() * 0.15
    canvas = mixed(tone * 0.6, np.minimum(tone * 1.15, 250), 0.5 + 0.4 * rings)
    for x in range(0, size, pitch):
        cv2.line(canvas, (x, 0), (x, size), colours.scalar(tone * 0.4), 1)
        y = int(rng.integers(0, size))
        cv2.line(canvas, (x, y), (x + pitch, y), colours.scalar(tone * 0.4), 1)
        if rng.random() < 0.4:
            at = (x + int(rng.integers(0, pitch)), int(rng.integers(0, size)))
            r = int(rng.integers(3, 12))
            for k in range(4, 0, -1):
                cv2.ellipse(canvas, at, (r * k // 4 + 1, r * k // 2 + 1), 0, 0, 360,
                            colours.scalar(tone * (0.35 + 0.15 * k)), -1, cv2.LINE_AA)
    return turned(canvas, rng.choice([0, math.pi / 2, rng.uniform(0, 3)]))


def carpet(rng: np.random.Generator, size: int) -> np.ndarray:
    """A pattern of mirrored motifs, repeated: carpets, prints, tiles, tablecloths."""
    side = int(rng.integers(24, 110) * size / 448)
    palette = [colours.anything(rng) for _ in range(int(rng.integers(2, 5)))]
    part = np.empty((side, side, 3), np.float32)
    part[:] = palette[0]
    for _ in range(int(rng.integers(2, 12))):
        tone = colours.scalar(palette[rng.integers(len(palette))])
        at = tuple(int(v) for v in rng.integers(0, side, 2))
        style = rng.random()
        if style < 0.4:
            axes = tuple(int(v) for v in rng.integers(1, side // 3, 2))
            cv2.ellipse(part, at, axes, rng.uniform(0, 180), 0, rng.choice([200, 360]), tone,
                        int(rng.choice([-1, 1, 3])), cv2.LINE_AA)
        elif style < 0.7:
            end = tuple(int(v) for v in rng.integers(0, side, 2))
            cv2.line(part, at, end, tone, int(rng.integers(1, 5)), cv2.LINE_AA)
        else:
            corners = rng.integers(0, side, (int(rng.integers(3, 6)), 2)).astype(np.int32)
            cv2.fillPoly(part, [corners], tone, cv2.LINE_AA)
    tile = np.hstack([part, part[:, ::-1]])
    tile = np.vstack([tile, tile[::-1]])
    times = size // tile.shape[0] + 2
    canvas = turned(np.tile(tile, (times, times, 1))[:size, :size], rng.uniform(0, 3))
    weave = 1 + rng.uniform(0, 0.12) * fractal(rng, 120, 0.9, 2, 1, size)
    folds = 1 + rng.uniform(0, 0.15) * fractal(rng, 3, 0.4, 3, rng.choice([0.4, 1]), size)
    return canvas * (weave * folds)[..., None]


def cloth(rng: np.random.Generator, size: int) -> np.ndarray:
    """Towels and sheets of one colour with folds."""
    tone = colours.anything(rng)
    folds = fractal(rng, int(rng.integers(2, 5)), 0.5, 4, rng.choice([0.3, 1]), size)
    ridges = np.exp(-np.abs(folds) * 4) * rng.uniform(0, 0.4)
    shade = 1 + rng.uniform(0.03, 0.2) * folds + ridges
    shade = shade + rng.uniform(0, 0.12) * fractal(rng, 150, 0.9, 2, 1, size)
    return tone * np.clip(shade, 0.3, 1.6)[..., None].astype(np.float32)


def store(rng: np.random.Generator, size: int) -> np.ndarray:
    """Behind and below a stack: a dark room, racks, beams, a wall, a floor."""
    wall = colours.grey(rng) * rng.uniform(0.3, 1)
    canvas = np.empty((size, size, 3), np.float32)
    canvas[:] = wall
    canvas *= (1 + 0.12 * fractal(rng, 4, 0.7, 6, 1, size))[..., None]
    horizon = int(size * rng.uniform(0.7, 1.0))
    canvas[horizon:] = concrete(rng, size, 60, 190)[horizon:]
    beam = np.array([rng.uniform(10, 60), rng.uniform(40, 110), rng.uniform(150, 240)])
    if rng.random() < 0.4:
        beam = colours.from_hsv(rng.uniform(95, 120), 180, rng.uniform(80, 200))
    for _ in range(int(rng.integers(0, 4))):
        x, wide = int(rng.integers(0, size)), int(rng.integers(4, 26) * size / 448)
        paint = colours.scalar(beam * rng.uniform(0.5, 1))
        cv2.rectangle(canvas, (x, 0), (x + wide, horizon), paint, -1)
    for _ in range(int(rng.integers(0, 3))):
        y, tall = int(rng.integers(0, horizon)), int(rng.integers(5, 26) * size / 448)
        cv2.rectangle(canvas, (0, y), (size, y + tall), colours.scalar(beam), -1)
        cv2.rectangle(canvas, (0, y + tall), (size, y + tall + 3), colours.scalar(beam * 0.4), -1)
    return canvas


def yard(rng: np.random.Generator, size: int) -> np.ndarray:
    """Behind a pile outside: ground below, sky, buildings or trees above, blurred."""
    canvas = sky(rng, size)
    horizon = int(size * rng.uniform(0.2, 0.8))
    for _ in range(int(rng.integers(0, 6))):
        x, w = int(rng.integers(-60, size)), int(rng.integers(30, 200))
        tone = colours.grey(rng) if rng.random() < 0.7 else colours.brown(rng)
        top = horizon - int(rng.integers(10, 160) * size / 448)
        cv2.rectangle(canvas, (x, top), (x + w, horizon), colours.scalar(tone), -1)
        for y in range(top + 5, horizon, 12):
            cv2.line(canvas, (x, y), (x + w, y), colours.scalar(tone * 0.7), 3)
    below = (soil, grass, concrete)[rng.integers(3)](rng, size)
    canvas[horizon:] = below[horizon:]
    return cv2.GaussianBlur(canvas, (0, 0), rng.uniform(0.5, 4) * size / 448)


def notes(canvas: np.ndarray, rng: np.random.Generator, count: int) -> None:
    """Words and numbers on the ground."""
    size = canvas.shape[0]
    for _ in range(count):
        text = "".join(chr(rng.integers(48, 91)) for _ in range(rng.integers(2, 9)))
        write(canvas, text, (int(rng.integers(0, size)), int(rng.integers(0, size))),
              int(rng.integers(0, 8)), rng.uniform(0.3, 1.4), colours.anything(rng),
              int(rng.integers(1, 3)))


def tubes(canvas: np.ndarray, rng: np.random.Generator, ends: list[tuple[float, float]],
          size: float) -> None:
    """What the ends in a pile belong to: dark gaps, and sides that run away from the viewer."""
    angle = rng.uniform(0, 6.28)
    reach = size * rng.choice([0.0, 0.0, 0.5, 4.0])
    away = np.array([math.cos(angle), -abs(math.sin(angle)) * 0.5]) * reach
    tone = colours.grey(rng) if rng.random() < 0.6 else colours.brown(rng)
    if reach:
        for x, y in ends:
            cv2.line(canvas, (int(x), int(y)), (int(x + away[0]), int(y + away[1])),
                     colours.scalar(tone * rng.uniform(0.4, 1)), max(1, int(size * 0.85)),
                     cv2.LINE_AA)
    for x, y in ends:
        cv2.circle(canvas, (int(x), int(y)), int(size * 0.53), (22.0, 24.0, 26.0), -1, cv2.LINE_AA)
