"""The embedder's network: EfficientNet-Lite0 without its last layers, 64 x 64 pixels to 128 values.

Tan and Le, "EfficientNet: Rethinking model scaling for convolutional neural networks", 2019; Lite
is the variant for phones, without squeeze-and-excitation and with ReLU6. What is pooled of three
stages goes into the embedding: colour and surface are in the early one, what a thing is in the last.
"""

import copy

import torch
from torch import nn
from torch.nn import functional

SIDE = 64
DIMENSION = 128
# Of RGB pixels divided by 255.
MEAN, DEVIATION = 0.5, 0.25
STEM = 32
# Of each stage: its blocks, the kernel's side, the stride of the first block, by how much a block
# widens inside, and its channels.
STAGES = (
    (1, 3, 1, 1, 16), (2, 3, 2, 6, 24), (2, 5, 2, 6, 40), (3, 3, 2, 6, 80), (3, 5, 1, 6, 112),
    (4, 5, 2, 6, 192), (1, 3, 1, 6, 320),
)
POOLED = (2, 4, 6)  # of these stages' outputs the means make the embedding
# As a rule the stem and so many stages are not trained: edges and colours are what they are, and
# these layers have the largest maps, so that training them takes half the time.
FROZEN = 2
FEATURES = sum(STAGES[stage][4] for stage in POOLED)


def convolution(
    inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1
) -> nn.Sequential:
    """Convolution and batch normalisation."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs, eps=1e-3),
    )


class Block(nn.Module):
    """Widens, filters each channel, narrows; beside a shortcut if the shape stays."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int, widening: int) -> None:
        super().__init__()
        inside = inputs * widening
        self.expand = convolution(inputs, inside, 1) if widening > 1 else None
        self.depthwise = convolution(inside, inside, kernel, stride, groups=inside)
        self.project = convolution(inside, outputs, 1)
        self.shortcut = stride == 1 and inputs == outputs

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x if self.expand is None else functional.relu6(self.expand(x))
        y = self.project(functional.relu6(self.depthwise(y)))
        return x + y if self.shortcut else y


def stages(rows) -> nn.ModuleList:
    """Stages of blocks behind the stem, one for each row of ``STAGES`` that is given."""
    inputs, made = STEM, []
    for depth, kernel, stride, widening, outputs in rows:
        blocks = [Block(inputs, outputs, kernel, stride, widening)]
        blocks += [Block(outputs, outputs, kernel, 1, widening) for _ in range(depth - 1)]
        made.append(nn.Sequential(*blocks))
        inputs = outputs
    return nn.ModuleList(made)


class Embedder(nn.Module):
    """[N, 3, 64, 64], normalised RGB, to [N, 128]; rows are not of length 1 yet."""

    def __init__(self, frozen: bool = True) -> None:
        """`frozen`: the first layers are not trained."""
        super().__init__()
        self.frozen = frozen
        self.stem = convolution(3, STEM, 3, 2)
        self.stages = stages(STAGES)
        self.project = nn.Linear(FEATURES, DIMENSION)

    def features(self, x: torch.Tensor) -> torch.Tensor:
        """[N, FEATURES]: the means of the pooled stages, side by side."""
        x = functional.relu6(self.stem(x))
        means = []
        for number, stage in enumerate(self.stages):
            x = stage(x)
            if number in POOLED:
                means.append(functional.adaptive_avg_pool2d(x, 1).flatten(1))
        return torch.cat(means, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.project(self.features(x))

    def train(self, mode: bool = True) -> "Embedder":
        """Training mode. The first layers stay as they are if they are frozen."""
        super().train(mode)
        if self.frozen:
            for layers in (self.stem, *self.stages[:FROZEN]):
                layers.eval().requires_grad_(False)
        return self


def folded(network: nn.Module) -> nn.Module:
    """A copy for inference of a network of such convolutions, normalisations part of their weights."""
    folded = copy.deepcopy(network).eval()
    for module in list(folded.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Sequential) and len(child) == 2:
                if isinstance(child[1], nn.BatchNorm2d):
                    fused = nn.utils.fuse_conv_bn_eval(child[0], child[1])
                    setattr(module, name, fused)
    return folded
