// SPDX-License-Identifier: GPL-3.0-or-later
//! What `pgn-reader` says about a game, turned into moves on the board.

use std::ops::ControlFlow;

use pgn_reader::{
    KnownOutcome, RawComment, RawTag, SanPlus, Visitor,
    shakmaty::{self, CastlingSide},
};
use rules::{
    Color, Outcome,
    chess::{Board, ParseSanError, Role, San, Square, Wing},
};

use super::{BulkMove, BulkTags, comment::Commands};
use crate::{error::Problem, games::MAX_PLIES};

/// A game in the making, and whether it is wanted at all.
pub(super) struct Builder<F> {
    pub(super) wanted: F,
    pub(super) tags: BulkTags,
    pub(super) start: Board,
    pub(super) board: Board,
    pub(super) moves: Vec<BulkMove>,
    pub(super) outcome: Option<Outcome>,
}

/// What became of a game.
pub(super) enum Verdict {
    Read,
    PassedOver,
    Refused(Problem),
}

impl<F: FnMut(&BulkTags) -> bool> Builder<F> {
    pub(super) fn new(wanted: F, mut tags: BulkTags) -> Builder<F> {
        tags.clear();
        let board = Board::start();
        Builder { wanted, tags, start: board, board, moves: Vec::new(), outcome: None }
    }

    /// Whether the game is chess, and where it begins.
    fn set_up(&mut self) -> Result<(), Problem> {
        let chess =
            ["standard", "chess", "chess960", "from position", "fischerandom", "fischerrandom", "normal"];
        if let Some(variant) = self.tags.get("Variant")
            && !chess.contains(&variant.to_ascii_lowercase().as_str())
        {
            return Err(Problem::value("variant", format!("'{variant}'"), "chess or Chess960"));
        }
        if let Some(fen) = self.tags.get("FEN") {
            self.start = Board::from_fen(fen)?;
            self.board = self.start;
        }
        Ok(())
    }

    fn play(&mut self, san: &SanPlus) -> Result<(), Problem> {
        if self.moves.len() >= MAX_PLIES {
            let (found, limit) = (MAX_PLIES as u64 + 1, MAX_PLIES as u64);
            return Err(Problem::TooLong { what: "a game", found, unit: "half-moves or more", limit });
        }
        let Some(m) = translated(&san.san).and_then(|san| self.board.resolve_san(san)) else {
            return Err(self.refused(&san.san.to_string()));
        };
        self.board.play(m);
        self.moves.push(BulkMove { m, clock: None, eval: None });
        Ok(())
    }

    #[cold]
    fn refused(&self, text: &str) -> Problem {
        match self.board.parse_san(text) {
            Err(error) => error.into(),
            Ok(_) => ParseSanError::Syntax(text.to_owned()).into(),
        }
    }
}

impl<F: FnMut(&BulkTags) -> bool> Visitor for Builder<F> {
    type Tags = ();
    type Movetext = ();
    type Output = Verdict;

    fn begin_tags(&mut self) -> ControlFlow<Verdict> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<Verdict> {
        self.tags.push(&String::from_utf8_lossy(name), &value.decode_utf8_lossy());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, _: ()) -> ControlFlow<Verdict> {
        if !(self.wanted)(&self.tags) {
            return ControlFlow::Break(Verdict::PassedOver);
        }
        continue_if(self.set_up())
    }

    fn san(&mut self, _: &mut (), san: SanPlus) -> ControlFlow<Verdict> {
        continue_if(self.play(&san))
    }

    fn comment(&mut self, _: &mut (), comment: RawComment<'_>) -> ControlFlow<Verdict> {
        let commands = Commands::read(comment.as_bytes());
        if let Some(last) = self.moves.last_mut() {
            last.clock = commands.clock.or(last.clock);
            last.eval = commands.eval.or(last.eval);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, _: &mut (), outcome: pgn_reader::Outcome) -> ControlFlow<Verdict> {
        self.outcome = match outcome {
            pgn_reader::Outcome::Known(KnownOutcome::Draw) => Some(Outcome::Draw),
            pgn_reader::Outcome::Known(KnownOutcome::Decisive { winner }) => {
                Some(Outcome::Win(if winner.is_white() { Color::White } else { Color::Black }))
            }
            pgn_reader::Outcome::Unknown => None,
        };
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: ()) -> Verdict {
        Verdict::Read
    }
}

fn continue_if(result: Result<(), Problem>) -> ControlFlow<Verdict> {
    match result {
        Ok(()) => ControlFlow::Continue(()),
        Err(problem) => ControlFlow::Break(Verdict::Refused(problem)),
    }
}

/// The same in the words of our rules; null moves and drops are no moves.
fn translated(san: &shakmaty::san::San) -> Option<San> {
    match *san {
        shakmaty::san::San::Normal { role, file, rank, capture, to, promotion } => Some(San::Normal {
            role: role_of(role),
            file: file.map(u8::from),
            rank: rank.map(u8::from),
            capture,
            to: Square::new(u8::from(to)),
            promoted: promotion.map(role_of),
        }),
        shakmaty::san::San::Castle(CastlingSide::KingSide) => Some(San::Castle(Wing::King)),
        shakmaty::san::San::Castle(CastlingSide::QueenSide) => Some(San::Castle(Wing::Queen)),
        shakmaty::san::San::Put { .. } | shakmaty::san::San::Null => None,
    }
}

fn role_of(role: shakmaty::Role) -> Role {
    match role {
        shakmaty::Role::Pawn => Role::Pawn,
        shakmaty::Role::Knight => Role::Knight,
        shakmaty::Role::Bishop => Role::Bishop,
        shakmaty::Role::Rook => Role::Rook,
        shakmaty::Role::Queen => Role::Queen,
        shakmaty::Role::King => Role::King,
    }
}
