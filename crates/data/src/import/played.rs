// SPDX-License-Identifier: GPL-3.0-or-later
//! A game as the rules of an import see it, wherever it comes from.

use formats::{
    game_key::game_key,
    games::{GameRecord, NO_SCORE},
    pgn::bulk::{BulkGame, Eval},
    sample::{Context, Sample},
};
use rules::{
    Outcome,
    chess::{Board, Move},
};

/// A game with everything that samples keep of it.
pub(super) struct Played {
    pub(super) start: Board,
    /// Moves, each with the score of the position before it.
    pub(super) moves: Vec<(Move, Option<i16>)>,
    /// Seconds left to the mover after each move; empty if nobody knows.
    clocks: Vec<Option<u32>>,
    pub(super) outcome: Option<Outcome>,
    /// What holds for the whole game.
    context: Context,
}

impl Played {
    /// A number that stands for start and moves.
    pub(super) fn key(&self) -> u64 {
        game_key(&self.start, self.moves.iter().map(|&(m, _)| m))
    }

    /// The seconds left to the side to move before a half-move: what it had after its last move, or what it
    /// began with.
    pub(super) fn clock(&self, ply: usize) -> Option<u32> {
        match ply.checked_sub(2) {
            Some(last) => self.clocks.get(last).copied().flatten(),
            // Without clocks in the moves, the time control alone says nothing about time trouble.
            None => self.clocks.first().copied().flatten().and(self.context.base.map(u32::from)),
        }
    }

    /// The seconds left to the other side.
    fn opponent_clock(&self, ply: usize) -> Option<u32> {
        match ply {
            0 => self.clock(0),
            _ => self.clocks.get(ply - 1).copied().flatten(),
        }
    }

    /// The chosen positions, given in ascending order.
    pub(super) fn samples(&self, plies: &[usize]) -> Vec<Sample> {
        let mut samples = Vec::with_capacity(plies.len());
        let mut board = self.start;
        for (ply, &(m, score)) in self.moves.iter().enumerate() {
            match plies.get(samples.len()) {
                None => break,
                Some(&chosen) if chosen == ply => samples.push(Sample {
                    score,
                    outcome: self.outcome,
                    played: Some(m),
                    context: Context {
                        clock: self.clock(ply).and_then(short),
                        opponent_clock: self.opponent_clock(ply).and_then(short),
                        ..self.context
                    },
                    ..Sample::new(board)
                }),
                Some(_) => {}
            }
            board.play(m);
        }
        samples
    }

    /// The whole game; what has no result counts for nothing.
    pub(super) fn record(&self) -> Option<GameRecord> {
        let mut game = GameRecord::new(self.start, self.outcome?);
        game.moves = self.moves.iter().map(|&(m, score)| (m, score.unwrap_or(NO_SCORE))).collect();
        Some(game)
    }
}

/// A number as a record keeps it.
fn short(number: u32) -> Option<u16> {
    u16::try_from(number).ok()
}

impl From<BulkGame> for Played {
    fn from(game: BulkGame) -> Played {
        // What is said about a move is said about the position behind it.
        let before = std::iter::once(None).chain(game.moves.iter().map(|made| made.eval));
        let moves = game.moves.iter().zip(before).map(|(made, eval)| (made.m, eval.map(Eval::score)));
        let timed = game.moves.iter().any(|made| made.clock.is_some());
        let clocks = game.moves.iter().filter(|_| timed).map(|made| made.clock.map(|clock| clock / 100));
        let control = game.tags.time_control;
        Played {
            start: game.start,
            moves: moves.collect(),
            clocks: clocks.collect(),
            outcome: game.outcome,
            context: Context {
                white_rating: game.tags.white_rating,
                black_rating: game.tags.black_rating,
                base: control.and_then(|control| short(control.base)),
                increment: control.and_then(|control| short(control.increment)),
                ..Context::default()
            },
        }
    }
}

impl From<GameRecord> for Played {
    fn from(game: GameRecord) -> Played {
        let known = |score: i16| (score != NO_SCORE).then_some(score);
        Played {
            start: game.start,
            moves: game.moves.into_iter().map(|(m, score)| (m, known(score))).collect(),
            clocks: Vec::new(),
            outcome: Some(game.outcome),
            context: Context::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use formats::pgn::bulk::BulkReader;

    use super::*;

    const PGN: &str = r#"[WhiteElo "1801"]
[BlackElo "1702"]
[TimeControl "180+2"]
[Result "1-0"]

1. e4 { [%eval 0.3] [%clk 0:02:59] } 1... e5 { [%eval 0.25] [%clk 0:02:50] } 2. Nf3 { [%clk 0:02:30.9] } 1-0
"#;

    fn played() -> Played {
        BulkReader::new(PGN.as_bytes(), 1).next().expect("a game").expect("a good game").into()
    }

    #[test]
    fn samples_keep_what_the_game_says() {
        let samples = played().samples(&[0, 1, 2]);
        let clocks: Vec<_> =
            samples.iter().map(|sample| (sample.context.clock, sample.context.opponent_clock)).collect();
        assert_eq!(clocks, [(Some(180), Some(180)), (Some(180), Some(179)), (Some(179), Some(170))]);
        assert_eq!(samples.iter().map(|sample| sample.score).collect::<Vec<_>>(), [None, Some(30), Some(25)]);
        let last = &samples[2];
        assert_eq!(last.played.map(|m| m.to_uci(false)).as_deref(), Some("g1f3"));
        assert_eq!((last.context.white_rating, last.context.black_rating), (Some(1801), Some(1702)));
        assert_eq!((last.context.base, last.context.increment), (Some(180), Some(2)));
        assert_eq!(last.outcome, Some(Outcome::Win(rules::Color::White)));
        assert_eq!(last.board.fullmoves(), 2);
    }

    #[test]
    fn only_the_chosen_positions_come() {
        let chosen = played().samples(&[1]);
        assert_eq!(chosen.len(), 1);
        assert_eq!(chosen[0], played().samples(&[0, 1, 2])[1]);
        assert!(played().samples(&[]).is_empty());
    }

    #[test]
    fn a_record_is_the_same_game() {
        let record = played().record().expect("a result");
        assert_eq!(record.moves.iter().map(|&(_, score)| score).collect::<Vec<_>>(), [NO_SCORE, 30, 25]);
        let again = Played::from(record);
        assert_eq!(again.key(), played().key());
        assert_eq!(again.clock(2), None);
    }
}
