// SPDX-License-Identifier: GPL-3.0-or-later
//! A game against the engine as a study, ready to be written or worked with.

use formats::pgn::result_text;
use rules::{Color, Outcome};

use super::title_of;
use crate::{
    core::{play::Play, study::Study},
    message::{Colour, EndReason, GameResult, Header, ROOT},
};

/// A game against the engine as a study with headers, clocks in the comments.
pub fn study_of_game(play: &Play, created_ms: i64) -> Study {
    let (start, moves) = play.line();
    let mut study = Study::new(String::new(), *start, play.chess960());
    let mut at = ROOT.to_owned();
    for (index, played) in moves.enumerate() {
        // The moves were legal when they were played, and nothing is added twice to a single line.
        let Ok(node) = study.add(&at, &format!("g{}", index + 1), &played.uci) else { break };
        if let (Some(ms), Ok(place)) = (played.clock_ms, study.get_mut(&node)) {
            let seconds = ms / 1000;
            place.comment = format!("[%clk {}:{:02}:{:02}]", seconds / 3600, seconds / 60 % 60, seconds % 60);
        }
        at = node;
    }
    let engine = play.elo().map_or_else(|| "Nue".to_owned(), |elo| format!("Nue (level {elo})"));
    let (white, black) = match play.human() {
        Color::White => ("Human", engine.as_str()),
        Color::Black => (engine.as_str(), "Human"),
    };
    let date = date_text(created_ms);
    let mut headers = vec![
        ("Event", "Game against Nue"),
        ("Site", "?"),
        ("Date", &date),
        ("Round", "-"),
        ("White", white),
        ("Black", black),
        ("Result", result_of(play.result())),
    ];
    let control = play.clock().map(|clock| clock.setting());
    let control =
        control.map(|setting| format!("{}+{}", setting.base_ms / 1000, setting.increment_ms / 1000));
    headers.push(("TimeControl", control.as_deref().unwrap_or("-")));
    if let Some(result) = play.result() {
        headers.push(("Termination", termination(result.reason)));
    }
    let header = |(name, value): (&str, &str)| Header { name: name.to_owned(), value: value.to_owned() };
    study.headers = headers.into_iter().map(header).collect();
    study.title = title_of(&study.headers);
    study
}

fn termination(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Time | EndReason::TimeWithoutMaterial => "time forfeit",
        _ => "normal",
    }
}

/// A day as PGN writes it, from milliseconds since 1970: the years are counted from March, in eras of 400.
pub fn date_text(ms: i64) -> String {
    let days = ms.div_euclid(86_400_000) + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    format!("{:04}.{month:02}.{day:02}", year + era * 400 + i64::from(month <= 2))
}

/// A result as PGN writes it.
pub fn result_of(result: Option<GameResult>) -> &'static str {
    result_text(result.map(|result| match result.winner {
        Some(Colour::White) => Outcome::Win(Color::White),
        Some(Colour::Black) => Outcome::Win(Color::Black),
        None => Outcome::Draw,
    }))
}
