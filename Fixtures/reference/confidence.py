#!/usr/bin/env python
"""How sure an adaptive count is, and how the weights of that are found.

    python Fixtures/reference/confidence.py DIR... --detector FILE --embedder FILE [--cache DIR]
        [--one-class] [--set NAME=VALUE]...

Five doubts about a count, each 0 where there is none:

*   `cut`: ln((h + 1) / (l + 1)), h and l the numbers of selected boxes whose score is at least
    cut * M / 3 and cut * M * 3 (`adaptive.py`, 9): how far the count hangs on the score cut.
*   `score`: 1 - M.
*   `levels`: |ln((n + 1) / (n' + 1))| times w' / w: n the number of boxes after the cut at the
    level taken, n' at the tried level of the second greatest worth; w and w' their worths.
*   `kinds`: |ln(m / m')| / (1 + exp(|silhouette - least| / 0.05)): m the count, m' that had the
    splitting into kinds been decided the other way.
*   `frame`: the share of the boxes of the main kind that touch the frame.

The spread of a count is s = base + the weighted sum of its doubts, about what |ln((truth + 1/2) /
(count + 1/2))| stays below in nine of ten cases. The interval is (count + 1/2) exp(-+ reach * s) -
1/2, its ends rounded outward and its lower end at least 0; the confidence, the probability that the
count is at most 5 % off, is 1 / (1 + exp(-(offset - slope * ln s))), and 0 for a count of 0.

Weights are fitted on photos or scenes with known counts: base and weights by quantile regression
with no weight negative (Koenker and Bassett, 1978; a linear program); `reach` is the quantile of
|ln ratio| / s that 90 % stay below (with the (n + 1) / n correction of split conformal prediction:
Lei et al., 2018, section 2.2); offset and slope by logistic regression. Figures are
cross-validated by folds of every fifth photo.
"""

import argparse
import dataclasses
import json
import math
import pathlib

import numpy as np
from scipy.optimize import linprog
from sklearn.linear_model import LogisticRegression

import adaptive
from adaptive import frame_cuts, network_scale, weighted_median, worth

COVERAGE = 0.9
DOUBTS = ("cut", "score", "levels", "kinds", "frame")


@dataclasses.dataclass(frozen=True)
class Calibration:
    base: float
    weights: tuple  # in the order of DOUBTS
    reach: float
    offset: float
    slope: float


def kept_number(selection, parameters):
    least = parameters.cut * weighted_median(selection.scores)
    return int((selection.scores >= least).sum())


def doubts(found, width, height, side, parameters, least):
    """The five doubts of a Count that is not empty; `least` is the silhouette that splits."""
    chosen = found.selection
    median = weighted_median(chosen.scores)
    low, high = (
        int((chosen.scores >= parameters.cut * median * factor).sum()) for factor in (3, 1 / 3)
    )
    taken = kept_number(chosen, parameters)
    rivals = [(0.0, taken)]
    for level, selection in found.tried:
        if selection is None:
            continue
        scale = network_scale(width, height, level, parameters.overlap, side)
        value = worth(selection, scale, parameters)
        if level == chosen.level:
            own = value
        else:
            rivals.append((value, kept_number(selection, parameters)))
    value, number = max(rivals)
    levels = abs(math.log((taken + 1) / (number + 1))) * min(1.0, value / max(own, 1e-12))
    other = int((found.split == 0).sum()) if found.kinds.max() == 0 else found.all
    margin = abs(found.silhouette - least)
    kinds = abs(math.log(found.main / other)) / (1 + math.exp(min(margin / 0.05, 700)))
    across, down = frame_cuts(found.boxes[found.kinds == 0], width, height, parameters.frame_pixels)
    return (math.log((high + 1) / (low + 1)), 1 - median, levels, kinds, (across | down).mean())


def spread(values, calibration):
    return calibration.base + float(np.dot(values, calibration.weights))


def interval(count, values, calibration):
    """The least and the greatest number that the truth may well be."""
    factor = math.exp(calibration.reach * spread(values, calibration))
    low = math.floor((count + 0.5) / factor - 0.5)
    return max(0, low), math.ceil((count + 0.5) * factor - 0.5)


def confidence(values, calibration):
    s = spread(values, calibration)
    return 1 / (1 + math.exp(-(calibration.offset - calibration.slope * math.log(s))))


def nonnegative_quantiles(columns, targets, share):
    """Weights >= 0 whose weighted columns the targets stay below in about `share` of the rows."""
    rows, number = columns.shape
    costs = np.concatenate((np.zeros(number), np.full(rows, share), np.full(rows, 1 - share)))
    equal = np.hstack((columns, np.eye(rows), -np.eye(rows)))
    return linprog(costs, A_eq=equal, b_eq=targets, bounds=(0, None)).x[:number]


def calibrate(values, counts, truths, coverage=COVERAGE):
    """Fits a Calibration; `values` is a matrix of doubts, a row a photo."""
    errors = np.abs(np.log((truths + 0.5) / (counts + 0.5)))
    columns = np.hstack((np.ones((len(values), 1)), values))
    base, *weights = nonnegative_quantiles(columns, np.minimum(errors, 2), coverage)
    base = max(base, 0.01)
    spreads = base + values @ weights
    share = min(1.0, coverage * (1 + 1 / len(errors)))
    reach = float(np.quantile(errors / spreads, share, method="higher"))
    right = np.abs(counts - truths) <= 0.05 * truths
    offset, slope = 0.0, 0.0
    if right.any() and not right.all():
        fit = LogisticRegression(C=10.0).fit(-np.log(spreads)[:, None], right)
        offset, slope = float(fit.intercept_[0]), max(0.0, float(fit.coef_[0, 0]))
    return Calibration(float(base), tuple(map(float, weights)), reach, offset, slope)


def validated(values, counts, truths, folds=5):
    """Coverage and median relative width of intervals, and confidence against what came true."""
    inside, widths, sure, right = [], [], [], []
    for fold in range(folds):
        test = np.arange(len(counts)) % folds == fold
        calibration = calibrate(values[~test], counts[~test], truths[~test])
        for row, count, truth in zip(values[test], counts[test], truths[test]):
            low, high = interval(count, row, calibration)
            inside.append(low <= truth <= high)
            widths.append((high - low) / max(count, 1))
            sure.append(confidence(row, calibration))
            right.append(abs(count - truth) <= 0.05 * truth)
    sure, right = np.array(sure), np.array(right)
    bands = []
    for low, high in ((0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.01)):
        band = (sure >= low) & (sure < high)
        if band.any():
            bands.append((low, int(band.sum()), sure[band].mean(), right[band].mean()))
    return float(np.mean(inside)), float(np.median(widths)), bands


def main():
    from detect import read_image
    from score_counts import Networks, Photo, parsed

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", metavar="DIR", type=pathlib.Path)
    parser.add_argument("--detector", required=True, metavar="FILE")
    parser.add_argument("--embedder", required=True, metavar="FILE")
    parser.add_argument("--normalization", default="imagenet")
    parser.add_argument("--cache", metavar="DIR")
    parser.add_argument("--one-class", action="store_true", help="`adaptive.ONE_CLASS`")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    networks = Networks(options.detector, options.embedder, options.normalization)
    parameters = parsed(options.set, adaptive.ONE_CLASS if options.one_class else parsed([]))
    values, counts, truths = [], [], []
    for folder in options.folders:
        for name, true in json.loads((folder / "truth.json").read_text()).items():
            photo = Photo(read_image(str(folder / name)), networks, options.cache)
            found = photo.count(parameters)
            if not found.all:
                continue
            size = (photo.width, photo.height, networks.side)
            values.append(doubts(found, *size, parameters, parameters.silhouette))
            counts.append(found.main)
            truths.append(true["main"])
    values, counts, truths = np.array(values), np.array(counts), np.array(truths)
    covered, width, bands = validated(values, counts, truths)
    print(f"{len(counts)} photos; the truth inside {covered:.3f}, median width {width:.2f}")
    for low, number, sure, right in bands:
        print(f"confidence from {low:.2f}: {number} photos, mean {sure:.2f}, right {right:.2f}")
    print(json.dumps(dataclasses.asdict(calibrate(values, counts, truths))))


if __name__ == "__main__":
    main()
