"""Writes into Fixtures/Goldens/Clustering what scikit-learn's KMeans answers on seeded inputs.

kmeans.json: labels, centers, inertia and iterations from rows taken as the first centers (some of them twice, so
that clusters are empty), or from a seed. Also predicted labels. Inputs on which tiny changes of the rows change the
labels are left out, and so are those of several, but fewer different rows than clusters: there rounding decides.
nearest_labels.json: for each even row the label of the nearest odd row, by each metric; the label of row i is i.

Run from the top of the checkout: python Fixtures/generate/centers.py
"""

import warnings

import numpy as np
from clustering import KINDS, embeddings, log_uniform, make_recipe
from clustering import write as write_list
from sklearn.cluster import KMeans
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits


def fitted(x, case, start):
    options = {"n_clusters": case["clusters"]}
    if start is None:
        options.update(n_init=case["runs"], random_state=case["seed"])
    else:
        options.update(n_init=1, init=start)
    if "limit" in case:
        options["max_iter"] = case["limit"]
    return KMeans(**options).fit(x)


def answer(case):
    """The case with its answers, or None if rounding decides them."""
    x = embeddings(case["recipe"]).astype(np.float64)
    start = x[case["starts"]] if "starts" in case else None
    found = fitted(x, case, start)
    distinct = len(np.unique(x, axis=0))
    if 1 < distinct < case["clusters"]:
        return None
    if distinct > 1:
        rng = np.random.default_rng(1)
        for _ in range(3):
            # Copies of a row stay copies.
            changes = np.random.default_rng(int(rng.integers(2**31))).standard_normal((1, x.shape[1]))
            if distinct == len(x):
                changes = rng.standard_normal(x.shape)
            other = fitted(x * (1 + 1e-9 * changes), case, start)
            if (other.labels_ != found.labels_).any() or other.n_iter_ != found.n_iter_:
                return None
    case["labels"] = found.labels_.tolist()
    case["inertia"] = float(found.inertia_)
    case["iterations"] = int(found.n_iter_)
    if found.cluster_centers_.size <= 80:
        case["centers"] = found.cluster_centers_.tolist()
    # Other rows: each in the middle of two that follow one another and of the first.
    others = (x + np.roll(x, -1, axis=0) + x[0]) / 4
    case["predicted"] = found.predict(others).tolist()
    return case


def cases(rng):
    for index in range(90):
        kind = list(KINDS)[index % len(KINDS)]
        recipe = make_recipe(rng, kind, log_uniform(rng, 2, 220), log_uniform(rng, 1, 70))
        clusters = int(rng.integers(1, min(recipe["rows"], 20) + 1))
        case = {"recipe": recipe, "clusters": clusters}
        if index % 3 == 0:
            case.update(seed=int(rng.integers(0, 2**32)), runs=int(rng.integers(1, 5)))
        else:
            starts = rng.permutation(recipe["rows"])[:clusters]
            if index % 3 == 2 and clusters > 1:
                starts[-1] = starts[0]
            case["starts"] = starts.tolist()
        if index % 7 == 3:
            case["limit"] = 2
        yield case
    for rows, clusters in ((1, 1), (5, 3), (5, 5)):
        recipe = make_recipe(rng, "duplicates", rows, 3)
        recipe["groups"] = 1
        yield {"recipe": recipe, "clusters": clusters, "starts": list(range(clusters))}


def nearest_labels(rng):
    found = []
    for index in range(40):
        kind = ["noise", "tight groups", "loose groups", "groups of any length"][index % 4]
        recipe = make_recipe(rng, kind, log_uniform(rng, 2, 300), log_uniform(rng, 1, 70))
        x = embeddings(recipe).astype(np.float64)
        case = {"recipe": recipe}
        for metric in ("euclidean", "cosine"):
            # In one column all cosine distances are 0 or 2.
            if metric == "euclidean" or recipe["columns"] > 1:
                model = KNeighborsClassifier(n_neighbors=1, metric=metric, algorithm="brute")
                case[metric] = model.fit(x[1::2], np.arange(len(x))[1::2]).predict(x[::2]).tolist()
        found.append(case)
    return found


def main():
    warnings.simplefilter("ignore")  # fewer different rows than clusters
    rng = np.random.default_rng(20261127)
    with threadpool_limits(1):
        answers = [answer(case) for case in cases(rng)]
    found = [case for case in answers if case is not None]
    print(f"{len(found)} of {len(answers)} cases")
    write_list("kmeans.json", found)
    write_list("nearest_labels.json", nearest_labels(rng))


if __name__ == "__main__":
    main()
