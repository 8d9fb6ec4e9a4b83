// SPDX-License-Identifier: GPL-3.0-or-later
//! What can happen on a board: which indices can ever be active, and which by two pieces at once.

use rules::{
    Color,
    chess::{Piece, Role, Square},
};

use super::FeatureSet;

/// Whether a legal position can have `piece` on `square` while White's king stands on `king`.
fn is_possible(king: Square, piece: Piece, square: Square) -> bool {
    match (piece.role(), piece.color()) {
        (Role::King, Color::White) => square == king,
        (Role::King, Color::Black) => square.distance(king) > 1,
        (Role::Pawn, _) => square != king && !matches!(square.rank(), 0 | 7),
        _ => square != king,
    }
}

/// Calls with every king, square and index that can occur together in White's view. Black's view has the
/// same indices.
fn each_possible(set: &FeatureSet, mut then: impl FnMut(Square, Square, u32)) {
    for king in Square::all() {
        let sight = set.seen_by(Color::White, king);
        for piece in Piece::ALL {
            for square in Square::all().filter(|&square| is_possible(king, piece, square)) {
                for &index in sight.rows(piece, square) {
                    then(king, square, index);
                }
            }
        }
    }
}

/// Whether pieces on two squares can have the same index.
pub(super) fn shares(set: &FeatureSet) -> bool {
    let mut last = vec![None; set.size()];
    let mut shared = false;
    each_possible(set, |king, square, index| {
        if let Some((other_king, other)) = last[index as usize].replace((king, square)) {
            shared |= other_king == king && other != square;
        }
    });
    shared
}

impl FeatureSet {
    /// The indices that no legal position activates, in rising order.
    pub fn dead(&self) -> Vec<u32> {
        let mut alive = vec![false; self.size()];
        each_possible(self, |_, _, index| alive[index as usize] = true);
        (0..).zip(alive).filter(|(_, alive)| !alive).map(|(index, _)| index).collect()
    }
}
