"""Airports as satellites see them: concrete, islands of grass, runways, terminals, sites."""

import math

import cv2
import numpy as np

from . import colours
from .grounds import grass, mixed, soil
from .noise import fractal

SEA = np.array([70.0, 62.0, 48.0])


def airport(rng: np.random.Generator, size: int, craft: float) -> np.ndarray:
    """What lies between aircraft that are `craft` pixels long, none of it to be counted."""
    canvas = worn(rng, size)
    heading = rng.uniform(0, math.pi)
    if rng.random() < 0.55:
        site(canvas, rng, craft, heading)
    if rng.random() < 0.8:
        islands(canvas, rng, craft, heading)
    if rng.random() < 0.4:
        runway(canvas, rng, craft, heading)
    for _ in range(int(rng.integers(0, 4))):
        guide(canvas, rng, craft)
    if rng.random() < 0.6:
        stands(canvas, rng, craft, heading)
    if rng.random() < 0.65:
        terminal(canvas, rng, craft)
    for _ in range(int(rng.integers(0, 5))):
        sheds(canvas, rng, craft, heading + rng.choice([0, math.pi / 2]))
    vehicles(canvas, rng, craft, heading)
    haze = rng.uniform(0, 0.25)
    return np.clip(canvas * (1 - haze) + haze * rng.uniform(110, 170), 0, 255)


def worn(rng: np.random.Generator, size: int) -> np.ndarray:
    """Concrete and asphalt: joints, patches, stains of oil, arcs of rubber."""
    value = rng.uniform(85, 200)
    tone = value * np.array([rng.uniform(0.78, 1.0), rng.uniform(0.9, 1.0), 1])
    coarse = fractal(rng, int(rng.integers(4, 12)), 0.7, 7, 1, size)
    canvas = mixed(tone * 0.75, tone * 1.1, 0.5 + 0.2 * coarse)
    for _ in range(int(rng.integers(0, 9))):  # where slabs were laid anew
        at, angle = rng.uniform(0, size, 2), rng.uniform(0, math.pi)
        corners = turned_box(at, rng.uniform(0.05, 0.5, 2) * size, angle)
        blend(canvas, corners, tone * rng.uniform(0.8, 1.15), rng.uniform(0.3, 0.8))
    stains = np.zeros((size, size), np.float32)
    for _ in range(int(rng.integers(0, 60))):
        at = tuple(int(v) for v in rng.uniform(0, size, 2))
        axes = tuple(int(v) for v in rng.uniform(2, 0.05 * size, 2))
        cv2.ellipse(stains, at, axes, rng.uniform(0, 180), 0, 360, rng.uniform(0.1, 0.5), -1)
    for _ in range(int(rng.integers(0, 14))):  # where wheels turn
        at = tuple(int(v) for v in rng.uniform(0, size, 2))
        radius, begin = int(rng.uniform(0.05, 0.5) * size), rng.uniform(0, 360)
        cv2.ellipse(stains, at, (radius, radius), 0, begin, begin + rng.uniform(20, 140),
                    rng.uniform(0.1, 0.5), int(rng.integers(1, 6)), cv2.LINE_AA)
    stains = cv2.GaussianBlur(stains, (0, 0), rng.uniform(1, 4))
    return canvas * (1 - 0.6 * stains)[..., None]


def axes(heading: float) -> tuple[np.ndarray, np.ndarray]:
    """The unit vectors along a heading and across it."""
    along = np.array([math.cos(heading), math.sin(heading)])
    return along, np.array([-along[1], along[0]])


def stroke(canvas: np.ndarray, a: np.ndarray, b: np.ndarray, tone, breadth: float) -> None:
    """A line between two places, at least one pixel broad."""
    ends = [tuple(int(v) for v in p) for p in (a, b)]
    cv2.line(canvas, *ends, colours.scalar(tone), max(1, int(breadth)), cv2.LINE_AA)


def turned_box(at: np.ndarray, sides: np.ndarray, angle: float) -> np.ndarray:
    """Four corners about a middle."""
    along, across = axes(angle)
    along, across = along * sides[0] / 2, across * sides[1] / 2
    return np.array([at - along - across, at + along - across, at + along + across,
                     at - along + across])


def blend(canvas: np.ndarray, corners: np.ndarray, paint: np.ndarray, strength: float) -> None:
    """A polygon of a colour, or of what another picture shows there."""
    mask = np.zeros(canvas.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.round(corners * 8).astype(np.int32)], float(strength), cv2.LINE_AA, 3)
    canvas += (paint - canvas) * mask[..., None]


def islands(canvas: np.ndarray, rng: np.random.Generator, craft: float, heading: float) -> None:
    """Long rounded fields of grass or earth between taxiways, each with a rim and lamps."""
    size = canvas.shape[0]
    field = (grass if rng.random() < 0.65 else soil)(rng, size)
    field = field * rng.uniform(0.5, 1.0) + SEA * rng.uniform(0, 0.4)
    along, across = axes(heading)
    wide, long = craft * rng.uniform(0.6, 3.5), craft * rng.uniform(1.5, 9)
    rim = colours.scalar(canvas.mean((0, 1)) * rng.uniform(0.7, 1.2))
    stripe = rng.random() < 0.4
    origin = rng.uniform(0, size, 2)
    for row in range(-4, 5):
        for column in range(-3, 4):
            if rng.random() < 0.45:
                continue
            at = origin + across * row * wide * 2.1 + along * column * (long + wide)
            if not (-long < at[0] < size + long and -long < at[1] < size + long):
                continue
            half = along * (long * rng.uniform(0.3, 0.6))
            mask = np.zeros((size, size), np.uint8)
            stroke(mask, at - half, at + half, [255], wide * rng.uniform(0.5, 1))
            outer = cv2.dilate(mask, np.ones((3, 3), np.uint8))
            canvas += (np.array(rim) - canvas) * (outer[..., None] / 255.0)
            canvas += (field - canvas) * (mask[..., None] / 255.0)
            if stripe:  # a ditch in the middle
                stroke(canvas, at - half, at + half, field.mean((0, 1)) * 0.6, wide * 0.08)


def runway(canvas: np.ndarray, rng: np.random.Generator, craft: float, heading: float) -> None:
    """A dark band with its numbers' place, its dashes and its bars."""
    size = canvas.shape[0]
    along, across = axes(heading)
    at, wide = rng.uniform(0, size, 2), craft * rng.uniform(0.7, 1.6)
    far, tone = along * 2 * size, canvas.mean((0, 1)) * rng.uniform(0.55, 1.1)
    stroke(canvas, at - far, at + far, tone, max(2, wide))
    dash = craft * rng.uniform(0.4, 1)
    thick = max(1, int(craft * 0.03))
    for k in np.arange(-2 * size, 2 * size, dash * 2):
        stroke(canvas, at + along * k, at + along * (k + dash), (215, 220, 220), thick)
    for k in range(int(rng.integers(0, 5))):
        middle = at + along * k * dash * 3
        for s in (-0.3, -0.18, 0.18, 0.3):
            begin = middle + across * wide * s
            stroke(canvas, begin, begin + along * dash * 0.6, (225, 228, 228), 2 * thick)


def guide(canvas: np.ndarray, rng: np.random.Generator, craft: float) -> None:
    """Yellow lines that aircraft follow, bent and branching."""
    size = canvas.shape[0]
    at, angle = rng.uniform(0, size, 2), rng.uniform(0, 2 * math.pi)
    bend = rng.normal() * 0.05
    tone = np.array([rng.uniform(60, 150), 190, 205]) * rng.uniform(0.6, 1)
    points = []
    for _ in range(60):
        points.append(at.copy())
        at = at + np.array([math.cos(angle), math.sin(angle)]) * craft * 0.3
        angle += bend + (rng.choice([-1, 1]) * 0.6 if rng.random() < 0.05 else 0)
    cv2.polylines(canvas, [np.array(points).astype(np.int32)], False, colours.scalar(tone), 1,
                  cv2.LINE_AA)


def stands(canvas: np.ndarray, rng: np.random.Generator, craft: float, heading: float) -> None:
    """Places for aircraft: stained fans, bars and circles in rows, most of them empty."""
    size = canvas.shape[0]
    along, across = axes(heading)
    at = rng.uniform(0.1, 0.9, 2) * size
    mark = canvas.mean((0, 1)) * rng.choice([0.8, 1.12])
    for k in range(-8, 9):
        p = at + along * k * craft * rng.uniform(1.1, 1.4)
        style = rng.random()
        if style < 0.4:
            half = across * craft * 0.6
            stroke(canvas, p - half, p + half, mark, 1)
        elif style < 0.7:
            cv2.circle(canvas, tuple(int(v) for v in p), max(2, int(craft * 0.45)),
                       colours.scalar(mark), max(1, int(craft * 0.1)), cv2.LINE_AA)
        else:
            blend(canvas, turned_box(p, np.array([0.7, 0.8]) * craft, heading),
                  canvas.mean((0, 1)) * 0.8, 0.5)


def terminal(canvas: np.ndarray, rng: np.random.Generator, craft: float) -> None:
    """A bent roof with skylights, its shadow, and bridges that reach out to the aircraft."""
    size = canvas.shape[0]
    wide = craft * rng.uniform(0.6, 1.8)
    at, angle = rng.uniform(0, size, 2), rng.uniform(0, 2 * math.pi)
    points = [at]
    for _ in range(int(rng.integers(2, 5))):
        points.append(points[-1] + np.array([math.cos(angle), math.sin(angle)]) * size * 0.35)
        angle += rng.normal() * 0.5
    roof = colours.grey(rng) if rng.random() < 0.6 else colours.brown(rng) * rng.uniform(0.6, 1)
    arms, shadow = [], np.array([1, 1]) * craft * 0.12
    for a, b in zip(points, points[1:]):
        step = (b - a) / np.linalg.norm(b - a)
        out = np.array([-step[1], step[0]])
        for k in np.arange(0.1, 0.95, rng.uniform(0.07, 0.25)):
            foot = a + (b - a) * k
            reach = out * rng.choice([-1, 1]) * (wide * 0.5 + craft * rng.uniform(0.2, 0.5))
            arms.append((foot, foot + reach + step * craft * rng.normal() * 0.15))
    thin, dark = craft * rng.uniform(0.06, 0.12), canvas.mean((0, 1)) * 0.45
    for drop, tone, body in ((shadow, dark, dark), (0 * shadow, roof * 0.8, roof)):
        for foot, end in arms:
            stroke(canvas, foot + drop, end + drop, tone, thin)
        for a, b in zip(points, points[1:]):
            stroke(canvas, np.trunc(a) + drop, np.trunc(b) + drop, body, max(2, wide))
    if rng.random() < 0.7:  # skylights and machines on the roof
        for a, b in zip(points, points[1:]):
            step = (b - a) / np.linalg.norm(b - a)
            for _ in range(int(rng.integers(5, 50))):
                p = a + (b - a) * rng.random() + np.array([-step[1], step[0]]) * wide * (
                    rng.uniform(-0.4, 0.4))
                box = turned_box(p, craft * rng.uniform(0.04, 0.2, 2), math.atan2(*step[::-1]))
                blend(canvas, box, roof * rng.uniform(0.6, 1.2), 0.9)


def sheds(canvas: np.ndarray, rng: np.random.Generator, craft: float, heading: float) -> None:
    """Hangars and halls in a row, with ribs and shadows."""
    size = canvas.shape[0]
    at = rng.uniform(-0.1, 1.1, 2) * size
    along, across = axes(heading)
    sides = craft * np.array([rng.uniform(0.6, 4), rng.uniform(0.3, 1.6)])
    roof = colours.grey(rng) if rng.random() < 0.7 else colours.anything(rng)
    for k in range(int(rng.integers(1, 5))):
        p = at + along * k * sides[0] * 1.25
        shadow = turned_box(p + craft * 0.1, sides, heading)
        blend(canvas, shadow, np.array([45.0, 42, 40]), 0.7)
        blend(canvas, turned_box(p, sides, heading), roof * rng.uniform(0.85, 1.1), 1)
        for s in np.arange(-0.45, 0.46, rng.uniform(0.05, 0.3)):
            rib = p + along * sides[0] * s
            half = across * sides[1] * 0.5
            stroke(canvas, rib - half, rib + half, roof * 0.85, 1)


def site(canvas: np.ndarray, rng: np.random.Generator, craft: float, heading: float) -> None:
    """A part that is being built: bare earth in plots, tracks, ditches, heaps, roads around it."""
    size = canvas.shape[0]
    edge = rng.uniform(0.25, 0.8) * size
    along, across = axes(heading)
    middle = np.full(2, size / 2) + across * (edge + size * 0.25)
    ground = soil(rng, size) * rng.uniform(0.7, 1)
    if rng.random() < 0.3:
        ground = grass(rng, size)
    blend(canvas, turned_box(middle, np.array([3.0, 1.5]) * size, heading), ground, 1)
    tone = ground.mean((0, 1))
    for _ in range(int(rng.integers(2, 14))):
        p = middle + (rng.uniform(-0.7, 0.7, 2)) * size
        plot = turned_box(p, craft * rng.uniform(0.8, 7, 2), heading + rng.normal() * 0.06)
        blend(canvas, plot, tone * rng.uniform(0.7, 1.25), rng.uniform(0.3, 0.9))
        if rng.random() < 0.5:
            cv2.polylines(canvas, [plot.astype(np.int32)], True,
                          colours.scalar(tone * rng.choice([0.55, 1.2])),
                          max(1, int(craft * rng.uniform(0.02, 0.15))), cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 80))):
        p = middle + rng.uniform(-0.7, 0.7, 2) * size
        if ((p - size / 2) @ across) < edge - size * 0.5:
            continue
        box = turned_box(p, craft * rng.uniform(0.04, 0.35, 2), rng.uniform(0, 3))
        blend(canvas, box, tone * rng.uniform(0.4, 1.4), 0.9)
    road = middle - across * size * 0.75
    tone = canvas.mean((0, 1)) * rng.uniform(0.8, 1.3)
    far = along * 2 * size
    stroke(canvas, road - far, road + far, tone, max(2, craft * rng.uniform(0.15, 0.8)))


def vehicles(canvas: np.ndarray, rng: np.random.Generator, craft: float, heading: float) -> None:
    """Trucks, stairs, carts and containers, far smaller than aircraft, alone and in rows."""
    size = canvas.shape[0]
    for _ in range(int(rng.integers(0, 26))):
        p = rng.uniform(0, size, 2)
        angle = heading + rng.choice([0, math.pi / 2]) + rng.normal() * 0.1
        sides = craft * np.array([rng.uniform(0.07, 0.22), rng.uniform(0.035, 0.07)])
        tone = colours.white(rng) if rng.random() < 0.5 else colours.anything(rng)
        step = axes(angle)[1] * sides[1] * 1.7
        for k in range(int(rng.integers(1, 3)) if rng.random() < 0.7 else int(rng.integers(4, 14))):
            box = turned_box(p + step * k, sides, angle)
            blend(canvas, box + craft * 0.02, np.array([50.0, 48, 46]), 0.6)
            blend(canvas, box, tone * rng.uniform(0.8, 1), 0.95)
