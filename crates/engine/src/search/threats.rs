// SPDX-License-Identifier: GPL-3.0-or-later
//! What the opponent attacks, and with what.

use rules::chess::{Bitboard, Board, Role, attacks};

/// The squares that the side not to move attacks; each set contains the one before.
#[derive(Copy, Clone)]
pub(crate) struct Threats {
    /// By pawns.
    pawns: Bitboard,
    /// By pawns and minor pieces.
    minors: Bitboard,
    /// By pawns, minor pieces and rooks.
    rooks: Bitboard,
    /// By anything.
    pub(crate) all: Bitboard,
}

impl Threats {
    /// None: for those who look at captures only.
    pub(crate) const NONE: Threats = Threats {
        pawns: Bitboard::EMPTY,
        minors: Bitboard::EMPTY,
        rooks: Bitboard::EMPTY,
        all: Bitboard::EMPTY,
    };

    /// Those of a position.
    #[inline]
    pub(crate) fn of(board: &Board) -> Threats {
        let them = !board.turn();
        let occupied = board.occupied();
        let by = |role: Role| {
            let from = board.pieces(them, role).into_iter();
            from.fold(Bitboard::EMPTY, |set, from| set | attacks::of(role, them, from, occupied))
        };
        let pawns = attacks::pawns(them, board.pieces(them, Role::Pawn));
        let minors = pawns | by(Role::Knight) | by(Role::Bishop);
        let rooks = minors | by(Role::Rook);
        let all = rooks | by(Role::Queen) | attacks::king(board.king(them));
        Threats { pawns, minors, rooks, all }
    }

    /// The squares on which a piece is attacked by one of less value.
    #[inline(always)]
    pub(crate) fn feared_by(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn | Role::King => Bitboard::EMPTY,
            Role::Knight | Role::Bishop => self.pawns,
            Role::Rook => self.minors,
            Role::Queen => self.rooks,
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::chess::Square;

    use super::*;

    #[test]
    fn all_attacks_are_those_of_the_rules() {
        for board in crate::bench::positions() {
            assert_eq!(Threats::of(&board).all, board.attacked_by(!board.turn(), board.occupied()));
        }
    }

    #[test]
    fn pieces_fear_lesser_ones_only() {
        // Black's pawn attacks c4 and e4, the knight f5, the rook the h-file, the queen a1.
        let board = Board::from_fen("q3k2r/8/7n/3p4/8/8/8/1K6 w - - 0 1").unwrap();
        let threats = Threats::of(&board);
        let fears = |role: Role, square: Square| threats.feared_by(role).contains(square);
        assert!(fears(Role::Knight, Square::at(4, 3)) && fears(Role::Queen, Square::at(4, 3)));
        assert!(!fears(Role::Bishop, Square::at(5, 4)) && fears(Role::Rook, Square::at(5, 4)));
        assert!(!fears(Role::Rook, Square::at(7, 6)) && fears(Role::Queen, Square::at(7, 6)));
        assert!(!fears(Role::Queen, Square::A1) && threats.all.contains(Square::A1));
        assert!(!fears(Role::Pawn, Square::at(4, 3)));
    }
}
