// SPDX-License-Identifier: GPL-3.0-or-later
//! A finished game as PGN: every move with the player's score, depth, time and clock.

use std::time::Duration;

use contest::TimeControl;
use formats::pgn::{Game, Ply, Tags, result_text};
use rules::chess::Board;

use crate::{GameRecord, MoveMade};

/// What the tags of a game say besides the game itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels<'a> {
    /// What the match is called.
    pub event: &'a str,
    /// The number of the game in the match, from 1.
    pub round: usize,
    /// The names of White and Black.
    pub names: [&'a str; 2],
    /// The time controls of White and Black.
    pub controls: [TimeControl; 2],
    /// Whether the game was played by the rules of Chess960.
    pub chess960: bool,
}

/// The PGN of a game.
pub fn to_pgn(labels: &Labels<'_>, record: &GameRecord) -> Game {
    let outcome = Some(record.ending.outcome);
    let opening = &record.opening;
    let mut tags = Tags::new();
    tags.set("Event", labels.event);
    tags.set("Site", "?");
    tags.set("Date", "????.??.??");
    tags.set("Round", labels.round.to_string());
    tags.set("White", labels.names[0]);
    tags.set("Black", labels.names[1]);
    tags.set("Result", result_text(outcome));
    if labels.chess960 {
        tags.set("Variant", "Chess960");
    }
    if labels.chess960 || opening.start != Board::start() {
        tags.set("SetUp", "1");
        tags.set("FEN", opening.start.to_string());
    }
    match labels.controls {
        [white, black] if white == black => tags.set("TimeControl", white.to_string()),
        [white, black] => {
            tags.set("WhiteTimeControl", white.to_string());
            tags.set("BlackTimeControl", black.to_string());
        }
    }
    tags.set("PlyCount", (opening.moves.len() + record.moves.len()).to_string());
    tags.set("Termination", record.ending.termination.pgn());

    let book = opening.moves.iter().map(|&m| Ply { m, comment: "book".to_owned() });
    let played = record.moves.iter().map(|made| Ply { m: made.m, comment: comment(made) });
    let mut moves: Vec<Ply> = book.chain(played).collect();
    let mut comment = String::new();
    match moves.last_mut() {
        Some(ply) => {
            ply.comment.push_str(", ");
            ply.comment.push_str(&record.ending.reason);
        }
        None => comment.push_str(&record.ending.reason),
    }
    Game { tags, start: opening.start, comment, moves, outcome }
}

/// `+0.35/12 0.123s [%clk 0:00:07.877]`, as far as it is known.
fn comment(made: &MoveMade) -> String {
    let mut text = made.opinion.map_or_else(String::new, |opinion| format!("{opinion} "));
    text.push_str(&format!("{:.3}s", made.time.as_secs_f64()));
    if let Some(left) = made.left {
        text.push_str(&format!(" [%clk {}]", clock(left)));
    }
    text
}

fn clock(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hours}:{minutes:02}:{seconds:02}.{:03}", left.subsec_millis())
}

#[cfg(test)]
mod tests {
    use formats::book::Opening;
    use protocol::uci::Score;
    use rules::{Color, Outcome};

    use super::*;
    use crate::{Ending, Fault, Opinion, Overhead, Termination};

    fn record(moves: &[&str]) -> GameRecord {
        let mut board = Board::start();
        let mut made = Vec::new();
        for text in moves {
            let m = board.parse_uci(text).unwrap();
            board.play(m);
            made.push(m);
        }
        let opinion = Some(Opinion { score: Score::Cp(25), depth: 9 });
        let (time, left) = (Duration::from_millis(20), Some(Duration::from_millis(61_980)));
        GameRecord {
            opening: Opening { start: Board::start(), moves: made.drain(..made.len().min(1)).collect() },
            moves: made.into_iter().map(|m| MoveMade { m, opinion, time, left }).collect(),
            wasted: Duration::ZERO,
            ending: Ending {
                outcome: Outcome::Win(Color::Black),
                termination: Termination::Normal,
                reason: "checkmate".to_owned(),
            },
            restarted: [false; 2],
            overhead: Overhead::default(),
        }
    }

    fn labels(controls: [&str; 2]) -> Labels<'static> {
        let controls = controls.map(|text| text.parse().unwrap());
        Labels { event: "Match", round: 7, names: ["A \"x\"", "B"], controls, chess960: false }
    }

    #[test]
    fn a_game_tells_everything() {
        let text = to_pgn(&labels(["1+0.1"; 2]), &record(&["f2f3", "e7e5", "g2g4", "d8h4"])).to_string();
        let expected = r#"[Event "Match"]
[Site "?"]
[Date "????.??.??"]
[Round "7"]
[White "A \"x\""]
[Black "B"]
[Result "0-1"]
[TimeControl "1+0.1"]
[PlyCount "4"]
[Termination "normal"]

1. f3 {book} e5 {+0.25/9 0.020s [%clk 0:01:01.980]} 2. g4
{+0.25/9 0.020s [%clk 0:01:01.980]} Qh4#
{+0.25/9 0.020s [%clk 0:01:01.980], checkmate} 0-1

"#;
        assert_eq!(text, expected);
    }

    #[test]
    fn a_game_without_moves_still_has_its_reason() {
        let mut record = record(&[]);
        record.ending.termination = Termination::Fault(Color::White, Fault::Crash);
        record.ending.reason = "white crashes".to_owned();
        let text = to_pgn(&labels(["1+0.1", "nodes=5"]), &record).to_string();
        assert!(text.contains("[WhiteTimeControl \"1+0.1\"]\n[BlackTimeControl \"nodes=5\"]\n"), "{text}");
        assert!(text.ends_with("[Termination \"abandoned\"]\n\n{white crashes} 0-1\n\n"), "{text}");
    }
}
