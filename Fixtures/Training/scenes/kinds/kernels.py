"""Coffee, seeds, nuts and dried fruit: small, many, wrinkled, creased, striped."""

import numpy as np

from .. import colours
from ..shading import dome, grained, lit, painted, random_material
from ..shapes import blobs, coverage, ellipse, superellipse
from .base import ROUND, Kind, sprite


class CoffeeBean(Kind):
    """Roasted or green; the flat side with its furrow up, or the round one."""

    body = ROUND
    thickness = 0.7
    specimens = 12

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        value = rng.uniform(35, 120)
        self.roast = np.array([value * 0.45, value * 0.65, value])
        if rng.random() < 0.2:
            self.roast = np.array([110, 150, 150]) * rng.uniform(0.8, 1.2)
        self.ry = rng.uniform(0.6, 0.78)
        self.extent = (0.94, self.ry)
        self.material = random_material(rng, rng.uniform(0, 0.9))

    def draw(self, a, rng, light):
        d = superellipse(a, 0.95, self.ry * rng.uniform(0.92, 1.04), 2.2)
        texture = self.texture(a, rng)
        height = dome(d, self.ry, 0.8) + 0.01 * texture
        albedo = grained(colours.varied(self.roast, rng, 0.15, 0.03), texture, 0.08)
        if rng.random() < 0.6:
            bend = a.y - 0.07 * np.sin(a.x * 3.2 + rng.normal() * 0.4)
            furrow = np.exp(-((bend / 0.06) ** 2)) * (np.abs(a.x) < 0.88)
            albedo = albedo * (1 - 0.6 * furrow)[..., None]
            height = height - 0.12 * furrow
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a))


class Seed(Kind):
    """Sunflower, melon, pumpkin, corn, rice, almonds: pointed at one end, plain or striped."""

    body = ROUND
    thickness = 0.5
    specimens = 12

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.tone = (colours.brown, colours.brown, colours.white, colours.grey)[
            rng.integers(4)](rng)
        if rng.random() < 0.15:
            self.tone = colours.from_hsv(rng.uniform(15, 40), 200, 225)
        self.ry = rng.uniform(0.2, 0.75)
        self.extent = (0.95, self.ry)
        self.point = rng.uniform(0, 0.6)
        self.stripes = rng.uniform(12, 30) if rng.random() < 0.3 else 0
        self.stripe_tone = colours.white(rng) if rng.random() < 0.6 else self.tone * 0.3
        self.rim = rng.uniform(-0.3, 0.3) if rng.random() < 0.4 else 0
        self.flat = rng.uniform(0.3, 1)

    def draw(self, a, rng, light):
        ry = self.ry * rng.uniform(0.85, 1.05)
        t = np.clip((a.x + 0.96) / 1.92, 0, 1)
        profile = ry * np.sqrt(np.maximum(1 - (a.x / 0.96) ** 2, 0)) * (1 - self.point * (t - 0.4))
        bent = a.y - rng.normal() * 0.05 * (a.x**2 - 0.3)
        d = np.maximum(np.abs(bent) - profile, np.abs(a.x) - 0.97) * 0.85
        texture = self.texture(a, rng)
        albedo = grained(colours.varied(self.tone, rng, 0.1, 0.02), texture, self.grain + 0.05)
        if self.stripes:
            wave = np.sin(bent / np.maximum(profile, 0.03) * self.stripes * ry)
            albedo = np.where((wave > 0.35)[..., None], self.stripe_tone, albedo)
        if self.rim:
            albedo = albedo * (1 - self.rim * np.exp(-((d + 0.08) / 0.05) ** 2))[..., None]
        colour = lit(a, dome(d, ry * self.flat, 0.8), albedo, self.material, light)
        return sprite(colour, coverage(d, a))


class DriedFruit(Kind):
    """Dates, jujubes, raisins, prunes, figs: deep wrinkles, some with a stalk."""

    body = ROUND
    thickness = 0.75
    specimens = 12

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.tone = colours.from_hsv(rng.choice([170, 176, 2, 6, 10, 15, 20]),
                                     rng.uniform(90, 220), rng.uniform(50, 190))
        self.ry = rng.uniform(0.5, 0.92)
        self.extent = (0.94, self.ry)
        self.depth = rng.uniform(0.04, 0.16)
        self.lengthwise = rng.uniform(6, 16)
        self.fig = rng.random() < 0.3
        self.material = random_material(rng, rng.uniform(0.1, 0.9))

    def draw(self, a, rng, light):
        if self.fig:
            d = blobs(a, [(0.15, 0, 0.7), (-0.45, 0, 0.3), (-0.82, rng.normal() * 0.08, 0.1)], 0.3)
        else:
            d = superellipse(a, 0.92, self.ry * rng.uniform(0.85, 1.03), rng.uniform(2, 2.7))
        texture, other = self.texture(a, rng), self.noise.patch(rng, a.size)
        d = d + 0.025 * other
        folds = np.abs(np.sin(a.y * self.lengthwise + 1.3 * texture + rng.uniform(0, 6)))
        if self.fig:
            folds = np.abs(np.sin(a.angle * 7 + 0.8 * texture))
        height = dome(d, 0.7, 0.9) + self.depth * folds + 0.3 * self.depth * texture
        albedo = grained(colours.varied(self.tone, rng, 0.14, 0.03), other, 0.1)
        albedo = albedo * (0.6 + 0.4 * folds)[..., None]
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a))


class Nut(Kind):
    """Walnuts, peanuts, hazelnuts, pistachios in their shells, some open."""

    body = ROUND
    thickness = 0.85
    specimens = 12

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        value = rng.uniform(110, 225)
        self.tone = value * np.array([rng.uniform(0.4, 0.65), rng.uniform(0.65, 0.8), 1])
        self.form = ("walnut", "peanut", "hazel", "pistachio")[rng.integers(4)]
        self.extent = {"walnut": (0.92, 0.84), "peanut": (0.96, 0.46), "hazel": (0.9, 0.9),
                       "pistachio": (0.95, 0.62)}[self.form]
        self.kernel = np.array([90, 190, 160]) * rng.uniform(0.7, 1.1)

    def draw(self, a, rng, light):
        texture = self.texture(a, rng)
        albedo = grained(colours.varied(self.tone, rng, 0.1, 0.02), texture, 0.06)
        relief = 0.0
        if self.form == "peanut":
            waist = rng.uniform(0.08, 0.2)
            d = blobs(a, [(-0.5, 0, 0.44), (0.5, rng.normal() * 0.08, 0.42), (0, 0, 0.3)], waist)
            relief = 0.05 * np.sin(a.x * 22 + texture) * np.sin(a.y * 20)
            albedo = albedo * (1 - 0.2 * (relief < -0.02))[..., None]
        elif self.form == "walnut":
            d = superellipse(a, 0.93, 0.84, 2.1)
            relief = 0.1 * np.abs(np.sin(a.y * 7 + 1.6 * texture)) + 0.06 * texture
            relief = relief + 0.15 * np.exp(-((a.y / 0.06) ** 2))
            albedo = albedo * (0.8 + 2 * np.clip(relief, 0, 0.15))[..., None]
        elif self.form == "hazel":
            d = superellipse(a, 0.9, 0.86, 2.2)
            cap = ellipse(a, 0.3, 0.75, -0.8, 0)
            albedo = painted(albedo, self.tone * [0.8, 0.85, 0.9] + 40, cap, a)
            relief = 0.02 * np.sin(a.y * 20)
        else:
            d = superellipse(a, 0.95, 0.62, 2.1)
            if rng.random() < 0.7:
                gap = np.abs(a.y + 0.1 * a.x) - rng.uniform(0.05, 0.22) * np.clip(a.x + 0.4, 0, 1)
                albedo = painted(albedo, self.kernel, np.maximum(gap, d + 0.06), a)
        height = dome(d, 0.6, 0.9) + relief
        return sprite(lit(a, height, albedo, self.material, light), coverage(d, a))


class Tuber(Kind):
    """Potatoes, onions, garlic, ginger, carrots: skins with rings, eyes, ribs."""

    body = ROUND
    thickness = 0.8
    specimens = 10

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.tone = colours.brown(rng) if rng.random() < 0.5 else colours.from_hsv(
            rng.choice([4, 8, 12, 18, 150, 30]), rng.uniform(40, 220), rng.uniform(120, 240))
        self.form = ("potato", "onion", "garlic", "carrot")[rng.integers(4)]
        self.extent = (0.95, {"carrot": 0.28, "potato": 0.7}.get(self.form, 0.85))

    def draw(self, a, rng, light):
        texture = self.texture(a, rng)
        relief, shade = 0.01 * texture, 1.0
        if self.form == "carrot":
            profile = 0.26 * np.clip((0.98 - a.x) / 1.5, 0, 1) ** 0.6
            bent = a.y - rng.normal() * 0.05 * a.x**2
            d = np.maximum(np.abs(bent) - profile, -0.95 - a.x)
            shade = 1 - 0.15 * (np.sin(a.x * 40 + 3 * texture) > 0.8)
            height = dome(d, 0.25, 1)
        elif self.form == "potato":
            waves = sum(0.05 / k * rng.normal() * np.cos(k * a.angle) for k in (2, 3))
            d = superellipse(a, 0.9, 0.66, 2.3) + waves
            shade = 1 - 0.4 * (texture > 1.6)
            height = dome(d, 0.6, 0.9)
        else:
            neck = (-0.82, rng.normal() * 0.05, 0.1)
            d = blobs(a, [(0.12, 0, 0.78), neck], 0.35)
            fan = np.arctan2(a.y, a.x + 0.9)
            lobes = 5 if self.form == "garlic" else 16
            shade = 1 + 0.12 * np.cos(fan * lobes * 2)
            height = dome(d, 0.7, 0.9)
            relief = relief + (0.06 if self.form == "garlic" else 0.01) * np.cos(fan * lobes * 2)
        albedo = grained(colours.varied(self.tone, rng, 0.08, 0.03), texture, 0.07)
        albedo = albedo * np.broadcast_to(shade, d.shape)[..., None]
        colour = lit(a, height + relief, albedo, self.material, light)
        if self.form == "carrot" and rng.random() < 0.5:
            top = ellipse(a, 0.06, 0.15, -0.92, 0)
            colour = painted(colour, [60, 140, 70], top, a)
        return sprite(colour, coverage(d, a))


class HangingFruit(Kind):
    """Apples, pears, citrus, plums, mangoes as they hang: stalk above, ripeness and light vary."""

    body = ROUND
    thickness = 0.9
    free_rotation = False
    specimens = 12

    def __init__(self, rng, noise):
        super().__init__(rng, noise)
        self.form = ("apple", "apple", "pear", "citrus", "plum", "mango")[rng.integers(6)]
        hue = {"apple": (0, 4, 25, 35, 175), "pear": (22, 30, 36, 12), "citrus": (12, 18, 26, 32),
               "plum": (125, 140, 170, 30), "mango": (15, 30, 40, 5)}[self.form]
        self.base = colours.from_hsv(rng.choice(hue), rng.uniform(90, 240), rng.uniform(90, 240))
        self.blush = colours.from_hsv(rng.choice([0, 4, 172, 12]), rng.uniform(120, 240),
                                      rng.uniform(90, 220))
        self.blushing = rng.uniform(0, 1) if rng.random() < 0.6 else 0
        self.rx = {"pear": 0.7, "plum": 0.78, "mango": 0.72}.get(self.form, rng.uniform(0.86, 0.95))
        self.extent = (self.rx, 0.93)
        self.material = random_material(rng, rng.uniform(0.1, 0.8))
        self.dots = rng.uniform(0, 0.3) if rng.random() < 0.5 else 0
        self.calyx = self.form in ("apple", "pear")

    def draw(self, a, rng, light):
        if self.form == "pear":
            d = blobs(a, [(0, 0.26, 0.67), (rng.normal() * 0.05, -0.5, 0.34)], 0.3)
        elif self.form == "apple":
            d = superellipse(a, self.rx, 0.88, 2.3) + 0.06 * np.exp(-(a.x / 0.2) ** 2) * (a.y < 0)
        else:
            d = superellipse(a, self.rx, 0.93, 2.1) + 0.03 * rng.normal() * a.x * a.y
        texture = self.texture(a, rng)
        side = a.x * rng.normal() + a.y * rng.normal()
        ripe = np.clip(0.4 + 0.6 * side + 0.3 * texture, 0, 1) * self.blushing * rng.uniform(0.5, 1)
        albedo = self.base * rng.uniform(0.8, 1.1) * (1 - ripe[..., None])
        albedo = grained(albedo + self.blush * ripe[..., None], texture, 0.05)
        if self.dots:
            specks = np.clip(self.noise.patch(rng, a.size) - 1.4, 0, 1) * self.dots
            albedo = albedo * (1 + specks)[..., None]
        colour = lit(a, dome(d, 0.8, 0.9), albedo, self.material, light)
        shaded = np.clip((a.y + rng.normal() * 0.3) * 0.6, 0, 0.6)  # the tree is dark below
        colour = colour * (1 - shaded * rng.uniform(0, 1))[..., None]
        if self.calyx and rng.random() < 0.4:
            at = (rng.normal() * 0.2, rng.uniform(0.4, 0.75))
            eye = np.exp(-((a.x - at[0]) ** 2 + (a.y - at[1]) ** 2) / 0.012)[..., None]
            colour = colour * (1 - 0.75 * eye)
        if rng.random() < 0.6:
            end = rng.normal() * 0.12
            stalk = np.maximum(np.abs(a.x - end * (-a.y - 0.6)) - 0.035, np.abs(a.y + 0.8) - 0.17)
            colour = painted(colour, [35, 60, 75], stalk, a)
        return sprite(colour, coverage(d, a))
