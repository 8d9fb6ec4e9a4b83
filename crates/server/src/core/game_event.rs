// SPDX-License-Identifier: GPL-3.0-or-later
//! What happens in a game, as it is stored; the first event is made here from what a page asks for.

use std::ops::RangeInclusive;

use rules::{
    Random,
    chess::{Board, Game, Reason},
};
use serde::{Deserialize, Serialize};

use super::{Refused, check_name, fen_of, start_board};
use crate::message::{ClockSetting, Colour, EndReason, GameResult, NewGame, Refusal, Score};

/// Something that happened in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum GameEvent {
    /// The game began.
    Begun {
        /// Where.
        fen: String,
        /// Whether castling follows Chess960.
        chess960: bool,
        /// The human's side.
        human: Colour,
        /// The strength of the engine.
        elo: Option<u32>,
        /// The clock.
        clock: Option<ClockSetting>,
    },
    /// Somebody moved.
    Moved {
        /// The move.
        uci: String,
        /// The mover's clock after it.
        clock_ms: Option<u32>,
        /// What the engine thinks, if the engine moved.
        evaluation: Option<Score>,
    },
    /// Moves were taken back.
    TakenBack {
        /// How many half-moves.
        plies: u32,
    },
    /// The engine declined a draw.
    Declined,
    /// The game is over.
    Ended {
        /// How.
        result: GameResult,
    },
}

/// The first event of a new game. The lot decides what is left to chance: the human's side, the start of Chess960.
///
/// # Errors
/// When the position is illegal or over, or a number is out of its range.
pub fn begin(new: &NewGame, elo_range: RangeInclusive<u32>, lot: &mut Random) -> Result<GameEvent, Refused> {
    check_name(&new.game, 6)?;
    let board = match (&new.fen, new.chess960) {
        (None, true) => Board::chess960_start(lot.below(Board::CHESS960_STARTS)),
        (fen, _) => start_board(fen.as_deref())?,
    };
    if Game::new(board).outcome().is_some() {
        return Err(Refused::new(Refusal::Invalid, format!("the game is over in '{board}'")));
    }
    if let Some(elo) = new.elo.filter(|elo| !elo_range.contains(elo)) {
        let (low, high) = (elo_range.start(), elo_range.end());
        return Err(Refused::new(Refusal::Invalid, format!("elo {elo} is not within {low} and {high}")));
    }
    if let Some(ClockSetting { base_ms, increment_ms }) = new.clock
        && (!(1_000..=36_000_000).contains(&base_ms) || increment_ms > 600_000)
    {
        let reason = format!("a clock of {base_ms} + {increment_ms} ms is not within 1 s to 10 h + 10 min");
        return Err(Refused::new(Refusal::Invalid, reason));
    }
    let side = lot.pick(&[Colour::White, Colour::Black]);
    Ok(GameEvent::Begun {
        fen: fen_of(&board, new.chess960),
        chess960: new.chess960,
        human: new.colour.unwrap_or(side),
        elo: new.elo,
        clock: new.clock,
    })
}

impl From<Reason> for EndReason {
    fn from(reason: Reason) -> EndReason {
        match reason {
            Reason::Checkmate => EndReason::Checkmate,
            Reason::Stalemate => EndReason::Stalemate,
            Reason::InsufficientMaterial => EndReason::InsufficientMaterial,
            Reason::ThreefoldRepetition => EndReason::ThreefoldRepetition,
            Reason::FivefoldRepetition => EndReason::FivefoldRepetition,
            Reason::FiftyMoves => EndReason::FiftyMoves,
            Reason::SeventyFiveMoves => EndReason::SeventyFiveMoves,
        }
    }
}
