#!/usr/bin/env python3
"""Runs the Python blocks of Docs/Porting.md and compares what they print with what the page says.

    python3 -m venv /tmp/porting-venv
    /tmp/porting-venv/bin/pip install -r Fixtures/reference/porting_requirements.txt
    /tmp/porting-venv/bin/python Fixtures/reference/porting_check.py [PAGE...]

Each block is a program of its own. A line `print(...)  # text` has to print that text. The Swift block behind a Python
block has to claim the same texts in the same order: `print(...)  // text`. `.ci/snippets Docs/Porting.md` proves those,
so that both together prove that Python and Tally print the same. Prints PAGE:LINE: what is wrong; exit code 1 if
anything is. CI does not run it.
"""

import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
CLAIM = {"python": re.compile(r"(\s*)print\((.*)\)\s+# (.*)$"), "swift": re.compile(r"(\s*)print\((.*)\)\s+// (.*)$")}


def blocks(page):
    """The Python and Swift blocks of a page: language, number of the first line, lines."""
    found, current = [], None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if current is None and line.startswith("```"):
            current = (line[3:], number + 1, [])
        elif current is not None and line == "```":
            if current[0] in CLAIM:
                found.append(current)
            current = None
        elif current is not None:
            current[2].append(line)
    return found


def claims(block):
    """What a block says it prints."""
    language, _, lines = block
    return [match[3] for line in lines if (match := CLAIM[language].match(line))]


def faults(page, block):
    """Runs a Python block."""
    _, first, lines = block
    found, seen = [], set()

    def shown(number, text, *items):
        seen.add(number)
        printed = " ".join(str(item) for item in items)
        if printed != text:
            found.append(f"{page}:{number}: prints {printed}")

    program, claimed = "\n" * (first - 1), []
    for number, line in enumerate(lines, first):
        if match := CLAIM["python"].match(line):
            claimed.append(number)
            line = f"{match[1]}shown({number}, {match[3]!r}, {match[2]})"
        program += line + "\n"
    try:
        exec(compile(program, str(page), "exec"), {"__name__": "page", "shown": shown})
    except Exception as error:
        trace, number = error.__traceback__, first
        while trace:
            number = trace.tb_lineno if trace.tb_frame.f_code.co_filename == str(page) else number
            trace = trace.tb_next
        found.append(f"{page}:{number}: {type(error).__name__}: {error}")
        return found
    return found + [f"{page}:{number}: prints nothing" for number in claimed if number not in seen]


def main():
    pages = [pathlib.Path(name) for name in sys.argv[1:]] or [TOP / "Docs/Porting.md"]
    found, count = [], 0
    for page in pages:
        all_blocks = blocks(page)
        for place, block in enumerate(all_blocks):
            if block[0] != "python":
                continue
            count += 1
            found += faults(page, block)
            partner = all_blocks[place + 1] if place + 1 < len(all_blocks) else ("", 0, [])
            if partner[0] != "swift":
                found.append(f"{page}:{block[1]}: no Swift block comes next")
            elif claims(partner) != claims(block):
                found.append(f"{page}:{partner[1]}: claims other results than the Python block before it")
            elif not claims(block):
                found.append(f"{page}:{block[1]}: claims no results")
    for fault in found:
        print(fault)
    print(f"{count} Python blocks")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
