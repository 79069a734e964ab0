"""Writes Fixtures/Goldens/Stats: what NumPy and SciPy answer.

Run from the top of the checkout: python Fixtures/generate/stats.py
"""

import math
import warnings

import numpy as np
import scipy.optimize
import scipy.special
import scipy.stats

from common import seeded

METHODS = [
    "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf",
    "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased", "lower", "higher",
    "midpoint", "nearest",
]  # fmt: skip
PROBABILITIES = [
    0.0, 0.01, 0.05, 0.1, 0.2, 0.25, 0.3, 1 / 3, 0.4, 0.5, 0.6, 2 / 3, 0.7, 0.75, 0.8, 0.9, 0.95,
    0.99, 1.0,
]  # fmt: skip
MOMENT_COUNTS = [1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 31, 100, 127, 128, 129, 136, 137, 255,
                 256, 257, 263, 264, 265, 1000, 1001, 4097, 10007]  # fmt: skip
QUANTILE_COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 20, 101]


def sample(kind, count):
    """The values of a case; StatsTests/Samples.swift makes the same."""
    if kind == "uniform":
        return seeded.units(count, count) * 2000 - 1000
    if kind == "ties":
        return (seeded.bits(count + 1, count) % np.uint64(7)).astype(np.float64)
    numbers = seeded.bits(count + 2, count)  # "wide": of very different magnitudes
    exponents = (numbers % np.uint64(60)).astype(np.int64) - 30
    return np.ldexp((numbers >> np.uint64(11)).astype(np.float64) * 2.0**-53, exponents)


def text(value):
    """JSON has no NaN and no infinity."""
    return str(float(value)) if not math.isfinite(value) else float(value)


def moments():
    for kind in ["uniform", "ties", "wide"]:
        for count in MOMENT_COUNTS:
            values = sample(kind, count)
            spread = np.std(values) > 0
            yield {
                "kind": kind,
                "count": count,
                "mean": float(np.mean(values)),
                "median": float(np.median(values)),
                "population": float(np.var(values)),
                "sample": float(np.var(values, ddof=1)) if count > 1 else None,
                "deviation": float(np.std(values)),
                "skewness": float(scipy.stats.skew(values)) if spread else None,
                "kurtosis": float(scipy.stats.kurtosis(values)) if spread else None,
            }


def quantiles():
    for kind in ["uniform", "ties"]:
        for count in QUANTILE_COUNTS:
            values = sample(kind, count)
            for method in METHODS:
                answers = np.quantile(values, PROBABILITIES, method=method)
                yield {
                    "kind": kind,
                    "count": count,
                    "method": method,
                    "probabilities": PROBABILITIES,
                    "answers": [float(a) for a in answers],
                }


def special():
    nan, inf = math.nan, math.inf
    for values in [
        [nan], [1.0, nan, 2.0], [inf], [-inf, inf], [1.0, inf], [1.0, 2.0, inf], [-inf, 0.0, inf],
        [inf, inf, 1.0], [nan, inf], [-inf, 1.0, 2.0, 3.0, inf], [0.0, -0.0],
    ]:  # fmt: skip
        yield {
            "values": [text(v) for v in values],
            "mean": text(np.mean(values)),
            "median": text(np.median(values)),
            "variance": text(np.var(values)),
            "quantiles": {
                m: [text(np.quantile(values, p, method=m)) for p in [0.0, 0.25, 0.5, 0.7, 1.0]]
                for m in METHODS
            },
        }


def kernel_densities():
    for count in [2, 3, 7, 20, 101, 500]:
        for bandwidth in [0.05, 0.12, 0.7]:
            values = seeded.units(count, count) * 4
            values[: count // 3] = 1 + values[: count // 3] / 10  # something to have a peak of
            weights = seeded.units(count + 1, count) + 0.01
            # SciPy takes the bandwidth as a multiple of the weighted sample deviation.
            share = weights / weights.sum()
            spread = np.sqrt(np.cov(values, aweights=share))
            density = scipy.stats.gaussian_kde(values, bandwidth / spread, weights)
            places = np.linspace(-1, 5, 25)
            fine = np.arange(values.min() - 1e-3, values.max() + 1e-3, bandwidth / 100)
            top = fine[np.argmax(density(fine))]
            found = scipy.optimize.minimize_scalar(
                lambda x: -density(x)[0], method="bounded", options={"xatol": 1e-12},
                bounds=(top - bandwidth / 100, top + bandwidth / 100),
            )
            yield {
                "count": count,
                "bandwidth": bandwidth,
                "places": places.tolist(),
                "densities": density(places).tolist(),
                "mode": float(found.x),
                "peak": float(-found.fun),
            }


def normal():
    """SciPy's normal distribution: to a few 1e-13 of the exact values in the far tails."""
    places = np.concatenate([np.linspace(-37, 8, 91), [-1e-8, 0.0, 1e-8, 0.1, 1.96, 38.0, -37.5]])
    shares = np.concatenate([
        10.0 ** np.linspace(-307, -1, 103), np.linspace(0.01, 0.99, 99), [0.075, 0.925],
        1 - 10.0 ** np.linspace(-15, -2, 14),
    ])  # fmt: skip
    return {
        "places": places.tolist(),
        "cumulative": scipy.special.ndtr(places).tolist(),
        "density": scipy.stats.norm.pdf(places).tolist(),
        "shares": shares.tolist(),
        "quantiles": scipy.special.ndtri(shares).tolist(),
    }


def histograms():
    """Values in bins; some lie on edges, some outside."""
    for edges in [[0.0, 0.25, 0.5, 0.75, 1.0], [-500.0, -1.0, 0.0, 1e-3, 2.0, 500.0], [0.0, 4.0]]:
        for kind in ["uniform", "ties", "wide"]:
            values = sample(kind, 257)
            counts, _ = np.histogram(values, bins=edges)
            yield {"kind": kind, "edges": edges, "counts": counts.tolist(),
                   "below": int((values < edges[0]).sum()),
                   "above": int((values > edges[-1]).sum())}  # fmt: skip


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    seeded.write("Stats/moments.json", list(moments()))
    seeded.write("Stats/quantiles.json", list(quantiles()))
    seeded.write("Stats/special.json", list(special()))
    seeded.write("Stats/kernel_densities.json", list(kernel_densities()))
    seeded.write("Stats/normal.json", normal())
    seeded.write("Stats/histograms.json", list(histograms()))
