// SPDX-License-Identifier: GPL-3.0-or-later
//! Values that have the right type and still make no sense, and the lines they stand on.

use features::chess::FeatureSet;
use nnue::ArchError;
use toml::de::{DeTable, DeValue};

use super::Config;
use crate::{Course, Device, Filter, Judged, Kind, Layout, LayoutError, LossKind, Precision};

/// A key such as `network.width`, and what is wrong with its value.
type Fault = (&'static str, String);

/// Checks what the types cannot.
pub(super) fn check(config: &Config) -> Result<(), Fault> {
    if config.precision == Precision::Bf16 && config.device == Device::Cuda {
        return Err(("precision", "'bf16' is for the CPU, expected 'f32' with device 'cuda'".to_owned()));
    }
    name(&config.name)?;
    network(config)?;
    data(config)?;
    elo(config)?;
    let (loss, schedule, optimiser, run) = (&config.loss, &config.schedule, &config.optimiser, &config.run);
    positive("loss.scale", loss.scale)?;
    // Below 1 the slope at the target itself is infinite.
    within("loss.exponent", loss.exponent, 1.0, 10.0)?;
    if let Some(scale) = loss.target_scale {
        positive("loss.target_scale", scale)?;
    }
    let ends = match loss.lambda {
        Course::Constant(value) => [value; 2],
        Course::Linear { start, end } => [start, end],
    };
    for value in ends {
        within("loss.lambda", value, 0.0, 1.0)?;
    }
    if loss.kind == LossKind::MeanSquare && ends != [1.0; 2] {
        return Err(("loss.lambda", "'mean-square' does not know results, expected 1".to_owned()));
    }
    if loss.kind == LossKind::Pqr {
        if config.network.buckets != 1 {
            return Err(("network.buckets", "triplets need one bucket, expected 1".to_owned()));
        }
        if config.data.filter() != Filter::default() || config.data.leaf {
            let message = "filters and leaves tear triplets apart, expected none of them";
            return Err(("data", message.to_owned()));
        }
        if !run.batch.is_multiple_of(3) {
            return Err(("run.batch", format!("{}, expected a multiple of 3 for triplets", run.batch)));
        }
    }
    positive("schedule.rate", schedule.rate)?;
    within("schedule.last", schedule.last, 0.0, schedule.rate)?;
    within("schedule.rise", schedule.rise, 0.0, 0.999)?;
    if schedule.kind == Kind::Step && schedule.every == 0 {
        return Err(("schedule.every", "0 positions, expected at least 1 for 'step'".to_owned()));
    }
    for (key, value) in [
        ("optimiser.beta1", optimiser.beta1),
        ("optimiser.beta2", optimiser.beta2),
        ("optimiser.rho", optimiser.rho),
        ("optimiser.momentum", optimiser.momentum),
    ] {
        within(key, value, 0.0, 0.999_999)?;
    }
    within("optimiser.pull", optimiser.pull, 0.0, 1.0)?;
    within("optimiser.decay", optimiser.decay.unwrap_or(0.0), 0.0, 100.0)?;
    for (key, value) in
        [("optimiser.epsilon", optimiser.epsilon), ("optimiser.clip_gradient", optimiser.clip_gradient)]
    {
        value.map_or(Ok(()), |value| positive(key, value))?;
    }
    within("schedule.factor", schedule.factor, 0.0, 1.0)?;
    for (key, value) in [
        ("optimiser.ahead", optimiser.ahead),
        ("run.positions", run.positions),
        ("run.round", run.round),
        ("run.keep", run.keep as u64),
    ] {
        if value == 0 {
            return Err((key, "0, expected at least 1".to_owned()));
        }
    }
    match run.batch {
        16..=4_194_304 => Ok(()),
        batch => Err(("run.batch", format!("{batch}, expected 16 to 4194304"))),
    }
}

/// Files are called by it, and a table has it in a column.
fn name(name: &str) -> Result<(), Fault> {
    let plain = name.chars().all(|letter| letter.is_alphanumeric() || "._-".contains(letter));
    match plain && !name.is_empty() && !name.starts_with('.') && name != "latest" {
        true => Ok(()),
        false => {
            let message = "expected letters, digits, '.', '_' and '-', no '.' first, and not 'latest'";
            Err(("name", format!("'{name}', {message}")))
        }
    }
}

fn network(config: &Config) -> Result<(), Fault> {
    let spec = &config.network;
    let features =
        FeatureSet::parse(&spec.features).map_err(|error| ("network.features", error.to_string()))?;
    let arch = spec.arch(features.size());
    arch.check().map_err(|error| {
        let key = match error {
            ArchError::Width(_) => "network.width",
            ArchError::Hidden(_) | ArchError::Twofold(_) => "network.hidden",
            ArchError::HiddenActivation(_) => "network.hidden_activation",
            ArchError::Buckets(_) => "network.buckets",
            ArchError::HandCrafted(_) => "network.hand_crafted",
            ArchError::InputScale(..) | ArchError::HiddenScale(..) | ArchError::OutputScale(..) => {
                "network.scales"
            }
            ArchError::Inputs(_) | ArchError::Bytes(_) => "network",
        };
        (key, error.to_string())
    })?;
    within("network.dropout", spec.dropout, 0.0, 0.9)?;
    Layout::new(features, arch, spec.factoriser).map(|_| ()).map_err(|error| match error {
        LayoutError::Factor(error) => ("network.factoriser", error.to_string()),
        error => ("network.features", error.to_string()),
    })
}

fn data(config: &Config) -> Result<(), Fault> {
    let data = &config.data;
    if data.files.is_empty() {
        return Err(("data.files", "an empty list, expected at least one file".to_owned()));
    }
    for (key, files) in [("data.files", &data.files), ("data.teachers", &data.teachers)] {
        for file in files {
            positive(key, file.parts().1)?;
        }
    }
    within("data.hold_out", data.hold_out, 0.0, 0.9)?;
    let triplets = config.loss.kind.group() > 1;
    let taught = !data.teachers.is_empty();
    match (data.siblings, taught) {
        (_, true) if triplets => {
            return Err((
                "data.teachers",
                "nothing for triplets, which have no scores, to be left out".to_owned(),
            ));
        }
        (0, _) | (1..=16, true) => {}
        (siblings, true) => return Err(("data.siblings", format!("{siblings}, expected 0 to 16"))),
        (siblings, false) => {
            let message = format!("{siblings} without data.teachers, who would judge them, expected 0");
            return Err(("data.siblings", message));
        }
    }
    if data.judged == Judged::Siblings && data.siblings == 0 {
        let message = "'siblings' without data.siblings, expected 'all' or some of them";
        return Err(("data.judged", message.to_owned()));
    }
    within("data.hindsight", data.hindsight, 0.0, 0.99)?;
    if data.hindsight > 0.0 && (triplets || taught && data.judged == Judged::All) {
        let message =
            "scores that nobody learns from, with triplets or with data.teachers for all, expected 0";
        return Err(("data.hindsight", format!("{} of {message}", data.hindsight)));
    }
    match data.memory_mb {
        1.. => Ok(()),
        0 => Err(("data.memory_mb", "0, expected at least 1".to_owned())),
    }
}

fn elo(config: &Config) -> Result<(), Fault> {
    let Some(elo) = &config.elo else { return Ok(()) };
    for (key, value) in [("elo.every", elo.every), ("elo.nodes", elo.nodes)] {
        if value == 0 {
            return Err((key, "0, expected at least 1".to_owned()));
        }
    }
    match elo.games {
        2.. if elo.games.is_multiple_of(2) => Ok(()),
        games => Err(("elo.games", format!("{games}, expected an even number: openings are played twice"))),
    }
}

fn positive(key: &'static str, value: f64) -> Result<(), Fault> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err((key, format!("{value}, expected more than 0")))
    }
}

fn within(key: &'static str, value: f64, low: f64, high: f64) -> Result<(), Fault> {
    match (low..=high).contains(&value) {
        true => Ok(()),
        false => Err((key, format!("{value}, expected {low} to {high}"))),
    }
}

/// The line on which the value of a key stands, or that of the table in which it is missing.
pub(super) fn line_of(text: &str, key: &str) -> usize {
    let Ok(document) = DeTable::parse(text) else { return 1 };
    let mut at = document.span().start;
    let mut table = Some(document.get_ref());
    for part in key.split('.') {
        let Some((name, value)) =
            table.and_then(|table| table.iter().find(|(name, _)| name.get_ref() == part))
        else {
            break;
        };
        at = name.span().start;
        table = match value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => None,
        };
    }
    text[..at.min(text.len())].lines().count().max(1)
        + usize::from(text[..at.min(text.len())].ends_with('\n'))
}

#[cfg(test)]
mod tests {
    use super::super::EXAMPLE;
    use super::*;

    #[test]
    fn the_example_is_a_configuration() {
        let config = Config::parse(EXAMPLE).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((config.network.width, config.run.batch), (256, 16_384));
    }

    /// The example with one line replaced by another.
    fn changed(from: &str, to: &str) -> String {
        assert_eq!(EXAMPLE.matches(from).count(), 1, "'{from}' must be in the example once");
        Config::parse(&EXAMPLE.replace(from, to)).unwrap_err().to_string()
    }

    fn line(of: &str) -> usize {
        1 + EXAMPLE.lines().position(|line| line.starts_with(of)).unwrap()
    }

    #[test]
    fn unknown_keys_are_named_with_line_and_what_was_expected() {
        let error = changed("\nwidth = 256", "\nwidht = 256");
        assert!(error.contains(&format!("line {}", line("width ="))), "{error}");
        assert!(error.contains("unknown field `widht`, expected one of `features`, `width`"), "{error}");
    }

    #[test]
    fn impossible_values_are_named_with_line_and_what_was_expected() {
        let at = line("width =");
        assert_eq!(
            changed("\nwidth = 256", "\nwidth = 300"),
            format!(
                "line {at}: network.width: width 300, expected one of [128, 256, 384, 512, 768, 1024, 1536]"
            )
        );
        let at = line("hand_crafted =");
        assert_eq!(
            changed("\nhand_crafted = 0", "\nhand_crafted = 401"),
            format!(
                "line {at}: network.hand_crafted: 401 percent of the hand-crafted evaluation, expected 0 to 400"
            )
        );
        let at = line("rate =");
        assert_eq!(
            changed("\nrate = 0.001", "\nrate = -1"),
            format!("line {at}: schedule.rate: -1, expected more than 0")
        );
        let narrow = EXAMPLE.replace("\ndevice = \"auto\"", "\ndevice = \"cuda\"");
        let narrow = narrow.replace("\nprecision = \"f32\"", "\nprecision = \"bf16\"");
        assert_eq!(
            Config::parse(&narrow).unwrap_err().to_string(),
            format!(
                "line {}: precision: 'bf16' is for the CPU, expected 'f32' with device 'cuda'",
                line("precision =")
            )
        );
        let at = line("features =");
        let error = changed("\nfeatures = \"HalfKP\"", "\nfeatures = \"HalfKQ\"");
        assert!(error.starts_with(&format!("line {at}: network.features: column 1: no set")), "{error}");
        for name in ["", "a/b", "..", "a|b", "latest"] {
            let error = changed("\nname = \"first\"", &format!("\nname = \"{name}\""));
            let at = line("name =");
            assert!(error.starts_with(&format!("line {at}: name: '{name}', expected letters")), "{error}");
        }
        for (from, to, fault) in [
            (
                "\n# clip_gradient = 1.0",
                "\nclip_gradient = -1.0",
                "optimiser.clip_gradient: -1, expected more than 0",
            ),
            ("\n# epsilon = 1e-8", "\nepsilon = 0.0", "optimiser.epsilon: 0, expected more than 0"),
            ("\ndecay = 0.01", "\ndecay = -0.01", "optimiser.decay: -0.01, expected 0 to 100"),
            ("\nround = 5_000_000", "\nround = 0", "run.round: 0, expected at least 1"),
            ("\nkeep = 2", "\nkeep = 0", "run.keep: 0, expected at least 1"),
        ] {
            let error = changed(from, to);
            assert!(error.ends_with(fault), "{error}");
        }
        let error = changed("\nkind = \"adamw\"", "\nkind = \"adamx\"");
        assert!(error.contains("unknown variant `adamx`, expected one of `adam`"), "{error}");
        let error = changed("\nactivation = \"clipped\"", "\nactivation = \"relu\"");
        assert!(error.contains("activation 'relu', expected 'clipped', 'squared' or 'pairwise'"), "{error}");
    }
}
