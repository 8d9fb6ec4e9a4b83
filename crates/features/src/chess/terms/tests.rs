// SPDX-License-Identifier: GPL-3.0-or-later
//! Laws of counting, tried on random games.

use rules::{
    Color,
    chess::{Board, Piece, Setup, Square, Wing},
};

use super::{COUNT, FULL_PHASE, SCALE_CLASSES, Sink, Term, count, phase, scale_class};

/// The counts of every entry for both sides.
struct Tally([Vec<i32>; 2]);

impl Sink for Tally {
    fn add(&mut self, side: Color, term: Term, entry: usize, n: i32) {
        assert!(entry < term.entries(), "{} has no entry {entry}", term.name());
        self.0[side.index()][term.offset() + entry] += n;
    }
}

fn tally(board: &Board) -> Tally {
    let mut tally = Tally([vec![0; COUNT], vec![0; COUNT]]);
    count(board, &mut tally);
    tally
}

/// The position with colours, ranks and turn exchanged.
fn exchange_colors(board: &Board) -> Board {
    let before = Setup::from(board);
    let mut after = Setup { turn: !before.turn, ..Setup::EMPTY };
    for square in Square::all() {
        let piece = before.squares[square.index()];
        after.squares[square.relative(Color::Black).index()] =
            piece.map(|piece| Piece::new(!piece.color(), piece.role()));
    }
    for color in Color::ALL {
        for wing in Wing::ALL {
            if let Some(rook) = before.castling.rook(color, wing) {
                after.castling.set(!color, wing, rook.relative(Color::Black));
            }
        }
    }
    after.en_passant = before.en_passant.map(|square| square.relative(Color::Black));
    Board::from_setup(&after).expect("a legal position stays legal")
}

/// Plays random games and calls for every position.
fn on_random_games(games: usize, mut check: impl FnMut(&Board)) {
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    for _ in 0..games {
        let mut board = Board::start();
        for _ in 0..200 {
            check(&board);
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            board.play(moves[(random % moves.len() as u64) as usize]);
        }
    }
}

#[test]
fn exchanging_colors_exchanges_counts() {
    on_random_games(100, |board| {
        let exchanged = exchange_colors(board);
        let (Tally([white, black]), Tally(swapped)) = (tally(board), tally(&exchanged));
        assert!(swapped == [black, white], "{board}");
        assert_eq!(phase(board), phase(&exchanged));
        for color in Color::ALL {
            assert_eq!(scale_class(board, color), scale_class(&exchanged, !color), "{board}");
        }
    });
}

#[test]
fn several_queens_are_counted_alike() {
    let board: Board = "q3k2q/8/8/1N6/2B5/8/Q6Q/R3K3 w - - 0 1".parse().expect("a legal position");
    let Tally([white, black]) = tally(&board);
    assert!(tally(&exchange_colors(&board)).0 == [black, white]);
}

#[test]
fn phases_and_classes_stay_in_range() {
    on_random_games(50, |board| {
        assert!((0..=FULL_PHASE).contains(&phase(board)), "{board}");
        for color in Color::ALL {
            assert!(scale_class(board, color) < SCALE_CLASSES, "{board}");
        }
    });
    assert_eq!(phase(&Board::start()), FULL_PHASE);
}

#[test]
fn terms_fill_the_index_space() {
    let mut next = 0;
    for term in Term::ALL {
        assert_eq!(term.offset(), next, "{}", term.name());
        next += term.entries();
    }
    assert_eq!(next, COUNT);
}

#[test]
fn passed_pawns_are_found() {
    let of = |fen: &str| -> i32 {
        let Tally([white, _]) = tally(&fen.parse().expect(fen));
        white[Term::Passed.offset()..][..Term::Passed.entries()].iter().sum()
    };
    assert_eq!(of("4k3/8/8/3P4/8/8/8/4K3 w - - 0 1"), 1);
    assert_eq!(of("4k3/3p4/8/3P4/8/8/8/4K3 w - - 0 1"), 0, "a pawn ahead");
    assert_eq!(of("4k3/4p3/8/3P4/8/8/8/4K3 w - - 0 1"), 0, "a guard on the next file");
    assert_eq!(of("4k3/8/8/3Pp3/8/8/8/4K3 w - - 0 1"), 1, "an enemy already beside it");
    assert_eq!(of("4k3/8/8/3P4/3P4/8/8/4K3 w - - 0 1"), 1, "only the first of two");
}
