// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as a diagram and the moves played from it, checking the laws of the board on the way.
//!
//! The bytes: both kings, the number of other pieces, a square and a piece for each of them, turn and
//! castling rights, en passant square, halfmove clock; each further byte picks a legal move.

use rules::{
    Color,
    chess::{Bitboard, Board, Move, MoveList, Observer, Piece, Role, Setup, Square, Stage, Wing},
};

/// Long games are slow to check and seldom show what short ones do not.
const MOVES_MAX: usize = 100;

/// Checks one input.
pub(crate) fn check(data: &[u8]) {
    let mut bytes = data.iter().copied();
    let Some(setup) = read_setup(&mut bytes) else { return };
    let mut board = match Board::from_setup(&setup) {
        Ok(board) => board,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for byte in bytes.take(MOVES_MAX) {
        let moves = board.legal_moves();
        check_position(&board, &moves);
        if moves.is_empty() {
            return;
        }
        let m = moves[usize::from(byte) % moves.len()];
        check_move(&board, m);
        board.play(m);
    }
    check_position(&board, &board.legal_moves());
}

fn read_setup(bytes: &mut impl Iterator<Item = u8>) -> Option<Setup> {
    let mut setup = Setup::EMPTY;
    let kings = [bytes.next()?, bytes.next()?].map(Square::new);
    for _ in 0..bytes.next()? % 33 {
        let (square, piece) = (Square::new(bytes.next()?), bytes.next()?);
        setup.squares[square.index()] = Some(Piece::ALL[usize::from(piece % 10)]); // kings come last
    }
    setup.squares[kings[0].index()] = Some(Piece::WhiteKing);
    setup.squares[kings[1].index()] = Some(Piece::BlackKing);

    let flags = bytes.next()?;
    setup.turn = Color::ALL[usize::from(flags & 1)];
    for (bit, (color, wing)) in
        Color::ALL.into_iter().flat_map(|c| [(c, Wing::King), (c, Wing::Queen)]).enumerate()
    {
        if flags >> (bit + 1) & 1 != 0 {
            setup.castling.set(color, wing, castling_rook(&setup, color, wing));
        }
    }
    setup.en_passant = Some(bytes.next()?).filter(|&byte| byte < 64).map(Square::new);
    setup.halfmoves = bytes.next()?.into();
    Some(setup)
}

/// The outermost rook of the back rank, or the corner.
fn castling_rook(setup: &Setup, color: Color, wing: Wing) -> Square {
    let rook = Some(Piece::new(color, Role::Rook));
    let rooks: Bitboard = Bitboard::relative_rank(color, 0)
        .into_iter()
        .filter(|square| setup.squares[square.index()] == rook)
        .collect();
    match wing {
        Wing::King => rooks.last().unwrap_or(Square::H1.relative(color)),
        Wing::Queen => rooks.first().unwrap_or(Square::A1.relative(color)),
    }
}

fn check_position(board: &Board, moves: &MoveList) {
    let fresh = Board::from_fen(&board.to_string());
    assert_eq!(fresh.as_ref(), Ok(board), "{board}");
    assert_eq!(fresh.map(|fresh| *fresh.keys()), Ok(*board.keys()), "{board}");

    let waiting_king = board.king(!board.turn());
    let attackers = board.attackers_to(waiting_king, board.occupied()) & board.color(board.turn());
    assert!(attackers.is_empty(), "king on {waiting_king} can be captured in {board}");

    assert_eq!(board.count_legal_moves(), moves.len() as u64, "{board}");
    assert_eq!(board.has_legal_move(), !moves.is_empty(), "{board}");
    let mut staged = MoveList::new();
    board.generate(Stage::Noisy, &mut staged);
    board.generate(Stage::Quiet, &mut staged);
    assert_eq!(sorted(&staged), sorted(moves), "{board}");
    assert!(sorted(moves).windows(2).all(|pair| pair[0] != pair[1]), "{board}");
    for &m in moves {
        assert!(board.is_legal(m), "{m:?} in {board}");
        assert_eq!(board.gives_check(m), board.after(m).in_check(), "{m:?} in {board}");
    }
    if !board.in_check() {
        let mut passed = *board;
        passed.play_null();
        assert_eq!(Board::from_fen(&passed.to_string()), Ok(passed), "null move in {board}");
    }
}

fn check_move(board: &Board, m: Move) {
    assert_eq!(board.parse_san(&board.to_san(m)), Ok(m), "{board}");
    assert_eq!(board.parse_uci(&m.to_uci(true)), Ok(m), "{board}");
    let bounds = [-1000, -100, 0, 1, 100, 1000].map(|threshold| board.see_at_least(m, threshold));
    assert!(bounds.is_sorted_by(|worse, better| worse >= better), "exchange {m:?} in {board}");

    let mut seen = Seen(std::array::from_fn(|index| board.piece_on(Square::new(index as u8))));
    let mut after = *board;
    after.play_observed(m, &mut seen);
    assert_eq!(after, board.after(m), "{m:?} in {board}");
    assert_eq!(Setup::from(&after).squares, seen.0, "{m:?} in {board}");
}

fn sorted(moves: &MoveList) -> Vec<Move> {
    let mut moves = moves.to_vec();
    moves.sort_unstable();
    moves
}

/// A diagram that follows the game by what the board announces.
struct Seen([Option<Piece>; Square::COUNT]);

impl Observer for Seen {
    fn put(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].replace(piece), None, "{square} was not empty");
    }

    fn take(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0[square.index()].take(), Some(piece), "{square} did not have that piece");
    }
}
