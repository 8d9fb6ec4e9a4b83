// SPDX-License-Identifier: GPL-3.0-or-later
//! Games against the engine.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use super::Score;

/// A game to begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Its name, made up by the client: 6 to 40 letters, digits, `-` or `_`.
    pub game: String,
    /// The strength of the engine in Elo points, as in [`super::Welcome`]; full strength if not given.
    pub elo: Option<u32>,
    /// The human's side; drawn by lot if not given.
    pub colour: Option<Colour>,
    /// The clock of each side; none if not given.
    pub clock: Option<ClockSetting>,
    /// Where the game begins; if not given the usual position, in Chess960 one of the 960.
    pub fen: Option<String>,
    /// Whether castling follows Chess960.
    pub chess960: bool,
}

/// A side.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// Moves first.
    White,
    /// Moves second.
    Black,
}

/// A base time and what every move adds.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct ClockSetting {
    /// Milliseconds at the beginning, 1,000 to 36,000,000.
    pub base_ms: u32,
    /// Milliseconds that a move adds, up to 600,000.
    pub increment_ms: u32,
}

/// What the human can do in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Makes a move.
    Move {
        /// How many half-moves were played before; a move meant for another position is refused.
        ply: u32,
        /// The move in UCI form; castling in either form.
        uci: String,
    },
    /// Takes back up to and including the human's last move.
    TakeBack,
    /// Gives up.
    Resign,
    /// Offers a draw; the engine agrees if it sees no more than that for itself.
    OfferDraw,
    /// Claims a draw by repetition or by the fifty-move rule.
    ClaimDraw,
}

/// A game as a page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameState {
    /// The name of the game.
    pub game: String,
    /// Grows with every change.
    pub version: u32,
    /// Where the game began.
    pub start_fen: String,
    /// Whether castling follows Chess960; castling is then the king taking its rook (`e1h1`).
    pub chess960: bool,
    /// The human's side.
    pub human: Colour,
    /// The strength of the engine; full strength if not given.
    pub elo: Option<u32>,
    /// The moves so far.
    pub moves: Vec<PlayedMove>,
    /// The position now.
    pub fen: String,
    /// The side to move.
    pub turn: Colour,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The clocks; none if the game is played without.
    pub clock: Option<ClockState>,
    /// How the game ended; none while it goes on.
    pub result: Option<GameResult>,
    /// Whether the engine is to move and looks for its move.
    pub thinking: bool,
    /// What a player may claim: a draw, and by which rule.
    pub claim: Option<EndReason>,
    /// Whether the engine declined a draw since the last move.
    pub draw_declined: bool,
    /// What the engine thought of its last move, seen by White.
    pub evaluation: Option<Score>,
    /// The name of the opening, as far as the moves are known.
    pub opening: Option<Opening>,
    /// When the game began, in milliseconds since 1970.
    pub created_ms: f64,
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct PlayedMove {
    /// In UCI form.
    pub uci: String,
    /// In standard algebraic notation.
    pub san: String,
    /// The mover's clock after the move in milliseconds.
    pub clock_ms: Option<u32>,
}

/// A move in both notations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct MoveText {
    /// In UCI form.
    pub uci: String,
    /// In standard algebraic notation.
    pub san: String,
}

/// Clocks as they stood when the message left the server.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct ClockState {
    /// What was agreed.
    pub setting: ClockSetting,
    /// White's time left in milliseconds.
    pub white_ms: u32,
    /// Black's time left in milliseconds.
    pub black_ms: u32,
    /// Whose clock is running; none before the first move, after the end, and while nobody watches.
    pub running: Option<Colour>,
}

/// How a game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameResult {
    /// Who won; a draw if nobody.
    pub winner: Option<Colour>,
    /// Why.
    pub reason: EndReason,
}

/// Why a game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The king is in check and cannot escape.
    Checkmate,
    /// No legal move, no check.
    Stalemate,
    /// Neither side could ever mate.
    InsufficientMaterial,
    /// The position occurred for the third time, and somebody claimed the draw.
    ThreefoldRepetition,
    /// The position occurred for the fifth time.
    FivefoldRepetition,
    /// Fifty moves by each side without capture or pawn move, and somebody claimed the draw.
    FiftyMoves,
    /// Seventy-five moves by each side without capture or pawn move.
    SeventyFiveMoves,
    /// A player gave up.
    Resignation,
    /// The players agreed on a draw.
    Agreement,
    /// A player's time ran out.
    Time,
    /// A player's time ran out, but the other could never mate.
    TimeWithoutMaterial,
}

/// The name of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings, such as `C20`.
    pub eco: String,
    /// The name in English.
    pub name: String,
}
