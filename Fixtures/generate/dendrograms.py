"""Writes into Fixtures/Goldens/Clustering what SciPy answers about dendrograms.

- dendrograms.json: flat clusters, inconsistency, cophenetic distances, leaf orders and brackets of
  trees of seeded inputs, of all of SciPy's linkages.
- thousand.json, thousand_weighted_ward.json: 1,000 seeded inputs, by digests.
- metric_silhouettes.json: scikit-learn's silhouettes of rows by each metric, on seeded labels.

The digest of integers is `zlib.crc32` of them as little-endian int32, one after the other; of a tree
those of every merge's two clusters (the lower first) and size. Heights are little-endian float32 in
base64. scikit-learn has no weighted linkage: there its numbering is applied to SciPy's tree.

Run from the top of the checkout: python Fixtures/generate/dendrograms.py
"""

import base64
import warnings
import zlib

import numpy as np
from clustering import KINDS, embeddings
from common.seeded import bits, write
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import AgglomerativeClustering
from sklearn.cluster._agglomerative import _hc_cut
from sklearn.metrics import silhouette_samples

METHODS = ["single", "complete", "average", "weighted", "ward", "centroid", "median"]


def recipe(index):
    """The recipe of input `index`, which DendrogramGoldenTests.swift makes too."""
    kind = list(KINDS)[index % len(KINDS)]
    center, noise, scale = KINDS[kind]
    rows = 2 + index * 7 % 23
    return {
        "kind": kind,
        "seed": 50_000 + index,
        "rows": rows,
        "columns": 1 + index * 13 % 37,
        "groups": 1 + rows // 5,
        "centerBits": center,
        "noiseBits": noise,
        "scaleBits": scale,
    }


def layout(z, **options):
    """SciPy's brackets: merge, left, right, left base, right base, height, color; C3 as 3."""
    drawn = hierarchy.dendrogram(z, no_plot=True, **options)
    names = hierarchy.dendrogram(z, no_plot=True, link_color_func=str, **options)["color_list"]
    return {
        "brackets": [
            [int(name) - len(z) - 1, x[0], x[2], y[0], y[3], y[1], int(color[1:])]
            for name, x, y, color in zip(
                names, drawn["icoord"], drawn["dcoord"], drawn["color_list"], strict=True
            )
        ],
        "leaves": drawn["leaves"],
        "leafColors": [int(color[1:]) for color in drawn["leaves_color_list"]],
    }


def flat(z, criterion, t, **options):
    return hierarchy.fcluster(z, t, criterion, **options).tolist()


def flat_cases(z):
    """One cut of each kind for some thresholds, among them heights themselves."""
    n = len(z) + 1
    heights = hierarchy.maxdists(z)
    cases = []
    for t in [0.0, float(heights[n // 3 - 1]), float(heights.mean()), float(heights.max())]:
        cases.append({"criterion": "distance", "t": t, "labels": flat(z, "distance", t)})
        cases.append({"criterion": "values", "t": t, "labels": flat(z, "monocrit", t, monocrit=heights)})
    for t, depth in [(0.0, 2), (0.7, 2), (0.9, 3), (1.1, 4), (1.2, 7)]:
        labels = flat(z, "inconsistent", t, depth=depth)
        cases.append({"criterion": "inconsistency", "t": t, "depth": depth, "labels": labels})
    if hierarchy.is_monotonic(z):
        for t in {1, 2, n // 3 + 1, n // 2 + 1, n - 1, n, n + 3}:
            cases.append({"criterion": "count", "t": t, "labels": flat(z, "maxclust", t)})
            labels = flat(z, "maxclust_monocrit", t, monocrit=heights)
            cases.append({"criterion": "valueCount", "t": t, "labels": labels})
    return cases


def least_sum(z, distances):
    """The least sum of neighbours' distances of any order of the tree's leaves, by definition.

    SciPy's own is no truth for it: optimal_leaf_ordering misses the optimum on many inputs
    (https://github.com/scipy/scipy/issues/11227).
    """
    n = len(z) + 1
    square = squareform(distances)
    leaves = [[leaf] for leaf in range(n)]
    sums = {(leaf, leaf): 0.0 for leaf in range(n)}
    for left, right in z[:, :2].astype(int):
        found = {}
        for first in leaves[left]:
            for last in leaves[right]:
                found[first, last] = found[last, first] = min(
                    sums[first, one] + square[one, two] + sums[two, last]
                    for one in leaves[left]
                    if (first, one) in sums
                    for two in leaves[right]
                    if (two, last) in sums
                )
        # The ends of a cluster's order lie in its two parts, so pairs within a part are no ends.
        for part in (left, right):
            for one in leaves[part]:
                for two in leaves[part]:
                    sums.pop((one, two), None)
        sums.update(found)
        leaves.append(leaves[left] + leaves[right])
    return min(found.values())


def neighbor_sum(order, distances):
    square = squareform(distances)
    return float(square[order[:-1], order[1:]].sum())


def dendrograms():
    cases = []
    for index in range(35):
        method = METHODS[index % 7]
        # The kinds by turns of seven, so that every linkage meets each.
        chosen = recipe(index // 7 * 10 + index % 10)
        x = embeddings(chosen).astype(np.float64)
        if len(x) < 3:
            continue
        distances = pdist(x)
        z = hierarchy.linkage(x, method)
        correlation, cophenetic = hierarchy.cophenet(z, distances)
        ordered = hierarchy.optimal_leaf_ordering(z, distances)
        best = hierarchy.leaves_list(ordered)
        cut = hierarchy.cut_tree(z)
        cases.append(
            {
                "method": method,
                "recipe": chosen,
                "tree": z.tolist(),
                "isMonotonic": bool(hierarchy.is_monotonic(z)),
                "flat": flat_cases(z),
                "inconsistency": {d: hierarchy.inconsistent(z, d).tolist() for d in (2, 3, 6)},
                "maximumDistances": hierarchy.maxdists(z).tolist(),
                "cophenetic": zlib.crc32(cophenetic.astype("<f8").tobytes()),
                "correlation": float(correlation)
                if len(set(distances)) > 1 and len(set(cophenetic)) > 1
                else None,
                "leaves": hierarchy.leaves_list(z).tolist(),
                "bestSum": least_sum(z, distances),
                "sciPySum": neighbor_sum(best, distances),
                "sum": neighbor_sum(hierarchy.leaves_list(z), distances),
                # Among merges of one distance SciPy undoes others first than the last.
                "cutTree": zlib.crc32(cut.T.astype("<i4").tobytes())
                if hierarchy.is_monotonic(z) and len(set(z[:, 2])) == len(z)
                else None,
                "layouts": {
                    "drawn": layout(z),
                    "smallerFirst": layout(z, count_sort="ascending"),
                    "largerFirst": layout(z, count_sort="descending"),
                    "nearerFirst": layout(z, distance_sort="ascending"),
                    "fartherFirst": layout(z, distance_sort="descending"),
                    "last": layout(z, truncate_mode="lastp", p=len(z) // 2 + 1) if len(z) > 2 else None,
                }
                # A drawing of each is enough for some of the trees.
                if index < 7
                else {"drawn": layout(z)},
            }
        )
    return cases


def digest(values):
    return zlib.crc32(np.asarray(values, "<i4").tobytes())


def thousand(methods):
    """By linkage: digests of the labels and of the trees, and all heights one after the other."""
    answers = {method: {"labels": [], "merges": [], "heights": b""} for method in methods}
    for index in range(1000):
        x = embeddings(recipe(index))
        count = 1 + index * 11 % len(x)
        for method, answer in answers.items():
            metric = "euclidean" if index % 2 or method == "ward" else "cosine"
            z = hierarchy.linkage(x.astype(np.float64), method, metric)
            if method == "weighted":
                labels = _hc_cut(count, z[:, :2].astype(np.intp), len(x))
            else:
                model = AgglomerativeClustering(n_clusters=count, metric=metric, linkage=method)
                labels = model.fit(x).labels_
            answer["labels"].append(digest(labels))
            answer["merges"].append(digest(z[:, [0, 1, 3]].ravel()))
            answer["heights"] += z[:, 2].astype("<f4").tobytes()
    for answer in answers.values():
        answer["heights"] = base64.b64encode(answer["heights"]).decode()
    return answers


def metric_silhouettes():
    cases = []
    for index in range(40):
        chosen = recipe(index * 17 + 7)
        x = embeddings(chosen).astype(np.float64)
        groups = min(2 + index % 4, len(x) - 1)
        if groups < 2:
            continue
        labels = (bits(70_000 + index, len(x)) >> np.uint64(33)).astype(int) % groups
        labels[:groups] = np.arange(groups)
        samples = {m: silhouette_samples(x, labels, metric=m).tolist() for m in ("cosine", "euclidean")}
        cases.append({"recipe": chosen, "labels": labels.tolist(), "samples": samples})
    return cases


def main():
    warnings.simplefilter("ignore")  # SciPy's guess that square input might be distances
    write("Clustering/dendrograms.json", dendrograms())
    write("Clustering/thousand.json", thousand(["single", "complete", "average"]))
    write("Clustering/thousand_weighted_ward.json", thousand(["weighted", "ward"]))
    write("Clustering/metric_silhouettes.json", metric_silhouettes())


if __name__ == "__main__":
    main()
