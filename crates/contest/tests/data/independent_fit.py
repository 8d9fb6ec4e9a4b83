#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings computed a second time, by other means, to compare those of `nue rate` with.

    independent_fit.py crosstable FILE.pgn... > ladder.games      counts of results by White and Black
    independent_fit.py fit ladder.games > ladder.ratings          ratings and errors

The fit hands the likelihood to scipy's general optimiser (BFGS, numerical gradient left to it); the errors come from
the curvature of the likelihood at its maximum, widened for draws: no simulation, nothing shared with the crate.
"""
import math
import re
import sys
from collections import Counter

import numpy as np
from scipy.optimize import minimize

UNIT = 400 / math.log(10)


def crosstable(files):
    counts = Counter()
    for name in files:
        tags = {}
        for line in open(name, encoding="utf-8"):
            tag = re.match(r'\[(White|Black|Result) "(.*)"\]', line)
            if tag:
                tags[tag[1]] = tag[2]
            if len(tags) == 3:
                points = {"0-1": 0, "1/2-1/2": 1, "1-0": 2}[tags["Result"]]
                counts[tags["White"], tags["Black"], points] += 1
                tags = {}
    print("# White Black, and how often White lost, drew, won")
    for white, black in sorted({key[:2] for key in counts}):
        print(white, black, *(counts[white, black, points] for points in range(3)))


def read(name):
    rows = [line.split() for line in open(name, encoding="utf-8") if not line.startswith("#")]
    players = sorted({row[0] for row in rows} | {row[1] for row in rows})
    number = {player: index for index, player in enumerate(players)}
    cells = np.array([[number[row[0]], number[row[1]], *map(int, row[2:])] for row in rows])
    return players, cells


def fit(name):
    players, cells = read(name)
    n = len(players)
    white, black, lost, drawn, won = cells.T
    games, points = lost + drawn + won, won + drawn / 2

    def surprise(x):
        lead = x[white] + x[n] - x[black]
        # ln(1 + e^z) without overflow; the last term pins down the mean, about which games say nothing.
        return np.sum(points * np.logaddexp(0, -lead) + (games - points) * np.logaddexp(0, lead)) + np.sum(x[:n]) ** 2

    best = minimize(surprise, np.zeros(n + 1), method="BFGS", options={"gtol": 1e-9, "maxiter": 10000}).x
    lead = best[white] + best[n] - best[black]
    expected = 1 / (1 + np.exp(-lead))

    # Sandwich: curvature as if every game were won or lost, scatter of the points as it was.
    curvature, scatter = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
    for a, b, l, d, w, e in zip(white, black, lost, drawn, won, expected):
        direction = np.zeros(n + 1)
        direction[[a, b, n]] = 1, -1, 1
        outer = np.outer(direction, direction)
        curvature += (l + d + w) * e * (1 - e) * outer
        scatter += (l * e ** 2 + d * (0.5 - e) ** 2 + w * (1 - e) ** 2) * outer
    inverse = np.linalg.pinv(curvature)
    covariance = inverse @ scatter @ inverse
    errors = 1.959964 * UNIT * np.sqrt(np.diag(covariance))
    print("# player, rating (mean 0), error (95 %); last White's advantage")
    for player, rating, error in zip(players, UNIT * (best[:n] - best[:n].mean()), errors):
        print(f"{player} {rating:.4f} {error:.3f}")
    print(f"White {UNIT * best[n]:.4f} {errors[n]:.3f}")


if __name__ == "__main__":
    crosstable(sys.argv[2:]) if sys.argv[1] == "crosstable" else fit(sys.argv[2])
