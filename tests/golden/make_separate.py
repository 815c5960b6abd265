#!/usr/bin/python3
"""Writes separate.json: noisy numbers of the separate form of `twohop` and the scores an independent implementation
makes of them. Needs NumPy and SciPy.        make_separate.py > separate.json"""
import json

import numpy as np
from scipy.special import gammaln

SHARE = 0.05


def cells(number, bits):
    """2^bits cells of width 1, as many of width 2, then of width 4, ...: which one, and how far into it."""
    octave = np.floor(np.log2(number / 2**bits + 1))
    within = (number + 2**bits) / 2.0**octave - 2**bits
    cell = np.floor(within)
    return (octave * 2**bits + cell).astype(int), within - cell


def cell_begin(cell, bits):
    octave = cell // 2**bits
    return (cell % 2**bits + 2**bits) * 2.0**octave - 2**bits


class Marks:
    """Where likelihoods of noisy numbers are computed; a number between two counts as a mixture of both."""

    def __init__(self, first, last, scale, bits, per_scale):
        self.first, self.last, self.width, self.bits = first, last, scale / per_scale, bits
        count = self.place(np.array([last]))[0][0] + 2
        self.at = first + cell_begin(np.arange(count), bits) * self.width

    def place(self, x):
        return cells((np.clip(x, self.first, self.last) - self.first) / self.width, self.bits)

    def counts(self, x):
        cell, within = self.place(x)
        return np.bincount(cell, 1 - within, len(self.at)) + np.bincount(cell + 1, within, len(self.at))

    def between(self, values, x):
        cell, within = self.place(x)
        return values[cell] * (1 - within) + values[cell + 1] * within


def kernel(x, grid, scale):
    return np.exp(-np.minimum(np.abs(x[:, None] - grid[None]) / scale, 200.0))


def em(likelihood, weight, mass, rounds, power=1):
    for _ in range(rounds):
        mass = mass * (likelihood.T @ (weight / (likelihood @ mass))) ** power
        mass = mass / mass.sum()
    return mass


def background_grid(scale, top):
    geo = 1.2 ** np.arange(0, int(np.ceil(np.log(top) / np.log(1.2))) + 1)
    if scale >= 2:
        return np.concatenate([[0.0], geo])
    return np.concatenate([np.arange(49) * (scale / 2), geo[geo > 24 * scale]])


def fit_prior(x, scale, grid, mass, rounds):
    marks = Marks(grid[0], grid[-1], scale, 4, 4)
    return em(kernel(marks.at, grid, scale) + 1e-300, marks.counts(x) / len(x), mass, rounds)


def posterior_mean(x, scale, grid, mass):
    marks = Marks(grid[0], np.clip(20 * scale, grid[0], grid[-1]), scale, 4, 4)
    joint = kernel(marks.at, grid, scale) * mass
    return np.where(x > 20 * scale, x, marks.between((joint @ grid) / joint.sum(1), x))


def count_grid(top):
    grid = list(range(0, min(16, top) + 1))
    while grid[-1] < top:
        grid.append(min(int(np.ceil(grid[-1] * 1.15)), top))
    return np.array(grid, float)


def poisson(rows, grid):
    """Of rates 2^(row / 4), along the last axis."""
    width = np.gradient(grid) if len(grid) > 1 else np.ones(1)
    rate = 2.0 ** (rows / 4.0)[..., None]
    logs = grid * np.log(rate) - rate - gammaln(grid + 1) + np.log(width)
    law = np.exp(logs - logs.max(-1, keepdims=True))
    return law / law.sum(-1, keepdims=True)


def posterior_counts(c, background, total, scale, top):
    grid, powers = count_grid(top), 3 * np.arange(-10, 14)
    coarse, fine = Marks(0.0, top, scale, 3, 2), Marks(0.0, top, scale, 5, 4)
    band = cells(np.maximum(background, 0) * 8, 3)[0]
    middle = np.maximum((cell_begin(band, 3) + cell_begin(band + 1, 3)) / 16, 0.25)
    noise = kernel(coarse.at, grid, scale)
    guess = np.exp(-0.93 * np.abs(powers / 3))
    guess /= guess.sum()

    def pool(nodes, classes):
        """Likelihoods by class and mark for all powers of z, and how many nodes there are."""
        rounded = 3 * np.floor((classes[nodes] + 1) / 3)
        rows, counts = [], []
        for one in np.unique(rounded):
            rows.append(noise @ poisson(one + powers, grid).T + 1e-300)
            counts.append(coarse.counts(c[nodes][rounded == one]))
        return np.concatenate(rows), np.concatenate(counts)

    best = None
    for exponent in (1.0, 0.5, 0.0):
        rate = middle**exponent
        rate = np.clip(rate * total / rate.sum(), 1e-4, 1e3)
        classes = np.rint(4 * np.log2(rate))
        likelihood, counts = pool(np.arange(len(c)), classes)
        mass = em(likelihood, counts / len(c), guess, 10, 2)
        fit = (counts * np.log(likelihood @ mass)).sum() - (3.0 if exponent < 1 else 0.0)
        if best is None or fit > best[0]:
            best = (fit, classes, mass)
    _, classes, mass = best
    out, left, size = np.empty(len(c)), np.ones(len(c), bool), 400
    while left.any():
        lowest = band.max()  # the greatest band from which on there are enough, the others being none or enough
        while not ((left & (band >= lowest)).sum() >= size and (left & (band < lowest)).sum() >= size) and lowest > 0:
            lowest -= 1
        group = np.nonzero(left & (band >= lowest))[0]
        likelihood, counts = pool(group, classes)
        z = em(likelihood, counts / len(group), mass, 15, 2)
        for one in np.unique(classes[group]):
            nodes = group[classes[group] == one]
            joint = kernel(fine.at, grid, scale) * (z @ poisson(one + powers, grid))
            out[nodes] = fine.between((joint @ grid) / joint.sum(1), c[nodes])
        left[group] = False
        size *= 2
    return out


def popularity_at_powers(g, size):
    """Nodes of about the same popularity are rounded together."""
    cell = cells(np.maximum(g, 0) * 16, 4)[0]
    found = np.zeros(size)
    for one in np.unique(cell):
        alike = g[cell == one]
        found[min(int(np.rint(np.log(max(alike.mean(), 1)) / np.log(1.2))), size - 1)] += alike.sum()
    return found


def scores(c_far, g_far, c_near, k_near, n, scales, theta1_near, tail):
    b_inside, b_k, b_c, b_g = scales
    top = max(2.0, min(float(n), g_far.max()))
    grid = background_grid(b_g, top)
    g = posterior_mean(g_far, b_g, grid, fit_prior(g_far, b_g, grid, np.full(len(grid), 1 / len(grid)), 30))
    size = len(c_near)
    if size == 0:
        return tail * g / max(g.sum(), 1.0), np.zeros(0)
    grid = 1.2 ** np.arange(0, int(np.log(n) / np.log(1.2)) + 1)
    mass = np.convolve(popularity_at_powers(g, len(grid)), [0.25, 0.5, 0.25], "same")
    mass = 0.95 * mass / max(mass.sum(), 1e-9) + 0.05 / len(grid)
    mass /= mass.sum()
    k = posterior_mean(k_near, b_k, grid, fit_prior(k_near, b_k, grid, mass, 2))
    v1, v2 = b_k * b_k * size, b_c * b_c * len(c_far)
    total = max((k_near.sum() / v1 + c_far.sum() / v2) / (1 / v1 + 1 / v2), 0.5 * k.sum(), 0.5 * size)
    c = posterior_counts(c_far, g, total, b_c, size)
    expected = k * max(c_near.sum() / k.sum(), total / max(g.sum(), 1.0))
    rest = c_near - expected
    variance = (rest * rest).mean()
    slope = max(0.0, 1 - 2 * b_inside**2 / variance) if variance > 0 else 0.0
    inside = np.clip(expected + slope * rest, 0.0, size - 1.0)
    local = max(c.sum() + inside.sum(), 1.0)
    links = max(g.sum() + c.sum() + k.sum() + inside.sum(), 1.0)
    return (tail * (0.75 * c / local + 0.25 * (g + c) / links),
            theta1_near + tail * (0.75 * inside / local + 0.25 * (k + inside) / links))


def taper(degree, tau):
    return np.where(degree <= tau, 1 - degree / (2 * tau), tau / (2 * np.maximum(degree, 1)))


def case(name, adjacency, seeds, epsilon, random, theta1=2 / 9, tail=4 / 9):
    n, tau = len(adjacency), 100
    seed = np.zeros(n, bool)
    seed[seeds] = True
    near = adjacency[seed].any(0) & ~seed
    far = ~near & ~seed
    share = (adjacency[seed] / np.maximum(adjacency[seed].sum(1, keepdims=True), 1)).mean(0)[near]
    into_near = adjacency @ near.astype(float)
    into_far = adjacency @ far.astype(float)
    background = adjacency @ (far * taper(into_far, tau))
    scales = [2 / epsilon, 1 / (SHARE * epsilon), 1 / ((1 - SHARE) * epsilon), 2 * (1 - 1 / (2 * tau)) / epsilon]
    noise = random.laplace(size=(2, n))
    first = into_near + noise[0] * np.where(near, scales[0], scales[2])
    second = np.where(near, into_far, background) + noise[1] * np.where(near, scales[1], scales[3])
    first, second = np.round(np.where(seed, 0, first), 3), np.round(np.where(seed, 0, second), 3)
    out = np.zeros(n)
    out[far], out[near] = scores(first[far], second[far], first[near], second[near], n, scales, theta1 * share, tail)
    return {"name": name, "seeds": [int(s) for s in seeds], "epsilon": epsilon, "scales": scales, "theta_1": theta1,
            "tail": tail, "near": np.nonzero(near)[0].tolist(), "share": share.tolist(), "into_near": first.tolist(),
            "into_far": second.tolist(), "scores": [float(f"{x:.14e}") for x in out]}


def random_graph(n, random):
    """Communities and hubs: expected degrees follow a power law, links prefer their own block."""
    weight = (np.arange(1, n + 1)) ** -0.7
    random.shuffle(weight)
    block = random.integers(0, 12, n)
    chance = 6 * n * np.outer(weight, weight) / weight.sum() ** 2 * np.where(block[:, None] == block[None], 6, 0.5)
    upper = np.triu(random.random((n, n)) < chance, 1)
    return (upper | upper.T).astype(float)


def karate():
    """The club of tests/support/graphs.h, row by row."""
    rows = {0: "1 2 3 4 5 6 7 8 10 11 12 13 17 19 21 31", 1: "2 3 7 13 17 19 21 30", 2: "3 7 8 9 13 27 28 32",
            3: "7 12 13", 4: "6 10", 5: "6 10 16", 6: "16", 8: "30 32 33", 9: "33", 13: "33", 14: "32 33",
            15: "32 33", 18: "32 33", 19: "33", 20: "32 33", 22: "32 33", 23: "25 27 29 32 33", 24: "25 27 31",
            25: "31", 26: "29 33", 27: "33", 28: "31 33", 29: "32 33", 30: "32 33", 31: "32 33", 32: "33"}
    adjacency = np.zeros((34, 34))
    for u, links in rows.items():
        for v in links.split():
            adjacency[u, int(v)] = adjacency[int(v), u] = 1
    return adjacency


def main():
    random = np.random.default_rng(13)
    club, large = karate(), random_graph(1300, random)
    alone = club.copy()
    alone[11] = alone[:, 11] = 0
    cases = [case("karate", club, seeds, epsilon, random)
             for seeds in ([0], [11], [0, 33], [2, 5, 23]) for epsilon in (0.4, 1.0, 3.0, 10.0, 200.0)]
    cases += [case("isolated seed", alone, [11], epsilon, random) for epsilon in (0.4, 3.0)]
    by_degree = np.argsort(-large.sum(0), kind="stable")
    cases += [case("1300 nodes", large, [by_degree[place]], epsilon, random) for place, epsilon in ((0, 1.0), (40, 4.0))]
    print('{"cases": [\n' + ",\n".join(json.dumps(c) for c in cases) + "\n]}")


main()
