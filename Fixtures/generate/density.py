"""Writes into Fixtures/Goldens/Clustering what scikit-learn's DBSCAN answers on seeded inputs.

dbscan.json: labels and core samples of rows by both metrics, and by given distances. Each eps lies well between two
distances, so that no rounding decides.

Run from the top of the checkout: python Fixtures/generate/density.py
"""

import numpy as np
from clustering import KINDS, embeddings, log_uniform, make_recipe
from clustering import write as write_list
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import DBSCAN


def between(values, share):
    """A number near a quantile of `values` that is at none of them, or None."""
    levels = np.unique(np.concatenate(([0.0], values)))
    gaps = np.flatnonzero(levels[1:] - levels[:-1] > 1e-6 * levels[1:])
    gaps = gaps[levels[gaps + 1] > 1e-9]
    if len(gaps) == 0:
        return None
    wanted = np.quantile(values, share)
    best = gaps[np.argmin(np.abs(levels[gaps] - wanted))]
    return float((levels[best] + levels[best + 1]) / 2)


def inputs(rng):
    """Recipes of every kind, in few columns and in many; some of many rows in few columns."""
    for index in range(60):
        kind = list(KINDS)[index % len(KINDS)]
        columns = [log_uniform(rng, 1, 6), log_uniform(rng, 7, 40), log_uniform(rng, 41, 200)][index // 10 % 3]
        yield make_recipe(rng, kind, log_uniform(rng, 2, 200), columns)
    for columns in (1, 2, 3, 5):
        for kind in ("noise", "loose groups", "small integers"):
            yield make_recipe(rng, kind, 500, columns)


def dbscan(rng):
    cases = []
    for recipe in inputs(rng):
        x = embeddings(recipe).astype(np.float64)
        for metric in ("euclidean", "cosine"):
            distances = np.maximum(pdist(x, metric), 0)
            share = float(rng.choice([0.002, 0.02, 0.1, 0.3, 0.6]))
            eps = between(distances, share)
            if eps is None:
                continue
            least = int(rng.integers(1, 9))
            found = DBSCAN(eps=eps, min_samples=least, metric=metric).fit(x)
            given = DBSCAN(eps=eps, min_samples=least, metric="precomputed").fit(squareform(distances))
            assert (found.labels_ == given.labels_).all()
            cases.append(
                {
                    "recipe": recipe,
                    "metric": metric,
                    "eps": eps,
                    "minSamples": least,
                    "labels": found.labels_.tolist(),
                    "coreSamples": found.core_sample_indices_.tolist(),
                }
            )
    return cases


def main():
    rng = np.random.default_rng(20261126)
    write_list("dbscan.json", dbscan(rng))


if __name__ == "__main__":
    main()
