#!/usr/bin/env python3
"""Random nodes, each run by Tally and by ONNX Runtime: Benchmarks/zoo/nodes.py TALLY [--count N] [--seed N] [FAMILY]

A family makes nodes of related operators with random shapes, attributes and opsets. A node that ONNX Runtime does not
run is left out. Values that differ by more than 1e-4 of the greatest, other shapes and refusals are printed, and the
exit code is 1. onnx, onnxruntime and numpy as in requirements.txt.

What is known to differ is not made: `SAME_*` with dilations (ONNX Runtime pads as if there were none), pooling and
transposed convolution with `SAME_*` and a window below its stride (it may pad by less than nothing), windows larger
than their image, numbers out of the range of the integers they are cast to, a grid for one pixel with aligned
corners, and crops of the image's own size.
"""

import argparse
import dataclasses
import pathlib
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
import zoo
from onnx import helper, numpy_helper

GREATEST = 2**63 - 1
FAMILIES = {}


@dataclasses.dataclass
class Node:
    """`inputs` are arrays, or None; those whose places are in `constants` are known at load."""

    operation: str
    inputs: list
    opset: int = 17
    outputs: int = 1
    constants: tuple = ()
    attributes: dict = dataclasses.field(default_factory=dict)

    def __str__(self):
        def text(place, array):
            if array is None:
                return "-"
            word = "constant" if place in self.constants else "input"
            values = f" = {array.ravel().tolist()}" if word == "constant" and array.size < 9 else ""
            return f"{word} {array.dtype}{list(array.shape)}{values}"

        inputs = "; ".join(text(*pair) for pair in enumerate(self.inputs))
        return f"{self.operation} of opset {self.opset} {self.attributes} {inputs}"


def family(make):
    FAMILIES[make.__name__] = make
    return make


class Dice:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def number(self, low, high):
        return int(self.random.integers(low, high + 1))

    def one(self, *choices):
        return choices[self.number(0, len(choices) - 1)]

    def chance(self, in_how_many=2):
        return self.number(1, in_how_many) == 1

    def shape(self, rank, greatest=6):
        return [self.number(1, greatest) for _ in range(rank)]

    def floats(self, *shape):
        """Every fourth time only halves, whose sums and roundings meet ties."""
        values = self.random.standard_normal(shape) * 2
        return (np.round(values * 2) / 2 if self.chance(4) else values).astype(np.float32)

    def bytes(self, kind, *shape):
        """Of seven bits: ONNX Runtime's sums of two products have 16 bits on a processor without VNNI."""
        return self.random.integers(0 if kind == np.uint8 else -64, 64 if kind == np.int8 else 128, shape).astype(kind)


def scalar(value, kind=np.float32):
    return np.asarray(value, kind)


# --- Images -----------------------------------------------------------------------------------------------------------


@family
def resize(d):
    opset, mode = d.one(10, 11, 13, 18, 19), d.one("nearest", "linear", "cubic")
    sides = d.shape(2 if mode == "cubic" or opset == 10 else d.one(1, 2), 14)
    wanted = d.shape(len(sides), 30)
    image = d.floats(1, d.number(1, 3), *sides)
    scales = np.float32([1, 1] + [new / old for new, old in zip(wanted, sides)])
    if d.chance(3):
        scales[2:] = [d.one(0.5, 2, 0.3, 0.6, 0.7, 1.1, 3.3, 1.7, 2.9) for _ in sides]
    if opset == 10:
        return Node("Resize", [image, scales], 10, constants=(1,), attributes={"mode": d.one("nearest", "linear")})
    attributes = {"mode": mode, "coordinate_transformation_mode": d.one(
        "half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", *["half_pixel_symmetric"] * (opset >= 19))}
    if mode == "nearest":
        attributes["nearest_mode"] = d.one("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
    elif opset >= 18 and d.chance(3):
        attributes["antialias"] = 1
    if mode == "cubic":
        attributes |= {"cubic_coeff_a": d.one(-0.5, -0.75), "exclude_outside": d.number(0, 1)}
    if opset >= 18 and d.chance(4):
        attributes |= {"axes": list(range(2, image.ndim)),
                       "keep_aspect_ratio_policy": d.one("stretch", "not_larger", "not_smaller")}
        return Node("Resize", [image, None, None, np.int64(wanted)], opset, constants=(3,), attributes=attributes)
    if d.chance():
        return Node("Resize", [image, np.zeros(0, np.float32), scales], opset, constants=(1, 2), attributes=attributes)
    sizes = np.int64([*image.shape[:2], *wanted])
    return Node("Resize", [image, np.zeros(0, np.float32), None, sizes], opset, constants=(1, 3), attributes=attributes)


@family
def upsample(d):
    sides = d.shape(2, 12)
    scales = np.float32([1, 1] + [max(1, d.number(1, 40) / side) for side in sides])
    return Node("Upsample", [d.floats(1, 2, *sides), scales], 9, constants=(1,), attributes={
        "mode": d.one("nearest", "linear")})


@family
def pool(d):
    rank, operation, opset = d.one(1, 2, 2, 3), d.one("MaxPool", "AveragePool", "LpPool"), d.one(10, 11, 12, 19, 22)
    sides, kernel = [d.number(7, 13) for _ in range(rank)], d.shape(rank, 4)
    attributes = {"kernel_shape": kernel, "strides": d.shape(rank, 3)}
    if operation == "LpPool":
        opset = d.one(11, 18)
        attributes["p"] = d.one(1, 2, 3)
    else:
        attributes["ceil_mode"] = d.number(0, 1)
    if d.chance(3):
        attributes["auto_pad"] = d.one("SAME_UPPER", "SAME_LOWER", "VALID")
        attributes["kernel_shape"] = np.maximum(kernel, attributes["strides"]).tolist()
    else:
        attributes["pads"] = [d.number(0, side - 1) for side in kernel * 2]
        if operation == "MaxPool" or operation == "AveragePool" and opset >= 19:
            attributes["dilations"] = d.shape(rank, 2)
    if operation == "AveragePool":
        attributes["count_include_pad"] = d.number(0, 1)
    outputs = 2 if operation == "MaxPool" and d.chance(3) else 1
    return Node(operation, [d.floats(d.number(1, 2), d.number(1, 20), *sides)], opset, outputs, attributes=attributes)


@family
def convolution(d):
    rank, group = d.one(1, 2, 2, 2, 3), d.one(1, 1, 2, 3)
    inputs, outputs = group * d.number(1, 9), group * d.number(1, 9)
    if d.chance(5):
        group, outputs = inputs, inputs * d.number(1, 2)
    attributes = {"group": group, "strides": d.shape(rank, 3)}
    if d.chance(4):
        attributes["auto_pad"] = d.one("SAME_UPPER", "SAME_LOWER", "VALID")
    else:
        attributes |= {"pads": [d.number(0, 3) for _ in range(2 * rank)], "dilations": d.shape(rank, 2)}
    values = [d.floats(d.number(1, 2), inputs, *[d.number(8, 15) for _ in range(rank)]),
              d.floats(outputs, inputs // group, *d.shape(rank, 4)), d.floats(outputs)]
    constants = (1, 2) if d.number(0, 4) else (2,)
    return Node("Conv", values[:d.number(2, 3)], d.one(11, 17, 22), constants=constants, attributes=attributes)


@family
def transposed_convolution(d):
    rank, group = d.one(1, 2, 2, 3), d.one(1, 1, 2)
    inputs, outputs, sides, strides = group * d.number(1, 6), d.number(1, 6), d.shape(rank, 8), d.shape(rank, 3)
    kernel = [d.number(stride, 4) for stride in strides]
    attributes = {"group": group, "strides": strides}
    if d.chance(4):
        attributes["auto_pad"] = d.one("SAME_UPPER", "SAME_LOWER", "VALID")
    else:
        attributes |= {"pads": [d.number(0, 1) for _ in range(2 * rank)], "dilations": d.shape(rank, 2),
                       "output_padding": [d.number(0, stride - 1) for stride in strides]}
    values = [d.floats(1, inputs, *sides), d.floats(inputs, outputs, *kernel), d.floats(outputs * group)]
    return Node("ConvTranspose", values[:d.number(2, 3)], d.one(11, 22), constants=(1, 2), attributes=attributes)


@family
def regions(d):
    image, count = d.floats(2, d.number(1, 4), d.number(4, 14), d.number(4, 14)), d.number(1, 5)
    boxes = (d.random.random((count, 4)) * 14).astype(np.float32)
    if d.chance():
        boxes = np.round(boxes)
    boxes[:, 2:] = boxes[:, :2] + np.abs(boxes[:, 2:] - boxes[:, :2])
    images, scale = d.random.integers(0, 2, count), d.one(1.0, 0.5, 0.25, 0.7, 0.3, 0.1)
    if d.chance():
        rows = np.concatenate([images[:, None].astype(np.float32), boxes], 1)
        return Node("MaxRoiPool", [image, rows], constants=(1,), attributes={
            "pooled_shape": d.shape(2, 7), "spatial_scale": scale})
    attributes = {"output_height": d.number(1, 5), "output_width": d.number(1, 5), "sampling_ratio": d.number(0, 3),
                  "spatial_scale": scale, "mode": d.one("avg", "max")}
    opset = d.one(10, 16, 22)
    if opset >= 16:
        attributes["coordinate_transformation_mode"] = d.one("half_pixel", "output_half_pixel")
    return Node("RoiAlign", [image, boxes, np.int64(images)], opset, constants=(1, 2), attributes=attributes)


@family
def sampled_grid(d):
    opset = d.one(16, 20, 22)
    rank = 2 if opset == 16 else d.one(2, 2, 3)
    cubic = ["cubic"] if rank == 2 else []
    grid = (d.random.random((2, *d.shape(rank), rank)) * 3 - 1.5).astype(np.float32)
    if d.chance(4):
        grid = np.round(grid * 2) / 2
    return Node("GridSample", [d.floats(2, 3, *[d.number(2, 9) for _ in range(rank)]), grid], opset, attributes={
        "mode": d.one("bilinear", "nearest", "bicubic") if opset == 16 else d.one("linear", "nearest", *cubic),
        "padding_mode": d.one("zeros", "border", "reflection"), "align_corners": d.number(0, 1)})


# --- Movement ---------------------------------------------------------------------------------------------------------


@family
def pad(d):
    rank, opset = d.number(1, 4), d.one(11, 13, 18, 19, 21)
    mode = d.one("constant", "reflect", "edge", *["wrap"] * (opset >= 19))
    sides = [d.number(2, 7) for _ in range(rank)]
    pads = [d.number(-1 if mode == "constant" else 0, 2) for _ in range(2 * rank)]
    if mode == "reflect":
        pads = [min(pad, side - 1) for pad, side in zip(pads, sides * 2)]
    values = [d.floats(*sides), np.int64(pads)] + [scalar(1.5)] * (mode == "constant" and d.chance())
    return Node("Pad", values, opset, constants=(1, 2), attributes={"mode": mode})


@family
def cut(d):
    rank = d.number(1, 4)
    axes = sorted(d.random.choice(rank, d.number(1, rank), replace=False).tolist())
    numbers = lambda *choices: np.int64([d.one(*choices) for _ in axes])
    return Node("Slice", [
        d.floats(*d.shape(rank, 9)), numbers(0, 1, -1, -3, 2, 5, -20, GREATEST),
        numbers(-1, 3, GREATEST, -GREATEST, 0, 5, -2, 20), np.int64([axis - rank * d.number(0, 1) for axis in axes]),
        numbers(1, 1, 2, -1, -2, 3, 5)], constants=(1, 2, 3, 4))


@family
def gathered(d):
    rank = d.number(1, 4)
    shape = d.shape(rank)
    axis, values, kind = d.number(-rank, rank - 1), d.floats(*shape), d.number(0, 5)
    extent = shape[axis]
    draw = lambda *size: d.random.integers(-extent, extent, size)
    if kind == 0:
        return Node("Gather", [values, draw(*d.shape(d.number(0, 2), 3))], constants=(1,), attributes={"axis": axis})
    if kind == 1:
        part = [d.number(1, side) for side in shape]
        return Node("GatherElements", [values, draw(*part)], constants=(1,), attributes={"axis": axis})
    if kind == 2:
        places = np.stack([d.random.integers(-side, side, 3) for side in shape[:d.number(1, rank)]], -1)
        return Node("GatherND", [values, places], constants=(1,))
    attributes = {"reduction": d.one("add", "mul")}
    if kind == 3:
        part = [d.number(1, side) for side in shape]
        return Node("ScatterElements", [values, draw(*part), d.floats(*part)], d.one(16, 18), constants=(1,),
                    attributes={**attributes, "axis": axis})
    if kind == 4:
        depth = d.number(1, rank)
        places = np.stack([d.random.integers(0, side, 3) for side in shape[:depth]], -1)
        return Node("ScatterND", [values, places, d.floats(3, *shape[depth:])], d.one(16, 18), constants=(1,),
                    attributes=attributes)
    return Node("OneHot", [d.random.integers(-5, 5, shape), scalar(5, np.int64), np.float32([0.5, 2])],
                constants=(1, 2), attributes={"axis": d.number(-rank - 1, rank)})


@family
def shaped(d):
    rank, kind = d.number(2, 4), d.number(0, 7)
    shape = d.shape(rank, 5)
    values, block = d.floats(*shape), d.number(1, 3)
    if kind == 0:
        return Node("CumSum", [values, scalar(d.number(-rank, rank - 1), np.int64)], constants=(1,), attributes={
            "exclusive": d.number(0, 1), "reverse": d.number(0, 1)})
    if kind == 1:
        return Node("Trilu", [values, scalar(d.number(-3, 3), np.int64)], constants=(1,), attributes={
            "upper": d.number(0, 1)})
    if kind == 2:
        return Node("DepthToSpace", [d.floats(1, block * block * 2, 3, 2)], attributes={
            "blocksize": block, "mode": d.one("DCR", "CRD")})
    if kind == 3:
        return Node("SpaceToDepth", [d.floats(1, 2, 3 * block, 2 * block)], attributes={"blocksize": block})
    if kind == 4:
        return Node("CenterCropPad", [values, np.int64(d.shape(rank, 8))], 18, constants=(1,))
    if kind == 5:
        return Node("ReverseSequence", [d.floats(4, 3, 2), np.int64(d.random.integers(1, 5, 3))], constants=(1,),
                    attributes={"time_axis": 0, "batch_axis": 1})
    if kind == 6:
        ones = [side if d.chance() else 1 for side in shape]
        wanted = np.int64(shape if d.chance() else [d.number(1, 2), *shape])
        return Node("Expand", [d.floats(*ones), wanted], constants=(1,))
    return Node("Tile", [values, np.int64(d.shape(rank, 3))], constants=(1,))


@family
def picked(d):
    rank, kind = d.number(1, 4), d.number(0, 4)
    shape = d.shape(rank)
    axis = d.number(-rank, rank - 1)
    if kind < 2:
        return Node(d.one("ArgMax", "ArgMin"), [np.round(d.floats(*shape))], attributes={
            "axis": axis, "keepdims": d.number(0, 1), "select_last_index": d.number(0, 1)})
    if kind == 2:
        return Node("TopK", [d.floats(*shape), np.int64([d.number(0, shape[axis])])], 11, 2, constants=(1,),
                    attributes={"axis": axis})
    if kind == 3:
        return Node("Unique", [np.round(d.floats(9))], outputs=4, attributes={"sorted": d.number(0, 1)})
    corners = d.random.random((1, d.number(1, 20), 4)).astype(np.float32)
    corners[..., 2:] += corners[..., :2]
    scores = d.random.random((1, d.number(1, 3), corners.shape[1])).astype(np.float32)
    return Node("NonMaxSuppression", [
        np.round(corners * 8) / 8 if d.chance() else corners, scores, scalar(d.number(0, 6), np.int64),
        scalar(d.one(0.3, 0.5, 0)), scalar(d.one(0.2, 0.5))], constants=(2, 3, 4), attributes={
            "center_point_box": d.number(0, 1)})


# --- Numbers ----------------------------------------------------------------------------------------------------------


@family
def reduced(d):
    rank = d.number(1, 4)
    operation = "Reduce" + d.one("Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "LogSum", "LogSumExp", "SumSquare")
    values = np.abs(d.floats(*d.shape(rank))) + np.float32(0.1)
    axes, opset = d.random.choice(rank, d.number(0, rank), replace=False).tolist(), d.one(11, 18, 20)
    if opset >= 18:
        inputs = [values] + [np.int64(axes)] * bool(axes)
        return Node(operation, inputs, opset, constants=(1,), attributes={
            "keepdims": d.number(0, 1), "noop_with_empty_axes": d.number(0, 1)})
    return Node(operation, [values], opset, attributes={"keepdims": d.number(0, 1), **({"axes": axes} if axes else {})})


@family
def normalized(d):
    rank, kind = d.number(2, 4), d.number(0, 5)
    shape = d.shape(rank, 8)
    values, channels = d.floats(*shape), shape[1]
    if kind == 0:
        axis = d.number(1, rank - 1)
        inputs = [values, d.floats(*shape[axis:]), d.floats(*shape[axis:])]
        return Node("LayerNormalization", inputs[:d.number(2, 3)], constants=(1, 2), attributes={
            "axis": d.one(axis, axis - rank), "epsilon": d.one(1e-5, 1e-2)})
    if kind == 1:
        inputs = [d.floats(*shape, 5), d.floats(channels), d.floats(channels)]
        return Node("InstanceNormalization", inputs, constants=(1, 2), attributes={"epsilon": 1e-3})
    if kind == 2:
        return Node("LpNormalization", [values], attributes={"axis": d.number(-rank, rank - 1), "p": d.one(1, 2)})
    if kind == 3:
        return Node("LRN", [d.floats(2, d.number(1, 9), 4, 3)], attributes={
            "size": d.number(1, 5), "alpha": 0.1, "beta": 0.7, "bias": 1.5})
    if kind == 4:
        return Node(d.one("Softmax", "LogSoftmax", "Hardmax"), [values], d.one(11, 13), attributes={
            "axis": d.number(-rank, rank - 1)})
    inputs = [values] + [d.floats(channels) for _ in range(3)] + [np.abs(d.floats(channels)) + np.float32(0.1)]
    return Node("BatchNormalization", inputs, constants=(1, 2, 3, 4), attributes={"epsilon": 1e-4})


@family
def elementwise(d):
    operation = d.one(
        "Round", "Floor", "Ceil", "Sign", "Elu", "Selu", "Celu", "LeakyRelu", "HardSigmoid", "HardSwish", "Mish",
        "Softplus", "Softsign", "ThresholdedRelu", "Shrink", "Gelu", "Erf", "Sinh", "Asinh", "Tan", "Atan",
        "Reciprocal", "Sigmoid", "Tanh", "Exp", "Neg", "Abs")
    attributes = {}
    if operation == "Gelu":
        attributes = {"approximate": d.one("none", "tanh")}
    elif operation in ("Elu", "Celu", "LeakyRelu", "ThresholdedRelu"):
        attributes = {"alpha": d.one(0.1, 0.5, 1.3)}
    elif operation == "Shrink":
        attributes = {"lambd": 0.5, "bias": 0.2}
    values = d.floats(3, 5)
    if operation in ("Tan", "Reciprocal"):
        values = values / 8 + np.float32(0.7)
    return Node(operation, [values], 20, attributes=attributes)


@family
def of_two(d):
    rank = d.number(1, 4)
    shape = d.shape(rank, 5)
    one = [side if d.number(0, 2) else 1 for side in shape]
    other = [side if d.number(0, 2) else 1 for side in shape][d.number(0, rank - 1):]
    kind = d.one(np.float32, np.float32, np.int32, np.int64, np.uint8, np.int8, np.float64, np.float16)
    operation = d.one("Add", "Sub", "Mul", "Div", "Mod", "Max", "Min", "Greater", "LessOrEqual", "Equal", "BitShift")
    left, right = ((np.abs(d.random.standard_normal(part)) * 9).astype(kind) for part in (one, other))
    attributes = {}
    if operation in ("Div", "Mod"):
        right = (right + 1).astype(kind)
    if operation == "Mod":
        attributes["fmod"] = int(np.issubdtype(kind, np.floating) or d.chance())
    if operation == "BitShift":
        left, right = left.astype(np.uint8), right.astype(np.uint8) % 7
        attributes["direction"] = d.one("LEFT", "RIGHT")
    return Node(operation, [left, right], attributes=attributes)


@family
def product(d):
    rows, depth, columns, kind = d.number(1, 9), d.number(1, 40), d.number(1, 20), d.number(0, 3)
    batch, constants = d.shape(d.number(0, 2), 3), d.one((), (1,))
    if kind == 0:
        turns = {"transA": d.number(0, 1), "transB": d.number(0, 1)}
        left = d.floats(*((depth, rows) if turns["transA"] else (rows, depth)))
        right = d.floats(*((columns, depth) if turns["transB"] else (depth, columns)))
        bias = d.floats(*d.one((columns,), (1, columns), (rows, 1), (1,), (rows, columns), ()))
        return Node("Gemm", [left, right, bias][:d.number(2, 3)], 13, constants=constants, attributes={
            **turns, "alpha": d.one(1.0, 0.5), "beta": d.one(1.0, 2.0, 0.0)})
    if kind == 1:
        return Node("MatMul", [d.floats(depth), d.floats(*batch, depth, columns)], 13)
    if kind == 2:
        return Node("MatMul", [d.floats(*batch, rows, depth), d.floats(depth)], 13, constants=constants)
    ones = [side if d.chance() else 1 for side in batch]
    return Node("MatMul", [d.floats(*ones, rows, depth), d.floats(*batch, depth, columns)], 13, constants=constants)


@family
def quantized(d):
    kind, way = d.one(np.uint8, np.int8), d.number(0, 4)
    values, scales = d.floats(3, 4, 5), np.abs(d.floats(4)) + np.float32(0.1)
    if way == 0:
        return Node("QuantizeLinear", [values, scalar(d.one(0.5, 0.1, 0.25)), kind(3)], d.one(13, 19), constants=(1, 2))
    if way == 1:
        return Node("QuantizeLinear", [values, scales, d.bytes(kind, 4)], 13, constants=(1, 2), attributes={"axis": 1})
    if way == 2:
        return Node("DequantizeLinear", [d.bytes(kind, 3, 5, 4), scales, d.bytes(kind, 4)], 13, constants=(1, 2),
                    attributes={"axis": -1})
    if way == 3:
        return Node("DynamicQuantizeLinear", [values], 11, 3)
    left = d.bytes(kind, 4, d.number(1, 40))
    right = d.bytes(kind, left.shape[1], 6)
    return Node("MatMulInteger", [left, right, kind(5), kind(7)][:d.one(2, 4)], 10, constants=(1, 2, 3))


@family
def quantized_convolution(d):
    kind, weight, group, side = d.one(np.uint8, np.int8), d.one(np.uint8, np.int8), d.one(1, 1, 2, 4, 9), d.number(1, 3)
    if kind == np.int8:
        weight = np.int8
    inputs, outputs = group * d.number(1, 8), group * d.number(1, 8)
    if d.chance(4):
        inputs = outputs = group = d.number(2, 20)
    image = d.bytes(kind, 1, inputs, d.number(4, 10), d.number(4, 10))
    weights = d.bytes(weight, outputs, inputs // group, side, side)
    attributes = {"group": group, "strides": d.shape(2, 2), "pads": [d.number(0, 1) for _ in range(4)]}
    if d.chance():
        zeros = [kind(d.number(0, 9)), weight(d.number(0, 9))]
        return Node("ConvInteger", [image, weights, *zeros], 10, constants=(1, 2, 3), attributes=attributes)
    each = d.chance()
    scale = np.abs(d.floats(outputs)) * np.float32(0.02) + np.float32(0.01) if each else scalar(0.02)
    zero = np.zeros(outputs, weight) if each else weight(d.number(0, 5) if weight == np.uint8 else 0)
    bias = d.random.integers(-500, 500, outputs).astype(np.int32)
    values = [image, scalar(0.05), kind(d.number(0, 9)), weights, scale, zero, scalar(0.3), kind(d.number(0, 9)), bias]
    return Node("QLinearConv", values[:d.one(8, 9)], 10, constants=tuple(range(1, 9)), attributes=attributes)


@family
def recurrent(d):
    operation, direction = d.one("LSTM", "GRU", "RNN"), d.one("forward", "reverse", "bidirectional")
    ways, hidden, width, steps, batch = 1 + (direction == "bidirectional"), *d.shape(1, 9), *d.shape(3, 6)
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[operation]
    maybe = lambda value: value if d.chance() else None
    small = lambda *shape: d.floats(*shape) * np.float32(0.3)
    values = [d.floats(steps, batch, width), small(ways, gates * hidden, width), small(ways, gates * hidden, hidden),
              maybe(small(ways, 2 * gates * hidden)), maybe(d.random.integers(1, steps + 1, batch).astype(np.int32)),
              maybe(d.floats(ways, batch, hidden))]
    attributes = {"hidden_size": hidden, "direction": direction}
    if operation == "GRU":
        attributes["linear_before_reset"] = d.number(0, 1)
    if operation == "LSTM":
        values += [maybe(d.floats(ways, batch, hidden)), maybe(small(ways, 3 * hidden))]
        attributes["input_forget"] = d.number(0, 1)
    if d.chance(3):
        attributes["clip"] = 1.5
    outputs = 3 if operation == "LSTM" else 2
    return Node(operation, values, 14, outputs, constants=(1, 2, 3, 4, 7), attributes=attributes)


@family
def spectrum(d):
    kind, length = d.number(0, 3), d.one(4, 7, 8, 12, 15, 16)
    if kind == 0:
        return Node("DFT", [d.floats(2, length, 3, d.one(1, 2))], attributes={
            "axis": d.one(1, 2), "inverse": d.number(0, 1)})
    if kind == 1:
        return Node("DFT", [d.floats(2, length, 1)], attributes={"axis": 1, "onesided": 1})
    if kind == 2:
        return Node("STFT", [d.floats(1, 40, 1), scalar(d.one(3, 5, 8), np.int64), np.float32(np.hanning(8))],
                    constants=(1, 2), attributes={"onesided": d.number(0, 1)})
    counts = [scalar(value, np.int64) for value in (d.number(2, 9), d.one(16, 32, 50), 8000)]
    return Node("MelWeightMatrix", [*counts, scalar(d.one(20, 80.5)), scalar(d.one(3000, 4000))],
                constants=(0, 1, 2, 3, 4))


# --- Both sides -------------------------------------------------------------------------------------------------------


def model(nodes, opset):
    """A model of nodes that have nothing to do with each other, and its inputs."""
    made, inputs, outputs, constants, feeds = [], [], [], [], {}
    for number, node in enumerate(nodes):
        names = []
        for place, array in enumerate(node.inputs):
            names.append("" if array is None else f"n{number}_{place}")
            if array is None:
                continue
            array = np.asarray(array)
            if place in node.constants:
                constants.append(numpy_helper.from_array(array, names[-1]))
            else:
                kind = helper.np_dtype_to_tensor_dtype(array.dtype)
                inputs.append(helper.make_tensor_value_info(names[-1], kind, array.shape))
                feeds[names[-1]] = array
        results = [f"o{number}_{place}" for place in range(node.outputs)]
        made.append(helper.make_node(node.operation, names, results, name=f"node{number}", **node.attributes))
        outputs += [onnx.ValueInfoProto(name=name) for name in results]
    graph = helper.make_graph(made, "nodes", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10), feeds


def runtime(node):
    """ONNX Runtime's answer; nothing if it does not run the node."""
    made, feeds = model([node], node.opset)
    try:
        return onnxruntime.InferenceSession(
            made.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, feeds)
    except Exception:
        return None


def outputs(program, made, feeds):
    """Tally's outputs of a model, or its error as text."""
    names = [output.name for output in made.graph.output]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "model.onnx")
        onnx.save(made, path)
        return zoo.tally_outputs(program, path, feeds, names, folder)


def tally(program, nodes, opset):
    """Tally's answers, a list for each node, or its error."""
    found = outputs(program, *model(nodes, opset))
    if isinstance(found, str):
        return None, found
    results = iter(found)
    return [[next(results) for _ in range(node.outputs)] for node in nodes], None


def difference(theirs, ours, limit=1e-4):
    """What is wrong with an answer, in words; `limit` is the largest share of the greatest value."""
    if theirs.shape != ours.shape:
        return f"shape {list(ours.shape)}, not {list(theirs.shape)}"
    if theirs.dtype != ours.dtype:
        return f"type {ours.dtype}, not {theirs.dtype}"
    if theirs.dtype.kind in "biu":
        return f"{(theirs != ours).sum()} of {theirs.size} differ" if (theirs != ours).any() else None
    one, other = theirs.astype(np.float64), ours.astype(np.float64)
    if (np.isfinite(one) != np.isfinite(other)).any():
        return "NaN or infinity in other places"
    finite = np.isfinite(one)
    greatest = max(np.abs(one[finite]).max(initial=0), 1e-3)
    share = np.abs(one - other, where=finite, out=np.zeros_like(one)).max(initial=0) / greatest
    return f"{share:.1e} of the greatest value" if share > (2e-3 if theirs.dtype == np.float16 else limit) else None


def check(program, make, dice, count):
    """How many nodes were held against ONNX Runtime, and those that differ, with the reason."""
    by_opset = {}
    for _ in range(count):
        node = make(dice)
        answer = runtime(node)
        if answer is not None:
            by_opset.setdefault(node.opset, []).append((node, answer))
    wrong = []
    for opset, pairs in by_opset.items():
        for start in range(0, len(pairs), 60):
            part = pairs[start:start + 60]
            answers, _ = tally(program, [node for node, _ in part], opset)
            for place, (node, theirs) in enumerate(part):
                ours, reason = ([answers[place]], None) if answers else tally(program, [node], opset)
                if ours:
                    reason = next(filter(None, map(difference, theirs, ours[0])), None)
                if reason:
                    wrong.append((node, reason))
    return sum(map(len, by_opset.values())), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tally")
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES))
    parser.add_argument("--count", type=int, default=100, help="how many nodes of each family")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    failed = False
    for name in options.families or FAMILIES:
        # A family's nodes do not depend on which others run.
        dice = Dice([options.seed, list(FAMILIES).index(name)])
        held, wrong = check(options.tally, FAMILIES[name], dice, options.count)
        print(f"{name}: {held} held, {len(wrong)} differ", flush=True)
        for node, reason in wrong[:5]:
            print(f"    {reason}: {node}", flush=True)
        failed = failed or bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
