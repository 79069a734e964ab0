"""Writes into Fixtures/Goldens/Clustering how scikit-learn compares labellings.

agreements.json: adjusted Rand index and adjusted mutual information of seeded labels, from the same to independent
ones, with few and many clusters, with noise (-1), and of none to 3000 things.

Run from the top of the checkout: python Fixtures/generate/agreement.py
"""

import numpy as np
from clustering import write as write_list
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score


def pairs(rng):
    for labels, others in (
        ([], []),
        ([0], [5]),
        ([0, 0, 0], [1, 1, 1]),
        ([0, 0, 0, 0], [0, 1, 2, 3]),
        ([0, 1, 2, 3], [3, 2, 1, 0]),
        ([0, 0, 1, 1], [0, 1, 0, 1]),
        ([0, 0, 0, 1], [0, 0, 1, 1]),
    ):
        yield labels, others
    for index in range(50):
        count = int(rng.choice([2, 5, 20, 100, 400]))
        labels = rng.integers(-1, rng.integers(1, max(2, count // 3) + 1), count)
        others = rng.permutation(np.unique(labels).max() + 2)[labels + 1]
        changed = rng.random(count) < rng.choice([0, 0.1, 0.5, 1])
        others[changed] = rng.integers(-1, max(2, count // 4), changed.sum())
        yield labels.tolist(), others.tolist()


def large(rng):
    """3000 things, by recipe: the label of thing i is i * i % first, and i % second."""
    for first, second in ((7, 7), (40, 13), (997, 31), (1499, 1501)):
        index = np.arange(3000)
        yield first, second, (index * index % first), (index % second)


def scores(labels, others):
    return {
        "rand": float(adjusted_rand_score(labels, others)),
        "information": float(adjusted_mutual_info_score(labels, others)),
    }


def main():
    rng = np.random.default_rng(20261128)
    cases = [{"labels": a, "others": b, **scores(a, b)} for a, b in pairs(rng)]
    cases += [{"first": p, "second": q, **scores(a, b)} for p, q, a, b in large(rng)]
    write_list("agreements.json", cases)


if __name__ == "__main__":
    main()
