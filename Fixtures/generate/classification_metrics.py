"""Writes Fixtures/Goldens/Evaluation: what scikit-learn, jiwer and trec_eval say of labels, texts and rankings.

Run from the top of the checkout: python Fixtures/generate/classification_metrics.py
"""

import warnings

import jiwer
import numpy as np
import pytrec_eval
from sklearn import metrics

from common import seeded

warnings.filterwarnings("ignore")  # Undefined precisions and recalls are wanted here.


def figures(truths, predictions):
    """scikit-learn's figures; "" is for things without a prediction, and is no class."""
    labels = sorted({*truths, *predictions} - {""})
    each = metrics.precision_recall_fscore_support(
        truths, predictions, labels=labels, zero_division=0)
    def averaged(how):
        values = metrics.precision_recall_fscore_support(
            truths, predictions, labels=labels, average=how, zero_division=0)
        return [float(v) for v in values[:3]]
    kappa = metrics.cohen_kappa_score(truths, predictions)
    return {
        "labels": labels,
        "matrix": metrics.confusion_matrix(truths, predictions, labels=labels).tolist(),
        "precision": each[0].tolist(), "recall": each[1].tolist(), "f1": each[2].tolist(),
        "support": each[3].tolist(),
        "accuracy": float(metrics.accuracy_score(truths, predictions)),
        "macro": averaged("macro"), "weighted": averaged("weighted"),
        "balanced": float(metrics.balanced_accuracy_score(truths, predictions)),
        "kappa": None if np.isnan(kappa) else float(kappa),
        "matthews": float(metrics.matthews_corrcoef(truths, predictions)),
    }  # fmt: skip


def matrices():
    cases = [
        (["cat"], ["cat"]), (["cat"], ["dog"]), (["cat", "cat"], ["cat", "dog"]),
        (["a", "a", "b", "b"], ["b", "b", "a", "a"]), (["a", "b", "c"], ["c", "c", "c"]),
        (["a", "b", "b"], ["", "", ""]), (["a", "b", "b"], ["a", "", "z"]),
        (["\u00e9t\u00e9", "Z", "z", "\u732b"], ["\u00e9t\u00e9", "z", "z", "\u732b"]),
    ]  # fmt: skip
    for seed, kinds, count, right, unanswered in [
        (1, 2, 60, 0.8, 0), (2, 5, 300, 0.7, 0.1), (3, 12, 400, 0.4, 0), (4, 40, 200, 0.1, 0.3),
        (5, 3, 2000, 0.95, 0.02), (6, 7, 50, 0, 0),
    ]:  # fmt: skip
        u = iter(seeded.units(seed, 4 * count))
        truths, predictions = [], []
        for _ in range(count):
            # The first kinds are more frequent than the last ones.
            truth = f"kind {int(next(u) ** 2 * kinds)}"
            answer, other = next(u), f"kind {int(next(u) * (kinds + 1))}"
            silent = next(u) < unanswered
            truths.append(truth)
            predictions.append("" if silent else truth if answer < right else other)
        cases.append((truths, predictions))
    return [{"truths": t, "predictions": p, **figures(t, p)} for t, p in cases]


def tops():
    cases = []
    for seed, kinds, count in [(11, 3, 20), (12, 8, 60), (13, 30, 100)]:
        u = seeded.units(seed, count * (kinds + 2)).reshape(count, kinds + 2)
        truths = (u[:, 0] * kinds).astype(int)
        scores = u[:, 2:].copy()
        scores[np.arange(count), truths] += 0.4 * u[:, 1]
        depths = sorted({1, 2, 3, kinds // 2 + 1, kinds - 1})
        cases.append({
            "truths": [f"{t:02}" for t in truths],
            "rankings": [[f"{k:02}" for k in np.argsort(-row)] for row in scores],
            "depths": depths,
            "accuracies": [
                float(metrics.top_k_accuracy_score(
                    truths, scores, k=k, labels=np.arange(kinds))) for k in depths],
        })  # fmt: skip
    return cases


def edits(truth, prediction):
    """Matches, substitutions, deletions, insertions: fewest edits, and most matches of those."""
    row = [(0, 0, 0, 0, 0)]  # edits, substitutions, and then matches, deletions, insertions
    for _ in prediction:
        d, s, m, x, i = row[-1]
        row.append((d + 1, s, m, x, i + 1))
    for own in truth:
        before, (d, s, m, x, i) = row, row[0]
        row = [(d + 1, s, m, x + 1, i)]
        for column, read in enumerate(prediction, 1):
            d, s, m, x, i = before[column - 1]
            ways = [(d, s, m + 1, x, i) if own == read else (d + 1, s + 1, m, x, i)]
            d, s, m, x, i = before[column]
            ways.append((d + 1, s, m, x + 1, i))
            d, s, m, x, i = row[-1]
            ways.append((d + 1, s, m, x, i + 1))
            row.append(min(ways))
    return list(row[-1][2:3] + row[-1][1:2] + row[-1][3:])


def texts():
    pairs = [
        ("The Histories", "The Histones"), ("ab", "ba"), ("kitten", "sitting"), ("a", "a"),
        ("a b c", "c b a"), ("Saturday", "Sunday"), ("abc", ""), ("aaaa", "aa"), ("x", "xyzxyz"),
        ("best before 12 MAY 2027", "best beiore l2 MAY 2O27"), ("two words", "twowords"),
        ("\u00e9t\u00e9", "e\u0301te\u0301"), ("\u0928\u092e\u0938\u094d\u0924\u0947", "\u0928\u092e\u0938\u0924\u0947"),
        ("\U0001f469\u200d\U0001f680 up", "\U0001f469 up"), ("\u6f22\u5b57 \u304b\u306a", "\u6f22\u5b50 \u304b\u306a"),
    ]  # fmt: skip
    alphabet = "abcde  "
    for seed in range(30, 70):
        u = iter(seeded.units(seed, 2000))
        text = "".join(alphabet[int(next(u) * len(alphabet))] for _ in range(int(next(u) * 90) + 1))
        read = []
        share = next(u) * 0.7
        for character in text:
            kind = next(u)
            if kind > share:
                read.append(character)
            elif kind > share * 2 / 3:
                read.append(alphabet[int(next(u) * len(alphabet))])
            elif kind > share / 3:
                read += [character, alphabet[int(next(u) * len(alphabet))]]
        text, read = ("".join(t).strip() for t in (text, read))
        pairs.append((text or "a", read))
    cases = []
    for truth, prediction in pairs:
        by_words = jiwer.process_words(truth, prediction)
        by_characters = jiwer.process_characters(truth, prediction)
        own = edits(truth, prediction), edits(truth.split(), prediction.split())
        for peer, counts in (by_characters, own[0]), (by_words, own[1]):
            assert peer.substitutions + peer.deletions + peer.insertions == sum(counts[1:])
            # jiwer reports any of the best alignments, so it may have more substitutions.
            assert peer.hits <= counts[0]
        cases.append({
            "truth": truth, "prediction": prediction, "characters": own[0], "words": own[1],
            "cer": by_characters.cer, "wer": by_words.wer,
        })  # fmt: skip
    truths, predictions = (list(side) for side in zip(*pairs))
    return {
        "cases": cases,
        "cer": jiwer.cer(truths, predictions), "wer": jiwer.wer(truths, predictions),
    }  # fmt: skip


def rankings():
    cases = []
    for seed, queries, items, degrees in [(21, 1, 5, 1), (22, 8, 20, 1), (23, 12, 40, 3)]:
        answers, truth, run = [], {}, {}
        for query in range(queries):
            u = seeded.units(100 * seed + query, 3 * items)
            relevances = {
                f"d{k:02}": int(np.ceil(degrees * u[k])) for k in range(items) if u[items + k] < 0.3
            } or {"d00": 1}
            order = np.argsort(u[2 * items:], kind="stable")[: int(3 + u[0] * items)]
            ranking = [f"d{k:02}" for k in order]
            answers.append({"ranking": ranking, "relevances": relevances})
            truth[f"q{query}"] = relevances
            run[f"q{query}"] = {item: float(-place) for place, item in enumerate(ranking)}
        names = {"map", "recip_rank", "ndcg", "recall.1,3,10", "P.1,3,10", "ndcg_cut.1,3,10"}
        found = list(pytrec_eval.RelevanceEvaluator(truth, names).evaluate(run).values())
        means = {name: float(np.mean([one[name] for one in found])) for name in found[0]}
        cases.append({"answers": answers, "means": means, "ndcgOfLearn": learned(answers)})
    return cases


def learned(answers):
    """scikit-learn's nDCG at 10; it wants a score of every item, and items not found come last."""
    values = []
    for answer in answers:
        ranking, relevances = answer["ranking"], answer["relevances"]
        lost = [item for item in relevances if item not in ranking]
        blanks = [None] * max(0, 10 - len(ranking))  # So that nothing lost is among the first ten.
        order = ranking + blanks + lost
        gains = [relevances.get(item, 0) for item in order]
        values.append(metrics.ndcg_score([gains], [[-place for place in range(len(order))]], k=10))
    return float(np.mean(values))


def main():
    seeded.write("Evaluation/confusion_matrices.json", matrices())
    seeded.write("Evaluation/top_k.json", tops())
    seeded.write("Evaluation/texts.json", texts())
    seeded.write("Evaluation/rankings.json", rankings())


if __name__ == "__main__":
    main()
