#!/usr/bin/env python3
"""Fits the weights by which titles are chosen: Fixtures/Training/titles.py READINGS [--write]

    TALLY_SPINE_READINGS=READINGS TALLY_SPINE_LINES=LINES.json:... swift test -c release \
      --disable-testable-imports -Xswiftc -enable-testing --filter ShelfTitleTests

writes READINGS: all readings of the spines of photos whose titles are known, of spines written from
memory, and of noisy copies of these, each with the values of its features. LINES.json are the lines
of the same photos with changes, each set as Fixtures/reference/spine_lines.py writes it, of
photos as shelf_changes.py makes them. A recognizer reads other letters on each.

The weights make the right readings likely (a softmax over readings, as in `SpineReading`). The
square of their distance from those set by hand is a cost, as 190 spines are few for more than 100
weights. Each source's titles are also chosen with weights that were fitted without that source; a
source is who made the photos. --write writes SpineWeights.swift. Needs NumPy and SciPy
(Fixtures/requirements.txt), and a minute.
"""

import collections
import functools
import json
import pathlib
import re
import sys

import numpy as np
from scipy.optimize import minimize

TOP = pathlib.Path(__file__).resolve().parents[2]
SOURCES = TOP / "Sources/Algorithms/SpineHeuristics/Reading"
sys.path.insert(0, str(TOP / "Fixtures/reference"))
import score_titles  # noqa: E402

# The same texts are compared again and again.
score_titles.letters = functools.lru_cache(None)(score_titles.letters)
letters = score_titles.letters


@functools.lru_cache(None)
def alike(read, true):
    allowed = max(1, len(true) // 10)
    return abs(len(read) - len(true)) <= allowed and score_titles.distance(read, true) <= allowed


score_titles.alike = alike
is_right = score_titles.is_right

TEMPERATURE = 1.5
STIFFNESS = 0.5  # with 0.1, 0.3 and 1, 1182, 1199 and 1199 titles of held-out sources in seven sets were right
MEMORY = 0.25  # what a spine from memory counts, against one of a photo
READINGS = 100

# What was set by hand, from how spines look.
HAND = json.loads((pathlib.Path(__file__).parent / "titles.json").read_text())


def features():
    text = (SOURCES / "SpineFeature.swift").read_text()
    text = text[:text.index("\n}")]
    return [name.strip() for line in re.findall(r"^  case (.*)$", text, re.M)
            for name in line.split(",")]


NAMES = features()
START = np.array([HAND[name] for name in NAMES])


class Spine:
    """The readings of a spine; `set` is the number of the set of photos, None for one from memory."""

    def __init__(self, source, readings, right, author, weight, set=None):
        good = [bool(right(r)) for r in readings]
        kept = [i for i, g in enumerate(good) if i < READINGS or g][:READINGS + 5]
        readings = [readings[i] for i in kept]
        self.source, self.weight, self.set = source, weight, set
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
    """Spines with a right reading, and how many titles of each set of photos have none."""
    truth = json.loads((TOP / "Fixtures/Truth/shelf_titles.json").read_text())
    photos, spines, without = collections.defaultdict(list), [], collections.Counter()
    for line in open(path):
        spine = json.loads(line)
        if spine["photo"]:
            photos[spine["set"], spine["photo"]].append(spine["readings"])
            continue
        key = letters(spine["title"])
        new = Spine(
            "", spine["readings"],
            lambda r: letters(r["title"]) in (key, key + letters(r["subtitle"])),
            spine["author"], MEMORY)
        if new.right.any():
            spines.append(new)
    sets = sorted({number for number, _ in photos})
    for number, name in [(number, name) for number in sets for name in truth]:
        photo = truth[name]
        count = len(photo["titles"])
        books = [b for b in zip(photo["titles"], photo.get("subtitles") or [""] * count,
                                photo.get("authors") or [""] * count) if b[0]]
        rest = photos[number, name]
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
                lambda r: is_right(r, title, subtitle), author, 1 / len(sets), number))
            found += 1
            ranks = {p: r for p, r in ranks.items() if p[0] != book and p[1] != spine}
        without[number] += len(books) - found
    return spines, without


class Likelihood:
    """How likely the right readings of spines are, all in one array."""

    def __init__(self, spines):
        counts = [len(spine.values) for spine in spines]
        self.starts = np.cumsum([0] + counts[:-1])
        self.spine = np.repeat(np.arange(len(spines)), counts)
        self.values = np.concatenate([spine.values for spine in spines])
        self.weights = np.array([spine.weight for spine in spines])
        self.masks = [(np.concatenate([spine.right for spine in spines]), 1.0),
                      (np.concatenate([spine.both for spine in spines]), 0.5)]

    def logsum(self, score, mask):
        """The logarithm of the sum over each spine's readings in a mask, and the share of each reading."""
        most = np.maximum.reduceat(np.where(mask, score, -np.inf), self.starts)
        most = np.where(np.isfinite(most), most, 0)
        share = np.where(mask, np.exp(np.where(mask, score, 0) - most[self.spine]), 0)
        total = np.maximum(np.add.reduceat(share, self.starts), 1e-300)
        return most + np.log(total), share / total[self.spine]

    def cost(self, weights):
        score = self.values @ weights / TEMPERATURE
        every, mean = self.logsum(score, np.ones(len(score), bool))
        total, slope = 0.0, np.zeros_like(score)
        for mask, share in self.masks:
            some, right = self.logsum(score, mask)
            worth = np.where(np.logical_or.reduceat(mask, self.starts), share * self.weights, 0)
            total += worth @ (every - some)
            slope += worth[self.spine] * (mean - right)
        away = weights - START
        return (total + STIFFNESS * away @ away,
                self.values.T @ slope / TEMPERATURE + 2 * STIFFNESS * away)


def fit(spines, start=START):
    options = {"maxiter": 200, "ftol": 1e-7}
    return minimize(
        Likelihood(spines).cost, start, jac=True, method="L-BFGS-B", options=options).x


def write(weights):
    rows = "".join(f"    {w:.2f},  // {name}\n" for name, w in zip(NAMES, weights))
    (SOURCES / "SpineWeights.swift").write_text(
        "extension SpineFeature {\n"
        "  /// The weight of each feature, in the order of the cases.\n  ///\n"
        "  /// `Fixtures/Training/titles.py` fitted them.\n"
        f"  static let weights: [Double] = [\n{rows}  ]\n}}\n")


def main():
    spines, without = load(sys.argv[1])
    photos = [s for s in spines if s.source]
    sets = sorted(without)
    weights = fit(spines)

    def right(some, by):
        return np.array([sum(s.is_chosen_right(by) for s in some if s.set == k) for k in sets])

    print(f"a set each: {[sum(s.set == k for s in photos) for k in sets]} titles have a right reading,"
          f" {[without[k] for k in sets]} have none")
    print(f"by hand {right(photos, START)}, fitted {right(photos, weights)}")
    if "--write" in sys.argv:
        write(weights)
    held = 0
    for source in sorted({s.source for s in photos}):
        own = [s for s in photos if s.source == source]
        count = right(own, fit([s for s in spines if s.source != source], weights))
        held += count
        print(f"  without {source}: {count} of {[sum(s.set == k for s in own) for k in sets]}", flush=True)
    print(f"held out {held}")


if __name__ == "__main__":
    main()
