// SPDX-License-Identifier: GPL-3.0-or-later
//! Legal move generation, by stages, into a list or a mere count.
//!
//! The generator speaks in sets: it hands a [`Sink`] "this piece can go to these squares". A list
//! expands the sets into moves; a counter adds their sizes, which is what makes leaf counting fast.

use super::{Bitboard, Board, Move, MoveKind, MoveList, Role, Square, Wing, attacks};
use crate::Color;

/// Which moves to generate; in check all of them are evasions.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Every legal move.
    All,
    /// Captures and promotions.
    Noisy,
    /// Everything that is neither a capture nor a promotion.
    Quiet,
}

trait Sink {
    /// A piece other than a pawn can go to any of `targets`; those in `enemies` are captures.
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard);
    /// Pawns reach `targets`, each from the square `step` before it.
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind);
    /// Pawns promote on `targets`, each from the square `step` before it.
    fn promotions(&mut self, targets: Bitboard, step: i8, capture: bool);
    /// A single move of a special kind.
    fn special(&mut self, m: Move);
}

impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard, enemies: Bitboard) {
        for to in targets & enemies {
            self.push(Move::new(from, to, MoveKind::Capture));
        }
        for to in targets - enemies {
            self.push(Move::new(from, to, MoveKind::Quiet));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        for to in targets {
            self.push(Move::new(back(to, step), to, kind));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i8, capture: bool) {
        for to in targets {
            for role in [Role::Queen, Role::Knight, Role::Rook, Role::Bishop] {
                self.push(Move::promotion(back(to, step), to, role, capture));
            }
        }
    }

    #[inline(always)]
    fn special(&mut self, m: Move) {
        self.push(m);
    }
}

#[inline(always)]
fn back(to: Square, step: i8) -> Square {
    Square::new((to.index() as i8 - step) as u8)
}

struct Counter(u64);

impl Sink for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard, _: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.0 += 4 * u64::from(targets.len());
    }

    #[inline(always)]
    fn special(&mut self, _: Move) {
        self.0 += 1;
    }
}

impl Board {
    /// Every legal move.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(Stage::All, &mut moves);
        moves
    }

    /// Appends the legal moves of a stage.
    #[inline]
    pub fn generate(&self, stage: Stage, moves: &mut MoveList) {
        match stage {
            Stage::All => self.dispatch(Stage::All, moves),
            Stage::Noisy => self.dispatch(Stage::Noisy, moves),
            Stage::Quiet => self.dispatch(Stage::Quiet, moves),
        }
    }

    /// How many legal moves there are.
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        let mut counter = Counter(0);
        self.dispatch(Stage::All, &mut counter);
        counter.0
    }

    /// Whether there is a legal move at all.
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() != 0
    }

    /// Turns side and stage into constants: the compiler makes a generator for each pair.
    #[inline(always)]
    fn dispatch(&self, stage: Stage, sink: &mut impl Sink) {
        match self.turn {
            Color::White => Generator::new(self, Color::White, stage).run(sink),
            Color::Black => Generator::new(self, Color::Black, stage).run(sink),
        }
    }
}

struct Generator<'a> {
    board: &'a Board,
    us: Color,
    stage: Stage,
    king: Square,
    occupied: Bitboard,
    ours: Bitboard,
    theirs: Bitboard,
    /// Where a piece may go: squares that fit the stage and answer a check.
    targets: Bitboard,
    /// Squares that block or capture a single checker; all squares when there is none.
    answer: Bitboard,
}

impl<'a> Generator<'a> {
    #[inline(always)]
    fn new(board: &'a Board, us: Color, stage: Stage) -> Generator<'a> {
        let (ours, theirs) = (board.color(us), board.color(!us));
        let king = board.king(us);
        let answer = match board.checkers.first() {
            None => Bitboard::FULL,
            Some(checker) => attacks::between(king, checker).with(checker),
        };
        let occupied = ours | theirs;
        let targets = answer & Self::stage_squares(stage, occupied, ours, theirs);
        Generator { board, us, stage, king, occupied, ours, theirs, targets, answer }
    }

    #[inline(always)]
    fn stage_squares(stage: Stage, occupied: Bitboard, ours: Bitboard, theirs: Bitboard) -> Bitboard {
        match stage {
            Stage::All => !ours,
            Stage::Noisy => theirs,
            Stage::Quiet => !occupied,
        }
    }

    #[inline(always)]
    fn run(&self, sink: &mut impl Sink) {
        self.king(sink);
        if self.board.checkers.has_many() {
            return;
        }
        self.pawns(sink);
        self.pieces(sink);
    }

    #[inline(always)]
    fn king(&self, sink: &mut impl Sink) {
        let board = self.board;
        let squares = Self::stage_squares(self.stage, self.occupied, self.ours, self.theirs);
        let steps = attacks::king(self.king) & squares;
        let may_castle =
            self.stage != Stage::Noisy && board.checkers.is_empty() && board.castling.any(self.us);
        if steps.is_empty() && !may_castle {
            return;
        }
        // The king itself must not shield the squares behind it from a slider.
        let danger = board.attacked_by(!self.us, self.occupied.without(self.king));
        let safe = steps - danger;
        if !safe.is_empty() {
            sink.piece(self.king, safe, self.theirs);
        }
        if may_castle {
            for wing in Wing::ALL {
                if let Some(rook) = board.castling.rook(self.us, wing)
                    && board.is_castling_safe(self.us, wing, rook, danger)
                {
                    sink.special(Move::new(self.king, rook, MoveKind::Castle));
                }
            }
        }
    }

    #[inline(always)]
    fn pieces(&self, sink: &mut impl Sink) {
        let board = self.board;
        let free = self.ours - board.pinned;
        for from in free & board.role(Role::Knight) {
            sink.piece(from, attacks::knight(from) & self.targets, self.theirs);
        }
        for from in free & board.role(Role::Bishop) {
            sink.piece(from, attacks::bishop(from, self.occupied) & self.targets, self.theirs);
        }
        for from in free & board.role(Role::Rook) {
            sink.piece(from, attacks::rook(from, self.occupied) & self.targets, self.theirs);
        }
        for from in free & board.role(Role::Queen) {
            sink.piece(from, attacks::queen(from, self.occupied) & self.targets, self.theirs);
        }
        // A pinned slider stays on the line of its pin; a pinned knight cannot move at all.
        let pinned = board.pinned;
        for from in pinned & board.diagonal_sliders() {
            let line = attacks::line(self.king, from);
            sink.piece(from, attacks::bishop(from, self.occupied) & line & self.targets, self.theirs);
        }
        for from in pinned & board.straight_sliders() {
            let line = attacks::line(self.king, from);
            sink.piece(from, attacks::rook(from, self.occupied) & line & self.targets, self.theirs);
        }
    }

    #[inline(always)]
    fn pawns(&self, sink: &mut impl Sink) {
        let board = self.board;
        let pawns = self.ours & board.role(Role::Pawn);
        self.pawn_set(pawns - board.pinned, Bitboard::FULL, sink);
        for from in pawns & board.pinned {
            self.pawn_set(from.into(), attacks::line(self.king, from), sink);
        }
        if self.stage != Stage::Quiet
            && let Some(target) = board.en_passant
        {
            for from in attacks::pawn(!self.us, target) & pawns {
                if board.is_en_passant_safe(from, target) {
                    sink.special(Move::new(from, target, MoveKind::EnPassant));
                }
            }
        }
    }

    /// Pushes and captures of a set of pawns, kept to the squares of `allowed`.
    #[inline(always)]
    fn pawn_set(&self, pawns: Bitboard, allowed: Bitboard, sink: &mut impl Sink) {
        let us = self.us;
        let last = Bitboard::relative_rank(us, 7);
        let ahead: i8 = if us == Color::White { 8 } else { -8 };
        let allowed = allowed & self.answer;

        let pushed = pawns.forward(us) - self.occupied;
        let single = pushed & allowed;
        if self.stage != Stage::Noisy {
            let double = (pushed & Bitboard::relative_rank(us, 2)).forward(us) - self.occupied;
            sink.pawns(single - last, ahead, MoveKind::Quiet);
            sink.pawns(double & allowed, 2 * ahead, MoveKind::DoublePush);
        }
        if self.stage != Stage::Quiet {
            let west = pawns.forward(us).west() & self.theirs & allowed;
            let east = pawns.forward(us).east() & self.theirs & allowed;
            sink.pawns(west - last, ahead - 1, MoveKind::Capture);
            sink.pawns(east - last, ahead + 1, MoveKind::Capture);
            if !((single | west | east) & last).is_empty() {
                sink.promotions(west & last, ahead - 1, true);
                sink.promotions(east & last, ahead + 1, true);
                sink.promotions(single & last, ahead, false);
            }
        }
    }
}
