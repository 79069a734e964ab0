"""Goldens of NearestNeighbors: what faiss and NumPy find within a distance, and what faiss makes of codes.

Rows and codebooks are seeded, as SeededRows and SeededGenerator of the tests have them; only the answers are kept.
Radii lie in the middle of the widest gap around the twentieth distance, because faiss leaves out a row at exactly the
radius.
"""

import faiss
import numpy as np

from common.seeded import units32, write


def rows(count, dimension, seed):
    """Rows around one center for every twenty of them, float32, as SeededRows.vectors."""
    center_count = max(2, count // 20)
    drawn = units32(seed, (center_count + count) * dimension) * np.float32(2) - np.float32(1)
    centers = drawn[:center_count * dimension].reshape(center_count, dimension)
    noise = drawn[center_count * dimension:].reshape(count, dimension)
    return centers[np.arange(count) % center_count] + noise * np.float32(0.4)


def radius(distances):
    """A radius between two of the distances, rounded to single precision."""
    ordered = np.sort(distances)[10:40]
    place = np.argmax(np.diff(ordered))
    return float(np.float32((ordered[place] + ordered[place + 1]) / 2))


def ranges():
    """Rows within a distance: faiss for products and squares, NumPy in double precision for cosines."""
    x, queries = rows(1000, 20, 31), rows(6, 20, 32)
    wide, asked = x.astype(np.float64), queries.astype(np.float64)
    lengths = np.linalg.norm(wide, axis=1)
    exact = {
        "squaredEuclidean": ((asked[:, None] - wide[None]) ** 2).sum(axis=2),
        "innerProduct": -asked @ wide.T,
        "cosine": 1 - asked @ wide.T / lengths / np.linalg.norm(asked, axis=1)[:, None],
    }
    answers = []
    for metric, distances in exact.items():
        for query in range(len(queries)):
            limit = radius(distances[query])
            if metric == "cosine":
                found = np.flatnonzero(distances[query] <= limit)
                measured = distances[query][found]
            else:
                index = faiss.IndexFlatL2(20) if metric == "squaredEuclidean" else faiss.IndexFlatIP(20)
                index.add(x)
                sign = 1 if metric == "squaredEuclidean" else -1
                _, measured, found = index.range_search(queries[query:query + 1], sign * limit)
                measured = sign * measured
            order = np.lexsort((found, measured))
            answers.append({
                "metric": metric, "query": query, "within": limit, "rows": found[order].tolist(),
                "distances": [float(value) for value in measured[order]]})
    return answers


def index_of(dimension, subspaces, bits, metric, centroids):
    """An index of given codebooks."""
    index = faiss.IndexPQ(dimension, subspaces, bits, metric)
    faiss.copy_array_to_vector(centroids.ravel(), index.pq.centroids)
    index.is_trained = True
    return index


def codes():
    """Codes and distances of given codebooks."""
    answers = []
    for dimension, subspaces, bits in [(24, 6, 8), (24, 6, 4), (15, 5, 4), (7, 7, 8), (12, 1, 8)]:
        centroids = units32(dimension + bits, dimension << bits) * np.float32(2) - np.float32(1)
        x, queries = rows(40, dimension, 41), rows(3, dimension, 42)
        for metric in ["squaredEuclidean", "innerProduct"]:
            kind = faiss.METRIC_L2 if metric == "squaredEuclidean" else faiss.METRIC_INNER_PRODUCT
            index = index_of(dimension, subspaces, bits, kind, centroids)
            written = index.pq.compute_codes(x)
            index.add(x)
            distances, found = index.search(queries, 40)
            by_row = np.empty_like(distances)
            np.put_along_axis(by_row, found, distances if metric == "squaredEuclidean" else -distances, axis=1)
            answers.append({
                "dimension": dimension, "subspaces": subspaces, "bits": bits, "metric": metric,
                "codes": written.ravel().tolist(),
                "decoded": [float(v) for v in index.pq.decode(written[:2]).ravel()],
                "distances": [[float(v) for v in line] for line in by_row]})
    return answers


def recalls():
    """How much of the ten nearest faiss finds by codebooks it trained, and the mean squared error of its codes."""
    answers = []
    for dimension, subspaces, bits, count in [(16, 4, 8, 1500), (32, 16, 4, 1500)]:
        x = units32(51, (count + 200) * dimension).reshape(-1, dimension) * np.float32(2) - np.float32(1)
        # Columns depend on each other, as those of embeddings do.
        x[:, 1::2] = x[:, 1::2] * np.float32(0.5) + x[:, 0::2] * np.float32(0.5)
        x, queries = x[:count], x[count:]
        truth = faiss.IndexFlatL2(dimension)
        truth.add(x)
        nearest = truth.search(queries, 10)[1]
        index = faiss.IndexPQ(dimension, subspaces, bits)
        index.train(x)
        index.add(x)
        found = index.search(queries, 100)[1]
        kept = index.pq.decode(index.pq.compute_codes(x)).astype(np.float64)
        answers.append({
            "dimension": dimension, "subspaces": subspaces, "bits": bits, "count": count,
            "error": float(((x - kept) ** 2).sum(axis=1).mean()),
            "recall": float(np.mean([len(set(a) & set(b)) / 10 for a, b in zip(nearest, found[:, :10])])),
            "rerankedRecall": float(np.mean([len(set(a) & set(b)) / 10 for a, b in zip(nearest, found)]))})
    return answers


def main():
    faiss.omp_set_num_threads(1)
    write("nearest_neighbors/ranges.json", ranges())
    write("nearest_neighbors/codes.json", codes())
    write("nearest_neighbors/recalls.json", recalls())


if __name__ == "__main__":
    main()
