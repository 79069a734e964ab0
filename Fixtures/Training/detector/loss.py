"""YOLOX's training target and loss: SimOTA assignment, then IoU, objectness, class and L1 terms.

Ge et al., "OTA: Optimal Transport Assignment for Object Detection" (2021); Ge et al., "YOLOX"
(2021), section 2.1. Candidates of an object are the cells within 1.5 strides of its centre.
"""

from dataclasses import dataclass

import torch
from network import decode
from torch.nn import functional

CENTER_RADIUS = 1.5
BOX_WEIGHT = 5.0
# A box is asked of at most so many candidates.
MOST_CANDIDATES = 10
# In a picture whose labels are not complete nothing is asked where the network finds, with at least
# this probability, a thing of less than this share of the usual labelled side.
SURE = 0.5
SMALL = 0.75


@dataclass
class Target:
    """The things of one picture: boxes to find, and boxes where nothing is asked.

    `unsure`: whether small things may be there that have no box.
    """

    boxes: torch.Tensor
    ignored: torch.Tensor
    unsure: bool = False


def padded(boxes: list[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    """Boxes of several pictures as `[B, G, 4]`, and which of them are real, `[B, G]`."""
    most = max(1, *(len(some) for some in boxes))
    together = torch.zeros(len(boxes), most, 4)
    real = torch.zeros(len(boxes), most, dtype=torch.bool)
    for k, some in enumerate(boxes):
        together[k, : len(some)] = some
        real[k, : len(some)] = True
    return together, real


@dataclass
class Targets:
    """The things of all pictures of a batch side by side, so that a GPU is asked for all at once.

    `boxes` `[B, G, 4]` with `real` `[B, G]`, `ignored` `[B, I, 4]` with `passed_over` `[B, I]`.
    `small` `[B]`: an unlabelled thing of a smaller side may be there, 0 if labels are complete.
    """

    boxes: torch.Tensor
    real: torch.Tensor
    ignored: torch.Tensor
    passed_over: torch.Tensor
    small: torch.Tensor

    @staticmethod
    def of(targets: list[Target]) -> "Targets":
        small = [SMALL * (t.boxes[:, 2:] - t.boxes[:, :2]).prod(-1).sqrt().median().item()
                 if t.unsure and len(t.boxes) else 0.0 for t in targets]
        return Targets(*padded([t.boxes for t in targets]), *padded([t.ignored for t in targets]),
                       torch.tensor(small))

    def to(self, device: str) -> "Targets":
        return Targets(*(value.to(device, non_blocking=True) for value in vars(self).values()))

    def pin_memory(self) -> "Targets":
        """So that torch's loader can put it where a GPU fetches it from."""
        return Targets(*(value.pin_memory() for value in vars(self).values()))


def pairwise_iou(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Intersection over union of `[B, G, 4]` and `[B, N, 4]` corner boxes, `[B, G, N]`."""
    a, b = a[:, :, None].unbind(-1), b[:, None].unbind(-1)
    width = (torch.minimum(a[2], b[2]) - torch.maximum(a[0], b[0])).clamp(min=0)
    inner = (torch.minimum(a[3], b[3]) - torch.maximum(a[1], b[1])).clamp(min=0) * width
    area_a, area_b = ((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b))
    return inner / (area_a + area_b - inner + 1e-9)


def paired_iou(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Intersection over union of box k of `a` with box k of `b`."""
    low, high = torch.maximum(a[:, :2], b[:, :2]), torch.minimum(a[:, 2:], b[:, 2:])
    inner = (high - low).clamp(min=0).prod(-1)
    area_a, area_b = (a[:, 2:] - a[:, :2]).prod(-1), (b[:, 2:] - b[:, :2]).prod(-1)
    return inner / (area_a + area_b - inner + 1e-9)


def assigned(
    targets: Targets, iou: torch.Tensor, logits: torch.Tensor, cells: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """SimOTA: candidates that must find something, `[B, N]`, and which box each must find.

    `iou` [B, G, N] of boxes and predictions, `logits` [B, N, 2] of objectness and class.
    """
    stride, boxes = cells[:, 2], targets.boxes
    where = (cells[:, :2] + 0.5) * cells[:, 2:]
    centers = (boxes[..., :2] + boxes[..., 2:]) / 2
    across, down = ((where[:, axis] - centers[..., axis, None]).abs() for axis in (0, 1))
    near = (torch.maximum(across, down) < CENTER_RADIUS * stride) & targets.real[..., None]
    iou = iou * near
    # Minus the logarithm of the root of objectness times class: binary cross entropy against 1.
    doubt = -0.5 * functional.logsigmoid(logits).sum(-1)
    cost = doubt[:, None] - 3 * (iou + 1e-8).log() + 1e6 * ~near
    wanted = iou.topk(MOST_CANDIDATES, 2).values.sum(2).long().clamp(min=1)
    rank = cost.topk(MOST_CANDIDATES, 2, largest=False).indices
    order = torch.arange(MOST_CANDIDATES, device=cost.device)
    chosen = torch.zeros_like(near)
    chosen.scatter_(2, rank, order < wanted[..., None])
    chosen &= near
    # A candidate that several boxes want goes to the one that it costs least.
    which = cost.masked_fill(~chosen, torch.inf).argmin(1)
    contested = chosen.sum(1) > 1
    which = torch.where(contested, cost.argmin(1), which)
    return chosen.any(1), which


def unlabelled(
    targets: Targets, iou: torch.Tensor, predicted: torch.Tensor, output: torch.Tensor
) -> torch.Tensor:
    """Which candidates, `[B, N]`, may well be things that nobody labelled."""
    own = (predicted[..., 2:] - predicted[..., :2]).clamp(min=0).prod(-1).sqrt()
    sure = output[..., 4].sigmoid() * output[..., 5].sigmoid() >= SURE
    beside = (iou * targets.real[..., None]).amax(1) < 0.1
    return sure & beside & (own < targets.small[:, None])


@torch.no_grad()
def asked(
    output: torch.Tensor, predicted: torch.Tensor, targets: Targets, cells: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of every candidate, `[B, N]`: whether it must find a thing, which, and what its answer weighs."""
    where = (cells[:, :2] + 0.5) * cells[:, 2:]
    low = (where > targets.ignored[:, :, None, :2]).all(-1)
    high = (where < targets.ignored[:, :, None, 2:]).all(-1)
    idle = (low & high & targets.passed_over[..., None]).any(1)
    iou = pairwise_iou(targets.boxes, predicted)
    idle |= unlabelled(targets, iou, predicted, output)
    positive, which = assigned(targets, iou, output[..., 4:], cells)
    return positive, which, (positive | ~idle).float()


def detection_loss(
    output: torch.Tensor, targets: Targets, cells: torch.Tensor, with_l1: bool
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """The loss of a batch of raw outputs `[B, N, 6]`, and its parts."""
    output = output.float()
    predicted = decode(output, cells)
    positive, which, weight = asked(output.detach(), predicted.detach(), targets, cells)
    image, candidate = positive.nonzero(as_tuple=True)
    box = targets.boxes[image, which[image, candidate]]
    count = max(1, len(image))
    objectness = (functional.binary_cross_entropy_with_logits(
        output[..., 4], positive.float(), reduction="none") * weight).sum() / count
    iou = paired_iou(predicted[image, candidate], box)
    box_term = BOX_WEIGHT * (1 - iou**2).sum() / count
    class_term = functional.binary_cross_entropy_with_logits(
        output[image, candidate, 5], iou.detach(), reduction="sum") / count
    total = objectness + box_term + class_term
    parts = {"objectness": objectness, "box": box_term, "class": class_term,
             "positives": positive.sum() / len(output)}
    if with_l1:
        cell = cells[candidate]
        center, size = (box[:, :2] + box[:, 2:]) / 2, (box[:, 2:] - box[:, :2]).clamp(min=1)
        raw = torch.cat((center / cell[:, 2:] - cell[:, :2], (size / cell[:, 2:]).log()), 1)
        l1 = (output[image, candidate, :4] - raw).abs().sum() / count
        total = total + l1
        parts["l1"] = l1
    return total, {name: value.detach() for name, value in parts.items()}
