# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes optimisers.txt: paths of one weight under torch.optim, or under the papers' formulas without torch."""
import math

GRADIENTS = [0.5, -0.25, 1.0, 0.125, -2.0, 0.75]


def with_torch():
    import torch

    def path(make):
        weight = torch.nn.Parameter(torch.tensor([1.0], dtype=torch.float64))
        optimiser, values = make([weight]), []
        for gradient in GRADIENTS:
            weight.grad = torch.tensor([gradient], dtype=torch.float64)
            optimiser.step()
            values.append(weight.item())
        return values

    return f"torch {torch.__version__}", {
        "adam": path(lambda p: torch.optim.Adam(p, lr=0.01)),
        "adam-l2": path(lambda p: torch.optim.Adam(p, lr=0.01, weight_decay=0.1)),
        "adamw": path(lambda p: torch.optim.AdamW(p, lr=0.01, weight_decay=0.1)),
        "radam": path(lambda p: torch.optim.RAdam(p, lr=0.01)),
        "adadelta": path(lambda p: torch.optim.Adadelta(p, lr=1.0, rho=0.95, eps=1e-6)),
        "sgd": path(lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9)),
    }


def with_formulas():
    def adam(l2=0.0, decay=0.0, rectified=False, rate=0.01, b1=0.9, b2=0.999):
        w, m, v, values = 1.0, 0.0, 0.0, []
        for t, g in enumerate(GRADIENTS, 1):
            g, w = g + l2 * w, w * (1 - rate * decay)
            m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
            mean, size = m / (1 - b1**t), math.sqrt(v / (1 - b2**t)) + 1e-8
            if rectified:
                longest = 2 / (1 - b2) - 1
                n = longest - 2 * t * b2**t / (1 - b2**t)
                share = math.sqrt((n - 4) * (n - 2) * longest / ((longest - 4) * (longest - 2) * n)) if n > 5 else None
                w -= rate * mean if share is None else rate * share * mean / size
            else:
                w -= rate * mean / size
            values.append(w)
        return values

    def adadelta(rho=0.95, eps=1e-6):
        w, v, u, values = 1.0, 0.0, 0.0, []
        for g in GRADIENTS:
            v = rho * v + (1 - rho) * g * g
            change = math.sqrt(u + eps) / math.sqrt(v + eps) * g
            u = rho * u + (1 - rho) * change**2
            w -= change
            values.append(w)
        return values

    def sgd(rate=0.01, momentum=0.9):
        w, m, values = 1.0, 0.0, []
        for g in GRADIENTS:
            m = momentum * m + g
            w -= rate * m
            values.append(w)
        return values

    return "the papers' formulas in Python", {
        "adam": adam(), "adam-l2": adam(l2=0.1), "adamw": adam(decay=0.1), "radam": adam(rectified=True),
        "adadelta": adadelta(), "sgd": sgd(),
    }


try:
    source, paths = with_torch()
except ImportError:
    source, paths = with_formulas()
print(f"# One weight from 1.0 on gradients {GRADIENTS}, by {source}; made by optimisers.py")
for name, values in paths.items():
    print(f"{name}: {' '.join(f'{value:.10f}' for value in values)}")
