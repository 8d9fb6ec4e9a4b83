// SPDX-License-Identifier: GPL-3.0-or-later
//! Syzygy endgame tables: win, draw or loss inside the search, the way to make progress at the root.

use std::{io, path::Path};

use rules::{
    Color, Outcome,
    chess::{Board, Game, Move, Role, Square},
};
use shakmaty::{CastlingMode, Chess, FromSetup};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase, Wdl};

use super::{score::TABLE_WIN, searcher::Searcher};

/// Syzygy tables: those that were found, possibly none.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    max_pieces: u32,
    count: usize,
}

/// Ranks of certain wins are above this, those of certain losses below its negative.
const DECISIVE_RANK: i32 = 50;

/// What a root move of this rank is worth.
pub(crate) fn score_of_rank(rank: i32) -> i32 {
    if rank > DECISIVE_RANK {
        TABLE_WIN
    } else if rank < -DECISIVE_RANK {
        -TABLE_WIN
    } else {
        0
    }
}

impl Tablebases {
    pub(crate) fn none() -> Tablebases {
        Tablebases { tables: Tablebase::new(), max_pieces: 0, count: 0 }
    }

    /// The tables of one or more folders, separated as in `PATH`.
    ///
    /// # Errors
    /// When a folder cannot be read, or there is no table in any of them.
    pub fn open(paths: &Path) -> io::Result<Tablebases> {
        let mut tables = Tablebase::new();
        let mut found = 0;
        for folder in std::env::split_paths(paths) {
            found += tables.add_directory(&folder)?;
        }
        if found == 0 {
            return Err(io::Error::new(io::ErrorKind::NotFound, "no .rtbw or .rtbz file there"));
        }
        let max_pieces = tables.max_pieces() as u32;
        Ok(Tablebases { tables, max_pieces, count: found })
    }

    /// How many table files there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    fn covers(&self, board: &Board) -> bool {
        board.occupied().len() <= self.max_pieces && board.castling().is_empty()
    }

    /// Who wins with best play, the fifty-move count of the position included; none if the tables cannot tell.
    pub fn outcome(&self, board: &Board) -> Option<Outcome> {
        if !self.covers(board) {
            return None;
        }
        let value = if board.halfmoves() == 0 {
            self.wdl_after_zeroing(board)?
        } else {
            let dtz = self.tables.probe_dtz(&convert(board)?).ok()?;
            match AmbiguousWdl::from_dtz_and_halfmoves(dtz, u32::from(board.halfmoves())) {
                AmbiguousWdl::Win => 1,
                AmbiguousWdl::Loss => -1,
                AmbiguousWdl::Draw | AmbiguousWdl::CursedWin | AmbiguousWdl::BlessedLoss => 0,
                AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => return None,
            }
        };
        Some(match value {
            1 => Outcome::Win(board.turn()),
            -1 => Outcome::Win(!board.turn()),
            _ => Outcome::Draw,
        })
    }

    /// Win (1), draw (0) or loss (-1) of a position right after a capture or pawn move.
    fn wdl_after_zeroing(&self, board: &Board) -> Option<i32> {
        let wdl = self.tables.probe_wdl_after_zeroing(&convert(board)?).ok()?;
        Some(match wdl {
            Wdl::Win => 1,
            Wdl::Loss => -1,
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => 0,
        })
    }

    /// How a root move ranks: certain wins by the shortest way to progress first, losses last.
    ///
    /// None if a table is missing.
    pub(crate) fn rank(&self, game: &Game, m: Move) -> Option<i32> {
        let board = game.board();
        if !self.covers(board) {
            return None;
        }
        let mut after = game.clone();
        after.play(m);
        let child = after.board();
        if let Some((outcome, _)) = after.outcome() {
            return Some(match outcome {
                Outcome::Win(_) => 2000,
                Outcome::Draw => 0,
            });
        }
        let position = convert(child)?;
        let dtz = self.tables.probe_dtz(&position).ok()?;
        let plies = dtz.ignore_rounding().0;
        let wdl = AmbiguousWdl::from_dtz_and_halfmoves(dtz, u32::from(child.halfmoves()));
        Some(match wdl {
            AmbiguousWdl::Loss | AmbiguousWdl::MaybeLoss => 1000 + plies.max(-900),
            AmbiguousWdl::Win | AmbiguousWdl::MaybeWin => -1000 + plies.min(900),
            AmbiguousWdl::BlessedLoss => 1,
            AmbiguousWdl::CursedWin => -1,
            AmbiguousWdl::Draw => 0,
        })
    }
}

impl Searcher<'_> {
    /// The proven score of a position, where the tables know it and the fifty-move count is fresh.
    pub(super) fn probe_tables(&mut self, board: &Board, ply: usize) -> Option<i32> {
        if !self.shared.tables.covers(board) || board.halfmoves() != 0 {
            return None;
        }
        let wdl = self.shared.tables.wdl_after_zeroing(board)?;
        self.count_table_hit();
        Some(wdl * (TABLE_WIN - ply as i32))
    }
}

fn convert(board: &Board) -> Option<Chess> {
    let mut setup = shakmaty::Setup::empty();
    for square in board.occupied() {
        let piece = board.piece_on(square)?;
        let role = match piece.role() {
            Role::Pawn => shakmaty::Role::Pawn,
            Role::Knight => shakmaty::Role::Knight,
            Role::Bishop => shakmaty::Role::Bishop,
            Role::Rook => shakmaty::Role::Rook,
            Role::Queen => shakmaty::Role::Queen,
            Role::King => shakmaty::Role::King,
        };
        setup.board.set_piece_at(convert_square(square), role.of(convert_color(piece.color())));
    }
    setup.turn = convert_color(board.turn());
    setup.ep_square = board.en_passant().map(convert_square);
    setup.halfmoves = u32::from(board.halfmoves());
    Chess::from_setup(setup, CastlingMode::Chess960).ok()
}

fn convert_color(color: Color) -> shakmaty::Color {
    match color {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    }
}

fn convert_square(square: Square) -> shakmaty::Square {
    shakmaty::Square::new(square.index() as u32)
}
