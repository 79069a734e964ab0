"""Corrects a count in its report page as a person would, and holds the saved files against what was done.

    /tmp/report-venv/bin/python Fixtures/reference/report_corrections.py PHOTO --tally .build/release/tally

In Chromium: a box is pointed at and named; zoom by button and by key; one box is taken out, one is drawn, one is moved,
one is resized, all by the mouse, then one taken out by the keyboard and that undone. The saved correction goes back
through `tally count --correction`, whose labels pycocotools loads; they, the page's own COCO, YOLO and CSV files and
what the page shows have to be the same boxes. See report_check.py for what has to be installed.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright
from pycocotools.coco import COCO

MAIN = "#main rect[data-object]"
SHOWN = """() => [...document.querySelectorAll("#main rect:not(.removed)")].map((shape) =>
  ["x", "y", "width", "height"].map((name) => Number(shape.getAttribute(name))))"""


def center(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def free_place(page, side=24):
    """A place of the photo on the screen where no box is."""
    return page.evaluate("""(side) => {
      const frame = document.getElementById("picture").getBoundingClientRect();
      for (let y = Math.max(frame.top, 0) + 2; y + side < Math.min(frame.bottom, innerHeight); y += 6) {
        for (let x = frame.left + 2; x + side < frame.right; x += 6) {
          const free = [0, 0.25, 0.5, 0.75, 1].every((a) => [0, 0.25, 0.5, 0.75, 1].every((b) =>
            document.elementFromPoint(x + a * side, y + b * side)?.id === "picture"));
          if (free) return [x, y];
        }
      }
      return null;
    }""", side)


def close(boxes, others, most):
    """Whether two lists of boxes are the same but for their order."""
    return len(boxes) == len(others) and all(
        max(abs(a - b) for a, b in zip(one, other)) <= most
        for one, other in zip(sorted(boxes), sorted(others)))


def saved(page, button, folder):
    with page.expect_download() as download:
        page.click(button)
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def coco_boxes(path):
    coco = COCO(str(path))
    return [annotation["bbox"] for annotation in coco.loadAnns(coco.getAnnIds())]


def yolo_boxes(path, width, height):
    rows = [[float(word) for word in line.split()[1:]] for line in path.read_text().splitlines()]
    return [[(x - w / 2) * width, (y - h / 2) * height, w * width, h * height] for x, y, w, h in rows]


def csv_boxes(path):
    with open(path, newline="") as file:
        rows = [[float(row[name]) for name in ("left", "top", "right", "bottom")] for row in csv.DictReader(file)]
    return [[left, top, right - left, bottom - top] for left, top, right, bottom in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photo", type=pathlib.Path)
    parser.add_argument("--tally", default=".build/release/tally")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--shot", type=pathlib.Path, help="what the corrected page looks like")
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    subprocess.run([arguments.tally, "count", arguments.photo, "--report", folder / "page.html"], check=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1400})
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        page.goto((folder / "page.html").as_uri())
        page.locator("#viewer").scroll_into_view_if_needed()
        count = int(page.inner_text("#count"))
        boxes = page.locator(MAIN)

        page.mouse.move(*center(boxes.nth(0).bounding_box()))
        assert "score" in page.inner_text("#readout"), page.inner_text("#readout")
        assert page.locator(".tip").is_visible()
        before = page.locator("#overlay").get_attribute("viewBox")
        page.click("#zoom-in")
        page.focus("#viewer")
        page.keyboard.press("+")
        assert page.locator("#overlay").get_attribute("viewBox") != before
        page.keyboard.press("ArrowRight")
        page.keyboard.press("0")
        assert page.locator("#overlay").get_attribute("viewBox") == before
        # From whichever box the pointer crossed last to the next by number, all kinds alike.
        lit = page.evaluate("Number(document.querySelector('#overlay rect.lit').dataset.object)")
        total = page.locator("#overlay rect[data-object]").count()
        page.keyboard.press("n")
        assert f"Object {lit % total + 1}," in page.inner_text("#readout"), page.inner_text("#readout")

        page.click("#correct")
        place = free_place(page)
        assert place, "the photo has no free place to draw in"
        drag(page, place, (place[0] + 24, place[1] + 20))
        assert int(page.inner_text("#count")) == count + 1, page.inner_text("#count")
        # Boxes that no other lies over: what is pointed at is what is meant.
        alone = [index for index in range(boxes.count()) if page.evaluate(
            """([x, y, index]) => document.elementFromPoint(x, y) ===
            document.querySelectorAll("#main rect[data-object]")[index]""",
            [*center(boxes.nth(index).bounding_box()), index])]
        assert len(alone) >= 4, "too few boxes apart from each other"
        page.mouse.click(*center(boxes.nth(alone[0]).bounding_box()))
        assert int(page.inner_text("#count")) == count
        x, y = center(boxes.nth(alone[1]).bounding_box())
        drag(page, (x, y), (x + 15, y + 11))
        box = boxes.nth(alone[2]).bounding_box()
        corner = (box["x"] + box["width"] - 3, box["y"] + box["height"] - 3)
        drag(page, corner, (corner[0] + 12, corner[1] + 9))
        page.focus("#viewer")
        while not page.evaluate("document.querySelector('#main').contains(document.querySelector('rect.lit'))"):
            page.keyboard.press("n")
        page.keyboard.press("Delete")
        page.keyboard.press("a")
        page.click("#undo")
        page.click("#undo")
        assert int(page.inner_text("#count")) == count
        others = page.locator("#others rect")
        if others.count():
            page.mouse.click(*center(others.nth(0).bounding_box()))
            assert int(page.inner_text("#count")) == count + 1
            page.click("#undo")
        shown = page.evaluate(SHOWN)
        note = page.inner_text("#corrected")
        assert f"the machine counted {count}. Added 1, taken out 1, moved 2." in note, note
        files = {name: saved(page, f"#save-{name}", folder) for name in ("coco", "yolo", "csv")}
        correction = saved(page, "#save", folder)
        if arguments.shot:
            page.screenshot(path=arguments.shot)
        # The same correction opened in a fresh page.
        page.goto((folder / "page.html").as_uri())
        page.set_input_files("#open", correction)
        page.wait_for_function("document.getElementById('readout').textContent.includes('opened')")
        opened = page.evaluate(SHOWN)
        browser.close()
        assert not errors, errors

    written = json.loads(correction.read_text())
    width, height = written["width"], written["height"]
    labels = {ending: folder / f"command.{ending}" for ending in ("json", "txt", "csv")}
    for path in labels.values():
        subprocess.run([arguments.tally, "count", arguments.photo, "--correction", correction, "--labels", path,
                        "--report", folder / "corrected.html"], check=True)
    clipped = [[max(x, 0), max(y, 0), min(x + w, width) - max(x, 0), min(y + h, height) - max(y, 0)]
               for x, y, w, h in shown]
    # The page writes tenths of a pixel, an edge of a box is the sum of two of them.
    for name, found in {
        "opened again": opened, "the page's COCO": coco_boxes(files["coco"]),
        "the page's YOLO": yolo_boxes(files["yolo"], width, height), "the page's CSV": csv_boxes(files["csv"]),
        "the command's COCO": coco_boxes(labels["json"]),
        "the command's YOLO": yolo_boxes(labels["txt"], width, height), "the command's CSV": csv_boxes(labels["csv"]),
    }.items():
        expected = shown if name == "opened again" else clipped
        assert close(found, expected, 0.21), f"{name}: {sorted(found)[:3]} for {sorted(expected)[:3]}"
    exact = coco_boxes(labels["json"])
    assert close(yolo_boxes(labels["txt"], width, height), exact, 1e-4)
    print(f"{arguments.photo.name}: {count} counted, {len(exact)} boxes after the correction, the same in all files")


if __name__ == "__main__":
    sys.exit(main())
