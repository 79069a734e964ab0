"""Writes Fixtures/Goldens/Clustering: what scikit-learn and SciPy answer on seeded inputs.

Inputs are made of integers from SplitMix64, here and in Tests/ClusteringTests/SeededEmbeddings.swift
alike, so only recipes and answers are stored.

Run from the top of the checkout: python Fixtures/generate/clustering.py
"""

import json
import math
import pathlib
import warnings

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import silhouette_samples

FOLDER = pathlib.Path("Fixtures/Goldens/Clustering")
LINKAGES = ["average", "complete", "single"]

# Recipes: bits of a group's center, bits of the noise around it, bits of a power of two that scales.
KINDS = {
    "noise": (0, 20, 0),
    "tight groups": (16, 12, 0),
    "loose groups": (16, 15, 0),
    "groups of any length": (16, 14, 2),
    "duplicates": (16, 0, 0),
    "scaled duplicates": (16, 0, 2),
    "small integers": (0, 3, 0),
    "ones": (0, 1, 0),
    "duplicates of small integers": (2, 0, 0),
    "nearly duplicates": (16, 1, 0),
}


def splitmix(seed, count):
    """The first `count` numbers of SplitMix64."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def top(numbers, bits):
    return (numbers >> np.uint64(64 - bits)).astype(np.int64) if bits else np.zeros(len(numbers), np.int64)


def centered(numbers, bits):
    return top(numbers, bits) - (1 << bits >> 1)


def embeddings(recipe):
    n, d, groups = recipe["rows"], recipe["columns"], recipe["groups"]
    numbers = splitmix(recipe["seed"], groups * d + n * (d + 2))
    centers = centered(numbers[: groups * d], recipe["centerBits"]).reshape(groups, d)
    rest = numbers[groups * d :].reshape(n, d + 2)
    picks = (rest[:, 0] >> np.uint64(33)).astype(np.int64) % groups
    scales = 1 << top(rest[:, 1], recipe["scaleBits"])
    noise = centered(rest[:, 2:].ravel(), recipe["noiseBits"]).reshape(n, d)
    values = (centers[picks] + noise) * scales[:, None]
    values[~values.any(axis=1), 0] = 1
    return values.astype(np.float32)


def make_recipe(rng, kind, rows, columns):
    center, noise, scale = KINDS[kind]
    return {
        "kind": kind,
        "seed": int(rng.integers(0, 2**31)),
        "rows": rows,
        "columns": columns,
        "groups": max(1, rows // int(rng.integers(2, 9))),
        "centerBits": center,
        "noiseBits": noise,
        "scaleBits": scale,
    }


def log_uniform(rng, low, high):
    return min(int(math.exp(rng.uniform(math.log(low), math.log(high + 1)))), high)


def labels(rng):
    cases = []
    for index in range(200):
        kind = list(KINDS)[index % len(KINDS)]
        recipe = make_recipe(rng, kind, log_uniform(rng, 2, 400), log_uniform(rng, 8, 512))
        if index == 0:
            recipe.update(rows=400, columns=512)
        if index in (1, 2, 4):
            recipe.update(rows=2)
        threshold = round(float(rng.uniform(0.05, 0.9)), 2)
        x = embeddings(recipe)
        answers = {}
        for name in LINKAGES:
            model = AgglomerativeClustering(
                n_clusters=None, metric="cosine", linkage=name, distance_threshold=threshold
            )
            answers[name] = model.fit(x).labels_.tolist()
        count = int(rng.integers(1, len(x) + 1))
        model = AgglomerativeClustering(n_clusters=count, metric="cosine", linkage="average")
        cases.append(
            {
                "recipe": recipe,
                "threshold": threshold,
                "labels": answers,
                "count": count,
                "countLabels": model.fit(x).labels_.tolist(),
            }
        )
    return cases


def euclidean_labels(rng):
    cases = []
    for index in range(20):
        kind = list(KINDS)[index % len(KINDS)]
        recipe = make_recipe(rng, kind, log_uniform(rng, 2, 60), log_uniform(rng, 1, 64))
        x = embeddings(recipe)
        threshold = float(np.quantile(pdist(x.astype(np.float64)), 0.3))
        answers = {}
        for name in LINKAGES:
            model = AgglomerativeClustering(n_clusters=None, linkage=name, distance_threshold=threshold)
            answers[name] = model.fit(x).labels_.tolist()
        cases.append({"recipe": recipe, "threshold": threshold, "labels": answers})
    return cases


def trees(rng):
    cases = []
    for index, kind in enumerate(list(KINDS) * 2):
        recipe = make_recipe(rng, kind, log_uniform(rng, 2, 60), log_uniform(rng, 1, 40))
        metric = ["cosine", "euclidean"][index // len(KINDS)]
        x = embeddings(recipe).astype(np.float64)
        cases.append(
            {
                "recipe": recipe,
                "metric": metric,
                "matrices": {name: linkage(x, name, metric).ravel().tolist() for name in LINKAGES},
            }
        )
    return cases


def distances(rng):
    cases = []
    for columns in (1, 2, 3, 4, 7, 8, 33, 257):
        recipe = make_recipe(rng, "loose groups", 9, columns)
        x = embeddings(recipe).astype(np.float64)
        cases.append(
            {
                "recipe": recipe,
                "cosine": pdist(x, "cosine").tolist(),
                "euclidean": pdist(x, "euclidean").tolist(),
            }
        )
    return cases


def silhouettes(rng):
    cases = []
    for index in range(20):
        kind = list(KINDS)[index % len(KINDS)]
        recipe = make_recipe(rng, kind, log_uniform(rng, 4, 80), log_uniform(rng, 4, 64))
        metric = ["cosine", "euclidean"][index // len(KINDS)]
        x = embeddings(recipe).astype(np.float64)
        # Exactly zero on the diagonal and never below zero, as scikit-learn insists.
        square = squareform(np.maximum(pdist(x, metric), 0))
        scores = {}
        for count in range(2, min(8, len(x) - 1) + 1):
            labels = AgglomerativeClustering(
                n_clusters=count, metric="precomputed", linkage="average"
            ).fit(square).labels_
            scores[count] = silhouette_samples(square, labels, metric="precomputed").tolist()
        cases.append({"recipe": recipe, "metric": metric, "samples": scores})
    return cases


def write(name, value):
    with open(FOLDER / name, "w") as out:
        out.write("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in value) + "\n]\n")


def main():
    warnings.simplefilter("ignore")  # SciPy's guess that square input might be distances
    FOLDER.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(20260822)
    write("labels.json", labels(rng))
    write("euclidean_labels.json", euclidean_labels(rng))
    write("trees.json", trees(rng))
    write("distances.json", distances(rng))
    write("silhouettes.json", silhouettes(rng))


if __name__ == "__main__":
    main()
