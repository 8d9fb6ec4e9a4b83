// SPDX-License-Identifier: GPL-3.0-or-later
//! What is remembered of a game besides its moves, as a value and as JSON.

use std::time::Duration;

use formats::pgn::{parse_result, result_text};
use rules::{Color, Outcome};
use serde_json::{Value, json};

use crate::{Ending, Fault, GameRecord, Overhead, Termination, overhead::micros};

/// The result of one game of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The number of the game in the schedule, from 0.
    pub game: usize,
    /// How it ended.
    pub ending: Ending,
    /// Half-moves made after the opening.
    pub plies: usize,
    /// Whether White and Black had crashed since their last game and were started again for this one.
    pub restarted: [bool; 2],
    /// How long White and Black thought.
    pub thinking: [Duration; 2],
    /// The referee's own time between the moves.
    pub overhead: Overhead,
}

impl GameResult {
    /// The result of a record.
    pub fn new(game: usize, record: &GameRecord) -> GameResult {
        GameResult {
            game,
            ending: record.ending.clone(),
            plies: record.moves.len(),
            restarted: record.restarted,
            thinking: Color::ALL.map(|color| whole_micros(record.thinking_time(color))),
            overhead: record.overhead.clone(),
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        let (termination, fault) = match self.ending.termination {
            Termination::Normal => ("normal", None),
            Termination::Adjudication => ("adjudication", None),
            Termination::Fault(_, fault) => ("fault", Some(fault.name())),
        };
        let classes: Vec<_> = self.overhead.classes().map(|(class, count)| json!([class, count])).collect();
        json!({
            "game": self.game,
            "result": result_text(Some(self.ending.outcome)),
            "termination": termination,
            "fault": fault,
            "reason": self.ending.reason,
            "plies": self.plies,
            "restarted": self.restarted,
            "thinking_us": self.thinking.map(micros),
            "overhead": { "worst_us": micros(self.overhead.worst()), "classes": classes },
        })
    }

    pub(crate) fn from_json(value: &Value) -> Option<GameResult> {
        let outcome = parse_result(value["result"].as_str()?)??;
        let termination = match (value["termination"].as_str()?, outcome) {
            ("normal", _) => Termination::Normal,
            ("adjudication", _) => Termination::Adjudication,
            ("fault", Outcome::Win(winner)) => {
                Termination::Fault(!winner, Fault::from_name(value["fault"].as_str()?)?)
            }
            _ => return None,
        };
        let duration = |value: &Value| value.as_u64().map(Duration::from_micros);
        let classes = value["overhead"]["classes"].as_array()?.iter().map(|class| {
            let number = class[0].as_u64().and_then(|number| u16::try_from(number).ok());
            Some((number?, class[1].as_u64()?))
        });
        let classes: Vec<(u16, u64)> = classes.collect::<Option<_>>()?;
        let [white, black] = value["thinking_us"].as_array()?.as_slice() else { return None };
        let [white_restarted, black_restarted] = value["restarted"].as_array()?.as_slice() else {
            return None;
        };
        Some(GameResult {
            game: count(&value["game"])?,
            ending: Ending { outcome, termination, reason: value["reason"].as_str()?.to_owned() },
            plies: count(&value["plies"])?,
            restarted: [white_restarted.as_bool()?, black_restarted.as_bool()?],
            thinking: [duration(white)?, duration(black)?],
            overhead: Overhead::from_parts(classes, duration(&value["overhead"]["worst_us"])?),
        })
    }
}

/// Cuts a time to what is written to files, so that it reads back as the same.
fn whole_micros(time: Duration) -> Duration {
    Duration::from_micros(micros(time))
}

fn count(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|number| usize::try_from(number).ok())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn result(game: usize, outcome: Outcome, termination: Termination) -> GameResult {
        let mut overhead = Overhead::default();
        overhead.add(Duration::from_micros(250));
        overhead.add(Duration::from_micros(13));
        GameResult {
            game,
            ending: Ending { outcome, termination, reason: "a \"good\" reason\n".to_owned() },
            plies: 77,
            restarted: [false, true],
            thinking: [Duration::from_micros(1_234_567), Duration::from_millis(9)],
            overhead,
        }
    }

    #[test]
    fn json_reads_back() {
        for (outcome, termination) in [
            (Outcome::Draw, Termination::Normal),
            (Outcome::Win(Color::White), Termination::Adjudication),
            (Outcome::Win(Color::White), Termination::Fault(Color::Black, Fault::FlagFall)),
            (Outcome::Win(Color::Black), Termination::Fault(Color::White, Fault::Flood)),
        ] {
            let result = result(3, outcome, termination);
            let text = result.to_json().to_string();
            assert_eq!(GameResult::from_json(&serde_json::from_str(&text).unwrap()), Some(result));
        }
    }

    #[test]
    fn damaged_json_is_no_result() {
        let good = result(3, Outcome::Draw, Termination::Normal).to_json();
        for key in
            ["game", "result", "termination", "reason", "plies", "restarted", "thinking_us", "overhead"]
        {
            let mut bad = good.clone();
            bad[key] = json!({ "what": "ever" });
            assert_eq!(GameResult::from_json(&bad), None, "{key}");
        }
        let mut bad = good;
        bad["termination"] = json!("fault");
        assert_eq!(GameResult::from_json(&bad), None, "nobody is at fault in a draw");
    }
}
