"""Writes into Fixtures/Goldens/Clustering what scikit-learn's AgglomerativeClustering answers with connectivities.

connected.json: labels by a number of clusters and by a distance, for each linkage; graphs are chains, rings with
shortcuts, nearest neighbours, and random ones of several parts.

Run from the top of the checkout: python Fixtures/generate/connected.py
"""

import warnings

import numpy as np
from clustering import KINDS, embeddings, log_uniform, make_recipe
from clustering import write as write_list
from scipy import sparse
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import AgglomerativeClustering


def graph(rng, x):
    n = len(x)
    shape = ["chain", "ring", "neighbors", "random"][int(rng.integers(4))]
    if shape == "chain":
        return [(i, i + 1) for i in range(n - 1)]
    if shape == "ring":
        return [(i, (i + 1) % n) for i in range(n)] + [(i, (i + 7) % n) for i in range(0, n, 3)]
    if shape == "neighbors":
        nearest = np.argsort(squareform(pdist(x)) + np.diag([np.inf] * n), axis=1, kind="stable")
        return [(i, int(j)) for i in range(n) for j in nearest[i, : min(3, n - 1)]]
    return [tuple(map(int, rng.integers(0, n, 2))) for _ in range(n)]


def answer(x, pairs, linkage, metric, **cut):
    n = len(x)
    edges = sparse.lil_array((n, n))
    for i, j in pairs:
        edges[i, j] = edges[j, i] = 1
    options = {"linkage": linkage, "metric": metric, "connectivity": edges.tocsr(), "n_clusters": None, **cut}
    return AgglomerativeClustering(compute_distances=True, **options).fit(x)


def cases(rng):
    for index in range(80):
        kind = list(KINDS)[index % len(KINDS)]
        rows = log_uniform(rng, 2, 150) if index % 16 else 260
        recipe = make_recipe(rng, kind, rows, log_uniform(rng, 1, 40))
        x = embeddings(recipe).astype(np.float64)
        pairs = graph(rng, x)
        metric = "euclidean"
        # Ties of cosine distances are broken by rounding.
        if recipe["noiseBits"] > 8 and recipe["columns"] > 2 and rng.random() < 0.5:
            metric = "cosine"
        case = {"recipe": recipe, "metric": metric, "pairs": np.array(pairs).ravel().tolist()}
        case["count"] = int(rng.integers(1, rows + 1)) if rows < 200 else int(rng.choice([3, 99, 100, 150]))
        case["threshold"] = float(np.quantile(pdist(x, metric), 0.3)) + 1e-9
        case["byCount"], case["byDistance"] = {}, {}
        for linkage in ("average", "complete", "single", "ward"):
            if linkage == "ward" and metric == "cosine":
                continue
            found = answer(x, pairs, linkage, metric, n_clusters=case["count"])
            case["byCount"][linkage] = found.labels_.tolist()
            found = answer(x, pairs, linkage, metric, distance_threshold=case["threshold"])
            case["byDistance"][linkage] = found.labels_.tolist()
        yield case


def main():
    warnings.simplefilter("ignore")  # several parts
    write_list("connected.json", list(cases(np.random.default_rng(20261129))))


if __name__ == "__main__":
    main()
