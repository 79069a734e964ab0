"""Makes other pictures of whole windows, all of a batch at once, on the device that trains.

    python -m shelves.augment SHARDS sheet.png [--size 320]

draws some, with what is asked of the network drawn over them.
"""

import argparse
import math

import cv2
import numpy as np
import torch
from torch.nn import functional

from . import labels
from .samples import SIDE, Stream

# Beyond the window there is what is beyond the picture in shards.
BEYOND = 114.0
BEYOND_PLANES = {labels.COSINE: 128.0, labels.SINE: 128.0, labels.WEIGHT: 1.0}


class Augmentation:
    """A crop at a scale of its own, mirrored at times, in another light, with noise."""

    def __init__(self, size: int, device: str, seed: int) -> None:
        self.size, self.device = size, device
        self.generator = torch.Generator(device).manual_seed(seed)
        beyond = [BEYOND_PLANES.get(plane, 0.0) for plane in range(8)]
        self.beyond_planes = torch.tensor(beyond, device=device).view(8, 1, 1)

    def uniform(self, low: float, high: float, *shape: int) -> torch.Tensor:
        return low + (high - low) * torch.rand(shape, generator=self.generator, device=self.device)

    def chosen(self, share: float, count: int) -> torch.Tensor:
        return self.uniform(0, 1, count) < share

    def __call__(self, images: torch.Tensor, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Windows of uint8 to crops of float32, still 0...255; the values of planes stay whole numbers."""
        images, planes = self.placed(images.float(), planes.float())
        return self.lit(images), planes

    def placed(self, images: torch.Tensor, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        count, side = len(images), images.shape[-1]
        scale = self.uniform(math.log(0.8), math.log(1.25), count).exp()
        # Some keep their pixels.
        scale = torch.where(self.chosen(0.3, count), 1.0, scale)
        # So many pixels of the window, from an even one on, as planes have half its size.
        reach = self.size / scale
        start = (self.uniform(0, 1, 2, count) * (side - reach) / 2).floor() * 2
        middle = (2 * start + reach) / side - 1
        across, down = (torch.where(self.chosen(share, count), -1.0, 1.0) for share in (0.3, 0.15))

        def places(size: int) -> torch.Tensor:
            """Where in the window each pixel of a crop is, [N, size, size, 2] of -1...1."""
            steps = (2 * torch.arange(size, device=self.device) + 1) / size - 1
            columns = (reach / side * across)[:, None] * steps + middle[0][:, None]
            rows = (reach / side * down)[:, None] * steps + middle[1][:, None]
            shape = (count, size, size)
            return torch.stack([columns[:, None, :].expand(shape), rows[:, :, None].expand(shape)], 3)

        images = BEYOND + functional.grid_sample(images - BEYOND, places(self.size), "bilinear", align_corners=False)
        planes = functional.grid_sample(
            planes - self.beyond_planes, places(self.size // 2), "nearest", align_corners=False)
        # Twice the angle of a mirrored line is its opposite, whichever way it was mirrored.
        planes[:, labels.SINE] *= (across * down)[:, None, None]
        return images, planes + self.beyond_planes

    def lit(self, images: torch.Tensor) -> torch.Tensor:
        count = len(images)
        factor = self.uniform(0.75, 1.3, count, 1) * self.uniform(0.9, 1.1, count, 3)
        shift = self.uniform(-25, 25, count, 1) + 128 * (1 - factor)
        noise = self.uniform(0, 7, count) * self.chosen(0.5, count)
        # Some keep their light.
        same = self.chosen(0.25, count)[:, None]
        factor, shift = torch.where(same, 1.0, factor), torch.where(same, 0.0, shift)
        grain = torch.randn(images.shape, generator=self.generator, device=self.device)
        lit = images * factor[..., None, None] + shift[..., None, None] + grain * noise.view(-1, 1, 1, 1)
        return lit.clamp(0, 255)


def drawn(image: np.ndarray, planes: np.ndarray) -> np.ndarray:
    """A picture [3, S, S] beside itself with cores, sides, pages and boards in colour, and the directions of cores."""
    image = np.ascontiguousarray(image.transpose(1, 2, 0).round().astype(np.uint8))
    planes = planes.repeat(2, 1).repeat(2, 2)
    over = image.copy()
    for plane, colour in ((labels.SPINE, (0, 160, 0)), (labels.FORE, (200, 200, 0)), (labels.BOARDS, (200, 0, 0)),
                          (labels.CORE, (0, 255, 255)), (labels.BORDER, (0, 0, 255))):
        at = planes[plane] > 0
        over[at] = (0.5 * over[at] + 0.5 * np.array(colour)).astype(np.uint8)
    over[planes[labels.WEIGHT] == 0] //= 3
    count, _, statistics, middles = cv2.connectedComponentsWithStats((planes[labels.CORE] > 0).astype(np.uint8))
    angles = np.arctan2(planes[labels.SINE].astype(float) - 128, planes[labels.COSINE].astype(float) - 128) / 2
    for index in range(1, count):
        x, y = (int(v) for v in middles[index])
        if statistics[index, cv2.CC_STAT_AREA] > 60 and planes[labels.CORE][y, x]:
            way = 25 * np.array([math.cos(angles[y, x]), math.sin(angles[y, x])])
            ends = [tuple(int(v) for v in np.array([x, y]) + sign * way) for sign in (-1, 1)]
            cv2.line(over, *ends, (255, 255, 255), 2)
    return np.hstack([image, over])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shards")
    parser.add_argument("sheet")
    parser.add_argument("--size", type=int, default=SIDE)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    stream = Stream(options.shards, np.random.default_rng(options.seed), None, 12)
    augmentation = Augmentation(options.size, "cpu", options.seed)
    pictures = [drawn(i.numpy(), p.numpy()) for i, p in zip(*augmentation(*stream.batch()))]
    cv2.imwrite(options.sheet, np.vstack([np.hstack(pictures[i : i + 3]) for i in range(0, 12, 3)]))


if __name__ == "__main__":
    main()
