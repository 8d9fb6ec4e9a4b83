// SPDX-License-Identifier: GPL-3.0-or-later
//! Small networks of every kind, trained on CPU and GPU side by side.

use std::{process::ExitCode, sync::Arc};

use trainer::{
    Backend, BackendError, Cpu, Cuda, Dataset, Layout, LossKind, LossSpec, OptimiserKind, OptimiserSpec,
    State,
};

use crate::{positions, shapes};

/// The largest relative difference of two losses that is good.
const TOLERANCE: f64 = 1e-4;
/// The same where weights are rounded: they jump, a step sooner or later if the last bit says so.
const ROUNDED_TOLERANCE: f64 = 1e-3;
/// Positions of the data, and of a batch; both can be cut into triplets.
const POSITIONS: usize = 24_576;
const BATCH: usize = 768;

/// One comparison.
struct Case {
    layout: Layout,
    loss: LossSpec,
    optimiser: OptimiserSpec,
    rate: f64,
    rounded: bool,
}

/// What came of it.
struct Found {
    /// Without a GPU nothing is known of it.
    has_gpu: bool,
    /// The largest relative difference of a loss between CPU and GPU.
    gpu: f64,
    /// Of the first step: the largest difference of a gradient, as a share of the largest gradient of its tensor.
    gradient: f64,
    /// The same between the CPU and itself, begun with other last bits.
    cpu: f64,
    /// Whether the GPU ends twice with the same bits.
    repeats: bool,
    /// The last loss.
    loss: f64,
}

/// Every shape, with losses and optimisers by turns. Rates are gentle: at usual ones a network that learns a few thousand
/// positions by heart magnifies the last bit of a float to a thousandth of the loss within a few hundred steps.
fn cases() -> Vec<Case> {
    let kinds = [
        (OptimiserKind::AdamW, 1e-5),
        (OptimiserKind::Sgd, 0.1),
        (OptimiserKind::Adam, 1e-5),
        (OptimiserKind::RAdam, 1e-5),
        (OptimiserKind::Adadelta, 0.1),
        (OptimiserKind::Ranger, 1e-5),
    ];
    let power = |exponent| LossSpec { exponent, ..LossSpec::default() };
    let other = |kind| LossSpec { kind, ..LossSpec::default() };
    let losses = [power(2.0), other(LossKind::CrossEntropy), power(2.5), other(LossKind::MeanSquare)];
    let mut cases = Vec::new();
    // What the GPU refuses is not to be compared.
    let known = shapes::layouts().into_iter().filter(|layout| !layout.features.is_counted());
    for (number, layout) in known.enumerate() {
        // Every third network is rounded too; triplets know one bucket only.
        let mut ways = vec![(losses[number % losses.len()], false)];
        if number % 3 == 0 {
            ways.push((losses[0], true));
        }
        if layout.arch.buckets == 1 && number % 2 == 0 {
            ways.push((other(LossKind::Pqr), false));
        }
        for (loss, rounded) in ways {
            // Where weights are rounded the last bit soon decides which way, and only Adam's small steps are predictable.
            let (kind, rate) = if rounded { kinds[0] } else { kinds[cases.len() % kinds.len()] };
            let optimiser = OptimiserSpec { kind, ..OptimiserSpec::default() };
            cases.push(Case { layout: layout.clone(), loss, optimiser, rate, rounded });
        }
    }
    cases
}

impl Case {
    /// How many of some steps are compared: for the same reason fewer if weights are rounded.
    fn steps(&self, steps: u64) -> u64 {
        if self.rounded { steps.div_ceil(10) } else { steps }
    }

    fn run(&self, steps: u64) -> Result<Found, BackendError> {
        let records = positions::records(POSITIONS, 77);
        let data = Arc::new(Dataset::from_records(records, 5).in_groups(self.loss.kind.group()));
        let state = shapes::start(&self.layout, self.optimiser.slots(), 11);
        let cpu = |state: &State| Cpu::new(self.layout.clone(), data.clone(), state, BATCH, 0, self.rounded);
        let gpu = || Cuda::new(self.layout.clone(), &data, &state, BATCH, self.rounded);
        let mut first = match gpu() {
            Ok(cuda) => Some(cuda),
            Err(BackendError::NoCuda(_)) => None,
            Err(error) => return Err(error),
        };
        let (mut left, mut right) = (cpu(&state)?, cpu(&nudged(&state))?);
        let mut found =
            Found { has_gpu: first.is_some(), gpu: 0.0, gradient: 0.0, cpu: 0.0, repeats: false, loss: 0.0 };
        for step in 0..steps {
            let plan = shapes::step(&self.layout, &self.optimiser, &self.loss, step, BATCH, self.rate);
            left.step(&plan)?;
            right.step(&plan)?;
            found.loss = left.take_loss()?;
            let apart = |other: f64| (found.loss / other - 1.0).abs();
            found.cpu = worse(found.cpu, apart(right.take_loss()?));
            if let Some(first) = &mut first {
                first.step(&plan)?;
                found.gpu = worse(found.gpu, apart(first.take_loss()?));
            }
        }
        if let Some(mut first) = first {
            found.repeats = self.again(gpu()?, steps)? == first.state()?;
            found.gradient = self.gradients_apart(&data)?;
        }
        Ok(found)
    }

    /// How far the gradients of one step are apart.
    fn gradients_apart(&self, data: &Arc<Dataset>) -> Result<f64, BackendError> {
        let (layout, descent) = (&self.layout, shapes::descent());
        let state = shapes::start(layout, descent.slots(), 11);
        let plan = shapes::step(layout, &descent, &self.loss, 0, BATCH, 1e-3);
        let gradients = |backend: &mut dyn Backend| -> Result<Vec<Vec<f32>>, BackendError> {
            backend.step(&plan)?;
            Ok(backend.state()?.slots.swap_remove(0))
        };
        let left = gradients(&mut Cpu::new(layout.clone(), data.clone(), &state, BATCH, 0, self.rounded)?)?;
        let right = gradients(&mut Cuda::new(layout.clone(), data, &state, BATCH, self.rounded)?)?;
        let mut worst = 0.0;
        for (left, right) in left.iter().zip(&right) {
            let largest = left.iter().fold(0.0, |largest: f32, number| largest.max(number.abs()));
            for (a, b) in left.iter().zip(right) {
                worst = worse(worst, f64::from((a - b).abs()) / f64::from(largest.max(f32::MIN_POSITIVE)));
            }
        }
        Ok(worst)
    }

    /// The state after the same steps once more, without a look at the losses.
    fn again(&self, mut cuda: Cuda, steps: u64) -> Result<State, BackendError> {
        for step in 0..steps {
            cuda.step(&shapes::step(&self.layout, &self.optimiser, &self.loss, step, BATCH, self.rate))?;
        }
        cuda.state()
    }
}

/// The larger one; what is no number is worst.
fn worse(a: f64, b: f64) -> f64 {
    if b.is_nan() || b > a { b } else { a }
}

/// A state whose numbers differ in the last bit, every other one.
fn nudged(state: &State) -> State {
    let mut state = state.clone();
    for number in state.numbers.iter_mut().flatten().step_by(2) {
        *number = f32::from_bits(number.to_bits() ^ 1);
    }
    state
}

/// Runs all cases; anything that is not as it should be makes the exit code a failure.
#[allow(clippy::print_stdout, reason = "an example reports on standard output")]
pub(crate) fn all(steps: u64) -> ExitCode {
    println!(
        "largest relative difference of the loss over {steps} steps of {BATCH} positions, bar {TOLERANCE:.0e};"
    );
    println!("where weights are rounded over a tenth of the steps, bar {ROUNDED_TOLERANCE:.0e}");
    println!(
        "GPU: CPU and GPU, gradients: theirs in the first step, same bars; CPU: the CPU and itself with other last bits at the start"
    );
    let mut failures = 0;
    let cases = cases();
    for case in &cases {
        let Case { layout, loss, optimiser, rate, rounded } = case;
        let dropout =
            if layout.dropout > 0.0 { format!(", dropout {}", layout.dropout) } else { String::new() };
        let name = format!(
            "{} of {}{}{}{dropout}, {:?} {}, {:?} at {rate}",
            layout.arch,
            layout.features,
            if layout.factor.is_some() { ", factoriser" } else { "" },
            if *rounded { format!(", rounded, {} steps", case.steps(steps)) } else { String::new() },
            loss.kind,
            loss.exponent,
            optimiser.kind,
        );
        let verdict = match case.run(case.steps(steps)) {
            Ok(found) if !found.has_gpu => {
                failures += 1;
                format!("NO GPU: CPU {:.1e}, loss {:.5}", found.cpu, found.loss)
            }
            Ok(found) => {
                let bar = if *rounded { ROUNDED_TOLERANCE } else { TOLERANCE };
                let good = found.repeats && found.gpu <= bar && found.gradient <= bar;
                failures += usize::from(!good);
                format!(
                    "{}: GPU {:.1e}, gradients {:.1e}, CPU {:.1e}, repeats {}, loss {:.5}",
                    if good { "ok" } else { "NOT ok" },
                    found.gpu,
                    found.gradient,
                    found.cpu,
                    found.repeats,
                    found.loss
                )
            }
            Err(error) => {
                failures += 1;
                format!("NOT ok: {error}")
            }
        };
        println!("{verdict}: {name}");
    }
    println!("{} of {} cases ok", cases.len() - failures, cases.len());
    ExitCode::from(u8::from(failures > 0))
}
