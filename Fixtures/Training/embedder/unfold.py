"""Turns the exported embedder back into a state from which training goes on.

    python -m embedder.unfold MODEL.onnx SHARDS_FOLDER STATE.pt [--photographs FOLDER...]

In the file normalisation is folded into the weights. Here every convolution's output is measured on
batches as training draws them, and a normalisation of that mean and deviation is put behind it, so
that the function stays what it was (the largest change is printed) and batches train as they did.
"""

import argparse

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

from .batches import Batches
from .network import Embedder

BATCHES = 12


def convolutions(network: Embedder) -> dict[str, nn.Sequential]:
    """All convolutions with their normalisations, by the names that their weights have in the file."""
    return {
        name: module
        for name, module in network.named_modules()
        if isinstance(module, nn.Sequential) and len(module) == 2
        and isinstance(module[1], nn.BatchNorm2d)
    }


def with_weights(path: str) -> Embedder:
    """The network with the file's weights; its normalisations do nothing but add the bias."""
    stored = {
        tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).astype(np.float32))
        for tensor in onnx.load(path).graph.initializer
    }
    network = Embedder().eval()
    for name, (convolution, norm) in convolutions(network).items():
        convolution.weight.data.copy_(stored.pop(name + ".weight"))
        norm.bias.data.copy_(stored.pop(name + ".bias"))
        norm.weight.data.fill_(float(np.sqrt(1 + norm.eps)))  # the variance is 1, the mean 0
    network.project.weight.data.copy_(stored.pop("project.weight"))
    network.project.bias.data.copy_(stored.pop("project.bias"))
    if stored:
        raise ValueError(f"{path} has weights of another network: {', '.join(sorted(stored))}")
    return network


@torch.no_grad()
def calibrate(network: Embedder, batches: list[torch.Tensor]) -> float:
    """Gives every normalisation the statistics of its convolution's output, the function kept.

    Returns by how much the direction of an embedding changed at most: 1 - the cosine.
    """
    sums = {name: [0, 0.0, 0.0] for name in convolutions(network)}
    hooks = []
    for name, (convolution, _) in convolutions(network).items():
        def measure(module, inputs, output, entry=sums[name]):
            values = output.double()
            entry[0] += values.numel() // values.shape[1]
            entry[1] = entry[1] + values.sum((0, 2, 3))
            entry[2] = entry[2] + (values * values).sum((0, 2, 3))
        hooks.append(convolution.register_forward_hook(measure))
    before = torch.cat([functional.normalize(network(pixels)) for pixels in batches])
    for hook in hooks:
        hook.remove()
    for name, (_, norm) in convolutions(network).items():
        count, total, squares = sums[name]
        mean = total / count
        variance = (squares / count - mean**2).float().clamp(min=1e-6)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.data.copy_((variance + norm.eps).sqrt())
        norm.bias.data.add_(mean.float())
    after = torch.cat([functional.normalize(network(pixels)) for pixels in batches])
    return 1 - (before.double() * after.double()).sum(1).min().item()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("shards")
    parser.add_argument("state")
    parser.add_argument("--photographs", nargs="*", default=[])
    parser.add_argument("--photograph-share", type=float, default=0.3)
    options = parser.parse_args()
    network = with_weights(options.model)
    source = Batches(
        options.shards, options.photographs, options.photograph_share, np.random.default_rng(5)
    )
    batches = [source.next()[0] for _ in range(BATCHES)]
    change = calibrate(network, batches)
    crops = sum(len(pixels) for pixels in batches)
    print(f"calibrated on {crops} crops; the cosine with what was differs from 1 by {change:.1e}")
    torch.save({"network": network.state_dict()}, options.state)


if __name__ == "__main__":
    main()
