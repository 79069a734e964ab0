"""Gives a `nano` detector more to learn with: the `grown` one, which begins as the same function.

    python grow.py STATE GROWN.pt

STATE is of unfold.py or of train.py (its averaged weights are taken). A 3x3 convolution of each
channel by itself becomes one of all channels. The weights between two channels begin at zero, so the
output is what it was (the largest change is printed), and training fills them. 0.90 million
parameters become 2.22 million; a step of training takes 1.4 times as long.
"""

import argparse

import torch
from network import Detector, restored

SIZE = 416


def over_all_channels(weight: torch.Tensor) -> torch.Tensor:
    """What the weights of each channel, `[C, 1, 3, 3]`, are as weights of all, `[C, C, 3, 3]`."""
    channels = torch.arange(len(weight))
    wide = weight.new_zeros(len(weight), len(weight), *weight.shape[2:])
    wide[channels, channels] = weight[:, 0]
    return wide


@torch.no_grad()
def grown(model: Detector) -> Detector:
    """The detector of the `grown` design that does what a `nano` one does."""
    if model.design != "nano":
        raise ValueError(f"a nano detector can grow, and this one is {model.design}")
    larger = Detector("grown")
    shapes = {name: value.shape for name, value in larger.state_dict().items()}
    larger.load_state_dict({
        name: value if value.shape == shapes[name] else over_all_channels(value)
        for name, value in model.state_dict().items()})
    picture = 255 * torch.rand(1, 3, SIZE, SIZE, generator=torch.Generator().manual_seed(1))
    change = (larger.eval()(picture) - model.eval()(picture)).abs().max().item()
    print(f"the output changed by at most {change:.1e}")
    return larger


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("state")
    parser.add_argument("grown")
    options = parser.parse_args()
    state = torch.load(options.state, map_location="cpu", weights_only=True)
    model = grown(restored(state, "average" if "average" in state else "model"))
    torch.save({"design": model.design, "model": model.state_dict()}, options.grown)


if __name__ == "__main__":
    main()
