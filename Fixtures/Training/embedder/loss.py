"""What the embedder is trained to: things of one kind close, all others far."""

import math

import torch


def contrastive_loss(
    rows: torch.Tensor, scenes: torch.Tensor, kinds: torch.Tensor, families: torch.Tensor,
    temperature: float, scene_weight: float,
) -> torch.Tensor:
    """Supervised contrastive loss (Khosla et al., 2020, equation 2) over a batch of many scenes.

    `rows` are of length 1. A count only ever compares things of one photo, so other kinds of the
    same scene weigh `scene_weight` times as much as things of other scenes, which differ in light
    and ground anyway. Pairs of one family in two scenes are left out, as they say nothing: one's gold
    coins and the other's silver ones are coins.
    """
    count = len(rows)
    logits = rows @ rows.T / temperature
    same_scene = scenes[:, None] == scenes[None]
    same_kind = same_scene & (kinds[:, None] == kinds[None])
    same_family = families[:, None] == families[None]
    idle = same_family & ~same_scene
    self_pairs = torch.eye(count, dtype=torch.bool, device=rows.device)
    weighted = logits + math.log(scene_weight) * (same_scene & ~same_kind)
    total = torch.logsumexp(weighted.masked_fill(self_pairs | idle, -torch.inf), 1, keepdim=True)
    positives = same_kind & ~self_pairs
    number = positives.sum(1)
    # Rows without a positive count for nothing; to pick the others out is to wait for the GPU.
    loss = torch.where(positives, total - logits, 0.0).sum(1) / number.clamp(min=1)
    return loss.sum() / (number > 0).sum()
