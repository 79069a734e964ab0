"""Writes Fixtures/Goldens/Evaluation: matches and average precision by pycocotools, sums by SciPy.

Run from the top of the checkout: python Fixtures/generate/evaluation.py
"""

import contextlib
import io

import numpy as np
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from scipy.optimize import linear_sum_assignment

from common import seeded

BEYOND = 1e11  # an area outside COCO's range "all", by which a true box is ignored


def quarter(values):
    """Coordinates that float32 and float64 hold alike, so that both sides see the same overlaps."""
    return np.round(values * 4) / 4


def dataset(seed, images, crowds):
    """True boxes, and predictions that are some of them moved, some doubled and some made up."""
    result = []
    for image in range(images):
        u = iter(seeded.units(seed * 100 + image, 4000))
        truths, predictions = [], []
        for _ in range(int(next(u) * 14)):
            x, y, w, h = next(u) * 200, next(u) * 200, 12 + next(u) * 40, 12 + next(u) * 40
            kind = next(u)
            crowd = bool(crowds and kind < 0.12)
            ignored = bool(crowds and 0.12 <= kind < 0.3)
            truths.append([*(float(v) for v in quarter(np.array([x, y, w, h]))), crowd, ignored])
            for _ in range(int(next(u) * (5 if crowd else 2.7))):
                box = np.array([x, y, w, h]) + (np.array([next(u) for _ in range(4)]) - 0.5) * 12
                # Few different scores, so that there are ties within images and between them.
                predictions.append([*(float(v) for v in quarter(box)), np.ceil(next(u) * 12) / 16])
        for _ in range(int(next(u) * 5)):
            box = np.array([next(u) * 200, next(u) * 200, 12 + next(u) * 40, 12 + next(u) * 40])
            predictions.append([*(float(v) for v in quarter(box)), np.ceil(next(u) * 8) / 16])
        result.append({"truths": truths, "predictions": predictions})
    return result


def evaluate(images, limit):
    """COCOeval of one class over all areas, with at most `limit` predictions an image."""
    truth = {
        "images": [{"id": k + 1} for k in range(len(images))],
        "categories": [{"id": 1}],
        "annotations": [],
    }
    answers = []
    for k, image in enumerate(images):
        for x, y, w, h, crowd, ignored in image["truths"]:
            truth["annotations"].append({
                "id": len(truth["annotations"]) + 1, "image_id": k + 1, "category_id": 1,
                "bbox": [x, y, w, h], "area": BEYOND if ignored else w * h, "iscrowd": int(crowd),
            })  # fmt: skip
        for x, y, w, h, score in image["predictions"]:
            answers.append(
                {"image_id": k + 1, "category_id": 1, "bbox": [x, y, w, h], "score": score}
            )
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO()
        coco.dataset = truth
        coco.createIndex()
        evaluation = COCOeval(coco, coco.loadRes(answers), "bbox")
        evaluation.params.maxDets = [limit]
        evaluation.params.areaRng = [[0, 1e10]]
        evaluation.params.areaRngLbl = ["all"]
        evaluation.evaluate()
        evaluation.accumulate()
    return evaluation


def matches(images, evaluation, threshold):
    """For each prediction the index of its true box or -1, or -2 for one that is ignored with it."""
    row = int(np.argmin(np.abs(evaluation.params.iouThrs - threshold)))
    truths_before = np.cumsum([0] + [len(image["truths"]) for image in images])
    answers_before = np.cumsum([0] + [len(image["predictions"]) for image in images])
    result = []
    for k, image in enumerate(images):
        own = [-1] * len(image["predictions"])
        ignored = [False] * len(own)
        found = evaluation.evalImgs[k]
        if found is not None:
            for place, answer in enumerate(found["dtIds"]):
                truth = int(found["dtMatches"][row, place])
                index = answer - 1 - answers_before[k]
                own[index] = truth - 1 - int(truths_before[k]) if truth else -1
                ignored[index] = bool(found["dtIgnore"][row, place])
        result.append({"truths": own, "ignored": ignored})
    return result


def average_precision():
    cases = []
    for seed, images, crowds in [(1, 1, False), (2, 6, False), (3, 6, True), (4, 12, True)]:
        data = dataset(seed, images, crowds)
        full, short = evaluate(data, 10_000), evaluate(data, 6)
        cases.append({
            "images": data,
            "thresholds": full.params.iouThrs.tolist(),
            "values": full.eval["precision"][:, :, 0, 0, 0].mean(1).tolist(),
            "limit": 6,
            "limitedValues": short.eval["precision"][:, :, 0, 0, 0].mean(1).tolist(),
            "matches50": matches(data, full, 0.5),
            "matches75": matches(data, full, 0.75),
        })  # fmt: skip
    return cases


def classed(seed, images, classes, crowds):
    """A truth and results of several classes as COCO's files have them; predictions err in class too."""
    truth = {
        "images": [{"id": 10 + 3 * k, "file_name": f"{k}.jpg"} for k in range(images)],
        "categories": [{"id": 2 * c + 1, "name": f"kind {c}"} for c in range(classes)],
        "annotations": [],
    }
    results = []
    for k, image in enumerate(dataset(seed, images, crowds)):
        u = iter(seeded.units(seed * 1000 + k, 4000))
        boxes = []
        for x, y, w, h, crowd, _ in image["truths"]:
            # The last category has no true box, but predictions.
            category = 2 * int(next(u) * (classes - 1)) + 1
            boxes.append((x, y, category))
            truth["annotations"].append({
                "id": len(truth["annotations"]) + 1, "image_id": 10 + 3 * k,
                "category_id": category, "bbox": [x, y, w, h], "area": w * h,
                "iscrowd": int(crowd),
            })  # fmt: skip
        for x, y, w, h, score in image["predictions"]:
            nearest = min(boxes, key=lambda b: abs(b[0] - x) + abs(b[1] - y), default=(0, 0, 1))
            category = nearest[2] if next(u) < 0.8 else 2 * int(next(u) * classes) + 1
            results.append({"image_id": 10 + 3 * k, "category_id": category,
                            "bbox": [x, y, w, h], "score": score})  # fmt: skip
    return truth, results


def summaries():
    """pycocotools' summary of those files, and its AP of each class."""
    for seed, images, classes, crowds, limit in [
        (5, 8, 4, False, 100), (6, 10, 3, True, 100), (7, 6, 5, True, 3), (9, 3, 2, False, 100),
    ]:  # fmt: skip
        truth, results = classed(seed, images, classes, crowds)
        names = f"coco_truth_{seed}.json", f"coco_results_{seed}.json"
        seeded.write(f"Evaluation/{names[0]}", truth)
        seeded.write(f"Evaluation/{names[1]}", results)
        with contextlib.redirect_stdout(io.StringIO()):
            coco = COCO()
            coco.dataset = truth
            coco.createIndex()
            evaluation = COCOeval(coco, coco.loadRes(results), "bbox")
            evaluation.params.maxDets = [1, 2, limit]
            evaluation.evaluate()
            evaluation.accumulate()
            evaluation.summarize()
        # The summary's first figure always looks at 100: taken from the table instead.
        precision = evaluation.eval["precision"][:, :, :, 0, -1]
        each = {str(c): float(precision[:, :, k].mean())
                for k, c in enumerate(evaluation.params.catIds) if (precision[:, :, k] > -1).any()}
        used = precision[:, :, [k for k, c in enumerate(evaluation.params.catIds)
                                if str(c) in each]]
        if limit == 100:
            assert abs(evaluation.stats[0] - used.mean()) < 1e-12
            assert abs(evaluation.stats[1] - used[0].mean()) < 1e-12
        yield {"truth": names[0], "predictions": names[1], "limit": limit,
               "mean": float(used.mean()), "at50": float(used[0].mean()),
               "at75": float(used[5].mean()), "classes": each}  # fmt: skip


def assignments():
    """Boxes against points: the most pairs, and the least sum of distances over radii among those."""
    cases = []
    for seed in range(20, 32):
        u = iter(seeded.units(seed, 4000))
        points, boxes = [], []
        for _ in range(int(3 + next(u) * 25)):
            points.append([float(v) for v in quarter(np.array([next(u), next(u)]) * 90)] + [9.0])
        for _ in range(int(3 + next(u) * 40)):
            x, y, w, h = next(u) * 90, next(u) * 90, 10 + next(u) * 25, 10 + next(u) * 25
            box = quarter(np.array([x - w / 2, y - h / 2, x + w / 2, y + h / 2]))
            boxes.append([float(v) for v in box])
        cost = np.full((len(points), len(boxes)), 1000.0)
        for i, (px, py, radius) in enumerate(points):
            for j, (left, top, right, bottom) in enumerate(boxes):
                distance = np.hypot((left + right) / 2 - px, (top + bottom) / 2 - py)
                if left <= px <= right and top <= py <= bottom and distance <= radius:
                    cost[i, j] = distance / radius
        rows, columns = linear_sum_assignment(cost)
        chosen = cost[rows, columns]
        chosen = chosen[chosen < 1000]
        cases.append(
            {"points": points, "boxes": boxes, "pairs": len(chosen), "cost": float(chosen.sum())}
        )
    return cases


def main():
    seeded.write("Evaluation/average_precision.json", average_precision())
    seeded.write("Evaluation/assignments.json", assignments())
    seeded.write("Evaluation/coco.json", list(summaries()))


if __name__ == "__main__":
    main()
