// SPDX-License-Identifier: GPL-3.0-or-later
//! The CPU computes the function it says, and its derivatives.

use rules::Random;
use trainer::{Backend, Course, Dataset, Dropout, Layout, LossKind, LossSpec, State, reference};

use crate::{
    positions,
    shapes::{self, descent},
};

fn doubles(state: &State) -> Vec<Vec<f64>> {
    state.numbers.iter().map(|list| list.iter().map(|&number| f64::from(number)).collect()).collect()
}

#[test]
fn outputs_are_those_of_the_reference() {
    let records = positions::records(333, 3);
    for layout in shapes::layouts() {
        let mut cpu = shapes::cpu(&layout, &records, &descent(), 64, 2);
        let numbers = doubles(&cpu.state().unwrap());
        for (record, output) in records.iter().zip(cpu.outputs(&records).unwrap()) {
            let expected = reference::output(&layout, &numbers, record);
            assert!(
                (f64::from(output) - expected).abs() < 1e-5,
                "{}: {output}, expected {expected}",
                layout.arch
            );
        }
    }
}

/// Some places of every tensor; those of the rows that occur.
fn places(layout: &Layout, gradients: &[Vec<f32>]) -> Vec<(usize, usize)> {
    let mut random = Random::new(17);
    let mut places = Vec::new();
    for (tensor, gradients) in gradients.iter().enumerate() {
        let busy: Vec<usize> = (0..gradients.len()).filter(|&at| gradients[at] != 0.0).collect();
        if busy.is_empty() {
            // No random game came down to so few pieces.
            assert!(
                layout.tensors[tensor].name.contains("of bucket") || layout.dropout > 0.0,
                "{} never learn",
                layout.tensors[tensor].name
            );
            continue;
        }
        places.extend((0..12).map(|_| (tensor, busy[(random.bits() % busy.len() as u64) as usize])));
        places.extend((0..2).map(|_| (tensor, (random.bits() % gradients.len() as u64) as usize)));
    }
    places
}

/// Batches of several strands, groups and segments, against batches of one.
#[test]
fn a_batch_is_the_mean_of_its_parts() {
    let (size, parts) = (4800, 20);
    let records = positions::records(size, 6);
    // What is dropped differs from step to step.
    for layout in shapes::layouts().into_iter().filter(|layout| layout.dropout == 0.0) {
        let gradients = |step: u64, size: usize| {
            let mut cpu = shapes::cpu(&layout, &records, &descent(), size, 2);
            cpu.step(&shapes::step(&layout, &descent(), &LossSpec::default(), step, size, 1e-3)).unwrap();
            cpu.state().unwrap().slots.swap_remove(0)
        };
        let whole = gradients(0, size);
        let mut mean: Vec<Vec<f64>> = whole.iter().map(|list| vec![0.0; list.len()]).collect();
        for part in 0..parts {
            for (mean, found) in mean.iter_mut().zip(gradients(part, size / parts as usize)) {
                mean.iter_mut().zip(found).for_each(|(mean, found)| *mean += f64::from(found) / parts as f64);
            }
        }
        for (tensor, (whole, mean)) in whole.iter().zip(&mean).enumerate() {
            let largest = mean.iter().fold(0.0, |largest: f64, number| largest.max(number.abs()));
            let apart = whole.iter().zip(mean).map(|(&a, b)| (f64::from(a) - b).abs()).fold(0.0, f64::max);
            assert!(
                apart <= 1e-5 * largest + 1e-9,
                "{}, {}: {apart} apart, largest {largest}",
                layout.arch,
                layout.tensors[tensor].name
            );
        }
    }
}

#[test]
fn gradients_are_derivatives() {
    let size = 96;
    let records = positions::records(size, 4);
    let spec = LossSpec { lambda: Course::Constant(0.6), exponent: 2.5, ..LossSpec::default() };
    let kinds = [LossKind::Power, LossKind::CrossEntropy, LossKind::MeanSquare];
    for (number, layout) in shapes::layouts().into_iter().enumerate() {
        let spec = LossSpec { kind: kinds[number % 3], ..spec };
        let mut cpu = shapes::cpu(&layout, &records, &descent(), size, 2);
        let mut numbers = doubles(&cpu.state().unwrap());
        let plan = shapes::step(&layout, &descent(), &spec, 0, size, 1e-3);
        cpu.step(&plan).unwrap();
        let keys = Dataset::from_records(records.clone(), 5).order(0).keys;
        let dropout = Dropout::new(layout.dropout, keys, plan.first);
        let loss = |numbers: &[Vec<f64>]| {
            let output = |record| reference::dropped_output(&layout, numbers, record, &dropout);
            let one = |record| reference::loss(&plan.loss, output(record), record);
            records.iter().map(one).sum::<f64>() / size as f64
        };
        let (found, expected) = (cpu.take_loss().unwrap(), loss(&numbers));
        assert!((found / expected - 1.0).abs() < 1e-5, "{}: loss {found}, expected {expected}", layout.arch);

        let gradients = cpu.state().unwrap().slots.swap_remove(0);
        for (tensor, at) in places(&layout, &gradients) {
            let (middle, step) = (numbers[tensor][at], 1e-6);
            let mut moved = |by: f64| {
                numbers[tensor][at] = middle + by;
                loss(&numbers)
            };
            let measured = (moved(step) - moved(-step)) / (2.0 * step);
            numbers[tensor][at] = middle;
            let gradient = f64::from(gradients[tensor][at]);
            assert!(
                (gradient - measured).abs() < 1e-4 * measured.abs() + 2e-8,
                "{}, {} number {at}: {gradient}, measured {measured}",
                layout.arch,
                layout.tensors[tensor].name,
            );
        }
    }
}
