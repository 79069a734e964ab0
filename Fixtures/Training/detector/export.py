"""Writes a trained state as a float16 ONNX file and checks it against PyTorch.

    python export.py STATE OUT.onnx [--size 416]

Input `images` [1, 3, S, S] float32, BGR 0...255; output `output` [1, N, 6] float32, raw boxes and
probabilities. Weights and arithmetic between are float16; normalisation is folded into weights.
"""

import argparse
import copy
import io
import os

import numpy as np
import onnx
import onnxruntime
import torch
from network import Detector, decode, folded, grid, restored
from slimming import slim
from torch import nn

LARGEST_FILE = 5 * 1024 * 1024


class HalfDetector(nn.Module):
    """Float32 at both ends, float16 between."""

    def __init__(self, model: Detector) -> None:
        super().__init__()
        self.model = folded(copy.deepcopy(model)).half()

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        outputs = []
        for output in self.model.maps(images.half()):
            output = torch.cat((output[:, :4], output[:, 4:].sigmoid()), 1)
            outputs.append(output.reshape(1, 6, -1))
        return torch.cat(outputs, 2).transpose(1, 2).float()


def loaded(state: str) -> Detector:
    """The averaged weights of a state file."""
    return restored(torch.load(state, map_location="cpu", weights_only=True), "average").eval()


def export(state: str, path: str, size: int) -> None:
    model = loaded(state)
    buffer = io.BytesIO()
    torch.onnx.export(
        HalfDetector(model), (torch.zeros(1, 3, size, size),), buffer, opset_version=13,
        input_names=["images"], output_names=["output"], dynamo=False)
    graph = onnx.load_from_string(buffer.getvalue())
    slim(graph)
    graph.producer_name, graph.producer_version = "tally", ""
    onnx.checker.check_model(graph, full_check=True)
    onnx.save(graph, path)
    check(model, path, size)


def check(model: Detector, path: str, size: int) -> None:
    """The file is small enough, and ONNX Runtime answers what PyTorch answers in float32."""
    length = os.path.getsize(path)
    if length > LARGEST_FILE:
        raise ValueError(f"{path} has {length} bytes, more than {LARGEST_FILE}")
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    rng = np.random.default_rng(1)
    coarse = rng.uniform(0, 255, (1, 3, 13, 13)).astype(np.float32)
    picture = torch.nn.functional.interpolate(torch.from_numpy(coarse), size=(size, size),
                                              mode="bicubic").clamp(0, 255)
    with torch.no_grad():
        expected = model(picture)
    expected[..., 4:] = expected[..., 4:].sigmoid()
    got = torch.from_numpy(session.run(None, {"images": picture.numpy()})[0])
    cells = grid(size, size)
    boxes = (decode(got, cells) - decode(expected, cells)).abs()
    likely = expected[0, :, 4] > 0.01
    worst_box = boxes[0, likely].max().item() if likely.any() else 0.0
    worst_score = (got[..., 4:] - expected[..., 4:]).abs().max().item()
    print(f"{path}: {length} bytes; against float32 boxes differ by at most {worst_box:.2f} px, "
          f"probabilities by {worst_score:.4f}")
    if worst_score > 0.05:
        raise ValueError("the exported model answers otherwise than the trained one")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("state")
    parser.add_argument("out")
    parser.add_argument("--size", type=int, default=416)
    options = parser.parse_args()
    export(options.state, options.out, options.size)


if __name__ == "__main__":
    main()
