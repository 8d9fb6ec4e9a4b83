# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes network.txt: what the seed network computes and learns, by JAX in 64 bits; nothing of Nue runs here.

HalfKP 256x2-32-32-1 with numbers that a formula gives, a few positions, loss |q - t|^2.5. Needs `pip install jax`.
"""
import jax
import jax.numpy as np

jax.config.update("jax_enable_x64", True)

WIDTH, HIDDEN = 256, [32, 32]
SCALE, UNIT, LAMBDA, EXPONENT = 400.0, 100 * 9600 / 3328, 0.6, 2.5
RATE, DECAY, STEPS = 0.01, 0.1, 2

# By tensor: the size of the sawtooth that its numbers are.
SPREAD = [0.15, 0.4, 0.1, 0.3, 0.3, 0.3, 0.5, 0.1]

# FEN, White's score in centipawns, White's result.
POSITIONS = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 30, 0.5),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", -120, 0.0),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 15, 1.0),
    ("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 3 9", 12, 0.5),
    ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", 250, 1.0),
    ("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", 900, 1.0),
]


def numbers(tensor, count, size):
    """The numbers of a tensor: a sawtooth between -size and size."""
    i = np.arange(count, dtype=np.int64)
    wave = ((i * 7919 + tensor * 104729) % 1009) / 504.0 - 1.0
    return (size * wave).astype(np.float32).astype(np.float64)


def pattern(count):
    i = np.arange(count, dtype=np.int64)
    return ((i * 31 + 7) % 101) / 50.0 - 1.0


def views(fen):
    """The indices that either side sees, the side to move first: King x Square x Role5 x Colour, Black's board upside down."""
    board, turn = fen.split()[:2]
    pieces = []
    for rank, row in zip(range(7, -1, -1), board.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces.append((8 * rank + file, letter.lower(), letter.isupper()))
                file += 1
    seen = []
    for white in [turn == "w", turn != "w"]:
        flip = 0 if white else 56
        king = next(square ^ flip for square, role, side in pieces if role == "k" and side == white)
        seen.append([
            ((king * 64 + (square ^ flip)) * 5 + "pnbrq".index(role)) * 2 + (side != white)
            for square, role, side in pieces
            if role != "k"
        ])
    return seen


def output(tensors, fen):
    rows, bias = tensors[0].reshape(-1, WIDTH), tensors[1]
    values = np.concatenate([bias + sum(rows[index] for index in view) for view in views(fen)]).clip(0, 1)
    layers = len(HIDDEN) + 1
    for layer in range(layers):
        weights, bias = tensors[2 + 2 * layer], tensors[3 + 2 * layer]
        values = bias + weights.reshape(len(bias), -1) @ values
        if layer + 1 < layers:
            values = values.clip(0, 1)
    return values[0]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def loss(tensors):
    total = 0
    for fen, score, result in POSITIONS:
        if fen.split()[1] == "b":
            score, result = -score, 1 - result
        target = LAMBDA * sigmoid(score / SCALE) + (1 - LAMBDA) * result
        total += abs(sigmoid(output(tensors, fen) * UNIT / SCALE) - target) ** EXPONENT
    return total / len(POSITIONS)


def main():
    sizes = [40960 * WIDTH, WIDTH]
    for inputs, outputs in zip([2 * WIDTH, *HIDDEN], [*HIDDEN, 1]):
        sizes += [inputs * outputs, outputs]
    tensors = [numbers(tensor, size, SPREAD[tensor]) for tensor, size in enumerate(sizes)]
    lines = [f"# network.py wrote this with JAX {jax.__version__} in 64 bits"]

    def say(name, values):
        lines.append(f"{name}: " + " ".join(f"{float(value):.9e}" for value in values))

    for fen, score, result in POSITIONS:
        lines.append(f"position: {score} {result} {fen}")
    say("spread", SPREAD)
    say("outputs", [output(tensors, fen) for fen, _, _ in POSITIONS])
    value, gradients = jax.value_and_grad(loss)(tensors)
    say("loss", [value])
    # Of every tensor: the gradient along a pattern, and its length.
    for gradient in gradients:
        say("gradient", [gradient @ pattern(len(gradient)), np.sqrt(gradient @ gradient)])
    first = [np.zeros_like(tensor) for tensor in tensors]
    second = [np.zeros_like(tensor) for tensor in tensors]
    for step in range(1, STEPS + 1):
        gradients = jax.grad(loss)(tensors)
        for t, g in enumerate(gradients):
            first[t] = 0.9 * first[t] + 0.1 * g
            second[t] = 0.999 * second[t] + 0.001 * g * g
            mean, square = first[t] / (1 - 0.9**step), second[t] / (1 - 0.999**step)
            tensors[t] = tensors[t] * (1 - RATE * DECAY) - RATE * mean / (np.sqrt(square) + 1e-8)
    say("learned", [output(tensors, fen) for fen, _, _ in POSITIONS])
    with open("network.txt", "w") as file:
        file.write("\n".join(lines) + "\n")


main()
