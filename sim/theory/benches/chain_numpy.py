"""The chain of RBF IV in vectorised numpy: tau for all states at once, then pi by a dense solve or by recursion (15)."""

import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit("python3 cannot import numpy")


def tau(bits, hashes, sigma):
    """tau[i, d]: probability that a message takes i set bits to i + d (RBF (4)); the trip is what passes sigma."""
    i = np.arange(sigma + 1, dtype=float)
    t = np.zeros((sigma + 1, hashes + 1))
    t[:, 0] = 1.0
    for drawn in range(hashes):
        for d in range(drawn + 1, -1, -1):
            below = t[:, d - 1] * (bits - i - d + 1) / bits if d else 0.0
            t[:, d] = t[:, d] * (i + d) / bits + below
    return t


def by_solve(bits, hashes):
    sigma = bits // 2
    t = tau(bits, hashes, sigma)
    p = np.zeros((sigma + 1, sigma + 1))
    for d in range(hashes + 1):
        n = sigma + 1 - d
        p[np.arange(n), np.arange(n) + d] = t[:n, d]
    p[:, 0] += 1.0 - p.sum(axis=1)
    a = p.T - np.eye(sigma + 1)
    a[-1] = 1.0
    b = np.zeros(sigma + 1)
    b[-1] = 1.0
    return float(np.linalg.solve(a, b) @ t[:, 0])


def by_recursion(bits, hashes):
    sigma = bits // 2
    t = tau(bits, hashes, sigma)
    pi = np.zeros(sigma + 1)
    pi[0] = 1.0 / (1.0 - t[0, 0])
    for i in range(1, sigma + 1):
        low = max(0, i - hashes)
        j = np.arange(low, i)
        pi[i] = pi[low:i] @ t[j, i - j] / (1.0 - t[i, 0])
    return float(pi @ t[:, 0] / pi.sum())


for name, rate in (("dense solve", by_solve), ("recursion", by_recursion)):
    for bits in (1000, 2000, 4000):
        times = []
        for _ in range(3):
            started = time.perf_counter()
            value = rate(bits, 4)
            times.append(time.perf_counter() - started)
        print(f"numpy {name}, M = {bits}: {1e3 * min(times):.3f} ms, rate {value:.12f}")
