"""Books, and runs of them easily mistaken: pages, covers at a slant, dark and thin ones."""

import numpy as np

from . import textures
from .canvas import box


class Book:
    """A book's size in millimetres and its looks; `edge` says that its pages are in front."""

    def __init__(self, rng, look, thick, tall, edge=False):
        self.look, self.thick, self.tall, self.edge = look, thick, tall, edge
        self.depth = rng.uniform(105, 170)
        backs = [0, abs(rng.normal(0, 6)), rng.uniform(0, 40)]
        self.back = float(rng.choice(backs, p=[0.4, 0.45, 0.15]))
        # The paper's colour if front and top are to show the same.
        self.paper = None
        # A cover is lettered, and as bright as the spine.
        self.shown = False
        # The front is a cover, and the sides are pages.
        self.faced = False
        # The light that reaches it.
        self.light = 1.0
        # Where the run stands and the place in its order, if books of a run hide each other.
        self.group = None


def turned(scene, things, at, floor):
    """A few books that show more of a cover than of the spine, as those at the end of a row do."""
    rng = scene.rng
    yaw = float(rng.choice([-1, 1]) * np.radians(rng.uniform(15, 75)))
    for _ in range(int(rng.choice([1, 2, 3], p=[0.7, 0.2, 0.1]))):
        book = scene.book(0.1)
        aside = book.depth * abs(np.sin(yaw))
        at += aside if yaw < 0 else 0
        place = box(at, floor, rng.uniform(0, 20), book.thick, book.tall, book.depth, 0, yaw)
        things.append((place, book, False))
        at += book.thick + (aside if yaw > 0 else 0) + rng.uniform(0, 8)
    return at


def volumes(scene, things, at, floor):
    """Equal volumes, often with one picture over all their spines."""
    rng = scene.rng
    count = int(rng.integers(3, 11))
    first = scene.book(0)
    look = dict(first.look, band=float(rng.uniform(0.3, 1)), low=rng.random() < 0.8)
    picture = scene.photographs.cut(rng, 24 * count, 320) if rng.random() < 0.6 else None
    lean = float(np.radians(rng.normal(0, 5))) if rng.random() < 0.3 else 0.0
    for index in range(count):
        book = Book(rng, dict(look), first.thick, first.tall)
        book.back = first.back
        if picture is not None:
            book.look["strip"] = picture[:, 24 * index : 24 * index + 24]
        place = box(at, floor, book.back, book.thick, book.tall, book.depth, lean)
        things.append((place, book, False))
        at += book.thick / np.cos(lean) + rng.uniform(0, 0.4)
    return at + (first.tall * np.sin(abs(lean)) if lean else 0)


def paper(rng):
    """The colour of white or of slightly yellow pages, BGR."""
    if rng.random() < 0.6:
        return np.float32(rng.uniform(195, 250) + rng.uniform(-7, 7, 3))
    return np.float32(np.array([190.0, 212, 224]) * rng.uniform(0.85, 1.1) + rng.uniform(-6, 6, 3))


def thin(scene, least=2.0):
    """A magazine, a score or a booklet."""
    rng = scene.rng
    book = scene.book(0)
    book.thick = float(max(least, min(scene.usual, 12) * np.exp(rng.normal(-0.3, 0.4))))
    book.look = dict(book.look, round=book.look["round"] * 0.3, bare=rng.random() < 0.4)
    return book


def fore_edges(scene, things, at, floor, right):
    """Books turned around among others: white pages, hardly lined, as narrow as spines."""
    rng = scene.rng
    if rng.random() < 0.2:
        return stacked_pages(scene, things, at, floor)
    # One paper for most of them, as cheap books have.
    common = paper(rng)
    share = rng.uniform(0.3, 0.8)
    narrow = rng.random() < 0.6
    for _ in range(int(rng.integers(3, 16))):
        if at >= right:
            break
        book = thin(scene) if narrow and rng.random() < 0.6 else scene.book(0)
        book.paper = common if rng.random() < 0.6 else paper(rng)
        if rng.random() < share:
            book.edge = True
            book.tall *= rng.uniform(0.72, 1)
            book.back = rng.uniform(0, 12)
        lean = float(np.radians(rng.normal(0, 0.5)))
        place = box(at, floor, book.back, book.thick, book.tall, book.depth, lean)
        things.append((place, book, False))
        at += book.thick + rng.choice([0, rng.uniform(0, 2)])
    return at


def stacked_pages(scene, things, at, floor):
    """A pile of thin books whose pages, more often than not, are in front."""
    rng = scene.rng
    common, share = paper(rng), rng.uniform(0.4, 1)
    count = int(rng.integers(3, 16))
    books = [thin(scene) if rng.random() < 0.7 else scene.book(0) for _ in range(count)]
    for book in books:
        book.paper = common if rng.random() < 0.5 else paper(rng)
        book.edge = rng.random() < share
    return scene.stack(things, at, floor, len(books), books=books)


def magazines(scene, things, at, floor, right):
    """A long run of thin spines, with the pages of turned ones and the tops of all between them."""
    rng = scene.rng
    share = float(rng.choice([0, 0.1, 0.4]))
    lean = float(rng.choice([0, np.radians(rng.normal(0, 8))], p=[0.6, 0.4]))
    first = thin(scene)
    series = rng.random() < 0.5
    common = paper(rng)
    at += first.tall * np.sin(-lean) if lean < 0 else 0
    for _ in range(int(rng.integers(6, 28))):
        if at >= right:
            break
        book = thin(scene)
        if series:
            book.look = dict(first.look, base=first.look["base"] + rng.normal(0, 6, 3))
            book.thick, book.tall = first.thick * rng.uniform(0.85, 1.15), first.tall
        book.edge = rng.random() < share
        book.paper = common
        book.back = abs(rng.normal(0, 5))
        place = box(at, floor, book.back, book.thick, book.tall, book.depth, lean)
        things.append((place, book, False))
        at += book.thick / np.cos(lean) + rng.choice([0, rng.uniform(0, 1)])
    return at + (first.tall * np.sin(lean) if lean > 0 else 0)


def slanted(scene, things, at, floor, right):
    """Covers at a slant: of books that stand askew side by side, or that show their faces."""
    rng = scene.rng
    if rng.random() < 0.4:
        return faced(scene, things, at, floor)
    yaw = float(rng.choice([-1, 1]) * np.radians(rng.uniform(12, 65)))
    lean = float(np.radians(rng.normal(0, 12))) if rng.random() < 0.35 else 0.0
    books = [scene.book(0.05) for _ in range(int(rng.integers(1, 5)))]
    gap = rng.choice([0.02, rng.uniform(0.05, 0.7)])
    s, c = abs(np.sin(yaw)), np.cos(yaw)
    reach = max(b.depth for b in books) * s
    tilted = max(b.tall for b in books) * abs(np.sin(lean)) * c
    start = at
    at += (reach if yaw < 0 else 0) + (tilted if lean < 0 else 0)
    for index, book in enumerate(books):
        book.shown = rng.random() < 0.85
        book.group = (start, index if yaw > 0 else -index)
        back = rng.uniform(0, 8) + book.thick * s / 2
        place = box(at, floor, back, book.thick, book.tall, book.depth, lean, yaw)
        things.append((place, book, False))
        at += book.thick / c / np.cos(lean) + gap * book.depth * s
    return at + (reach if yaw > 0 else 0) + (tilted if lean > 0 else 0)


def faced(scene, things, at, floor):
    """Books with a cover to the front, turned away by up to 70 degrees: no spine is seen."""
    rng = scene.rng
    for _ in range(int(rng.choice([1, 2, 3], p=[0.6, 0.25, 0.15]))):
        book = scene.book(0)
        book.faced = book.shown = True
        book.paper = paper(rng)
        yaw = float(rng.choice([-1, 1]) * np.radians(rng.uniform(0, 70)))
        wide, s, c = book.tall * rng.uniform(0.6, 0.8), abs(np.sin(yaw)), np.cos(yaw)
        thick = min(book.thick, 25)
        middle = at + wide * c / 2 + (thick * s if yaw < 0 else 0)
        place = box(middle - wide / 2, floor, wide * s / 2, wide, book.tall, thick, 0, yaw)
        if rng.random() < 0.5:
            # It leans back, against a wall or other books.
            place[:, 2] += (place[:, 1] - floor) * np.tan(np.radians(rng.uniform(2, 18)))
        things.append((place, book, False))
        at += wide * c + thick * s + rng.uniform(0, 10)
    return at


def gloomy(rng, tone):
    """A look as dark as its neighbours', with print that is faint at times."""
    look = textures.style(rng)
    look.update(base=np.clip(tone + rng.normal(0, 7, 3), 2, 90), second=tone + rng.uniform(0, 40),
                picture=0.0, halves=rng.random() < 0.1, faint=rng.random() < 0.5,
                bands=int(rng.random() < 0.4), label=rng.random() < 0.15)
    if look["faint"]:
        look["ink"] = look["base"] + rng.uniform(10, 70)
    return look


def dark(scene, things, at, floor, right):
    """Dark books, leaning far more often than not, that hardly differ from each other."""
    rng = scene.rng
    tone = rng.uniform(8, 50) + rng.uniform(-8, 16, 3)
    books = [scene.book(0.03) for _ in range(int(rng.integers(2, 10)))]
    for book in books:
        if rng.random() < 0.85:
            book.look = gloomy(rng, tone)
        if rng.random() < 0.3:
            book.thick = max(3.0, book.thick * 0.5)
    angle = rng.uniform(18, 42) if rng.random() < 0.8 else rng.uniform(0, 6)
    return scene.leaning(things, at, floor, right, books, np.radians(angle))


def recessed(scene, things, at, floor, right):
    """Thin books that stand back in the shadow between tall ones."""
    rng = scene.rng
    tone = rng.uniform(8, 70) + rng.uniform(-8, 16, 3)
    for _ in range(int(rng.integers(2, 6))):
        if at >= right:
            break
        books = [scene.book(0.05)]
        books[0].back = abs(rng.normal(0, 3))
        for _ in range(int(rng.integers(1, 4))):
            book = thin(scene, 3.0)
            book.thick = float(max(book.thick, 0.25 * scene.usual * rng.uniform(0.8, 2)))
            book.tall *= rng.uniform(0.65, 0.95)
            book.back = rng.uniform(12, 55)
            book.light = rng.uniform(0.35, 0.9)
            if rng.random() < 0.6:
                book.look = gloomy(rng, tone)
            books.append(book)
        for book in books:
            place = box(at, floor, book.back, book.thick, book.tall, book.depth)
            things.append((place, book, False))
            at += book.thick + rng.uniform(0, 1)
    last = scene.book(0)
    things.append((box(at, floor, 0, last.thick, last.tall, last.depth), last, False))
    return at + last.thick


CASES = {
    "pages": fore_edges, "thin": magazines, "slanted": slanted, "dark": dark,
    "recessed": recessed,
}
