"""Goldens for the runner's 8-bit kernels: small models quantised by ONNX Runtime's own quantiser, with what
ONNX Runtime answers.

    python Fixtures/generate/quantized_models.py

Inputs are not stored: tests make the same ones with SplitMix64 (seed 1, -1 to 1).
"""

import json
import logging
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import (
    CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static)

from onnx_runner import TOP, run, values

TARGET = TOP / "Fixtures" / "Goldens" / "ONNXRunner" / "quantized"


class Builder:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.weights, self.count = [], [], 0

    def weight(self, *shape, scale=1.0):
        name = f"w{len(self.weights)}"
        array = (self.random.standard_normal(shape) * scale).astype(np.float32)
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def constant(self, array):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def node(self, operation, *inputs, **attributes):
        self.count += 1
        output = f"v{self.count}"
        self.nodes.append(helper.make_node(operation, inputs, [output], name=f"n{self.count}", **attributes))
        return output

    def conv(self, value, inputs, outputs, kernel=3, stride=1, group=1, **attributes):
        pad = kernel // 2
        weight = self.weight(outputs, inputs // group, kernel, kernel, scale=(inputs // group * kernel * kernel) ** -0.5)
        return self.node("Conv", value, weight, self.weight(outputs, scale=0.1), kernel_shape=[kernel] * 2,
                         strides=[stride] * 2, pads=[pad] * 4, group=group, **attributes)

    def model(self, shape, outputs):
        graph = helper.make_graph(
            self.nodes, "quantized", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def images():
    """Convolutions of every kind the pixel layout takes, with what lies between them."""
    b = Builder(1)
    x = b.conv("x", 3, 20, stride=2)
    x = b.node("Mul", x, b.node("Sigmoid", x))
    y = b.conv(x, 20, 20, group=20, kernel=5)
    y = b.node("Relu", y)
    y = b.conv(y, 20, 36, kernel=1)
    z = b.conv(x, 20, 36, kernel=1)
    s = b.node("Add", y, z)
    gate = b.node("GlobalAveragePool", s)
    gate = b.node("HardSigmoid", b.conv(gate, 36, 36, kernel=1), alpha=0.2, beta=0.5)
    s = b.node("Mul", s, gate)
    p = b.node("MaxPool", s, kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4)
    c = b.node("Concat", s, p, axis=1)
    c = b.conv(c, 72, 40, stride=2)
    c = b.node("Clip", c, b.constant(np.float32(0)), b.constant(np.float32(6)))
    u = b.node("Resize", c, "", b.constant(np.array([1, 1, 2, 2], np.float32)), mode="nearest",
               coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    u = b.conv(u, 40, 17, kernel=1)
    return b.model([1, 3, 27, 22], [b.node("Transpose", u, perm=[0, 2, 3, 1])])


def rows():
    """Matrix products with and without bias, of two computed matrices, and a Gemm."""
    b = Builder(2)
    x = b.node("Add", b.node("MatMul", "x", b.weight(30, 48, scale=0.2)), b.weight(48, scale=0.1))
    k = b.node("MatMul", x, b.weight(48, 48, scale=0.15))
    attention = b.node("MatMul", x, b.node("Transpose", k, perm=[0, 2, 1]))
    attention = b.node("Softmax", b.node("Mul", attention, b.constant(np.float32(0.1))), axis=-1)
    y = b.node("Add", x, b.node("MatMul", attention, x))
    y = b.node("Relu", b.node("MatMul", y, b.weight(48, 19, scale=0.15)))
    flat = b.node("Reshape", y, b.constant(np.array([-1, 19], np.int64)))
    return b.model([2, 7, 30], [b.node("Gemm", flat, b.weight(11, 19, scale=0.2), b.weight(11, scale=0.1), transB=1)])


class Samples(CalibrationDataReader):
    def __init__(self, shape):
        self.rest = [{"x": values(seed, shape)} for seed in (2, 3, 4)]

    def get_next(self):
        return self.rest.pop() if self.rest else None


def main():
    logging.disable(logging.WARNING)
    TARGET.mkdir(parents=True, exist_ok=True)
    signed, unsigned = QuantType.QInt8, QuantType.QUInt8
    kinds = {
        "qdq": dict(quant_format=QuantFormat.QDQ, activation_type=unsigned, per_channel=True),
        "qdq_signed": dict(quant_format=QuantFormat.QDQ, activation_type=signed, weight_type=signed),
        "qdq_unsigned": dict(quant_format=QuantFormat.QDQ, activation_type=unsigned, weight_type=unsigned),
        "qoperator": dict(quant_format=QuantFormat.QOperator, activation_type=unsigned),
        "dynamic": None,
    }
    goldens = []
    with tempfile.TemporaryDirectory() as folder:
        for name, make in (("images", images), ("rows", rows)):
            model = make()
            path = Path(folder) / f"{name}.onnx"
            onnx.save(model, path)
            shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
            x = values(1, shape)
            exact = run(path, {"x": x})[0]
            for kind, options in kinds.items():
                target = TARGET / f"{name}_{kind}.onnx"
                if options is None:
                    quantize_dynamic(path, target)
                else:
                    quantize_static(path, target, Samples(shape), **options)
                answer = run(target, {"x": x})[0]
                np.save(TARGET / f"{name}_{kind}.npy", answer)
                goldens.append({
                    "model": f"{name}_{kind}", "shape": shape, "output": list(answer.shape),
                    "greatest": float(np.abs(exact).max()),
                    "quantization": float(np.abs(answer - exact).max())})
    with open(TARGET / "models.json", "w") as file:
        json.dump(goldens, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
