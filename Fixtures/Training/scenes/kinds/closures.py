"""Caps, corks, buttons, tyres, cups: round things with rims, holes and two sides."""

import math

import cv2
import numpy as np

from .. import colours
from ..shading import dome, grained, lit, metallic, painted, random_material
from ..shapes import blobs, coverage, ellipse, path, star, wavy
from .base import FLAT, ROUND, Kind, Ring, prism, sprite
from .packaging import printed


class CrownCap(Kind):
    """Bottle caps with a crimped rim, printed side or lined side up."""

    body = FLAT
    specimens = 12

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.material = metallic(rng) if rng.random() < 0.5 else random_material(rng, 0.6)
        self.paints = [colours.anything(rng) for _ in range(int(rng.choice([1, 1, 3, 6])))]
        self.lining = colours.white(rng) if rng.random() < 0.6 else colours.grey(rng)
        self.metal = colours.metal(rng)
        self.teeth = int(rng.choice([21, 24, 40])) if rng.random() < 0.75 else 0
        self.height = rng.uniform(0.12, 0.6)
        self.turned_over = rng.choice([0, 0.3, 0.6])
        self.same_print = int(rng.integers(1 << 30))
        self.busy = rng.uniform(0, 1.5)
        self.bent = rng.uniform(0, 0.05)

    def draw(self, a, rng, light):
        d = wavy(a, 0.93, [(self.teeth, 0.035, 0.0), (2, self.bent * rng.random(), 1.0)])
        paint = self.paints[rng.integers(len(self.paints))]
        under = rng.random() < self.turned_over
        skirt = self.metal if under else paint
        ribs = 1 + 0.25 * np.cos(self.teeth * a.angle) * (a.radius > 0.75)
        albedo = grained(skirt, self.texture(a, rng), self.grain) * ribs[..., None]
        inner = ellipse(a, 0.76, 0.76)
        if under:
            height = dome(-inner, 0.15) * (inner > 0) - 0.1 * (inner < 0)
            albedo = painted(albedo, self.lining, inner + 0.04, a)
            ring = np.abs(a.radius - rng.uniform(0.4, 0.6)) - 0.02
            albedo = painted(albedo, self.lining * 0.8, ring, a)
        else:
            height = dome(d, 0.2, 0.8)
            face = printed(albedo, a, np.random.default_rng(self.same_print), 0.5, 0.5, self.busy)
            albedo = albedo + (face - albedo) * coverage(inner, a)[..., None]
        walls = [] if under else prism(self.height, skirt * 0.7)
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a), walls=walls)


class Cork(Kind):
    """Corks and plugs on their side, or their ends."""

    body = ROUND
    thickness = 1.0
    specimens = 10

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.tone = np.array([120, 165, 200]) * rng.uniform(0.7, 1.1)
        self.ry = rng.uniform(0.45, 0.75)
        self.extent = (0.95, self.ry)
        self.stamped = rng.random() < 0.6
        self.wine = rng.random() < 0.5

    def draw(self, a, rng, light):
        d = np.maximum(np.abs(a.y) - self.ry * (1 + 0.04 * a.x), np.abs(a.x) - 0.95)
        texture = self.texture(a, rng)
        pits = np.clip(self.noise.patch(rng, a.size) - 1.2, 0, 1)
        albedo = grained(self.tone * rng.uniform(0.9, 1.06), texture, 0.05)
        albedo = albedo * (1 - 0.6 * pits)[..., None]
        if self.stamped:
            albedo = printed(albedo, a, rng, 0.6, self.ry * 0.5, 0.4)
        if self.wine:
            stain = np.clip((a.x - 0.75) * 8, 0, 1)[..., None]
            albedo = albedo * (1 - stain) + np.array([70, 40, 110]) * stain
        across = np.clip(np.abs(a.y) / self.ry, 0, 1)
        return sprite(lit(a, np.sqrt(1 - across**2) * self.ry, albedo, self.material, light),
                      coverage(d, a))


class Button(Kind):
    """Buttons of a mixed box: holes, rims, shapes; colours vary within the kind."""

    body = FLAT
    specimens = 14

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.palette = [colours.anything(rng) for _ in range(int(rng.integers(2, 9)))]
        self.height = rng.uniform(0.05, 0.25)
        self.material = random_material(rng, rng.uniform(0.2, 1))

    def draw(self, a, rng, light):
        style = rng.random()
        d = ellipse(a, 0.95, 0.95)
        if style > 0.85:
            d = star(a, 0.97, int(rng.integers(5, 9)), 0.2)
        tone = self.palette[rng.integers(len(self.palette))]
        rim = rng.uniform(0.1, 0.35)
        height = dome(d, 0.12) - 0.1 * np.clip(-(d + rim) * 8, 0, 1)
        if rng.random() < 0.3:
            height = height + 0.03 * np.cos(a.radius * 40)
        albedo = grained(tone, self.texture(a, rng), self.grain)
        if rng.random() < 0.25:
            second = self.palette[rng.integers(len(self.palette))]
            albedo = np.where((d > -rim)[..., None], second, albedo)
        colour = lit(a, height, albedo, self.material, light)
        holes = int(rng.choice([2, 4, 4, 1]))
        reach = 0.0 if holes == 1 else rng.uniform(0.18, 0.3)
        spots = [(reach * math.cos(k * 2 * math.pi / holes), reach * math.sin(
            k * 2 * math.pi / holes), rng.uniform(0.07, 0.13)) for k in range(holes)]
        hole = coverage(blobs(a, spots), a)
        colour = colour * (1 - 0.75 * hole)[..., None]
        return sprite(colour, coverage(d, a), walls=prism(self.height, tone * 0.7))


class Tyre(Kind):
    """Tyres, rings, rolls of tape and wheels from their side."""

    body = FLAT
    specimens = 8

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.rubber = np.full(3, rng.uniform(15, 70)) if rng.random() < 0.7 else (
            colours.anything(rng))
        self.hole = rng.uniform(0.35, 0.7)
        self.tread = int(rng.integers(20, 60))
        self.height = rng.uniform(0.2, 0.9)
        self.wheel = rng.random() < 0.4
        self.spokes = int(rng.integers(4, 11))
        self.metal = colours.metal(rng)

    def draw(self, a, rng, light):
        turn = rng.uniform(0, 6)
        d = wavy(a, 0.95, [(self.tread, 0.012, turn)])
        ring = np.abs(a.radius - (0.95 + self.hole) / 2) - (0.95 - self.hole) / 2
        grooves = 0.015 * np.sin(a.angle * self.tread) * (a.radius > 0.85)
        grooves = grooves + 0.012 * (np.abs(a.radius - rng.uniform(0.72, 0.82)) < 0.015)
        height = dome(ring, (0.95 - self.hole) / 2, 0.8) + grooves
        colour = lit(a, height, grained(self.rubber, self.texture(a, rng), 0.1), self.material,
                     light)
        hole = ellipse(a, self.hole, self.hole)
        alpha = coverage(d, a)
        if self.wheel:
            fan = np.cos((a.angle + turn) * self.spokes) > rng.uniform(-0.3, 0.4)
            rim = np.where((fan | (a.radius < 0.2) | (hole > -0.08))[..., None], self.metal,
                           self.metal * 0.2)
            colour = painted(colour, rim, hole, a)
        else:
            alpha = alpha * (1 - coverage(hole, a))
        return sprite(colour, alpha, walls=prism(self.height, self.rubber * 0.8))


class Cup(Kind):
    """Cups, glasses and bowls from above, full or empty, with a handle or a saucer."""

    body = FLAT
    specimens = 8

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.ware = colours.white(rng) if rng.random() < 0.5 else colours.anything(rng)
        self.drink = colours.anything(rng) * rng.uniform(0.3, 1)
        self.filled = rng.choice([0.0, 0.8, 1.0])
        self.rim = rng.uniform(0.04, 0.12)
        self.handle = rng.random() < 0.5
        self.saucer = rng.random() < 0.25
        self.glass = rng.random() < 0.3
        self.size = 0.6 if self.saucer else 0.78 if self.handle else 0.95
        self.height = rng.uniform(0.3, 1.4) * self.size
        self.foot = rng.uniform(0.55, 1)
        self.foam = rng.random() < 0.3

    def draw(self, a, rng, light):
        d = ellipse(a, self.size, self.size)
        colour = lit(a, dome(d, 0.06), grained(self.ware, self.texture(a, rng), 0.02),
                     self.material, light)
        inner = d + self.rim
        toward = np.clip(0.6 - 0.5 * (a.x * light[0] + a.y * light[1]), 0.25, 1)[..., None]
        colour = painted(colour, self.ware * toward, inner, a)
        if rng.random() < self.filled:
            level = ellipse(a, self.size * 0.8, self.size * 0.8)
            drink = grained(self.drink, self.texture(a, rng), 0.08)
            if self.foam:
                swirl = np.sin(a.angle * 2 + a.radius * 14 + self.texture(a, rng))
                drink = np.where((swirl > 0.5)[..., None], drink * 0.3 + 170, drink)
            colour = painted(colour, drink, level, a)
        alpha = coverage(d, a)
        if self.glass:
            alpha = alpha * np.where(np.abs(d + 0.05) < 0.07, 1, 0.55)
        if self.handle:
            turn = rng.uniform(0, 6.28)
            bow = path(a, np.array([[0.7, 0], [0.95, 0]]) @ np.array(
                [[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]), 0.07)
            colour = painted(colour, self.ware * 0.9, np.maximum(bow, -d), a)
            alpha = np.maximum(alpha, coverage(bow, a))
        if self.saucer:
            plate = ellipse(a, 0.95, 0.95)
            below = lit(a, dome(plate, 0.3, 0.3), grained(self.ware * 0.95, self.texture(a, rng),
                                                          0.02), self.material, light)
            shadow = np.clip(d * 4 + 0.6, 0.6, 1)[..., None]
            colour = below * shadow + (colour - below * shadow) * alpha[..., None]
            return sprite(colour, coverage(plate, a))
        walls = [] if self.handle else [Ring(0, self.foot, self.ware * 0.5),
                                        Ring(self.height, 1, self.ware * 0.85)]
        return sprite(colour, alpha, walls=walls)


class Parasol(Kind):
    """Umbrellas, tents, drums and round tables from above: segments or ribs about a middle."""

    body = FLAT
    thickness = 0.8
    specimens = 8

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.segments = int(rng.choice([4, 6, 8, 8, 12]))
        self.tones = [colours.anything(rng), colours.white(rng) if rng.random() < 0.5 else
                      colours.anything(rng)]
        self.plain = rng.random() < 0.5
        self.one_colour = rng.random() < 0.5

    def draw(self, a, rng, light):
        sector = 2 * math.pi / self.segments
        folded = (a.angle + sector / 2) % sector - sector / 2
        d = a.radius * np.cos(folded) - 0.95 * math.cos(sector / 2) + 0.03 * np.cos(
            folded / sector * 6.28)
        tone = self.tones[0] if self.one_colour else colours.anything(rng)
        albedo = np.broadcast_to(tone, (a.size, a.size, 3))
        if not self.plain:
            odd = (np.floor((a.angle + math.pi) / sector + 0.5).astype(int) % 2 == 0)[..., None]
            albedo = np.where(odd, albedo, self.tones[1])
        albedo = grained(albedo, self.texture(a, rng), 0.04)
        height = 0.55 * (1 - a.radius * np.cos(folded))
        colour = lit(a, height, albedo, self.material, light)
        colour = painted(colour, tone * 0.5, ellipse(a, 0.05, 0.05), a)
        return sprite(colour, coverage(d, a))


class Potted(Kind):
    """Potted plants and rosettes from above: leaves about a middle over a pot's rim."""

    body = FLAT
    thickness = 0.6
    specimens = 8

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.pot = colours.brown(rng) if rng.random() < 0.6 else colours.anything(rng)
        self.hue = rng.uniform(28, 70)
        self.leaves = int(rng.integers(5, 40))
        self.breadth = rng.uniform(0.06, 0.25)
        self.reach = rng.uniform(0.55, 0.97)
        self.rim = rng.uniform(0.55, 0.95)
        self.flower = colours.saturated(rng) if rng.random() < 0.3 else None
        self.extent = (0.93, 0.93)

    def draw(self, a, rng, light):
        d = ellipse(a, self.rim, self.rim)
        colour = lit(a, dome(d, 0.1), grained(self.pot, self.texture(a, rng), 0.06), self.material,
                     light)
        earth = grained(np.array([35, 45, 60.0]), self.texture(a, rng), 0.3)
        colour = np.ascontiguousarray(painted(colour, earth, d + 0.1, a), np.float32)
        alpha = np.ascontiguousarray(coverage(d, a), np.float32)
        for _ in range(self.leaves):
            t, reach = rng.uniform(0, 360), self.reach * rng.uniform(0.4, 1)
            tone = colours.from_hsv(self.hue + rng.normal() * 4, rng.uniform(80, 200),
                                    rng.uniform(70, 220))
            at = a.pixel(reach / 2 * math.cos(math.radians(t)), reach / 2 * math.sin(
                math.radians(t)))
            axes = (max(1, int(reach / 2 * a.pixels_per_unit)), max(1, int(
                self.breadth * a.pixels_per_unit)))
            cv2.ellipse(colour, at, axes, t, 0, 360, colours.scalar(tone), -1, cv2.LINE_AA)
            cv2.ellipse(alpha, at, axes, t, 0, 360, 1.0, -1, cv2.LINE_AA)
        if self.flower is not None:
            for x, y in rng.normal(0, 0.3, (int(rng.integers(1, 7)), 2)):
                cv2.circle(colour, a.pixel(x, y), max(1, int(0.12 * a.pixels_per_unit)),
                           colours.scalar(self.flower), -1, cv2.LINE_AA)
        return sprite(colour, alpha)
