"""Writes Fixtures/Goldens/NMS: torchvision's suppression, Soft-NMS and weighted box fusion in NumPy.

Run from the top of the checkout: python Fixtures/generate/nms.py
"""

import numpy as np

from common import seeded

F = np.float32


def clustered(seed, count, clusters, ties):
    """Boxes of like size crowding about centers, and scores; NMSTests/Samples.swift makes the same."""
    centers = seeded.units32(seed, clusters * 4).reshape(clusters, 4)
    u = seeded.units32(seed + 1, count * 5).reshape(count, 5)
    c = centers[np.arange(count) % clusters]
    x = c[:, 0] * F(600) + (u[:, 0] - F(0.5)) * F(24)
    y = c[:, 1] * F(400) + (u[:, 1] - F(0.5)) * F(24)
    w = (F(12) + c[:, 2] * F(48)) * (F(0.75) + u[:, 2] * F(0.5))
    h = (F(12) + c[:, 3] * F(48)) * (F(0.75) + u[:, 3] * F(0.5))
    scores = np.floor(u[:, 4] * F(64)) * F(1 / 64) if ties else u[:, 4]
    return np.stack([x - w / F(2), y - h / F(2), x + w / F(2), y + h / F(2)], axis=1), scores


def iou(box, others):
    """In torchvision's order of operations, float32."""
    low = np.maximum(box[:2], others[:, :2])
    high = np.minimum(box[2:], others[:, 2:])
    size = np.maximum(high - low, F(0))
    shared = size[:, 0] * size[:, 1]
    area = (box[2] - box[0]) * (box[3] - box[1])
    areas = (others[:, 2] - others[:, 0]) * (others[:, 3] - others[:, 1])
    result = shared / (area + areas - shared)
    assert result.dtype == F
    return result


def nms(boxes, scores, threshold):
    """torchvision.ops.nms on the CPU: a stable sort, then overlap against a double threshold."""
    order = np.argsort(-scores, kind="stable")
    gone = np.zeros(len(boxes), dtype=bool)
    kept = []
    for place, index in enumerate(order):
        if gone[index]:
            continue
        kept.append(int(index))
        rest = order[place + 1 :]
        gone[rest[iou(boxes[index], boxes[rest]).astype(np.float64) > threshold]] = True
    return kept


def batched_nms(boxes, scores, classes, threshold):
    """torchvision.ops.batched_nms, class after class."""
    kept = []
    for c in np.unique(classes):
        members = np.flatnonzero(classes == c)
        kept += [int(members[k]) for k in nms(boxes[members], scores[members], threshold)]
    return sorted(kept, key=lambda k: (-scores[k], k))


def soft_nms(boxes, scores, decay, minimum):
    """Bodla et al. 2017, figure 2."""
    scores = scores.astype(np.float64)
    alive = scores >= minimum
    selected = []
    while alive.any():
        best = int(np.argmax(np.where(alive, scores, -1)))
        selected.append([best, float(scores[best])])
        alive[best] = False
        scores = scores * decay(iou(boxes[best], boxes).astype(np.float64))
        alive &= scores >= minimum
    return selected


def fuse(lists, weights, threshold, minimum):
    """Solovyev et al. 2021, section 3, as the authors' ensemble-boxes 1.0.9 does it ("avg", no overflow)."""
    visits = []
    for t, (boxes, scores, classes) in enumerate(lists):
        for i, (b, s, c) in enumerate(zip(boxes, scores, classes)):
            if s >= minimum:
                visits.append((float(s) * weights[t], t, i, int(c), b.astype(np.float64)))
    visits.sort(key=lambda v: -v[0])
    fused, members = [], []
    for visit in visits:
        best, best_iou = None, threshold
        for k, (label, _, box) in enumerate(fused):
            if label != visit[3]:
                continue
            low = np.maximum(box[:2], visit[4][:2])
            high = np.minimum(box[2:], visit[4][2:])
            shared = np.prod(np.maximum(high - low, 0))
            overlap = shared / (np.prod(box[2:] - box[:2]) + np.prod(visit[4][2:] - visit[4][:2]) - shared)
            if overlap > best_iou:
                best, best_iou = k, overlap
        if best is None:
            best = len(fused)
            fused.append(None)
            members.append([])
        members[best].append(visit)
        total = sum(v[0] for v in members[best])
        box = sum(v[0] * v[4] for v in members[best]) / total
        fused[best] = (visit[3], total / len(members[best]), box)
    answers = []
    for (label, score, box), group in zip(fused, members):
        score *= min(len(lists), len(group)) / sum(weights)
        answers.append(
            {
                "classID": label,
                "score": float(score),
                "box": box.tolist(),
                "members": [[v[1], v[2]] for v in group],
            }
        )
    return sorted(answers, key=lambda a: -a["score"])


def hard_cases():
    for count, clusters, ties in [(1000, 60, False), (1000, 60, True), (8400, 150, False), (8400, 40, True)]:
        boxes, scores = clustered(count + clusters, count, clusters, ties)
        classes = (seeded.bits(count, count) % np.uint64(5)).astype(int)
        for threshold in [0.3, 0.5, 0.65, 0.9] if count == 1000 else [0.45, 0.65]:
            yield {
                "count": count,
                "clusters": clusters,
                "ties": ties,
                "threshold": threshold,
                "kept": nms(boxes, scores, threshold),
                "keptPerClass": batched_nms(boxes, scores, classes, threshold),
            }


def soft_cases():
    boxes, scores = clustered(77, 300, 20, False)
    for threshold in [0.3, 0.6]:
        yield {
            "linear": threshold,
            "selected": soft_nms(boxes, scores, lambda o: np.where(o > threshold, 1 - o, 1), 0.05),
        }
    for sigma in [0.5, 0.1]:
        yield {
            "gaussian": sigma,
            "selected": soft_nms(boxes, scores, lambda o: np.exp(-(o**2) / sigma), 0.05),
        }


def fusion_cases():
    lists = []
    for seed in [5, 6, 7]:  # the same centers seen three times
        boxes, _ = clustered(500, 40 * (seed - 2), 30, False)
        _, scores = clustered(seed, 40 * (seed - 2), 30, False)
        start = 20 * (seed - 5)
        boxes, scores = boxes[start:], scores[start:]
        lists.append((boxes, scores, np.arange(start, start + len(boxes)) % 30 % 4))
    for weights, threshold, minimum in [([1, 1, 1], 0.55, 0), ([2, 1, 0.5], 0.4, 0.1), ([1, 3, 2], 0.7, 0.3)]:
        yield {
            "weights": weights,
            "threshold": threshold,
            "minimum": minimum,
            "fused": fuse(lists, weights, threshold, np.float32(minimum)),
        }


if __name__ == "__main__":
    seeded.write("NMS/greedy.json", list(hard_cases()))
    seeded.write("NMS/soft.json", list(soft_cases()))
    seeded.write("NMS/fusion.json", list(fusion_cases()))
