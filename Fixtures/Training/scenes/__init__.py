"""Rendered scenes of countable things, every instance labelled with its box and its kind.

    from scenes import Studio
    studio = Studio(assets, split="train")
    scene = studio.scene(seed=1, index=0)     # scene.image, scene.instances, scene.kinds

A scene depends on (seed, index), the split and the version of this package, on nothing else.
"""

from .scene import VERSION, Instance, Scene, Studio

__all__ = ["VERSION", "Instance", "Scene", "Studio"]
