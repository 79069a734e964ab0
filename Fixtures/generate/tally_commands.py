#!/usr/bin/env python
"""Small models and arrays for the command line's tests.

    python Fixtures/generate/tally_commands.py

Writes Fixtures/Goldens/TallyCommands:

- detector.onnx: a YOLOX of 128 x 128 pixels that sees bright cells of 8 x 8 pixels. Its weights are
  made up, not trained: an object's score is how bright its cell is, its box the cell itself.
- embedder.onnx: 3 x 224 x 224 pixels to 16 values, so that colours are told apart.
- squares.png, squares.jpg: 12 white and 5 yellow squares of 8 x 8 pixels on black.
- count.json: what Fixtures/reference/count.py finds in squares.png with these two models.
- labels.json: scikit-learn's labels of the rows in rows.npy.
- methods.json: what its DBSCAN, HDBSCAN and KMeans find in the same rows, in double precision.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from PIL import Image
from scipy.sparse import coo_matrix
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans

FOLDER = Path(__file__).resolve().parent.parent / "Goldens" / "TallyCommands"
SIZE = 128
STRIDES = (8, 16, 32)


def save(name, nodes, inputs, outputs, weights):
    graph = helper.make_graph(
        nodes, name, inputs, outputs,
        [numpy_helper.from_array(array, key) for key, array in weights.items()])
    model = helper.make_model(
        graph, producer_name="tally fixtures", ir_version=8,
        opset_imports=[helper.make_opsetid("", 13)])
    onnx.checker.check_model(model)
    (FOLDER / f"{name}.onnx").write_bytes(model.SerializeToString())


def detector():
    nodes, weights, heads = [], {}, []
    for stride in STRIDES:
        side = SIZE // stride
        # The mean of the cell, and 0.2 of it per grey level above the middle as a logit; the coarser
        # grids see nothing.
        weight = np.zeros((1, 3, stride, stride), np.float32)
        if stride == STRIDES[0]:
            weight[:] = 0.2 / (3 * stride * stride)
        bias = np.float32([-0.2 * 128 if stride == STRIDES[0] else -30])
        weights[f"w{stride}"], weights[f"b{stride}"] = weight, bias
        nodes.append(helper.make_node(
            "Conv", ["images", f"w{stride}", f"b{stride}"], [f"logit{stride}"],
            name=f"brightness_{stride}", kernel_shape=[stride, stride], strides=[stride, stride]))
        nodes.append(helper.make_node(
            "Sigmoid", [f"logit{stride}"], [f"score{stride}"], name=f"objectness_{stride}"))
        # x, y: the middle of the cell; w, h: exp(0) strides; one class that is certain.
        box = np.zeros((1, 4, side, side), np.float32)
        box[:, :2] = 0.5
        weights[f"box{stride}"] = box
        weights[f"class{stride}"] = np.ones((1, 1, side, side), np.float32)
        nodes.append(helper.make_node(
            "Concat", [f"box{stride}", f"score{stride}", f"class{stride}"], [f"head{stride}"],
            name=f"head_{stride}", axis=1))
        weights[f"shape{stride}"] = np.int64([1, 6, side * side])
        nodes.append(helper.make_node(
            "Reshape", [f"head{stride}", f"shape{stride}"], [f"flat{stride}"],
            name=f"flatten_{stride}"))
        heads.append(f"flat{stride}")
    nodes.append(helper.make_node("Concat", heads, ["heads"], name="all_heads", axis=2))
    nodes.append(helper.make_node(
        "Transpose", ["heads"], ["output"], name="rows", perm=[0, 2, 1]))
    rows = sum((SIZE // stride) ** 2 for stride in STRIDES)
    save(
        "detector", nodes,
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, SIZE, SIZE])],
        [helper.make_tensor_value_info("output", TensorProto.FLOAT, [1, rows, 6])], weights)


def embedder():
    generator = np.random.default_rng(11)
    weights = {
        "weight": generator.standard_normal((16, 3, 16, 16)).astype(np.float32) / 16,
        "bias": np.zeros(16, np.float32),
    }
    nodes = [
        helper.make_node(
            "Conv", ["pixels", "weight", "bias"], ["patches"], name="patches",
            kernel_shape=[16, 16], strides=[16, 16]),
        helper.make_node("GlobalAveragePool", ["patches"], ["mean"], name="mean"),
        helper.make_node("Flatten", ["mean"], ["embedding"], name="flatten", axis=1),
    ]
    save(
        "embedder", nodes,
        [helper.make_tensor_value_info("pixels", TensorProto.FLOAT, ["batch", 3, 224, 224])],
        [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", 16])], weights)


def rows():
    generator = np.random.default_rng(5)
    centers = generator.standard_normal((6, 12))
    values = (centers[generator.integers(0, 6, 60)]
              + 0.5 * generator.standard_normal((60, 12))).astype(np.float32)
    np.save(FOLDER / "rows.npy", values)
    answers = []
    for linkage in ("average", "complete", "single"):
        for option, value in (("similarity", 0.8), ("distance", 0.1), ("clusters", 5)):
            threshold = {"similarity": 1 - value, "distance": value}.get(option)
            labels = AgglomerativeClustering(
                n_clusters=value if option == "clusters" else None, metric="cosine",
                linkage=linkage, distance_threshold=threshold).fit(values).labels_
            answers.append(dict(
                linkage=linkage, option=option, value=value, labels=labels.tolist()))
    (FOLDER / "labels.json").write_text(json.dumps(answers, separators=(",", ":")) + "\n")
    methods(values.astype(np.float64))


def methods(values):
    answers = []

    def add(model, options, **members):
        model.fit(values)
        labels = model.labels_.tolist()
        answers.append(dict(
            options=[str(option) for option in options], labels=labels,
            clusters=len(set(labels) - {-1}), **{key: read(model) for key, read in members.items()}))

    for metric, eps, least in (("cosine", 0.1, 5), ("cosine", 0.2, 3), ("euclidean", 2.0, 4)):
        add(DBSCAN(eps=eps, min_samples=least, metric=metric),
            ["--method", "dbscan", "--eps", eps, "--min-samples", least, "--metric", metric],
            coreSamples=lambda model: model.core_sample_indices_.tolist())
    for metric, size, least, selection, single in (
            ("cosine", 5, None, "eom", False), ("euclidean", 4, 3, "leaf", False),
            ("euclidean", 10, 2, "eom", True)):
        add(HDBSCAN(min_cluster_size=size, min_samples=least, metric=metric, algorithm="brute",
                    cluster_selection_method=selection, allow_single_cluster=single, copy=True),
            ["--method", "hdbscan", "--min-cluster-size", size, "--selection", selection,
             "--metric", metric] + (["--min-samples", least] if least else [])
            + (["--allow-single-cluster"] if single else []),
            probabilities=lambda model: model.probabilities_.tolist())
    for count, runs, seed in ((6, 1, 0), (6, 10, 7), (3, 4, 4_294_967_295)):
        add(KMeans(count, n_init=runs, random_state=seed),
            ["--method", "kmeans", "--clusters", count, "--runs", runs, "--seed", seed],
            inertia=lambda model: model.inertia_, iterations=lambda model: model.n_iter_)
    chain = coo_matrix((np.ones(59), (np.arange(59), np.arange(1, 60))), shape=(60, 60))
    for linkage, metric in (("average", "cosine"), ("ward", "euclidean")):
        add(AgglomerativeClustering(n_clusters=8, linkage=linkage, metric=metric,
                                    connectivity=chain + chain.T),
            ["--clusters", 8, "--linkage", linkage, "--metric", metric], alongChain=lambda _: True)
    (FOLDER / "methods.json").write_text(json.dumps(answers, separators=(",", ":")) + "\n")


def squares():
    pixels = np.zeros((SIZE, SIZE, 3), np.uint8)
    for index in range(17):
        x, y = 16 + 24 * (index % 4), 16 + 24 * (index // 4)
        # No two alike: equal rows would leave the numbering of clusters to rounding.
        step = index % 12
        pixels[y:y + 8, x:x + 8] = (
            (255, 255 - 3 * step, 255 - 2 * step) if index < 12 else (255, 255 - 3 * step, 0))
    image = Image.fromarray(pixels)
    image.save(FOLDER / "squares.png")
    image.save(FOLDER / "squares.jpg", quality=95, subsampling=0)
    script = FOLDER.parent.parent / "reference" / "count.py"
    answer = json.loads(subprocess.run(
        [sys.executable, script, FOLDER / "squares.png", "--detector", FOLDER / "detector.onnx",
         "--embedder", FOLDER / "embedder.onnx"], check=True, capture_output=True, text=True).stdout)
    for key in ("image", "seconds"):
        answer.pop(key, None)
    (FOLDER / "count.json").write_text(json.dumps(answer, separators=(",", ":")) + "\n")


FOLDER.mkdir(parents=True, exist_ok=True)
detector()
embedder()
rows()
squares()
