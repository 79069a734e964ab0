"""Writes Fixtures/Goldens/TextReader: rendered pages of text, and the lines RapidOCR reads in them and in photos.

Run from the top of the checkout, in a virtual environment of Fixtures/requirements-text.txt, with Debian's
fonts-dejavu-core (2.37): python Fixtures/generate/text_reader.py

Pages are grey with 16 levels, so that they stay small. Photos are those of ../shared/photos/shelf; without them their
golden is left alone. With `--truth FILE` it writes only what stands on the pages.
"""

import io
import json
import pathlib
import sys

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from rapidocr_onnxruntime import RapidOCR

from common import seeded

FONTS = pathlib.Path("/usr/share/fonts/truetype/dejavu")
FACES = ["DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif", "DejaVuSerif-Bold", "DejaVuSansMono"]
PHOTOS = pathlib.Path("../shared/photos/shelf")
GOLDENS = pathlib.Path("Fixtures/Goldens/TextReader")
WORDS = """the library opens at nine and closes when the last reader leaves Between two shelves stands a ladder nobody
climbs any more Its rungs are worn A catalogue of 1,204 cards lists every title by author year and colour Some cards
carry notes in pencil see also missing since 1987 lent to Dr. Whitlock Rain drums on the roof; inside, pages turn
ISBN 978-0-306-40615-7 price $24.95 (paperback) 2nd edition Chapter 7: Harbours & Lighthouses index p. 311
Quartz, zinc and jade were shipped from Oxford to Vienna for exhibition; fragile!""".split()


def page(number, drawn=None):
    """A page of lines: its face, size, columns, colours, turn and size of paper hang on its number.

    Its lines are appended to `drawn`.
    """
    u = iter(seeded.units(5000 + number, 400).tolist())
    width, height = [(640, 480), (480, 640), (800, 300), (900, 90), (360, 360)][number % 5]
    face, size = FACES[number % len(FACES)], [15, 18, 22, 28][(number // 5) % 4]
    columns = 2 if number % 5 in (0, 2) and size < 22 else 1
    paper, ink = (235, 25) if number % 3 else (45, 225)
    font = ImageFont.truetype(str(FONTS / f"{face}.ttf"), size)
    image = Image.new("L", (width, height), paper)
    draw = ImageDraw.Draw(image)
    margin = 24 if height > 100 else 12
    for column in range(columns):
        left = margin + column * (width // columns)
        right = (column + 1) * (width // columns) - margin
        y = margin
        while y + size * 1.4 < height - margin / 2:
            line, room = "", right - left if next(u) > 0.15 else (right - left) * 0.5
            while True:
                word = WORDS[int(next(u) * len(WORDS))]
                if font.getlength(f"{line} {word}") > room:
                    break
                line = f"{line} {word}".strip()
            if line:
                draw.text((left, y), line, fill=ink, font=font)
                if drawn is not None:
                    drawn.append(line)
            y += int(size * (1.7 if next(u) > 0.2 else 2.6))
    turn = [0, 0, 1.5, -2.5, 4][(number // 4) % 5]
    if turn:
        image = image.rotate(turn, resample=Image.Resampling.BICUBIC, fillcolor=paper)
    if number in (9, 14, 19):  # text that runs up or down, and text upside down
        image = image.transpose([Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_270, Image.Transpose.ROTATE_180][
            (number // 5) % 3])
    return image.point(lambda v: v // 17 * 17)


def lines(engine, image):
    found, _ = engine(image)
    return [{"quad": np.asarray(q).ravel().tolist(), "text": t, "confidence": c} for q, t, c in found or []]


def write_truth(path):
    """What stands on the pages of one upright column, for `tally evaluate texts`, which goes by the order of lines."""
    with open(path, "w") as file:
        for number in range(20):
            drawn = []
            page(number, drawn)
            if number in (0, 2, 5, 7, 9, 14, 19):
                continue
            file.write(json.dumps({"image": f"page_{number:02}.png", "lines": drawn}) + "\n")


def main():
    if sys.argv[1:2] == ["--truth"]:
        return write_truth(sys.argv[2])
    engine = RapidOCR(intra_op_num_threads=1, inter_op_num_threads=1)
    GOLDENS.mkdir(parents=True, exist_ok=True)
    pages = []
    for number in range(20):
        name = f"page_{number:02}.png"
        buffer = io.BytesIO()
        # Four bits a pixel: 16 greys.
        grey = page(number).point(lambda v: v // 17)
        palette = grey.convert("P")
        palette.putpalette([v * 17 for v in range(16) for _ in range(3)])
        palette.save(buffer, "PNG", optimize=True, bits=4)
        (GOLDENS / name).write_bytes(buffer.getvalue())
        pages.append({"image": name, "lines": lines(engine, cv2.imread(str(GOLDENS / name)))})
    seeded.write("TextReader/pages.json", pages)
    if not PHOTOS.exists():
        sys.exit(f"text_reader: {PHOTOS} is not here: its golden is left alone")
    seeded.write("TextReader/photos.json", [
        {"image": path.name, "lines": lines(engine, cv2.imread(str(path)))} for path in sorted(PHOTOS.glob("*.jpg"))
    ])


if __name__ == "__main__":
    main()
