#!/usr/bin/env python3
"""Writes the lines on spines as ShelfTitleTests reads them: Fixtures/reference/spine_lines.py < SCAN > LINES.json

SCAN is what `tally scan --json` prints of photos. Spines are in its order, those without text left out.
"""

import json
import pathlib
import sys


def lines_of(photo):
    spines = [[] for _ in photo["spines"]]
    for line in photo["lines"]:
        if line["spine"] is not None:
            outline = [round(value, 1) for corner in line["quad"] for value in corner]
            spines[line["spine"]].append(
                {"text": line["text"], "confidence": round(line["confidence"], 3), "outline": outline})
    return [lines for lines in spines if lines]


def main():
    photos = {pathlib.Path(photo["image"]).name: lines_of(photo) for photo in map(json.loads, sys.stdin)}
    print("{")
    for index, (name, spines) in enumerate(sorted(photos.items())):
        rows = ",\n    ".join(json.dumps(lines, ensure_ascii=False, separators=(",", ":")) for lines in spines)
        print(f'  {json.dumps(name)}: [\n    {rows}]{"," if index + 1 < len(photos) else ""}')
    print("}")


if __name__ == "__main__":
    main()
