// SPDX-License-Identifier: GPL-3.0-or-later
//! The parameters that are tuned: from a file or from what the engine offers, and as text again.

use std::{collections::BTreeSet, fs, path::Path, str::FromStr};

use anyhow::{Context, bail, ensure};
use contest::{TimeControl, spsa::Parameter};
use engine::params::TABLE;
use protocol::uci::{OptionKind, OptionOffer};

/// The parts of a line.
pub(crate) const FORM: &str = "name, value, min, max, step, rate";

/// How far the last iteration moves a parameter, if nobody says otherwise.
const RATE: f64 = 0.002;

/// Reads a parameter file: a line for each, comments after `#`.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Parameter>> {
    let place = || format!("parameter file {}", path.display());
    parse(&fs::read_to_string(path).with_context(place)?).with_context(place)
}

fn parse(text: &str) -> anyhow::Result<Vec<Parameter>> {
    let (mut parameters, mut names) = (Vec::new(), BTreeSet::new());
    for (index, line) in text.lines().enumerate() {
        let content = line.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let place = || format!("line {}", index + 1);
        let parameter = parse_line(content).with_context(place)?;
        let new = names.insert(parameter.name.to_ascii_lowercase());
        ensure!(new, "line {}: parameter '{}' is there twice", index + 1, parameter.name);
        parameters.push(parameter);
    }
    ensure!(!parameters.is_empty(), "no parameters, expected lines '{FORM}'");
    Ok(parameters)
}

/// `name, value, min, max, step, rate`; or with `int` behind the name, as fishtest wants it.
fn parse_line(line: &str) -> anyhow::Result<Parameter> {
    let parts: Vec<&str> = line.split(',').map(str::trim).collect();
    let [name, value, min, max, step, rate] = match parts[..] {
        [name, "int", value, min, max, step, rate] | [name, value, min, max, step, rate] => {
            [name, value, min, max, step, rate]
        }
        [_, kind, _, _, _, _, _] => bail!("'{kind}' is not the kind of a parameter, expected int"),
        _ => bail!("'{line}' has {} parts, expected '{FORM}'", parts.len()),
    };
    ensure!(!name.is_empty(), "'{line}' names no parameter, expected '{FORM}'");
    Ok(Parameter {
        name: name.to_owned(),
        value: number("value", value)?,
        min: number("min", min)?,
        max: number("max", max)?,
        step: number("step", step)?,
        rate: number("rate", rate)?,
    })
}

fn number<T: FromStr>(part: &str, text: &str) -> anyhow::Result<T> {
    let whole = if matches!(part, "min" | "max") { "whole " } else { "" };
    text.parse().ok().with_context(|| format!("{part} is '{text}', expected a {whole}number"))
}

/// A line of a parameter file.
pub(crate) fn line(parameter: &Parameter) -> String {
    let Parameter { name, value, min, max, step, rate } = parameter;
    format!("{name}, {value}, {min}, {max}, {step}, {rate}")
}

/// The search parameters that an engine offers, as they stand in our table.
///
/// What the time control leaves without effect is left out.
pub(crate) fn offered(offers: &[OptionOffer], control: TimeControl) -> Vec<Parameter> {
    let clock = matches!(control, TimeControl::Clock { .. });
    let rows = TABLE.iter().filter(|row| clock || row.group != "timing");
    rows.filter_map(|row| {
        let (offer, (value, min, max)) = spin(offers, &row.option_name())?;
        // Half a unit is the least that makes a difference between two whole numbers.
        let step = ((max - min) as f64 / 20.0).max(0.5);
        Some(Parameter { name: offer.name.clone(), value: value as f64, min, max, step, rate: RATE })
    })
    .collect()
}

/// The offer of a number by its name, with default, least and greatest value.
fn spin<'a>(offers: &'a [OptionOffer], name: &str) -> Option<(&'a OptionOffer, (i64, i64, i64))> {
    let offer = offers.iter().find(|offer| offer.name.eq_ignore_ascii_case(name))?;
    match offer.kind {
        OptionKind::Spin { default, min, max } => Some((offer, (default, min, max))),
        _ => None,
    }
}

/// Refuses parameters that an engine does not have.
pub(crate) fn check(parameters: &[Parameter], offers: &[OptionOffer], engine: &str) -> anyhow::Result<()> {
    let tunable = TABLE.iter().any(|row| spin(offers, &row.option_name()).is_some());
    let ours = |name: &str| TABLE.iter().any(|row| row.option_name().eq_ignore_ascii_case(name));
    if !tunable && parameters.iter().all(|parameter| ours(&parameter.name)) {
        bail!(
            "engine {engine} offers no search parameters: it was built without the feature 'tune', build it with \
             'cargo build --release --features tune' (or name the options of another engine with --params)"
        );
    }
    for parameter in parameters {
        let Parameter { name, min, max, .. } = parameter;
        let Some((_, (_, least, greatest))) = spin(offers, name) else {
            bail!("engine {engine} has no option '{name}' that takes a whole number");
        };
        ensure!(
            (least..=greatest).contains(min) && (least..=greatest).contains(max),
            "parameter '{name}' goes from {min} to {max}, but engine {engine} takes {least} to {greatest}"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(name: &str, default: i64, min: i64, max: i64) -> OptionOffer {
        OptionOffer { name: name.to_owned(), kind: OptionKind::Spin { default, min, max } }
    }

    fn clock() -> TimeControl {
        "8+0.08".parse().unwrap()
    }

    #[test]
    fn both_forms_are_read_and_written_lines_read_back() {
        let text = "# comment\n\na, 5, 0, 10, 0.5, 0.002 # another\nMove Overhead,int,10,0,5000,20,0.01\r\n";
        let parameters = parse(text).unwrap();
        assert_eq!(parameters.len(), 2);
        let expected = Parameter {
            name: "Move Overhead".to_owned(),
            value: 10.0,
            min: 0,
            max: 5000,
            step: 20.0,
            rate: 0.01,
        };
        assert_eq!(parameters[1], expected);
        let written: Vec<String> = parameters.iter().map(line).collect();
        assert_eq!(parse(&written.join("\n")).unwrap(), parameters);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        for (text, message) in [
            ("", "no parameters, expected lines 'name, value, min, max, step, rate'"),
            ("a, 1\n", "line 1: 'a, 1' has 2 parts, expected 'name, value, min, max, step, rate'"),
            ("\n\na, x, 0, 10, 1, 0.002", "line 3: value is 'x', expected a number"),
            ("a, 1, 0.5, 10, 1, 0.002", "line 1: min is '0.5', expected a whole number"),
            ("#\na, float, 1, 0, 9, 1, 0.1", "line 2: 'float' is not the kind of a parameter, expected int"),
            ("a, 1, 0, 9, 1, 0.1\nA, 1, 0, 9, 1, 0.1", "line 2: parameter 'A' is there twice"),
            (", 1, 0, 9, 1, 0.1", "line 1: ', 1, 0, 9, 1, 0.1' names no parameter, expected '"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }

    #[test]
    fn offered_parameters_are_those_of_the_table() {
        let (first, timing) = (&TABLE[0], TABLE.iter().find(|row| row.group == "timing").unwrap());
        let offers: Vec<OptionOffer> = [first, timing]
            .into_iter()
            .map(|row| offer(&row.option_name(), row.value.into(), row.min.into(), row.max.into()))
            .chain([offer("Hash", 16, 1, 1024)])
            .collect();
        let names = |control| offered(&offers, control).into_iter().map(|p| p.name).collect::<Vec<_>>();
        assert_eq!(names(clock()), [first.option_name(), timing.option_name()]);
        assert_eq!(names(TimeControl::Nodes(100)), [first.option_name()]);
        let parameters = offered(&offers, clock());
        assert_eq!(parameters[0].value, f64::from(first.value));
        assert!(parameters.iter().all(|parameter| parameter.step >= 0.5));
        check(&parameters, &offers, "x").unwrap();
    }

    #[test]
    fn engines_without_the_parameters_are_refused() {
        let hash = [offer("Hash", 16, 1, 1024)];
        let error = check(&offered(&hash, clock()), &hash, "x").unwrap_err().to_string();
        assert!(error.contains("engine x offers no search parameters"), "{error}");
        assert!(error.contains("without the feature 'tune'") && error.contains("--features tune"), "{error}");
        let ours = parse(&format!("{}, 1, 0, 9, 1, 0.1", TABLE[0].option_name())).unwrap();
        assert_eq!(check(&ours, &hash, "x").unwrap_err().to_string(), error);

        let message = |text: &str| check(&parse(text).unwrap(), &hash, "x").unwrap_err().to_string();
        let missing = message("hash, 9, 1, 16, 1, 0.1\nStyle, 1, 0, 9, 1, 0.1");
        assert_eq!(missing, "engine x has no option 'Style' that takes a whole number");
        let outside = message("Hash, 9, 0, 16, 1, 0.1");
        assert_eq!(outside, "parameter 'Hash' goes from 0 to 16, but engine x takes 1 to 1024");
    }
}
