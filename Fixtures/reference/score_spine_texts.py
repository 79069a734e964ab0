#!/usr/bin/env python3
"""Says for how many spines every word is read: Fixtures/reference/score_spine_texts.py TRUTH.json < LINES

LINES is what `tally text --json` prints of photos; TRUTH.json has the `texts` of each photo's spines. A spine is read
where each of its words of four letters or more is found in some line of its photo: case, spaces and marks ignored, at
most one letter wrong, missing or too many. Several objects of one photo are taken together.
"""

import json
import pathlib
import re
import sys


def letters(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def alike(a, b):
    """Whether at most one edit lies between two words."""
    if abs(len(a) - len(b)) > 1:
        return False
    same = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return a == b or a[same + 1:] == b[same + 1:] or a[same + 1:] == b[same:] or a[same:] == b[same + 1:]


def found(word, line):
    sizes = (len(word) - 1, len(word), len(word) + 1)
    return any(alike(word, line[i:i + n]) for n in sizes for i in range(len(line) - n + 1))


def main():
    truth = json.loads(pathlib.Path(sys.argv[1]).read_text())
    read = {}
    for photo in map(json.loads, sys.stdin):
        lines = read.setdefault(pathlib.Path(photo["image"]).name, [])
        lines += [letters(line["text"]) for line in photo["lines"]]
    right = spines = 0
    for name, photo in truth.items():
        for text in photo.get("texts", []):
            words = [w for w in map(letters, re.split(r"[\s-]+", text)) if len(w) >= 4]
            missing = [w for w in words if not any(found(w, line) for line in read.get(name, []))]
            spines += 1
            right += not missing
            if missing:
                print(f"{name}: {text}: not read: {', '.join(missing)}")
    print(f"{right} of {spines} spines")


if __name__ == "__main__":
    main()
