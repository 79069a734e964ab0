"""Makes a state to train on from of the exported file:  python -m shelves.unfold spines.onnx SHARDS STATE.pt

Normalisation was folded into the weights. It is put back so that the function stays what it was: each convolution's output is
measured on some samples, and what it is divided by is multiplied in again.
"""

import argparse

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from .network import SpineNetwork
from .samples import Stream

BATCHES = 6


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("shards")
    parser.add_argument("state")
    options = parser.parse_args()
    graph = onnx.load(options.model).graph
    values = {t.name: torch.from_numpy(numpy_helper.to_array(t).astype(np.float32)) for t in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            values[node.output[0]] = torch.from_numpy(
                np.atleast_1d(numpy_helper.to_array(node.attribute[0].t).astype(np.float32)))
    folded = [[values[name] for name in node.input[1:]] for node in graph.node if node.op_type == "Conv"]
    network = SpineNetwork().eval()
    norms = {m[0]: m[1] for m in network.modules()
             if isinstance(m, nn.Sequential) and len(m) == 2 and isinstance(m[1], nn.BatchNorm2d)}
    order: list[nn.Conv2d] = []
    sums: dict[nn.Conv2d, list] = {}

    def measured(module, _, output) -> None:
        if module not in sums:
            order.append(module)
            sums[module] = []
        sums[module].append((output.mean((0, 2, 3)), output.square().mean((0, 2, 3))))

    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            module.register_forward_hook(measured)
    stream = Stream(options.shards, np.random.default_rng(3))
    batches = [stream.batch()[0].float() for _ in range(BATCHES)]
    with torch.no_grad():
        network(batches[0])
        # The file has the convolutions in the order in which they run, as the hooks have.
        for module, (weight, bias) in zip(order, folded, strict=True):
            module.weight.copy_(weight)
            if module in norms:
                norm = norms[module]
                norm.weight.fill_((1 + norm.eps) ** 0.5)
                norm.bias.copy_(bias)
            else:
                module.bias.copy_(bias)
        sums.clear()
        before = [network(images) for images in batches]
        for module, norm in norms.items():
            mean = torch.stack([m for m, _ in sums[module]]).mean(0)
            variance = torch.stack([s for _, s in sums[module]]).mean(0) - mean.square()
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance.clamp_min(1e-6))
            norm.weight.copy_((norm.running_var + norm.eps).sqrt())
            norm.bias.add_(mean)
        difference = max(float((network(i) - b).abs().max()) for i, b in zip(batches, before))
    state = network.state_dict()
    torch.save({"network": state, "average": state, "samples": 0}, options.state)
    print(f"{options.state}: the function changed by {difference:.1e}")


if __name__ == "__main__":
    main()
