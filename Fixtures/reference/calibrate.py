#!/usr/bin/env python
"""Fits the interval and the probability of `tally count` for a pair of models, by what it counts.

    python Fixtures/reference/calibrate.py TALLY SOURCE... [--exemplars N] [--most N] [--keep FILE]

Each SOURCE is a folder with `truth.json` (as `tally evaluate counts` reads it) or with
`annotations.json` (labelled photographs: boxes left, top, right, bottom, kind). TALLY counts every
picture; the doubts that it prints, the count and the truth of the main kind are what is fitted, by
`confidence.calibrate`. `--exemplars N` gives N boxes of the main kind by `--like`, which is another
fit. `--most` takes so many pictures of each source, evenly. `--keep` writes the rows as JSON.

Rounding outward and the correction for small samples make intervals hold more often than they are
fitted to. So the least share is taken at which nine in ten (0.90 to two digits) are held of the
pictures that were left out of the fit, whole domains at a time. What the command adds where several
numbers of kinds divide the objects equally well is not part of the fit.

Printed: that share, coverage and median width on what was left out, and the numbers for
`CountCalibration`.
"""

import argparse
import collections
import dataclasses
import json
import pathlib
import subprocess

import numpy as np

import confidence

# What intervals may be fitted to hold, tried in this order.
COVERAGES = (0.8, 0.82, 0.84, 0.86, 0.88, 0.9)
DOUBTS = ("cut", "score", "views", "kinds", "frame", "dropped")


def pictures(folder: pathlib.Path, most: int | None) -> list[tuple[pathlib.Path, dict]]:
    """Paths with `main`, `boxes`, `domain` and `plus_or_minus`."""
    truth, labelled = folder / "truth.json", folder / "annotations.json"
    entries = json.loads((truth if truth.exists() else labelled).read_text())
    rows = []
    for name, entry in entries.items():
        kinds = collections.Counter(str(box[4]).lower() for box in entry.get("boxes", []))
        main = entry.get("main", max(kinds.values(), default=0))
        if main >= 2:
            rows.append((folder / name, {**entry, "main": main, "kinds": kinds}))
    step = max(1, len(rows) // most) if most else 1
    return rows[::step][:most]


def exemplars(entry: dict, number: int) -> list[str]:
    """`--like` for boxes of the main kind, evenly spread over their sizes."""
    if not number or not entry.get("boxes"):
        return []
    main = entry["kinds"].most_common(1)[0][0]
    boxes = sorted((b[:4] for b in entry["boxes"] if str(b[4]).lower() == main),
                   key=lambda b: (b[2] - b[0]) * (b[3] - b[1]))
    chosen = [boxes[(2 * k + 1) * len(boxes) // (2 * number)] for k in range(number)]
    words = []
    for left, top, right, bottom in chosen:
        words += ["--like", f"{left:.0f},{top:.0f},{max(1, right - left):.0f},"
                            f"{max(1, bottom - top):.0f}"]
    return words


def counted(tally: str, path: pathlib.Path, words: list[str]) -> dict | None:
    """What the command prints of a picture; None if it refuses it."""
    run = subprocess.run([tally, "count", str(path), "--json", "--quiet", *words],
                         capture_output=True, text=True, check=False)
    return json.loads(run.stdout.splitlines()[0]) if run.returncode == 0 else None


def folds(domains: list[str], number: int = 5) -> np.ndarray:
    """The fold of each picture; pictures of one domain are in one fold."""
    names = sorted(set(domains))
    return np.array([names.index(domain) % number for domain in domains])


def validated(values, counts, truths, slack, of, coverage) -> tuple[float, float]:
    """Share of intervals that hold the truth, and their median width, on folds left out."""
    inside, widths = [], []
    for fold in np.unique(of):
        test = of == fold
        fit = confidence.calibrate(values[~test], counts[~test], truths[~test], coverage)
        for row, count, truth, more in zip(values[test], counts[test], truths[test], slack[test],
                                           strict=True):
            low, high = confidence.interval(count, row, fit)
            inside.append(low - more <= truth <= high + more)
            widths.append((high - low) / max(count, 1))
    return float(np.mean(inside)), float(np.median(widths))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tally")
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    parser.add_argument("--exemplars", type=int, default=0)
    parser.add_argument("--most", type=int)
    parser.add_argument("--keep")
    options = parser.parse_args()
    rows = []
    for source in options.sources:
        for path, entry in pictures(source, options.most):
            found = counted(options.tally, path, exemplars(entry, options.exemplars))
            doubts = found and (found.get("adaptive") or {}).get("doubts")
            if found is None or not found["count"] or not doubts:
                continue
            rows.append({
                "name": str(path.name), "domain": entry.get("domain", source.name),
                "doubts": [doubts[name] for name in DOUBTS], "count": found["count"],
                "truth": entry["main"], "slack": entry.get("plus_or_minus") or 0})
    if options.keep:
        pathlib.Path(options.keep).write_text(json.dumps(rows))
    values = np.array([row["doubts"] for row in rows])
    counts, truths, slack = (np.array([row[key] for row in rows])
                             for key in ("count", "truth", "slack"))
    of = folds([row["domain"] for row in rows])
    for coverage in COVERAGES:
        covered, width = validated(values, counts, truths, slack, of, coverage)
        if round(covered, 2) >= confidence.COVERAGE:
            break
    print(f"{len(rows)} pictures, fitted to {coverage}; of those left out {covered:.3f} inside, "
          f"median width {width:.2f}")
    print(json.dumps(dataclasses.asdict(
        confidence.calibrate(values, counts, truths, coverage))))


if __name__ == "__main__":
    main()
