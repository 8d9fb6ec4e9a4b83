// SPDX-License-Identifier: GPL-3.0-or-later
//! Gradient descent (Adam) on the squared error of expected results.
//!
//! The piece-square terms are learnt as a shared part plus a small part for each zone of the king, so
//! that rare zones take after the common ones; the parts are added up in the end.

use std::thread;

use features::chess::terms::{COUNT, SCALE_CLASSES, Term};

use crate::{
    model::{Weights, sigmoid},
    samples::{Facts, Samples},
};

/// How to fit.
pub(crate) struct Plan {
    pub(crate) epochs: usize,
    pub(crate) rate: f32,
    /// The share of the score, against the result, in the target.
    pub(crate) score_share: f32,
    /// Centipawns per unit of the logistic curve.
    pub(crate) slope: f32,
    /// Pull of every coefficient towards zero.
    pub(crate) decay: f32,
    pub(crate) without: Vec<Term>,
}

impl Plan {
    pub(crate) fn target(&self, facts: &Facts) -> f32 {
        self.score_share * sigmoid(facts.score / self.slope) + (1.0 - self.score_share) * facts.result
    }
}

const BATCH: usize = 16_384;
/// A batch is always learnt in this many parts, so that sums round alike on every machine.
const PARTS: usize = 2;

const SQUARES: usize = 12 * 64;
const SHARED: [Term; 1] = [Term::PieceSquare];
/// Where the shared parts and the scales begin among the parameters.
const SHARED_START: usize = 2 * COUNT;
const SCALE_START: usize = SHARED_START + SHARED.len() * 2 * SQUARES;
const PARAMETERS: usize = SCALE_START + SCALE_CLASSES;

/// Calls for each parameter of a zone with that of its shared part.
fn each_shared(mut f: impl FnMut(usize, usize)) {
    for (nth, term) in SHARED.into_iter().enumerate() {
        for entry in 0..2 * term.entries() {
            f(2 * term.offset() + entry, SHARED_START + nth * 2 * SQUARES + entry % (2 * SQUARES));
        }
    }
}

fn weights(parameters: &[f32]) -> Weights {
    let mut own = parameters[..SHARED_START].to_vec();
    each_shared(|zoned, shared| own[zoned] += parameters[shared]);
    Weights {
        terms: own.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect(),
        scales: parameters[SCALE_START..].to_vec(),
    }
}

fn flatten(gradients: &[Weights], positions: usize) -> Vec<f32> {
    let mut flat = vec![0.0; PARAMETERS];
    for gradient in gradients {
        for (sum, pair) in flat.chunks_exact_mut(2).zip(&gradient.terms) {
            sum[0] += pair[0] / positions as f32;
            sum[1] += pair[1] / positions as f32;
        }
        for (sum, scale) in flat[SCALE_START..].iter_mut().zip(&gradient.scales) {
            *sum += scale / positions as f32;
        }
    }
    let zoned = flat.clone();
    each_shared(|zone, shared| flat[shared] += zoned[zone]);
    flat
}

fn start() -> Vec<f32> {
    let mut parameters = vec![0.0; PARAMETERS];
    for (role, value) in [100.0, 300.0, 300.0, 500.0, 900.0].into_iter().enumerate() {
        let at = 2 * (Term::Material.offset() + role);
        parameters[at..at + 2].fill(value);
    }
    let base = 2 * Term::DangerBase.offset();
    parameters[base..base + 2].fill(50.0); // off the flat part of the curve
    parameters[SCALE_START..].fill(1.0);
    parameters
}

/// Fits the coefficients; `report` gets epoch, training loss and weights after each epoch.
pub(crate) fn fit(samples: &Samples, plan: &Plan, mut report: impl FnMut(usize, f32, &Weights)) -> Weights {
    let mut parameters = start();
    let mut moments = vec![(0.0f32, 0.0f32); PARAMETERS];
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let steps = plan.epochs * samples.len().div_ceil(BATCH);
    let mut step = 0;
    for epoch in 1..=plan.epochs {
        shuffle(&mut order, &mut random);
        let mut loss = 0.0;
        for batch in order.chunks(BATCH) {
            let weights = weights(&parameters);
            let learnt = learn(samples, plan, batch, &weights);
            loss += learnt.iter().map(|(_, loss)| loss).sum::<f32>();
            let gradients: Vec<Weights> = learnt.into_iter().map(|(gradient, _)| gradient).collect();
            let mut gradient = flatten(&gradients, batch.len());
            for term in &plan.without {
                gradient[2 * term.offset()..2 * (term.offset() + term.entries())].fill(0.0);
            }
            step += 1;
            let progress = step as f32 / steps as f32;
            let rate = plan.rate * (0.5 + 0.5 * (progress * std::f32::consts::PI).cos());
            descend(&mut parameters, &mut moments, &gradient, rate, step, plan);
        }
        report(epoch, loss / samples.len() as f32, &weights(&parameters));
    }
    weights(&parameters)
}

fn learn(samples: &Samples, plan: &Plan, batch: &[u32], weights: &Weights) -> Vec<(Weights, f32)> {
    let part = |numbers: &[u32]| {
        let mut gradient = Weights::zero();
        let mut loss = 0.0;
        for &number in numbers {
            let facts = &samples.facts[number as usize];
            loss += weights.learn(samples, facts, plan.target(facts), plan.slope, &mut gradient);
        }
        (gradient, loss)
    };
    thread::scope(|scope| {
        let parts: Vec<_> = batch
            .chunks(batch.len().div_ceil(PARTS))
            .map(|numbers| scope.spawn(move || part(numbers)))
            .collect();
        parts.into_iter().map(|part| part.join().expect("a learning thread panicked")).collect()
    })
}

fn descend(
    parameters: &mut [f32],
    moments: &mut [(f32, f32)],
    gradient: &[f32],
    rate: f32,
    step: usize,
    plan: &Plan,
) {
    const FADE: (f32, f32) = (0.9, 0.999);
    let correct = |fade: f32| 1.0 - fade.powi(step.min(20_000) as i32);
    let (first, second) = (correct(FADE.0), correct(FADE.1));
    for (at, parameter) in parameters.iter_mut().enumerate() {
        let is_scale = at >= SCALE_START;
        let pull = if is_scale || at < 10 { 0.0 } else { plan.decay * *parameter };
        let slope = gradient[at] + pull;
        let (mean, square) = &mut moments[at];
        *mean = FADE.0 * *mean + (1.0 - FADE.0) * slope;
        *square = FADE.1 * *square + (1.0 - FADE.1) * slope * slope;
        let rate = if is_scale { rate / 100.0 } else { rate };
        *parameter -= rate * (*mean / first) / ((*square / second).sqrt() + 1e-12);
        if is_scale {
            *parameter = parameter.clamp(0.0, 3.0);
        }
    }
}

fn shuffle(order: &mut [u32], random: &mut u64) {
    for last in (1..order.len()).rev() {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        order.swap(last, (*random % (last as u64 + 1)) as usize);
    }
}
