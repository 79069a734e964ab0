"""Writes a trained classifier as a float16 ONNX file, and holds it against PyTorch.

    python -m classifier.export STATE_FOLDER classifier.onnx [--held-out FILE.csv]

Input `images` [N, 3, S, S] float32, RGB of -1...1; output `probabilities` [N, classes] float32. Weights and arithmetic
between are float16; normalisation is folded into weights. The metadata name the classes and the preprocessing, so that
`tally classify --model classifier.onnx` needs no other option. The pictures held out say how sure the network may be,
and are asked about in PyTorch and in ONNX Runtime; `--held-out` lists them for `tally evaluate classes --truth`.
"""

import argparse
import csv
import io
import json
import os

import numpy as np
import onnx
import onnxruntime
import torch
from torch import nn

from embedder.network import folded
from slimming import slim

from .network import Classifier, Halving
from .pictures import Picture, as_classified, network_input, opened
from .train import probabilities, top

LARGEST_FILE = 8 * 1024 * 1024
LEAST_TO_CALIBRATE = 40


class HalfClassifier(nn.Module):
    """Float32 at both ends, float16 between; probabilities, which cannot be taken for something else."""

    def __init__(self, network: Classifier) -> None:
        super().__init__()
        self.network = evenly_padded(folded(network)).half()

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return torch.softmax(self.network(images.half()).float(), 1)


def evenly_padded(network: Classifier) -> Classifier:
    """Replaces convolutions that halve by those that pad both sides alike: the maps have the same sizes.

    The exporter knows no other ones; `with_published_pads` puts their pads right.
    """
    for module in list(network.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, Halving):
                even = nn.Conv2d(
                    child.in_channels, child.out_channels, child.kernel_size, 2, child.kernel_size[0] // 2,
                    groups=child.groups)
                even.load_state_dict(child.state_dict())
                setattr(module, name, even)
    return network


def with_published_pads(graph: onnx.GraphProto) -> None:
    """Gives the convolutions that halve the pads of `Halving`."""
    for node in graph.node:
        attributes = {a.name: a for a in node.attribute}
        if node.op_type == "Conv" and list(attributes["strides"].ints) == [2, 2]:
            before, after = Halving.pads(attributes["kernel_shape"].ints[0])
            attributes["pads"].ints[:] = [before, before, after, after]


def written(network: Classifier, names: list[str], size: int, path: str) -> None:
    buffer = io.BytesIO()
    torch.onnx.export(
        HalfClassifier(network), (torch.zeros(1, 3, size, size),), buffer, opset_version=17,
        input_names=["images"], output_names=["probabilities"], dynamo=False,
        dynamic_axes={"images": {0: "N"}, "probabilities": {0: "N"}})
    model = onnx.load_from_string(buffer.getvalue())
    with_published_pads(model.graph)
    slim(model)
    for key, value in (("names", json.dumps(names, ensure_ascii=False)), ("tally.preprocessing", "signed")):
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    model.producer_name, model.producer_version = "tally", ""
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, path)


def temperature(rows: np.ndarray, labels: np.ndarray) -> float:
    """What logits are best divided by, so that a probability says how often such an answer is right.

    Guo et al., "On calibration of modern neural networks", 2017. The order of the classes stays.
    """
    logits = np.log(np.maximum(rows.astype(np.float64), 1e-12))

    def loss(divisor: float) -> float:
        scaled = logits / divisor
        own = scaled[np.arange(len(labels)), labels]
        return float(np.mean(np.log(np.exp(scaled).sum(1)) - own))

    return min(np.geomspace(0.25, 4, 97).tolist(), key=loss)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("state")
    parser.add_argument("model")
    parser.add_argument("--held-out", help="a CSV file for the pictures held out and their classes")
    options = parser.parse_args()
    path = os.path.join(options.state, "state.pt")
    if not os.path.exists(path):
        raise SystemExit(f"{path} is not there: classifier.train makes it")
    state = torch.load(path, map_location="cpu", weights_only=True)
    names, size = state["names"], state["size"]
    network = Classifier(len(names))
    network.load_state_dict(state["network"])
    network.eval()
    held_out = [Picture(path, label) for path, label in state["held_out"] if os.path.exists(path)]
    if len(held_out) >= LEAST_TO_CALIBRATE:
        divisor = temperature(probabilities(network, held_out, size), np.array([p.label for p in held_out]))
        network.answer.weight.data /= divisor
        network.answer.bias.data /= divisor
        print(f"logits divided by {divisor:.2f}, as the pictures held out want it")
    written(network, names, size, options.model)

    # The file has to say what the network says.
    session = onnxruntime.InferenceSession(options.model, providers=["CPUExecutionProvider"])
    if held_out:
        exact = probabilities(network, held_out, size)
        inputs = (network_input(as_classified(opened(p.path), size)) for p in held_out)
    else:
        pixels = np.random.default_rng(1).uniform(-1, 1, (4, 3, size, size)).astype(np.float32)
        with torch.no_grad():
            exact = torch.softmax(network(torch.from_numpy(pixels)), 1).numpy()
        inputs = iter(pixels)
    found = np.concatenate([session.run(None, {"images": pixels[None]})[0] for pixels in inputs])
    worst = float(np.abs(found - exact).max())
    length = os.path.getsize(options.model)
    print(f"{options.model}: {length} bytes, {len(names)} classes, {size} x {size} pixels, step {state['step']}; "
          f"probabilities differ from float32 by at most {worst:.4f}")
    if held_out:
        same = int((found.argmax(1) == exact.argmax(1)).sum())
        figures = ", ".join(
            f"top-{k} {top(exact, held_out, k):.4f} in PyTorch and {top(found, held_out, k):.4f} in ONNX Runtime"
            for k in (1, 3))
        print(f"{len(held_out)} pictures held out: {figures}; the same answer for {same}")
    if options.held_out:
        with open(options.held_out, "w", newline="") as file:
            csv.writer(file).writerows([["image", "label"], *([p.path, names[p.label]] for p in held_out)])
    if worst > 0.03 or length > LARGEST_FILE:
        raise SystemExit("the file says other things than the network, or is too large")


if __name__ == "__main__":
    main()
