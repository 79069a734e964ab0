"""Labelled photographs as training samples of the embedder, beside the rendered scenes.

The folders are those of the detector (`detector/photographs.py`). Here it is the labels that count:
within one photograph things of one label are of one kind, whatever their colour and face, and those
of two labels are not. Of photographs with a single label all things are alike, and unlike those of
other domains.
"""

import json
import os
import zlib

import numpy as np

from detector.photographs import BALANCE, Photograph

HELD_OUT = 10  # of each domain one photograph in so many

# Labels that say what a rendered family is, too: pairs of the two are left out of the loss, as pairs
# of one family in two scenes are.
RENDERED = {
    "apple": "HangingFruit", "pear": "HangingFruit", "cherry": "HangingFruit",
    "cardboard box": "Carton", "steel pipe end": "PipeEnd", "nucleus": "Nucleus",
    "rbc": "BloodCell", "fish": "Fish", "pill": "Tablet",
}


def family(label: str) -> str:
    """What a kind of a scene or a photograph belongs to."""
    return RENDERED.get(label, label)


def annotations(folder: str) -> dict[str, dict]:
    """The entries of a folder of photographs by their names, without those that show nothing.

    Labels that differ in case alone are one.
    """
    path = os.path.join(folder, "annotations.json")
    if not os.path.exists(path):
        path = os.path.join(folder, "truth.json")
    with open(path) as file:
        entries = json.load(file)
    for entry in entries.values():
        entry["boxes"] = [[*box[:4], str(box[4]).lower()] for box in entry["boxes"]]
    return {name: entry for name, entry in entries.items() if entry["boxes"]}


def held_out(entries: dict[str, dict]) -> set[str]:
    """The photographs that are not trained on: of each domain every tenth by its name's checksum."""
    domains: dict[str, list[str]] = {}
    for name, entry in entries.items():
        domains.setdefault(entry.get("domain", ""), []).append(name)
    return {
        name
        for names in domains.values()
        for name in sorted(names, key=lambda name: zlib.crc32(name.encode()))[::HELD_OUT]
    }


def photograph(folder: str, name: str, entry: dict) -> Photograph:
    """One photograph, in the form of a stored scene."""
    jpeg = np.fromfile(os.path.join(folder, name), np.uint8)
    return Photograph(jpeg, entry["boxes"], entry.get("domain", ""))


class PhotographStream:
    """The photographs of some folders that are trained on, drawn by domain, read when drawn."""

    def __init__(self, folders: list[str], rng: np.random.Generator) -> None:
        self.rng = rng
        self.domains: dict[str, list[tuple[str, str, dict]]] = {}
        for folder in folders:
            entries = annotations(folder)
            without = held_out(entries)
            for name, entry in entries.items():
                if name not in without and len(entry["boxes"]) > 1:
                    domain = self.domains.setdefault(entry.get("domain", ""), [])
                    domain.append((folder, name, entry))
        self.names = sorted(self.domains)
        weights = np.array([len(self.domains[name]) ** BALANCE for name in self.names])
        self.shares = weights / weights.sum() if len(weights) else weights

    def __len__(self) -> int:
        return sum(len(photographs) for photographs in self.domains.values())

    def next(self) -> Photograph:
        """A photograph at random: first its domain, then one of that."""
        of_domain = self.domains[self.names[self.rng.choice(len(self.names), p=self.shares)]]
        return photograph(*of_domain[self.rng.integers(len(of_domain))])
