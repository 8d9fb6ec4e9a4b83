// SPDX-License-Identifier: GPL-3.0-or-later
//! How weights follow their gradients.
//!
//! An [`OptimiserSpec`] is what a configuration says; each step of a run makes a [`Rule`] of it, in which everything
//! that is the same for all weights is computed already. A rule keeps up to two numbers per weight, the
//! *slots*; looking ahead keeps one more.

use serde::Deserialize;

/// An optimiser with its numbers, as a configuration gives it.
#[derive(Copy, Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptimiserSpec {
    /// Which one.
    pub kind: OptimiserKind,
    /// Memory of the mean of the gradients (Adam and its kin).
    pub beta1: f64,
    /// Memory of the mean of their squares (Adam and its kin).
    pub beta2: f64,
    /// What keeps denominators from zero; by default 1e-8, and 1e-6 for Adadelta.
    pub epsilon: Option<f64>,
    /// Weight decay: apart from the gradient for `adamw`, `radam` and `ranger`, as L2 within it for the others.
    /// By default 0.01 for `adamw` and none for the others.
    pub decay: Option<f64>,
    /// Memory of Adadelta.
    pub rho: f64,
    /// Memory of the gradients in `sgd`.
    pub momentum: f64,
    /// Of `ranger`: every how many steps the slow weights follow.
    pub ahead: u64,
    /// Of `ranger`: how far they follow.
    pub pull: f64,
    /// The largest gradient of a single weight; larger ones are cut.
    pub clip_gradient: Option<f64>,
}

impl Default for OptimiserSpec {
    fn default() -> OptimiserSpec {
        OptimiserSpec {
            kind: OptimiserKind::AdamW,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: None,
            decay: None,
            rho: 0.95,
            momentum: 0.9,
            ahead: 5,
            pull: 0.5,
            clip_gradient: None,
        }
    }
}

/// The optimisers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OptimiserKind {
    /// Kingma and Ba, 2015.
    Adam,
    /// Adam with decoupled weight decay: Loshchilov and Hutter, 2019.
    AdamW,
    /// Adam with a rectified start: Liu and others, 2020.
    RAdam,
    /// RAdam that looks ahead: Wright, 2019, after Zhang and others, 2019.
    Ranger,
    /// Zeiler, 2012; Karhan's choice.
    Adadelta,
    /// Stochastic gradient descent with momentum.
    Sgd,
}

/// What all weights have in common in one step.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Rule {
    /// Which formula.
    pub formula: Formula,
    /// The learning rate, with the corrections that are the same for all weights.
    pub rate: f32,
    /// Memories of the two slots.
    pub memory: [f32; 2],
    /// What the root of the second slot is multiplied with.
    pub root: f32,
    /// What keeps denominators from zero.
    pub epsilon: f32,
    /// What a weight is multiplied with first.
    pub keep: f32,
    /// The share of the weight that is added to its gradient.
    pub l2: f32,
    /// The largest gradient.
    pub clip: f32,
}

/// The formulas that the optimisers come down to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `w −= rate · m / (root · √v + ε)`
    Adaptive,
    /// `w −= rate · m`, but the squares are remembered too: the start of RAdam.
    Cautious,
    /// `w −= rate · g · √(u + ε) / √(v + ε)`, with `u` the mean square of past changes.
    Adadelta,
    /// `m = memory · m + g; w −= rate · m`
    Momentum,
}

impl OptimiserSpec {
    /// How many numbers are kept per weight.
    pub fn slots(&self) -> usize {
        match self.kind {
            OptimiserKind::Sgd => 1,
            OptimiserKind::Ranger => 3,
            _ => 2,
        }
    }

    /// Of `ranger`: whether the slow weights follow after this step, and how far.
    pub fn pull_after(&self, step: u64) -> Option<f32> {
        let looks = self.kind == OptimiserKind::Ranger && step.is_multiple_of(self.ahead.max(1));
        looks.then_some(self.pull as f32)
    }

    /// The rule of a step, counted from 1.
    pub fn rule(&self, step: u64, rate: f64) -> Rule {
        let (beta1, beta2, t) = (self.beta1, self.beta2, step as f64);
        let decay = self.decay.unwrap_or(if self.kind == OptimiserKind::AdamW { 0.01 } else { 0.0 });
        let decoupled =
            matches!(self.kind, OptimiserKind::AdamW | OptimiserKind::RAdam | OptimiserKind::Ranger);
        let (keep, l2) = if decoupled { (1.0 - rate * decay, 0.0) } else { (1.0, decay) };
        let first = rate / (1.0 - beta1.powf(t));
        let second = 1.0 - beta2.powf(t);
        let (formula, rate, memory) = match self.kind {
            OptimiserKind::Adam | OptimiserKind::AdamW => (Formula::Adaptive, first, [beta1, beta2]),
            OptimiserKind::RAdam | OptimiserKind::Ranger => match rectification(beta2, t) {
                Some(share) => (Formula::Adaptive, share * first, [beta1, beta2]),
                None => (Formula::Cautious, first, [beta1, beta2]),
            },
            OptimiserKind::Adadelta => (Formula::Adadelta, rate, [self.rho; 2]),
            OptimiserKind::Sgd => (Formula::Momentum, rate, [self.momentum, 0.0]),
        };
        let epsilon = if self.kind == OptimiserKind::Adadelta { 1e-6 } else { 1e-8 };
        Rule {
            formula,
            rate: rate as f32,
            memory: memory.map(|memory| memory as f32),
            root: (1.0 / second.sqrt()) as f32,
            epsilon: self.epsilon.unwrap_or(epsilon) as f32,
            keep: keep as f32,
            l2: l2 as f32,
            clip: self.clip_gradient.map_or(f32::INFINITY, |clip| clip as f32),
        }
    }
}

/// How far RAdam trusts the second moment at a step; none while its variance cannot be told: up to a length
/// of 5, as in the authors' implementation.
fn rectification(beta2: f64, t: f64) -> Option<f64> {
    let longest = 2.0 / (1.0 - beta2) - 1.0;
    let power = beta2.powf(t);
    let length = longest - 2.0 * t * power / (1.0 - power);
    let share = |length: f64| (length - 4.0) * (length - 2.0) / length;
    (length > 5.0).then(|| (share(length) / share(longest)).sqrt())
}

impl Rule {
    /// Moves weights along their gradients and keeps them within the limit, either side of zero.
    pub fn apply(&self, weights: &mut [f32], gradients: &[f32], slots: [&mut [f32]; 2], limit: f32) {
        let [first, second] = slots;
        let prepared = |weight: f32, gradient: f32| {
            (gradient.clamp(-self.clip, self.clip) + self.l2 * weight, self.keep * weight)
        };
        let [b1, b2] = self.memory;
        let all = weights.iter_mut().zip(gradients).zip(first.iter_mut());
        match self.formula {
            Formula::Momentum => all.for_each(|((w, &g), m)| {
                let (g, kept) = prepared(*w, g);
                *m = b1 * *m + g;
                *w = (kept - self.rate * *m).clamp(-limit, limit);
            }),
            Formula::Adaptive => all.zip(second.iter_mut()).for_each(|(((w, &g), m), v)| {
                let (g, kept) = prepared(*w, g);
                *m = b1 * *m + (1.0 - b1) * g;
                *v = b2 * *v + (1.0 - b2) * (g * g);
                *w = (kept - self.rate * *m / (self.root * v.sqrt() + self.epsilon)).clamp(-limit, limit);
            }),
            Formula::Cautious => all.zip(second.iter_mut()).for_each(|(((w, &g), m), v)| {
                let (g, kept) = prepared(*w, g);
                *m = b1 * *m + (1.0 - b1) * g;
                *v = b2 * *v + (1.0 - b2) * (g * g);
                *w = (kept - self.rate * *m).clamp(-limit, limit);
            }),
            Formula::Adadelta => all.zip(second.iter_mut()).for_each(|(((w, &g), v), u)| {
                let (g, kept) = prepared(*w, g);
                *v = b1 * *v + (1.0 - b1) * (g * g);
                let change = (*u + self.epsilon).sqrt() / (*v + self.epsilon).sqrt() * g;
                *u = b2 * *u + (1.0 - b2) * (change * change);
                *w = (kept - self.rate * change).clamp(-limit, limit);
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(kind: OptimiserKind) -> OptimiserSpec {
        OptimiserSpec { kind, decay: Some(0.0), ..OptimiserSpec::default() }
    }

    /// Weights after some steps on given gradients of one weight that begins at 1.
    fn path(spec: OptimiserSpec, rate: f64, gradients: &[f32]) -> Vec<f32> {
        let (mut weight, mut first, mut second) = ([1.0], [0.0], [0.0]);
        (1..)
            .zip(gradients)
            .map(|(step, &gradient)| {
                let rule = spec.rule(step, rate);
                rule.apply(&mut weight, &[gradient], [&mut first, &mut second], 10.0);
                weight[0]
            })
            .collect()
    }

    fn near(found: &[f32], expected: &[f32]) {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 2e-6, "{found:?}, expected {expected:?}");
        }
    }

    const GRADIENTS: [f32; 6] = [0.5, -0.25, 1.0, 0.125, -2.0, 0.75];

    /// `tests/golden/optimisers.py` computed them.
    #[test]
    fn the_paths_are_those_of_an_independent_computation() {
        let golden = include_str!("../tests/golden/optimisers.txt");
        for line in golden.lines().filter(|line| !line.starts_with('#')) {
            let (name, values) = line.split_once(':').unwrap();
            let expected: Vec<f32> = values.split_whitespace().map(|word| word.parse().unwrap()).collect();
            let (spec, rate) = match name {
                "adam" => (spec(OptimiserKind::Adam), 0.01),
                "adam-l2" => (OptimiserSpec { decay: Some(0.1), ..spec(OptimiserKind::Adam) }, 0.01),
                "adamw" => (OptimiserSpec { decay: Some(0.1), ..spec(OptimiserKind::AdamW) }, 0.01),
                "radam" => (spec(OptimiserKind::RAdam), 0.01),
                "adadelta" => (spec(OptimiserKind::Adadelta), 1.0),
                "sgd" => (spec(OptimiserKind::Sgd), 0.01),
                other => panic!("no optimiser '{other}'"),
            };
            near(&path(spec, rate, &GRADIENTS), &expected);
        }
    }

    #[test]
    fn weights_stay_within_their_limit_and_gradients_are_cut() {
        let mut weight = [1.9];
        let rule = spec(OptimiserKind::Sgd).rule(1, 1.0);
        rule.apply(&mut weight, &[-5.0], [&mut [0.0], &mut []], 1.98);
        assert_eq!(weight, [1.98]);
        let cut = OptimiserSpec { clip_gradient: Some(0.5), ..spec(OptimiserKind::Sgd) };
        near(&path(cut, 1.0, &[7.0]), &[0.5]);
    }

    #[test]
    fn ranger_follows_every_few_steps() {
        let ranger = spec(OptimiserKind::Ranger);
        assert_eq!([4, 5, 6, 10].map(|step| ranger.pull_after(step)), [None, Some(0.5), None, Some(0.5)]);
        assert_eq!((ranger.slots(), spec(OptimiserKind::Adam).pull_after(5)), (3, None));
    }
}
