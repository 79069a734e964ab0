"""Writes Fixtures/Goldens/ABTesting: what statsmodels and siphash24 answer.

Run from the top of the checkout: python Fixtures/generate/experiments.py
"""

import math

import numpy as np
import siphash24
from statsmodels.stats.proportion import proportion_confint, proportions_ztest

from common import seeded

SALTS = ["", "spines", "new-spine-finder", "naïve", "日本", "a" * 40]
IDS = ["", "a", "user-1", "user-2", "1234567", "12345678", "123456789", "é", "📚", "x" * 100]


def siphash(data, key):
    return int.from_bytes(siphash24.siphash24(data, key=key).digest(), "little")


def hashes():
    """The 64 messages of the reference implementation's own test: bytes 0, 1, 2 ... under 0...15."""
    return [str(siphash(bytes(range(n)), bytes(range(16)))) for n in range(64)]


def places():
    for salt in SALTS:
        halves = [siphash(salt.encode() + bytes([half]), bytes(16)) for half in (0, 1)]
        key = b"".join(half.to_bytes(8, "little") for half in halves)
        yield {"salt": salt, "ids": IDS,
               "places": [(siphash(i.encode(), key) >> 11) * 2.0**-53 for i in IDS]}  # fmt: skip


def pairs():
    """Successes and trials of two sides: seeded ones, and those at the ends."""
    yield from [
        (0, 10, 0, 10), (10, 10, 10, 10), (0, 10, 10, 10), (10, 10, 0, 10), (0, 1, 1, 1),
        (1, 2, 1, 3), (0, 1000, 3, 1000), (997, 1000, 1000, 1000), (5, 10, 50, 100),
        (500_000_000, 1_000_000_000, 500_100_000, 1_000_000_000),
        (2**53, 2**54, 2**53 - 2**28, 2**54), (1, 10**15, 30, 10**15),
        (950, 1000, 100, 1000), (10**6, 10**6 + 7, 1, 12),
    ]  # fmt: skip
    u = iter(seeded.units(77, 4000))
    for _ in range(120):
        first, second = int(10 ** (next(u) * 5)) + 1, int(10 ** (next(u) * 5)) + 1
        share = next(u)
        other = min(1, max(0, share + (next(u) - 0.5) * 10 ** (-2 * next(u))))
        yield round(share * first), first, round(other * second), second


def tests():
    for a, n, b, m in pairs():
        with np.errstate(all="ignore"):
            # float64: NumPy's 64-bit integers would overflow in the products.
            z, p = proportions_ztest(np.array([a, b], float), np.array([n, m], float))
        yield {"counts": [a, n, b, m], "z": None if math.isnan(z) else float(z),
               "p": None if math.isnan(p) else float(p)}  # fmt: skip


def intervals():
    for a, n, _, _ in pairs():
        for alpha in (0.05, 0.01, 0.5):
            low, high = proportion_confint(float(a), float(n), alpha=alpha, method="wilson")
            yield {"counts": [a, n], "alpha": alpha, "lower": float(low), "upper": float(high)}


def gates():
    """How gates of a plan stand, by the interval and the test above; no ties, which rounding would decide."""
    u = iter(seeded.units(78, 4000))
    for _ in range(300):
        limit = round(0.5 + 0.49 * float(next(u)), 3)
        alpha = 0.01 if next(u) < 0.3 else 0.05
        first, second = int(10 ** (next(u) * 3.5)) + 1, int(10 ** (next(u) * 3.5)) + 1
        share = min(1, max(0, limit + (next(u) - 0.5) * 0.2))
        other = min(1, max(0, share + (next(u) - 0.5) * 0.2))
        a, b = round(share * first), round(other * second)
        upper = proportion_confint(float(a), float(first), alpha=alpha, method="wilson")[1]
        with np.errstate(all="ignore"):
            z, p = proportions_ztest(np.array([a, b], float), np.array([first, second], float))
        if abs(upper - limit) < 1e-9 or abs(p - alpha) < 1e-9:
            continue
        pooled = (a + b) / (first + second)
        is_few = min(first, second) * min(pooled, 1 - pooled) < 5
        yield {"counts": [a, first, b, second], "atLeast": limit, "alpha": alpha,
               "share": "fails" if upper < limit else "passes" if a / first >= limit else "open",
               "regression": "open" if is_few else "fails" if p < alpha and z < 0 else "passes"}  # fmt: skip


def main():
    seeded.write("ABTesting/siphash.json", hashes())
    seeded.write("ABTesting/places.json", list(places()))
    seeded.write("ABTesting/tests.json", list(tests()))
    seeded.write("ABTesting/intervals.json", list(intervals()))
    seeded.write("ABTesting/gates.json", list(gates()))


if __name__ == "__main__":
    main()
