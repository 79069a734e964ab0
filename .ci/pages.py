"""Pages as scripts need them: names of headings, Swift blocks, and the program that the blocks of a page make.

`.ci/snippets` says what pages may have.
"""

import json
import pathlib
import re

from modules import TOP

GUIDES = TOP / "Docs/Examples/Guides"
# Pages that need Apple's modules.
APPLE = {"Docs/iOS.md", "Sources/Reference/AppleVision/AppleVision.docc/AppleVision.md"}


def heading_text(heading: str) -> str:
    """A heading without marks of code and links."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.replace("`", "")).strip()


def anchor(heading: str) -> str:
    """The name that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading_text(heading).lower()).replace(" ", "-")


def all_pages() -> list[pathlib.Path]:
    found = [TOP / "README.md", *TOP.glob("Docs/*.md"), *TOP.glob("Docs/Examples/*.md"), *TOP.glob("Docs/*.docc/*.md")]
    found += [*TOP.glob("Sources/*/*/*.docc/*.md"), *TOP.glob("Docs/*.docc/**/*.swift")]
    return sorted(page for page in found if str(page.relative_to(TOP)) not in APPLE)


def blocks(page: pathlib.Path) -> list[tuple[int, list[str]]]:
    """The Swift blocks of a page, each with the number of its first line."""
    if page.suffix == ".swift":
        return [(1, page.read_text().splitlines())]
    found, current, fence = [], None, None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if fence is None and line.lstrip().startswith("```"):
            fence = line[:len(line) - len(line.lstrip())]
            current = (number + 1, []) if line.strip() == "```swift" else None
        elif fence is not None and line.strip() == "```":
            if current:
                found.append(current)
            fence = current = None
        elif current:
            current[1].append(line.removeprefix(fence))
    return found


def is_manifest(lines: list[str]) -> bool:
    return "\n".join(lines).startswith(("// Package.swift", "// swift-tools-version", ".product("))


def has_guide(page: pathlib.Path) -> bool:
    """Whether a page may have a file in GUIDES; of two pages with one name, only one has."""
    return page == TOP / "README.md" or page.is_relative_to(TOP / "Docs") and page.name != "README.md"


def program(page: pathlib.Path, head: str = "", tail: str = "") -> str:
    """The program that the Swift blocks of a page make, between declarations and what calls `page()`.

    CLAIMS in the head becomes the lines that say what they print, which call `shown` of the head.
    """
    guide = GUIDES / f"{page.stem}.swift"
    before, inside = "", ""
    if has_guide(page) and guide.exists():
        before, _, inside = guide.read_text().partition("// begin\n")
    imports, claims, body, ends = [], [], "", ""
    for number, lines in blocks(page):
        if is_manifest(lines):
            continue
        body += f"do {{\n#sourceLocation(file: \"{page.relative_to(TOP)}\", line: {number})\n"
        ends += "}\n"
        for here, line in enumerate(lines, number):
            if re.match(r"(@preconcurrency )?import ", line):
                imports.append(line)
                line = ""
            # A line that says what it prints.
            if match := re.match(r"(\s*)print\((.*)\)\s+// (.*)$", line):
                claims.append(here)
                line = f"{match[1]}shown({here}, {json.dumps(match[3])}, {match[2]})"
            body += line + "\n"
    own = f"#sourceLocation(file: \"{guide.relative_to(TOP)}\", line: 1)\n{before}#sourceLocation()\n" if before else ""
    start = before.count("\n") + 2
    given = f"#sourceLocation(file: \"{guide.relative_to(TOP)}\", line: {start})\n{inside}" if inside else ""
    head = head.replace("CLAIMS", str(claims))
    unique = "\n".join(dict.fromkeys(imports)) + "\n"
    return f"{unique}{own}{head}func page() async throws {{\n{given}{body}#sourceLocation()\n{ends}}}\n{tail}"
