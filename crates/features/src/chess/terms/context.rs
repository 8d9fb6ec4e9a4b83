// SPDX-License-Identifier: GPL-3.0-or-later
//! What several terms need to know about a position, computed once.

use rules::{
    Color,
    chess::{Bitboard, Board, Role, Square, attacks},
};

use super::zones::Eye;

/// One side's pieces and what they attack.
pub(super) struct Side {
    pub(super) king: Square,
    pub(super) eye: Eye,
    pub(super) all: Bitboard,
    pub(super) roles: [Bitboard; 6],
    /// Squares around the king: its neighbours and its own square, moved off the rim of the board.
    pub(super) ring: Bitboard,
    /// Squares that pawns of this side attack now or after any advance.
    pub(super) pawn_span: Bitboard,
    /// Whole files with a pawn of this side.
    pub(super) pawn_files: Bitboard,
    /// Passed pawns, without those behind another pawn of their side.
    pub(super) passed: Bitboard,
    /// Squares attacked by role: pawns and king at first, the others once their mobility is counted.
    pub(super) attacks: [Bitboard; 6],
    /// Squares attacked at all, by the roles counted so far.
    pub(super) attacked: Bitboard,
    /// Squares attacked at least twice.
    pub(super) twice: Bitboard,
}

impl Side {
    #[inline(always)]
    pub(super) fn of(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    #[inline(always)]
    pub(super) fn by(&self, role: Role) -> Bitboard {
        self.attacks[role.index()]
    }

    #[inline(always)]
    fn new(board: &Board, us: Color) -> Side {
        let roles = Role::ALL.map(|role| board.pieces(us, role));
        let pawns = roles[Role::Pawn.index()];
        let king = board.king(us);
        let ahead = pawns.forward(us);
        let (east, west) = (ahead.east(), ahead.west());
        let by_king = attacks::king(king);
        let mut by_role = [Bitboard::EMPTY; 6];
        by_role[Role::Pawn.index()] = east | west;
        by_role[Role::King.index()] = by_king;
        Side {
            king,
            eye: Eye::of(us, king),
            all: board.color(us),
            roles,
            ring: ring(king),
            pawn_span: (east | west).fill_forward(us),
            pawn_files: pawns.fill_forward(Color::White) | pawns.fill_forward(Color::Black),
            passed: Bitboard::EMPTY,
            attacks: by_role,
            attacked: east | west | by_king,
            twice: (east & west) | ((east | west) & by_king),
        }
    }
}

/// The squares around a king, its own included: always nine.
#[inline(always)]
fn ring(king: Square) -> Bitboard {
    let middle = Square::at(king.file().clamp(1, 6), king.rank().clamp(1, 6));
    attacks::king(middle).with(middle)
}

/// A position and what is known of it.
pub(super) struct Context<'a> {
    pub(super) board: &'a Board,
    pub(super) occupied: Bitboard,
    sides: [Side; 2],
}

impl<'a> Context<'a> {
    #[inline(always)]
    pub(super) fn new(board: &'a Board) -> Context<'a> {
        let mut sides = [Side::new(board, Color::White), Side::new(board, Color::Black)];
        for us in Color::ALL {
            let them = &sides[(!us).index()];
            let stopped = them.pawn_span | them.of(Role::Pawn).forward(!us).fill_forward(!us);
            let own = &mut sides[us.index()];
            let pawns = own.of(Role::Pawn);
            own.passed = pawns - stopped - pawns.forward(!us).fill_forward(!us);
        }
        Context { board, occupied: board.occupied(), sides }
    }

    #[inline(always)]
    pub(super) fn side(&self, color: Color) -> &Side {
        &self.sides[color.index()]
    }

    #[inline(always)]
    pub(super) fn side_mut(&mut self, color: Color) -> &mut Side {
        &mut self.sides[color.index()]
    }

    #[inline(always)]
    pub(super) fn pawns(&self) -> Bitboard {
        self.board.role(Role::Pawn)
    }

    /// How many of the sliders, each on a line with `target`, have one piece between them and it.
    #[inline(always)]
    pub(super) fn count_veiled(&self, sliders: Bitboard, target: Square) -> i32 {
        let veiled = |slider| {
            let between = attacks::between(slider, target) & self.occupied;
            i32::from(!between.is_empty() && !between.has_many())
        };
        sliders.into_iter().map(veiled).sum()
    }
}
