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
    use super::*;

    #[test]
    fn all_attacks_are_those_of_the_rules() {
        for board in crate::bench::positions() {
            let threats = Threats::of(&board);
            assert_eq!(threats.all, board.attacked_by(!board.turn(), board.occupied()));
            assert!((threats.rooks & threats.all) == threats.rooks);
        }
    }
}
