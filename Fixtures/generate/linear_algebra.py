"""Writes Fixtures/Goldens/LinearAlgebra: what NumPy, scikit-learn and OpenCV answer on small matrices.

Run from the top of the checkout: python Fixtures/generate/linear_algebra.py
"""

import json
import pathlib

import cv2
import numpy as np
from sklearn.decomposition import PCA

FOLDER = pathlib.Path("Fixtures/Goldens/LinearAlgebra")


def rounded(array):
    """Values that single precision holds exactly, so that both precisions see the same matrix."""
    return np.round(array * 1024) / 1024


def matrix(array):
    array = np.atleast_2d(array)
    return {"rows": array.shape[0], "columns": array.shape[1], "elements": array.ravel().tolist()}


def eigen(rng):
    for n in (1, 2, 3, 5, 10, 24):
        a = rounded(rng.standard_normal((n, n)))
        a = np.tril(a) + np.tril(a, -1).T
        if n == 5:
            a[:] = np.outer(a[0], a[0])  # rank 1: an eigenvalue of many vectors
            a = np.tril(a) + np.tril(a, -1).T
        yield {"matrix": matrix(a), "values": np.linalg.eigvalsh(a).tolist()}


def singular(rng):
    for m, n in ((1, 1), (1, 4), (4, 1), (3, 3), (7, 4), (4, 7), (30, 12)):
        a = rounded(rng.standard_normal((m, n)))
        if (m, n) == (7, 4):
            a[:, 3] = a[:, 0]
        yield {"matrix": matrix(a), "values": np.linalg.svd(a, compute_uv=False).tolist()}


def solve(rng):
    for n, k in ((1, 1), (2, 3), (5, 1), (8, 2), (20, 4)):
        a = rounded(rng.standard_normal((n, n))) + 3 * np.eye(n)
        b = rounded(rng.standard_normal((n, k)))
        yield {"matrix": matrix(a), "right": matrix(b), "solution": matrix(np.linalg.solve(a, b))}


def least_squares(rng):
    for m, n, k, rank in ((1, 1, 1, 1), (9, 4, 2, 4), (4, 9, 3, 4), (12, 5, 1, 3), (5, 12, 2, 2)):
        a = rounded(rng.standard_normal((m, n)))
        if rank < min(m, n):
            a = rng.integers(-4, 5, (m, rank)) @ rng.integers(-4, 5, (rank, n)) * 1.0
        b = rounded(rng.standard_normal((m, k)))
        x, _, found, _ = np.linalg.lstsq(a, b, rcond=None)
        assert found == rank
        yield {"matrix": matrix(a), "right": matrix(b), "solution": matrix(x), "rank": int(rank)}


def components(rng):
    for n, d, k in ((2, 3, 2), (20, 5, 5), (40, 8, 3), (6, 15, 4), (9, 1, 1)):
        x = rounded(rng.standard_normal((n, d)) @ np.diag(1.6 ** -np.arange(d)) + rng.standard_normal(d))
        pca = PCA(n_components=k, svd_solver="full").fit(x)
        if n == 2:  # the second component has no variance, and so no direction of its own
            pca = PCA(n_components=1, svd_solver="full").fit(x)
        yield {
            "rows": matrix(x),
            "mean": pca.mean_.tolist(),
            "components": matrix(pca.components_),
            "variance": pca.explained_variance_.tolist(),
            "ratio": pca.explained_variance_ratio_.tolist(),
            "projected": matrix(pca.transform(x)),
        }


def homographies(rng):
    square = np.array([[0, 0], [640, 0], [640, 480], [0, 480]], np.float32)
    for _ in range(4):
        target = np.round(square + rng.uniform(-90, 90, (4, 2))).astype(np.float32)
        yield {
            "from": square.ravel().tolist(),
            "to": target.ravel().tolist(),
            "homography": cv2.getPerspectiveTransform(square, target).ravel().tolist(),
        }


def norms(rng):
    for n in (1, 2, 7, 100):
        x = rounded(rng.standard_normal(n) * 50)
        yield {
            "values": x.tolist(),
            "norms": [float(np.linalg.norm(x, order)) for order in (1, 2, np.inf)],
        }


def main():
    rng = np.random.default_rng(20260822)
    FOLDER.mkdir(parents=True, exist_ok=True)
    answers = {
        "eigen": list(eigen(rng)),
        "singular": list(singular(rng)),
        "solve": list(solve(rng)),
        "leastSquares": list(least_squares(rng)),
        "components": list(components(rng)),
        "homographies": list(homographies(rng)),
        "norms": list(norms(rng)),
    }
    with open(FOLDER / "answers.json", "w") as out:
        json.dump(answers, out, separators=(",", ":"))
        out.write("\n")


main()
