"""Writes a trained state as a float16 ONNX file and checks it against PyTorch.

    python -m shelves.export STATE.pt OUT.onnx

Input `images` [1, 3, H, W] float32, BGR 0...255, sides multiples of 32; output `maps` [1, 7, H/2, W/2] float32: five
probabilities (spine, core, side, fore-edge, board), cosine and sine of twice the angle. Weights and arithmetic between
are float16; normalisation is folded into weights.
"""

import argparse
import copy
import io
import os
import sys

import numpy as np
import onnx
import onnxruntime
import torch
from torch import nn

from embedder.network import folded
from slimming import slim

from .network import SpineNetwork

LARGEST_FILE = 4 * 1024 * 1024


class HalfNetwork(nn.Module):
    """Float32 at both ends, float16 between."""

    def __init__(self, network: SpineNetwork) -> None:
        super().__init__()
        self.network = folded(copy.deepcopy(network)).half()

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        output = self.network(images.half())
        direction = output[:, 5:]
        direction = direction / (direction.square().sum(1, keepdim=True) + 1e-4).sqrt()
        return torch.cat([output[:, :5].sigmoid(), direction], 1).float()


def loaded(path: str) -> SpineNetwork:
    network = SpineNetwork()
    network.load_state_dict(torch.load(path, map_location="cpu", weights_only=True)["average"])
    return network.eval()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("state")
    parser.add_argument("out")
    options = parser.parse_args()
    network = loaded(options.state)
    buffer = io.BytesIO()
    torch.onnx.export(
        HalfNetwork(network), (torch.zeros(1, 3, 64, 96),), buffer, opset_version=13, input_names=["images"],
        output_names=["maps"], dynamo=False,
        dynamic_axes={"images": {2: "height", 3: "width"}, "maps": {2: "rows", 3: "columns"}})
    graph = onnx.load_from_string(buffer.getvalue())
    slim(graph)
    graph.producer_name, graph.producer_version = "tally", ""
    onnx.checker.check_model(graph, full_check=True)
    onnx.save(graph, options.out)
    size = os.path.getsize(options.out)
    images = np.random.default_rng(1).uniform(0, 255, (1, 3, 96, 160)).astype(np.float32)
    with torch.no_grad():
        exact = network(torch.from_numpy(images))[:, :5].sigmoid().numpy()
    answer = onnxruntime.InferenceSession(options.out).run(None, {"images": images})[0]
    difference = float(np.abs(answer[:, :5] - exact).max())
    print(f"{options.out}: {size} bytes, largest difference from float32 {difference:.4f}")
    if size > LARGEST_FILE or difference > 0.05:
        sys.exit("the file is too large, or says other things than the network")


if __name__ == "__main__":
    main()
