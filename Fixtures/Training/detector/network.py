"""The detectors' networks: small YOLOX with one class and a raw head, of three designs.

Focus stem, CSP backbone with spatial pyramid pooling, path-aggregation neck, decoupled heads at
strides 8, 16 and 32. Ge et al., "YOLOX: Exceeding YOLO Series in 2021", section 2.1. Channels are
multiples of 16, because the runner stores 16 channels side by side.
"""

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional

STRIDES = (8, 16, 32)
# Outputs of the stem and of the four stages, as in YOLOX-Nano.
CHANNELS = (16, 32, 64, 128, 256)
HEAD_CHANNELS = 64
# Of two by two pixels, (x, y).
CORNERS = ((0, 0), (0, 1), (1, 0), (1, 1))


@dataclass(frozen=True)
class Design:
    """In what the networks differ.

    `separable`: a 3x3 convolution is one of each channel. `mixed`: a 1x1 of all channels follows
    it. `head_depth`: convolutions before each output of a head; YOLOX has two, but dense ones
    would be 30 % of the work at stride 8.
    """

    separable: bool
    mixed: bool
    head_depth: int


# `grown` is `nano` whose 3x3 convolutions see all channels: grow.py turns one into the other.
DESIGNS = {
    "dense": Design(separable=False, mixed=False, head_depth=1),
    "nano": Design(separable=True, mixed=True, head_depth=2),
    "grown": Design(separable=False, mixed=True, head_depth=2),
}


class ConvBlock(nn.Module):
    """Convolution, batch normalisation, SiLU."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1,
                 groups: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups,
                              bias=False)
        self.norm = nn.BatchNorm2d(outputs, eps=1e-3, momentum=0.03)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.silu(self.norm(self.conv(x)), inplace=True)


def spreading(inputs: int, outputs: int, design: Design, stride: int = 1) -> nn.Module:
    """A convolution of 3x3 pixels."""
    if not design.mixed:
        return ConvBlock(inputs, outputs, 3, stride)
    groups = inputs if design.separable else 1
    return nn.Sequential(
        ConvBlock(inputs, inputs, 3, stride, groups=groups), ConvBlock(inputs, outputs, 1))


class FoldedConvBlock(nn.Module):
    """A `ConvBlock` whose normalisation has become part of its weights."""

    def __init__(self, block: ConvBlock) -> None:
        super().__init__()
        self.conv = nn.utils.fuse_conv_bn_eval(block.conv, block.norm)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.silu(self.conv(x))


class Bottleneck(nn.Module):
    """1x1, then 3x3, with a shortcut in the backbone."""

    def __init__(self, channels: int, shortcut: bool, design: Design) -> None:
        super().__init__()
        self.reduce = ConvBlock(channels, channels, 1)
        self.spread = spreading(channels, channels, design)
        self.shortcut = shortcut

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.spread(self.reduce(x))
        return x + y if self.shortcut else y


class CSPLayer(nn.Module):
    """Half of the channels pass through bottlenecks, half pass them by."""

    def __init__(self, inputs: int, outputs: int, depth: int, design: Design,
                 shortcut: bool = True) -> None:
        super().__init__()
        half = outputs // 2
        self.main = ConvBlock(inputs, half, 1)
        self.side = ConvBlock(inputs, half, 1)
        self.blocks = nn.Sequential(*(Bottleneck(half, shortcut, design) for _ in range(depth)))
        self.join = ConvBlock(2 * half, outputs, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.join(torch.cat((self.blocks(self.main(x)), self.side(x)), 1))


class PyramidPooling(nn.Module):
    """Maxima over 5, 9 and 13 cells beside the input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        half = channels // 2
        self.reduce = ConvBlock(channels, half, 1)
        self.join = ConvBlock(4 * half, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.reduce(x)
        pooled = [functional.max_pool2d(x, size, 1, size // 2) for size in (5, 9, 13)]
        return self.join(torch.cat((x, *pooled), 1))


class Focus(ConvBlock):
    """Four neighbouring pixels side by side as channels, then a convolution."""

    def __init__(self, outputs: int) -> None:
        super().__init__(12, outputs, 3)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return super().forward(torch.cat([image[..., y::2, x::2] for x, y in CORNERS], 1))


class FoldedFocus(nn.Module):
    """The same as one convolution of 6 x 6 pixels at stride 2."""

    def __init__(self, focus: Focus) -> None:
        super().__init__()
        near = FoldedConvBlock(focus).conv
        self.conv = nn.Conv2d(3, near.out_channels, 6, 2, 2)
        with torch.no_grad():
            for k, (x, y) in enumerate(CORNERS):
                self.conv.weight[:, :, y::2, x::2] = near.weight[:, 3 * k : 3 * k + 3]
            self.conv.bias.copy_(near.bias)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return functional.silu(self.conv(image))


class Backbone(nn.Module):
    """Feature maps at strides 8, 16 and 32."""

    def __init__(self, design: Design) -> None:
        super().__init__()
        c1, c2, c3, c4, c5 = CHANNELS

        def stage(inputs: int, outputs: int, depth: int) -> nn.Sequential:
            return nn.Sequential(spreading(inputs, outputs, design, 2),
                                 CSPLayer(outputs, outputs, depth, design))

        self.stem = Focus(c1)
        self.stage2, self.stage3 = stage(c1, c2, 1), stage(c2, c3, 3)
        self.stage4 = stage(c3, c4, 3)
        self.stage5 = nn.Sequential(
            spreading(c4, c5, design, 2), PyramidPooling(c5),
            CSPLayer(c5, c5, 1, design, shortcut=False)
        )

    def forward(self, image: torch.Tensor) -> tuple[torch.Tensor, ...]:
        c3 = self.stage3(self.stage2(self.stem(image)))
        c4 = self.stage4(c3)
        return c3, c4, self.stage5(c4)


class Neck(nn.Module):
    """Path aggregation: coarse maps flow to fine ones, and back."""

    def __init__(self, design: Design) -> None:
        super().__init__()
        _, _, c3, c4, c5 = CHANNELS

        def merge(inputs: int, outputs: int) -> CSPLayer:
            return CSPLayer(inputs, outputs, 1, design, shortcut=False)

        self.reduce5, self.merge4 = ConvBlock(c5, c4, 1), merge(2 * c4, c4)
        self.reduce4, self.merge3 = ConvBlock(c4, c3, 1), merge(2 * c3, c3)
        self.down3, self.out4 = spreading(c3, c3, design, 2), merge(2 * c3, c4)
        self.down4, self.out5 = spreading(c4, c4, design, 2), merge(2 * c4, c5)

    def forward(self, maps: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        c3, c4, c5 = maps
        r5 = self.reduce5(c5)
        m4 = self.merge4(torch.cat((functional.interpolate(r5, scale_factor=2.0), c4), 1))
        r4 = self.reduce4(m4)
        p3 = self.merge3(torch.cat((functional.interpolate(r4, scale_factor=2.0), c3), 1))
        p4 = self.out4(torch.cat((self.down3(p3), r4), 1))
        p5 = self.out5(torch.cat((self.down4(p4), r5), 1))
        return p3, p4, p5


class Head(nn.Module):
    """Class and box of one feature map, each from convolutions of its own."""

    def __init__(self, inputs: int, stride: int, design: Design) -> None:
        super().__init__()
        width = HEAD_CHANNELS

        def branch() -> nn.Module:
            blocks = [spreading(width, width, design) for _ in range(design.head_depth)]
            return blocks[0] if len(blocks) == 1 else nn.Sequential(*blocks)

        self.stem = ConvBlock(inputs, width, 1)
        self.class_branch, self.box_branch = branch(), branch()
        self.box = nn.Conv2d(width, 4, 1)
        self.objectness = nn.Conv2d(width, 1, 1)
        self.countable = nn.Conv2d(width, 1, 1)
        # At the start everything is background with probability 0.99.
        for layer in (self.objectness, self.countable):
            nn.init.constant_(layer.bias, -4.6)
        self.stride = stride

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stem(x)
        boxes = self.box_branch(x)
        return torch.cat(
            (self.box(boxes), self.objectness(boxes), self.countable(self.class_branch(x))), 1
        )


class Detector(nn.Module):
    """BGR 0...255, `[B, 3, H, W]`, sides multiples of 32, to raw candidates `[B, N, 6]`.

    A row is `x, y, w, h, objectness, class`; boxes relative to their grid cell as in YOLOX, the
    last two logits.
    """

    def __init__(self, design: str = "dense") -> None:
        """`design`: a key of `DESIGNS`."""
        super().__init__()
        self.design, parts = design, DESIGNS[design]
        self.backbone = Backbone(parts)
        self.neck = Neck(parts)
        self.heads = nn.ModuleList(
            Head(channels, stride, parts)
            for channels, stride in zip(CHANNELS[2:], STRIDES, strict=True)
        )

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        outputs = [output.flatten(2) for output in self.maps(image)]
        return torch.cat(outputs, 2).transpose(1, 2)

    def maps(self, image: torch.Tensor) -> list[torch.Tensor]:
        """The candidates of each stride, `[B, 6, H / stride, W / stride]`."""
        features = self.neck(self.backbone(image))
        return [head(x) for head, x in zip(self.heads, features, strict=True)]


def restored(state: dict, which: str = "model") -> Detector:
    """The detector of a state file, with its `model` or its `average` weights."""
    model = Detector(state.get("design", "dense"))
    model.load_state_dict(state[which])
    return model


def grid(height: int, width: int) -> torch.Tensor:
    """`x, y, stride` of every candidate's cell, `[N, 3]`, in the order of the output."""
    rows = []
    for stride in STRIDES:
        y, x = torch.meshgrid(
            torch.arange(height // stride), torch.arange(width // stride), indexing="ij"
        )
        rows.append(torch.stack((x, y, torch.full_like(x, stride)), -1).reshape(-1, 3))
    return torch.cat(rows).float()


def decode(output: torch.Tensor, cells: torch.Tensor) -> torch.Tensor:
    """Boxes `x0, y0, x1, y1` in input pixels of raw candidates `[..., N, 6]`."""
    stride = cells[:, 2:]
    center = (output[..., :2] + cells[:, :2]) * stride
    half = output[..., 2:4].clamp(max=8).exp() * stride / 2
    return torch.cat((center - half, center + half), -1)


def folded(model: nn.Module) -> nn.Module:
    """Folds every `ConvBlock` and `Focus` of a model in evaluation mode, in place."""
    for name, child in model.named_children():
        if isinstance(child, Focus):
            setattr(model, name, FoldedFocus(child))
        elif isinstance(child, ConvBlock):
            setattr(model, name, FoldedConvBlock(child))
        else:
            folded(child)
    return model
