"""Goldens for ONNXRunner: small models of our own with what ONNX Runtime answers, and samples of what it
answers on real models.

    python Fixtures/generate/onnx_runner.py

Inputs are not stored: tests make the same ones with SplitMix64. Every output of a small model is stored, one
after the other, in one array; of a real model 2,000 elements of each output at places chosen by SplitMix64.
Real models are looked for in ../shared/models and $TALLY_MODELS; goldens of those that are not there stay.
"""

import json
import os
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

TOP = Path(__file__).resolve().parents[2]
TARGET = TOP / "Fixtures" / "Goldens" / "ONNXRunner"
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def splitmix(seed, count):
    """The first `count` numbers of SplitMix64 from `seed`."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + GOLDEN * np.arange(1, count + 1, dtype=np.uint64)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def values(seed, shape, low=-1.0, high=1.0):
    """Float32 numbers in `low` ..< `high`, 24 bits of each number used."""
    count = int(np.prod(shape)) if len(shape) else 1
    unit = (splitmix(seed, count) >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24)
    return (np.float32(low) + unit * np.float32(high - low)).reshape(shape)


def run(path, feeds):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    # Folding and fusion change results by rounding only; the plain graph is the clearer reference.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


class Family:
    """A model whose nodes all work on the same few inputs, each with an output of its own."""

    def __init__(self, name, opset):
        self.name, self.opset = name, opset
        self.nodes, self.inputs, self.outputs, self.weights = [], {}, [], []

    def input(self, name, shape):
        self.inputs[name] = shape
        return name

    def weight(self, array):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def floats(self, *shape, low=-1.0, high=1.0):
        return self.weight(values(1000 + len(self.weights), shape, low, high))

    def add(self, operation, inputs, outputs=1, types=None, **attributes):
        names = [f"{operation}{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(
            helper.make_node(operation, inputs, names, name=f"{operation}_{len(self.nodes)}", **attributes)
        )
        for name, kind in zip(names, types or [TensorProto.FLOAT] * outputs):
            self.outputs.append(helper.make_tensor_value_info(name, kind, None))
        return names[0]

    def write(self):
        graph = helper.make_graph(
            self.nodes,
            self.name,
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in self.inputs.items()],
            self.outputs,
            self.weights,
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8, producer_name="tally-fixtures"
        )
        path = TARGET / f"{self.name}.onnx"
        onnx.save(model, path)
        feeds = {n: values(i + 1, s) for i, (n, s) in enumerate(self.inputs.items())}
        results = run(path, feeds)
        flat = np.concatenate([r.astype(np.float32).ravel() for r in results])
        np.save(TARGET / f"{self.name}.npy", flat)


def convolutions():
    f = Family("convolutions", 13)
    x = f.input("x", [2, 6, 13, 17])
    w = f.floats
    f.add("Conv", [x, w(8, 6, 3, 3), w(8)], pads=[1, 1, 1, 1])
    f.add("Conv", [x, w(8, 6, 3, 3)], strides=[2, 3], pads=[0, 1, 2, 1])
    f.add("Conv", [x, w(8, 6, 3, 2)], dilations=[2, 3], pads=[2, 1, 0, 3])
    f.add("Conv", [x, w(8, 6, 1, 1), w(8)])
    f.add("Conv", [x, w(8, 6, 1, 1)], strides=[2, 2])
    f.add("Conv", [x, w(8, 3, 3, 3), w(8)], group=2, pads=[1, 1, 1, 1])
    f.add("Conv", [x, w(8, 3, 1, 1), w(8)], group=2)
    f.add("Conv", [x, w(6, 1, 3, 3), w(6)], group=6, pads=[1, 1, 1, 1])
    f.add("Conv", [x, w(12, 1, 5, 5), w(12)], group=6, pads=[2, 2, 2, 2], strides=[2, 2])
    f.add("Conv", [x, w(4, 6, 3, 4)], auto_pad="SAME_UPPER", strides=[2, 2])
    f.add("Conv", [x, w(4, 6, 3, 4)], auto_pad="SAME_LOWER")
    f.add("Conv", [x, w(4, 6, 3, 4)], auto_pad="VALID")
    f.add("Conv", [x, w(4, 6, 13, 17), w(4)])
    f.add("ConvTranspose", [x, w(6, 4, 2, 2), w(4)], strides=[2, 2])
    f.add("ConvTranspose", [x, w(6, 4, 3, 3), w(4)], strides=[2, 1], pads=[1, 0, 1, 2], output_padding=[1, 0])
    f.add("ConvTranspose", [x, w(6, 2, 3, 2)], group=3, dilations=[2, 1], strides=[1, 2])
    f.add("ConvTranspose", [x, w(6, 2, 3, 3)], auto_pad="SAME_UPPER", strides=[2, 2])
    line = f.input("line", [2, 4, 31])
    f.add("Conv", [line, w(6, 4, 5), w(6)], pads=[2, 1], strides=[2])
    f.add("ConvTranspose", [line, w(4, 3, 4), w(3)], strides=[2], pads=[1, 1])
    cube = f.input("cube", [1, 3, 6, 7, 8])
    f.add("Conv", [cube, w(4, 3, 3, 2, 3), w(4)], pads=[1, 0, 1, 1, 1, 0], strides=[1, 2, 1])
    f.add("ConvTranspose", [cube, w(3, 2, 2, 3, 2), w(2)], strides=[2, 1, 2])
    pixel = f.input("pixel", [3, 24, 1, 1])
    f.add("Conv", [pixel, w(300, 24, 1, 1), w(300)])
    wide = f.input("wide", [1, 5, 22, 26])
    f.add("Conv", [wide, w(70, 5, 3, 3), w(70)], pads=[1, 1, 1, 1])
    f.add("Conv", [wide, w(70, 5, 1, 1), w(70)])
    f.write()


def signals():
    """Convolutions of one channel along its last axis, and of the like that are computed in other ways."""
    f = Family("signals", 13)
    w = f.floats
    line = f.input("line", [2, 1, 500])
    f.add("Conv", [line, w(40, 1, 32), w(40)], strides=[10])
    f.add("Conv", [line, w(64, 1, 30)], strides=[7], pads=[17, 9])
    f.add("Conv", [line, w(40, 1, 32)], strides=[160], pads=[700, 900])
    f.add("Conv", [line, w(33, 1, 16), w(33)], strides=[9], dilations=[2])
    f.add("Conv", [line, w(16, 1, 500)])
    f.add("Conv", [line, w(1, 1, 28)], strides=[2], pads=[13, 15])
    f.add("Conv", [line, w(2, 1, 9), w(2)], strides=[6], pads=[0, 7])
    f.add("Conv", [line, w(3, 1, 5)], dilations=[3])
    f.add("Conv", [line, w(40, 1, 32), w(40)], strides=[25])
    f.outputs.pop()
    f.add("Relu", ["Conv8_0"])
    long = f.input("long", [1, 1, 1000])
    f.add("Conv", [long, w(130, 1, 16)], strides=[8])
    rows = f.input("rows", [2, 1, 3, 200])
    f.add("Conv", [rows, w(33, 1, 1, 20), w(33)], strides=[1, 5], pads=[0, 3, 0, 4])
    f.add("Conv", [rows, w(33, 1, 1, 20)], strides=[2, 5])
    f.add("Conv", [rows, w(2, 1, 1, 20)], strides=[1, 3], pads=[0, 9, 0, 9])
    f.add("Conv", [rows, w(16, 1, 3, 20)], strides=[1, 5])
    f.write()


def few_pixels():
    """Convolutions of several channels with at most sixteen pixels of output, and one with a few more."""
    f = Family("few_pixels", 13)
    w = f.floats
    line = f.input("line", [2, 33, 12])
    f.add("Conv", [line, w(40, 33, 3), w(40)], strides=[2], pads=[1, 1])
    f.add("Conv", [line, w(130, 33, 5)], strides=[4], dilations=[2], pads=[3, 0])
    f.add("Conv", [line, w(9, 33, 1), w(9)])
    f.add("Conv", [line, w(64, 33, 12), w(64)])
    f.add("Conv", [line, w(24, 33, 4)], pads=[9, 8])
    f.add("Conv", [line, w(24, 33, 4)], pads=[4, 4])
    f.add("Conv", [line, w(33, 11, 3), w(33)], group=3)
    f.add("Conv", [line, w(16, 33, 2), w(16)], strides=[3])
    f.outputs.pop()
    f.add("Sigmoid", ["Conv7_0"])
    square = f.input("square", [2, 5, 6, 7])
    f.add("Conv", [square, w(17, 5, 3, 2), w(17)], strides=[2, 2], pads=[1, 0, 1, 1])
    cube = f.input("cube", [1, 3, 4, 4, 5])
    f.add("Conv", [cube, w(12, 3, 2, 3, 2), w(12)], strides=[2, 2, 2], dilations=[1, 1, 2])
    f.write()


def poolings():
    f = Family("poolings", 13)
    x = f.input("x", [2, 3, 11, 14])
    for operation in ["MaxPool", "AveragePool"]:
        f.add(operation, [x], kernel_shape=[3, 2])
        f.add(operation, [x], kernel_shape=[5, 5], pads=[2, 2, 2, 2])
        f.add(operation, [x], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 0, 0, 1])
        f.add(operation, [x], kernel_shape=[3, 3], strides=[2, 3], ceil_mode=1)
        f.add(operation, [x], kernel_shape=[2, 3], strides=[2, 2], auto_pad="SAME_UPPER")
        f.add(operation, [x], kernel_shape=[2, 3], strides=[2, 2], auto_pad="SAME_LOWER")
    f.add("MaxPool", [x], kernel_shape=[2, 2], dilations=[2, 3])
    f.add("MaxPool", [x], outputs=2, types=[TensorProto.FLOAT, TensorProto.INT64], kernel_shape=[3, 3], strides=[2, 2])
    f.add(
        "MaxPool", [x], outputs=2, types=[TensorProto.FLOAT, TensorProto.INT64], kernel_shape=[2, 2], storage_order=1
    )
    f.add("AveragePool", [x], kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1)
    f.add("AveragePool", [x], kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2], ceil_mode=1)
    f.add("LpPool", [x], kernel_shape=[3, 3], p=2, strides=[2, 2])
    f.add("LpPool", [x], kernel_shape=[2, 2], p=3, pads=[1, 1, 0, 0])
    for operation in ["GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"]:
        f.add(operation, [x])
    # Windows larger than the image, which rounding up allows: what lies outside does not count.
    small = f.input("small", [2, 3, 5, 4])
    for operation in ["MaxPool", "AveragePool"]:
        f.add(operation, [small], kernel_shape=[640, 640], strides=[640, 640], ceil_mode=1)
        f.add(operation, [small], kernel_shape=[7, 9], strides=[6, 7], pads=[1, 0, 0, 1], ceil_mode=1)
    f.add("AveragePool", [small], kernel_shape=[7, 9], strides=[6, 7], pads=[1, 0, 0, 1], ceil_mode=1, count_include_pad=1)
    line = f.input("line", [1, 4, 20])
    f.add("MaxPool", [line], kernel_shape=[4], strides=[3])
    f.add("AveragePool", [line], kernel_shape=[4], strides=[3], pads=[1, 2])
    cube = f.input("cube", [1, 2, 5, 6, 7])
    f.add("MaxPool", [cube], kernel_shape=[2, 3, 2], strides=[1, 2, 2])
    f.add("AveragePool", [cube], kernel_shape=[2, 3, 2], pads=[0, 1, 1, 1, 1, 0], count_include_pad=1)
    f.write()


def normalizations():
    f = Family("normalizations", 17)
    x = f.input("x", [2, 6, 5, 7])
    w = f.floats
    f.add("BatchNormalization", [x, w(6), w(6), w(6), w(6, low=0.1, high=2)], epsilon=1e-3)
    f.add("InstanceNormalization", [x, w(6), w(6)])
    f.add("LayerNormalization", [x, w(7), w(7)])
    f.add("LayerNormalization", [x, w(5, 7)], axis=2, epsilon=1e-3)
    for operation in ["Softmax", "LogSoftmax"]:
        for axis in [-1, 1, 2, 0]:
            f.add(operation, [x], axis=axis)
    f.write()
    f = Family("softmax_11", 11)
    x = f.input("x", [2, 6, 5, 7])
    for operation in ["Softmax", "LogSoftmax", "Hardmax"]:
        f.add(operation, [x])
        f.add(operation, [x], axis=2)
        f.add(operation, [x], axis=-1)
    f.write()


def products():
    f = Family("products", 13)
    w = f.floats
    a = f.input("a", [3, 2, 5, 8])
    f.add("MatMul", [a, w(8, 9)])
    f.add("MatMul", [a, w(2, 8, 9)])
    f.add("MatMul", [a, w(3, 1, 8, 4)])
    f.add("MatMul", [a, w(8)])
    f.add("MatMul", [w(5), a])
    f.add("MatMul", [w(1, 3, 1, 7, 5), a])
    m = f.input("m", [140, 30])
    f.add("MatMul", [m, w(30, 20)])
    f.add("Gemm", [m, w(30, 9), w(9)])
    f.add("Gemm", [m, w(9, 30), w(140, 1)], transB=1, alpha=0.5, beta=2.0)
    f.add("Gemm", [m, w(140, 11), w(30, 11)], transA=1)
    f.add("Gemm", [m, w(5, 140)], transA=1, transB=1)
    thin = f.input("thin", [3, 30])
    f.add("Gemm", [thin, w(30, 700), w(700)])
    f.add("Gemm", [thin, w(700, 30)], transB=1)
    f.write()


def resizings():
    f = Family("resizings", 13)
    x = f.input("x", [1, 2, 7, 9])
    empty = f.weight(np.zeros(0, np.float32))

    def sized(*shape, **attributes):
        f.add("Resize", [x, empty, empty, f.weight(np.array(shape, np.int64))], **attributes)

    def scaled(*scales, **attributes):
        f.add("Resize", [x, empty, f.weight(np.array(scales, np.float32))], **attributes)

    scaled(1, 1, 2, 2, mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    for coordinates in ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"]:
        for mode in ["linear", "cubic"]:
            sized(1, 2, 12, 5, mode=mode, coordinate_transformation_mode=coordinates)
            scaled(1, 1, 0.6, 1.7, mode=mode, coordinate_transformation_mode=coordinates)
        for rounding in ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]:
            scaled(
                1, 1, 0.6, 1.75, mode="nearest", coordinate_transformation_mode=coordinates, nearest_mode=rounding
            )
    scaled(1, 1, 0.8, 0.8, mode="cubic", cubic_coeff_a=-0.5, exclude_outside=1)
    region = f.weight(np.array([0, 0, 0.4, 0.6, 1, 1, 1.2, 1.7], np.float32))
    f.add(
        "Resize",
        [x, region, empty, f.weight(np.array([1, 2, 5, 6], np.int64))],
        mode="linear",
        coordinate_transformation_mode="tf_crop_and_resize",
        extrapolation_value=10.0,
    )
    f.write()
    f = Family("upsamplings_9", 9)
    x = f.input("x", [1, 2, 7, 9])
    scales = f.weight(np.array([1, 1, 2, 3], np.float32))
    f.add("Upsample", [x, scales], mode="nearest")
    f.add("Upsample", [x, scales], mode="linear")
    f.write()


def fusions():
    """Chains that the passes turn into one node: convolution, batch normalization, activation."""
    f = Family("fusions", 14)
    x = f.input("x", [2, 4, 9, 10])

    def chain(follow, normalized=False):
        value = f.add("Conv", [x, f.floats(6, 4, 3, 3), f.floats(6)], pads=[1, 1, 1, 1])
        f.outputs.pop()
        if normalized:
            parameters = [f.floats(6), f.floats(6), f.floats(6), f.floats(6, low=0.1, high=2)]
            value = f.add("BatchNormalization", [value] + parameters)
            f.outputs.pop()
        follow(value)

    def silu(value):
        gate = f.add("Sigmoid", [value])
        f.outputs.pop()
        f.add("Mul", [value, gate])

    low, high = f.weight(np.float32(-0.5)), f.weight(np.float32(0.75))
    chain(silu)
    chain(silu, normalized=True)
    chain(lambda v: f.add("Relu", [v]), normalized=True)
    chain(lambda v: f.add("Clip", [v, low, high]))
    chain(lambda v: f.add("Clip", [v, "", high]))
    chain(lambda v: f.add("LeakyRelu", [v], alpha=0.1))
    chain(lambda v: f.add("HardSwish", [v]))
    chain(lambda v: f.add("HardSigmoid", [v], alpha=0.25, beta=0.4))
    chain(lambda v: f.add("Sigmoid", [v]))

    def both(value):
        # The convolution's own value is an output too, so nothing may be fused into it.
        f.add("Relu", [value])
        f.outputs.append(helper.make_tensor_value_info(value, TensorProto.FLOAT, None))

    chain(both)
    f.write()


def subgraphs():
    """A branch and a loop whose graphs use values around them."""
    def info(name, kind, shape):
        return helper.make_tensor_value_info(name, kind, shape)

    real = TensorProto.FLOAT
    accepted = helper.make_graph(
        [helper.make_node("Add", ["x", "x"], ["doubled"])], "accepted", [], [info("doubled", real, None)]
    )
    rejected = helper.make_graph(
        [helper.make_node("Mul", ["x", "x"], ["squared"])], "rejected", [], [info("squared", real, None)]
    )
    body = helper.make_graph(
        [
            helper.make_node("Add", ["sum", "x"], ["next"]),
            helper.make_node("Identity", ["go"], ["goes_on"]),
            helper.make_node("Identity", ["next"], ["seen"]),
        ],
        "body",
        [info("turn", TensorProto.INT64, []), info("go", TensorProto.BOOL, []), info("sum", real, [2, 3])],
        [info("goes_on", TensorProto.BOOL, []), info("next", real, [2, 3]), info("seen", real, [2, 3])],
    )
    graph = helper.make_graph(
        [
            helper.make_node("ReduceSum", ["x"], ["total"], keepdims=0),
            helper.make_node("Greater", ["total", "zero"], ["positive"]),
            helper.make_node("If", ["positive"], ["chosen"], then_branch=accepted, else_branch=rejected),
            helper.make_node("Loop", ["four", "", "chosen"], ["final", "all"], body=body),
        ],
        "subgraphs",
        [info("x", real, [2, 3])],
        [info("chosen", real, None), info("final", real, None), info("all", real, None)],
        [
            numpy_helper.from_array(np.float32(0), "zero"),
            numpy_helper.from_array(np.int64(4), "four"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    path = TARGET / "subgraphs.onnx"
    onnx.save(model, path)
    results = run(path, {"x": values(1, [2, 3])})
    np.save(TARGET / "subgraphs.npy", np.concatenate([r.ravel() for r in results]))


def loops():
    """A branch, a loop and a scan that read weights from around them, or hand them from turn to turn."""
    def info(name, kind, shape):
        return helper.make_tensor_value_info(name, kind, shape)

    real = TensorProto.FLOAT
    branches = [
        helper.make_graph(
            [
                helper.make_node("MatMul", ["x", weights], [f"{weights}_product"]),
                helper.make_node("Add", [f"{weights}_product", "bias"], [f"{weights}_sum"]),
                helper.make_node(follow, [f"{weights}_sum"], [f"{weights}_result"]),
            ],
            weights, [], [info(f"{weights}_result", real, None)],
        )
        for weights, follow in [("first", "Relu"), ("second", "Tanh")]
    ]
    body = helper.make_graph(
        [
            helper.make_node("MatMul", ["state", "kernel"], ["product"]),
            helper.make_node("Transpose", ["square"], ["turned"]),
            helper.make_node("MatMul", ["product", "turned"], ["twice"]),
            helper.make_node("Add", ["twice", "bias"], ["sum"]),
            helper.make_node("Tanh", ["sum"], ["next"]),
            helper.make_node("Add", ["growing", "square"], ["grown"]),
            helper.make_node("Identity", ["kernel"], ["copy"]),
            helper.make_node("Identity", ["copy"], ["kernel_next"]),
            helper.make_node("Identity", ["square"], ["square_next"]),
            helper.make_node("Identity", ["go"], ["goes_on"]),
        ],
        "body",
        [info("turn", TensorProto.INT64, []), info("go", TensorProto.BOOL, [])]
        + [info(n, real, None) for n in ["state", "kernel", "square", "growing"]],
        [info("goes_on", TensorProto.BOOL, [])]
        + [info(n, real, None) for n in ["next", "kernel_next", "square_next", "grown"]],
    )
    step = helper.make_graph(
        [
            helper.make_node("Identity", ["weight"], ["weight_next"]),
            helper.make_node("Unsqueeze", ["row", "zero"], ["line"]),
            helper.make_node("MatMul", ["line", "weight"], ["scaled"]),
            helper.make_node("Add", ["carry", "scaled"], ["carry_next"]),
            helper.make_node("Identity", ["carry_next"], ["carries"]),
        ],
        "step",
        [info("weight", real, [6, 6]), info("carry", real, [1, 6]), info("row", real, [6])],
        [info("weight_next", real, [6, 6]), info("carry_next", real, [1, 6]), info("carries", real, [1, 6])],
    )
    graph = helper.make_graph(
        [
            helper.make_node("ReduceSum", ["x"], ["total"], keepdims=0),
            helper.make_node("Less", ["total", "far"], ["small"]),
            helper.make_node("If", ["small"], ["chosen"], then_branch=branches[0], else_branch=branches[1]),
            helper.make_node(
                "Loop", ["four", "", "chosen", "first", "second", "first"],
                ["final", "kernel_last", "square_last", "grown_last"], body=body,
            ),
            helper.make_node(
                "Scan", ["second", "start", "x"], ["weight_last", "carry_last", "all"], body=step, num_scan_inputs=1
            ),
        ],
        "loops",
        [info("x", real, [3, 6])],
        [
            info(n, real, None)
            for n in ["chosen", "final", "kernel_last", "square_last", "grown_last", "weight_last", "carry_last", "all"]
        ],
        [
            numpy_helper.from_array(values(31, [6, 6]), "first"),
            numpy_helper.from_array(values(32, [6, 6]), "second"),
            numpy_helper.from_array(values(33, [6]), "bias"),
            numpy_helper.from_array(np.zeros([1, 6], np.float32), "start"),
            numpy_helper.from_array(np.array([0], np.int64), "zero"),
            numpy_helper.from_array(np.float32(1e3), "far"),
            numpy_helper.from_array(np.int64(4), "four"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    path = TARGET / "loops.onnx"
    onnx.save(model, path)
    results = run(path, {"x": values(1, [3, 6])})
    np.save(TARGET / "loops.npy", np.concatenate([r.ravel() for r in results]))


def halves():
    """A float16 graph between casts, and the same weights kept in a file beside the model."""
    w = values(7, [6, 4, 3, 3]).astype(np.float16)
    graph = helper.make_graph(
        [
            helper.make_node("Cast", ["x"], ["narrow"], to=TensorProto.FLOAT16),
            helper.make_node("Conv", ["narrow", "w", "b"], ["c"], pads=[1, 1, 1, 1]),
            helper.make_node("Sigmoid", ["c"], ["gate"]),
            helper.make_node("Mul", ["c", "gate"], ["silu"]),
            helper.make_node("Cast", ["silu"], ["y"], to=TensorProto.FLOAT),
        ],
        "halves",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, 8, 9])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(w, "w"), numpy_helper.from_array(values(8, [6]).astype(np.float16), "b")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    path = TARGET / "halves.onnx"
    onnx.save(model, path)
    np.save(TARGET / "halves.npy", run(path, {"x": values(1, [1, 4, 8, 9])})[0].ravel())


def external():
    """Weights in a file beside the model, the second one at an offset."""
    path = TARGET / "external.onnx"
    data = TARGET / "external.weights"
    data.unlink(missing_ok=True)
    graph = helper.make_graph(
        [helper.make_node("Gemm", ["x", "w", "b"], ["y"])],
        "external",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 16])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 5])],
        [numpy_helper.from_array(values(7, [16, 5]), "w"), numpy_helper.from_array(values(8, [5]), "b")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(
        model, path, save_as_external_data=True, all_tensors_to_one_file=True, location=data.name, size_threshold=0
    )
    np.save(TARGET / "external.npy", run(path, {"x": values(1, [4, 16])})[0].ravel())


# Model, and for each input its shape and range. 255 stands for pixels, whole numbers 0 ... 255.
REAL = [
    ("yolox_nano_416", [("images", [1, 3, 416, 416], 0, 255)]),
    ("yolox_nano_640", [("images", [1, 3, 640, 640], 0, 255)]),
    ("countable_prototype_416", [("images", [1, 3, 416, 416], 0, 255)]),
    ("mobilenetv3_small_embedder", [("input", [1, 3, 224, 224], -2, 2)]),
    ("mobilenetv3_small_embedder", [("input", [5, 3, 224, 224], -2, 2)]),
    ("yolox_s_640", [("images", [1, 3, 640, 640], 0, 255)]),
    ("common_det", [("images", [1, 3, 416, 416], 0, 255)]),
    ("tinyclip_vision", [("pixel_values", [1, 3, 224, 224], -2, 2)]),
    ("tinyclip_vision", [("pixel_values", [3, 3, 224, 224], -2, 2)]),
    ("ch_PP-OCRv4_det_infer", [("x", [1, 3, 320, 480], -1, 1)]),
    ("ch_PP-OCRv4_rec_infer", [("x", [2, 3, 48, 320], -1, 1)]),
    ("ch_PP-OCRv4_rec_infer", [("x", [1, 3, 48, 200], -1, 1)]),
    ("ch_ppocr_mobile_v2.0_cls_infer", [("x", [2, 3, 48, 192], -1, 1)]),
]
SAMPLES = 2000


def real_models():
    index = TARGET / "real.json"
    known = {tuple(e["key"]): e for e in json.loads(index.read_text())} if index.exists() else {}
    folders = [TOP.parent / "shared" / "models", Path(os.environ.get("TALLY_MODELS", "/nonexistent"))]
    entries = []
    for name, inputs in REAL:
        key = (name, *["x".join(map(str, shape)) for _, shape, _, _ in inputs])
        path = next((f / f"{name}.onnx" for f in folders if (f / f"{name}.onnx").exists()), None)
        stem = "-".join(key)
        if path is None:
            if key in known:
                entries.append(known[key])
            continue
        feeds = {}
        for i, (input_name, shape, low, high) in enumerate(inputs):
            array = values(i + 1, shape, low, high)
            feeds[input_name] = np.floor(array) if high == 255 else array
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        outputs = [o.name for o in session.get_outputs()]
        results = run(path, feeds)
        samples, described = [], []
        for i, (output, result) in enumerate(zip(outputs, results)):
            places = splitmix(100 + i, SAMPLES) % np.uint64(result.size)
            samples.append(result.ravel()[places.astype(np.int64)].astype(np.float32))
            described.append(
                {"name": output, "shape": list(result.shape), "greatest": float(np.abs(result).max())}
            )
        np.save(TARGET / "real" / f"{stem}.npy", np.concatenate(samples))
        entries.append(
            {
                "key": list(key),
                "model": name,
                "shared": path.parent == folders[0],
                "samples": f"real/{stem}.npy",
                "inputs": [
                    {"name": n, "shape": s, "low": low, "high": high, "whole": high == 255}
                    for n, s, low, high in inputs
                ],
                "outputs": described,
            }
        )
    index.write_text(json.dumps(entries, indent=1) + "\n")


if __name__ == "__main__":
    (TARGET / "real").mkdir(parents=True, exist_ok=True)
    convolutions()
    signals()
    few_pixels()
    poolings()
    normalizations()
    products()
    resizings()
    fusions()
    subgraphs()
    loops()
    halves()
    external()
    real_models()
