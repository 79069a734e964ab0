"""What faces show: spines, pages, covers, wood, photographs."""

import pathlib

import cv2
import numpy as np


def noise(rng, height, width, cell):
    """Smooth noise, mean 0, about 1 in size."""
    grid = rng.normal(0, 1, (int(height / cell) + 2, int(width / cell) + 2)).astype(np.float32)
    return cv2.resize(grid, (width, height), interpolation=cv2.INTER_LINEAR)


def colour(rng, dull=False):
    """A cover's colour, BGR."""
    kind = rng.random()
    if kind < 0.22:
        return np.array([1.0, 1, 1]) * rng.uniform(10, 60) + rng.uniform(0, 14, 3)
    if kind < 0.45:
        return np.array([205.0, 222, 230]) + rng.uniform(-35, 24, 3)
    hue = rng.choice([rng.normal(3, 6), rng.normal(20, 8), rng.normal(108, 12), rng.uniform(0, 180)]) % 180
    pixel = np.uint8([[[hue, rng.uniform(30, 110 if dull else 240), rng.uniform(40, 240)]]])
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(float)


class Photographs:
    """Pictures that covers, walls and things are cut from."""

    def __init__(self, folders, side=320):
        self.paths = [
            p for f in folders for p in sorted(pathlib.Path(f).rglob("*"))
            if p.suffix.lower() in (".jpg", ".jpeg", ".png") and p.stat().st_size > 4000
        ]
        self.side, self.kept = side, {}

    def whole(self, rng):
        path = self.paths[int(rng.integers(len(self.paths)))]
        if path not in self.kept:
            image = cv2.imread(str(path), cv2.IMREAD_COLOR)
            if image is None or min(image.shape[:2]) < 40:
                image = np.full((64, 64, 3), 128, np.uint8)
            scale = self.side / min(image.shape[:2])
            if scale < 1:
                image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            self.kept[path] = image
        return self.kept[path]

    def cut(self, rng, width, height):
        """A piece of one, of this size."""
        image = self.whole(rng)
        rows, columns = image.shape[:2]
        share = rng.uniform(0.4, 1)
        if width / height > columns / rows:
            w, h = columns * share, columns * share * height / width
        else:
            w, h = rows * share * width / height, rows * share
        w, h = max(2, int(w)), max(2, int(h))
        x, y = int(rng.integers(0, max(1, columns - w))), int(rng.integers(0, max(1, rows - h)))
        piece = cv2.resize(image[y : y + h, x : x + w], (width, height), interpolation=cv2.INTER_AREA)
        return piece.astype(np.float32)


def style(rng):
    """What the books of a set have in common."""
    return {
        "base": colour(rng), "ink": colour(rng), "second": colour(rng), "seed": int(rng.integers(1 << 30)),
        "round": float(rng.choice([0, 0, 0.15, rng.uniform(0.1, 0.8)])), "gloss": rng.random() < 0.3,
        "frame": rng.random() < 0.08, "bands": int(rng.integers(1, 5) * (rng.random() < 0.35)),
        "picture": float(rng.choice([0, 0, 0, rng.uniform(0.15, 0.5), 1], p=[0.3, 0.2, 0.15, 0.2, 0.15])),
        "length": rng.random() < 0.1, "wear": rng.random() < 0.35, "cloth": rng.random() < 0.15,
        "halves": rng.random() < 0.25, "ribs": rng.random() < 0.05,
        "across": rng.random() < 0.25, "bare": rng.random() < 0.08, "label": rng.random() < 0.06,
    }


def put(page, mask, x, y, ink):
    """Blends ink through a mask into a page."""
    rows, columns = page.shape[:2]
    mask = mask[max(0, -y) : rows - y, max(0, -x) : columns - x]
    if mask.size == 0:
        return
    part = page[max(0, y) : max(0, y) + mask.shape[0], max(0, x) : max(0, x) + mask.shape[1]]
    alpha = mask[: part.shape[0], : part.shape[1], None] * np.float32(1 / 255)
    part += alpha * (np.float32(ink) - part)


def spine(rng, look, width, height, lettering, photographs):
    """The back of a book as it stands, text from the top to the bottom (or up, at times)."""
    kin = np.random.default_rng(look["seed"])
    page = np.empty((height, width, 3), np.float32)
    page[:] = look["base"]
    if look["picture"] == 1 and height > 24:
        page = photographs.cut(rng, width, height) * np.float32(rng.uniform(0.5, 1.05))
    elif look["picture"] and height > 24:
        top, rows = int(height * kin.uniform(0, 0.75)), max(4, int(height * look["picture"]))
        rows = min(rows, height - top)
        if rows > 3:
            page[top : top + rows] = photographs.cut(rng, width, rows)
    if "strip" in look:
        rows = max(4, int(height * look["band"]))
        top = height - rows if look["low"] else 0
        page[top : top + rows] = cv2.resize(look["strip"], (width, rows), interpolation=cv2.INTER_AREA)
    if look["halves"]:
        page[int(height * kin.uniform(0.15, 0.85)) :] = look["second"]
        if kin.random() < 0.4:
            page[: int(height * kin.uniform(0.1, 0.4))] = kin.uniform(10, 245, 3)
    ground = float(page.mean())
    ink = look["ink"]
    if abs(ink.mean() - ground) < 65 and rng.random() < 0.92 and not look.get("faint"):
        ink = np.full(3, 235.0 if ground < 125 else 25.0)
    for _ in range(look["bands"]):
        row, size = int(height * kin.random()), max(1, int(height * kin.choice([0.004, 0.02, 0.1])))
        page[row : row + size] = look["second"] if kin.random() < 0.5 else ink
    if look["ribs"]:
        for share in np.linspace(0.12, 0.88, 6):
            row = int(height * share)
            page[row : row + max(1, height // 90)] *= 0.55
            page[row - max(1, height // 90) : row] *= 1.35
    if look["length"]:
        at, size = kin.uniform(0.12, 0.8), max(1, width * kin.choice([0.03, 0.15, 0.3]))
        page[:, int(width * at) : int(width * at + size)] = look["second"]
    if look["frame"] and width > 8:
        x, y, line = max(1, int(width * 0.12)), max(1, int(height * 0.03)), max(1, width // 40)
        cv2.rectangle(page, (x, y), (width - 1 - x, height - 1 - y), tuple(map(float, ink)), line)
    if not look["bare"]:
        write(rng, kin, look, page, ink, lettering)
    if look["label"]:
        row, rows = int(height * kin.uniform(0.7, 0.85)), max(3, int(min(width, height * 0.1)))
        page[row : row + rows] = 235
        put(page, lettering.line(rng, max(2, int(width * 0.8)), max(2, rows // 3)), int(width * 0.1), row + rows // 3, (30, 30, 30))
    across = np.linspace(-1, 1, width, dtype=np.float32)[None, :, None]
    if look["round"]:
        page *= 1 - np.float32(look["round"]) * across**2 * np.where(across > 0, 1, 0.6).astype(np.float32)
    if look["gloss"]:
        at, size = kin.uniform(-0.8, 0.8), kin.uniform(0.05, 0.35)
        ridge = np.exp(-(((across - at) / np.float32(size)) ** 2)) * np.float32(rng.uniform(20, 120))
        page += ridge * (0.8 + 0.3 * noise(rng, height, 1, max(2, height / 6))[..., None])
    if look["wear"]:
        for _ in range(int(rng.integers(0, 5))):
            column = int(width * rng.uniform(0.1, 0.9))
            start, end = sorted(rng.integers(0, height, 2))
            page[start:end, column] += rng.choice([-40, 45])
        edge = 35 * (noise(rng, height, 1, 5) > 0.3)[..., None]
        page[:, :1] += edge
        page[:, -1:] += edge
        rows = max(1, height // 80)
        page[:rows] += 20
        page[-rows:] -= 20
    if look["cloth"]:
        page += rng.normal(0, 9, (height, width, 1)).astype(np.float32)
    page += noise(rng, height, width, max(3, height / 6))[..., None] * np.float32(rng.uniform(1, 7))
    return page


def sticker(rng, page, place, scale, lettering):
    """A library's label: (millimetres above the foot, its height, its width in spines, whether it has a frame)."""
    height, width = page.shape[:2]
    foot, tall, wide, framed = place
    top, end = int(height - (foot + tall) * scale), int(height - foot * scale)
    wide = int(min(width, max(2, width * wide * rng.uniform(0.7, 1))))
    left = (width - wide) // 2
    if end - top < 3 or top < 0:
        return
    page[top:end, left : left + wide] = rng.uniform(215, 255)
    if framed and wide > 10:
        cv2.rectangle(page, (left + 1, top + 1), (left + wide - 2, end - 2), tuple(map(float, rng.uniform(20, 200, 3))), 1)
    line = max(2, (end - top) // 4)
    for row in range(top + line // 2, end - line, int(line * 1.2)):
        mask = lettering.line(rng, max(2, int(wide * 0.8)), line)
        put(page, mask, (width - mask.shape[1]) // 2, row, (30, 30, 30))


def write(rng, kin, look, page, ink, lettering):
    height, width = page.shape[:2]
    place = int(height * rng.uniform(0.02, 0.12))
    upward = kin.random() < 0.2
    while place < height * 0.92 and rng.random() < 0.96:
        run = int(min(height * rng.uniform(0.1, 0.55), height * 0.97 - place))
        if run < 5:
            break
        tone = look["second"] if rng.random() < 0.15 else ink
        if (look["across"] or rng.random() < 0.12) and width > 12:
            # Level lines, one below the other, as on thick books.
            high = max(3, int(min(width * rng.uniform(0.14, 0.4), run)))
            for _ in range(int(rng.choice([1, 2, 3, 5, 8]))):
                if place + high > height * 0.97:
                    break
                mask = lettering.line(rng, max(3, int(width * 0.86)), high)
                put(page, mask, (width - mask.shape[1]) // 2, place, tone)
                place += int(high * 1.15)
        else:
            size = max(2, int(width * rng.uniform(0.28, 0.82)))
            lines = 2 if rng.random() < 0.2 and size > 12 else 1
            for index in range(lines):
                mask = lettering.line(rng, run, size // lines, 0.3)
                mask = cv2.rotate(mask, cv2.ROTATE_90_COUNTERCLOCKWISE if upward else cv2.ROTATE_90_CLOCKWISE)
                x = (width - mask.shape[1] * lines) // 2 + index * mask.shape[1]
                put(page, mask, x + int(rng.uniform(-0.08, 0.08) * width), place, tone)
            place += run
        place += int(height * rng.uniform(0.01, 0.14))


def pages(rng, width, height, along, covers=None, paper=None):
    """The cut edges of pages, lines along x or y; with covers at both sides if their colour is given."""
    kind = rng.random()
    if paper is not None:
        tone = paper * np.float32(rng.uniform(0.86, 1.05))
    elif kind < 0.65:
        tone = np.float32(np.array([178.0, 205, 218]) * rng.uniform(0.5, 1.12) + rng.uniform(-12, 12, 3))
    elif kind < 0.93:
        # White paper.
        tone = np.float32(np.array([225.0, 232, 236]) * rng.uniform(0.6, 1.08) + rng.uniform(-6, 6, 3))
    else:
        # Coloured, as some are.
        tone = np.float32(colour(rng))
    page = np.empty((height, width, 3), np.float32)
    page[:] = tone
    # From far away, or of thin paper, the leaves can hardly be told apart.
    strong = rng.random() < (0.6 if paper is None else 0.25)
    strength = rng.uniform(3, 16) if strong else rng.uniform(0.5, 4)
    if along == "y":
        page += rng.normal(0, strength, (1, width, 1)).astype(np.float32)
        page += noise(rng, height, width, max(2, width / 3))[..., None] * 6
    else:
        page += rng.normal(0, strength, (height, 1, 1)).astype(np.float32)
        page += noise(rng, height, width, max(2, height / 3))[..., None] * 6
    if rng.random() < 0.4:
        # Hollow, as pages of a rounded back are: darker towards one cover.
        across = np.linspace(-1, 1, width if along == "y" else height, dtype=np.float32)
        hollow = 1 - np.float32(rng.uniform(0.05, 0.4)) * np.abs(across + np.float32(rng.uniform(-0.6, 0.6))) ** 2
        page *= hollow[None, :, None] if along == "y" else hollow[:, None, None]
    if covers is not None:
        rim = max(1, int((width if along == "y" else height) * rng.uniform(0.04, 0.12)))
        if along == "y":
            page[:, :rim] = covers
            page[:, -rim:] = covers
        else:
            page[:rim] = covers
            page[-rim:] = covers
    return page


def surface(rng, width, height, tone, grain):
    """Wood (grain along x), or plaster."""
    page = np.empty((height, width, 3), np.float32)
    page[:] = tone
    page += noise(rng, height, width, max(4, max(width, height) / 3))[..., None] * 8
    if grain:
        rows = noise(rng, height, 1, rng.uniform(1.5, 4))
        bent = noise(rng, height, width, max(6, width / 4)) * 2
        page += (rows + 0.3 * bent)[..., None] * np.float32(rng.uniform(2, 16))
    return page


def stripes(rng, width, height):
    """Parallel bars that are no books: planks, blinds, barcodes, radiators, fences, combs."""
    page = np.empty((height, width, 3), np.float32)
    ground, ink = colour(rng, True), colour(rng, True)
    page[:] = ground
    thick = rng.uniform(2, max(2.5, 0.12 * width))
    regular = rng.random() < 0.6
    x = rng.uniform(0, thick)
    shaded = rng.random() < 0.6
    while x < width:
        w = thick if regular else thick * rng.choice([1, 2, 3, 4]) * 0.5
        left, right = int(x), int(min(width, x + w))
        if right > left:
            if shaded:
                page[:, left:right] = ink * np.linspace(1.1, rng.uniform(0.5, 0.9), right - left)[None, :, None]
            else:
                page[:, left:right] = ink
            if rng.random() < 0.3:
                page[:, left:right] += noise(rng, height, 1, 4)[..., None] * 8
        x += w * (rng.uniform(1.1, 2.2) if regular else rng.choice([1.5, 2, 2.5, 3]))
    if rng.random() < 0.5:
        y, rows = int(rng.uniform(0, height)), max(1, int(height * rng.uniform(0.01, 0.08)))
        page[y : y + rows] = colour(rng, True)
    return page
