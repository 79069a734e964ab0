"""Writes scenes as a folder of photos with their truth, as `tally evaluate counts` reads it.

    python -m scenes.folder ASSETS FOLDER [--seed 7] [--count 200] [--size 448] [--split held-out]

FOLDER/0000.jpg ... and `truth.json`: for each photo the size of its largest kind (`main`) and the
number of all things (`all`), of those of which more than half is seen, and their `boxes`, each left,
top, right, bottom and kind. Things hidden deeper are
neither right nor wrong to count, so a scene in which they are more than a tenth is passed over; and
so is one whose largest kind has fewer than four things, which is nothing to count.
"""

import argparse
import json
import os
from collections import Counter

import cv2

from .scene import Scene, Studio

SEEN = 0.5
LEAST_MAIN = 4


def truth(scene: Scene) -> dict | None:
    """What a scene's counts are; None where they would be open to dispute."""
    counted = [thing for thing in scene.instances if thing.visible >= SEEN]
    if not counted or len(scene.instances) - len(counted) > 0.1 * len(scene.instances):
        return None
    kinds = Counter(thing.kind for thing in counted)
    if max(kinds.values()) < LEAST_MAIN:
        return None
    return {
        "main": max(kinds.values()), "all": len(counted),
        "boxes": [[*(round(v) for v in thing.box), str(thing.kind)] for thing in counted],
        "domain": f"scenes: {scene.layout}",
        "is": f"{scene.layout}: " + ", ".join(scene.kinds[kind] for kind in sorted(kinds)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("assets")
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--size", type=int, default=448)
    parser.add_argument("--split", default="held-out", choices=("train", "held-out"))
    options = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(options.folder, exist_ok=True)
    studio = Studio(options.assets, options.split, options.size)
    truths, index = {}, 0
    while len(truths) < options.count:
        scene = studio.scene(options.seed, index)
        index += 1
        known = truth(scene)
        if known:
            name = f"{len(truths):04}.jpg"
            with open(os.path.join(options.folder, name), "wb") as file:
                file.write(scene.jpeg)
            truths[name] = known
    with open(os.path.join(options.folder, "truth.json"), "w") as file:
        rows = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in truths.items()]
        file.write("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
