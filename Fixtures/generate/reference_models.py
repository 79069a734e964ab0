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


def family(name, properties=None, outputs=(), images=(1, 3, 64, 64), kind=FLOAT, more=()):
    """A detector of another family on 64 x 64, or on photos of any size.

    `outputs` are tuples of a name, a type, an array, and nothing or an axis and a place on it: from there on three columns
    become the means of the planes in rows where they are not 0, so that a test sees how the photo was prepared. `more` are
    inputs that have to be given, and change nothing.
    """
    planes = {(1, 3): [2, 3], (1, "h"): [1, 2], (1, 64): [1, 2], (3, "h"): [1, 2], (3, 64): [1, 2]}[tuple(images[:2])]
    nodes, initializers, values = [], {}, []
    photo = "photo"
    if kind != FLOAT:
        nodes.append(helper.make_node("Cast", ["photo"], ["floats"], to=FLOAT))
        photo = "floats"
    nodes.append(helper.make_node("ReduceMean", [photo], ["means"], axes=planes, keepdims=0))
    nodes.append(helper.make_node("Reshape", ["means", "three"], ["row"]))
    initializers["three"] = np.array([1, 3], np.int64)
    for key, *rest in outputs:
        element, array, columns = rest
        initializers[key + ".fixed"] = array
        shape = [e if e != 0 else "n" for e in array.shape]
        if columns is None:
            nodes.append(helper.make_node("Identity", [key + ".fixed"], [key]))
        else:
            # The fixed numbers, and in rows whose mask is 1 the means in three columns.
            axis, first = columns
            mask = (array.take([first], axis) > 0).astype(np.float32)
            spread = [1] * array.ndim
            spread[axis] = 3
            initializers[key + ".mask"] = mask
            initializers[key + ".spread"] = np.array(spread, np.int64)
            before = array.take(range(first), axis)
            after = array.take(range(first + 3, array.shape[axis]), axis)
            initializers[key + ".before"], initializers[key + ".after"] = before, after
            del initializers[key + ".fixed"]
            nodes += [
                helper.make_node("Reshape", ["row", key + ".spread"], [key + ".means"]),
                helper.make_node("Mul", [key + ".means", key + ".mask"], [key + ".scores"]),
                helper.make_node("Concat", [key + ".before", key + ".scores", key + ".after"], [key], axis=axis),
            ]
        values.append((key, element, shape))
    save(name, nodes, [("photo", kind, images), *more], values, initializers, properties)


def families():
    """Two objects in a photo of 128 x 64: on the canvas of 64 x 64 they are at rows 10 and 69 of 84."""
    f = np.float32
    boxes = np.zeros((84, 4), f)
    sizes = [8] * 64 + [16] * 16 + [32] * 4
    cells = [(x, y) for n in (8, 4, 2) for y in range(n) for x in range(n)]
    for row, (size, (x, y)) in enumerate(zip(sizes, cells)):
        boxes[row] = [(x + 0.5) * size, (y + 0.5) * size, size, size]
    boxes[10], boxes[69] = [20, 24, 8, 16], [28, 32, 16, 8]
    seen = np.zeros((84, 1), f)
    seen[[10, 69]] = 1
    three = np.repeat(seen, 3, 1)
    names = {"names": "{0: 'red', 1: 'green', 2: 'blue'}", "imgsz": "[64, 64]", "stride": "32"}
    made = lambda task, **more: {"author": "Ultralytics", "task": task, **names, **more}
    columns = lambda *parts: np.concatenate(parts, 1)[None].astype(f)
    turned = lambda array: np.ascontiguousarray(array.swapaxes(1, 2))
    plain = columns(boxes, three)
    family("yolov8", outputs=[("output0", FLOAT, turned(plain), (1, 4))], properties=made("detect"))
    family("yolov8_unnamed", outputs=[("output0", FLOAT, turned(plain), (1, 4))])
    family("yolov8_rows", outputs=[("output0", FLOAT, plain, (2, 4))], properties=names)
    family("yolov8_rows_unnamed", outputs=[("output0", FLOAT, plain, (2, 4))])
    angles = np.zeros((84, 1), f)
    angles[10] = np.pi / 4
    family("yolov8_obb", outputs=[("output0", FLOAT, turned(columns(boxes, three, angles)), (1, 4))],
           properties=made("obb"))
    # Two prototypes of 16 x 16: the left half, and the right half.
    left = np.full((1, 2, 16, 16), -1, f)
    left[0, 0, :, :8], left[0, 1, :, 8:] = 1, 1
    kinds = np.zeros((84, 2), f)
    kinds[10], kinds[69] = [1, 0], [0, 1]
    family("yolov8_seg", outputs=[("output0", FLOAT, turned(columns(boxes, three, kinds)), (1, 4)),
                                  ("output1", FLOAT, left, None)], properties=made("segment"))
    anchors = np.concatenate([np.repeat(boxes[None], 3, 0)[:, lo:hi].reshape(-1, 4)
                              for lo, hi in ((0, 64), (64, 80), (80, 84))])
    objectness = np.zeros((252, 1), f)
    objectness[[10, 3 * 64 + 5]] = [[0.9], [0.6]]
    family("yolov5", outputs=[("output", FLOAT, columns(anchors, objectness, np.repeat(objectness > 0, 3, 1)), (2, 5))])
    family("yolov5_maps", outputs=[
        ("output", FLOAT, columns(anchors, objectness, np.repeat(objectness > 0, 3, 1)), (2, 5)),
        ("map", FLOAT, np.zeros((1, 3, 2, 2, 8), f), None)])
    family("yolov6", outputs=[("outputs", FLOAT, columns(boxes, seen, three), (2, 5))])
    rows = np.zeros((1, 10, 6), f)
    rows[0, 0], rows[0, 1] = [16, 16, 24, 32, 0.9, 2], [20, 28, 36, 36, 0.6, 0]
    family("end_to_end", outputs=[("output0", FLOAT, rows, None)], properties=made("detect", end2end="True"))
    family("end_to_end_unnamed", outputs=[("output0", FLOAT, rows, None)])
    family("yolov7_end_to_end", outputs=[("output", FLOAT, np.array(
        [[0, 16, 16, 24, 32, 2, 0.9], [0, 20, 28, 36, 36, 0, 0.6]], f), None)])
    parts = np.zeros((1, 20, 4), f)
    parts[0, 0], parts[0, 1] = [0.25, 0.5, 0.125, 0.5], [0.5, 0.25, 0.25, 0.25]
    logits = np.full((1, 20, 4), -9, f)
    logits[0, 0], logits[0, 1] = [-9, -9, 2, -3], [1, -9, -9, -3]
    family("queries", outputs=[("logits", FLOAT, logits, None), ("pred_boxes", FLOAT, parts, None)])
    family("queries_masked", more=[("pixel_mask", TensorProto.INT64, (1, "h", "w"))],
           outputs=[("logits", FLOAT, logits, None), ("pred_boxes", FLOAT, parts, None)])
    family("rf_detr", outputs=[("dets", FLOAT, parts, None), ("labels", FLOAT, logits, None)])
    stretched = np.concatenate([parts, np.zeros((1, 20, 3), f)], 2)
    stretched[0, :2, 4] = 1
    family("rtdetr_rows", outputs=[("output0", FLOAT, stretched, (2, 4))],
           properties=made("detect", description="Ultralytics rtdetr-l model"))
    pixels = np.array([[16, 16, 24, 32], [20, 28, 36, 36]], f)
    scores = np.array([0.9, 0.6], f)
    labels = np.array([3, 1], np.int64)
    family("torchvision", images=(3, "h", "w"), outputs=[
        ("boxes", FLOAT, pixels, None), ("labels", TensorProto.INT64, labels, None), ("scores", FLOAT, scores, None)])
    family("torchvision_fixed", images=(3, 64, 64), outputs=[
        ("boxes", FLOAT, pixels, None), ("labels", TensorProto.INT64, labels, None), ("scores", FLOAT, scores, None)])
    family("tensorflow", images=(1, "h", "w", 3), kind=TensorProto.UINT8, outputs=[
        ("detection_boxes", FLOAT, np.array([[[0.25, 0.25, 0.5, 0.375], [0, 0, 1, 1]]], f), None),
        ("detection_scores", FLOAT, np.array([[0.9, 0.8]], f), None),
        ("detection_classes", FLOAT, np.array([[18, 1]], f), None),
        ("num_detections", FLOAT, np.array([1], f), None)])
    family("efficient_nms", outputs=[
        ("num_dets", TensorProto.INT32, np.array([[1]], np.int32), None),
        ("det_boxes", FLOAT, pixels[None], None), ("det_scores", FLOAT, scores[None], None),
        ("det_classes", TensorProto.INT32, np.array([[2, 0]], np.int32), None)])
    corners = np.concatenate([boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, :2] + boxes[:, 2:] / 2], 1)[None]
    for name, kind in [("yolo_nas", FLOAT), ("yolo_nas_bytes", TensorProto.UINT8)]:
        family(name, kind=kind, outputs=[("904", FLOAT, corners, None), ("913", FLOAT, columns(three), (2, 0))])
    family("yolo_nas_suppressed", kind=TensorProto.UINT8, outputs=[
        ("num_predictions", TensorProto.INT64, np.array([[1]], np.int64), None),
        ("pred_boxes", FLOAT, pixels[None], None), ("pred_scores", FLOAT, scores[None], None),
        ("pred_classes", TensorProto.INT64, np.array([[2, 0]], np.int64), None)])
    # Each side lies one stride from the middle of its place.
    levels = [64, 16, 4, 1]
    ones = np.zeros((4, 4), f)
    ones[:, 1] = 50
    marks = [three[None, :64], three[None, 64:80], three[None, 80:], np.zeros((1, 1, 3), f)]
    family("picodet",
           outputs=[(f"scores{i}", FLOAT, np.ascontiguousarray(marks[i], f), (2, 0)) for i in range(4)]
           + [(f"sides{i}", FLOAT, np.repeat(ones.reshape(1, 1, 16), n, 1), None) for i, n in enumerate(levels)])
    family("yolov3", more=[("image_shape", FLOAT, (1, 2))], outputs=[
        ("boxes", FLOAT, np.array([[[0, 0, 9, 9], [16, 32, 32, 48]]], f), None),
        ("scores", FLOAT, np.array([[[0.1, 0.2], [0.3, 0.9]]], f), None),
        ("indices", TensorProto.INT32, np.array([[0, 1, 1], [0, 0, 0], [-1, -1, -1]], np.int32), None)])
    family("ssd", outputs=[
        ("bboxes", FLOAT, np.array([[[0.25, 0.25, 0.375, 0.5], [0, 0, 1, 1]]], f), None),
        ("labels", TensorProto.INT64, np.array([[18, 0]], np.int64), None), ("scores", FLOAT, scores[None], None)])
    family("mmdetection", outputs=[
        ("dets", FLOAT, np.concatenate([pixels, scores[:, None]], 1)[None], None),
        ("labels", TensorProto.INT64, np.array([[5, 0]], np.int64), None)])
    # Boxes in pixels of the photo: what is fed as its size comes back as the right lower corner.
    for name, key, element, graph_boxes in [
        ("sized", "orig_target_sizes", TensorProto.INT64, True), ("paddle", "scale_factor", FLOAT, False)]:
        sized(name, key, element, graph_boxes)


def sized(name, key, element, lists):
    """A detector that is told the photo's size, and answers it as a corner of its only box."""
    nodes = [
        helper.make_node("ReduceMean", ["photo"], ["mean"], axes=[1, 2, 3], keepdims=0),
        helper.make_node("Mul", ["mean", "nothing"], ["zero"]),
        helper.make_node("Cast", [key], ["size"], to=FLOAT),
        helper.make_node("Reshape", ["size", "pair"], ["flat"]),
        helper.make_node("Add", ["flat", "zero"], ["corner"]),
    ]
    initializers = {"nothing": np.array(0, np.float32), "pair": np.array([2], np.int64),
                    "origin": np.array([0, 0], np.float32)}
    inputs = [("photo", FLOAT, (1, 3, 64, 64)), (key, element, (1, 2))]
    if lists:
        nodes += [
            helper.make_node("Concat", ["origin", "corner"], ["box"], axis=0),
            helper.make_node("Reshape", ["box", "boxShape"], ["boxes"]),
            helper.make_node("Identity", ["one"], ["scores"]),
            helper.make_node("Identity", ["kind"], ["labels"]),
        ]
        initializers |= {"boxShape": np.array([1, 1, 4], np.int64), "one": np.array([[0.9]], np.float32),
                         "kind": np.array([[7]], np.int64)}
        outputs = [("labels", TensorProto.INT64, (1, 1)), ("boxes", FLOAT, (1, 1, 4)), ("scores", FLOAT, (1, 1))]
    else:
        nodes += [
            helper.make_node("Concat", ["start", "corner"], ["box"], axis=0),
            helper.make_node("Reshape", ["box", "boxShape"], ["found"]),
            helper.make_node("Identity", ["one"], ["number"]),
        ]
        initializers |= {"start": np.array([7, 0.9, 0, 0], np.float32), "boxShape": np.array([1, 6], np.int64),
                         "one": np.array([1], np.int32)}
        del initializers["origin"]
        outputs = [("found", FLOAT, ("n", 6)), ("number", TensorProto.INT32, (1,))]
    save(name, nodes, inputs, outputs, initializers)


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
    families()
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
