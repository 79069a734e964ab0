"""Fits the confidence of a spine to pictures whose spines are known:

    TALLY_SPINE_PICTURES=A:B:C TALLY_SPINE_CANDIDATES=candidates.jsonl swift test ... --filter SpineCandidates
    python -m shelves.confidence candidates.jsonl --photos spine_quads.json spine_quads_world.json
        --rendered HELDOUT/truth.json

The first command writes what the maps of each picture show: outlines, each with the values that its confidence is made of. Here
a logistic curve over these values is fitted. A candidate is a spine if it shares half of the union with a marked one. Pictures that
neither `--photos` nor `--rendered` names show no spines. The weights that are printed go into `MapCandidate.weights`.

Then each source of photos (the second word of its file's name) is left out of the fit in turn, and outlines are chosen on it as
`SpineChoice` does: precision, recall and how many counts are as marked.
"""

import argparse
import json
import pathlib

import cv2
import numpy as np

from .evaluate import in_sight, judged, shared

# Of each candidate in the fit.
PHOTO, RENDERED, OTHER = 3.0, 1.0, 1.0
RIDGE = 1.0
# Those of SpineChoice and of SpineDetector.spines(in:).
MOST_SHARED, MOST_WORTH, PASSES = 0.4, 3.0, 8
INSIDE, SHORTER, THICK = 0.75, 0.8, 0.6
ALONE, TWO = 3.2, 1.2


class Picture:
    """The candidates of a picture, and what each of them shares with marked spines and with the others."""

    def __init__(self, line: dict, marks: dict | None, weight: float) -> None:
        self.name, self.weight = line["image"], weight
        self.quads = [np.float32(c["quad"]) for c in line["candidates"]]
        self.features = np.array([c["features"] for c in line["candidates"]])
        marks = marks or {"spines": []}
        # Marks are in pixels of a picture that may have been smaller.
        scale = np.array([line["width"] / marks.get("width", line["width"]),
                          line["height"] / marks.get("height", line["height"])])
        true = [np.array(quad) * scale for quad in marks["spines"]]
        ignored = [np.array(quad) * scale for quad in marks.get("ignored", [])]
        self.there = len(true)
        seen, true, ignored = (
            [in_sight(quad, (line["width"], line["height"])) for quad in quads] for quads in (self.quads, true, ignored))
        self.overlap = np.array([[shared(q, t) for t in true] for q in seen]).reshape(len(seen), len(true))
        self.ignored = np.array([any(shared(q, t) >= 0.3 for t in ignored) for q in seen], bool)
        if self.quads:
            self.exclude, self.part = self.rivals()

    @property
    def source(self) -> str:
        return self.name.split("_")[1]

    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """The values of the candidates that are asked about, and which of them are spines."""
        right = (self.overlap >= 0.5).any(1)
        asked = right | ~self.ignored
        return self.features[asked], right[asked]

    def rivals(self) -> tuple[np.ndarray, np.ndarray]:
        """`[a, b]`: whether a and b exclude each other; whether a is a part of b, if b is surer."""
        count = len(self.quads)
        areas = np.array([abs(cv2.contourArea(quad)) for quad in self.quads])
        sides = np.array([np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1) for quad in self.quads])
        sides = (sides[:, :2] + sides[:, 2:]) / 2
        long, short = sides.max(1), sides.min(1)
        common = np.zeros((count, count))
        for a in range(count):
            for b in range(a + 1, count):
                first, second = self.quads[a], self.quads[b]
                if (first.max(0) >= second.min(0)).all() and (second.max(0) >= first.min(0)).all():
                    common[a, b] = common[b, a] = cv2.intersectConvexConvex(
                        cv2.convexHull(first), cv2.convexHull(second))[0]
        smaller = np.minimum(areas[:, None], areas)
        exclude = common > MOST_SHARED * smaller
        part = (common > INSIDE * smaller) & (long[:, None] < SHORTER * long) & (short[:, None] > THICK * short)
        for pairs in (exclude, part):
            np.fill_diagonal(pairs, False)
        return exclude, part

    def chosen(self, weights: np.ndarray) -> list[int]:
        """The candidates that are taken for spines, most certain first."""
        if not self.quads:
            return []
        logits = self.features @ weights
        parts = (self.part & (logits > 0) & (logits > logits[:, None])).any(1)
        likely = [k for k in np.argsort(-logits, kind="stable") if logits[k] >= 0 and not parts[k]]
        rivals = [set(np.flatnonzero(row).tolist()) for row in self.exclude]

        def filled(kept: set, some: list) -> set:
            kept = set(kept)
            for k in some:
                if k not in kept and not rivals[k] & kept:
                    kept.add(k)
            return kept

        def worth(some: set) -> float:
            return sum(min(logits[k], MOST_WORTH) for k in some)

        kept = filled(set(), likely)
        for _ in range(PASSES):
            before = kept
            for k in likely:
                removed = {k} if k in kept else rivals[k] & kept
                changed = kept - removed | ({k} if k not in kept else set())
                freed = set().union(*(rivals[r] for r in removed))
                changed = filled(changed, [f for f in likely if f in freed and f != k])
                if worth(changed - kept) > worth(kept - changed) + 1e-9:
                    kept = changed
            if kept == before:
                break
        doubt = ALONE if len(kept) <= 1 else TWO if len(kept) == 2 else 0
        return sorted((k for k in kept if logits[k] >= doubt), key=lambda k: -logits[k])


def fitted(pictures: list[Picture]) -> np.ndarray:
    """The weights of a logistic curve, by Newton's method, with a small ridge on values of unit deviation."""
    rows = [(*picture.rows(), picture.weight) for picture in pictures if picture.quads]
    values = np.concatenate([x for x, _, _ in rows])
    right = np.concatenate([y for _, y, _ in rows]).astype(float)
    cost = np.concatenate([np.full(len(y), w) for _, y, w in rows])
    mean, deviation = values.mean(0), values.std(0) + 1e-9
    mean[0], deviation[0] = 0, 1
    scaled = (values - mean) / deviation
    ridge = RIDGE * np.eye(scaled.shape[1])
    ridge[0, 0] = 1e-6
    found = np.zeros(scaled.shape[1])
    for _ in range(60):
        likely = 1 / (1 + np.exp(-np.clip(scaled @ found, -30, 30)))
        bend = (scaled.T * (cost * likely * (1 - likely))) @ scaled + ridge
        step = np.linalg.solve(bend, scaled.T @ (cost * (right - likely)) - ridge @ found)
        found += step
        if np.abs(step).max() < 1e-8:
            break
    weights = found / deviation
    weights[0] -= weights[1:] @ mean[1:]
    return weights


def figures(pictures: list[Picture], weights_of) -> str:
    """Precision, recall and right counts of pictures, each with the weights that `weights_of` gives for it."""
    right = wrong = there = counts = 0
    for picture in pictures:
        chosen = picture.chosen(weights_of(picture))
        there += picture.there
        counts += len(chosen) == picture.there
        judgement = judged(picture.overlap[chosen], picture.ignored[chosen])
        right, wrong = right + judgement[0], wrong + judgement[1]
    return (f"precision {right / max(1, right + wrong):.3f}, recall {right / max(1, there):.3f} of {there}, "
            f"{counts} of {len(pictures)} counts, {wrong} false")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("candidates")
    parser.add_argument("--photos", nargs="*", default=[], help="marked photos")
    parser.add_argument("--rendered", nargs="*", default=[], help="truth.json of shelves.rendered")
    options = parser.parse_args()
    marked = [json.loads(pathlib.Path(path).read_text()) for path in options.photos]
    photos = {name: marks for some in marked for name, marks in some.items()}
    rendered = {name: marks for path in options.rendered
                for name, marks in json.loads(pathlib.Path(path).read_text()).items()}
    pictures = []
    for text in pathlib.Path(options.candidates).read_text().splitlines():
        line = json.loads(text)
        name = line["image"]
        weight = PHOTO if name in photos else RENDERED if name in rendered else OTHER
        pictures.append(Picture(line, photos.get(name) or rendered.get(name), weight))
    weights = fitted(pictures)
    print(", ".join(f"{weight:.2f}" for weight in weights))
    groups = {"rendered": [p for p in pictures if p.name in rendered],
              "without spines": [p for p in pictures if p.name not in rendered and p.name not in photos]}
    for path, some in zip(options.photos, marked):
        groups[pathlib.Path(path).stem] = [p for p in pictures if p.name in some]
    for name, some in groups.items():
        print(f"{name}: {figures(some, lambda _: weights)}")
    sources = sorted({p.source for p in pictures if p.name in photos})
    without = {s: fitted([p for p in pictures if p.name not in photos or p.source != s]) for s in sources}
    for name, some in groups.items():
        if name not in ("rendered", "without spines"):
            print(f"{name}, its source left out: {figures(some, lambda p: without[p.source])}")


if __name__ == "__main__":
    main()
