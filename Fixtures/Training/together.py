"""Training by several processes that make every step together, each with samples of its own."""

import os
import tempfile
import threading
import time
from collections.abc import Callable

import cv2
import torch
from torch import distributed, multiprocessing, nn


def run_processes(train: Callable, options, count: int) -> None:
    """Calls `train(options, rank)` in `count` processes; in this one if there is only one."""
    if count == 1:
        train(options, 0)
        return
    with tempfile.TemporaryDirectory() as folder:
        meeting = os.path.join(folder, "meeting")
        multiprocessing.spawn(one_of_several, (train, options, count, meeting), count)


def one_of_several(rank: int, train: Callable, options, count: int, meeting: str) -> None:
    distributed.init_process_group(
        "gloo", init_method="file://" + meeting, rank=rank, world_size=count)
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    train(options, rank)


def end_with(parent: int) -> None:
    """Ends this process when its parent has ended, as it does when somebody stops the run."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def begin_loader(_: int) -> None:
    """What a process does first that prepares batches. It ends with the process that trains."""
    cv2.setNumThreads(1)
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()


def share_gradients(model: nn.Module) -> None:
    """Gives every process the mean of all processes' gradients; alone it does nothing."""
    if not distributed.is_initialized():
        return
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    together = torch.cat([gradient.flatten() for gradient in gradients])
    distributed.all_reduce(together)
    together /= distributed.get_world_size()
    start = 0
    for gradient in gradients:
        gradient.copy_(together[start : start + gradient.numel()].view_as(gradient))
        start += gradient.numel()


def greatest(value: float) -> float:
    """The greatest of all processes' values, the same in all; alone the value itself."""
    if not distributed.is_initialized():
        return value
    together = torch.tensor(value)
    distributed.all_reduce(together, distributed.ReduceOp.MAX)
    return together.item()
