"""Pages as scripts need them: names of headings, Swift blocks, and the program that the blocks of a page make.

`.ci/snippets` says what pages may have.
"""

import json
import pathlib
import re

from modules import TOP

GUIDES = TOP / "Docs/Examples/Guides"
# Pages that need Apple's modules.
APPLE = {
    "Docs/iOS.md", "Sources/Imaging/Raster/Raster+CameraFrames.swift", "Sources/Reference/AppleVision",
    "Sources/Reference/AppleVision/AppleVision.docc/AppleVision.md"}


def heading_text(heading: str) -> str:
    """A heading without marks of code and links."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.replace("`", "")).strip()


def anchor(heading: str) -> str:
    """The name that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading_text(heading).lower()).replace(" ", "-")


def all_pages() -> list[pathlib.Path]:
    found = [TOP / "README.md", *TOP.glob("Docs/*.md"), *TOP.glob("Docs/Examples/*.md"), *TOP.glob("Docs/*.docc/*.md")]
    found += [*TOP.glob("Sources/*/*/*.docc/*.md"), *TOP.glob("Docs/*.docc/**/*.swift")]
    found += [folder for folder in TOP.glob("Sources/*/*") if folder.is_dir()]
    return sorted(page for page in found if not is_apple(page))


def is_apple(page: pathlib.Path) -> bool:
    return str(page.relative_to(TOP)) in APPLE


def files(page: pathlib.Path) -> list[pathlib.Path]:
    """The files that have the blocks of a page; the page of a module is its folder."""
    if not page.is_dir():
        return [page]
    return sorted(file for file in page.rglob("*.swift") if not is_apple(file))


def module(page: pathlib.Path) -> str | None:
    """The module of a page of doc comments."""
    if page.suffix != ".md" and page.is_relative_to(TOP / "Sources"):
        return page.relative_to(TOP).parts[2]
    return None


def block_count(page: pathlib.Path) -> int:
    return sum(len(blocks(file)) for file in files(page))


def blocks(file: pathlib.Path) -> list[tuple[int, list[str]]]:
    """The Swift blocks of a file, each with the number of its first line."""
    text = file.read_text().splitlines()
    opening = {"```swift"}
    if module(file):
        text = [line.lstrip() for line in text]
        text = [line[3:].removeprefix(" ") if line.startswith("///") else "" for line in text]
        # A block without a language is Swift to a reader of a doc comment.
        opening.add("```")
    elif file.suffix == ".swift":
        return [(1, text)]
    found, current, fence = [], None, None
    for number, line in enumerate(text, 1):
        if fence is None and line.lstrip().startswith("```"):
            fence = line[:len(line) - len(line.lstrip())]
            current = (number + 1, []) if line.strip() in opening else None
        elif fence is not None and line.strip() == "```":
            if current:
                found.append(current)
            fence = current = None
        elif current:
            current[1].append(line.removeprefix(fence))
    return found


def is_manifest(lines: list[str]) -> bool:
    return "\n".join(lines).startswith(("// Package.swift", "// swift-tools-version", ".product("))


def guide(page: pathlib.Path) -> pathlib.Path | None:
    """The file of GUIDES with what the blocks of a page take from the app around them, if it has one."""
    if name := module(page):
        file = GUIDES / f"Sources/{name}.swift"
    # Of two pages with one name, only one has such a file.
    elif page == TOP / "README.md" or page.is_relative_to(TOP / "Docs") and page.name != "README.md":
        file = GUIDES / f"{page.stem}.swift"
    else:
        return None
    return file if file.exists() else None


def program(page: pathlib.Path, head: str = "", tail: str = "") -> str:
    """The program that the Swift blocks of a page make, between declarations and what calls `page()`.

    CLAIMS in the head becomes the lines that say what they print, which call `shown` of the head. A program with a
    head sets its `place` to the line that each block starts at.
    """
    before, inside, name = "", "", ""
    if given := guide(page):
        before, _, inside = given.read_text().partition("// begin\n")
        name = given.relative_to(TOP)
    imports, claims, body = [], [], ""
    if own := module(page):
        imports.append(f"import {own}")
    for file in files(page):
        ends = ""
        for number, lines in blocks(file):
            if is_manifest(lines):
                continue
            at = f"{file.relative_to(TOP)}:{number}"
            body += "do {\n" + (f"place = {json.dumps(at)}\n" if head else "")
            body += f"#sourceLocation(file: \"{file.relative_to(TOP)}\", line: {number})\n"
            ends += "}\n"
            for here, line in enumerate(lines, number):
                if re.match(r"(@preconcurrency )?import ", line):
                    imports.append(line)
                    line = ""
                # A line that says what it prints.
                if match := re.match(r"(\s*)print\((.*)\)\s+// (.*)$", line):
                    at = json.dumps(f"{file.relative_to(TOP)}:{here}")
                    claims.append(at)
                    line = f"{match[1]}shown({at}, {json.dumps(match[3], ensure_ascii=False)}, {match[2]})"
                body += line + "\n"
            body += "#sourceLocation()\n"
        body += ends
    declared = f"#sourceLocation(file: \"{name}\", line: 1)\n{before}#sourceLocation()\n" if before else ""
    start = before.count("\n") + 2
    first = f"#sourceLocation(file: \"{name}\", line: {start})\n{inside}#sourceLocation()\n" if inside else ""
    head = head.replace("CLAIMS", f"[{', '.join(claims)}]")
    unique = "\n".join(dict.fromkeys(imports)) + "\n"
    return f"{unique}{declared}{head}func page() async throws {{\n{first}{body}}}\n{tail}"
