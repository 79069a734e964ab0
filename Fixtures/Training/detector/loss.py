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

    def to(self, device: str) -> "Target":
        return Target(self.boxes.to(device), self.ignored.to(device), self.unsure)


def pairwise_iou(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Intersection over union of `[A, 4]` and `[B, 4]` corner boxes, `[A, B]`."""
    low = torch.maximum(a[:, None, :2], b[None, :, :2])
    high = torch.minimum(a[:, None, 2:], b[None, :, 2:])
    inner = (high - low).clamp(min=0).prod(-1)
    area_a, area_b = (a[:, 2:] - a[:, :2]).prod(-1), (b[:, 2:] - b[:, :2]).prod(-1)
    return inner / (area_a[:, None] + area_b[None] - inner + 1e-9)


def paired_iou(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Intersection over union of box k of `a` with box k of `b`."""
    low, high = torch.maximum(a[:, :2], b[:, :2]), torch.minimum(a[:, 2:], b[:, 2:])
    inner = (high - low).clamp(min=0).prod(-1)
    area_a, area_b = (a[:, 2:] - a[:, :2]).prod(-1), (b[:, 2:] - b[:, :2]).prod(-1)
    return inner / (area_a + area_b - inner + 1e-9)


@torch.no_grad()
def assign(
    boxes: torch.Tensor, predicted: torch.Tensor, logits: torch.Tensor, cells: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """SimOTA: candidates that must find something, and which box each must find.

    `boxes` [G, 4], `predicted` [N, 4], `logits` [N, 2] of objectness and class.
    """
    stride = cells[:, 2]
    where = (cells[:, :2] + 0.5) * cells[:, 2:]
    centers = (boxes[:, :2] + boxes[:, 2:]) / 2
    near = ((where[None] - centers[:, None]).abs().amax(-1) < CENTER_RADIUS * stride[None])
    used = near.any(0).nonzero().squeeze(1)
    if len(used) == 0:
        empty = torch.empty(0, dtype=torch.long, device=boxes.device)
        return empty, empty
    near = near[:, used]
    iou = pairwise_iou(boxes, predicted[used]) * near
    # Minus the logarithm of the root of objectness times class: binary cross entropy against 1.
    doubt = -0.5 * functional.logsigmoid(logits[used]).sum(-1)
    cost = doubt[None] - 3 * (iou + 1e-8).log() + 1e6 * ~near
    several = min(10, iou.shape[1])
    wanted = iou.topk(several, 1).values.sum(1).long().clamp(min=1)
    rank = cost.topk(several, 1, largest=False).indices
    chosen = torch.zeros_like(near)
    chosen.scatter_(1, rank, torch.arange(several, device=cost.device)[None] < wanted[:, None])
    chosen &= near
    contested = chosen.sum(0) > 1
    if contested.any():
        best = cost[:, contested].argmin(0)
        chosen[:, contested] = False
        chosen[best, contested.nonzero().squeeze(1)] = True
    positive = chosen.any(0)
    return used[positive], chosen[:, positive].long().argmax(0)


def unlabelled(
    boxes: torch.Tensor, predicted: torch.Tensor, output: torch.Tensor
) -> torch.Tensor:
    """Which candidates, `[N]`, may well be things that nobody labelled."""
    sides = (boxes[:, 2:] - boxes[:, :2]).prod(-1).sqrt()
    own = (predicted[:, 2:] - predicted[:, :2]).clamp(min=0).prod(-1).sqrt()
    sure = output[:, 4].sigmoid() * output[:, 5].sigmoid() >= SURE
    maybe = sure & (own < SMALL * sides.median())
    if maybe.any():
        overlap = pairwise_iou(boxes, predicted[maybe]).amax(0)
        maybe[maybe.clone()] = overlap < 0.1
    return maybe


def detection_loss(
    output: torch.Tensor, targets: list[Target], cells: torch.Tensor, with_l1: bool
) -> tuple[torch.Tensor, dict[str, float]]:
    """The loss of a batch of raw outputs `[B, N, 6]`, and its parts."""
    output = output.float()
    predicted = decode(output, cells)
    where = (cells[:, :2] + 0.5) * cells[:, 2:]
    wanted = torch.zeros_like(output[..., 4])
    weight = torch.ones_like(wanted)
    images, positives, boxes = [], [], []
    for k, target in enumerate(targets):
        if len(target.ignored):
            low = (where[:, None] > target.ignored[None, :, :2]).all(-1)
            high = (where[:, None] < target.ignored[None, :, 2:]).all(-1)
            weight[k] = 1 - (low & high).any(1).float()
        if len(target.boxes) == 0:
            continue
        if target.unsure:
            weight[k][unlabelled(target.boxes, predicted[k].detach(), output[k].detach())] = 0
        found, which = assign(target.boxes, predicted[k].detach(), output[k, :, 4:].detach(),
                              cells)
        wanted[k, found] = 1
        weight[k, found] = 1
        images.append(torch.full_like(found, k))
        positives.append(found)
        boxes.append(target.boxes[which])
    count = max(1, sum(len(found) for found in positives))
    objectness = (functional.binary_cross_entropy_with_logits(
        output[..., 4], wanted, reduction="none") * weight).sum() / count
    if not positives:
        return objectness, {"objectness": objectness.item(), "positives": 0}
    image, candidate, box = torch.cat(images), torch.cat(positives), torch.cat(boxes)
    iou = paired_iou(predicted[image, candidate], box)
    box_term = BOX_WEIGHT * (1 - iou**2).sum() / count
    class_term = functional.binary_cross_entropy_with_logits(
        output[image, candidate, 5], iou.detach(), reduction="sum") / count
    total = objectness + box_term + class_term
    parts = {"objectness": objectness.item(), "box": box_term.item(), "class": class_term.item(),
             "positives": count / len(targets)}
    if with_l1:
        cell = cells[candidate]
        center, size = (box[:, :2] + box[:, 2:]) / 2, (box[:, 2:] - box[:, :2]).clamp(min=1)
        raw = torch.cat((center / cell[:, 2:] - cell[:, :2], (size / cell[:, 2:]).log()), 1)
        l1 = (output[image, candidate, :4] - raw).abs().sum() / count
        total = total + l1
        parts["l1"] = l1.item()
    return total, parts
