// SPDX-License-Identifier: GPL-3.0-or-later
//! `ledger.md`: the finished run as one line of the ledger of all networks.

use std::path::Path;

use super::{Entry, Learned, RunError};
use crate::{CrossCheck, Judged, Part, Record, config::FileSpec, crosscheck};

/// The columns of the ledger.
pub const COLUMNS: &str = "\
| net | data | features | shape | size | positions | loss | held-out loss | integers against floats | Elo | remarks |
|---|---|---|---|---|---|---|---|---|---|---|
";

/// Positions over which integers and floats are compared.
pub(super) const COMPARED: usize = 100_000;

/// The line of a run; `bytes` is the size of the exported network.
pub(super) fn line(
    learned: &Learned,
    parts: &[Part],
    last: Option<&Entry>,
    check: &CrossCheck,
    bytes: u64,
) -> String {
    let config = &learned.config;
    let mut names: Vec<String> = parts.iter().map(of_file).collect();
    if !config.data.teachers.is_empty() {
        let teachers: Vec<String> = config.data.teachers.iter().map(of_teacher).collect();
        let what = if config.data.judged == Judged::All { "" } else { "siblings " };
        names.push(format!("{what}judged by {}", teachers.join(" and ")));
    }
    if let Some(start) = &config.network.start {
        names.push(format!("begun with {}", name(start)));
    }
    if config.data.hindsight > 0.0 {
        names.push(format!("hindsight {}", config.data.hindsight));
    }
    let number = |loss: Option<f64>| loss.map_or_else(|| "–".to_owned(), |loss| format!("{loss:.6}"));
    let elo = last.and_then(|entry| entry.elo).map_or_else(|| "–".to_owned(), |rating| rating.to_string());
    let verdict = if check.is_good() { "good" } else { "not good" };
    let factoriser = if config.network.factoriser { ", factoriser" } else { "" };
    format!(
        "| {} | {} | {}{factoriser} | {} | {:.1} MB | {:.0} M | {} | {} | {verdict}: mean {:.3} %, 99.9 % of all {:.3} % | {elo} | |\n",
        config.name,
        names.join(", "),
        config.network.features,
        learned.layout.arch,
        bytes as f64 / 1e6,
        (learned.steps() * config.run.batch as u64) as f64 / 1e6,
        number(last.map(|entry| entry.loss)),
        number(last.and_then(|entry| entry.validation)),
        100.0 * check.mean,
        100.0 * check.high,
    )
}

fn of_file(part: &Part) -> String {
    format!("{} ({:.2} M{})", name(&part.path), part.len as f64 / 1e6, times(part.weight))
}

fn of_teacher(file: &FileSpec) -> String {
    let (path, weight) = file.parts();
    format!("{}{}", name(&path), times(weight))
}

fn times(weight: f64) -> String {
    if weight == 1.0 { String::new() } else { format!(" × {weight}") }
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Compares the network as it is now with its integers.
pub(super) fn compare(learned: &Learned, records: &[Record]) -> Result<CrossCheck, RunError> {
    let outputs = learned.outputs(records)?;
    Ok(crosscheck(&learned.layout, learned.net()?, records, &outputs, learned.config.loss.scale)
        .map_err(crate::ExportError::from)?)
}
