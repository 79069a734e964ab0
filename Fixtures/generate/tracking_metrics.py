"""Writes Fixtures/Goldens/Evaluation/tracking.json: HOTA by TrackEval, CLEAR MOT and IDF1 by py-motmetrics.

Run from the top of the checkout, with requirements-tracking.txt: python Fixtures/generate/tracking_metrics.py
"""

import motmetrics
import numpy as np
from trackeval.datasets._base_dataset import _BaseDataset
from trackeval.metrics import CLEAR, HOTA, Identity

from common import seeded

COUNTS = ["num_matches", "num_switches", "num_false_positives", "num_misses", "num_fragmentations",
          "mostly_tracked", "partially_tracked", "mostly_lost"]  # fmt: skip
EPS = np.finfo(float).eps


def quarter(value):
    """Coordinates that float32 and float64 hold alike, so that both sides see the same overlaps."""
    return float(np.round(value * 4) / 4)


def sequence(seed, objects, frames, shake, missed, absent, switched, wrong, gaps=False):
    """True boxes and predictions by frame: rows of number, left, top, width, height."""
    u = iter(seeded.units(seed, 20 * objects * frames + 2000))
    states = [{"at": [next(u) * 300, next(u) * 200], "by": [next(u) * 10 - 5, next(u) * 10 - 5],
               "size": [20 + next(u) * 40, 30 + next(u) * 50], "name": index, "away": 0, "lost": 0}
              for index in range(objects)]  # fmt: skip
    newest = objects
    result = []
    for frame in range(frames):
        truths, predictions = [], []
        for one in states:
            if next(u) < switched:
                # A new number, or the number of another object.
                other = states[int(next(u) * objects)]
                if next(u) < 0.5:
                    one["name"], newest = newest, newest + 1
                else:
                    one["name"], other["name"] = other["name"], one["name"]
        for index, one in enumerate(states):
            for k in (0, 1):
                one["at"][k] += one["by"][k]
                if not 0 <= one["at"][k] <= (300, 200)[k]:
                    one["by"][k] = -one["by"][k]
            for state, chance in (("away", absent), ("lost", missed)):
                one[state] = max(0, one[state] - 1) or (int(next(u) * 6) if next(u) < chance else 0)
            box = one["at"] + one["size"]
            if not one["away"]:
                truths.append([100 + index, *map(quarter, box)])
            if not one["lost"] and (not one["away"] or next(u) < 0.3):
                moved = [v + (next(u) - 0.5) * shake for v in box]
                predictions.append([one["name"], *map(quarter, moved)])
        for extra in range(int(next(u) * 2 * wrong)):
            predictions.append([10_000 + frame * 10 + extra, *(quarter(next(u) * 200) for _ in "xy"), 30.0, 40.0])
        # Neither side's order says anything.
        truths.sort(key=lambda row: row[1])
        predictions.sort(key=lambda row: row[2])
        if gaps and frame % 7 == 3:
            predictions = []
        if gaps and frame % 11 == 5:
            truths = []
        result.append({"truths": truths, "predictions": predictions})
    return result


def similarity(frame):
    truths, predictions = (np.array([row[1:] for row in frame[side]], dtype=float).reshape(-1, 4)
                           for side in ("truths", "predictions"))  # fmt: skip
    return _BaseDataset._calculate_box_ious(truths, predictions, "xywh")


def trackeval_data(frames):
    """What TrackEval's metrics take: numbers from 0, and the similarity of all boxes of a frame."""
    ids = {side: {n: k for k, n in enumerate(sorted({row[0] for f in frames for row in f[side]}))}
           for side in ("truths", "predictions")}  # fmt: skip
    numbers = {side: [np.array([ids[side][row[0]] for row in f[side]], dtype=int) for f in frames] for side in ids}
    return {
        "num_timesteps": len(frames),
        "gt_ids": numbers["truths"], "tracker_ids": numbers["predictions"],
        "num_gt_ids": len(ids["truths"]), "num_tracker_ids": len(ids["predictions"]),
        "num_gt_dets": sum(map(len, numbers["truths"])),
        "num_tracker_dets": sum(map(len, numbers["predictions"])),
        "similarity_scores": [similarity(f) for f in frames],
    }  # fmt: skip


def motmetrics_figures(frames, threshold):
    events = motmetrics.MOTAccumulator(auto_id=True)
    for frame in frames:
        overlaps = similarity(frame)
        distances = np.where(overlaps >= threshold - EPS, 1 - overlaps, np.nan)
        events.update([row[0] for row in frame["truths"]], [row[0] for row in frame["predictions"]], distances)
    names = [*COUNTS, "mota", "motp", "idf1", "idp", "idr", "idtp", "idfp", "idfn"]
    figures = motmetrics.metrics.create().compute(events, metrics=names, return_dataframe=False)
    # It reports the mean distance.
    return {name: (1 - figures[name] if name == "motp" else float(figures[name])) for name in names}


def hota_figures(result):
    fields = ["HOTA", "DetA", "AssA", "LocA", "DetRe", "DetPr", "AssRe", "AssPr", "HOTA_TP", "HOTA_FN", "HOTA_FP"]
    return {field: np.asarray(result[field]).tolist() for field in fields}


def main():
    sequences, results = [], {}
    hota = HOTA()
    for seed, (threshold, settings) in enumerate([
        (0.5, dict(objects=6, frames=40, shake=8, missed=0.03, absent=0.02, switched=0.01, wrong=0.3)),
        (0.5, dict(objects=12, frames=30, shake=20, missed=0.08, absent=0.05, switched=0.05, wrong=1)),
        (0.3, dict(objects=10, frames=40, shake=45, missed=0.15, absent=0.1, switched=0.1, wrong=2)),
        (0.5, dict(objects=8, frames=40, shake=14, missed=0.1, absent=0.05, switched=0.05, wrong=1, gaps=True)),
        (0.7, dict(objects=20, frames=15, shake=12, missed=0.1, absent=0.1, switched=0.2, wrong=0)),
    ]):  # fmt: skip
        frames = sequence(500 + seed, **settings)
        data = trackeval_data(frames)
        results[f"sequence {seed}"] = hota.eval_sequence(data)
        clear = motmetrics_figures(frames, threshold)
        quiet = {"THRESHOLD": threshold, "PRINT_CONFIG": False}
        identity = Identity(quiet).eval_sequence(data)
        assert all(int(clear[n.lower()]) == int(identity[n]) for n in ("IDTP", "IDFP", "IDFN"))
        other = CLEAR(quiet).eval_sequence(data)
        sequences.append({
            "frames": frames, "minimumIoU": threshold, "clear": clear,
            "hota": hota_figures(results[f"sequence {seed}"]),
            # For comparison: its rules differ.
            "trackEval": {n: float(other[n]) for n in
                          ("MOTA", "MOTP", "CLR_TP", "CLR_FP", "CLR_FN", "IDSW", "Frag")},
        })  # fmt: skip
    together = hota_figures(hota.combine_sequences(results))
    seeded.write("Evaluation/tracking.json", {"sequences": sequences, "together": together})
    for one in sequences:
        print({k: round(v, 4) for k, v in one["clear"].items()})
        print(one["trackEval"], np.mean(one["hota"]["HOTA"]))


if __name__ == "__main__":
    main()
