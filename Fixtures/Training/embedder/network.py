"""The embedder's network: residual blocks of dense 3x3 convolutions, 64 x 64 pixels to 128 values.

He et al., "Deep residual learning for image recognition", 2016. Channels are multiples of 16,
because the runner stores 16 channels side by side.
"""

import torch
from torch import nn
from torch.nn import functional

SIDE = 64
DIMENSION = 128
# Of RGB pixels divided by 255.
MEAN, DEVIATION = 0.5, 0.25
CHANNELS = (32, 64, 128, 192)
DEPTHS = (1, 1, 1)


def convolution(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """3x3 convolution and batch normalisation."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs)
    )


class Residual(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first, self.second = convolution(channels, channels), convolution(channels, channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.relu(x + self.second(functional.relu(self.first(x))))


class Stage(nn.Module):
    """Halves the map, then residual blocks."""

    def __init__(self, inputs: int, outputs: int, depth: int) -> None:
        super().__init__()
        self.halve = convolution(inputs, outputs, 2)
        self.blocks = nn.Sequential(*(Residual(outputs) for _ in range(depth)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.blocks(functional.relu(self.halve(x)))


class Embedder(nn.Module):
    """[N, 3, 64, 64], normalised RGB, to [N, 128]; rows are not of length 1 yet."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = convolution(3, CHANNELS[0], 2)
        self.stages = nn.Sequential(
            *(
                Stage(inputs, outputs, depth)
                for inputs, outputs, depth in zip(CHANNELS[:-1], CHANNELS[1:], DEPTHS)
            )
        )
        self.project = nn.Linear(2 * CHANNELS[-1], DIMENSION)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stages(functional.relu(self.stem(x)))
        pooled = [functional.adaptive_avg_pool2d(x, 1), functional.adaptive_max_pool2d(x, 1)]
        return self.project(torch.cat(pooled, 1).flatten(1))


def folded(network: Embedder) -> Embedder:
    """A copy for inference, its normalisations part of the convolutions' weights."""
    copy = Embedder()
    copy.load_state_dict(network.state_dict())
    copy.eval()
    for module in list(copy.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Sequential) and len(child) == 2:
                if isinstance(child[1], nn.BatchNorm2d):
                    fused = nn.utils.fuse_conv_bn_eval(child[0], child[1])
                    setattr(module, name, fused)
    return copy
