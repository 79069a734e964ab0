#!/usr/bin/env python
"""Renders pictures of shelves and stacks of books whose spines are known.

    python Fixtures/generate/shelves.py FOLDER --first 0 --count 60

Picture N is drawn from seed N alone. Books are boxes seen through a camera with perspective and a lens that
bends; spines have print, bands, frames, rounded backs with highlights and wear. FOLDER/truth.json is written in
the form of Fixtures/Truth/spine_quads.json. The pictures are not kept in this repository; without a FOLDER
nothing is done.
"""

import argparse
import json
import pathlib

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

FONTS = [
    f"DejaVu{name}.ttf"
    for name in (
        "Sans", "Sans-Bold", "SansCondensed", "SansCondensed-Bold", "Serif", "Serif-Bold",
        "SerifCondensed", "SerifCondensed-Italic", "Sans-ExtraLight", "SansMono-Bold",
    )
]
WORDS = (
    "the of and a shelf night Small ISLAND Letters HISTORY garden winter Collected Poems River"
    " Atlas Penguin SILENT Music Black road Anna Murray Thomas HARDY Chris Kurt Philip Iris"
    " Woods Essays LIGHT Stories Vol. II 1984 house Sea the Last Summer ORLANDO Blue"
).split()


class Camera:
    """A pinhole in front of the books, y upward, z away from it; then a lens."""

    def __init__(self, rng, size, center, distance, focal):
        self.size, self.focal = size, focal
        yaw, pitch, roll = np.radians(rng.normal(0, (7, 4, 1.6)))
        pitch -= np.radians(rng.uniform(0, 6))
        cy, sy, cx, sx = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch)
        cr, sr = np.cos(roll), np.sin(roll)
        turn_y = np.array([[cy, 0, -sy], [0, 1, 0], [sy, 0, cy]])
        turn_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
        turn_z = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]])
        self.turn = turn_z @ turn_x @ turn_y
        self.eye = np.array([*center, 0.0]) - self.turn.T @ np.array([0, 0, distance])
        width, height = size
        self.radial = rng.uniform(-0.016, 0.01)
        self.waves = [
            (rng.uniform(0, 0.0009) * max(size), rng.uniform(0.6, 2.2, 2), rng.uniform(0, 6.3))
            for _ in range(4)
        ]
        self.middle = np.array([width / 2, height / 2])

    def straight(self, points):
        """Before the lens."""
        seen = (np.asarray(points, float) - self.eye) @ self.turn.T
        depth = np.maximum(seen[:, 2:], 1)
        return seen[:, :2] * (1, -1) * self.focal / depth + self.middle

    def source(self, points):
        """Where the lens takes what it shows at these places."""
        relative = (points - self.middle) / (max(self.size) / 2)
        squared = (relative**2).sum(-1, keepdims=True)
        moved = points + (points - self.middle) * self.radial * squared
        for index, (size, (u, v), phase) in enumerate(self.waves):
            wave = size * np.sin(u * relative[..., 0] * 3 + v * relative[..., 1] * 3 + phase)
            moved[..., index % 2] += wave
        return moved

    def bent(self, points):
        """The inverse of ``source``."""
        result = np.array(points, float)
        for _ in range(20):
            result = result - (self.source(result) - points)
        return result


def noise(rng, height, width, cell):
    """Smooth noise, mean 0, about 1 in size."""
    grid = rng.normal(0, 1, (int(height / cell) + 3, int(width / cell) + 3)).astype(np.float32)
    return cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)


def colour(rng, dull=False):
    kind = rng.random()
    if kind < 0.2:
        return np.array([1.0, 1, 1]) * rng.uniform(12, 60) + rng.uniform(0, 12, 3)
    if kind < 0.42:
        return np.array([205.0, 225, 235]) + rng.uniform(-25, 18, 3)
    # Reds, yellows and blues more often than greens and purples.
    hue = rng.choice([rng.normal(3, 6), rng.normal(20, 8), rng.normal(108, 12), rng.uniform(0, 180)]) % 180
    saturation = rng.uniform(40, 120 if dull else 230)
    pixel = np.uint8([[[hue, saturation, rng.uniform(70, 235)]]])
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(float)


def lettering(rng, ink, width, height, words, stacked=False):
    """A mask of text, width the long side."""
    mask = Image.new("L", (max(4, width), max(4, height)))
    text = " ".join(rng.choice(WORDS, words))
    if rng.random() < 0.4:
        text = text.upper()
    lines = [text]
    if stacked and words > 3:
        half = text.find(" ", len(text) // 3)
        lines = [text[:half], text[half + 1 :]]
    font = ImageFont.truetype(str(rng.choice(FONTS)), max(5, int(height / len(lines) * 0.85)))
    draw = ImageDraw.Draw(Image.new("L", (1, 1)))
    for index, line in enumerate(lines):
        box = draw.textbbox((0, 0), line, font=font)
        piece = Image.new("L", (max(1, box[2] - box[0]), max(1, box[3] - box[1])))
        ImageDraw.Draw(piece).text((-box[0], -box[1]), line, fill=255, font=font)
        room = height / len(lines)
        scale = min(room * 0.9 / piece.height, 1.4)
        size = (min(width, int(piece.width * scale)), max(1, int(piece.height * scale)))
        mask.paste(piece.resize((max(1, size[0]), size[1])), (0, int(index * room)))
    return np.asarray(mask, np.float32)[..., None] / 255


def style(rng):
    """What the books of a set have in common."""
    return {
        "base": colour(rng), "ink": colour(rng), "second": colour(rng), "seed": rng.integers(1 << 30),
        "round": rng.choice([0, 0, rng.uniform(0.1, 0.7)]), "gloss": rng.random() < 0.3,
        "frame": rng.random() < 0.12, "bands": rng.integers(0, 4) * (rng.random() < 0.6),
        "picture": rng.random() < 0.25, "length": rng.random() < 0.18, "wear": rng.random() < 0.4,
    }


def spine(rng, look, thickness, length):
    """The texture of a spine as it stands, text from top to bottom."""
    kin = np.random.default_rng(look["seed"])
    width, height = max(4, int(thickness)), max(16, int(length))
    page = np.empty((height, width, 3), np.float32)
    page[:] = look["base"]
    ink = look["ink"]
    if abs(ink.mean() - look["base"].mean()) < 70:
        ink = np.full(3, 235.0 if look["base"].mean() < 120 else 25.0)
    if look["picture"]:
        top = int(height * kin.uniform(0, 0.6))
        end = min(height, top + int(height * kin.uniform(0.15, 0.4)))
        patch = noise(rng, end - top, width, max(3, width / 3))[..., None]
        page[top:end] = np.clip(look["second"] + 60 * patch * colour(rng) / 160, 0, 255)
    for _ in range(look["bands"]):
        row, size = int(height * kin.random()), max(1, int(height * kin.choice([0.004, 0.02, 0.1])))
        page[row : row + size] = look["second"] if kin.random() < 0.5 else ink
    if look["length"]:
        # A stripe or rule that runs the whole length.
        at, size = kin.uniform(0.12, 0.8), max(1, width * kin.choice([0.03, 0.15]))
        page[:, int(width * at) : int(width * at + size)] = look["second"]
    if look["frame"]:
        x, y, line = max(1, int(width * 0.12)), max(1, int(height * 0.03)), max(1, width // 40)
        cv2.rectangle(page, (x, y), (width - 1 - x, height - 1 - y), tuple(ink), line)
    place = int(height * rng.uniform(0.03, 0.12))
    while place < height * 0.9 and rng.random() < 0.97:
        run = int(min(height * rng.uniform(0.15, 0.5), height * 0.96 - place))
        size = int(width * rng.uniform(0.3, 0.78))
        if run < 8:
            break
        if rng.random() < 0.15 and width > 20:
            run = min(run, width)
            block = lettering(rng, ink, int(width * 0.8), max(6, int(width * 0.2)), 1)
            rows, columns = min(block.shape[0], height - place), min(block.shape[1], width)
            part = page[place : place + rows, int(width * 0.1) :][:, :columns]
            alpha = block[:rows, : part.shape[1]]
            part[:] = part * (1 - alpha) + alpha * ink
        else:
            alpha = lettering(rng, ink, run, size, int(rng.integers(1, 7)), rng.random() < 0.4)
            alpha = cv2.rotate(alpha, cv2.ROTATE_90_CLOCKWISE)
            alpha = alpha.reshape(alpha.shape[0], alpha.shape[1], 1)
            x = int((width - alpha.shape[1]) / 2)
            x = max(0, x + int(rng.uniform(-0.1, 0.1) * width))
            part = page[place : place + alpha.shape[0], x : x + alpha.shape[1]]
            alpha = alpha[: part.shape[0], : part.shape[1]]
            tone = look["second"] if rng.random() < 0.15 else ink
            part[:] = part * (1 - alpha) + alpha * tone
        place += run + int(height * rng.uniform(0.02, 0.15))
    across = np.linspace(-1, 1, width, dtype=np.float32)[None, :, None]
    # A round back is darker toward its turns, on the side away from the light most.
    page *= 1 - look["round"] * across**2 * np.where(across > 0, 1, 0.6)
    if look["gloss"]:
        at, size = kin.uniform(-0.6, 0.6), kin.uniform(0.05, 0.3)
        ridge = np.exp(-(((across - at) / size) ** 2)) * rng.uniform(20, 110)
        page += ridge * (0.8 + 0.2 * noise(rng, height, 1, height / 6)[..., None])
    if look["wear"]:
        for _ in range(int(rng.integers(0, 5))):
            column = int(width * rng.uniform(0.1, 0.9))
            start, end = sorted(rng.integers(0, height, 2))
            page[start:end, column] += rng.choice([-30, 40])
        page[:, :1] += 25 * (noise(rng, height, 1, 6) > 0.3)[..., None]
        page[:, -1:] += 25 * (noise(rng, height, 1, 6) > 0.3)[..., None]
    page += noise(rng, height, width, max(3, height / 8))[..., None] * 4
    return np.clip(page, 0, 255)


class Canvas:
    def __init__(self, rng, camera):
        self.rng, self.camera = rng, camera
        width, height = camera.size
        self.pixels = np.zeros((height, width, 3), np.float32)
        self.owner = np.full((height, width), -1, np.int16)

    def face(self, corners, texture, owner=-1, bend=0.0):
        """Draws a texture on four points of space: top left, top right, bottom right, bottom left."""
        quad = self.camera.straight(corners)
        sides = np.roll(quad, -1, 0) - quad
        if (np.cross(np.c_[sides, np.zeros(4)], np.c_[np.roll(sides, -1, 0), np.zeros(4)])[:, 2]).sum() <= 0:
            return
        wide = max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[3]))
        high = max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1]))
        wide, high = int(np.clip(wide, 2, 3000)), int(np.clip(high, 2, 3000))
        page = texture(wide, high) if callable(texture) else np.tile(
            np.float32(texture), (high, wide, 1))
        mask = np.ones(page.shape[:2], np.float32)
        if bend and wide > 4:
            rows = np.linspace(0, 1, page.shape[0])[:, None]
            if page.shape[1] > page.shape[0]:
                columns = np.linspace(0, 1, page.shape[1])[None, :]
                y = np.arange(page.shape[0])[:, None] + bend * 4 * columns * (1 - columns)
                x = np.arange(page.shape[1])[None, :] + 0 * y
            else:
                x = np.arange(page.shape[1])[None, :] + bend * 4 * rows * (1 - rows)
                y = np.arange(page.shape[0])[:, None] + 0 * x
            x, y = np.float32(x), np.float32(y)
            page = cv2.remap(page, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            mask = cv2.remap(mask, x, y, cv2.INTER_LINEAR)
        shape = (page.shape[1], page.shape[0])
        origin = np.float32([[0, 0], [shape[0], 0], shape, [0, shape[1]]])
        low = np.clip(np.floor(quad.min(0)) - 2, 0, self.camera.size).astype(int)
        high = np.clip(np.ceil(quad.max(0)) + 2, 0, self.camera.size).astype(int)
        if (high <= low).any():
            return
        map_ = cv2.getPerspectiveTransform(origin, np.float32(quad - low))
        size = tuple(int(v) for v in high - low)
        page = cv2.warpPerspective(page, map_, size, borderMode=cv2.BORDER_REPLICATE)
        mask = cv2.warpPerspective(mask, map_, size)
        region = (slice(low[1], high[1]), slice(low[0], high[0]))
        alpha = mask[..., None]
        self.pixels[region] = self.pixels[region] * (1 - alpha) + page * alpha
        self.owner[region][mask > 0.5] = owner


def surface(rng, tone, grain):
    """Wood or plaster."""
    def paint(width, height):
        page = np.empty((height, width, 3), np.float32)
        page[:] = tone
        page += noise(rng, height, width, max(width, height) / 3)[..., None] * 9
        if grain:
            lines = noise(rng, height, 1 if grain == 2 else width, 2.5) if grain == 2 else None
            streaks = (
                np.tile(lines, (1, width)) if grain == 2
                else cv2.blur(noise(rng, height, width, 2), (min(width, 181), 1)))
            page += streaks[..., None] * (5 if grain == 2 else 25)
        return np.clip(page, 0, 255)
    return paint


def box(x, y, z, width, height, depth, lean=0.0, yaw=0.0):
    """Eight corners: front from the top left clockwise, then the back; leaning about the lower left."""
    points = np.array(
        [[0, height, 0], [width, height, 0], [width, 0, 0], [0, 0, 0],
         [0, height, depth], [width, height, depth], [width, 0, depth], [0, 0, depth]], float)
    c, s = np.cos(lean), np.sin(lean)
    points[:, :2] = points[:, :2] @ np.array([[c, s], [-s, c]])
    c, s = np.cos(yaw), np.sin(yaw)
    middle = np.array([width / 2, 0, depth / 2])
    points = (points - middle) @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) + middle
    return points + (x, y, z)


def volume(canvas, corners, front, cover, pages, owner, bend):
    """A book's top, lower and visible side faces, then its front."""
    a, b, c, d, e, f, g, h = corners
    dark = np.float32(0.85)
    canvas.face([e, f, b, a], pages, -1)
    canvas.face([d, c, g, h], pages if callable(pages) else pages * 0.4, -1)
    canvas.face([e, a, d, h], cover * dark, -1)
    canvas.face([b, f, g, c], cover * dark, -1)
    canvas.face([a, b, c, d], front, owner, bend)


def books(rng, lying):
    """Sizes, looks, gaps."""
    count = int(rng.integers(3, 10) if lying or rng.random() < 0.5 else rng.integers(6, 22))
    usual, spread = rng.uniform(14, 38), rng.uniform(0.1, 0.55)
    tall, tall_spread = rng.uniform(180, 240), rng.choice([2, 12, 28])
    result, look = [], style(rng)
    same = rng.choice([0.05, 0.05, 0.3, 0.6])
    for index in range(count):
        if rng.random() >= same:
            look = style(rng)
        thick = max(4.5, usual * np.exp(rng.normal(0, spread)))
        if rng.random() < 0.08:
            thick = max(4.5, usual * rng.uniform(0.3, 0.5))
        gap = rng.choice([0, rng.uniform(0, 1.2), rng.uniform(1, 4), rng.uniform(5, 25)],
                         p=[0.35, 0.4, 0.2, 0.05])
        if lying:
            gap = rng.uniform(0, 0.8)
        result.append({"look": look, "thick": thick, "gap": gap,
                       "tall": max(120, tall + rng.normal(0, tall_spread)),
                       "depth": rng.uniform(110, 160), "back": rng.choice([0, abs(rng.normal(0, 6))])})
    return result


def attempt(seed, trial):
    rng = np.random.default_rng([seed, trial])
    lying = seed % 4 == 3
    row = books(rng, lying)
    long = int(rng.choice([720, 960, 1280, 1600]))
    ratio = rng.choice([3 / 4, 4 / 3, 9 / 16, 1])
    size = (long, int(long * ratio)) if ratio <= 1 else (int(long / ratio), long)
    if lying:
        wide, high = max(b["tall"] for b in row), sum(b["thick"] + b["gap"] for b in row)
    else:
        wide, high = sum(b["thick"] + b["gap"] for b in row), max(b["tall"] for b in row)
    cut = rng.random() < 0.3
    fill = rng.uniform(1.0, 1.3) if cut else rng.uniform(0.72, 0.93)
    distance = rng.uniform(450, 900)
    focal = distance * fill * min(size[0] / wide, size[1] / high * (1.0 if not cut else 1.3))
    shift = rng.uniform(-0.04, 0.04, 2) * (wide, high)
    camera = Camera(rng, size, (wide / 2 + shift[0], high / 2 + shift[1]), distance, focal)
    canvas = Canvas(rng, camera)

    place = rng.choice(["shelf", "shelf", "table", "clutter"])
    tone, floor_tone = colour(rng, True), colour(rng, True)
    if place == "shelf":
        tone = floor_tone = rng.choice([[90, 130, 170], [225, 228, 230], [40, 60, 90], [150, 185, 205]])
        tone = np.array(tone, float)
        floor_tone = tone
    back = 175.0
    far = 4000.0
    back_tone = tone * (rng.uniform(0.2, 0.8) if place == "shelf" else 1)
    canvas.face([[-far, far, back], [far, far, back], [far, -far, back], [-far, -far, back]],
                surface(rng, back_tone, 0))
    if place == "clutter":
        for _ in range(int(rng.integers(4, 14))):
            x, y = rng.uniform(-wide, 2 * wide), rng.uniform(0, high * 1.5)
            w, h = rng.uniform(20, 200, 2)
            corners = box(x, y, back - 1, w, h, 1, rng.choice([0, 0, rng.uniform(-1, 1)]))
            canvas.face(corners[:4], surface(rng, colour(rng), int(rng.integers(0, 3))))
    canvas.face([[-far, 0, back], [far, 0, back], [far, 0, -350], [-far, 0, -350]],
                surface(rng, floor_tone, 1 if place != "clutter" else 0))
    if place == "shelf":
        edge = -rng.uniform(0, 60)
        canvas.face([[-far, 0, edge], [far, 0, edge], [far, -22, edge], [-far, -22, edge]],
                    surface(rng, floor_tone * 0.9, 1))
        canvas.face([[-far, -22, edge], [far, -22, edge], [far, -far, edge], [-far, -far, edge]],
                    floor_tone * 0.25)
        top = high + rng.uniform(15, 120)
        if not lying:
            for side in (-1, 1):
                if rng.random() < 0.5:
                    x = -rng.uniform(2, 60) if side < 0 else wide + rng.uniform(2, 60)
                    corners = box(x - (20 if side < 0 else 0), 0, edge, 20, top, back)
                    volume(canvas, corners, surface(rng, floor_tone, 0), floor_tone * 0.8,
                           floor_tone, -1, 0)
        canvas.face([[-far, top, edge], [far, top, edge], [far, top, back], [-far, top, back]][::-1],
                    floor_tone * 0.4)
        canvas.face([[-far, top + 20, edge], [far, top + 20, edge], [far, top, edge], [-far, top, edge]],
                    surface(rng, floor_tone, 1))

    # The shade behind and between books.
    things, at = [], 0.0
    leaning = not lying and rng.random() < 0.3
    first_leaning = len(row) - int(rng.integers(1, 4)) if leaning else len(row)
    lean = 0.0
    deep = rng.uniform(0.1, 0.5)
    for index, book in enumerate(row):
        thick, tall = book["thick"], book["tall"]
        if lying:
            corners = box((wide - tall) * rng.choice([0, 0.5, rng.random()]), high - at - thick,
                          abs(rng.normal(0, 5)), tall, thick, book["depth"], 0,
                          np.radians(rng.normal(0, 1.5)))
            at += thick + book["gap"]
        else:
            if index == first_leaning:
                lean = np.radians(rng.uniform(3, 12))
                at += min(row[index - 1]["tall"], tall) * np.sin(lean)
            jitter = 0 if lean else np.radians(rng.normal(0, 0.25))
            corners = box(at, thick * 0, book["back"], thick, tall, book["depth"], lean + jitter)
            step = (thick + book["gap"]) / (np.cos(lean) if lean else 1)
            if not lean and book["gap"] < 5:
                corners_gap = box(at, 0, 30, step, min(tall, 150), 1)
                canvas.face(corners_gap[:4], back_tone * deep * 0.3)
            at += step
        things.append((corners, book))
    order = range(len(things))
    if lying:
        order = reversed(order)
    else:
        order = sorted(order, key=lambda i: -abs(things[i][0][:, 0].mean() - camera.eye[0]))
    for index in order:
        corners, book = things[index]
        look = book["look"]
        def front(width, height, look=look):
            if lying:
                return cv2.rotate(spine(rng, look, height, width), cv2.ROTATE_90_COUNTERCLOCKWISE)
            return spine(rng, look, width, height)
        pages = surface(rng, np.array([190.0, 215, 225]) * rng.uniform(0.5, 1), 0)
        bend = rng.normal(0, 0.05) * camera.focal / distance * book["thick"] / 3
        volume(canvas, corners, front, np.float32(look["base"]), pages, index, bend)

    # Truth, by what is seen of each spine.
    width, height = size
    spines = []
    for index, (corners, book) in enumerate(things):
        quad = camera.straight(corners[:4])
        full = np.zeros((height * 2, width * 2), np.uint8)
        cv2.fillPoly(full, [np.round(quad + (width / 2, height / 2)).astype(np.int32)], 1)
        whole, seen = int(full.sum()), int((canvas.owner == index).sum())
        if whole == 0 or seen < 0.05 * whole:
            continue
        quad = camera.bent(quad)
        thickness = np.linalg.norm(quad[1] - quad[0] if not lying else quad[3] - quad[0])
        if seen < 0.4 * whole or thickness * 960 / max(size) < 8:
            return None
        spines.append(clipped(quad, width, height, lying))
    if len(spines) < 2:
        return None
    pixels = finish(rng, canvas, camera, things)
    return pixels, spines, int(rng.integers(55, 96))


def clipped(quad, width, height, lying):
    """The outline within the picture, corners kept on their sides."""
    quad = quad.copy()
    for axis, limit in ((0, width), (1, height)):
        for corner in range(4):
            # Slides along the side that runs toward the border.
            along = corner ^ 1 if axis == 0 else 3 - corner
            for bound in (0, limit):
                beyond = quad[corner, axis] < 0 if bound == 0 else quad[corner, axis] > limit
                step = quad[along, axis] - quad[corner, axis]
                if beyond and abs(step) > 1e-6:
                    share = np.clip((bound - quad[corner, axis]) / step, 0, 1)
                    quad[corner] = quad[corner] + share * (quad[along] - quad[corner])
    return np.clip(quad, 0, (width, height)).round(1).tolist()


def finish(rng, canvas, camera, things):
    """Light, lens, blur, noise."""
    width, height = camera.size
    pixels = canvas.pixels
    shade = cv2.GaussianBlur((canvas.owner >= 0).astype(np.float32), (0, 0), max(width, height) / 60)
    # Soft shadow beside the books, light from one side above.
    beside = (canvas.owner < 0) * shade * rng.uniform(0.2, 0.8)
    beside = cv2.GaussianBlur(np.float32(beside), (0, 0), 1.5)
    pixels = pixels * (1 - beside[..., None] * (canvas.owner < 0)[..., None])
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    angle = rng.uniform(0, 6.3)
    light = 1 + rng.uniform(0, 0.35) * (np.cos(angle) * x + np.sin(angle) * y)
    light -= rng.uniform(0, 0.2) * (x**2 + y**2)
    pixels = pixels * light[..., None] * rng.uniform(0.65, 1.15) * rng.uniform(0.88, 1.08, 3)
    grid = np.stack([x * 0, y * 0], -1)
    grid[..., 0], grid[..., 1] = np.meshgrid(np.arange(width), np.arange(height))
    source = camera.source(grid).astype(np.float32)
    pixels = cv2.remap(np.float32(pixels), source[..., 0], source[..., 1], cv2.INTER_LINEAR,
                       borderMode=cv2.BORDER_REFLECT)
    pixels = cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.4, 1.3) * max(width, height) / 1000)
    if rng.random() < 0.3:
        # A sharpening phone.
        pixels += 0.6 * (pixels - cv2.GaussianBlur(pixels, (0, 0), 2))
    grain = rng.uniform(1, 7)
    pixels = pixels + rng.normal(0, grain, pixels.shape) * 0.7 + rng.normal(0, grain, pixels.shape[:2])[..., None] * 0.7
    return np.clip(pixels, 0, 255).astype(np.uint8)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=60)
    arguments = parser.parse_args()
    if arguments.folder is None:
        print("shelves.py: no FOLDER given, nothing is drawn")
        return
    folder = pathlib.Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    truth = {}
    for seed in range(arguments.first, arguments.first + arguments.count):
        drawn = next(d for d in (attempt(seed, trial) for trial in range(200)) if d is not None)
        pixels, spines, quality = drawn
        name = f"shelf_{seed:04d}.jpg"
        cv2.imwrite(str(folder / name), pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
        truth[name] = {"width": pixels.shape[1], "height": pixels.shape[0], "spines": spines}
    (folder / "truth.json").write_text(json.dumps(truth) + "\n")


main()
