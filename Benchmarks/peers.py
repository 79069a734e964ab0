#!/usr/bin/env python3
"""The benchmarks of TallyBenchmarks, done by the libraries people use for the same.

    python Benchmarks/peers.py [--only TEXT]... [--peer NAME] [--list] [--threads N] [--samples N]
                               [--sample-ms X] [--warm-up-ms X] [--large]

Prints one JSON object a line: name, peer, samples in nanoseconds, median, minimum, answer. The names, the input
and what an answer is are those of Benchmarks/TallyBenchmarks.
"""

import argparse
import importlib.util
import json
import os
import statistics
import sys
import time

# Peers that are left out where they are not installed.
OPTIONAL = {"torchvision"}

BENCHMARKS = []  # (name, peer, is large, function of the options that returns a run)


def peer(name, library, large=False):
    """Registers a function that makes the input and returns what to measure."""

    def register(setup):
        BENCHMARKS.append((name, library, large, setup))
        return setup

    return register


# Stats


def values():
    import inputs

    return inputs.uniform(8400, 1)


@peer("stats/median-8400", "NumPy")
def _(options):
    import numpy as np

    v = values()
    return lambda: float(np.median(v))


@peer("stats/deviation-8400", "NumPy")
def _(options):
    v = values()
    return lambda: float(v.std())


@peer("stats/quantiles-8400", "NumPy")
def _(options):
    import numpy as np

    v = values()
    q = [0.05, 0.25, 0.5, 0.75, 0.95]
    return lambda: float(np.quantile(v, q).sum())


@peer("stats/percentiles-8400", "NumPy")
def _(options):
    import numpy as np

    v = values()
    q = np.arange(101) / 100
    return lambda: float(np.quantile(v, q).sum())


@peer("stats/quantile-8400", "NumPy")
def _(options):
    import numpy as np

    v = values()
    return lambda: float(np.quantile(v, 0.95))


@peer("stats/mean-8400", "NumPy")
def _(options):
    v = values()
    return lambda: float(v.mean())


@peer("stats/moments-8400", "SciPy")
def _(options):
    from scipy import stats

    v = values()
    return lambda: float(stats.skew(v) + stats.kurtosis(v))


@peer("stats/outlier-band-8400", "NumPy")
def _(options):
    import numpy as np

    v = values()

    def run():
        middle, deviation = np.median(v), v.std()
        return int(((v >= middle - deviation) & (v <= middle + deviation)).sum())

    return run


@peer("stats/histogram-8400x20", "NumPy")
def _(options):
    import numpy as np

    v = values()
    edges = np.arange(21) / 20
    bins = np.arange(20)
    return lambda: int((np.histogram(v, edges)[0] * bins).sum())


@peer("stats/density-8400-at-100", "SciPy")
def _(options):
    import numpy as np
    from scipy import stats

    v = values()
    at = np.arange(100) / 100
    # Its bandwidth is a factor of the sample's deviation.
    factor = 0.05 / v.std(ddof=1)
    return lambda: float(stats.gaussian_kde(v, factor)(at).sum())


@peer("stats/normal-cumulative-8400", "SciPy")
def _(options):
    from scipy import special

    v = values() * 8 - 4
    return lambda: float(special.ndtr(v).sum())


@peer("stats/normal-quantile-8400", "SciPy")
def _(options):
    import numpy as np
    from scipy import special

    v = values()
    return lambda: float(np.abs(special.ndtri(v)).sum())


# Boxes


def torchvision_boxes(options, *boxes):
    """Boxes as tensors; torchvision and torch are optional."""
    import torch

    torch.set_num_threads(options.threads)
    return [torch.from_numpy(b) for b in boxes]


@peer("geometry/iou-matrix-1000x1000", "torchvision")
def _(options):
    import inputs
    from torchvision.ops import box_iou

    a, b = torchvision_boxes(
        options, inputs.clustered_boxes(1000, 640, 2)[0], inputs.clustered_boxes(1000, 640, 3)[0])
    return lambda: float(box_iou(a, b).sum())


@peer("geometry/generalized-iou-1000x1000", "torchvision")
def _(options):
    import inputs
    import torch
    from torchvision.ops import generalized_box_iou

    a, b = torchvision_boxes(
        options, inputs.clustered_boxes(1000, 640, 2)[0], inputs.clustered_boxes(1000, 640, 3)[0])
    return lambda: float(generalized_box_iou(a, b).sum(dtype=torch.float64))


@peer("geometry/clip-8400", "torchvision")
def _(options):
    import inputs
    import torch
    from torchvision.ops import box_area, clip_boxes_to_image

    (boxes,) = torchvision_boxes(options, inputs.clustered_boxes(8400, 1920, 2)[0])
    return lambda: float(box_area(clip_boxes_to_image(boxes, (900, 1000))).sum(dtype=torch.float64))


@peer("geometry/clip-8400", "NumPy")
def _(options):
    import inputs
    import numpy as np

    boxes, _ = inputs.clustered_boxes(8400, 1920, 2)
    far = np.array((1000, 900, 1000, 900), np.float32)

    def run():
        clipped = np.clip(boxes, 0, far)
        sides = clipped[:, 2:] - clipped[:, :2]
        return float((sides[:, 0] * sides[:, 1]).sum(dtype=np.float64))

    return run


@peer("geometry/quadrilateral-iou-100x100", "OpenCV")
def _(options):
    import cv2
    import inputs
    import numpy as np

    cv2.setNumThreads(options.threads)

    def diamonds(seed):
        boxes, _ = inputs.clustered_boxes(100, 320, seed)
        x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
        corners = [(x, boxes[:, 1]), (boxes[:, 2], y), (x, boxes[:, 3]), (boxes[:, 0], y)]
        return np.ascontiguousarray(np.stack([np.stack(c, 1) for c in corners], 1), np.float32)

    first, second = diamonds(2), diamonds(3)

    def run():
        total = 0.0
        areas = [cv2.contourArea(b) for b in second]
        for a in first:
            area = cv2.contourArea(a)
            for b, other in zip(second, areas):
                shared, _ = cv2.intersectConvexConvex(a, b)
                total += shared / (area + other - shared)
        return total

    return run


@peer("geometry/iou-matrix-1000x1000", "NumPy")
def _(options):
    import inputs
    import numpy as np

    a, _ = inputs.clustered_boxes(1000, 640, 2)
    b, _ = inputs.clustered_boxes(1000, 640, 3)

    def run():
        sides = np.minimum(a[:, None, 2:], b[None, :, 2:]) - np.maximum(a[:, None, :2], b[None, :, :2])
        sides = np.maximum(sides, 0)
        shared = sides[..., 0] * sides[..., 1]
        area_a = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
        area_b = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
        return float((shared / (area_a[:, None] + area_b - shared)).sum())

    return run


def numpy_suppression(boxes, scores, threshold):
    """Greedy suppression as YOLOX's own demo does it, without its one-pixel margin."""
    import numpy as np

    x1, y1, x2, y2 = boxes.T
    areas = (x2 - x1) * (y2 - y1)
    order = scores.argsort()[::-1]
    kept = []
    while order.size:
        i = order[0]
        kept.append(i)
        rest = order[1:]
        w = np.maximum(np.minimum(x2[i], x2[rest]) - np.maximum(x1[i], x1[rest]), 0)
        h = np.maximum(np.minimum(y2[i], y2[rest]) - np.maximum(y1[i], y1[rest]), 0)
        shared = w * h
        order = rest[shared / (areas[i] + areas[rest] - shared) <= threshold]
    return kept


def suppression(count, side):
    @peer(f"nms/clustered-{count}", "NumPy")
    def _(options):
        import inputs

        boxes, scores = inputs.clustered_boxes(count, side, 4)
        return lambda: len(numpy_suppression(boxes, scores, 0.65))

    @peer(f"nms/clustered-{count}", "OpenCV")
    def _(options):
        import cv2
        import inputs

        boxes, scores = inputs.clustered_boxes(count, side, 4)
        boxes = boxes.copy()
        boxes[:, 2:] -= boxes[:, :2]
        cv2.setNumThreads(options.threads)
        return lambda: len(cv2.dnn.NMSBoxes(boxes, scores, 0.0, 0.65))

    # Half a minute a run for the largest.
    @peer(f"nms/clustered-{count}", "torchvision", large=count > 10_000)
    def _(options):
        import inputs
        from torchvision.ops import nms

        boxes, scores = torchvision_boxes(options, *inputs.clustered_boxes(count, side, 4))
        return lambda: len(nms(boxes, scores, 0.65))


suppression(1000, 640)
suppression(8400, 1920)
suppression(100_000, 8000)


@peer("nms/classes-8400", "torchvision")
def _(options):
    import inputs
    import torch
    from torchvision.ops import batched_nms

    boxes, scores = torchvision_boxes(options, *inputs.clustered_boxes(8400, 1920, 4))
    classes = torch.arange(8400) % 7
    return lambda: len(batched_nms(boxes, scores, classes, 0.65))


@peer("nms/classes-8400", "OpenCV")
def _(options):
    import cv2
    import inputs
    import numpy as np

    boxes, scores = inputs.clustered_boxes(8400, 1920, 4)
    # It shifts classes apart in float64.
    boxes = boxes.astype(np.float64)
    boxes[:, 2:] -= boxes[:, :2]
    classes = (np.arange(8400) % 7).astype(np.int32)
    cv2.setNumThreads(options.threads)
    return lambda: len(cv2.dnn.NMSBoxesBatched(boxes, scores, classes, 0.0, 0.65))


def identical(library):
    @peer("nms/identical-100000", library)
    def _(options):
        import inputs
        import numpy as np

        boxes = np.tile(np.array((5, 5, 65, 45), np.float32), (100_000, 1))
        scores = inputs.uniform(100_000, 17).astype(np.float32)
        if library == "torchvision":
            from torchvision.ops import nms

            boxes, scores = torchvision_boxes(options, boxes, scores)
            return lambda: len(nms(boxes, scores, 0.65))
        import cv2

        boxes[:, 2:] -= boxes[:, :2]
        cv2.setNumThreads(options.threads)
        return lambda: len(cv2.dnn.NMSBoxes(boxes, scores, 0.0, 0.65))


identical("torchvision")
identical("OpenCV")


def decoding(name, minimum, decoded=False):
    @peer(name, "NumPy")
    def _(options):
        import inputs
        import numpy as np

        output = inputs.head_output(8400, 80, 5)
        cells, steps = [], []
        for stride in (8, 16, 32):
            ys, xs = np.meshgrid(np.arange(640 // stride), np.arange(640 // stride), indexing="ij")
            cells.append(np.stack((xs, ys), 2).reshape(-1, 2))
            steps.append(np.full((len(cells[-1]), 1), stride))
        cells = np.concatenate(cells).astype(np.float32)
        steps = np.concatenate(steps).astype(np.float32)

        def run():
            classes = output[:, 5:]
            best = classes.argmax(1)
            scores = output[:, 4] * classes[np.arange(len(classes)), best]
            keep = scores >= minimum
            centers, sizes = output[keep, :2], output[keep, 2:4]
            if not decoded:
                centers = (centers + cells[keep]) * steps[keep]
                sizes = np.exp(sizes) * steps[keep]
            boxes = np.concatenate((centers - sizes / 2, centers + sizes / 2), 1)
            return float(scores[keep].sum(dtype=np.float64) + boxes[:, 0].sum(dtype=np.float64))

        return run


decoding("decode/yolox-8400x85", 0.001)
decoding("decode/yolox-8400x85-at-0.5", 0.5)
decoding("decode/yolox-8400x85-decoded", 0.001, decoded=True)


def table(name, rows, columns, minimum, kind):
    @peer(name, "NumPy")
    def _(options):
        import inputs
        import numpy as np

        output = inputs.head_output(rows, columns - 5, 6)
        if kind == "yolov8":
            output = np.ascontiguousarray(output.T)

        def run():
            if kind == "yolov8":
                scores = output[4:].max(0)
                keep = scores >= minimum
                output[4:, keep].argmax(0)
                left = output[0, keep] - output[2, keep] / 2
            elif kind == "yolov5":
                keep = output[:, 4] >= minimum
                kept = output[keep]
                scores = kept[:, 4] * kept[:, 5:].max(1)
                kept[:, 5:].argmax(1)
                keep = scores >= minimum
                left = kept[keep, 0] - kept[keep, 2] / 2
            else:
                scores = output[:, 4]
                keep = scores >= minimum
                left = output[keep, 0]
            return float(scores[keep].sum(dtype=np.float64) + left.sum(dtype=np.float64))

        return run


table("decode/yolov8-84x8400", 8400, 84, 0.9995, "yolov8")
table("decode/yolov5-25200x85", 25200, 85, 0.25, "yolov5")
table("decode/end-to-end-300x6", 300, 6, 0.25, "end-to-end")


def queries(name, activation, count, classes, minimum):
    @peer(name, "NumPy")
    def _(options):
        import inputs
        import numpy as np

        values = inputs.head_output(count, classes - 1, 7)
        logits, boxes = np.ascontiguousarray(values[:, 4:] * 2), np.ascontiguousarray(values[:, :4])

        def run():
            if activation == "sigmoid":
                scores = 1 / (1 + np.exp(-logits))
                order = np.argsort(-scores.flatten(), kind="stable")[:count]
                scores = scores.flatten()[order]
                keep = scores >= minimum
                chosen = boxes[order // classes][keep]
            else:
                shares = np.exp(logits - logits.max(1, keepdims=True))
                shares /= shares.sum(1, keepdims=True)
                scores = shares[:, :-1].max(1)
                shares[:, :-1].argmax(1)
                keep = scores >= minimum
                chosen = boxes[keep]
            left = chosen[:, 0] - chosen[:, 2] / 2
            return float(scores[keep].sum(dtype=np.float64) + left.sum(dtype=np.float64))

        return run


queries("decode/rt-detr-300x80", "sigmoid", 300, 80, 0.87)
queries("decode/detr-100x92", "softmax", 100, 92, 0.03)


@peer("decode/read-8400x85", "NumPy")
def _(options):
    import inputs

    output = inputs.head_output(8400, 80, 5)
    return lambda: float(output.sum())


# Clustering


@peer("distances/cosine-1000x512", "NumPy")
def _(options):
    import inputs
    import numpy as np

    x = inputs.embeddings(1000, 512, 6)

    def run():
        rows = x / np.linalg.norm(x, axis=1, keepdims=True)
        distances = 1 - rows @ rows.T
        return float(distances[np.triu_indices(1000, 1)].sum(dtype=np.float64))

    return run


@peer("distances/cosine-1000x512", "SciPy")
def _(options):
    import inputs
    from scipy.spatial.distance import pdist

    x = inputs.embeddings(1000, 512, 6)
    return lambda: float(pdist(x, "cosine").sum())


@peer("distances/cosine-10000x512", "NumPy", True)
def _(options):
    import inputs
    import numpy as np

    x = inputs.embeddings(10_000, 512, 6)

    def run():
        rows = x / np.linalg.norm(x, axis=1, keepdims=True)
        return float((1 - rows @ rows.T)[1, 2348])

    return run


@peer("distances/cosine-10000x512", "ssyrk alone (SciPy)", True)
def _(options):
    import inputs
    import numpy as np
    from scipy.linalg.blas import ssyrk

    x = inputs.embeddings(10_000, 512, 6)
    rows = np.asfortranarray((x / np.linalg.norm(x, axis=1, keepdims=True)).T)
    c = np.zeros((10_000, 10_000), np.float32, order="F")
    return lambda: float(1 - ssyrk(1.0, rows, trans=1, c=c, overwrite_c=1)[1, 2348])


def agglomeration(count, shape):
    name = f"cluster/average-cosine-{count}x512-{shape}"
    large = count >= 10_000

    @peer(name, "scikit-learn", large)
    def _(options):
        import inputs
        from sklearn.cluster import AgglomerativeClustering

        x = inputs.embeddings(count, 512, 7, shape)
        clustering = AgglomerativeClustering(
            n_clusters=None, metric="cosine", linkage="average", distance_threshold=0.2
        )
        return lambda: int(clustering.fit_predict(x).max()) + 1

    @peer(name, "SciPy", large)
    def _(options):
        import inputs
        from scipy.cluster.hierarchy import fcluster, linkage

        x = inputs.embeddings(count, 512, 7, shape)
        return lambda: int(fcluster(linkage(x, "average", "cosine"), 0.2, "distance").max())

    @peer(name, "NumPy + fastcluster", large)
    def _(options):
        import fastcluster
        import inputs
        import numpy as np
        from scipy.cluster.hierarchy import fcluster

        x = inputs.embeddings(count, 512, 7, shape)

        def run():
            rows = x / np.linalg.norm(x, axis=1, keepdims=True)
            distances = 1 - rows @ rows.T
            condensed = np.concatenate([distances[i, i + 1 :] for i in range(count - 1)])
            tree = fastcluster.linkage(condensed, "average", preserve_input=False)
            return int(fcluster(tree, 0.2, "distance").max())

        return run


for shape in ("apart", "overlapping", "unstructured"):
    for count in (50, 200, 1000, 5000, 10_000) + ((20_000,) if shape == "apart" else ()):
        agglomeration(count, shape)


def density(name, count, columns, shape, **settings):
    @peer(f"cluster/dbscan-{name}-{shape}", "scikit-learn")
    def _(options):
        import inputs
        from sklearn.cluster import DBSCAN

        x = inputs.embeddings(count, columns, 7, shape)

        def run():
            found = DBSCAN(min_samples=5, **settings).fit(x)
            return int(found.labels_.max()) + 1 + len(found.core_sample_indices_)

        return run


for shape in ("apart", "overlapping", "unstructured"):
    density("cosine-5000x512", 5000, 512, shape, eps=0.2, metric="cosine")
    density("euclidean-5000x512", 5000, 512, shape, eps=9)
    density("euclidean-5000x10", 5000, 10, shape, eps=0.9)
    density("euclidean-50000x2", 50_000, 2, shape, eps=0.02)


def hierarchical_density(name, count, columns, shape, metric):
    @peer(f"cluster/hdbscan-{name}-{shape}", "scikit-learn", metric == "euclidean" and columns > 100)
    def _(options):
        import inputs
        from sklearn.cluster import HDBSCAN

        x = inputs.embeddings(count, columns, 7, shape)
        return lambda: len(HDBSCAN(min_cluster_size=10, metric=metric, copy=True).fit(x).labels_)


for shape in ("apart", "overlapping", "unstructured"):
    hierarchical_density("cosine-2000x512", 2000, 512, shape, "cosine")
    hierarchical_density("euclidean-2000x512", 2000, 512, shape, "euclidean")
    hierarchical_density("euclidean-5000x10", 5000, 10, shape, "euclidean")
    hierarchical_density("euclidean-10000x2", 10_000, 2, shape, "euclidean")


def connected(linkage):
    @peer(f"cluster/connected-{linkage}-64x64x3", "scikit-learn")
    def _(options):
        import inputs
        import numpy as np
        from sklearn.cluster import AgglomerativeClustering
        from sklearn.feature_extraction.image import grid_to_graph

        x = inputs.embeddings(4096, 3, 7, "overlapping")
        graph = grid_to_graph(64, 64)
        clustering = AgglomerativeClustering(10, linkage=linkage, connectivity=graph)
        return lambda: int(np.bincount(clustering.fit_predict(x)).max())


connected("ward")
connected("average")


@peer("cluster/agreement-10000-101x97", "scikit-learn")
def _(options):
    import numpy as np
    from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

    index = np.arange(10_000)
    labels, others = index * index % 101, index % 97
    return lambda: 1 + adjusted_rand_score(labels, others) + adjusted_mutual_info_score(labels, others)


@peer("cluster/nearest-labels-2000-of-5000x512", "scikit-learn")
def _(options):
    import inputs
    from sklearn.neighbors import NearestNeighbors

    x = inputs.embeddings(7000, 512, 7)
    known = NearestNeighbors(n_neighbors=1, algorithm="brute").fit(x[:5000])
    return lambda: int(known.kneighbors(x[5000:], return_distance=False).sum())


def kmeans(start, count, columns, shape, clusters):
    @peer(f"cluster/kmeans-{start}-{count}x{columns}-{shape}", "scikit-learn")
    def _(options):
        import inputs
        from sklearn.cluster import KMeans

        x = inputs.embeddings(count, columns, 7, shape)
        init = "k-means++" if start == "seeded" else x[:clusters]
        clustering = KMeans(clusters, init=init, n_init=1, max_iter=20, random_state=1)
        return lambda: float(clustering.fit(x).inertia_)


for shape in ("apart", "overlapping", "unstructured"):
    kmeans("given", 10_000, 128, shape, 50)
    kmeans("seeded", 10_000, 128, shape, 50)
    kmeans("seeded", 2000, 512, shape, 20)
    kmeans("seeded", 50_000, 2, shape, 8)


# Images


def resize(name, source, target, library):
    @peer(f"raster/{name}", library)
    def _(options):
        import inputs
        import numpy as np

        image = inputs.image(*source, 3, 8)
        if library == "OpenCV":
            import cv2

            cv2.setNumThreads(options.threads)
            return lambda: int(cv2.resize(image, target, interpolation=cv2.INTER_LINEAR).sum(dtype=np.uint64))
        from PIL import Image

        picture = Image.fromarray(image)
        return lambda: int(np.asarray(picture.resize(target, Image.Resampling.BICUBIC)).sum(dtype=np.uint64))


resize("bilinear-1920x1080-640x360", (1920, 1080), (640, 360), "OpenCV")
resize("bilinear-3840x2160-640x360", (3840, 2160), (640, 360), "OpenCV")
resize("bicubic-512x512-224x224", (512, 512), (224, 224), "Pillow")
resize("bicubic-64x64-224x224", (64, 64), (224, 224), "Pillow")


@peer("raster/letterbox-1920x1080-640x640", "OpenCV")
def _(options):
    import cv2
    import inputs
    import numpy as np

    image = inputs.image(1920, 1080, 3, 8)
    cv2.setNumThreads(options.threads)

    def run():
        canvas = np.full((640, 640, 3), 114, np.uint8)
        canvas[:360] = cv2.resize(image, (640, 360), interpolation=cv2.INTER_LINEAR)
        return int(canvas.sum(dtype=np.uint64))

    return run


@peer("raster/nv12-1920x1080", "OpenCV")
def _(options):
    import cv2
    import inputs

    luma = inputs.image(1920, 1080, 1, 10).reshape(1080, 1920)
    chroma = inputs.image(960, 540, 2, 11)
    cv2.setNumThreads(options.threads)
    # Its colours differ by rounding, so only their number is compared.
    return lambda: cv2.cvtColorTwoPlane(luma, chroma, cv2.COLOR_YUV2RGB_NV12).size


@peer("raster/clip-tensor-96x80", "Pillow + NumPy")
def _(options):
    import inputs
    import numpy as np
    from PIL import Image

    image = inputs.image(96, 80, 3, 9)
    mean = np.array((0.48145466, 0.4578275, 0.40821073), np.float32)
    deviation = np.array((0.26862954, 0.26130258, 0.27577711), np.float32)

    def run():
        picture = Image.fromarray(image).resize((268, 224), Image.Resampling.BICUBIC)
        picture = picture.crop((22, 0, 246, 224))
        pixels = (np.asarray(picture, np.float32) / np.float32(255) - mean) / deviation
        tensor = np.ascontiguousarray(pixels.transpose(2, 0, 1))
        return float(np.abs(tensor).sum(dtype=np.float64))

    return run


# Books


@peer("isbn/validate", "isbnlib")
def _(options):
    import inputs
    import isbnlib

    codes = inputs.isbns(10_000, 10, flaw=3)
    return lambda: sum(map(isbnlib.is_isbn13, codes))


@peer("isbn/validate", "python-stdnum")
def _(options):
    import inputs
    from stdnum import isbn

    codes = inputs.isbns(10_000, 10, flaw=3)
    return lambda: sum(map(isbn.is_valid, codes))


def isbn10s(seed):
    import inputs
    import isbnlib

    return [isbnlib.to_isbn10(code) for code in inputs.isbns(10_000, seed)]


@peer("isbn/validate-10", "isbnlib")
def _(options):
    import isbnlib

    codes = isbn10s(10)
    return lambda: sum(map(isbnlib.is_isbn10, codes))


@peer("isbn/validate-10", "python-stdnum")
def _(options):
    from stdnum import isbn

    codes = isbn10s(10)
    return lambda: sum(map(isbn.is_valid, codes))


@peer("isbn/convert-to-13", "isbnlib")
def _(options):
    import isbnlib

    codes = isbn10s(11)
    return lambda: sum(len(isbnlib.to_isbn13(code)) for code in codes)


@peer("isbn/convert-to-13", "python-stdnum")
def _(options):
    from stdnum import isbn

    codes = isbn10s(11)
    return lambda: sum(len(isbn.to_isbn13(code)) for code in codes)


@peer("isbn/complete", "isbnlib")
def _(options):
    import inputs
    from isbnlib import check_digit13

    bodies = [code[:-1] for code in inputs.isbns(10_000, 11)]
    return lambda: sum(int(check_digit13(body)) for body in bodies)


@peer("isbn/complete", "python-stdnum")
def _(options):
    import inputs
    from stdnum import ean

    bodies = [code[:-1] for code in inputs.isbns(10_000, 11)]
    return lambda: sum(int(ean.calc_check_digit(body)) for body in bodies)


@peer("isbn/normalize", "isbnlib")
def _(options):
    import inputs
    import isbnlib

    codes = [f"{c[:3]}-{c[3:8]}-{c[8:]}" for c in inputs.isbns(10_000, 12)]
    return lambda: sum(len(isbnlib.canonical(code)) for code in codes)


@peer("isbn/normalize", "python-stdnum")
def _(options):
    import inputs
    from stdnum import isbn

    codes = [f"{c[:3]}-{c[3:8]}-{c[8:]}" for c in inputs.isbns(10_000, 12)]
    return lambda: sum(len(isbn.compact(code)) for code in codes)


@peer("isbn/convert-to-10", "isbnlib")
def _(options):
    import inputs
    import isbnlib

    codes = inputs.isbns(10_000, 11)
    return lambda: sum(len(isbnlib.to_isbn10(code)) for code in codes)


@peer("isbn/convert-to-10", "python-stdnum")
def _(options):
    import inputs
    from stdnum import isbn

    codes = inputs.isbns(10_000, 11)
    return lambda: sum(len(isbn.to_isbn10(code)) for code in codes)


@peer("isbn/hyphenate", "isbnlib")
def _(options):
    import inputs
    import isbnlib

    codes = inputs.isbns(10_000, 12)
    return lambda: sum(len(isbnlib.mask(code) or "") for code in codes)


@peer("isbn/hyphenate", "python-stdnum")
def _(options):
    import inputs
    from stdnum import isbn

    codes = inputs.isbns(10_000, 12)
    return lambda: sum(len(isbn.format(code)) for code in codes)


@peer("isbn/extract", "isbnlib")
def _(options):
    import inputs
    import isbnlib

    text = inputs.text(200, 13)

    def run():
        found = (isbnlib.get_canonical_isbn(like) for like in isbnlib.get_isbnlike(text))
        return sum(1 for isbn in found if isbn)

    return run


# Search


def flat_search(queries, count, large=False):
    @peer(f"search/flat-{queries}-{count}x512", "faiss", large)
    def _(options):
        import faiss
        import inputs

        x = inputs.embeddings(count + queries, 512, 20)
        faiss.omp_set_num_threads(options.threads)
        # By default small products or none compare these few queries, several times slower: matrix products instead.
        if queries > 1:
            faiss.cvar.distance_compute_blas_threshold = 1
        index = faiss.IndexFlatIP(512)
        index.add(x[:count])
        return lambda: float(index.search(x[count:], 5)[0].astype("float64").sum())

    @peer(f"search/flat-{queries}-{count}x512", "NumPy", large)
    def _(options):
        import inputs
        import numpy as np

        x = inputs.embeddings(count + queries, 512, 20)

        def run():
            products = x[count:] @ x[:count].T
            return float(-np.sort(np.partition(-products, 5, axis=1)[:, :5], axis=1).astype("float64").sum())

        return run


flat_search(1, 10_000)
flat_search(1, 100_000, large=True)
flat_search(64, 100_000, large=True)


@peer("search/within-64-100000x512", "faiss", True)
def _(options):
    import faiss
    import inputs

    x = inputs.embeddings(100_064, 512, 20)
    faiss.omp_set_num_threads(options.threads)
    faiss.cvar.distance_compute_blas_threshold = 1
    index = faiss.IndexFlatIP(512)
    index.add(x[:100_000])
    return lambda: int(index.range_search(x[100_000:], 100)[0][-1])


def trained_pq(x, bits, options):
    import faiss

    faiss.omp_set_num_threads(options.threads)
    index = faiss.IndexPQ(128, 16, bits)
    index.train(x[:20_000])
    return index


@peer("search/pq-train-20000x128-16", "faiss", True)
def _(options):
    import inputs

    x = inputs.embeddings(20_000, 128, 21)

    def run():
        index = trained_pq(x, 8, options)  # Its quantizer ends with it.
        kept = index.pq.decode(index.pq.compute_codes(x[:1000]))
        return float(((x[:1000] - kept).astype("float64") ** 2).sum(axis=1).mean())

    return run


def pq_queries(bits):
    @peer(f"search/pq-query-100000x128-16-bits{bits}", "faiss", True)
    def _(options):
        import faiss
        import inputs

        x = inputs.embeddings(101_000, 128, 21)
        rows, queries = x[:100_000], x[100_000:100_100]
        exact = faiss.IndexFlatL2(128)
        exact.add(rows)
        truth = [set(line) for line in exact.search(queries, 10)[1].tolist()]
        index = trained_pq(x, bits, options)
        index.add(rows)

        def run():
            found = index.search(queries, 10)[1].tolist()
            return sum(len(t.intersection(f)) for t, f in zip(truth, found)) / len(queries)

        return run


pq_queries(8)
pq_queries(4)


def built_hnsw(x, options):
    import hnswlib

    index = hnswlib.Index("cosine", x.shape[1])
    index.init_index(len(x), M=16, ef_construction=200)
    index.add_items(x, num_threads=options.threads)
    return index


@peer("search/hnsw-build-100000x128", "hnswlib", True)
def _(options):
    import inputs

    x = inputs.embeddings(101_000, 128, 21)[:100_000]
    return lambda: built_hnsw(x, options).get_current_count()


@peer("search/hnsw-query-100000x128-ef20", "hnswlib", True)
def _(options):
    import inputs
    import numpy as np

    x = inputs.embeddings(101_000, 128, 21)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    rows, queries = x[:100_000], x[100_000:]
    truth = [set(np.argpartition(-(rows @ query), 10)[:10].tolist()) for query in queries]
    index = built_hnsw(rows, options)
    index.set_ef(20)

    def run():
        found = index.knn_query(queries, 10, num_threads=options.threads)[0]
        return sum(len(t.intersection(f)) for t, f in zip(truth, found.tolist())) / len(queries)

    return run


def measure(setup, options):
    """The samples in nanoseconds a run, how many runs each was, and the last answer."""
    run = setup(options)
    start = time.perf_counter_ns()
    answer = run()
    first = time.perf_counter_ns() - start
    # What takes so long has no warming up, and would take an hour by the dozen.
    if first >= 5e9:
        return [first], 1, answer
    runs, start = 0, time.perf_counter_ns()
    while True:
        answer = run()
        runs += 1
        elapsed = time.perf_counter_ns() - start
        if elapsed >= options.warm_up_ms * 1e6:
            break
    repeats = max(1, -int(-options.sample_ms * 1e6 // max(elapsed / runs, 1)))
    samples = []
    # Three samples of what takes seconds.
    for _ in range(options.samples if elapsed / runs < 2e9 else min(options.samples, 3)):
        start = time.perf_counter_ns()
        for _ in range(repeats):
            answer = run()
        samples.append((time.perf_counter_ns() - start) / repeats)
    return samples, repeats, answer


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="=NAME for one by its whole name")
    parser.add_argument("--peer", metavar="NAME")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--samples", type=int, default=15)
    parser.add_argument("--sample-ms", type=float, default=20)
    parser.add_argument("--warm-up-ms", type=float, default=100)
    return parser.parse_args()


def is_chosen(name, large, options):
    if options.only:
        return any(name == text[1:] if text.startswith("=") else text in name for text in options.only)
    return options.large or not large


def main():
    options = arguments()
    # Before the first import of a library that reads them.
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = str(options.threads)
    for name, library, large, setup in BENCHMARKS:
        if not is_chosen(name, large, options) or (options.peer and library != options.peer):
            continue
        if library in OPTIONAL and importlib.util.find_spec(library) is None:
            print(f"peers.py: {name}: {library} is not installed", file=sys.stderr)
            continue
        if options.list:
            print(f"{name}\t{library}")
            continue
        samples, repeats, answer = measure(setup, options)
        print(json.dumps({
            "name": name, "peer": library, "samples": samples, "median": statistics.median(samples),
            "minimum": min(samples), "runsPerSample": repeats, "answer": answer}), flush=True)


if __name__ == "__main__":
    main()
