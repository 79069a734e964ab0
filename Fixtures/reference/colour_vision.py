#!/usr/bin/env python3
"""Are the colours of Tally's drawings told apart by readers who do not see all colours?

Reads the palettes from the sources (the greens and blues of overlays, the kinds of plots, and the report page's
where it is there), simulates full protanopia, deuteranopia and tritanopia by two methods (Brettel, Vienot and
Mollon 1997; Machado, Oliveira and Fernandes 2009), and measures the CIEDE2000 difference between every two colours
that have to be told apart, and between each and its background. Colours of text on a label are measured by the
contrast ratio of WCAG 2.2.

    python3 -m venv /tmp/vision && /tmp/vision/bin/pip install -r Fixtures/requirements-vision.txt
    /tmp/vision/bin/python Fixtures/reference/colour_vision.py [PICTURE ... --to FOLDER]

Pictures (PNG or JPEG) are written to FOLDER as they look to each reader, side by side. Exits with 1 where a
difference is below the threshold: 12, where 1 is the least that is seen side by side and 5 to 10 is seen at a glance.
"""

import argparse
import itertools
import pathlib
import re
import sys
import warnings

warnings.filterwarnings("ignore")

import colour  # noqa: E402
import numpy  # noqa: E402
from daltonlens import simulate  # noqa: E402
from PIL import Image, ImageDraw  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
THRESHOLD = 12.0
CONTRAST = 4.5
WHITE = colour.CCS_ILLUMINANTS["CIE 1931 2 Degree Standard Observer"]["D65"]
KINDS = {
    "protanopia": simulate.Deficiency.PROTAN,
    "deuteranopia": simulate.Deficiency.DEUTAN,
    "tritanopia": simulate.Deficiency.TRITAN,
}
METHODS = {"Brettel": simulate.Simulator_Brettel1997(), "Machado": simulate.Simulator_Machado2009()}


def views(pixels):
    """An image of 8-bit sRGB as each reader sees it."""
    answer = {"all colours": pixels}
    for kind, deficiency in KINDS.items():
        for method, simulator in METHODS.items():
            answer[f"{kind}, {method}"] = simulator.simulate_cvd(pixels, deficiency, 1.0)
    return answer


def lab(pixels):
    return colour.XYZ_to_Lab(colour.sRGB_to_XYZ(numpy.asarray(pixels) / 255.0), WHITE)


def differences(palette):
    """(difference, name, name, reader) of every two colours, the smallest first."""
    names = list(palette)
    seen = views(numpy.array([[palette[name] for name in names]], numpy.uint8))
    answer = []
    for reader, pixels in seen.items():
        values = lab(pixels[0])
        for a, b in itertools.combinations(range(len(names)), 2):
            difference = float(colour.delta_E(values[a], values[b], method="CIE 2000"))
            answer.append((difference, names[a], names[b], reader))
    return sorted(answer)


def contrast(a, b):
    def luminance(rgb):
        parts = [v / 255 for v in rgb]
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted([luminance(a), luminance(b)], reverse=True)
    return (high + 0.05) / (low + 0.05)


def swift_colors(path, name):
    """The colours of a list; a colour with a name in it is not read."""
    block = re.search(rf"static let {name}(?:: \[Color\])? = \[(.*?)\n  \]", path.read_text(), re.S).group(1)
    pattern = r"Color\(red: (\d+), green: (\d+), blue: (\d+)\)"
    return [tuple(map(int, match)) for match in re.findall(pattern, block)]


def named(path, name):
    pattern = rf"static let {name} = Color\(red: (\d+), green: (\d+), blue: (\d+)\)"
    return tuple(map(int, re.search(pattern, path.read_text()).groups()))


def css_colors(text, pattern):
    def channels(code):
        code = code if len(code) == 6 else "".join(2 * digit for digit in code)
        return tuple(int(code[at : at + 2], 16) for at in (0, 2, 4))

    return {name: channels(code) for name, code in re.findall(pattern, text)}


def photo_colors():
    """The colours of boxes on a photo, by what they mean."""
    drawing = ROOT / "Sources/Reports/Drawing"
    color = drawing / "Color.swift"
    others = swift_colors(drawing / "KindStyle.swift", "photoColors")
    return {"kind 1": named(color, "green"), **{f"kind {i + 2}": c for i, c in enumerate(others)}}


def palettes():
    """(title, colours, background)."""
    drawing = ROOT / "Sources/Reports/Drawing"
    color = drawing / "Color.swift"
    overlay = {name: named(color, name) for name in ("green", "blue")}
    yield "overlay: frames and labels, on their dark casing", overlay, named(color, "ink")
    style = drawing / "KindStyle.swift"
    # A person's changes are not among them: their thick dashes tell them from all kinds.
    yield "overlay: kinds, on their dark casing", photo_colors(), named(color, "ink")
    kinds = {f"kind {i + 1}": c for i, c in enumerate(swift_colors(style, "colors"))}
    yield "plots: kinds, on white", kinds, (255, 255, 255)
    page = ROOT / "Sources/Reports/CountReport/Resources/page.css"
    if page.exists():
        text = page.read_text()
        starts = [match.start() for match in re.finditer(r"--page: #", text)]
        for title, start in zip(("light", "dark"), starts):
            block = text[start : text.index("}", start)]
            ground = css_colors(block, r"--(page): #([0-9a-f]+)")["page"]
            found = css_colors(block, r"--(k\d): #([0-9a-f]+)")
            yield f"report, {title}: kinds", found, ground
        boxes = css_colors(text, r"\.box\.(k\d) \{ stroke: #([0-9a-f]+)")
        yield "report: boxes", boxes, (17, 17, 17)


def show(paths, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for path in paths:
        picture = Image.open(path).convert("RGB")
        picture.thumbnail((700, 700))
        seen = views(numpy.asarray(picture))
        columns = [reader for reader in seen if "Machado" not in reader]
        width, height = picture.size
        sheet = Image.new("RGB", (2 * width, 2 * (height + 16)), "white")
        draw = ImageDraw.Draw(sheet)
        for place, reader in enumerate(columns):
            left, top = place % 2 * width, place // 2 * (height + 16)
            draw.text((left + 4, top + 2), reader, fill="black")
            sheet.paste(Image.fromarray(seen[reader]), (left, top + 16))
        sheet.save(folder / f"{path.stem}-vision.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pictures", nargs="*", type=pathlib.Path)
    parser.add_argument("--to", type=pathlib.Path, default=pathlib.Path("vision"))
    arguments = parser.parse_args()
    failed = False
    for title, colors, ground in palettes():
        if len(colors) < 2:
            sys.exit(f"no colours were found for '{title}'")
        pairs = differences(colors)
        grounds = [
            row for row in differences({**colors, "background": ground}) if row[2] == "background"
        ]
        bad = [row for row in pairs + grounds if row[0] < THRESHOLD]
        failed |= bool(bad)
        print(f"{title}\n  closest two: {pairs[0][0]:.1f} {pairs[0][1:]}")
        print(f"  closest to the background: {grounds[0][0]:.1f} {grounds[0][1::2]}")
        for row in bad:
            print(f"  BELOW {THRESHOLD}: {row[0]:.1f} {row[1:]}")
    color = ROOT / "Sources/Reports/Drawing/Color.swift"
    for text, label in (("ink", "green"), ("white", "blue")):
        ratio = contrast(named(color, text), named(color, label))
        failed |= ratio < CONTRAST
        print(f"{text} on {label}: contrast {ratio:.1f} (at least {CONTRAST})")
    # The drawing takes the text with more contrast.
    for label, ground in {**photo_colors(), "orange": named(color, "orange")}.items():
        ratio = max(contrast(named(color, text), ground) for text in ("ink", "white"))
        failed |= ratio < CONTRAST
        print(f"text on {label}: contrast {ratio:.1f} (at least {CONTRAST})")
    show(arguments.pictures, arguments.to)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
