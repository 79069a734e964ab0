"""Turns an exported detector back into a state from which training goes on.

    python unfold.py MODEL.onnx PICTURES STATE.pt [--yolox]

PICTURES is a folder of shards or of photographs, a few hundred pictures of which are used. In the
file normalisation is folded into the weights; here every convolution's output is measured on the
pictures, and a normalisation of that mean and deviation is put behind it, so that the function stays
what it was (the largest change is printed) and batches train as they did.

With `--yolox` MODEL.onnx is YOLOX-Nano as its authors export it, 80 classes and all: its weights
become a network of the nano design, whose one class begins as "whatever is an object".
"""

import argparse
import glob
import io
import os
import re

import cv2
import numpy as np
import onnx
import torch
from export import HalfDetector, slim
from network import CORNERS, DESIGNS, ConvBlock, Detector, Focus
from onnx import numpy_helper

from scenes import shards

PICTURES = 96
PADDING = 114
SIZE = 416
# The logit that an object of no class in particular is countable.
ANY_OBJECT = 2.0


def exported_order(design: str) -> list[tuple[str, str, tuple[int, ...]]]:
    """Names and shape of each convolution's weights, in the order that the exporter writes them."""
    torch.manual_seed(0)
    model = Detector(design).eval()
    for parameter in model.parameters():
        parameter.data.normal_()
    half = HalfDetector(model)
    buffer = io.BytesIO()
    torch.onnx.export(
        half, (torch.zeros(1, 3, SIZE, SIZE),), buffer, opset_version=13,
        input_names=["images"], output_names=["output"], dynamo=False)
    graph = onnx.load_from_string(buffer.getvalue())
    slim(graph)
    own = {name: value.detach().numpy() for name, value in half.model.named_parameters()}
    stored = {t.name: numpy_helper.to_array(t) for t in graph.graph.initializer}

    def name_of(values: np.ndarray) -> str:
        return next(n for n, v in own.items() if v.shape == values.shape
                    and np.array_equal(v, values))

    return [(name_of(stored[node.input[1]]), name_of(stored[node.input[2]]),
             stored[node.input[1]].shape)
            for node in graph.graph.node if node.op_type == "Conv"]


def folded_weights(path: str) -> tuple[dict[str, np.ndarray], str]:
    """The file's weights by the names that the folded network has for them, and its design."""
    graph = onnx.load(path).graph
    stored = {t.name: numpy_helper.to_array(t).astype(np.float32) for t in graph.initializer}
    convolutions = [node for node in graph.node if node.op_type == "Conv"]
    shapes = [stored[node.input[1]].shape for node in convolutions]
    for design in DESIGNS:
        order = exported_order(design)
        if [shape for _, _, shape in order] == shapes:
            break
    else:
        raise ValueError(f"{path} holds none of the networks of network.py")
    weights = {}
    for node, (weight, bias, _) in zip(convolutions, order, strict=True):
        weights[weight], weights[bias] = stored[node.input[1]], stored[node.input[2]]
    return weights, design


def yolox_weights(path: str) -> dict[str, np.ndarray]:
    """The weights of YOLOX-Nano by the names that the folded network has for them.

    The exporter numbers a convolution's weights in the order in which the layers are run.
    """
    stored = {t.name: numpy_helper.to_array(t).astype(np.float32)
              for t in onnx.load(path).graph.initializer}
    numbers = sorted(int(found[1]) for name in stored
                     if (found := re.fullmatch(r"onnx::Conv_(\d+)", name)))
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    model = Detector("nano")
    # Here the layers are listed in that order too.
    order = list(blocks(model))
    weights = {}
    for name, (weight, bias) in zip(order, pairs, strict=True):
        weights[name + ".conv.weight"] = stored[f"onnx::Conv_{weight}"]
        weights[name + ".conv.bias"] = stored[f"onnx::Conv_{bias}"]
    for k, head in enumerate(model.heads):
        for part, theirs in (("box", "reg_preds"), ("objectness", "obj_preds")):
            for kind in ("weight", "bias"):
                weights[f"heads.{k}.{part}.{kind}"] = stored[f"head.{theirs}.{k}.{kind}"]
        weights[f"heads.{k}.countable.weight"] = np.zeros_like(head.countable.weight.data)
        weights[f"heads.{k}.countable.bias"] = np.full(1, ANY_OBJECT, np.float32)
    return weights


def blocks(model: Detector) -> dict[str, ConvBlock]:
    """All convolutions that have a normalisation."""
    return {n: m for n, m in model.named_modules() if isinstance(m, ConvBlock)}


def with_weights(weights: dict[str, np.ndarray], design: str) -> Detector:
    """The network with the file's weights; its normalisations do nothing but add the bias."""
    model = Detector(design).eval()
    for name, block in blocks(model).items():
        weight, bias = weights[name + ".conv.weight"], weights[name + ".conv.bias"]
        if isinstance(block, Focus) and weight.shape[1] == 3:
            # The exported stem is one 6x6 convolution of 3 channels; YOLOX's own file has 12 channels here.
            near = np.zeros(tuple(block.conv.weight.shape), np.float32)
            for k, (x, y) in enumerate(CORNERS):
                near[:, 3 * k:3 * k + 3] = weight[:, :, y::2, x::2]
            weight = near
        norm = block.norm
        block.conv.weight.data.copy_(torch.from_numpy(weight.copy()))
        norm.running_mean.zero_()
        norm.running_var.fill_(1.0)
        norm.weight.data.fill_(float(np.sqrt(1 + norm.eps)))
        norm.bias.data.copy_(torch.from_numpy(bias.copy()))
    for k, head in enumerate(model.heads):
        for part in ("box", "objectness", "countable"):
            layer = getattr(head, part)
            layer.weight.data.copy_(torch.from_numpy(weights[f"heads.{k}.{part}.weight"].copy()))
            layer.bias.data.copy_(torch.from_numpy(weights[f"heads.{k}.{part}.bias"].copy()))
    return model


@torch.no_grad()
def calibrate(model: Detector, pictures: torch.Tensor) -> None:
    """Gives every normalisation the statistics of its convolution's output, the function kept."""
    sums: dict[str, list] = {}
    hooks = []
    for name, block in blocks(model).items():
        def measure(module, inputs, output, name=name):
            values = output.double()
            entry = sums.setdefault(name, [0, 0.0, 0.0])
            entry[0] += values.numel() // values.shape[1]
            entry[1] = entry[1] + values.sum((0, 2, 3))
            entry[2] = entry[2] + (values * values).sum((0, 2, 3))
        hooks.append(block.conv.register_forward_hook(measure))
    before = model(pictures[:2])
    for start in range(0, len(pictures), 4):
        model(pictures[start:start + 4])
    for hook in hooks:
        hook.remove()
    for name, block in blocks(model).items():
        count, total, squares = sums[name]
        mean = (total / count).float()
        variance = (squares / count - (total / count) ** 2).float().clamp(min=1e-6)
        norm = block.norm
        shift = norm.bias.data.clone()
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.data.copy_((variance + norm.eps).sqrt())
        norm.bias.data.copy_(shift + mean)
    change = (before - model(pictures[:2])).abs().max().item()
    print(f"calibrated on {len(pictures)} pictures; the output changed by at most {change:.1e}")


def letterboxed(image: np.ndarray) -> np.ndarray:
    """A picture as the detector gets it, `SIZE` pixels a side."""
    scale = SIZE / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    canvas = np.full((SIZE, SIZE, 3), PADDING, np.uint8)
    canvas[:small.shape[0], :small.shape[1]] = small[:SIZE, :SIZE]
    return canvas


def pictures(folder: str) -> torch.Tensor:
    """Some of the pictures in a folder of shards or photographs."""
    paths = sorted(glob.glob(os.path.join(folder, "*.npz")))
    if paths:
        images = [scene.image for scene in shards.read(paths[0])[:PICTURES]]
    else:
        files = sorted(p for p in glob.glob(os.path.join(folder, "*"))
                       if p.lower().endswith((".jpg", ".jpeg", ".png")))
        step = max(1, len(files) // PICTURES)
        images = [cv2.imread(p, cv2.IMREAD_COLOR) for p in files[::step][:PICTURES]]
    if not images:
        raise FileNotFoundError(f"no pictures in {folder}")
    stack = np.stack([letterboxed(image) for image in images])
    return torch.from_numpy(stack).permute(0, 3, 1, 2).float()


def unfold(path: str, folder: str, is_yolox: bool) -> Detector:
    """The network of an exported file, ready to be trained on."""
    model = with_weights(*((yolox_weights(path), "nano") if is_yolox else folded_weights(path)))
    calibrate(model, pictures(folder))
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("pictures")
    parser.add_argument("state")
    parser.add_argument("--yolox", action="store_true", help="MODEL is YOLOX-Nano of its authors")
    options = parser.parse_args()
    model = unfold(options.model, options.pictures, options.yolox)
    torch.save({"design": model.design, "model": model.state_dict()}, options.state)


if __name__ == "__main__":
    main()
