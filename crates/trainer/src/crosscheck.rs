// SPDX-License-Identifier: GPL-3.0-or-later
//! Does the engine play what was trained? Floats and integers compared over many positions.

use nnue::{Level, Net, NetError, Network};
use rayon::prelude::*;
use rules::Color;

use crate::{Layout, LossSpec, Record, sigmoid};

/// How far integers and floats are apart, in win rates from 0 to 1.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct CrossCheck {
    /// Positions compared.
    pub positions: usize,
    /// The mean error.
    pub mean: f64,
    /// The error that one position in a thousand exceeds.
    pub high: f64,
    /// The largest error.
    pub worst: f64,
    /// The number of that position.
    pub worst_at: usize,
}

impl CrossCheck {
    /// The largest mean error of a good network.
    pub const MEAN: f64 = 0.01;
    /// The largest error that one position in a thousand may exceed.
    pub const HIGH: f64 = 0.03;

    /// Whether the integers tell what was trained.
    pub fn is_good(&self) -> bool {
        self.mean < CrossCheck::MEAN && self.high < CrossCheck::HIGH
    }
}

/// Compares outputs of what was trained, in floating point, with the integers of a network; each stands beside as much of the
/// hand-crafted evaluation as it asks for. `scale` is that of the logistic curve in centipawns.
pub fn crosscheck(
    trained: &Layout,
    net: Net,
    records: &[Record],
    outputs: &[f32],
    scale: f64,
) -> Result<CrossCheck, NetError> {
    let loss = LossSpec { scale, ..LossSpec::default() }.at(1.0, trained);
    let centipawns = 100.0 / f64::from(net.arch.scales.pawn);
    let network = Network::new(net, Level::best())?;
    let error = |(record, &output): (&Record, &f32)| {
        let pieces: Vec<_> = record.pieces().collect();
        let raw = network.evaluate_pieces(&pieces, Color::White).unwrap_or(0);
        let by_hand = network.share_by_hand(|| i32::from(record.by_hand()));
        let played = (f64::from(raw) * centipawns + f64::from(by_hand)) / scale;
        f64::from((sigmoid(played as f32) - sigmoid(loss.slope * loss.joined(output, record))).abs())
    };
    let errors: Vec<f64> = records.par_iter().zip(outputs).map(error).collect();
    let mut sorted: Vec<(f64, usize)> = errors.iter().copied().zip(0..).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (worst, worst_at) = sorted.last().copied().unwrap_or((0.0, 0));
    let high = sorted.get(sorted.len() * 999 / 1000).map_or(0.0, |pair| pair.0);
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    Ok(CrossCheck { positions: errors.len(), mean, high, worst, worst_at })
}
