"""Uses the pages of `tally serve` as a person would, in Chromium.

    python3 -m venv /tmp/report-venv
    /tmp/report-venv/bin/pip install -r Fixtures/reference/report_requirements.txt
    /tmp/report-venv/bin/python Fixtures/reference/serve_check.py --tally .build/release/tally --shots shots

The server is started on a free port with an empty folder for its data. The start page, empty and with counts, and a
count's page are shown at four widths, dark and light: axe-core finds nothing, and nothing is wider than the screen.
Photos are chosen, dropped and pasted; a text, a photo that is too large, a name that looks like a tag, a busy server
and a photo that is cancelled leave the page well. By the keyboard alone a count is opened, its photo is counted again
with a box that was drawn, and the count is corrected, kept, saved to the history and made a template, which the next
photo uses. The roles and names of the controls are those that Chromium gives to a screen reader. At last the server is
killed while a photo is sent, and started again on the same port.

With `--url` a running server that holds no counts is used instead; then it is not killed. See report_check.py for what
has to be installed. CI does not run it.
"""

import argparse
import base64
import contextlib
import io
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import urllib.parse

import numpy
from PIL import Image
from playwright.sync_api import expect, sync_playwright

from report_check import AXE, LAYOUT, WIDTHS

IMAGES = pathlib.Path(__file__).parents[1] / "Images"
COINS, JAR = IMAGES / "coins.png", IMAGES / "jar.jpg"
SCREENS = {"narrow": (320, 640), **WIDTHS}
# Gives files to the page as dropping or pasting does.
GIVE = """([kind, files]) => {
  const transfer = new DataTransfer();
  for (const { name, type, text, size } of files) {
    const bytes = size ? new Uint8Array(size) : Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type }));
  }
  const options = { bubbles: true, cancelable: true };
  const target = document.getElementById("zone");
  if (kind === "paste") {
    document.dispatchEvent(new ClipboardEvent("paste", { ...options, clipboardData: transfer }));
  } else {
    for (const name of ["dragenter", "dragover", "drop"]) {
      target.dispatchEvent(new DragEvent(name, { ...options, dataTransfer: transfer }));
    }
  }
}"""


class Server:
    """A server that was started here; or one that runs already."""

    def __init__(self, tally, url):
        self.tally, self.address, self.process = tally, url, None
        self.folder = pathlib.Path(tempfile.mkdtemp())
        if tally:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = free.getsockname()[1]
            self.start()

    def start(self):
        environment = os.environ | {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder / "data")}
        environment.pop("TALLY_TEMPLATES", None)
        self.process = subprocess.Popen(
            [self.tally, "serve", "--port", str(self.port)], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        line = ""
        while not (found := re.search(r"http://\S+", line)):
            line = self.process.stdout.readline()
            assert line, f"the server ended with {self.process.wait()}"
        self.address = found.group()

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()


class Reader:
    """A browser's page that takes note of what was complained of."""

    def __init__(self, browser, address, width=1280, height=900, scheme="light", touch=False):
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=touch)
        self.page = self.context.new_page()
        self.complaints = []
        host = urllib.parse.urlsplit(address).netloc
        self.page.on("console", lambda message: self.complaints.append(f"console: {message.text[:200]}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        self.page.on("request", lambda request: self.complaints.append(f"asked for {request.url[:80]}")
                     if request.url.startswith("http") and urllib.parse.urlsplit(request.url).netloc != host else None)
        self.questions = []
        self.page.on("dialog", self.agree)
        self.page.goto(address)

    def agree(self, dialog):
        """Leaving a page with work in it asks first; a person who means it goes on."""
        self.questions.append(dialog.message or dialog.type)
        dialog.accept()

    def expect_failures(self, part):
        """Takes out what the browser says of answers that the test asked for."""
        rest = [line for line in self.complaints if not ("Failed to load resource" in line and part in line)]
        assert len(rest) < len(self.complaints), (part, self.complaints)
        self.complaints[:] = rest

    def close(self):
        self.context.close()
        assert not self.complaints, self.complaints


def give(page, kind, *files):
    page.evaluate(GIVE, [kind, files])


def photo(path, name=None):
    return {"name": name or path.name, "type": f"image/{path.suffix[1:].replace('jpg', 'jpeg')}",
            "text": base64.b64encode(path.read_bytes()).decode()}


def noise(side):
    """A PNG that cannot be made smaller: its sending takes a while on a slow line."""
    file = io.BytesIO()
    Image.fromarray(numpy.random.default_rng(7).integers(0, 256, (side, side, 3), numpy.uint8)).save(file, "PNG")
    return {"name": "noise.png", "mimeType": "image/png", "buffer": file.getvalue()}


@contextlib.contextmanager
def slow(page, bytes_per_second):
    """Photos are sent slowly as long as this lasts."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_per_second})
    yield
    session.detach()


def tab_to(page, selector, back=False, most=250):
    """Goes by Tab alone to an element."""
    for _ in range(most):
        if page.evaluate("(what) => document.activeElement?.matches(what) ?? false", selector):
            return
        page.keyboard.press("Shift+Tab" if back else "Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def names(page):
    """The roles and names that Chromium gives to a screen reader."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    return {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]}


def has(page, *expected):
    found = names(page)
    missing = set(expected) - found
    assert not missing, f"not in the accessibility tree: {missing}; there are {sorted(found)[:80]}"


def looks(page, title, shots):
    """What axe-core and the layout say of a page as it is now."""
    page.evaluate(AXE)
    violations = page.evaluate("axe.run()")["violations"]
    found = [f"axe {violation['id']}: {violation['help']}: " + "; ".join(
        node["html"][:140] for node in violation["nodes"][:3]) for violation in violations]
    found += page.evaluate(LAYOUT)
    if shots:
        page.screenshot(path=shots / f"{title}.png", full_page=True)
    assert not found, f"{title}: {found}"


def looked_at(browser, address, title, shots, prepare=lambda page: None):
    for screen, (width, height) in SCREENS.items():
        for scheme in ("light", "dark"):
            is_touch = screen in ("narrow", "phone")
            reader = Reader(browser, address, width, height, scheme, is_touch)
            reader.page.wait_for_load_state("networkidle")
            prepare(reader.page)
            looks(reader.page, f"{title}-{screen}-{scheme}", shots)
            if title.startswith("start"):
                assert reader.page.get_by_role("button", name="Take a photo").is_visible() == is_touch
            reader.close()
    print(f"{title}: well at {len(SCREENS)} widths, dark and light", flush=True)


def entry(page, name):
    return page.locator("#counts li").filter(has=page.locator("bdi", has_text=re.compile(f"^{re.escape(name)}$")))


def adding(browser, address, shots):
    """Photos by all ways, and what cannot be counted."""
    reader = Reader(browser, address)
    page = reader.page
    expect(page.locator("#empty")).to_be_visible()
    has(page, ("button", "Choose photos"), ("heading", "Add photos"), ("heading", "Counts"), ("status", ""))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose photos").click()
    chooser.value.set_files([COINS, JAR])
    expect(page.locator("#counts li")).to_have_count(2)
    expect(page.locator("#queue-section")).to_be_hidden()
    expect(entry(page, "coins.png").locator(".count")).to_have_text("24 objects (22 to 26)")
    expect(page.locator("#status")).to_have_text(re.compile(r"^(coins.png|jar.jpg): \d+ objects"))
    page.locator("#counts img").first.scroll_into_view_if_needed()
    page.wait_for_function("[...document.images].every((one) => one.complete && one.naturalWidth > 0)")
    has(page, ("link", "Open coins.png"), ("button", "Forget coins.png"), ("link", "Open jar.jpg"),
        ("heading", "coins.png"))

    name = "<img src=x onerror=alert(1)> & co.png"
    give(page, "drop", photo(COINS, name), photo(COINS, "dropped.png"))
    expect(entry(page, name)).to_have_count(1)
    expect(entry(page, "dropped.png")).to_have_count(1)
    give(page, "paste", photo(COINS, "pasted.png"))
    expect(page.locator("#counts li").first.locator("bdi")).to_have_text("pasted.png")

    # A text: words beside it, and the page goes on.
    page.set_input_files("#files", {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no photo at all"})
    failed = page.locator("#queue li", has_text="notes.txt")
    expect(failed.get_by_role("button", name="Try again notes.txt")).to_be_visible()
    said = failed.locator(".state").inner_text()
    assert re.search(r"\w+ \w+.*\.$", said), said
    expect(page.locator("#status")).to_have_text(f"notes.txt: {said}")
    reader.expect_failures("4")
    looks(page, "start-failed", shots)
    failed.get_by_role("button", name="Try again notes.txt").click()
    expect(page.locator("#status")).to_have_text(f"notes.txt: {said}")
    expect(failed.get_by_role("button", name="Try again notes.txt")).to_be_focused()
    reader.expect_failures("4")
    failed.get_by_role("button", name="Remove notes.txt").press("Enter")
    expect(page.locator("#queue-section")).to_be_hidden()
    expect(page.get_by_role("button", name="Choose photos")).to_be_focused()

    # One that is too large is not sent.
    sent = []
    page.on("request", lambda request: sent.append(request.url) if "/count?" in request.url else None)
    give(page, "drop", {"name": "large.jpg", "type": "image/jpeg", "size": 65_000_000})
    expect(page.locator("#queue .state")).to_have_text("It has 65 MB; the server takes at most 64 MB.")
    expect(page.locator("#queue").get_by_role("button")).to_have_count(1)
    page.get_by_role("button", name="Remove large.jpg").click()
    assert not sent, sent

    # A busy server is asked again.
    times = []

    def busy(route):
        times.append(route.request.url)
        if len(times) == 1:
            route.fulfill(status=503, headers={"Retry-After": "1"}, json={"error": "too much to do"})
        else:
            route.continue_()

    page.route("**/count?*", busy)
    page.set_input_files("#files", COINS)
    expect(page.locator("#queue .state")).to_contain_text("busy")
    expect(page.locator("#counts li").first.locator("bdi")).to_have_text("coins.png")
    assert len(times) == 2, times
    page.unroute("**/count?*")
    reader.expect_failures("503")

    # Two at a time on a slow line; each can be cancelled, and all of them.
    before = page.locator("#counts li").count()
    with slow(page, 20_000):
        page.set_input_files("#files", [noise(400) | {"name": f"noise-{at}.png"} for at in range(4)])
        expect(page.locator("#queue .state", has_text=re.compile(r"^Sending: \d+ %$"))).to_have_count(2)
        expect(page.locator("#queue .state", has_text="Waiting")).to_have_count(2)
        expect(page.locator("#queue progress:visible")).to_have_count(2)
        has(page, ("button", "Cancel noise-0.png"), ("progressbar", "Progress of noise-0.png"),
            ("button", "Cancel all"))
        looks(page, "start-sending", shots)
        page.get_by_role("button", name="Cancel noise-0.png").press("Enter")
        expect(page.locator("#queue li")).to_have_count(3)
        expect(page.locator("#status")).to_have_text("noise-0.png is cancelled.")
        expect(page.get_by_role("button", name="Cancel noise-1.png")).to_be_focused()
        expect(page.locator("#queue .state", has_text="Sending")).to_have_count(2)
        page.get_by_role("button", name="Cancel all").press("Enter")
        expect(page.locator("#queue-section")).to_be_hidden()
        expect(page.get_by_role("button", name="Choose photos")).to_be_focused()
    page.set_input_files("#files", COINS)
    expect(page.locator("#counts li")).to_have_count(before + 1)

    # Forgetting goes on to the next entry.
    first = page.locator("#counts li").first
    first.get_by_role("button").press("Enter")
    expect(page.locator("#counts li")).to_have_count(before)
    expect(page.locator("#counts li").first.get_by_role("button")).to_be_focused()
    expect(page.locator("#status")).to_have_text("coins.png is forgotten.")
    page.reload()
    expect(page.locator("#counts li")).to_have_count(before)
    assert not reader.questions, reader.questions

    # Without the key the page says what to do.
    page.route("**/counts", lambda route: route.fulfill(status=401, json={"error": "no key"}))
    page.reload()
    expect(page.locator("#gone-text")).to_contain_text("Open the address that “tally serve” printed.")
    page.unroute("**/counts")
    page.click("#gone-retry")
    expect(page.locator("#gone")).to_be_hidden()
    expect(page.locator("#counts li")).to_have_count(before)
    reader.expect_failures("401")
    reader.close()
    print("start page: chosen, dropped, pasted, refused, cancelled and forgotten photos are well", flush=True)


def by_keyboard(browser, server, shots):
    """A count is opened, counted again, corrected, kept, saved and made a template without a mouse."""
    reader = Reader(browser, server.address)
    page = reader.page
    expect(entry(page, "dropped.png")).to_have_count(1)
    tab_to(page, "a[aria-label='Open dropped.png']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/counts/*")
    first = page.url
    has(page, ("navigation", "Counts"), ("link", "All counts"), ("button", "Keep the correction"),
        ("button", "Save to the history"), ("button", "Make a template"), ("textbox", "Name of a template"),
        ("heading", "On the server"))
    assert not page.get_by_role("button", name="Count again").is_visible(), "nothing is drawn yet"

    tab_to(page, "#guide-like")
    page.keyboard.press("Enter")
    tab_to(page, "#viewer", back=True)
    page.keyboard.press("n")
    page.keyboard.press("a")
    has(page, ("button", "Count again"), ("button", "Copy the command"))
    assert "--like" in page.inner_text("#guide-command")
    drawn = page.locator("#guide-list input").input_value()
    looks(page, "count-marks", shots)
    # A failure is told, and the page stays.
    page.route("**/counts/*/count?*", lambda route: route.fulfill(status=503, json={"error": "too much to do"}))
    tab_to(page, "#count-again")
    page.keyboard.press("Enter")
    expect(page.locator("#again-status")).to_have_text("Too much to do.")
    reader.expect_failures("503")
    page.unroute("**/counts/*/count?*")
    with page.expect_request(re.compile("/count\\?")) as request:
        page.keyboard.press("Enter")
    query = urllib.parse.parse_qsl(urllib.parse.urlsplit(request.value.url).query)
    assert query == [("like", drawn)], request.value.url
    page.wait_for_url(lambda url: "/counts/" in url and url != first)
    second = page.url
    assert page.locator("#guide-list input").count() == 1, "the new page begins with the marks"

    count = int(page.inner_text("#count"))
    tab_to(page, "#keep")
    page.keyboard.press("Enter")
    expect(page.locator("#served-status")).to_have_text("There is no change to keep.")
    tab_to(page, "#correct", back=True)
    page.keyboard.press("Enter")
    tab_to(page, "#viewer", back=True)
    page.keyboard.press("n")
    page.keyboard.press("Delete")
    expect(page.locator("#count")).to_have_text(str(count - 1))
    tab_to(page, "#keep")
    page.keyboard.press("Enter")
    expect(page.locator("#served-status")).to_have_text(
        f"Kept: {count - 1} objects; the machine counted {count}.")
    expect(page.locator("#keep")).to_be_focused()
    # The history keeps a newer change first.
    tab_to(page, "#viewer", back=True)
    page.keyboard.press("n")
    page.keyboard.press("Delete")
    expect(page.locator("#count")).to_have_text(str(count - 2))
    tab_to(page, "#history")
    page.keyboard.press("Enter")
    expect(page.locator("#served-status")).to_have_text(re.compile("^Saved to the history: .+"))
    path = page.inner_text("#served-status").removeprefix("Saved to the history: ").removesuffix(".")
    assert not server.process or pathlib.Path(path).stat().st_size > 0, path
    page.keyboard.press("Enter")
    expect(page.locator("#served-status")).to_have_text("This count is in the history already.")

    tab_to(page, "#template-name")
    page.keyboard.type("no name")
    page.keyboard.press("Enter")
    expect(page.locator("#served-status")).to_contain_text("begins with a letter")
    expect(page.locator("#template-name")).to_have_attribute("aria-invalid", "true")
    looks(page, "count-wrong-name", shots)
    page.keyboard.press("Control+a")
    page.keyboard.type("coins-1")
    page.keyboard.press("Enter")
    expect(page.locator("#served-status")).to_contain_text(f"“coins-1” was made from {count - 2} objects")
    page.keyboard.press("Enter")
    expect(page.locator("#served-status")).to_contain_text("There is a template “coins-1” already.")
    reader.expect_failures("409")
    has(page, ("button", "Replace the old one"))
    looks(page, "count-replace", shots)
    tab_to(page, "#replace-template")
    page.keyboard.press("Enter")
    expect(page.locator("#served-status")).to_contain_text("was made from")
    expect(page.locator("#make-template")).to_be_focused()
    expect(page.locator("#replace-template")).to_be_hidden()

    # What was kept is there when the page is opened again; nothing asks when it is left.
    page.reload()
    expect(page.locator("#count")).to_have_text(str(count - 2))
    tab_to(page, "#all-counts")
    page.keyboard.press("Enter")
    page.wait_for_url(server.address)
    expect(page.locator("#counts li").first.locator(".count")).to_have_text(f"{count - 2} objects")
    expect(page.locator("#counts li").first).to_contain_text("corrected by a person")
    assert page.locator("#counts .open").first.evaluate("(link) => link.href") == second

    # The next photo with the template.
    tab_to(page, "#template")
    page.keyboard.press("ArrowDown")
    assert page.locator("#template").input_value() == "coins-1"
    has(page, ("combobox", "What to count"))
    before = page.locator("#counts li").count()
    with page.expect_request(re.compile("/count\\?")) as request:
        page.set_input_files("#files", COINS)
    assert "template=coins-1" in request.value.url, request.value.url
    expect(page.locator("#counts li")).to_have_count(before + 1)
    looks(page, "start-template", shots)
    assert not reader.questions, reader.questions

    # A person's work is not lost without a question.
    page.goto(first)
    page.click("#correct")
    page.focus("#viewer")
    page.keyboard.press("n")
    page.keyboard.press("Delete")
    page.goto(server.address)
    assert reader.questions == ["beforeunload"], reader.questions
    entry(page, "dropped.png").first.get_by_role("button").press("Enter")
    expect(page.locator("#counts li")).to_have_count(before)
    assert reader.questions[1:] == ["Forget dropped.png and its correction?"], reader.questions
    reader.close()
    print("count page: counted again, corrected, kept, saved and made a template by the keyboard", flush=True)
    return first


def losing(browser, server, shots):
    """The server dies while a photo is sent, and comes back on the same port."""
    reader = Reader(browser, server.address)
    page = reader.page
    expect(page.locator("#counts li").first).to_be_visible()
    count = Reader(browser, page.locator("#counts .open").last.evaluate("(link) => link.href"))
    with slow(page, 20_000):
        page.set_input_files("#files", [noise(400) | {"name": f"noise-{at}.png"} for at in range(3)])
        expect(page.locator("#queue .state", has_text=re.compile(r"^Sending: \d+ %$"))).to_have_count(2)
        server.kill()
        expect(page.locator("#gone")).to_be_visible()
        expect(page.locator("#gone-text")).to_contain_text("The server does not answer.")
        expect(page.locator("#queue .state", has_text="does not answer")).to_have_count(2)
        expect(page.locator("#queue .state", has_text="Waiting")).to_have_count(1)
        has(page, ("alert", ""), ("button", "Try again"), ("button", "Try again noise-0.png"))
        looks(page, "start-gone", shots)
        page.get_by_role("button", name="Try again", exact=True).press("Enter")
        expect(page.locator("#gone")).to_be_visible()
        count.page.click("#history")
        expect(count.page.locator("#served-status")).to_contain_text("The server does not answer.")
        looks(count.page, "count-gone", shots)
        server.start()
    page.get_by_role("button", name="Try again", exact=True).press("Enter")
    expect(page.locator("#gone")).to_be_hidden()
    expect(page.locator("#counts li")).to_have_count(3)
    expect(page.locator("#queue-section")).to_be_hidden()
    count.page.click("#history")
    expect(count.page.locator("#served-status")).not_to_contain_text("does not answer")
    expect(count.page.locator("#served-status.failed")).to_be_visible()
    for one in (reader, count):
        one.complaints[:] = [line for line in one.complaints if "Failed to load resource" not in line]
        one.close()
    print("start page: the end of the server is told, and the photos go to the next one", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--tally", help="the command whose server is started")
    which.add_argument("--url", help="the address of a server that runs and holds no counts")
    parser.add_argument("--shots", type=pathlib.Path, help="a folder for what was seen")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    arguments = parser.parse_args()
    if arguments.shots:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=30_000)
    server = Server(arguments.tally, arguments.url)
    with sync_playwright() as playwright, contextlib.ExitStack() as stack:
        stack.callback(server.kill)
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        looked_at(browser, server.address, "start-empty", arguments.shots)
        adding(browser, server.address, arguments.shots)
        looked_at(browser, server.address, "start-counts", arguments.shots)
        address = by_keyboard(browser, server, arguments.shots)

        def drawn(page):
            page.click("#guide-like")
            page.focus("#viewer")
            page.keyboard.press("n")
            page.keyboard.press("a")

        looked_at(browser, address, "count", arguments.shots, drawn)
        if server.process:
            losing(browser, server, arguments.shots)
        else:
            print("the end of the server was not tried: it was not started here", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
