#!/usr/bin/env python
"""How well `adaptive.py` counts a folder of photos with known counts.

    python Fixtures/reference/score_counts.py DIR --detector FILE --embedder FILE
        [--cache DIR] [--perturbed] [--one-class] [--set NAME=VALUE]...

DIR holds photos and `truth.json`: {"photo.jpg": {"main": 12, "all": 20}, ...}. The accuracy of a
count is max(0, 1 - |count - truth| / truth). Three means are printed: *one*, the count of the main
kind on photos that show one kind (main = all); *all*, the number of all objects on every photo;
*mix*, the count of the main kind on photos that show several. `--perturbed` does the same on every
photo spoilt in eight ways (`perturbations.py`). With `--cache` the networks' answers are kept
on disk, so that changing a parameter takes seconds.
"""

import argparse
import dataclasses
import hashlib
import json
import pathlib
import pickle

import numpy as np

import adaptive
from count import NORMALIZATIONS
from detect import read_image, session
from perturbations import PERTURBATIONS


class Cache:
    """Answers by key: one file a photo, read once, written when it grew."""

    def __init__(self, folder, name):
        self.path = pathlib.Path(folder) / f"{name}.pickle" if folder else None
        self.answers, self.grew = {}, False
        if self.path and self.path.exists():
            self.answers = pickle.loads(self.path.read_bytes())

    def get(self, key, make):
        if key not in self.answers:
            self.answers[key] = make()
            self.grew = True
        return self.answers[key]

    def save(self):
        if self.path and self.grew:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part = self.path.with_suffix(".part")
            part.write_bytes(pickle.dumps(self.answers))
            part.replace(self.path)
            self.grew = False


class Networks:
    """The detector and the embedder, with a name for the cache that tells them from others."""

    def __init__(self, detector, embedder, normalization, threads=1):
        self.detector, self.embedder = session(detector, threads), session(embedder, threads)
        self.side = tuple(self.detector.get_inputs()[0].shape[2:4])
        self.normalization = normalization
        digest = (hashlib.sha256(pathlib.Path(p).read_bytes()) for p in (detector, embedder))
        self.names = [d.hexdigest()[:12] for d in digest]
        if normalization != "imagenet":
            self.names[1] += "-" + normalization


class Photo:
    """A photo whose networks' answers are remembered."""

    def __init__(self, image, networks, cache=None):
        self.image, self.networks = image, networks
        self.height, self.width = image.shape[:2]
        digest = hashlib.sha256(image.tobytes() + str(image.shape).encode()).hexdigest()[:16]
        self.found = Cache(cache, f"{networks.names[0]}/{digest}")
        self.rows = Cache(cache, f"{networks.names[1]}/{digest}")

    def count(self, parameters, like=None):
        networks = self.networks
        detector = adaptive.tile_detector(self.image, networks.detector, parameters)
        embedder = adaptive.view_embedder(
            self.image, networks.embedder, networks.normalization, parameters.views
        )
        settings = (parameters.confidence, parameters.tile_nms)

        def detections_in(tile):
            return self.found.get((tile, settings), lambda: detector(tile))

        def embeddings_of(corners):
            rows = [
                self.rows.get((*map(int, box), parameters.views), lambda: embedder([box]))
                for box in corners
            ]
            return [np.concatenate(view) for view in zip(*rows)]

        result = adaptive.count(
            detections_in, embeddings_of, self.width, self.height, networks.side, parameters, like
        )
        self.found.save()
        self.rows.save()
        return result


def accuracy(count, truth):
    return max(0.0, 1 - abs(count - truth) / truth)


def means(rows, truth):
    """*one*, *all* and *mix* of counts (main, all) by photo."""
    one = [accuracy(rows[p][0], t["main"]) for p, t in truth.items() if t["main"] == t["all"]]
    mix = [accuracy(rows[p][0], t["main"]) for p, t in truth.items() if t["main"] != t["all"]]
    every = [accuracy(rows[p][1], t["all"]) for p, t in truth.items()]
    return tuple(float(np.mean(v)) if v else float("nan") for v in (one, every, mix))


def as_line(way, figures):
    one, every, mix = figures
    return f"{way:14} one {one:.3f}  all {every:.3f}  mix {mix:.3f}"


def parsed(settings, base=adaptive.Parameters()):
    """`base` with NAME=VALUE settings applied, typed as the defaults are."""
    values = {}
    types = {f.name: type(f.default) for f in dataclasses.fields(adaptive.Parameters)}
    for setting in settings:
        name, value = setting.split("=", 1)
        kind = types[name]
        if kind is tuple:
            values[name] = tuple(value.split(","))
        else:
            values[name] = value in ("1", "true", "on") if kind is bool else kind(value)
    return dataclasses.replace(base, **values)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", metavar="DIR", type=pathlib.Path)
    parser.add_argument("--detector", required=True, metavar="FILE")
    parser.add_argument("--embedder", required=True, metavar="FILE")
    parser.add_argument("--normalization", choices=NORMALIZATIONS, default="imagenet")
    parser.add_argument("--cache", metavar="DIR")
    parser.add_argument("--perturbed", action="store_true")
    parser.add_argument("--one-class", action="store_true", help="`adaptive.ONE_CLASS`")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    truth = json.loads((options.folder / "truth.json").read_text())
    networks = Networks(options.detector, options.embedder, options.normalization)
    base = adaptive.ONE_CLASS if options.one_class else adaptive.Parameters()
    parameters = parsed(options.set, base)
    ways = {"as it is": lambda image: image}
    if options.perturbed:
        ways.update(PERTURBATIONS)
    totals = []
    for way, change in ways.items():
        rows = {}
        for name, true in truth.items():
            photo = Photo(change(read_image(str(options.folder / name))), networks, options.cache)
            found = photo.count(parameters)
            rows[name] = (found.main, found.all)
            if way == "as it is":
                print(
                    f"{name:32} main {found.main:4} of {true['main']:4}   "
                    f"all {found.all:4} of {true['all']:4}   "
                    f"levels {[n for n, _ in found.tried]}   "
                    f"silhouette {found.silhouette:.3f}"
                )
        totals.append(means(rows, truth))
        print(as_line(way, totals[-1]), flush=True)
    if options.perturbed:
        print(as_line("mean perturbed", np.mean(totals[1:], 0)))


if __name__ == "__main__":
    main()
