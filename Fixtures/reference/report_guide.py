"""Says in a report page what to count, as a person would, and holds the command line against what was drawn.

    /tmp/report-venv/bin/python Fixtures/reference/report_guide.py PHOTO --tally .build/release/tally

In Chromium: a box is drawn around what to count and one tapped, one is drawn around what to leave out, a rectangle is
dragged and a polygon clicked; one box is removed, one changed by its numbers; then all of it by the keyboard. The
command line has to say these boxes, in the photo's pixels, and a name that the shell would take apart has to come
through whole. See report_check.py for what has to be installed.
"""

import argparse
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

from report_corrections import center, drag


def command(page):
    """The command line as the shell reads it: the photo's name, and each option with its numbers."""
    words = shlex.split(page.inner_text("#guide-command"))
    assert words[:2] == ["tally", "count"], words
    options = list(zip(words[3::2], words[4::2]))
    return words[2], [(name, [int(number) for number in numbers.split(",")]) for name, numbers in options]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photo", type=pathlib.Path)
    parser.add_argument("--tally", default=".build/release/tally")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--shot", type=pathlib.Path, help="what the page with all that was drawn looks like")
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    photo = folder / ("it's $(a) photo" + arguments.photo.suffix)
    shutil.copy(arguments.photo, photo)
    subprocess.run([arguments.tally, "count", photo, "--report", folder / "page.html"], check=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1400})
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        page.goto((folder / "page.html").as_uri())
        page.locator("#viewer").scroll_into_view_if_needed()
        frame = page.locator("#picture").bounding_box()
        width, height = json.loads(page.evaluate(
            "JSON.stringify(document.getElementById('overlay').getAttribute('viewBox').split(' ').slice(2).map(Number))"))
        scale = width / frame["width"]

        def at(x, y):
            """A place of the photo, as shares of its sides, on the screen."""
            return frame["x"] + x * frame["width"], frame["y"] + y * frame["height"]

        def near(numbers, expected):
            assert len(numbers) == len(expected) and all(
                abs(one - other) <= 1 + scale for one, other in zip(numbers, expected)), (numbers, expected)

        count = page.inner_text("#count")
        assert not page.locator("#guide-panel").is_visible()
        page.click("#guide-like")
        drag(page, at(0.1, 0.2), at(0.3, 0.5))
        name, options = command(page)
        assert name == photo.name, name
        assert [option for option, _ in options] == ["--like"], options
        near(options[0][1], [0.1 * width, 0.2 * height, 0.2 * width, 0.3 * height])
        shape = page.locator("#main rect[data-object]").nth(0)
        page.mouse.click(*center(shape.bounding_box()))
        near(command(page)[1][1][1], [float(shape.get_attribute(side)) for side in ("x", "y", "width", "height")])
        page.click("#guide-unlike")
        drag(page, at(0.6, 0.6), at(0.7, 0.75))
        page.click("#guide-region")
        drag(page, at(0.05, 0.05), at(0.9, 0.8))
        options = command(page)[1]
        assert [option for option, _ in options] == ["--like", "--like", "--unlike", "--region"], options
        near(options[3][1], [0.05 * width, 0.05 * height, 0.85 * width, 0.75 * height])
        corners = [(0.1, 0.1), (0.9, 0.15), (0.8, 0.9), (0.3, 0.7)]
        for corner in corners + corners[:1]:
            page.mouse.click(*at(*corner))
        near(command(page)[1][3][1], [value * side for corner in corners for value, side in zip(corner, (width, height))])
        if arguments.shot:
            page.screenshot(path=arguments.shot)
        assert page.locator("#guide-list li").count() == 4
        page.locator("#guide-list button").nth(0).click()
        field = page.locator("#guide-list input").nth(0)
        field.fill("10, 12, 40.4, 30")
        field.press("Tab")
        options = command(page)[1]
        assert [option for option, _ in options] == ["--like", "--unlike", "--region"], options
        assert options[0][1] == [10, 12, 40, 30], options
        field.fill("10,12,0,30")
        field.press("Tab")
        assert command(page)[1][0][1] == [10, 12, 40, 30] and "above 0" in page.inner_text("#readout")
        page.click("#guide-copy")
        # The page's policy lets nothing poll it by a script of its own.
        page.locator("#readout", has_text="command line is").wait_for()
        assert page.inner_text("#count") == count, "what is drawn for the next count changes this one"

        # The same page by the keyboard alone.
        page.goto((folder / "page.html").as_uri())
        page.focus("#guide-like")
        page.keyboard.press("Enter")
        page.focus("#viewer")
        page.keyboard.press("a")
        first = command(page)[1][0][1]
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Alt+ArrowDown")
        moved = command(page)[1][0][1]
        assert moved[0] > first[0] and moved[3] > first[3], (first, moved)
        page.keyboard.press("Escape")
        assert page.evaluate("document.activeElement.id") == "guide-like"
        assert page.get_attribute("#guide-like", "aria-pressed") == "false"
        page.focus("#guide-region")
        page.keyboard.press("Enter")
        page.focus("#viewer")
        page.keyboard.press("a")
        assert [option for option, _ in command(page)[1]] == ["--like", "--region"]
        page.keyboard.press("Delete")
        assert [option for option, _ in command(page)[1]] == ["--like"]
        browser.close()
        assert not errors, errors
    print(f"{arguments.photo.name}: the command line says what was drawn")


if __name__ == "__main__":
    sys.exit(main())
