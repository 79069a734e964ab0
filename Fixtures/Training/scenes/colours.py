"""Colours, BGR in 0...255, drawn the way things are coloured."""

import cv2
import numpy as np

Colour = np.ndarray


def from_hsv(hue: float, saturation: float, value: float) -> Colour:
    """Hue in 0..<180, saturation and value in 0...255."""
    pixel = np.array([[[hue % 180, min(saturation, 255), min(value, 255)]]], np.uint8)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def saturated(rng: np.random.Generator) -> Colour:
    """A strong colour, as of sweets and plastics."""
    return from_hsv(rng.integers(180), rng.uniform(150, 255), rng.uniform(90, 255))


def pastel(rng: np.random.Generator) -> Colour:
    """A light, weak colour."""
    return from_hsv(rng.integers(180), rng.uniform(25, 120), rng.uniform(170, 255))


def grey(rng: np.random.Generator) -> Colour:
    """Any grey, hardly tinted."""
    return np.clip(rng.uniform(20, 235) + rng.uniform(-8, 8, 3), 0, 255).astype(np.float32)


def white(rng: np.random.Generator) -> Colour:
    """Nearly white, often a little yellow."""
    return (rng.uniform(205, 252) + np.array([rng.uniform(-22, 3), -3, 0])).astype(np.float32)


def brown(rng: np.random.Generator) -> Colour:
    """Dough, wood, chocolate."""
    value = rng.uniform(45, 230)
    return np.array([value * rng.uniform(0.25, 0.65), value * rng.uniform(0.55, 0.82), value],
                    np.float32)


def metal(rng: np.random.Generator) -> Colour:
    """Steel, copper, brass, silver, worn or not."""
    tints = ((1, 1, 1), (1, 1, 1), (0.5, 0.65, 0.9), (0.45, 0.75, 0.9), (0.8, 0.9, 0.95))
    tint = np.array(tints[rng.integers(len(tints))], np.float32)
    return rng.uniform(70, 225) * tint


def anything(rng: np.random.Generator) -> Colour:
    """Any colour of any of the ways above."""
    makers = (saturated, saturated, pastel, grey, white, brown)
    return makers[rng.integers(len(makers))](rng)


def distinct(rng: np.random.Generator, others: list[Colour], make=saturated) -> Colour:
    """A colour that is told from `others`, if eight tries find one: half of the time at a glance,
    else as orange is from red."""
    enough = 150 if rng.random() < 0.5 else 80
    best, best_distance = make(rng), -1.0
    for _ in range(8):
        colour = make(rng)
        distance = min((float(np.abs(colour - other).sum()) for other in others), default=999.0)
        if distance > best_distance:
            best, best_distance = colour, distance
        if distance > enough:
            break
    return best


def varied(colour: Colour, rng: np.random.Generator, brightness: float, tint: float) -> Colour:
    """`colour` of another specimen: brighter or darker, slightly tinted."""
    factor = np.exp(rng.normal() * brightness) * (1 + rng.normal(size=3) * tint)
    return np.clip(colour * factor, 0, 255).astype(np.float32)


def scalar(colour: Colour) -> tuple[float, float, float]:
    """As OpenCV's drawing functions want it."""
    return tuple(float(v) for v in np.clip(colour, 0, 255))
