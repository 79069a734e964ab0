"""Lays out shelves, tables and stacks, and paints them."""

import cv2
import numpy as np

from . import runs, textures
from .canvas import BOARD, FORE_EDGE, NOTHING, SPINE, Camera, Canvas, box
from .runs import Book

WOODS = ([90, 130, 170], [225, 228, 230], [40, 60, 90], [150, 185, 205], [60, 60, 65], [120, 160, 190], [70, 100, 140])


class Scene:
    """One picture: `spines` are (corners in space, whether it lies, owner)."""

    def __init__(self, seed, lettering, photographs, sprites, window=None):
        self.rng = np.random.default_rng(seed)
        self.lettering, self.photographs, self.sprites = lettering, photographs, sprites
        self.spines = []
        rng = self.rng
        self.usual = float(np.exp(rng.uniform(np.log(9), np.log(40))))
        self.spread = rng.uniform(0.1, 0.6)
        self.tall = rng.uniform(165, 265)
        self.tall_spread = float(rng.choice([1, 10, 30]))
        self.same = float(rng.choice([0.03, 0.05, 0.3, 0.7]))
        self.edges = float(rng.choice([0, 0.05, 0.3], p=[0.45, 0.25, 0.3]))
        self.look = textures.style(rng)
        self.place = str(rng.choice(["shelf", "table", "clutter"], p=[0.66, 0.17, 0.17]))
        # Books wide, rows high.
        self.length = self.usual * float(np.exp(rng.uniform(np.log(3), np.log(50))))
        if rng.random() < 0.25:
            self.length = self.usual * rng.uniform(2, 8)
        self.length = float(np.clip(self.length, 60, 1400))
        # A library's stickers: at one height on all books.
        self.sticker = None
        if rng.random() < 0.14:
            self.sticker = (rng.uniform(8, 60), rng.uniform(18, 50), rng.uniform(0.6, 1.3), rng.random() < 0.5)
        self.rows = int(rng.choice([1, 2, 3], p=[0.72, 0.2, 0.08])) if self.place == "shelf" else 1
        self.lying = rng.random() < 0.2
        self.pitch_height = self.tall + rng.uniform(25, 120) + 2 * self.tall_spread
        self.shade = rng.uniform(0.15, 1.0)
        self.window = window
        self.least = (5, 12)
        self.choose_case()
        self.paint()

    def choose_case(self):
        """One scene in four is about books that are easily mistaken."""
        rng = self.rng
        self.case = None
        if rng.random() < 0.26:
            self.case = str(rng.choice(list(runs.CASES), p=[0.28, 0.16, 0.22, 0.19, 0.15]))
        if self.case == "thin" or self.case == "pages" and rng.random() < 0.4:
            # Spines of 3 to 12 pixels.
            self.usual = rng.uniform(3.5, 10)
            self.least = (4, 9)
            self.length = float(np.clip(self.usual * rng.uniform(15, 55), 90, 350))

    # Books

    def book(self, edge_share=None):
        rng = self.rng
        if rng.random() >= self.same:
            self.look = textures.style(rng)
        thick = self.usual * float(np.exp(rng.normal(0, self.spread)))
        if rng.random() < 0.08:
            thick = self.usual * rng.uniform(0.25, 0.5)
        elif rng.random() < 0.07:
            # A dictionary among others, lettered across.
            thick = self.usual * rng.uniform(1.6, 3)
            self.look = dict(self.look, across=True)
        tall = max(110.0, self.tall + rng.normal(0, self.tall_spread))
        edge = rng.random() < (self.edges if edge_share is None else edge_share)
        return Book(rng, self.look, float(np.clip(thick, 3.5, 90)), tall, edge)

    def row(self, floor, left, right):
        """(corners, book, lies) of what stands between two places, left to right."""
        rng, things, at = self.rng, [], left
        while at < right:
            if self.case and rng.random() < 0.7:
                at = runs.CASES[self.case](self, things, at, floor, right)
                continue
            kind = rng.random()
            if self.lying or kind < 0.1:
                at = self.stack(things, at, floor, int(rng.integers(2, 12)))
            elif kind < 0.3:
                at = self.leaning(things, at, floor, right)
            elif kind < 0.36:
                at += rng.uniform(8, 150)
            elif kind < 0.42:
                at = self.thing(things, at, floor)
            elif kind < 0.5:
                at = runs.turned(self, things, at, floor)
            elif kind < 0.56:
                at = runs.volumes(self, things, at, floor)
            else:
                at = self.upright(things, at, floor, right)
        if not things:
            self.upright(things, left, floor, right)
        return things

    def upright(self, things, at, floor, right):
        rng = self.rng
        start, top = at, 0.0
        tight = rng.choice([0, 0.4, 2])
        for _ in range(int(rng.integers(3, 22))):
            if at >= right:
                break
            book = self.book()
            lean = float(np.radians(rng.normal(0, 0.3)))
            yaw = float(np.radians(rng.normal(0, 2.5))) if rng.random() < 0.3 else 0.0
            things.append((box(at, floor, book.back, book.thick, book.tall, book.depth, lean, yaw), book, False))
            at += book.thick + tight * rng.uniform(0, 1) + (rng.uniform(3, 25) if rng.random() < 0.05 else 0)
            top = max(top, book.tall)
        if rng.random() < 0.16 and at - start > 60:
            self.stack(things, start + rng.uniform(0, 20), floor + top, int(rng.integers(1, 7)), at - start)
        return at

    def leaning(self, things, at, floor, right, books=None, lean=None):
        rng = self.rng
        lean = np.radians(rng.uniform(4, 36)) if lean is None else lean
        sign = 1 if rng.random() < 0.5 else -1
        books = books or [self.book() for _ in range(int(rng.integers(1, 9)))]
        drift = rng.choice([0, rng.uniform(-0.03, 0.03)])
        if sign < 0:
            at += books[0].tall * np.sin(lean)
        for book in books:
            if at > right + book.tall * 0.5:
                break
            lean = float(np.clip(lean + drift + rng.normal(0, 0.008), 0.03, 0.78))
            things.append((box(at, floor, book.back, book.thick, book.tall, book.depth, sign * lean), book, False))
            at += book.thick / np.cos(lean) + rng.choice([0, rng.uniform(0, 2)])
        if sign > 0:
            at += books[-1].tall * np.sin(lean) * rng.uniform(0.9, 1)
        return at

    def stack(self, things, at, floor, count, room=None, books=None):
        rng = self.rng
        given = books is not None
        books = books or [self.book() for _ in range(count)]
        edges = not given and rng.random() < (0.2 if room is None else 0.45)
        # What was laid on others lies askew.
        tilt = float(np.radians(rng.normal(0, 6))) if room is not None and rng.random() < 0.4 else 0.0
        wide = max(b.tall for b in books)
        sort = rng.random() < 0.3
        for book in sorted(books, key=lambda b: -b.tall) if sort else books:
            book.edge = book.edge or edges and rng.random() < 0.9
            x = at + (wide - book.tall) * rng.choice([0, 0.5, rng.random()])
            yaw = float(np.radians(rng.normal(0, rng.choice([0.5, 5]))))
            place = box(x, floor, abs(rng.normal(0, 6)), book.tall, book.thick, book.depth, tilt, 0 if tilt else yaw)
            things.append((place, book, True))
            floor += book.thick / np.cos(tilt) + rng.uniform(0, 0.6)
            tilt += float(rng.normal(0, 0.01)) if tilt else 0.0
            if room is None and floor > self.pitch_height * 3:
                break
        return at + wide + rng.uniform(2, 30)

    def thing(self, things, at, floor):
        """A box, a cover in front, a bookend: no spine."""
        rng = self.rng
        wide, tall = rng.uniform(6, 160), rng.uniform(40, self.tall * 1.1)
        things.append((box(at, floor, rng.uniform(0, 60), wide, tall, rng.uniform(5, 120)), None, False))
        return at + wide + rng.uniform(1, 10)

    # Painting

    def paint(self):
        rng = self.rng
        rows = []
        for index in range(self.rows):
            floor = index * (self.pitch_height + 25)
            rows.append(self.row(floor, 0.0, self.length))
        every = np.concatenate([t[0][:4] for r in rows for t in r])
        low, high = every.min(0), every.max(0)
        self.camera = self.look_at(low, high)
        self.canvas = Canvas(self.camera)
        self.structure(low, high)
        owner = 0
        for row in reversed(rows) if rng.random() < 0.5 else rows:
            order = sorted(row, key=self.nearness)
            order.sort(key=lambda t: t[2])
            if any(t[2] for t in row):
                lying = [t for t in order if t[2]]
                lying.sort(key=lambda t: -abs(t[0][:4, 1].mean() - self.camera.eye[1]))
                order = [t for t in order if not t[2]] + lying
            for corners, book, lies in order:
                if book is None:
                    self.paint_thing(corners)
                    continue
                self.paint_book(corners, book, lies, owner)
                if not book.edge and not book.faced:
                    self.spines.append((corners[:4], lies, owner))
                owner += 1
        self.boards_in_front()
        self.in_front()

    def nearness(self, thing):
        """What is drawn first: what is farther aside, and within a run what others hide."""
        corners, book, _ = thing
        place, rank = book and book.group or (corners[:4, 0].mean(), 0)
        return -abs(place - self.camera.eye[0]), rank

    def look_at(self, low, high):
        rng = self.rng
        wide, tall = high[0] - low[0], high[1] - low[1]
        short = int(rng.choice([256, 352, 416, 480, 544], p=[0.07, 0.13, 0.3, 0.3, 0.2]))
        ratio = float(rng.choice([3 / 4, 4 / 3, 9 / 16, 1, 16 / 9, 2 / 5], p=[0.3, 0.3, 0.1, 0.12, 0.1, 0.08]))
        size = (int(short / ratio), short) if ratio <= 1 else (short, int(short * ratio))
        fill = rng.uniform(0.7, 0.97) if rng.random() < 0.5 else rng.uniform(1.0, 1.7)
        scale = fill * min(size[0] / wide, size[1] / tall)
        # Not so small that spines are lines.
        scale = max(scale, rng.uniform(*self.least) / self.usual)
        distance = float(rng.uniform(400, 1300))
        center = (low[:2] + high[:2]) / 2
        room = np.maximum(0, np.array([wide, tall]) - np.array(size) / scale)
        center = center + rng.uniform(-0.5, 0.5, 2) * room + rng.uniform(-0.06, 0.06, 2) * np.array(size) / scale
        angles = [rng.normal(0, 9), rng.normal(-3, 7) - abs(rng.normal(0, 5)), rng.normal(0, 2.5)]
        if rng.random() < 0.1:
            angles[1] -= rng.uniform(5, 20)
        if rng.random() < 0.1:
            angles[0] += rng.choice([-1, 1]) * rng.uniform(8, 25)
        window = (0, 0, *size)
        if self.window:
            w, h = self.window
            # Somewhere about a book.
            whole = Camera(size, window, center, distance, distance * scale, angles)
            about = whole.seen(low + (high - low) * rng.random((1, 3)))[0] - np.array([w, h]) * rng.uniform(0.2, 0.8, 2)
            x, y = (int(np.clip(v, 0, max(0, s - r))) for v, s, r in zip(about, size, (w, h)))
            window = (x, y, min(w, size[0]), min(h, size[1]))
        return Camera(size, window, center, distance, distance * scale, angles)

    def wall(self, tone):
        rng = self.rng
        if rng.random() < (0.25 if self.place == "shelf" else 0.45):
            return lambda w, h: self.photographs.cut(rng, w, h)
        return lambda w, h: textures.surface(rng, w, h, tone, rng.random() < 0.2)

    def structure(self, low, high):
        rng, canvas, far = self.rng, self.canvas, 2500.0
        tone = np.array(WOODS[int(rng.integers(len(WOODS)))], float) + rng.uniform(-20, 20)
        if rng.random() < 0.2:
            tone = textures.colour(rng, True)
        self.tone, self.front = tone, -float(rng.uniform(0, 60))
        back = float(rng.uniform(150, 330))
        self.back = back
        dark = rng.uniform(0.15, 0.9) if self.place == "shelf" else 1.0
        if self.case == "dark" and rng.random() < 0.6:
            dark *= 0.35
        back_tone = (tone if rng.random() < 0.6 else textures.colour(rng, True)) * dark
        self.dark = back_tone * rng.uniform(0.1, 0.5)
        c = (low + high) / 2
        canvas.face([[c[0] - far, c[1] + far, back], [c[0] + far, c[1] + far, back],
                     [c[0] + far, c[1] - far, back], [c[0] - far, c[1] - far, back]], self.wall(back_tone))
        if self.place == "clutter":
            for _ in range(int(rng.integers(3, 14))):
                x, y = rng.uniform(low[0] - 200, high[0] + 200), rng.uniform(low[1], high[1] * 1.5)
                w, h = rng.uniform(20, 250, 2)
                corners = box(x, y, back - 1, w, h, 1, float(rng.choice([0, rng.uniform(-1, 1)])))
                self.clutter(corners[:4])
        self.levels = [i * (self.pitch_height + 25) for i in range(self.rows)]
        thick = 25.0 if self.place == "shelf" else 0
        wood = lambda w, h: textures.surface(rng, w, h, tone, self.place == "shelf" or rng.random() < 0.5)
        for floor in self.levels:
            shade = (dark, dark, 1, 1) if self.place == "shelf" else None
            # A table ends before the camera: what is behind it cannot be drawn.
            near = max(-600, -0.8 * self.camera.distance)
            reach = self.front if self.place == "shelf" else near
            photo = self.place != "shelf" and rng.random() < 0.3
            paint = (lambda w, h: self.photographs.cut(rng, w, h)) if photo else wood
            canvas.face([[low[0] - far, floor, back], [low[0] + far, floor, back], [low[0] + far, floor, reach],
                         [low[0] - far, floor, reach]], paint, BOARD if self.place == "shelf" else NOTHING, -1, 0, shade)
        if self.place == "shelf":
            top = self.levels[-1] + self.pitch_height
            if rng.random() < 0.7:
                self.levels.append(top + thick)
            # The undersides that one sees from below.
            for floor in self.levels[1:]:
                y = floor - thick
                canvas.face([[low[0] - far, y, self.front], [low[0] + far, y, self.front], [low[0] + far, y, back],
                             [low[0] - far, y, back]], tone * 0.4, BOARD)
            for side in (-1, 1):
                if rng.random() < 0.45:
                    x = low[0] - rng.uniform(1, 60) if side < 0 else high[0] + rng.uniform(1, 60)
                    corners = box(x - (22 if side < 0 else 0), -50, self.front, 22, top + 100, back)
                    self.volume(corners, wood, tone * 0.75, tone, BOARD, BOARD)

    def boards_in_front(self):
        """The front edges of boards, and what is below the lowest."""
        if self.place != "shelf":
            return
        rng, far = self.rng, 2500.0
        x = self.camera.eye[0]
        thick = 25.0
        wood = lambda w, h: textures.surface(rng, w, h, self.tone * 0.95, True)
        for floor in self.levels:
            z = self.front
            self.canvas.face([[x - far, floor, z], [x + far, floor, z], [x + far, floor - thick, z],
                              [x - far, floor - thick, z]], wood, BOARD)
        floor = -thick
        if rng.random() < 0.5:
            below = self.wall(self.tone * 0.3)
            self.canvas.face([[x - far, floor, self.front + 5], [x + far, floor, self.front + 5],
                              [x + far, floor - far, self.front + 5], [x - far, floor - far, self.front + 5]], below)

    def clutter(self, quad):
        rng = self.rng
        kind = rng.random()
        if kind < 0.35:
            self.canvas.face(quad, lambda w, h: textures.stripes(rng, w, h))
        elif kind < 0.7:
            self.canvas.face(quad, lambda w, h: self.photographs.cut(rng, w, h))
        else:
            self.canvas.face(quad, textures.colour(rng))

    def volume(self, corners, front, side, top, front_kind, side_kind, owner=-1, bend=0.0, shade=None):
        """A box: its top, lower and visible side faces, then its front."""
        a, b, c, d, e, f, g, h = corners
        canvas = self.canvas
        canvas.face([e, f, b, a], top, side_kind)
        canvas.face([d, c, g, h], top, side_kind, -1, 0, (0.5, 0.5, 0.4, 0.4))
        canvas.face([e, a, d, h], side, side_kind)
        canvas.face([b, f, g, c], side, side_kind)
        canvas.face([a, b, c, d], front, front_kind, owner, bend, shade)

    def paint_thing(self, corners):
        rng = self.rng
        kind = rng.random()
        if kind < 0.3:
            front = lambda w, h: self.photographs.cut(rng, w, h)
        elif kind < 0.45:
            front = lambda w, h: textures.stripes(rng, w, h)
        elif kind < 0.6:
            front = lambda w, h: self.cover(w, h)
        else:
            tone = textures.colour(rng)
            front = lambda w, h: textures.surface(rng, w, h, tone, False)
        tone = textures.colour(rng, True)
        self.volume(corners, front, tone * 0.7, tone * 1.1, NOTHING, NOTHING)

    def cover(self, w, h, tone=None):
        """The front or the back of a book, that is no spine."""
        rng = self.rng
        if tone is None and rng.random() < 0.5:
            page = self.photographs.cut(rng, w, h)
        else:
            page = textures.surface(rng, w, h, textures.colour(rng) if tone is None else tone, False)
        y = int(h * rng.uniform(0.05, 0.3))
        ink = textures.colour(rng)
        back = rng.random() < 0.4
        # A title and an author, or a page full of praise.
        for _ in range(int(rng.integers(6, 22)) if back else int(rng.integers(1, 4))):
            high = h * (rng.uniform(0.015, 0.03) if back else rng.uniform(0.05, 0.14))
            mask = self.lettering.line(rng, max(3, int(w * 0.85)), max(2, int(high)), 0.5 if back else 0)
            textures.put(page, mask, int(w * 0.08) if back else (w - mask.shape[1]) // 2, y, ink)
            y += int(mask.shape[0] * 1.3)
        return page

    def spine(self, look, width, height, tall):
        page = textures.spine(self.rng, look, width, height, self.lettering, self.photographs)
        if self.sticker and self.rng.random() < 0.93:
            textures.sticker(self.rng, page, self.sticker, height / tall, self.lettering)
        return page

    def paint_book(self, corners, book, lies, owner):
        rng, look = self.rng, book.look
        cover = np.float32(look["base"] if look["picture"] < 1 else look["second"])
        side = cover * np.float32(rng.uniform(0.45, 0.95))
        edge = "x" if lies else "y"
        rim = cover if rng.random() < (0.6 if book.edge else 0.8) else None
        kind = rng.random()
        if kind < 0.25:
            face = lambda w, h: self.photographs.cut(rng, w, h) * np.float32(0.7)
        elif kind < 0.65:
            # Lettered like a front or a back, in the spine's colour more often than not.
            tone = side if rng.random() < 0.6 else None
            face = lambda w, h: self.cover(w, h, tone) * np.float32(0.85)
        else:
            face = side
        if book.shown:
            tone, light = cover if rng.random() < 0.6 else None, np.float32(rng.uniform(0.5, 1.05))
            face = lambda w, h: self.cover(w, h, tone) * light
        # Recessed books, and lower parts near neighbours, get less light.
        depth = (1 - min(0.6, book.back / 60)) * book.light
        lower = rng.uniform(0.6, 1.05)
        shade = (depth, depth, depth * lower, depth * lower)
        if book.faced:
            front = face
            kind = NOTHING
        elif book.edge:
            front = lambda w, h: textures.pages(rng, w, h, edge, rim, book.paper)
            kind = FORE_EDGE
        elif lies:
            turned = cv2.ROTATE_90_COUNTERCLOCKWISE if rng.random() < 0.9 else cv2.ROTATE_90_CLOCKWISE
            front = lambda w, h: cv2.rotate(self.spine(look, h, w, book.tall), turned)
            kind = SPINE
        else:
            front = lambda w, h: self.spine(look, w, h, book.tall)
            kind = SPINE
        a, b, c, d, e, f, g, h = corners
        top = lambda w, h: textures.pages(rng, w, h, "y", rim, book.paper)
        canvas = self.canvas
        # What is behind the gap to the next: dark.
        if not lies and rng.random() < self.shade:
            grown = [a + (-1.2, -8, 12), b + (1.5, -8, 12), c + (1.5, 0, 12), d + (-1.2, 0, 12)]
            canvas.face(grown, self.dark)
        bend = 0.0 if lies else float(rng.normal(0, 0.6)) * (rng.random() < 0.3)
        if lies:
            canvas.face([e, f, b, a], face)
            canvas.face([d, c, g, h], face)
            ends = lambda w, h: textures.pages(rng, w, h, "x", rim, book.paper)
            canvas.face([e, a, d, h], ends, FORE_EDGE)
            canvas.face([b, f, g, c], ends, FORE_EDGE)
        else:
            beside, what = (top, FORE_EDGE) if book.faced else (face, NOTHING)
            canvas.face([e, f, b, a], top, FORE_EDGE)
            canvas.face([e, a, d, h], beside, what)
            canvas.face([b, f, g, c], beside, what)
        canvas.face([a, b, c, d], front, kind, owner if kind == SPINE else -1, bend, shade)
        if rng.random() < 0.5:
            # A line of shade at the side next to the neighbour.
            strength = rng.uniform(0.3, 0.95)
            ink = self.dark * strength
            width = rng.uniform(0.2, 1.2)
            if lies:
                canvas_line = [d + (0, width, -0.1), c + (0, width, -0.1), c + (0, 0, -0.1), d + (0, 0, -0.1)]
            else:
                canvas_line = [b + (-width, 0, -0.1), b + (0, 0, -0.1), c + (0, 0, -0.1), c + (-width, 0, -0.1)]
            canvas.face(canvas_line, ink, kind, owner if kind == SPINE else -1)

    def in_front(self):
        rng, canvas = self.rng, self.canvas
        # Papers, phones and closed books that lie before the row: flat, lettered, and no spines.
        for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.75, 0.1, 0.1, 0.05]))):
            wide, deep = rng.uniform(40, 220, 2)
            x, z = rng.uniform(0, max(self.length, 100)), -rng.uniform(0, 60)
            corners = box(x, self.levels[0], z - deep, wide, rng.uniform(0.5, 12), deep, 0, rng.uniform(-1.5, 1.5))
            a, b, c, d, e, f, g, h = corners
            tone = textures.colour(rng)
            canvas.face([e, f, b, a], lambda w, h: self.cover(w, h))
            canvas.face([a, b, c, d], tone * 0.6)
        for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.6, 0.2, 0.12, 0.08]))):
            image, alpha = self.sprites[int(rng.integers(len(self.sprites)))]
            size = rng.uniform(0.06, 0.3) * min(canvas.width, canvas.height)
            factor = size / max(alpha.shape)
            shape = (max(2, int(alpha.shape[1] * factor)), max(2, int(alpha.shape[0] * factor)))
            picture = cv2.resize(image, shape, interpolation=cv2.INTER_AREA).astype(np.float32)
            mask = cv2.resize(alpha, shape, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
            x = int(rng.uniform(-0.1, 1) * canvas.width)
            y = int(rng.uniform(0.2, 1) * canvas.height)
            canvas.sprite(picture, mask, x, y)
