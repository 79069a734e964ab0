"""Writes Fixtures/Goldens/TextDecode/beams_*.json: what a beam search over CTC's output finds.

- beams_exact.json: every labelling of tiny outputs, by going through all alignments.
- beams_words.json: the same with a lexicon.
- beams_search.json: narrow beams on longer outputs, by a search over dictionaries of texts, and what fast-ctc-decode
  finds with a wide one.

Run from the top of the checkout, in a virtual environment of Fixtures/requirements-text.txt:
python Fixtures/generate/text_beams.py
"""

import itertools
import math
import re

import fast_ctc_decode
import numpy as np

from common import seeded

WORDS = ["ab", "ba", "bab", "abba", "b-a"]
# Behind the blank and before the space.
SIGNS = "ab0-"


def output(seed, steps, classes, power):
    """Probabilities that are the rarer the greater they are; rows need not sum to 1."""
    u = seeded.units32(seed, steps * classes).reshape(steps, classes)
    values = u.copy()
    for _ in range(power - 1):
        values = values * u
    return values


def collapsed(path):
    return tuple(label for label, _ in itertools.groupby(path) if label != 0)


def confidence(path, values):
    """The mean probability of the steps that begin a character."""
    begins = [t for t, label in enumerate(path) if label != 0 and (t == 0 or path[t - 1] != label)]
    return float(np.mean([values[t, path[t]] for t in begins])) if begins else 0.0


def word_score(text, words, reward, penalty):
    score = 0.0
    for token in re.findall("[a-z0-9]+", text.lower()):
        if len(token) >= 2 and re.search("[a-z]", token):
            score += len(token) * (reward if token in words else -penalty)
    return score


def enumerated(values, characters):
    """All labellings with the logarithm of their probability, and the confidence of their best alignment."""
    steps, classes = values.shape
    wide = values.astype(np.float64)
    sums, best = {}, {}
    for path in itertools.product(range(classes), repeat=steps):
        p = math.prod(wide[t, label] for t, label in enumerate(path))
        labelling = collapsed(path)
        sums[labelling] = sums.get(labelling, 0.0) + p
        if p > best.get(labelling, (0.0, None))[0]:
            best[labelling] = (p, path)
    return [
        ("".join(characters[label] for label in labelling), math.log(p), confidence(best[labelling][1], wide))
        for labelling, p in sums.items() if p > 0
    ]  # fmt: skip


def readings(found, count):
    """The first of texts, logarithms of probabilities, confidences and words' scores, as they are written."""
    keys = ["text", "logProbability", "confidence", "wordScore"]
    return [dict(zip(keys, one)) for one in found[:count]]


def exact_cases():
    for seed in range(48):
        classes, steps = 3 + seed % 3, seed % 6
        values = output(7000 + seed, steps, classes, 1 + seed % 4)
        found = enumerated(values, "_" + "abc"[: classes - 2] + " ")
        found.sort(key=lambda one: -one[1])
        yield {
            "seed": 7000 + seed, "classes": classes, "steps": steps, "power": 1 + seed % 4, "count": len(found),
            "readings": readings(found, 4),
        }  # fmt: skip


def word_cases():
    words = {part for word in WORDS for part in word.split("-")}
    for seed in range(48):
        steps, reward, penalty = 2 + seed % 4, [0.0, 0.5][seed % 2], [0.75, 2.0, 0.25][seed % 3]
        values = output(8000 + seed, steps, len(SIGNS) + 2, 3)
        found = [
            (text, p, sure, word_score(text, words, reward, penalty))
            for text, p, sure in enumerated(values, "_" + SIGNS + " ")
        ]
        found.sort(key=lambda one: -(one[1] + one[3]))
        yield {
            "seed": 8000 + seed, "steps": steps, "power": 3, "reward": reward, "penalty": penalty,
            "readings": readings(found, 4),
        }  # fmt: skip


def log_sum(a, b):
    return float(np.logaddexp(a, b))


def running_score(text, words, reward, penalty):
    """The score of a text that may go on: its last word counts as one of the list as long as it can become one."""
    last = re.search("[a-z0-9]*$", text.lower()).group(0)
    ended = word_score(text[: len(text) - len(last)], words, reward, penalty)
    if re.search("[a-z]", last) and any(word.startswith(last) for word in words):
        return ended + len(last) * reward
    return ended + word_score(last, words, reward, penalty)


def searched(values, characters, width, least, words=None, reward=0.0, penalty=0.0):
    """A prefix beam search: texts with the logarithms of the alignments that end in a blank and of the others."""

    def running(text):
        return running_score(text, words, reward, penalty) if words else 0.0

    none = -math.inf
    beam = {(): (0.0, none)}
    for row in values.astype(np.float64):
        kept = [c for c in range(len(row)) if row[c] >= least and row[c] > 0] or [int(row.argmax())]
        following = {}

        def add(prefix, blank, filled):
            before = following.get(prefix, (none, none))
            following[prefix] = (log_sum(before[0], blank), log_sum(before[1], filled))

        for prefix, (blank, filled) in beam.items():
            both = log_sum(blank, filled)
            for c in kept:
                p = math.log(row[c])
                if c == 0:
                    add(prefix, both + p, none)
                elif prefix and prefix[-1] == c:
                    add(prefix, none, filled + p)
                    add(prefix + (c,), none, blank + p)
                else:
                    add(prefix + (c,), none, both + p)
        ranked = sorted(
            ((log_sum(*p) + running("".join(characters[c] for c in prefix)), prefix, p)
             for prefix, p in following.items() if log_sum(*p) > none), key=lambda one: -one[0])  # fmt: skip
        beam = {prefix: p for _, prefix, p in ranked[:width]}
    found = []
    for prefix, p in beam.items():
        text = "".join(characters[c] for c in prefix)
        alignment = confidence(likeliest(prefix, values), values)
        score = word_score(text, words, reward, penalty) if words else 0.0
        found.append((text, log_sum(*p), alignment, score))
    found.sort(key=lambda one: -(one[1] + one[3]))
    return found


def likeliest(labels, values):
    """The likeliest alignment of a labelling."""
    states = [0] + [c for label in labels for c in (label, 0)]
    with np.errstate(divide="ignore"):
        logs = np.log(values.astype(np.float64))
    paths = {0: (logs[0][0], (0,))}
    if labels:
        paths[1] = (logs[0][labels[0]], (labels[0],))
    for row in logs[1:]:
        following = {}
        for state, label in enumerate(states):
            skips = state >= 2 and label != 0 and states[state - 2] != label
            options = [paths[s] for s in (state, state - 1, state - 2 if skips else -1) if s in paths]
            if options:
                p, path = max(options)
                following[state] = (p + row[label], path + (label,))
        paths = following
    return max(paths[s] for s in (len(states) - 1, len(states) - 2) if s in paths)[1]


def search_cases():
    words = {part for word in WORDS for part in word.split("-")}
    for seed in range(60):
        steps, width = 6 + seed % 25, [1, 2, 5, 16][seed % 4]
        least, power = [0.0, 0.125, 0.5][seed % 3], 2 + seed % 5
        has_words = seed % 2 == 1
        values = output(9000 + seed, steps, len(SIGNS) + 2, power)
        characters = "_" + SIGNS + " "
        found = searched(
            values, characters, width, np.float32(least), words if has_words else None, 0.5, 0.75)
        yield {
            "seed": 9000 + seed, "steps": steps, "power": power, "width": width, "least": least, "hasWords": has_words,
            "count": len(found), "readings": readings(found, 3),
            "peer": fast_ctc_decode.beam_search(values, characters, 200, 0.0)[0],
        }  # fmt: skip


if __name__ == "__main__":
    seeded.write("TextDecode/beams_exact.json", list(exact_cases()))
    seeded.write("TextDecode/beams_words.json", list(word_cases()))
    seeded.write("TextDecode/beams_search.json", list(search_cases()))
