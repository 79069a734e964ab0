#!/usr/bin/env python
"""Draws the pictures of the README's tour: Fixtures/Images/shelf.jpg, cover.jpg and jar.jpg.

    python Fixtures/generate/tour_pictures.py

A shelf of seven books that are out of copyright, the back cover of a book with its barcode, and a jar with a date:
drawn, then seen by a camera that is not quite straight, with uneven light, blur and noise. Needs the DejaVu fonts.
"""

import pathlib

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "Images"
FONTS = pathlib.Path("/usr/share/fonts/truetype/dejavu")

# Title, author, thickness and height in pixels, cover, ink, font.
BOOKS = [
    ("MOBY DICK", "Herman Melville", 92, 610, (38, 70, 104), (240, 232, 208), "Serif-Bold"),
    ("Pride and Prejudice", "Jane Austen", 62, 560, (150, 62, 70), (250, 240, 226), "Serif"),
    ("THE TIME MACHINE", "H. G. Wells", 46, 520, (226, 214, 178), (46, 40, 36), "Sans-Bold"),
    ("Middlemarch", "George Eliot", 104, 640, (54, 92, 66), (236, 226, 190), "Serif-Bold"),
    ("DRACULA", "Bram Stoker", 66, 590, (34, 32, 36), (206, 52, 48), "Serif-Bold"),
    ("Walden", "Henry David Thoreau", 50, 500, (198, 158, 84), (48, 34, 20), "Serif"),
    ("The Origin of Species", "Charles Darwin", 84, 620, (96, 78, 120), (244, 238, 222), "Sans"),
]
ISBN = "9780306406157"


def font(name, size):
    return ImageFont.truetype(str(FONTS / f"DejaVu{name}.ttf"), size)


def fitted(text, name, size, width):
    """The font in the largest size, at most this one, in which the text is no wider."""
    while font(name, size).getlength(text) > width:
        size -= 1
    return font(name, size)


def spine(title, author, thickness, height, cover, ink, name):
    """A spine lying on its side, its head at the left."""
    image = Image.new("RGB", (height, thickness), cover)
    draw = ImageDraw.Draw(image)
    margin, middle = height // 14, thickness / 2
    for place in (margin // 2, height - margin // 2):
        draw.line((place, 0, place, thickness), fill=ink, width=2)
    large = fitted(title, name, int(thickness * 0.56), int(height * 0.54))
    small = fitted(author, name, int(thickness * 0.34), int(height * 0.28))
    draw.text((margin, middle), title, fill=ink, font=large, anchor="lm")
    draw.text((height - margin, middle), author, fill=ink, font=small, anchor="rm")
    # A rounded back: darker towards its sides.
    across = np.linspace(-1, 1, thickness)[:, None, None]
    pixels = np.asarray(image, float) * (1 - 0.35 * across**4)
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).rotate(-90, expand=True)


def shelf(rng):
    width, height, floor = 940, 860, 770
    grain = np.cumsum(rng.normal(0, 1.2, (height, 1, 1)), axis=0)
    wall = np.full((height, width, 3), (96.0, 84.0, 72.0)) + 0.2 * grain
    wall[floor:] = (134, 96, 60) + grain[floor:] + rng.normal(0, 2, (1, width, 1))
    image = Image.fromarray(wall.clip(0, 255).astype(np.uint8))
    x = 196
    for book in BOOKS:
        back = spine(*book)
        image.paste(back, (x, floor - back.height))
        # The gap to the next is in the shade.
        ImageDraw.Draw(image).line(
            (x + back.width, floor - back.height + 4, x + back.width, floor), fill=(22, 18, 16), width=3)
        x += back.width + 3
    return image


def barcode(digits):
    """An EAN-13 as bars one pixel wide, after ISO/IEC 15420."""
    left = "0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011".split()
    parity = "LLLLLL LLGLGG LLGGLG LLGGGL LGLLGG LGGLLG LGGGLL LGLGLG LGLGGL LGGLGL".split()
    flipped = [code.translate(str.maketrans("01", "10")) for code in left]
    bars = "101"
    for digit, kind in zip(digits[1:7], parity[int(digits[0])]):
        bars += left[int(digit)] if kind == "L" else flipped[int(digit)][::-1]
    bars += "01010" + "".join(flipped[int(digit)] for digit in digits[7:]) + "101"
    return bars


def cover():
    image = Image.new("RGB", (760, 980), (228, 222, 206))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 760, 120), fill=(48, 86, 104))
    draw.text((60, 60), "A FIELD GUIDE TO COUNTING", fill=(244, 240, 228), font=font("Serif-Bold", 32), anchor="lm")
    lines = [
        "How many tartlets are on the tray,", "how many coins on the table, how", "many books on the shelf?", "",
        "A patient introduction to looking", "closely, with forty photographs", "and one hundred exercises.",
    ]
    for row, line in enumerate(lines):
        draw.text((60, 190 + 46 * row), line, fill=(44, 42, 40), font=font("Serif", 30))
    left, top, module = 380, 690, 3
    draw.rectangle((left - 36, top - 44, left + 95 * module + 30, top + 200), fill="white")
    draw.text((left, top - 34), "ISBN 978-0-306-40615-7", fill="black", font=font("SansMono-Bold", 22))
    for index, bar in enumerate(barcode(ISBN)):
        if bar == "1":
            long = index < 3 or index > 91 or 45 <= index < 50
            draw.rectangle(
                (left + module * index, top, left + module * (index + 1) - 1, top + (165 if long else 150)), fill="black")
    digits = font("SansMono-Bold", 26)
    draw.text((left - 8, top + 176), ISBN[0], fill="black", font=digits, anchor="rm")
    draw.text((left + 24 * module, top + 176), ISBN[1:7], fill="black", font=digits, anchor="mm")
    draw.text((left + 71 * module, top + 176), ISBN[7:], fill="black", font=digits, anchor="mm")
    return image


def jar():
    image = Image.new("RGB", (720, 720), (176, 184, 178))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((120, 90, 600, 690), 70, fill=(150, 30, 40))
    draw.rounded_rectangle((140, 40, 580, 140), 24, fill=(206, 178, 96))
    draw.rectangle((140, 250, 580, 610), fill=(248, 244, 232))
    for row, (text, name, size) in enumerate(
            [("STRAWBERRY", "Serif-Bold", 52), ("JAM", "Serif-Bold", 52), ("340 g", "Sans", 34),
             ("BEST BEFORE 15 NOV 2027", "SansMono-Bold", 26)]):
        draw.text((360, 310 + 78 * row), text, fill=(60, 24, 26), font=font(name, size), anchor="mm")
    return image


def photographed(image, rng, corners, size):
    """Seen at an angle: the picture's corners at these shares of a photo, with uneven light, blur and noise."""
    width, height = size
    source = np.array([(0, 0), (image.width, 0), (image.width, image.height), (0, image.height)], np.float32)
    target = (np.array(corners) * size).astype(np.float32)
    warped = cv2.warpPerspective(
        np.asarray(image), cv2.getPerspectiveTransform(source, target), size, flags=cv2.INTER_AREA,
        borderMode=cv2.BORDER_REPLICATE)
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    light = 1.04 - 0.16 * ((x + 0.4) ** 2 + (y + 0.5) ** 2) / 2
    seen = cv2.GaussianBlur(warped.astype(float) * light[..., None], (0, 0), 0.7)
    seen += rng.normal(0, 2.5, seen.shape)
    return Image.fromarray(seen.clip(0, 255).astype(np.uint8))


def main():
    rng = np.random.default_rng(20)
    pictures = {
        "shelf": (shelf(rng), [(-0.02, -0.03), (1.03, 0.0), (1.01, 1.02), (0.0, 1.0)], (900, 820)),
        "cover": (cover(), [(0.06, 0.03), (0.95, 0.05), (0.93, 0.97), (0.04, 0.95)], (760, 960)),
        "jar": (jar(), [(0.0, 0.0), (1.0, 0.02), (0.98, 1.0), (0.02, 0.98)], (640, 640)),
    }
    for name, (image, corners, size) in pictures.items():
        photographed(image, rng, corners, size).save(FOLDER / f"{name}.jpg", quality=84)


if __name__ == "__main__":
    main()
