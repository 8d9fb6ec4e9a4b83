// SPDX-License-Identifier: GPL-3.0-or-later
//! The same mathematics once more, in 64 bits and as plainly as possible: what the backends are tested against.

use nnue::Activation;

use crate::{Dropout, Factor, Layout, Loss, LossKind, Record};

/// The output of a network for a position; `numbers` are the learned ones by tensor.
pub fn output(layout: &Layout, numbers: &[Vec<f64>], record: &Record) -> f64 {
    dropped_output(layout, numbers, record, &Dropout::NONE)
}

/// The same in training, where some activations are dropped.
pub fn dropped_output(layout: &Layout, numbers: &[Vec<f64>], record: &Record, dropout: &Dropout) -> f64 {
    let arch = &layout.arch;
    let mut values = Vec::new();
    for view in accumulators(layout, numbers, record) {
        let clipped: Vec<f64> = view.into_iter().map(|x| x.clamp(0.0, 1.0)).collect();
        match arch.activation {
            Activation::Clipped => values.extend(clipped),
            Activation::Squared => values.extend(clipped.iter().map(|x| x * x)),
            Activation::Pairwise => {
                let (first, second) = clipped.split_at(arch.width / 2);
                values.extend(first.iter().zip(second).map(|(a, b)| a * b));
            }
        }
    }
    let seed = dropout.seed_of(record);
    for (number, value) in (0..).zip(&mut values) {
        *value *= f64::from(dropout.factor(seed, number));
    }
    let bucket = arch.bucket(record.piece_count());
    for layer in 0..layout.layers() {
        let (weights, bias) = layout.layer(bucket, layer);
        let row =
            |(row, bias): (&[f64], &f64)| bias + row.iter().zip(&values).map(|(w, x)| w * x).sum::<f64>();
        let sums: Vec<f64> =
            numbers[weights].chunks_exact(values.len()).zip(&numbers[bias]).map(row).collect();
        if layer == arch.hidden.len() {
            return sums[0] + direct(layout, numbers, record, bucket);
        }
        let squared = arch.hidden_activation == Activation::Squared;
        let activate = |x: f64| if squared { x.clamp(0.0, 1.0).powi(2) } else { x.clamp(0.0, 1.0) };
        values = sums.into_iter().map(activate).collect();
    }
    0.0
}

/// What the direct weights say, if there are any.
fn direct(layout: &Layout, numbers: &[Vec<f64>], record: &Record, bucket: usize) -> f64 {
    let Some(tensor) = layout.direct() else { return 0.0 };
    let weight = |row: usize| numbers[tensor][row * layout.arch.buckets + bucket];
    let [own, other] = active(layout, record).map(|rows| rows.into_iter().map(weight).sum::<f64>());
    (own - other) / 2.0
}

/// The rows of both views.
fn active(layout: &Layout, record: &Record) -> [Vec<usize>; 2] {
    let mut rows = [vec![], vec![]];
    record.rows(&layout.features, |view, row| rows[view].push(row as usize));
    rows.map(|mut rows| {
        if layout.features.needs_counts() {
            rows.sort_unstable();
            rows.dedup();
        }
        rows
    })
}

/// The accumulators of both views before their activation.
pub fn accumulators(layout: &Layout, numbers: &[Vec<f64>], record: &Record) -> [Vec<f64>; 2] {
    let width = layout.arch.width;
    active(layout, record).map(|rows| {
        let mut sums = numbers[Layout::BIAS].clone();
        let mut add = |tensor: usize, row: usize| {
            let row = &numbers[tensor][row * width..][..width];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        };
        for row in rows {
            add(Layout::ROWS, row);
            if let (Some(factor), Some(shared)) = (&layout.factor, layout.shared())
                && factor.of_row[row] != Factor::NONE
            {
                add(shared, factor.of_row[row] as usize);
            }
        }
        sums
    })
}

/// The loss of an output for a position; not for triplets.
pub fn loss(loss: &Loss, output: f64, record: &Record) -> f64 {
    let output = output + f64::from(loss.by_hand) * f64::from(record.by_hand());
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    let score = f64::from(record.score());
    if loss.kind == LossKind::MeanSquare {
        return (output - score / f64::from(loss.unit)).powi(2);
    }
    let lambda = f64::from(loss.lambda);
    let target =
        lambda * sigmoid(score * f64::from(loss.target_slope)) + (1.0 - lambda) * f64::from(record.result());
    let q = sigmoid(output * f64::from(loss.slope));
    match loss.kind {
        LossKind::CrossEntropy => -target * q.ln() - (1.0 - target) * (1.0 - q).ln(),
        _ => (q - target).abs().powf(f64::from(loss.exponent)),
    }
}
