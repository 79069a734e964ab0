#!/usr/bin/env python
"""Writes the tiny models in Fixtures/Goldens/ReferenceModels/models.

    python Fixtures/generate/reference_models.py

Each has the inputs and outputs of a detector, an embedder or a network for text, in one of the forms they
come in, and so little inside that a test can say what it must answer.
"""

import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Goldens" / "ReferenceModels" / "models"
FLOAT, HALF = TensorProto.FLOAT, TensorProto.FLOAT16


def save(name, nodes, inputs, outputs, initializers=(), properties=None):
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info(*i) for i in inputs],
        [helper.make_tensor_value_info(*o) for o in outputs],
        [numpy_helper.from_array(value, key) for key, value in dict(initializers).items()],
    )
    model = helper.make_model(
        graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)], producer_name="tally"
    )
    if properties:
        helper.set_model_props(model, properties)
    onnx.checker.check_model(model)
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{name}.onnx").write_bytes(model.SerializeToString())


def detector(name, decoded=False, logits=False, kind=FLOAT, shape=(1, 3, 64, 64), answers=None):
    """A YOLOX of three classes on 64 x 64: two cells see an object, of the class whose plane is
    brightest on the canvas. The 84 rows are 8 x 8, 4 x 4 and 2 x 2 cells."""
    number = np.float16 if kind == HALF else np.float32
    boxes = np.zeros((1, 84, 4), number)
    objectness = np.full((1, 84, 1), 0.001, number)
    # Row 10 is stride 8, cell (2, 1); row 64 + 5 is stride 16, cell (1, 1).
    if decoded:
        boxes[0, 10] = [20, 12, 8, 16]
        boxes[0, 69] = [28, 24, 16, 32]
    else:
        boxes[0, 10] = [0.5, 0.5, 0, np.log(2)]
        boxes[0, 69] = [0.75, 0.5, 0, np.log(2)]
    objectness[0, 10] = 0.9
    objectness[0, 69] = 0.6
    if logits:
        objectness = np.log(objectness / (1 - objectness)).astype(number)
    nodes = [
        helper.make_node("ReduceMean", ["images"], ["means"], axes=[2, 3], keepdims=0),
        helper.make_node("Div", ["means", "full"], ["shares"]),
        helper.make_node("Unsqueeze", ["shares", "one"], ["row"]),
        helper.make_node("Expand", ["row", "rows"], ["classes"]),
        helper.make_node("Concat", ["boxes", "objectness", "classes"], ["output"], axis=2),
    ]
    save(
        name,
        nodes,
        [("images", kind, shape)],
        [("output", kind, answers or (1, 84, 8))],
        {
            "full": np.array(255, number),
            "one": np.array([1], np.int64),
            "rows": np.array([1, 84, 3], np.int64),
            "boxes": boxes,
            "objectness": objectness,
        },
    )


def embedder(name, batch="n", flat=False, factor=1.0, kind=FLOAT, pool=True, properties=None,
             softmax=False, size=8, width=3):
    """The mean of each normalized plane, times a factor: [N, 3] or [N, 3, 1, 1]."""
    number = np.float16 if kind == HALF else np.float32
    nodes = [
        helper.make_node("ReduceMean", ["input"], ["means"], axes=[2, 3], keepdims=0 if flat else 1)
    ]
    last = "means"
    if softmax:
        nodes.append(helper.make_node("Softmax", [last], ["attention"], axis=1))
        last = "attention"
    nodes.append(helper.make_node("Mul", [last, "factor"], ["embedding"]))
    save(
        name,
        nodes,
        [("input", kind, (batch, 3, size, size))],
        [("embedding", kind, (batch, width) if flat else (batch, width, 1, 1))],
        {"factor": np.array(factor, number)},
        properties,
    )


def text_detector(name, gain=-8.0, height="h", width="w"):
    """Text is what is not white: planes of -1...1 in, probabilities out."""
    save(
        name,
        [
            helper.make_node("Conv", ["x", "weights", "bias"], ["logits"]),
            helper.make_node("Sigmoid", ["logits"], ["map"]),
        ],
        [("x", FLOAT, ("n", 3, height, width))],
        [("map", FLOAT, ("n", 1, height, width))],
        {"weights": np.full((1, 3, 1, 1), gain, np.float32), "bias": np.array([-gain], np.float32)},
    )


def text_orientation(name):
    """Upright lines are redder on the left, others on the right. Planes are blue, green, red."""
    save(
        name,
        [
            helper.make_node("Conv", ["x", "redness"], ["red"]),
            helper.make_node("AveragePool", ["red"], ["halves"], kernel_shape=[48, 96], strides=[48, 96]),
            helper.make_node("Reshape", ["halves", "shape"], ["logits"]),
            helper.make_node("Softmax", ["logits"], ["sides"], axis=1),
        ],
        [("x", FLOAT, ("n", 3, 48, 192))],
        [("sides", FLOAT, ("n", 2))],
        {
            "redness": np.array([-20, -20, 20], np.float32).reshape(1, 3, 1, 1),
            "shape": np.array([-1, 2], np.int64),
        },
    )


def text_recognizer(name, properties=None, classes=6, gain=5.0):
    """A step for each 8 columns: red, green, blue and black are letters, white and padding are blank."""
    # Planes are blue, green, red; the last column is what is added.
    table = np.array(
        [[0, 0, 0, 0.3], [-1, -1, 1, 0], [-1, 1, -1, 0], [1, -1, -1, 0], [-1, -1, -1, -0.4], [0, 0, 0, -9]], np.float32
    )
    save(
        name,
        [
            helper.make_node("AveragePool", ["x"], ["steps"], kernel_shape=[48, 8], strides=[48, 8]),
            helper.make_node("Conv", ["steps", "weights", "bias"], ["letters"]),
            helper.make_node("Squeeze", ["letters", "height"], ["rows"]),
            helper.make_node("Transpose", ["rows"], ["logits"], perm=[0, 2, 1]),
            helper.make_node("Softmax", ["logits"], ["probabilities"], axis=2),
        ],
        [("x", FLOAT, ("n", 3, 48, "w"))],
        [("probabilities", FLOAT, ("n", "t", classes))],
        {
            "weights": gain * table[:, :3].reshape(6, 3, 1, 1),
            "bias": gain * table[:, 3],
            "height": np.array([2], np.int64),
        },
        properties,
    )


if __name__ == "__main__":
    detector("detector")
    detector("detector_decoded", decoded=True)
    detector("detector_logits", logits=True)
    detector("detector_half", kind=HALF)
    detector("detector_open", shape=(1, 3, "h", "w"), answers=("b", "n", "c"))
    embedder("embedder")
    embedder("embedder_flat", flat=True)
    embedder("embedder_pairs", batch=2)
    embedder("embedder_half", kind=HALF)
    embedder("embedder_open", flat=True, width="d", size="s")
    embedder("embedder_attention", softmax=True)
    embedder("embedder_named", softmax=True, properties={"tally.preprocessing": "imagenet"})
    embedder("embedder_zero", factor=0.0)
    embedder("embedder_infinite", factor=np.inf)
    text_detector("text_detector")
    text_detector("text_detector_nan", gain=np.nan)
    text_detector("text_detector_fixed", height=64, width=64)
    text_orientation("text_orientation")
    text_recognizer("text_recognizer", {"character": "r\ng\nb\nk"})
    text_recognizer("text_recognizer_nan", {"character": "r\ng\nb\nk"}, gain=np.nan)
    text_recognizer("text_recognizer_bare")
    text_recognizer("text_recognizer_empty", {"character": ""})
    text_recognizer("text_recognizer_short", {"character": "r\ng"})
    text_recognizer("text_recognizer_open", {"character": "r\ng\nb\nk\nx"}, classes="c")
