#!/usr/bin/env python3
"""Random networks, each run by Tally and by ONNX Runtime: Benchmarks/zoo/graphs.py TALLY [--count N] [--seed N] [--keep FOLDER]

A network is a chain with branches of the pieces that exporters write: convolutions with normalization and activation,
gates, residuals, shuffled channels, attention, changes of layout, and small nodes between them that do nothing or little.
Every third network is one of signals.
So the passes that fuse, move and remove nodes meet in any order. Some values between are outputs too, and the sides of
some inputs have names instead of numbers. Normalizations have a large epsilon: rows that hardly vary would be noise.
ONNX Runtime runs each network without its own passes. Values that differ by more than 5e-4 of the greatest, other
shapes and refusals are printed, and the exit code is 1. `--keep` writes these networks with their inputs to a folder.
onnx, onnxruntime and numpy as in requirements.txt.
"""

import argparse
import pathlib
import sys

import nodes
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

PIECES = {"image": [], "rows": [], "signal": []}


def piece(kind):
    """A piece for images [N, C, H, W], rows [N, T, C] or signals [N, C, L]: a network and a value give a value."""

    def add(make):
        PIECES[kind].append(make)
        return make

    return add


class Network:
    def __init__(self, dice):
        self.dice, self.made, self.constants, self.shapes, self.feeds = dice, [], [], {}, {}
        self.opset = dice.one(13, 17, 20)

    def input(self, *shape):
        name = f"x{len(self.feeds)}"
        self.feeds[name] = self.dice.random.standard_normal(shape).astype(np.float32)
        self.shapes[name] = list(shape)
        return name

    def constant(self, array):
        array = np.asarray(array)
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(array, name))
        self.shapes[name] = list(array.shape)
        return name

    def weights(self, *shape, mean=0.0, size=1.0):
        return self.constant((mean + size * self.dice.random.standard_normal(shape)).astype(np.float32))

    def floats(self, *values):
        return self.constant(np.float32(values[0] if len(values) == 1 else values))

    def integers(self, *values):
        return self.constant(np.int64(values))

    def node(self, operation, inputs, shape, **attributes):
        """One node of one result, whose shape is known."""
        name = f"v{len(self.made)}"
        self.made.append(helper.make_node(operation, inputs, [name], name=f"n{len(self.made)}", **attributes))
        self.shapes[name] = [int(side) for side in shape]
        return name

    def same(self, operation, inputs, **attributes):
        return self.node(operation, inputs, self.shapes[inputs[0]], **attributes)

    def both(self, operation, one, other):
        if self.dice.chance():
            one, other = other, one
        return self.node(operation, [one, other], np.broadcast_shapes(self.shapes[one], self.shapes[other]))

    def transpose(self, value, order):
        return self.node("Transpose", [value], [self.shapes[value][axis] for axis in order], perm=order)

    def reshape(self, value, shape):
        shape = [int(side) for side in shape]
        written = list(shape)
        if self.dice.chance(3):
            written[self.dice.number(0, len(shape) - 1)] = -1
        return self.node("Reshape", [value, self.integers(*written)], shape)

    def mean(self, value, axes):
        shape = [1 if axis in axes else side for axis, side in enumerate(self.shapes[value])]
        if self.opset < 18:
            return self.node("ReduceMean", [value], shape, axes=axes)
        return self.node("ReduceMean", [value, self.integers(*axes)], shape)

    def model(self, outputs):
        named = self.dice.chance(3)
        inputs = [helper.make_tensor_value_info(
            name, TensorProto.FLOAT, [f"{name}_{axis}" if named else side for axis, side in enumerate(array.shape)])
            for name, array in self.feeds.items()]
        graph = helper.make_graph(
            self.made, "network", inputs, [onnx.ValueInfoProto(name=name) for name in outputs], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=10)


# --- Images -----------------------------------------------------------------------------------------------------------


def activation(n, x):
    kind = n.dice.number(0, 14)
    simple = ("Relu", "Sigmoid", "Tanh", "HardSwish", "Softplus", "Elu", "Selu", "Softsign", "Mish")
    if kind < len(simple):
        # These two are newer than the oldest opset of a network.
        name = simple[kind] if n.opset >= 18 or simple[kind] != "Mish" else "Relu"
        return n.same(name if n.opset >= 14 or name != "HardSwish" else "HardSigmoid", [x])
    if kind == 9:
        return n.both("Mul", x, n.same("Sigmoid", [x]))
    if kind == 10:
        low, high = sorted([n.dice.one(-1.0, 0.0, -0.5), n.dice.one(1.0, 6.0, 0.7)])
        return n.same("Clip", [x, n.floats(low), n.floats(high)])
    if kind == 11:
        return n.same("LeakyRelu", [x], alpha=0.1)
    if kind == 12:
        half = n.both("Mul", x, n.floats(0.5))
        erf = n.same("Erf", [n.same("Div", [x, n.floats(2**0.5)])])
        return n.both("Mul", half, n.both("Add", erf, n.floats(1.0)))
    if kind == 13:
        clipped = n.same("Clip", [n.both("Add", x, n.floats(3.0)), n.floats(0.0), n.floats(6.0)])
        return n.same("Div", [n.both("Mul", x, clipped), n.floats(6.0)])
    return n.both("Mul", x, n.same("Tanh", [n.same("Softplus", [x])]))


def channels_of(n):
    return n.dice.one(1, 3, 4, 8, 15, 16, 17, 24, 32, 40, 48)


@piece("image")
def convolution(n, x):
    batch, inputs, *sides = n.shapes[x]
    side, group = n.dice.one(1, 1, 3, 3, 3, 5, 7, 2), 1
    outputs = channels_of(n)
    if n.dice.chance(3):
        group, outputs = inputs, inputs * n.dice.one(1, 1, 2)
    elif n.dice.chance(5) and inputs % 4 == 0:
        group, outputs = 4, 4 * n.dice.number(1, 6)
    stride, dilation = n.dice.one(1, 1, 1, 2), n.dice.one(1, 1, 1, 1, 2)
    pads = [n.dice.one(side // 2, side // 2, side // 2, 0, 1)] * 4 if n.dice.number(0, 4) else [
        n.dice.number(0, side // 2) for _ in range(4)]
    shape = [(extent + pads[axis] + pads[axis + 2] - (side - 1) * dilation - 1) // stride + 1
             for axis, extent in enumerate(sides)]
    if min(shape) < 1:
        return None
    weights = n.weights(outputs, inputs // group, side, side, size=(inputs // group * side * side) ** -0.5)
    bias = [n.weights(outputs, size=0.3)] * n.dice.number(0, 1)
    if n.dice.chance(8):
        # Padding as a node of its own.
        around = [0, 0, *pads[:2], 0, 0, *pads[2:]]
        x = n.node("Pad", [x, n.integers(*around)], np.add(n.shapes[x], np.add(around[:4], around[4:])))
        pads = [0] * 4
    y = n.node("Conv", [x, weights, *bias], [batch, outputs, *shape], group=group, strides=[stride] * 2,
               dilations=[dilation] * 2, pads=pads)
    if n.dice.chance():
        y = batch_normalization(n, y)
    if n.dice.chance():
        y = activation(n, y)
    if n.shapes[y] == n.shapes[x] and n.dice.chance():
        y = n.both("Add", x, y)
        if n.dice.chance(3):
            y = activation(n, y)
    return y


@piece("image")
def batch_normalization(n, x):
    count = n.shapes[x][1]
    variance = n.constant(np.abs(n.dice.random.standard_normal(count)).astype(np.float32) + np.float32(0.5))
    return n.same("BatchNormalization", [
        x, n.weights(count, mean=1, size=0.2), n.weights(count, size=0.3), n.weights(count, size=0.3), variance])


@piece("image")
def activated(n, x):
    return activation(n, x)


@piece("image")
def scaled(n, x):
    operation, count = n.dice.one("Add", "Mul", "Sub", "Div"), n.shapes[x][1]
    shape = n.dice.one((1, count, 1, 1), (count, 1, 1), (1,), (), (1, count, *n.shapes[x][2:]), (n.shapes[x][3],))
    other = n.weights(*shape, mean=1.5, size=0.1)
    # Dividing by what may be near zero would leave nothing to compare.
    if operation != "Div" and n.dice.chance():
        return n.both(operation, x, other)
    return n.same(operation, [x, other])


@piece("image")
def gate(n, x):
    batch, count, *sides = n.shapes[x]
    y = n.node("GlobalAveragePool", [x], [batch, count, 1, 1]) if n.dice.chance() else n.mean(x, [2, 3])
    few = max(1, count // 4)
    for inputs, outputs, last in ((count, few, False), (few, count, True)):
        y = n.node("Conv", [y, n.weights(outputs, inputs, 1, 1, size=inputs ** -0.5), n.weights(outputs)],
                   [batch, outputs, 1, 1])
        y = n.same(n.dice.one("Sigmoid", "HardSigmoid"), [y]) if last else activation(n, y)
    return n.both("Mul", x, y)


@piece("image")
def pooled(n, x):
    batch, count, *sides = n.shapes[x]
    side, stride, pad = n.dice.one(2, 3, 5), n.dice.number(1, 2), n.dice.number(0, 1)
    shape = [(extent + 2 * pad - side) // stride + 1 for extent in sides]
    if min(shape) < 1:
        return None
    more = {"count_include_pad": n.dice.number(0, 1)} if n.dice.chance() else None
    return n.node("MaxPool" if more is None else "AveragePool", [x], [batch, count, *shape], kernel_shape=[side] * 2,
                  strides=[stride] * 2, pads=[pad] * 4, **(more or {}))


@piece("image")
def resized(n, x):
    batch, count, *sides = n.shapes[x]
    if max(sides) > 16:
        return None
    return n.node("Resize", [x, "", n.floats(1, 1, 2, 2)], [batch, count, *[2 * side for side in sides]],
                  mode=n.dice.one("nearest", "linear"),
                  coordinate_transformation_mode=n.dice.one("asymmetric", "half_pixel"), nearest_mode="floor")


@piece("image")
def shuffled(n, x):
    batch, count, *sides = n.shapes[x]
    group = n.dice.one(2, 4)
    if count % group:
        return None
    y = n.reshape(x, [batch, group, count // group, *sides])
    return n.reshape(n.transpose(y, [0, 2, 1, 3, 4]), n.shapes[x])


@piece("image")
def blocks(n, x):
    batch, count, height, width = n.shapes[x]
    if count % 4 == 0 and n.dice.chance():
        return n.node("DepthToSpace", [x], [batch, count // 4, height * 2, width * 2], blocksize=2,
                      mode=n.dice.one("DCR", "CRD"))
    if height % 2 or width % 2:
        return None
    return n.node("SpaceToDepth", [x], [batch, count * 4, height // 2, width // 2], blocksize=2)


@piece("image")
def divided(n, x):
    """Channels split, one part changed, and joined again."""
    batch, count, *sides = n.shapes[x]
    if count < 2:
        return None
    first = n.dice.number(1, count - 1)
    parts = []
    for start, end in ((0, first), (first, count)):
        parts.append(n.node("Slice", [x, n.integers(start), n.integers(end), n.integers(1)],
                            [batch, end - start, *sides]))
    place = n.dice.number(0, 1)
    changed = n.dice.one(activation, batch_normalization, scaled)(n, parts[place])
    if n.shapes[changed] == n.shapes[parts[place]]:
        parts[place] = changed
    if n.dice.chance(3):
        parts.append(x)
    if n.dice.chance(3):
        parts.reverse()
    return n.node("Concat", parts, [batch, sum(n.shapes[part][1] for part in parts), *sides], axis=n.dice.one(1, -3))


@piece("image")
def grouped_normalization(n, x):
    batch, count, *sides = n.shapes[x]
    group = n.dice.one(1, 2, 4)
    if count % group or count * sides[0] * sides[1] // group < 4:
        return None
    y = n.reshape(x, [batch, group, count // group * sides[0] * sides[1]])
    ones, zeros = n.constant(np.ones(group, np.float32)), n.constant(np.zeros(group, np.float32))
    y = n.same("InstanceNormalization", [y, ones, zeros], epsilon=0.01)
    y = n.reshape(y, n.shapes[x])
    y = n.both("Mul", y, n.weights(count, 1, 1, mean=1, size=0.2))
    return n.both("Add", y, n.weights(count, 1, 1, size=0.2))


@piece("image")
def last_channel_normalization(n, x):
    """Layer normalization of channels, as ConvNeXt has it."""
    y = rows_normalization(n, n.transpose(x, [0, 2, 3, 1]))
    if n.dice.chance():
        y = dense(n, y)
    return n.transpose(y, [0, 3, 1, 2])


@piece("image")
def upwards(n, x):
    batch, count, *sides = n.shapes[x]
    if max(sides) > 12:
        return None
    outputs, side = channels_of(n), n.dice.one(2, 3, 4)
    return n.node("ConvTranspose", [x, n.weights(count, outputs, side, side, size=(count * side) ** -0.5),
                                    n.weights(outputs)],
                  [batch, outputs, *[(extent - 1) * 2 + side for extent in sides]], strides=[2, 2])


@piece("image")
def transposed(n, x):
    order = n.dice.one([0, 1, 3, 2], [0, 2, 3, 1], [0, 3, 1, 2])
    y = n.transpose(x, order)
    if n.dice.chance():
        y = activation(n, y)
    if n.dice.chance():
        y = n.transpose(y, [order.index(axis) for axis in range(4)])
    return y


@piece("image")
def little(n, x):
    kind = n.dice.number(0, 5)
    if kind == 0:
        return n.same("Identity", [x])
    if kind == 1:
        return n.same("Dropout", [x])
    if kind == 2:
        return n.same("Cast", [x], to=TensorProto.FLOAT)
    if kind == 3:
        pads = [0, 0, 1, 0, 0, 0, 0, 1]
        return n.node("Pad", [x, n.integers(*pads)], np.add(n.shapes[x], [0, 0, 1, 1]), mode=n.dice.one("constant", "edge"))
    if kind == 4:
        return n.reshape(n.reshape(x, [n.shapes[x][0], int(np.prod(n.shapes[x][1:]))]), n.shapes[x])
    y = n.node("Unsqueeze", [x, n.integers(2)], [*n.shapes[x][:2], 1, *n.shapes[x][2:]])
    return n.node("Squeeze", [y, n.integers(2)], n.shapes[x])


@piece("image")
def to_rows(n, x):
    batch, count, *sides = n.shapes[x]
    y = n.reshape(x, [batch, count, sides[0] * sides[1]])
    return n.transpose(y, [0, 2, 1]) if n.dice.number(0, 3) else y


# --- Rows -------------------------------------------------------------------------------------------------------------


@piece("rows")
def rows_normalization(n, x):
    rank, width = len(n.shapes[x]), n.shapes[x][-1]
    scale, shift = n.weights(width, mean=1, size=0.2), n.weights(width, size=0.2)
    if n.opset >= 17 and n.dice.chance():
        return n.same("LayerNormalization", [x, scale, shift], axis=n.dice.one(-1, rank - 1), epsilon=0.01)
    apart = n.same("Sub", [x, n.mean(x, [rank - 1])])
    square = n.same("Pow", [apart, n.floats(2.0)]) if n.dice.chance() else n.both("Mul", apart, apart)
    deviation = n.same("Sqrt", [n.both("Add", n.mean(square, [rank - 1]), n.floats(0.01))])
    return n.both("Add", n.both("Mul", n.same("Div", [apart, deviation]), scale), shift)


@piece("rows")
def dense(n, x):
    *outer, width = n.shapes[x]
    outputs = n.dice.one(width, width, 5, 16, 33)
    y = n.node("MatMul", [x, n.weights(width, outputs, size=width ** -0.5)], [*outer, outputs])
    if n.dice.number(0, 2):
        y = n.both("Add", y, n.weights(outputs, size=0.3))
    if n.dice.chance():
        y = activation(n, y)
    return n.both("Add", x, y) if outputs == width and n.dice.chance() else y


@piece("rows")
def flat_dense(n, x):
    batch, count, width = n.shapes[x]
    outputs = n.dice.one(width, 7, 16)
    y = n.reshape(x, [batch * count, width])
    turned = n.dice.number(0, 1)
    weights = n.weights(*((outputs, width) if turned else (width, outputs)), size=width ** -0.5)
    y = n.node("Gemm", [y, weights, n.weights(outputs)], [batch * count, outputs], transB=turned)
    return n.reshape(y, [batch, count, outputs])


@piece("rows")
def attention(n, x):
    batch, count, width = n.shapes[x]
    heads = n.dice.one(1, 2, 4)
    if width % heads or count > 150:
        return None
    depth = width // heads
    part = lambda order: n.transpose(n.reshape(n.node(
        "MatMul", [x, n.weights(width, width, size=width ** -0.5)], [batch, count, width]),
        [batch, count, heads, depth]), order)
    query, key, value = part([0, 2, 1, 3]), part([0, 2, 3, 1]), part([0, 2, 1, 3])
    if n.dice.chance():
        query = n.both("Mul", query, n.floats(depth ** -0.5))
    scores = n.node("MatMul", [query, key], [batch, heads, count, count])
    if n.dice.chance(3):
        scores = n.same("Div", [scores, n.floats(depth ** 0.5)])
    if n.dice.chance(3):
        scores = n.both("Add", scores, n.weights(*n.dice.one((1, 1, count, count), (1, heads, count, count), (count,))))
    y = n.node("MatMul", [n.same("Softmax", [scores], axis=n.dice.one(-1, 3)), value], [batch, heads, count, depth])
    y = n.reshape(n.transpose(y, [0, 2, 1, 3]), [batch, count, width])
    return n.both("Add", x, y) if n.dice.chance() else y


@piece("rows")
def rows_activated(n, x):
    return activation(n, x)


@piece("rows")
def rows_scaled(n, x):
    return n.both(n.dice.one("Add", "Mul"), x, n.weights(*n.dice.one((n.shapes[x][-1],), (1,), (), (1, *n.shapes[x][1:]))))


@piece("rows")
def rows_turned(n, x):
    return n.transpose(x, [0, 2, 1])


@piece("rows")
def rows_softmax(n, x):
    return n.same(n.dice.one("Softmax", "LogSoftmax"), [x], axis=n.dice.one(-1, 1, 2))


@piece("rows")
def rows_cut(n, x):
    batch, count, width = n.shapes[x]
    if count < 2:
        return None
    y = n.node("Gather", [x, n.integers(0)], [batch, 1, width], axis=1)
    rest = n.node("Slice", [x, n.integers(1), n.integers(2**62), n.integers(1)], [batch, count - 1, width])
    return n.node("Concat", [rest, y], [batch, count, width], axis=1)


@piece("rows")
def line_convolution(n, x):
    batch, count, width = n.shapes[x]
    outputs, side = n.dice.one(count, 8, 16), n.dice.one(1, 3, 5)
    if count > 200:
        return None
    y = n.node("Conv", [x, n.weights(outputs, count, side, size=(count * side) ** -0.5), n.weights(outputs)],
               [batch, outputs, width], pads=[side // 2] * 2)
    return activation(n, y) if n.dice.chance() else y


@piece("rows")
def to_image(n, x):
    batch, count, width = n.shapes[x]
    height = next(side for side in range(int(count ** 0.5), 0, -1) if count % side == 0)
    return n.reshape(n.transpose(x, [0, 2, 1]), [batch, width, height, count // height])


# --- Signals ----------------------------------------------------------------------------------------------------------


@piece("signal")
def signal_convolution(n, x):
    batch, count, length = n.shapes[x]
    group = n.dice.one(1, 1, 1, 2, 4, count)
    side, stride, dilation = n.dice.number(1, 7), n.dice.number(1, 3), n.dice.one(1, 1, 2, 3)
    pads = [n.dice.number(0, 4), n.dice.number(0, 4)]
    result = (length + sum(pads) - (side - 1) * dilation - 1) // stride + 1
    if count % group or result < 1:
        return None
    outputs = group * n.dice.number(1, max(1, 40 // group))
    y = n.node("Conv", [x, n.weights(outputs, count // group, side, size=(count // group * side) ** -0.5),
                        n.weights(outputs)],
               [batch, outputs, result], group=group, strides=[stride], dilations=[dilation], pads=pads)
    return activation(n, y) if n.dice.chance() else y


@piece("signal")
def signal_residual(n, x):
    batch, count, length = n.shapes[x]
    side = n.dice.one(1, 3, 5)
    y = n.node("Conv", [x, n.weights(count, count, side, size=(count * side) ** -0.5), n.weights(count)],
               [batch, count, length], pads=[side // 2] * 2)
    y = n.both("Add", activation(n, y) if n.dice.chance() else y, x)
    return activation(n, y) if n.dice.chance() else y


@piece("signal")
def signal_upwards(n, x):
    batch, count, length = n.shapes[x]
    stride = n.dice.number(1, 4)
    side, extra = stride + n.dice.number(0, 4), n.dice.number(0, stride - 1)
    pads = [n.dice.number(0, 1), n.dice.number(0, 1)]
    result = (length - 1) * stride + side - sum(pads) + extra
    if length > 60 or result < 1:
        return None
    outputs = n.dice.number(4, 24)
    return n.node("ConvTranspose", [x, n.weights(count, outputs, side, size=(count * side) ** -0.5), n.weights(outputs)],
                  [batch, outputs, result], strides=[stride], pads=pads, output_padding=[extra])


@piece("signal")
def signal_padded(n, x):
    batch, count, length = n.shapes[x]
    pads = [n.dice.number(0, 3), n.dice.number(0, 3)]
    mode = n.dice.one("constant", "reflect", "edge")
    if max(pads) >= length:
        return None
    return n.node("Pad", [x, n.integers(0, 0, pads[0], 0, 0, pads[1])], [batch, count, length + sum(pads)], mode=mode)


@piece("signal")
def signal_pooled(n, x):
    batch, count, length = n.shapes[x]
    if n.dice.chance(4):
        return n.both("Mul", x, n.same("Sigmoid", [n.node("GlobalAveragePool", [x], [batch, count, 1])]))
    side, stride, pad = n.dice.number(2, 4), n.dice.number(1, 2), n.dice.number(0, 1)
    result = (length + 2 * pad - side) // stride + 1
    if result < 1:
        return None
    more = {"count_include_pad": n.dice.number(0, 1)} if n.dice.chance() else None
    return n.node("MaxPool" if more is None else "AveragePool", [x], [batch, count, result], kernel_shape=[side],
                  strides=[stride], pads=[pad] * 2, **(more or {}))


@piece("signal")
def signal_scaled(n, x):
    operation, (batch, count, length) = n.dice.one("Add", "Mul", "Sub", "Div"), n.shapes[x]
    shape = n.dice.one((1, count, 1), (count, 1), (1,), (), (length,), (1, count, length))
    constant = n.weights(*shape, mean=2, size=0.2)
    first = operation != "Div" and n.dice.chance()
    return n.node(operation, [constant, x] if first else [x, constant], n.shapes[x])


@piece("signal")
def signal_joined(n, x):
    batch, count, length = n.shapes[x]
    if count > 40:
        return None
    return n.node("Concat", [x, activation(n, x)], [batch, 2 * count, length], axis=n.dice.one(1, -2))


PIECES["signal"] += [batch_normalization, activated]


# --- Both sides -------------------------------------------------------------------------------------------------------


def network(dice):
    n = Network(dice)
    is_signal = dice.chance(3)
    sides = [dice.number(4, 80)] if is_signal else [dice.number(4, 20), dice.number(4, 20)]
    values = [n.input(dice.number(1, 2), dice.one(3, 8, 16, 20), *sides)]
    for _ in range(dice.number(3, 14)):
        # Mostly on from the last, now and then from an earlier one.
        x = values[-1] if dice.number(0, 4) else dice.one(*values)
        rank = len(n.shapes[x])
        y = dice.one(*PIECES["signal" if is_signal else "image" if rank == 4 else "rows"])(n, x)
        if y is None or np.prod(n.shapes[y]) > 1 << 17:
            continue
        partners = [value for value in values if n.shapes[value] == n.shapes[y] and value != y]
        if partners and dice.chance(3):
            y = n.both(dice.one("Add", "Mul"), y, dice.one(*partners))
        values.append(y)
    return n


def outputs_of(n):
    """What no node takes, and some of what nodes take."""
    taken = {name for node in n.made for name in node.input}
    made = [name for node in n.made for name in node.output]
    return [name for name in made if name not in taken or n.dice.chance(12)]


def describe(n, outputs):
    lines = [f"opset {n.opset}, outputs {' '.join(outputs)}"]
    for node in n.made:
        inputs = ", ".join(f"{name}{n.shapes.get(name, '')}" for name in node.input)
        more = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        lines.append(f"  {node.output[0]} = {node.op_type}({inputs}) {more if more else ''}")
    return "\n    ".join(lines)


def check(program, dice, keep, number):
    """Nothing if both agree or ONNX Runtime runs no such network, else what differs."""
    n = network(dice)
    if not n.made:
        return "left out", ""
    outputs = outputs_of(n)
    model = n.model(outputs)
    settings = onnxruntime.SessionOptions()
    settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    settings.intra_op_num_threads = 1
    try:
        theirs = onnxruntime.InferenceSession(
            model.SerializeToString(), settings, providers=["CPUExecutionProvider"]).run(None, n.feeds)
    except Exception as error:
        return "left out", f"{error}"
    ours = nodes.outputs(program, model, n.feeds)
    if isinstance(ours, str):
        reason = ours
    else:
        reason = next((f"{name}: {text}" for name, one, other in zip(outputs, theirs, ours)
                       if (text := nodes.difference(one, other, 5e-4))), None)
    if reason and keep:
        onnx.save(model, pathlib.Path(keep, f"{number}.onnx"))
        np.savez(pathlib.Path(keep, f"{number}.npz"), **n.feeds)
    return ("differs", f"{reason}\n    {describe(n, outputs)}") if reason else ("agrees", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tally")
    parser.add_argument("--count", type=int, default=200, help="how many networks")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", help="a folder for networks that differ")
    options = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    counts = {"agrees": 0, "differs": 0, "left out": 0}
    for number in range(options.count):
        word, text = check(options.tally, nodes.Dice([options.seed, number]), options.keep, number)
        counts[word] += 1
        if word == "differs":
            print(f"{number}: {text}", flush=True)
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    return 1 if counts["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
