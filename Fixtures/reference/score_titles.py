#!/usr/bin/env python3
"""Says how many titles are chosen right: Fixtures/reference/score_titles.py TRUTH.json < SCAN

SCAN is what `tally scan --json` prints of photos; TRUTH.json has the `titles` of each photo's spines, and may have
their `subtitles` (Fixtures/Truth/shelf_titles.json). A title is right where some spine of its photo has it: case, spaces, marks and
accents ignored, with an edit distance of at most a tenth of its letters, and of 1 at least. The subtitle may stand behind
or before it. Each spine answers for one title. Misses are printed.
"""

import json
import pathlib
import sys
import unicodedata


def letters(text):
    text = unicodedata.normalize("NFKD", (text or "").lower().replace("ł", "l"))
    return "".join(c for c in text if c.isalnum())


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        next_row = [i]
        for j, y in enumerate(b, 1):
            next_row.append(min(row[j] + 1, next_row[-1] + 1, row[j - 1] + (x != y)))
        row = next_row
    return row[-1]


def alike(read, true):
    return distance(read, true) <= max(1, len(true) // 10)


def is_right(spine, title, subtitle):
    forms = [letters(title), letters(title) + letters(subtitle), letters(subtitle) + letters(title)]
    read = letters(spine["title"])
    whole = read + letters(spine.get("subtitle"))
    return any(alike(read, form) or alike(whole, form) for form in forms)


def main():
    truth = json.loads(pathlib.Path(sys.argv[1]).read_text())
    spines = {}
    for photo in map(json.loads, sys.stdin):
        spines.setdefault(pathlib.Path(photo["image"]).name, []).extend(photo["spines"])
    right = titles = 0
    for name, photo in truth.items():
        rest = list(spines.get(name, []))
        names = photo.get("titles", [])
        for title, subtitle in zip(names, photo.get("subtitles") or [""] * len(names)):
            if not title:
                continue
            titles += 1
            found = next((s for s in rest if is_right(s, title, subtitle)), None)
            if found is None:
                print(f"{name}: {title}")
            else:
                right += 1
                rest.remove(found)
    print(f"{right} of {titles} titles")


if __name__ == "__main__":
    main()
