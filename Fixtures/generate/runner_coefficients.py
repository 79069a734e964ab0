"""Prints the polynomial coefficients in Sources/Runner/_RunnerKernels/simd.h.

Minimax fits by Lawson's iteration (C. L. Lawson, 1961): weighted least squares in a Chebyshev
basis, each weight multiplied by its error until the errors level out. The weight function makes it
the relative error of the final result that is levelled.
"""

import math

import numpy as np
from numpy.polynomial import chebyshev, polynomial
from scipy import special


def fit(name, function, low, high, degree, weight=None):
    x = (low + high) / 2 + (high - low) / 2 * np.cos(np.pi * (np.arange(4000) + 0.5) / 4000)
    y = function(x)
    fixed = np.ones_like(x) if weight is None else weight(x)
    adaptive = np.ones_like(x)
    basis = chebyshev.chebvander((2 * x - low - high) / (high - low), degree)
    for _ in range(60):
        scale = np.sqrt(adaptive) * fixed
        found, *_ = np.linalg.lstsq(basis * scale[:, None], y * scale, rcond=None)
        error = np.abs((basis @ found - y) * fixed)
        adaptive *= error
        adaptive /= adaptive.sum()
    # From powers of t = (2 x - low - high) / (high - low) to powers of x.
    linear = np.array([-(low + high) / (high - low), 2 / (high - low)])
    powers = np.zeros(1)
    for coefficient in chebyshev.cheb2poly(found)[::-1]:
        powers = polynomial.polyadd(polynomial.polymul(powers, linear), [coefficient])
    print(f"{name}: largest error {error.max():.1e}")
    for power, coefficient in enumerate(powers):
        print(f"  {power}: {float(np.float32(coefficient))!r}")


half = math.log(2) / 2 * 1.01
fit("exp, (e^r - 1 - r) / r^2 in r",
    lambda r: np.where(np.abs(r) < 1e-5, 0.5 + r / 6, (np.expm1(r) - r) / np.where(r == 0, 1, r * r)),
    -half, half, 4, lambda r: r * r)
fit("tanh, (tanh(x) / x - 1) / s in s = x^2",
    lambda s: (np.tanh(np.sqrt(s)) / np.sqrt(s) - 1) / s, 1e-6, 0.63**2, 4, lambda s: s)
fit("erf, erf(x) / x - 1 in s = x^2",
    lambda s: special.erf(np.sqrt(s)) / np.sqrt(s) - 1, 1e-9, 0.93**2, 6)
fit("erf, log erfc(x) in x",
    lambda x: np.log(special.erfc(x)), 0.92, 4.0, 7, lambda x: special.erfc(x) / special.erf(x))
# GELU's share of x, (1 + erf(x / sqrt(2))) / 2 = 1 / 2 + x P(t), t = 2 x^2 / 5.2^2 - 1: in powers of t, as
# those of x^2 would cancel.
fit("GELU, erf(x / sqrt(2)) / (2 x) in t",
    lambda t: special.erf(5.2 * np.sqrt((t + 1) / 4)) / (2 * 5.2 * np.sqrt((t + 1) / 2)), -1, 1, 13,
    lambda t: np.sqrt((t + 1) / 2) * 5.2 * np.maximum(1, np.sqrt((t + 1) / 2) * 5.2))
