"""The input of the benchmarks, the same to the bit as TallyBenchmarks/SeededInput.swift makes it.

SplitMix64's n-th number follows from n alone, so NumPy makes all of them at once. Where Swift draws numbers in
an order, so do the index calculations here.
"""

import numpy as np

GAMMA = np.uint64(0x9E3779B97F4A7C15)


def numbers(count, seed, start=0):
    """64-bit numbers `start` to `start + count` of the sequence of `seed`."""
    with np.errstate(over="ignore"):
        n = np.arange(start + 1, start + count + 1, dtype=np.uint64)
        z = np.uint64(seed) + n * GAMMA
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def uniform(count, seed, start=0):
    """Numbers in 0 <= x < 1."""
    return (numbers(count, seed, start) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def clustered_boxes(count, side, seed):
    """Corner boxes in clusters of ten, and a score for each, all different; float32."""
    center_count = count // 10
    centers = uniform(center_count * 4, seed).reshape(-1, 4)
    x, y = centers[:, 0] * side, centers[:, 1] * side
    w, h = 20 + centers[:, 2] * 100, 20 + centers[:, 3] * 100
    jitter = (uniform(count * 2, seed, center_count * 4).reshape(-1, 2) - 0.5) * 12
    index = np.arange(count)
    which = index % center_count
    left, top = x[which] + jitter[:, 0], y[which] + jitter[:, 1]
    boxes = np.stack((left, top, left + w[which], top + h[which]), 1).astype(np.float32)
    scores = ((index * 7919 % count + 0.5) / count).astype(np.float32)
    return boxes, scores


def head_output(candidates, classes, seed):
    """The raw output of a YOLOX head, [candidates, 5 + classes], float32."""
    values = uniform(candidates * (5 + classes), seed).reshape(candidates, 5 + classes)
    values[:, :4] = values[:, :4] * 2 - 1
    for _ in range(5):
        values[:, 4] *= values[:, 4]
    return values.astype(np.float32)


def embeddings(count, dimension, seed, shape="apart"):
    """Embeddings around one center for every twenty of them, each between its own and the next one, or around none.

    The shapes "apart", "overlapping" and "unstructured"; float32.
    """
    if shape == "unstructured":
        return (uniform(count * dimension, seed).reshape(count, dimension) * 2 - 1).astype(np.float32)
    center_count = max(2, count // 20)
    drawn = center_count * dimension
    centers = uniform(drawn, seed).reshape(center_count, dimension) * 2 - 1
    shares = np.zeros((count, 1))
    if shape == "overlapping":
        shares = uniform(count, seed, drawn).reshape(count, 1) / 2
        drawn += count
    noise = uniform(count * dimension, seed, drawn).reshape(count, dimension) * 2 - 1
    own, following = (centers[(np.arange(count) + step) % center_count] for step in (0, 1))
    return (own * (1 - shares) + following * shares + noise * 0.4).astype(np.float32)


def image(width, height, channels, seed):
    """Random bytes, [height, width, channels]."""
    return numbers(width * height * channels, seed).astype(np.uint8).reshape(height, width, channels)


def isbns(count, seed, flaw=None):
    """ISBN-13s of the groups 0 to 3, of which every `flaw`-th has a wrong check digit."""
    codes = []
    for index, value in enumerate(numbers(count, seed) % np.uint64(400_000_000)):
        body = str(978_000_000_000 + int(value))
        check = -sum(int(d) * (1, 3)[i % 2] for i, d in enumerate(body)) % 10
        if flaw and index % flaw == flaw - 1:
            check = (check + 1) % 10
        codes.append(body + str(check))
    return codes


def text(count, seed):
    """Words with an ISBN after every twenty of them."""
    words = ["printed", "in", "the", "first", "edition", "1998", "pages", "12.95", "library", "of"]
    drawn = numbers(count * 20, seed) % np.uint64(len(words))
    parts = []
    for index, code in enumerate(isbns(count, seed + 1)):
        parts += [words[int(i)] + " " for i in drawn[index * 20 : index * 20 + 20]]
        parts.append(f"ISBN {code[:3]}-{code[3:]}, ")
    return "".join(parts)
