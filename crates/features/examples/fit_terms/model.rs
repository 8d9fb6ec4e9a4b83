// SPDX-License-Identifier: GPL-3.0-or-later
//! The evaluation in floating point, with its gradient.

use features::chess::terms::{COUNT, DANGER_DIVISOR, Group, SCALE_CLASSES, Term};

use crate::samples::{Entry, Facts, Samples};

/// The coefficients: middlegame and endgame of each entry, and the share of an endgame advantage that
/// counts in each class.
#[derive(Clone)]
pub(crate) struct Weights {
    pub(crate) terms: Vec<[f32; 2]>,
    pub(crate) scales: Vec<f32>,
}

impl Weights {
    pub(crate) fn zero() -> Weights {
        Weights { terms: vec![[0.0; 2]; COUNT], scales: vec![0.0; SCALE_CLASSES] }
    }

    fn sum(&self, entries: &[Entry]) -> [f32; 2] {
        entries.iter().fold([0.0; 2], |[mg, eg], entry| {
            let weight = self.terms[usize::from(entry.index)];
            let n = f32::from(entry.count);
            [mg + n * weight[0], eg + n * weight[1]]
        })
    }

    fn spread(&mut self, entries: &[Entry], gradient: [f32; 2]) {
        for entry in entries {
            let weight = &mut self.terms[usize::from(entry.index)];
            let n = f32::from(entry.count);
            weight[0] += n * gradient[0];
            weight[1] += n * gradient[1];
        }
    }

    /// White's evaluation of a position in centipawns.
    pub(crate) fn evaluate(&self, samples: &Samples, facts: &Facts) -> f32 {
        self.forward(samples, facts).value
    }

    /// The same evaluation in a unit `factor` times as large.
    ///
    /// Endgame values and scales share a free factor, which is chosen so that the largest scale is 2:
    /// that keeps the endgame sums of positions full of queens within 16 bits.
    pub(crate) fn normalized(mut self, factor: f32) -> Weights {
        let stretch = 2.0 / self.scales.iter().fold(0.0f32, |most, &scale| most.max(scale));
        self.scales.iter_mut().for_each(|scale| *scale *= stretch);
        for term in Term::ALL {
            // The danger is squared afterwards.
            let power = if term.group() == Group::Danger { 0.5 } else { 1.0 };
            for weight in &mut self.terms[term.offset()..term.offset() + term.entries()] {
                *weight = [weight[0] * factor.powf(power), weight[1] * (factor / stretch).powf(power)];
            }
        }
        self
    }

    fn forward(&self, samples: &Samples, facts: &Facts) -> Forward {
        let counts = samples.counts(facts);
        let [mut mg, mut eg] = self.sum(counts.linear);
        let danger = counts.danger.map(|entries| self.sum(entries).map(|danger| danger.max(0.0)));
        let square = |danger: f32| danger * danger / DANGER_DIVISOR as f32;
        mg += square(danger[0][0]) - square(danger[1][0]);
        eg += square(danger[0][1]) - square(danger[1][1]);
        let class = usize::from(facts.classes[usize::from(eg < 0.0)]);
        let value = mg * facts.phase + eg * self.scales[class] * (1.0 - facts.phase);
        Forward { eg, danger, class, value }
    }

    /// Adds `d loss / d value` of a position to the gradient; gives the squared error.
    pub(crate) fn learn(
        &self,
        samples: &Samples,
        facts: &Facts,
        target: f32,
        slope: f32,
        into: &mut Weights,
    ) -> f32 {
        let forward = self.forward(samples, facts);
        let guess = sigmoid(forward.value / slope);
        let error = guess - target;
        let upstream = 2.0 * error * guess * (1.0 - guess) / slope;
        let scale = self.scales[forward.class];
        let gradient = [upstream * facts.phase, upstream * scale * (1.0 - facts.phase)];
        let counts = samples.counts(facts);
        into.spread(counts.linear, gradient);
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let danger = forward.danger[side];
            let steep = |phase: usize| sign * 2.0 * danger[phase] / DANGER_DIVISOR as f32 * gradient[phase];
            into.spread(counts.danger[side], [steep(0), steep(1)]);
        }
        into.scales[forward.class] += upstream * forward.eg * (1.0 - facts.phase);
        error * error
    }
}

struct Forward {
    eg: f32,
    danger: [[f32; 2]; 2],
    class: usize,
    value: f32,
}

pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
