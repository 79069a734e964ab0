#!/usr/bin/env python
"""Writes tiny classifiers into Fixtures/Goldens/ReferenceModels/models, a photo to classify, and what ONNX
Runtime answers for it behind Pillow's preprocessing by torchvision's and timm's rules.

    TALLY_MODELS=FOLDER python Fixtures/generate/classification.py

FOLDER is what .ci/models FOLDER makes: two of its models are real classifiers, the orientation of lines of
PP-OCRv2 (ch_ppocr_mobile_v2.0_cls_infer.onnx) and EfficientNet-Lite0 (efficientnet_lite0.onnx).
"""

import json
import os
import pathlib
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from PIL import Image

GOLDENS = pathlib.Path(__file__).resolve().parent.parent / "Goldens" / "ReferenceModels"
MODELS = GOLDENS / "models"
IMAGES = GOLDENS.parent.parent / "Images"
FLOAT, HALF, BYTE = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.UINT8
KINDS = {FLOAT: np.float32, HALF: np.float16, BYTE: np.uint8}


def classifier(name, size=(32, 32), channels=3, batch="n", last=False, kind=FLOAT, classes=5,
               softmax=False, factor=1.0, square_output=False, open_output=False, properties=None):
    """Means of a grid of cells through a matrix: what is seen where decides."""
    height, width = size
    number = np.float16 if kind == HALF else np.float32
    inner = channels * (height // 4) * (width // 4)
    generator = np.random.default_rng(31)
    weights = {
        "weight": (generator.standard_normal((inner, classes)) / np.sqrt(inner) * 4).astype(number),
        "bias": generator.standard_normal(classes).astype(number),
        "factor": np.array(factor, number),
    }
    nodes, value = [], "pixels"
    if kind == BYTE:
        nodes.append(helper.make_node("Cast", [value], ["numbers"], to=FLOAT))
        value = "numbers"
    if last:
        nodes.append(helper.make_node("Transpose", [value], ["planes"], perm=[0, 3, 1, 2]))
        value = "planes"
    nodes += [
        helper.make_node("AveragePool", [value], ["cells"], kernel_shape=[4, 4], strides=[4, 4]),
        helper.make_node("Flatten", ["cells"], ["row"], axis=1),
        helper.make_node("Gemm", ["row", "weight", "bias"], ["sums"]),
        helper.make_node("Mul", ["sums", "factor"], ["logits"]),
    ]
    value = "logits"
    if softmax:
        nodes.append(helper.make_node("Softmax", [value], ["shares"], axis=1))
        value = "shares"
    if square_output:
        weights["ends"] = np.array([2, 3], np.int64)
        nodes.append(helper.make_node("Unsqueeze", [value, "ends"], ["boxed"]))
        value = "boxed"
    nodes.append(helper.make_node("Identity", [value], ["scores"]))
    shape = (batch, height, width, channels) if last else (batch, channels, height, width)
    answer = ("n", "c") if open_output else (batch, classes) + ((1, 1) if square_output else ())
    save(name, nodes, shape, kind, answer, FLOAT if kind == BYTE else kind, weights, properties)


def save(name, nodes, shape, kind, answer, answer_kind, weights, properties=None):
    graph = helper.make_graph(
        nodes, name, [helper.make_tensor_value_info("pixels", kind, shape)],
        [helper.make_tensor_value_info("scores", answer_kind, answer)],
        [numpy_helper.from_array(value, key) for key, value in weights.items()])
    model = helper.make_model(
        graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)], producer_name="tally")
    if properties:
        helper.set_model_props(model, properties)
    onnx.checker.check_model(model)
    (MODELS / f"{name}.onnx").write_bytes(model.SerializeToString())


def models():
    names = {0: "cat", 1: "dog", 2: "green 'tea'", 3: "caf\u00e9", 4: "owl"}
    classifier("classifier", open_output=True)
    classifier("classifier_softmax", softmax=True, properties={"names": str(names)})
    classifier("classifier_last", batch=1, last=True, properties={
        "labels": json.dumps(list(names.values())), "tally.preprocessing": "signed"})
    classifier("classifier_half", kind=HALF, softmax=True)
    classifier("classifier_grey", batch=1, channels=1)
    classifier("classifier_wide", size=(16, 48), square_output=True)
    classifier("classifier_pairs", batch=2)
    classifier("classifier_bytes", batch=1, kind=BYTE, last=True, factor=0.01)
    classifier("classifier_one", classes=1)
    classifier("classifier_nan", factor=np.nan)
    classifier("classifier_infinite", factor=np.inf)
    classifier("classifier_few_labels", properties={"classes": "cat\ndog\n"})
    classifier("classifier_bad_labels", properties={"labels": "{0: 'cat', 1: 'dog"})
    zeros = {"empty": np.zeros((1, 0), np.float32)}
    nodes = [helper.make_node("Identity", ["empty"], ["scores"])]
    save("classifier_none", nodes, (1, 3, 32, 32), FLOAT, (1, 0), FLOAT, zeros)
    deep = [helper.make_node("Identity", ["pixels"], ["scores"])]
    save("classifier_planes", deep, (1, 3, 32, 32), FLOAT, (1, 3, 32, 32), FLOAT, {})


def photo():
    """A picture with another colour everywhere, neither square nor of even sides."""
    y, x = np.mgrid[0:61, 0:97].astype(np.float64)
    planes = [127 + 120 * np.sin(x / 7 + y / 19), 255 * y / 60, 127 + 120 * np.cos(x * y / 400)]
    image = Image.fromarray(np.stack(planes, 2).round().clip(0, 255).astype(np.uint8))
    image.save(GOLDENS / "classified.png", optimize=True)


IMAGENET = dict(mean=[0.485, 0.456, 0.406], deviation=[0.229, 0.224, 0.225])
PRESETS = {
    "imagenet": dict(share=0.875, filter=Image.BILINEAR, **IMAGENET),
    "imagenet-bicubic": dict(share=0.875, filter=Image.BICUBIC, **IMAGENET),
    "clip": dict(
        share=1, filter=Image.BICUBIC, mean=[0.48145466, 0.4578275, 0.40821073],
        deviation=[0.26862954, 0.26130258, 0.27577711]),
    "unit": dict(share=0.875, filter=Image.BILINEAR),
    "signed": dict(share=0.875, filter=Image.BILINEAR, mean=[0.5], deviation=[0.5]),
    "raw": dict(share=0.875, filter=Image.BILINEAR, divisor=1),
}


def prepared(image, height, width, channels, preset, stretch, bgr):
    rule = PRESETS[preset]
    image = image.convert("RGB" if channels == 3 else "L")
    if stretch:
        image = image.resize((width, height), rule["filter"])
    else:
        side = int(max(width, height) / rule["share"])
        w, h = image.size
        short = min(w, h)
        image = image.resize(
            (side if w == short else int(side * w / short),
             side if h == short else int(side * h / short)), rule["filter"])
        left, top = (int(round((a - b) / 2.0)) for a, b in zip(image.size, (width, height)))
        image = image.crop((left, top, left + width, top + height))
    values = np.asarray(image, np.float32).reshape(height, width, channels)
    if bgr:
        values = values[:, :, ::-1]
    values = values / np.float32(rule.get("divisor", 255))
    if "mean" in rule:
        values = (values - np.array(rule["mean"], np.float32)) / np.array(
            rule["deviation"], np.float32)
    return values


def answer(path, name, preset, stretch=False, bgr=False, form="logits", size=None, top=5,
           picture="classified.png"):
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    info = session.get_inputs()[0]
    last = "last" in name or "bytes" in name
    shape = info.shape
    height, width = size or ((shape[1], shape[2]) if last else (shape[2], shape[3]))
    channels = shape[3] if last else shape[1]
    place = GOLDENS / picture if picture == "classified.png" else IMAGES / picture
    values = prepared(Image.open(place), height, width, channels, preset, stretch, bgr)
    if not last:
        values = values.transpose(2, 0, 1)
    batch = shape[0] if isinstance(shape[0], int) and shape[0] > 0 else 1
    pixels = np.stack([values] + [np.zeros_like(values)] * (batch - 1))
    kind = {"tensor(float16)": np.float16, "tensor(uint8)": np.uint8}.get(info.type, np.float32)
    scores = session.run(None, {info.name: pixels.astype(kind)})[0][0].reshape(-1)
    scores = scores.astype(np.float64)
    order = np.argsort(-scores, kind="stable")[:top]
    if form == "logits":
        scores = np.exp(scores - scores.max())
        scores /= scores.sum()
    elif form == "sigmoid":
        scores = 1 / (1 + np.exp(-scores))
    return dict(
        model=name, picture=picture, preset=preset, stretch=stretch, bgr=bgr, form=form,
        size=list(size) if size else None,
        classes=[dict(index=int(i), confidence=float(np.float32(scores[i]))) for i in order])


def goldens(folder):
    def tiny(name, *arguments, **options):
        return answer(MODELS / f"{name}.onnx", name, *arguments, **options)

    cases = [tiny("classifier", preset) for preset in PRESETS]
    cases += [tiny("classifier", "imagenet", stretch=True, bgr=True)]
    cases += [tiny("classifier", "imagenet", form="sigmoid")]
    cases += [tiny("classifier_softmax", "imagenet", form="probabilities")]
    cases += [tiny("classifier_half", "clip", form="probabilities")]
    cases += [tiny("classifier_last", "signed"), tiny("classifier_pairs", "imagenet")]
    cases += [tiny("classifier_grey", "unit"), tiny("classifier_bytes", "raw")]
    cases += [tiny("classifier_wide", "imagenet", stretch=True)]
    cases += [tiny("classifier_one", "imagenet", form="sigmoid")]
    cases += [tiny("classifier", "imagenet", picture="coins.png")]
    (GOLDENS / "classification.json").write_text(json.dumps(cases, indent=1) + "\n")

    real = []
    for picture in ("classified.png", "coins.png"):
        real.append(answer(
            folder / "ch_ppocr_mobile_v2.0_cls_infer.onnx", "ch_ppocr_mobile_v2.0_cls_infer",
            "signed", stretch=True, bgr=True, form="probabilities", size=(48, 192),
            picture=picture))
        real.append(answer(
            folder / "efficientnet_lite0.onnx", "efficientnet_lite0", "signed",
            picture=picture))
    (GOLDENS / "classification_real.json").write_text(json.dumps(real, indent=1) + "\n")


if __name__ == "__main__":
    models()
    photo()
    if "TALLY_MODELS" not in os.environ:
        sys.exit("TALLY_MODELS is not set: it names the folder that .ci/models made")
    goldens(pathlib.Path(os.environ["TALLY_MODELS"]))
