#!/usr/bin/env python3
"""Fits the weights by which titles are chosen: Fixtures/Training/titles.py READINGS [--write]

    TALLY_SPINE_READINGS=READINGS swift test -c release --disable-testable-imports -Xswiftc -enable-testing --filter ShelfTitleTests

writes READINGS: all readings of the spines of photos whose titles are known, of spines written from
memory, and of noisy copies of these, each with the values of its features. The weights make the
right readings likely (a softmax over readings, as in `SpineReading`). The square of their distance
from those set by hand is a cost, as 190 spines are few for more than 100 weights. Each source's
titles are also chosen with weights that were fitted without that source; a source is who made the
photos. --write writes SpineWeights.swift. Needs NumPy and SciPy (Fixtures/requirements.txt), and 5
minutes.
"""

import collections
import json
import pathlib
import re
import sys

import numpy as np
from scipy.optimize import minimize

TOP = pathlib.Path(__file__).resolve().parents[2]
SOURCES = TOP / "Sources/Algorithms/SpineHeuristics/Reading"
sys.path.insert(0, str(TOP / "Fixtures/reference"))
from score_titles import alike, is_right, letters  # noqa: E402

TEMPERATURE = 1.5
STIFFNESS = 1.0  # 0.1, 0.3 and 1 had 166, 167 and 169 titles of held-out sources when they were compared
MEMORY = 0.25  # what a spine from memory counts, against one of a photo
READINGS = 100

# What was set by hand, from how spines look.
HAND = json.loads((pathlib.Path(__file__).parent / "titles.json").read_text())


def features():
    text = (SOURCES / "SpineFeature.swift").read_text()
    text = text[:text.index("/// What was found")]
    return [name.strip() for line in re.findall(r"^  case (.*)$", text, re.M)
            for name in line.split(",")]


NAMES = features()
START = np.array([HAND[name] for name in NAMES])


class Spine:
    def __init__(self, source, readings, right, author, weight):
        good = [bool(right(r)) for r in readings]
        kept = [i for i, g in enumerate(good) if i < READINGS or g][:READINGS + 5]
        readings = [readings[i] for i in kept]
        self.source, self.weight, self.readings = source, weight, readings
        self.values = np.zeros((len(readings), len(NAMES)))
        groups, self.group = {}, []
        for row, reading in zip(self.values, readings):
            for feature, value in reading["values"].items():
                row[int(feature)] = value
            key = letters(reading["title"]) + "/" + letters(reading["author"])
            self.group.append(groups.setdefault(key, len(groups)))
        self.titled = np.array([bool(r["title"]) for r in readings])
        self.right = np.array([good[i] for i in kept])
        self.both = self.right & np.array(
            [not author or alike(letters(r["author"]), letters(author)) for r in readings])

    def is_chosen_right(self, weights):
        """Whether the reading that SpineLabel would have first is right."""
        score = self.values @ weights / TEMPERATURE
        share = np.where(self.titled, np.exp(score - score.max()), 0)
        best = np.bincount(self.group, share).argmax()
        members = [i for i, g in enumerate(self.group) if g == best and self.titled[i]]
        return bool(self.right[max(members, key=lambda i: score[i])])


def load(path):
    """Spines with a right reading, and how many titles of photos have none."""
    truth = json.loads((TOP / "Fixtures/Truth/shelf_titles.json").read_text())
    photos, spines, without = collections.defaultdict(list), [], 0
    for line in open(path):
        spine = json.loads(line)
        if spine["photo"]:
            photos[spine["photo"]].append(spine["readings"])
            continue
        key = letters(spine["title"])
        new = Spine(
            "", spine["readings"],
            lambda r: letters(r["title"]) in (key, key + letters(r["subtitle"])),
            spine["author"], MEMORY)
        if new.right.any():
            spines.append(new)
    for name, photo in truth.items():
        count = len(photo["titles"])
        books = [b for b in zip(photo["titles"], photo.get("subtitles") or [""] * count,
                                photo.get("authors") or [""] * count) if b[0]]
        rest = photos[name]
        ranks = {(b, s): next((i for i, r in enumerate(readings)
                               if is_right(r, books[b][0], books[b][1])), None)
                 for b in range(len(books)) for s, readings in enumerate(rest)}
        ranks = {pair: rank for pair, rank in ranks.items() if rank is not None}
        found = 0
        while ranks:
            book, spine = min(ranks, key=lambda pair: (ranks[pair], pair))
            title, subtitle, author = books[book]
            spines.append(Spine(
                re.split("[_.]", name)[1], rest[spine],
                lambda r: is_right(r, title, subtitle), author, 1))
            found += 1
            ranks = {p: r for p, r in ranks.items() if p[0] != book and p[1] != spine}
        without += len(books) - found
    return spines, without


def logsum(values):
    return values.max() + np.log(np.exp(values - values.max()).sum())


def cost(weights, spines):
    total, slope = 0.0, np.zeros_like(weights)
    for spine in spines:
        score = spine.values @ weights / TEMPERATURE
        every = logsum(score)
        mean = spine.values.T @ np.exp(score - every)
        for mask, share in (spine.right, 1.0), (spine.both, 0.5):
            if mask.any():
                some = logsum(score[mask])
                total += share * spine.weight * (every - some)
                slope += share * spine.weight / TEMPERATURE * (
                    mean - spine.values[mask].T @ np.exp(score[mask] - some))
    away = weights - START
    return total + STIFFNESS * away @ away, slope + 2 * STIFFNESS * away


def fit(spines, start=START):
    options = {"maxiter": 100, "ftol": 1e-7}
    return minimize(cost, start, args=(spines,), jac=True, method="L-BFGS-B", options=options).x


def write(weights):
    rows = "".join(f"    {w:.2f},  // {name}\n" for name, w in zip(NAMES, weights))
    (SOURCES / "SpineWeights.swift").write_text(
        "extension SpineFeature {\n"
        "  /// What each is worth, in the order of the cases.\n  ///\n"
        "  /// `Fixtures/Training/titles.py` fitted them.\n"
        f"  static let weights: [Double] = [\n{rows}  ]\n}}\n")


def main():
    spines, without = load(sys.argv[1])
    photos = [s for s in spines if s.source]
    weights = fit(spines)

    def right(some, by):
        return sum(s.is_chosen_right(by) for s in some)

    print(f"{len(photos)} titles have a right reading, {without} have none")
    print(f"by hand {right(photos, START)}, fitted {right(photos, weights)}")
    if "--write" in sys.argv:
        write(weights)
    held = 0
    for source in sorted({s.source for s in photos}):
        own = [s for s in photos if s.source == source]
        others = fit([s for s in spines if s.source != source], weights)
        count = right(own, others)
        held += count
        print(f"  without {source}: {count} of {len(own)}", flush=True)
    print(f"held out {held}")


if __name__ == "__main__":
    main()
