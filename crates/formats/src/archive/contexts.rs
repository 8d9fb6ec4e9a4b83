// SPDX-License-Identifier: GPL-3.0-or-later
//! What a quick look says about the legal moves: the contexts under which the model asks about them.

use rules::{
    Color,
    chess::{Bitboard, Board, Move, MoveKind, Role, Square, attacks},
};

/// What the position says, computed once for all its moves.
#[derive(Debug)]
pub(super) struct View {
    us: Color,
    in_check: u32,
    /// 0 with most pieces on the board, 3 with few.
    phase: u32,
    theirs: Bitboard,
    /// Squares that the opponent attacks with less than a minor piece, a rook, a queen, a king.
    danger: [Bitboard; 6],
    attacked: Bitboard,
    defended: Bitboard,
    /// From where a piece of each role would attack the opponent's king.
    checks: [Bitboard; 6],
    /// Pieces on the lines of the opponent's king that may stand in the way of another.
    shields: Bitboard,
    last: Option<Past>,
    own_last: Option<Past>,
    /// What the piece that moved last attacks.
    last_attacks: Bitboard,
}

/// A move that was made: what went where, as White would see it if it were White's.
#[derive(Copy, Clone, Debug)]
pub(super) struct Past {
    /// Role and destination, below 384.
    pub(super) code: u32,
    to: Square,
    captured: bool,
}

impl Past {
    pub(super) fn of(board: &Board, m: Move) -> Past {
        let us = board.turn();
        let role = board.piece_on(m.from()).map_or(Role::Pawn, |piece| piece.role());
        Past {
            code: role as u32 * 64 + m.to().relative(us).index() as u32,
            to: m.to(),
            captured: m.is_capture(),
        }
    }
}

/// What is known about one move before it is asked about.
#[derive(Copy, Clone, Debug)]
pub(super) struct Candidate {
    pub(super) m: Move,
    /// Role and destination as the mover sees it, below 384.
    pub(super) code: u32,
    /// What happens: roles, dangers, check.
    pub(super) deed: u32,
    /// How it answers the last move.
    pub(super) answer: u32,
    /// Origin and destination as the mover sees them.
    pub(super) way: u32,
}

impl View {
    pub(super) fn new(board: &Board, last: Option<Past>, own_last: Option<Past>) -> View {
        let us = board.turn();
        let them = !us;
        let occupied = board.occupied();
        let pawns = attacks::pawns(them, board.pieces(them, Role::Pawn));
        let attacks_of = |role: Role| {
            let squares = board.pieces(them, role).into_iter();
            squares.fold(Bitboard::EMPTY, |all, from| all | attacks::of(role, them, from, occupied))
        };
        let minors = pawns | attacks_of(Role::Knight) | attacks_of(Role::Bishop);
        let rooks = minors | attacks_of(Role::Rook);
        let queens = rooks | attacks_of(Role::Queen);
        let attacked = queens | attacks::king(board.king(them));
        let last_attacks = last.map_or(Bitboard::EMPTY, |past| match board.piece_on(past.to) {
            Some(piece) => attacks::of(piece.role(), them, past.to, occupied),
            None => Bitboard::EMPTY,
        });
        let pieces = (occupied - board.role(Role::Pawn)).len();
        let king = board.king(them);
        let (diagonal, straight) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let (beyond_diagonal, beyond_straight) = (
            attacks::bishop(king, occupied - (diagonal & board.color(us))),
            attacks::rook(king, occupied - (straight & board.color(us))),
        );
        let snipers = ((beyond_diagonal - diagonal) & board.diagonal_sliders())
            | ((beyond_straight - straight) & board.straight_sliders());
        let shields = (snipers & board.color(us))
            .into_iter()
            .fold(Bitboard::EMPTY, |all, sniper| all | (attacks::between(king, sniper) & board.color(us)));
        View {
            us,
            in_check: board.in_check().into(),
            phase: [3, 3, 3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0]
                .get(pieces as usize)
                .copied()
                .unwrap_or(0),
            theirs: board.color(them),
            danger: [Bitboard::EMPTY, pawns, pawns, minors, rooks, attacked],
            attacked,
            defended: board.attacked_by(us, occupied),
            checks: [
                attacks::pawn(them, king),
                attacks::knight(king),
                diagonal,
                straight,
                diagonal | straight,
                Bitboard::EMPTY,
            ],
            shields,
            last,
            own_last,
            last_attacks,
        }
    }

    /// How dangerous a square is for a piece: 0 not attacked, 1 attacked but defended, 2 not defended,
    /// 3 attacked by a lesser piece.
    fn danger(&self, role: Role, square: Square) -> u32 {
        if self.danger[role.index()].contains(square) {
            3
        } else if !self.attacked.contains(square) {
            0
        } else {
            2 - u32::from(self.defended.contains(square))
        }
    }

    pub(super) fn candidate(&self, board: &Board, m: Move) -> Candidate {
        let (from, to) = (m.from(), m.to());
        let role = board.piece_on(from).map_or(Role::Pawn, |piece| piece.role());
        let victim = match board.piece_on(to) {
            _ if m.is(MoveKind::EnPassant) => 1,
            Some(piece) if self.theirs.contains(to) => 1 + piece.role() as u32,
            _ => 0,
        };
        let special = u32::from(m.is_castle()) + 2 * u32::from(m.promoted() == Some(Role::Queen));
        let special = if m.is_promotion() && special == 0 { 3 } else { special };
        let (there, here) = (self.danger(role, to), self.danger(role, from));
        let arriving = m.promoted().unwrap_or(role);
        let check = u32::from(self.checks[arriving.index()].contains(to) || self.shields.contains(from));
        let code = role as u32 * 64 + to.relative(self.us).index() as u32;
        let way = (from.relative(self.us).index() as u32) << 6 | to.relative(self.us).index() as u32;

        let recaptures = self.last.is_some_and(|past| past.to == to);
        let retakes = recaptures && self.last.is_some_and(|past| past.captured);
        let flees = self.last_attacks.contains(from);
        let again = self.own_last.is_some_and(|past| past.to == from);
        let mut answer =
            u32::from(recaptures) + u32::from(retakes) + 3 * u32::from(flees) + 6 * u32::from(again);
        answer = ((answer * 6 + role as u32) * 7 + victim) * 4 + there;

        let mut deed = ((role as u32 * 7 + victim) * 4 + there) * 4 + here;
        deed = ((deed * 4 + special) * 2 + check) * 2 + self.in_check;

        Candidate { m, code, deed, answer, way }
    }

    /// The phase of the game, 0 to 3.
    pub(super) fn phase(&self) -> u32 {
        self.phase
    }

    pub(super) fn last_code(&self) -> u32 {
        self.last.map_or(511, |past| past.code)
    }

    pub(super) fn own_last_code(&self) -> u32 {
        self.own_last.map_or(511, |past| past.code)
    }

    /// Whether the side to move is in check, as 0 or 1.
    pub(super) fn in_check(&self) -> u32 {
        self.in_check
    }
}
