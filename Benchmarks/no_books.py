"""Counts the pictures without a book in which spines are found.

Run from the top of the checkout, after `swift build -c release`:
python Benchmarks/no_books.py [--tally .build/release/tally] [--keep FOLDER] [--limit 0.5]

The pictures are photos and drawings of Debian's packages: backgrounds of desktops, scikit-image's examples, the pictures of
Tux Paint. `apt-get download` fetches the packages; nothing is installed. --keep leaves the pictures there.
"""

import argparse
import hashlib
import json
import pathlib
import random
import subprocess
import tempfile

from PIL import Image

PACKAGES = [
    "desktop-base", "digikam-data", "gcompris-qt-data", "gnome-backgrounds", "mate-backgrounds", "plasma-workspace-wallpapers",
    "python3-skimage", "ukui-wallpapers", "xfdesktop4-data",
]
STAMPS = "tuxpaint-stamps-default"
ENDINGS = {".jpg", ".jpeg", ".webp", ".png"}
Image.MAX_IMAGE_PIXELS = None


def unpacked(package, folder):
    """The pictures of a package, by path."""
    subprocess.run(["apt-get", "download", "-q", package], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    archive = next(folder.glob(f"{package}_*.deb"))
    subprocess.run(["dpkg-deb", "-x", archive, folder / package], check=True)
    files = (folder / package).rglob("*")
    return sorted(f for f in files if f.suffix.lower() in ENDINGS and f.is_file() and not f.is_symlink())


def opened(path):
    """A picture on white, at most 2,600 pixels a side; None if it cannot be read."""
    try:
        image = Image.open(path).convert("RGBA")
    except OSError:
        return None
    white = Image.new("RGBA", image.size, (255, 255, 255, 255))
    white.alpha_composite(image)
    image = white.convert("RGB")
    image.thumbnail((2600, 2600))
    return image


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("--tally", default=".build/release/tally")
    options.add_argument("--limit", type=float, default=0.5, help="the least confidence of a spine that counts")
    options.add_argument("--keep", type=pathlib.Path)
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        pictures = options.keep or work / "pictures"
        pictures.mkdir(parents=True, exist_ok=True)
        # One of those that differ only in size or in shades.
        seen = set()
        for package in PACKAGES:
            for path in unpacked(package, work):
                image = opened(path)
                if image is None or min(image.size) < 480:
                    continue
                look = hashlib.sha256(bytes(value >> 5 for value in image.resize((16, 16)).tobytes())).digest()
                if look not in seen:
                    seen.add(look)
                    image.save(pictures / f"{package}-{len(seen):03}.jpg", quality=90)
        stamps = [path for path in unpacked(STAMPS, work) if "book" not in path.name]
        random.Random(7).shuffle(stamps)
        stamps = [image for image in map(opened, stamps[:200]) if image and min(image.size) >= 250]
        for number, image in enumerate(stamps):
            image.save(pictures / f"stamp-{number:03}.jpg", quality=92)
        answer = subprocess.run([options.tally, "spines", pictures, "--json"], check=True, capture_output=True, text=True).stdout
    reports = [json.loads(line) for line in answer.splitlines()]
    wrong = 0
    for report in reports:
        sure = [spine["confidence"] for spine in report["spines"] if spine["confidence"] > options.limit]
        if sure:
            wrong += 1
            print(f"{pathlib.Path(report['image']).name}: {len(sure)} spines, the surest {max(sure):.2f}")
    print(f"{wrong} of {len(reports)} pictures have spines above {options.limit:g}")


if __name__ == "__main__":
    main()
