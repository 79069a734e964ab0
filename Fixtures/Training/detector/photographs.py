"""Labelled photographs as training samples, beside the rendered scenes.

A folder of photographs has `annotations.json`: `{"photo.jpg": {"boxes": [[left, top, right, bottom,
"kind"], ...], "domain": "apples on trees"}, ...}`, in pixels. People label what stands out and leave
out what is far or hidden, so that an unlabelled thing may be a thing: see `Photograph.unsure`.
"""

import json
import os

import cv2
import numpy as np

# The weight of a domain is its number of photographs to this power: between one and all alike.
BALANCE = 0.5
# Domains in which far, crowded or hidden things may be there without a box.
INCOMPLETE = (
    "apples on trees", "pears on trees", "cherries on trees", "fruit on trees", "cardboard boxes",
    "aquarium animals",
)


class Photograph:
    """One photograph in the form of a stored scene; all boxes are of things seen whole."""

    # Whether decoded pictures stay in memory, some 3 MB each.
    keeps_images = False

    def __init__(self, jpeg: np.ndarray, boxes: list, domain: str) -> None:
        self.jpeg, self.domain = jpeg, domain
        self.kept: np.ndarray | None = None
        self.boxes = np.array([box[:4] for box in boxes], np.float32).reshape(-1, 4)
        self.visible = np.ones(len(self.boxes), np.float32)
        self.kind_names = sorted({str(box[4]) for box in boxes})
        self.kinds = np.array([self.kind_names.index(str(box[4])) for box in boxes], np.int16)
        # Whether what the network is sure of may be a thing that nobody labelled.
        self.unsure = domain in INCOMPLETE

    @property
    def image(self) -> np.ndarray:
        """BGR, padded to a square below and to the right, as letterboxing does."""
        if self.kept is not None:
            return self.kept
        image = self._decoded()
        if self.keeps_images:
            self.kept = image
        return image

    def _decoded(self) -> np.ndarray:
        image = cv2.imdecode(self.jpeg, cv2.IMREAD_COLOR)
        height, width = image.shape[:2]
        side = max(height, width)
        if height == width:
            return image
        square = np.full((side, side, 3), 114, np.uint8)
        square[:height, :width] = image
        return square


class Photographs:
    """All photographs of some folders, drawn by domain."""

    def __init__(self, folders: list[str], without: list[str]) -> None:
        """`without`: domains that are held out."""
        self.domains: dict[str, list[Photograph]] = {}
        for folder in folders:
            with open(os.path.join(folder, "annotations.json")) as file:
                annotations = json.load(file)
            for name, entry in annotations.items():
                domain = entry.get("domain", "photographs")
                if domain in without or not entry["boxes"]:
                    continue
                jpeg = np.fromfile(os.path.join(folder, name), np.uint8)
                self.domains.setdefault(domain, []).append(
                    Photograph(jpeg, entry["boxes"], domain))
        self.names = sorted(self.domains)
        weights = np.array([len(self.domains[name]) ** BALANCE for name in self.names])
        self.shares = weights / weights.sum() if len(weights) else weights

    def __len__(self) -> int:
        return sum(len(photographs) for photographs in self.domains.values())

    def drawn(self, rng: np.random.Generator) -> Photograph:
        """A photograph at random: first its domain, then one of that."""
        of_domain = self.domains[self.names[rng.choice(len(self.names), p=self.shares)]]
        return of_domain[rng.integers(len(of_domain))]
