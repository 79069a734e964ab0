"""Writes into Fixtures/Goldens/Clustering what scikit-learn's DBSCAN and HDBSCAN answer on seeded inputs.

dbscan.json: labels and core samples of rows by both metrics, and by given distances. Each eps lies well between two
distances, so that no rounding decides.
hdbscan.json: labels and probabilities, as float32 in base64. scikit-learn sorts edges of equal lengths in an order
that depends on the processor. Here they stay in the order in which they are found; "isTied" says that the answer
without this was another one on the processor where this ran.

Run from the top of the checkout: python Fixtures/generate/density.py
"""

import base64
import warnings

import numpy as np
import sklearn.cluster._hdbscan.hdbscan as internals
from clustering import KINDS, embeddings, log_uniform, make_recipe
from clustering import write as write_list
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import DBSCAN, HDBSCAN


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


def process_mst_in_order(tree):
    """scikit-learn's function of that name, but edges of equal lengths stay in their order."""
    order = np.argsort(tree["distance"], kind="stable")
    return internals.make_single_linkage(tree[order])


def hdbscan_answer(x, options, in_order=True):
    before = internals._process_mst
    if in_order:
        internals._process_mst = process_mst_in_order
    try:
        found = HDBSCAN(copy=True, **options).fit(x)
    finally:
        internals._process_mst = before
    return found.labels_, found.probabilities_


def hdbscan(rng):
    cases, tied = [], 0
    for recipe in inputs(rng):
        x = embeddings(recipe).astype(np.float64)
        for metric in ("euclidean", "cosine", "precomputed"):
            given = x
            if metric == "precomputed":
                given = squareform(np.maximum(pdist(x), 0))
            size = int(rng.integers(2, 12))
            options = {"metric": metric, "min_cluster_size": size}
            case = {"recipe": recipe, "metric": metric, "minClusterSize": size}
            if rng.random() < 0.5:
                options["min_samples"] = case["minSamples"] = int(rng.integers(1, 12))
            if rng.random() < 0.3:
                options["cluster_selection_method"] = "leaf"
                case["selection"] = "leaves"
            if rng.random() < 0.3:
                options["allow_single_cluster"] = case["allowsSingleCluster"] = True
            if options.get("min_samples", size) > len(x):
                continue
            labels, probabilities = hdbscan_answer(given, options)
            other_labels, other_probabilities = hdbscan_answer(given, options, in_order=False)
            # Cosine distances of copies are rounding.
            if metric == "cosine" and pdist(x, "cosine").min() < 1e-12:
                continue
            if (labels != other_labels).any() or not np.allclose(probabilities, other_probabilities):
                case["isTied"] = True
                tied += 1
            case["labels"] = labels.tolist()
            case["probabilities"] = base64.b64encode(probabilities.astype("<f4").tobytes()).decode()
            cases.append(case)
    print(f"hdbscan: {tied} of {len(cases)} tied")
    return cases


def main():
    warnings.simplefilter("ignore")  # infinite levels of copies
    rng = np.random.default_rng(20261126)
    write_list("dbscan.json", dbscan(rng))
    write_list("hdbscan.json", hdbscan(rng))


if __name__ == "__main__":
    main()
