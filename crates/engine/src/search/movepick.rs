// SPDX-License-Identifier: GPL-3.0-or-later
//! The order in which a node tries its moves, generated no earlier than needed.
//!
//! `table move -> good captures -> quiet moves -> captures that lose material`

use rules::chess::{Bitboard, Board, Move, MoveList, Role, SEE_VALUES, Stage, attacks};

use super::{
    history::{Arrival, Company, Histories},
    threats::Threats,
};
use crate::params::ordering as params;

#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd)]
enum Step {
    Table,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Hands out the moves of a node one by one.
pub(crate) struct MovePicker {
    step: Step,
    table_move: Move,
    moves: MoveList,
    /// By place in the list: the score of a move that is left, and its place; see [`key`].
    keys: [i32; MoveList::CAPACITY],
    /// Next move to look at.
    next: usize,
    /// Captures that lose material, set aside at the front of the list.
    bad_end: usize,
    /// Static exchange a capture must reach to count as good; by its score if none.
    threshold: Option<i32>,
    only_noisy: bool,
}

impl MovePicker {
    /// All moves.
    pub(crate) fn new(table_move: Move) -> MovePicker {
        MovePicker::with(table_move, None, false)
    }

    /// Captures and promotions; also quiet moves when in check.
    pub(crate) fn quiescence(board: &Board, table_move: Move) -> MovePicker {
        MovePicker::with(table_move, None, !board.in_check())
    }

    /// Captures and promotions that gain at least `threshold`.
    pub(crate) fn gaining(table_move: Move, threshold: i32) -> MovePicker {
        MovePicker::with(table_move, Some(threshold), true)
    }

    fn with(table_move: Move, threshold: Option<i32>, only_noisy: bool) -> MovePicker {
        MovePicker {
            step: if table_move == Move::NONE { Step::GenerateNoisy } else { Step::Table },
            table_move,
            moves: MoveList::new(),
            keys: [TAKEN; MoveList::CAPACITY],
            next: 0,
            bad_end: 0,
            threshold,
            only_noisy,
        }
    }

    /// From now on hands out no more quiet moves.
    pub(crate) fn skip_quiets(&mut self) {
        self.only_noisy = true;
    }

    /// Whether the moves now come from the captures that lose material.
    pub(crate) fn is_bad_noisy(&self) -> bool {
        self.step == Step::BadNoisy
    }

    /// The next move; each legal move comes once.
    pub(crate) fn next(
        &mut self,
        board: &Board,
        threats: &Threats,
        histories: &Histories,
        company: Company,
    ) -> Option<Move> {
        if self.step == Step::Table {
            self.step = Step::GenerateNoisy;
            return Some(self.table_move);
        }
        if self.step == Step::GenerateNoisy {
            board.generate(Stage::Noisy, &mut self.moves);
            self.score_noisy(board, histories);
            self.step = Step::GoodNoisy;
        }
        if self.step == Step::GoodNoisy {
            while let Some((m, score)) = self.take_best() {
                let threshold = self.threshold.unwrap_or(-score / params::good_divisor());
                if board.see_at_least(m, threshold) {
                    return Some(m);
                }
                self.moves.set(self.bad_end, m);
                self.bad_end += 1;
            }
            self.step = if self.threshold.is_some() { Step::Done } else { Step::GenerateQuiet };
        }
        if self.step == Step::GenerateQuiet {
            if !self.only_noisy {
                let start = self.moves.len();
                self.next = start;
                board.generate(Stage::Quiet, &mut self.moves);
                self.score_quiets(start, board, threats, histories, company);
            }
            self.step = Step::Quiet;
        }
        if self.step == Step::Quiet {
            if !self.only_noisy
                && let Some((m, _)) = self.take_best()
            {
                return Some(m);
            }
            self.step = Step::BadNoisy;
            self.next = 0;
        }
        if self.step == Step::BadNoisy {
            if self.next < self.bad_end {
                self.next += 1;
                return Some(self.moves[self.next - 1]);
            }
            self.step = Step::Done;
        }
        None
    }

    /// Takes the highest-scored move that is left, the table move excepted.
    #[inline]
    fn take_best(&mut self) -> Option<(Move, i32)> {
        while self.next < self.moves.len() {
            // Whole lines of keys at once, without a branch: what is taken or behind the end is never the best.
            let (lines, _) = self.keys.as_chunks::<LANES>();
            let lines = &lines[self.next / LANES..self.moves.len().div_ceil(LANES)];
            let mut best = [TAKEN; LANES];
            for line in lines {
                best = std::array::from_fn(|i| best[i].max(line[i]));
            }
            let best = best.into_iter().fold(TAKEN, i32::max);
            let (place, score) = (place_of(best), score_of(best));
            let m = self.moves[place];
            self.moves.swap(place, self.next);
            self.keys[place] = key(score_of(self.keys[self.next]), place);
            self.keys[self.next] = TAKEN;
            self.next += 1;
            if m != self.table_move {
                return Some((m, score));
            }
        }
        None
    }

    /// Most valuable victim first, refined by how such captures did before.
    fn score_noisy(&mut self, board: &Board, histories: &Histories) {
        for (place, &m) in self.moves.iter().enumerate() {
            let Some(piece) = board.piece_on(m.from()) else { continue };
            let captured = captured_role(board, m);
            let mut value = captured.map_or(0, |role| SEE_VALUES[role.index()]);
            if m.promoted() == Some(Role::Queen) {
                value += SEE_VALUES[Role::Queen.index()];
            } else if m.is_promotion() {
                value -= SEE_VALUES[Role::Queen.index()];
            }
            let score =
                value * params::victim_factor() + histories.capture(Arrival::new(piece, m.to()), captured);
            self.keys[place] = key(score, place);
        }
    }

    /// History, checks, and getting pieces away from lesser attackers.
    fn score_quiets(
        &mut self,
        start: usize,
        board: &Board,
        threats: &Threats,
        histories: &Histories,
        company: Company,
    ) {
        let side = board.turn();
        let king = board.king(!side);
        let occupied = board.occupied();
        let checks = [
            attacks::pawn(!side, king),
            attacks::knight(king),
            attacks::bishop(king, occupied),
            attacks::rook(king, occupied),
            attacks::queen(king, occupied),
            Bitboard::EMPTY,
        ];
        // All memories first: without a branch between them many are on their way at once.
        for index in start..self.moves.len() {
            let m = self.moves[index];
            let Some(piece) = board.piece_on(m.from()) else { continue };
            let arrival = Arrival::new(piece, m.to());
            self.keys[index] = histories.quiet_order(board, threats.all, company, m, arrival);
        }
        for index in start..self.moves.len() {
            let m = self.moves[index];
            let Some(piece) = board.piece_on(m.from()) else { continue };
            let role = piece.role();
            let mut score = self.keys[index];
            if checks[role.index()].contains(m.to()) && board.see_at_least(m, -60) {
                score += params::check_bonus();
            }
            let feared = threats.feared_by(role);
            let escape = i32::from(feared.contains(m.from())) - i32::from(feared.contains(m.to()));
            score += escape * (params::escape_bonus() * role.index() as i32 / 2);
            self.keys[index] = key(score, index);
        }
    }
}

/// Keys that are compared at once.
const LANES: usize = 16;
/// The key of a place without a move that could be taken.
const TAKEN: i32 = i32::MIN;

/// Score and place of a move in one number: the highest is the best move, of equal ones the first in the list.
#[inline(always)]
fn key(score: i32, place: usize) -> i32 {
    debug_assert!(score.abs() < 1 << 22 && place < MoveList::CAPACITY);
    (score << 8) | (MoveList::CAPACITY - 1 - place) as i32
}

#[inline(always)]
fn score_of(key: i32) -> i32 {
    key >> 8
}

#[inline(always)]
fn place_of(key: i32) -> usize {
    MoveList::CAPACITY - 1 - (key & 0xFF) as usize
}

// A place has eight bits of a key.
const _: () = assert!(MoveList::CAPACITY == 256);

/// What a move captures.
#[inline]
pub(crate) fn captured_role(board: &Board, m: Move) -> Option<Role> {
    if !m.is_capture() {
        return None;
    }
    Some(board.piece_on(m.to()).map_or(Role::Pawn, |piece| piece.role()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_legal_move_comes_once_and_the_table_move_first() {
        let histories = nnue::pages::Paged::<Histories>::zeroed().unwrap();
        let company = [Arrival::NONE; 3];
        for board in crate::bench::positions() {
            let mut legal = board.legal_moves().to_vec();
            let table_move = legal.last().copied().unwrap_or(Move::NONE);
            let mut picker = MovePicker::new(table_move);
            let threats = Threats::of(&board);
            let mut picked = Vec::new();
            while let Some(m) = picker.next(&board, &threats, &histories, company) {
                picked.push(m);
            }
            assert_eq!(picked.first(), legal.last());
            picked.sort_by_key(|m| (m.from_to(), m.promoted().map(Role::index)));
            legal.sort_by_key(|m| (m.from_to(), m.promoted().map(Role::index)));
            assert_eq!(picked, legal, "{board}");
        }
    }

    #[test]
    fn the_best_comes_first_and_of_equals_the_first() {
        let mut picker = MovePicker::new(Move::NONE);
        let moves = Board::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
            .unwrap()
            .legal_moves();
        let scores: Vec<i32> = (0..moves.len() as i32).map(|i| (i * 7 % 5 - 2) * 40_000).collect();
        for (place, (&m, &score)) in moves.iter().zip(&scores).enumerate() {
            picker.moves.push(m);
            picker.keys[place] = key(score, place);
        }
        let taken: Vec<(Move, i32)> = std::iter::from_fn(|| picker.take_best()).collect();
        assert_eq!(taken.len(), moves.len());
        assert!(taken.is_sorted_by(|a, b| a.1 >= b.1));
        let first = scores.iter().position(|&score| score == 80_000).unwrap();
        assert_eq!(taken[0], (moves[first], 80_000));
    }
}
