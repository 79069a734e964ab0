"""Says how right spines are:  tally spines --json PICTURES... | python -m shelves.evaluate TRUTH.json

TRUTH.json has, for each picture by its name, `spines` (four corners each, or how many there are) and perhaps `ignored` and
`plus_or_minus`. A spine is right if it shares half of the union with one of the truth that nothing more certain took.
"""

import argparse
import json
import pathlib
import sys

import cv2
import numpy as np


def shared(first, second):
    """Intersection over union of two convex quadrilaterals."""
    first, second = np.float32(first), np.float32(second)
    if (first.max(0) < second.min(0)).any() or (second.max(0) < first.min(0)).any():
        return 0.0
    areas = abs(cv2.contourArea(first)) + abs(cv2.contourArea(second))
    common = cv2.intersectConvexConvex(cv2.convexHull(first), cv2.convexHull(second))[0]
    return common / max(areas - common, 1e-6)


def in_sight(quad, frame):
    """What of a convex outline lies in a picture of (width, height): nobody sees where a book ends outside of it."""
    width, height = frame
    whole = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    common = cv2.intersectConvexConvex(cv2.convexHull(np.float32(quad)), cv2.convexHull(whole))[1]
    return np.float32(quad) if common is None or len(common) < 3 else common.reshape(-1, 2)


def judged(overlap, ignored):
    """How many of some spines, most certain first, are right and how many wrong.

    `overlap` [found, true] is what each shares with each true one, and `ignored` [found] whether it is on what does not count.
    """
    left = list(range(np.shape(overlap)[1]))
    right = wrong = 0
    for row, passed_over in zip(overlap, ignored):
        best = max(left, key=lambda k: row[k], default=None)
        if best is not None and row[best] >= 0.5:
            left.remove(best)
            right += 1
        elif not passed_over:
            wrong += 1
    return right, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("truth")
    parser.add_argument("--confidence", type=float, default=0.5)
    parser.add_argument("--quiet", action="store_true", help="the sums alone")
    options = parser.parse_args()
    truth = json.loads(pathlib.Path(options.truth).read_text())
    right = wrong = there = counts = within = pictures = 0
    for line in sys.stdin:
        photo = json.loads(line)
        name = pathlib.Path(photo["image"]).name
        if name not in truth:
            continue
        wanted = truth[name]
        found = [s for s in photo["spines"] if s["confidence"] >= options.confidence]
        found.sort(key=lambda s: -s["confidence"])
        pictures += 1
        number = wanted["spines"] if isinstance(wanted["spines"], int) else len(wanted["spines"])
        counts += abs(len(found) - number) <= wanted.get("plus_or_minus", 0)
        ignored = wanted.get("ignored", [])
        # What may count or not makes no count wrong.
        within += number - 1 <= len(found) <= number + 1 + len(ignored)
        if not options.quiet:
            print(f"{name}: {len(found)} found, {number} there")
        if isinstance(wanted["spines"], int):
            continue
        there += number
        outlines, marked = [spine["quad"] for spine in found], wanted["spines"]
        if "width" in wanted:
            frame = wanted["width"], wanted["height"]
            outlines, marked, ignored = ([in_sight(quad, frame) for quad in quads] for quads in (outlines, marked, ignored))
        overlap = np.array([[shared(outline, quad) for quad in marked] for outline in outlines])
        passed_over = [any(shared(outline, quad) >= 0.3 for quad in ignored) for outline in outlines]
        judgement = judged(overlap.reshape(len(found), number), passed_over)
        right, wrong = right + judgement[0], wrong + judgement[1]
    print(f"{pictures} pictures, {counts} counts right, {within} within one")
    if there:
        print(f"precision {right / max(right + wrong, 1):.3f}, recall {right / there:.3f} of {there} spines")


if __name__ == "__main__":
    main()
