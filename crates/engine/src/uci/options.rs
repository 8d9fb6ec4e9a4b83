// SPDX-License-Identifier: GPL-3.0-or-later
//! The options, one entry each: name, kind, range and help. Defaults come from [`Options::default`].

use std::{ops::RangeInclusive, path::PathBuf, time::Duration};

use protocol::uci::{OptionKind, OptionOffer, SetOption};
use thiserror::Error;

#[cfg(feature = "tune")]
use crate::params::{Tunable, tunables};
use crate::{ConfigureError, Engine, Options};

/// An option that cannot be set so.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum SetOptionError {
    #[error("unknown option '{0}', 'uci' lists the known ones")]
    Unknown(String),
    #[error("option {name}: '{value}', expected true or false")]
    NotABool { name: &'static str, value: String },
    #[error("option {name}: '{value}', expected a whole number from {min} to {max}")]
    NotInRange { name: &'static str, value: String, min: i64, max: i64 },
    #[error(transparent)]
    Configure(#[from] ConfigureError),
}

struct Entry {
    name: &'static str,
    kind: Kind,
    help: &'static str,
}

enum Kind {
    Check {
        get: fn(&Options) -> bool,
        set: fn(&mut Options, bool),
    },
    Spin {
        range: RangeInclusive<i64>,
        get: fn(&Options) -> i64,
        set: fn(&mut Options, i64),
    },
    /// A path; `<empty>` and nothing at all mean none.
    Path {
        set: fn(&mut Options, Option<PathBuf>),
    },
    /// The file of a network, or one of the evaluations that need none.
    Evaluation,
    Button {
        press: fn(&mut Engine),
    },
    #[cfg(feature = "tune")]
    Tunable(&'static Tunable),
}

static ENTRIES: [Entry; 12] = [
    Entry {
        name: "Hash",
        kind: Kind::Spin {
            range: 1..=1_048_576,
            get: |options| options.hash_mb as i64,
            set: |options, value| options.hash_mb = value as usize,
        },
        help: "size of the transposition table in MiB",
    },
    Entry {
        name: "Threads",
        kind: Kind::Spin {
            range: 1..=1024,
            get: |options| options.threads as i64,
            set: |options, value| options.threads = value as usize,
        },
        help: "threads that search together",
    },
    Entry {
        name: "MultiPV",
        kind: Kind::Spin {
            range: 1..=256,
            get: |options| options.multi_pv as i64,
            set: |options, value| options.multi_pv = value as usize,
        },
        help: "how many best lines to find",
    },
    Entry {
        name: "Ponder",
        // Nothing to store: 'go ponder' says it again each time.
        kind: Kind::Check { get: |_| false, set: |_, _| {} },
        help: "whether the opponent's time may be used",
    },
    Entry {
        name: "UCI_Chess960",
        kind: Kind::Check { get: |options| options.chess960, set: |options, value| options.chess960 = value },
        help: "write castling as king takes rook",
    },
    Entry {
        name: "UCI_ShowWDL",
        kind: Kind::Check { get: |options| options.show_wdl, set: |options, value| options.show_wdl = value },
        help: "report the chances of win, draw and loss",
    },
    Entry {
        name: "UCI_LimitStrength",
        kind: Kind::Check {
            get: |options| options.limit_strength,
            set: |options, value| options.limit_strength = value,
        },
        help: "play at the strength of UCI_Elo",
    },
    Entry {
        name: "UCI_Elo",
        kind: Kind::Spin {
            range: *Options::ELO_RANGE.start() as i64..=*Options::ELO_RANGE.end() as i64,
            get: |options| options.elo.into(),
            set: |options, value| options.elo = value as u32,
        },
        help: "the strength to play at when limited",
    },
    Entry {
        name: "SyzygyPath",
        kind: Kind::Path { set: |options, path| options.syzygy_path = path },
        help: "folders with Syzygy endgame tables, separated as in PATH",
    },
    Entry {
        name: "EvalFile",
        kind: Kind::Evaluation,
        help: "a network to evaluate with, <built-in>, or <hand-crafted> for the evaluation without one",
    },
    Entry {
        name: "Clear Hash",
        kind: Kind::Button { press: Engine::clear },
        help: "forget everything learnt from earlier searches",
    },
    Entry {
        name: "Move Overhead",
        kind: Kind::Spin {
            range: 0..=10_000,
            get: |options| options.move_overhead.as_millis() as i64,
            set: |options, value| options.move_overhead = Duration::from_millis(value as u64),
        },
        help: "milliseconds kept back on each move for the way to the opponent",
    },
];

/// Every option as `uci` offers it.
pub fn offers() -> impl Iterator<Item = OptionOffer> {
    let entries =
        ENTRIES.iter().map(|entry| OptionOffer { name: entry.name.into(), kind: entry.kind.offer() });
    #[cfg(feature = "tune")]
    let entries = entries.chain(
        tunables().map(|cell| OptionOffer { name: cell.name.into(), kind: Kind::Tunable(cell).offer() }),
    );
    entries
}

/// Name and meaning of every option.
pub(super) fn help() -> impl Iterator<Item = (&'static str, &'static str)> {
    ENTRIES.iter().map(|entry| (entry.name, entry.help))
}

/// Sets an option of the engine by its UCI name; after an error it is as before.
///
/// # Errors
/// When there is no such option, or it does not take the value.
pub fn set(engine: &mut Engine, option: &SetOption) -> Result<(), SetOptionError> {
    let value = option.value.as_deref().unwrap_or_default();
    if let Some(entry) = ENTRIES.iter().find(|entry| option.names(entry.name)) {
        return entry.kind.set(entry.name, value, engine);
    }
    #[cfg(feature = "tune")]
    if let Some(cell) = tunables().find(|cell| option.names(cell.name)) {
        return Kind::Tunable(cell).set(cell.name, value, engine);
    }
    Err(SetOptionError::Unknown(option.name.clone()))
}

impl Kind {
    fn offer(&self) -> OptionKind {
        let defaults = Options::default();
        match self {
            Kind::Check { get, .. } => OptionKind::Check { default: get(&defaults) },
            Kind::Spin { range, get, .. } => {
                OptionKind::Spin { default: get(&defaults), min: *range.start(), max: *range.end() }
            }
            Kind::Path { .. } => OptionKind::Text { default: String::new() },
            Kind::Evaluation => OptionKind::Text { default: format!("<{}>", defaults.evaluation) },
            Kind::Button { .. } => OptionKind::Button,
            #[cfg(feature = "tune")]
            Kind::Tunable(cell) => {
                OptionKind::Spin { default: cell.default.into(), min: cell.min.into(), max: cell.max.into() }
            }
        }
    }

    fn set(&self, name: &'static str, value: &str, engine: &mut Engine) -> Result<(), SetOptionError> {
        let mut options = engine.options().clone();
        match self {
            Kind::Check { set, .. } => set(&mut options, parse_bool(name, value)?),
            Kind::Spin { range, set, .. } => set(&mut options, parse_number(name, value, range)?),
            Kind::Path { set } => {
                let path = Some(value).filter(|value| !value.is_empty() && *value != "<empty>");
                set(&mut options, path.map(PathBuf::from));
            }
            Kind::Evaluation => {
                let Ok(evaluation) = value.parse();
                options.evaluation = evaluation;
            }
            Kind::Button { press } => {
                press(engine);
                return Ok(());
            }
            #[cfg(feature = "tune")]
            Kind::Tunable(cell) => {
                let range = cell.min.into()..=cell.max.into();
                cell.set(parse_number(name, value, &range)? as i32);
                return Ok(());
            }
        }
        Ok(engine.configure(options)?)
    }
}

fn parse_bool(name: &'static str, value: &str) -> Result<bool, SetOptionError> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(SetOptionError::NotABool { name, value: value.to_owned() }),
    }
}

fn parse_number(name: &'static str, value: &str, range: &RangeInclusive<i64>) -> Result<i64, SetOptionError> {
    let (min, max) = (*range.start(), *range.end());
    let number = value.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| SetOptionError::NotInRange { name, value: value.to_owned(), min, max })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluation;

    fn set_text(engine: &mut Engine, name: &str, value: &str) -> Result<(), String> {
        let option = SetOption { name: name.into(), value: Some(value.into()) };
        set(engine, &option).map_err(|error| error.to_string())
    }

    #[test]
    fn defaults_lie_in_their_ranges() {
        for offer in offers() {
            if let OptionKind::Spin { default, min, max } = offer.kind {
                assert!((min..=max).contains(&default), "{offer}");
            }
        }
    }

    #[test]
    fn names_are_found_in_any_case() {
        let mut engine = Engine::new();
        assert_eq!(set_text(&mut engine, "hash", "2"), Ok(()));
        assert_eq!(set_text(&mut engine, "MOVE OVERHEAD", "77"), Ok(()));
        assert_eq!(set_text(&mut engine, "uci_chess960", "True"), Ok(()));
        assert_eq!(engine.options().hash_mb, 2);
        assert_eq!(engine.options().move_overhead, Duration::from_millis(77));
        assert!(engine.options().chess960);
        for (text, evaluation) in [
            ("<hand-crafted>", Evaluation::HandCrafted),
            ("<empty>", Evaluation::BuiltIn),
            ("hand-crafted", Evaluation::HandCrafted),
            ("<built-in>", Evaluation::BuiltIn),
        ] {
            assert_eq!(set_text(&mut engine, "EvalFile", text), Ok(()));
            assert_eq!(engine.options().evaluation, evaluation);
            assert_eq!(engine.network().is_some(), evaluation == Evaluation::BuiltIn);
        }
        assert_eq!(set_text(&mut engine, "Clear Hash", ""), Ok(()));
    }

    #[test]
    fn refusals_change_nothing() {
        let mut engine = Engine::new();
        for (name, value, message) in [
            ("Hash", "0", "option Hash: '0', expected a whole number from 1 to 1048576"),
            ("Hash", "many", "option Hash: 'many', expected a whole number from 1 to 1048576"),
            ("Ponder", "yes", "option Ponder: 'yes', expected true or false"),
            ("Style", "Risky", "unknown option 'Style', 'uci' lists the known ones"),
            (
                "EvalFile",
                "x.net",
                "EvalFile 'x.net': cannot read the network file: No such file or directory (os error 2)",
            ),
        ] {
            assert_eq!(set_text(&mut engine, name, value), Err(message.to_owned()));
        }
        assert_eq!(engine.options(), &Options::default());
    }

    #[cfg(feature = "tune")]
    #[test]
    fn parameters_are_options_too() {
        let cell = tunables().next().expect("there are parameters");
        let mut engine = Engine::new();
        assert_eq!(set_text(&mut engine, cell.name, &cell.max.to_string()), Ok(()));
        assert_eq!(cell.get(), cell.max);
        cell.set(cell.default);
    }
}
