// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue net info`: what a network file holds.

use std::{fs, path::PathBuf};

use anyhow::Context;
use clap::Args;
use nnue::{Affine, Net, Scales, Weights, file};
use serde_json::{Value, json};

use crate::net_file;

/// Describe a network file.
#[derive(Args)]
pub(crate) struct Info {
    /// A network file of any format, compressed or not
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
}

/// The numbers of one kind, all buckets together.
struct Range {
    what: String,
    count: usize,
    min: i32,
    max: i32,
    zeros: usize,
}

impl Range {
    fn of(what: impl Into<String>, numbers: impl Iterator<Item = i32>) -> Range {
        let mut range = Range { what: what.into(), count: 0, min: i32::MAX, max: i32::MIN, zeros: 0 };
        for number in numbers {
            range.count += 1;
            range.min = range.min.min(number);
            range.max = range.max.max(number);
            range.zeros += usize::from(number == 0);
        }
        range
    }

    fn zero_share(&self) -> f64 {
        self.zeros as f64 / self.count.max(1) as f64
    }
}

impl Info {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let net = net_file::load(&self.file)?;
        let described = || -> anyhow::Result<_> {
            let (format, compressed) = net_file::form(&self.file)?;
            Ok((net_file::format_name(format), compressed, fs::metadata(&self.file)?.len()))
        };
        let (format, compressed, bytes) = described().with_context(|| self.file.display().to_string())?;
        if self.json {
            say!("{:#}", description(&net, format, compressed, bytes));
            return Ok(());
        }
        let zstd = if compressed { ", compressed with zstd" } else { "" };
        say!("file          {}", self.file.display());
        say!("format        {format}{zstd}");
        say!("size          {bytes} bytes, {} of them weights", net.arch.bytes());
        print(&net);
        Ok(())
    }
}

fn print(net: &Net) {
    let Scales { input, hidden, output, pawn } = net.arch.scales;
    say!("features      {}", net.features);
    if let Some(name) = net.features.name() {
        say!("              known as {name}");
    }
    say!("              {}, {} king classes", net.features.size(), net.features.classes());
    say!("architecture  {}", net.arch);
    say!("scales        input {input}, hidden {hidden}, output {output}, pawn {pawn}");
    say!("checksum      {:016x}", file::checksum(net));
    let run = if net.run.is_empty() { "unknown" } else { &net.run };
    say!("training run  {}\n", run.replace('\n', "\n              "));
    say!("{:<24}{:>12}{:>12}{:>12}{:>10}", "", "count", "smallest", "largest", "zeros");
    for range in ranges(net) {
        let Range { what, count, min, max, .. } = &range;
        say!("{what:<24}{count:>12}{min:>12}{max:>12}{:>8.2} %", 100.0 * range.zero_share());
    }
}

fn description(net: &Net, format: &str, compressed: bool, bytes: u64) -> Value {
    let arch = &net.arch;
    let range = |range: &Range| {
        json!({
            "what": range.what,
            "count": range.count,
            "min": range.min,
            "max": range.max,
            "zero_share": range.zero_share(),
        })
    };
    json!({
        "format": format,
        "compressed": compressed,
        "bytes": bytes,
        "features": {
            "expression": net.features.text(),
            "name": net.features.name(),
            "size": net.features.size(),
            "king_classes": net.features.classes(),
        },
        "architecture": {
            "text": arch.to_string(),
            "inputs": arch.inputs,
            "width": arch.width,
            "activation": arch.activation.to_string(),
            "hidden": arch.hidden,
            "hidden_activation": arch.hidden_activation.to_string(),
            "twofold": arch.twofold,
            "buckets": arch.buckets,
            "psqt": arch.psqt,
            "hand_crafted_percent": arch.hand_crafted,
        },
        "scales": {
            "input": arch.scales.input,
            "hidden": arch.scales.hidden,
            "output": arch.scales.output,
            "pawn": arch.scales.pawn,
        },
        "run": net.run,
        "checksum": format!("{:016x}", file::checksum(net)),
        "weights": ranges(net).iter().map(range).collect::<Value>(),
    })
}

/// What is there, from the features to the output.
fn ranges(net: &Net) -> Vec<Range> {
    let Weights { bias, rows, psqt, heads } = &net.weights;
    let mut ranges = vec![
        Range::of("accumulator biases", bias.iter().map(|&number| number.into())),
        Range::of("feature weights", rows.iter().map(|&number| number.into())),
    ];
    if net.arch.psqt {
        ranges.push(Range::of("direct weights", psqt.iter().copied()));
    }
    for number in 0..net.arch.layers().len() {
        let name = match number == net.arch.hidden.len() {
            true => "output".to_owned(),
            false => format!("hidden layer {}", number + 1),
        };
        let layers = || heads.iter().map(|head| &head.layers[number]);
        let biases = layers().flat_map(|layer: &Affine| layer.bias.iter().copied());
        let weights = layers().flat_map(|layer: &Affine| layer.weights.iter().map(|&number| number.into()));
        ranges.push(Range::of(format!("{name} biases"), biases));
        ranges.push(Range::of(format!("{name} weights"), weights));
    }
    ranges
}
