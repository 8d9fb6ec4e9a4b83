// SPDX-License-Identifier: GPL-3.0-or-later
//! Single cases with known answers: how games end, and what is said about illegal positions.

use rules::{
    Color, Outcome, Position,
    chess::{Board, FenError, Game, MoveKind, Reason, Setup, has_upcoming_repetition, is_repetition},
};

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A game from a position with moves in algebraic notation.
fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(board(fen));
    play(&mut game, moves);
    game
}

fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let m = game.board().parse_san(text).unwrap_or_else(|error| panic!("{error}"));
        game.play(m);
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn checkmate_wins() {
    for (fen, moves, winner) in [
        (START, "f3 e5 g4 Qh4#", Color::Black),
        (START, "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#", Color::White),
        ("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "Rd8#", Color::White),
        ("6rk/6pp/8/4N3/8/8/8/K7 w - - 0 1", "Nf7#", Color::White),
        ("8/8/8/8/8/1k6/6r1/K7 b - - 0 1", "Rg1#", Color::Black),
        ("7k/5K2/8/8/8/8/8/R7 w - - 99 80", "Rh1#", Color::White),
        ("5k2/8/4R3/6R1/8/8/8/4K2R w K - 0 1", "O-O#", Color::White),
    ] {
        let game = game(fen, moves);
        let expected = Outcome::Win(winner);
        assert_eq!(game.outcome(), Some((expected, Reason::Checkmate)), "{moves} in {fen}");
        assert_eq!(Position::outcome(game.board()), Some(expected), "{moves} in {fen}");
        assert!(game.board().legal_moves().is_empty(), "{moves} in {fen}");
    }
}

#[test]
fn stalemate_draws() {
    for fen in [
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "k7/P7/K7/8/8/8/8/8 b - - 0 1",
        "8/8/8/8/8/1q6/8/K6k w - - 0 1",
        // The knight could move were it not pinned.
        "k7/8/8/8/8/1q6/8/KN5r w - - 0 1",
    ] {
        assert_eq!(game(fen, "").outcome(), Some((Outcome::Draw, Reason::Stalemate)), "{fen}");
        assert_eq!(Position::outcome(&board(fen)), Some(Outcome::Draw), "{fen}");
    }
}

#[test]
fn an_en_passant_capture_saves_from_stalemate() {
    let board = board("k7/8/4p3/3pP3/8/1q6/8/K7 w - d6 0 1");
    let moves = board.legal_moves();
    assert!(moves.len() == 1 && moves[0].is(MoveKind::EnPassant));
    assert_eq!(Game::new(board).outcome(), None);
}

#[test]
fn insufficient_material_draws() {
    for (fen, drawn) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KB2 b - - 0 1", true),
        // Bishops on squares of one colour, however many.
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", true),
        ("4k3/8/8/8/8/B7/8/2B1K3 w - - 0 1", true),
        ("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", false),
        ("4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4KBN1 w - - 0 1", false),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", false),
    ] {
        assert_eq!(board(fen).has_insufficient_material(), drawn, "{fen}");
        let expected = drawn.then_some((Outcome::Draw, Reason::InsufficientMaterial));
        assert_eq!(game(fen, "").outcome(), expected, "{fen}");
    }
}

#[test]
fn repetition_draws_the_third_and_the_fifth_time() {
    let mut game = game(START, "");
    for (round, expected) in [
        (2, None),
        (3, Some((Outcome::Draw, Reason::ThreefoldRepetition))),
        (4, Some((Outcome::Draw, Reason::ThreefoldRepetition))),
        (5, Some((Outcome::Draw, Reason::FivefoldRepetition))),
    ] {
        play(&mut game, "Nf3 Nf6 Ng1 Ng8");
        assert_eq!((game.occurrences(), game.outcome()), (round, expected));
    }
    assert_eq!(game.keys().len(), 17);
    play(&mut game, "e4");
    assert_eq!((game.occurrences(), game.outcome()), (1, None));
}

#[test]
fn lost_rights_make_another_position() {
    // The first position could castle, the later ones cannot.
    let mut castles = game("4k3/p7/8/8/8/8/P7/R3K3 w Q - 0 1", "Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1 Ke8");
    assert_eq!((castles.occurrences(), castles.outcome()), (2, None));
    play(&mut castles, "Kd1 Kd8 Ke1 Ke8");
    assert_eq!(castles.occurrences(), 3);
    // The first position could capture en passant.
    let passes = game("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1");
    assert_eq!((passes.occurrences(), passes.outcome()), (2, None));
    // An en passant square that no pawn can use makes no difference.
    let pushed = game("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1");
    assert_eq!(pushed.occurrences(), 3);
}

#[test]
fn the_clock_draws_after_fifty_and_seventy_five_moves() {
    let outcome =
        |clock: u32, moves: &str| game(&format!("4k3/p7/8/8/8/8/P7/R3K3 w Q - {clock} 90"), moves).outcome();
    assert_eq!(outcome(98, "Kd1"), None);
    assert_eq!(outcome(99, "Kd1"), Some((Outcome::Draw, Reason::FiftyMoves)));
    assert_eq!(outcome(99, "a3"), None);
    assert_eq!(outcome(148, "Kd1"), Some((Outcome::Draw, Reason::FiftyMoves)));
    assert_eq!(outcome(149, "Kd1"), Some((Outcome::Draw, Reason::SeventyFiveMoves)));
    assert_eq!(outcome(255, "Kd1"), Some((Outcome::Draw, Reason::SeventyFiveMoves)));
}

#[test]
fn an_upcoming_repetition_is_seen_one_move_before() {
    let quiet = |game: &Game| usize::from(game.board().halfmoves());
    let upcoming = |game: &Game, ply| has_upcoming_repetition(game.board(), game.keys(), quiet(game), ply);

    let mut game = game(START, "Nf3 Nf6");
    assert!(!upcoming(&game, 10));
    play(&mut game, "Ng1");
    // Black may play the knight back and repeat the start position.
    assert!(upcoming(&game, 10));
    assert!(!upcoming(&game, 3), "the repeated position lies before the search");
    play(&mut game, "Ng8");
    assert!(is_repetition(game.keys(), quiet(&game), 10));
    assert!(!is_repetition(game.keys(), quiet(&game), 3));
    // The second time round the past alone is enough.
    play(&mut game, "Nf3 Nf6 Ng1");
    assert!(upcoming(&game, 0));
    play(&mut game, "Ng8");
    assert!(is_repetition(game.keys(), quiet(&game), 0));
}

#[test]
fn illegal_positions_say_what_is_wrong() {
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "white has 0 kings, expected 1"),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "white has 2 kings, expected 1"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has 0 kings, expected 1"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn on the back rank at a8"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "pawn on the back rank at a1"),
        ("4k3/8/8/8/8/NNN5/PPPPPPPP/NNNBKB2 w - - 0 1", "white has 17 pieces, expected at most 16"),
        (
            "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
            "white has 8 + 1 pawns and promoted pieces, expected at most 8",
        ),
        (
            "rrrk4/bbb5/ppppppp1/8/8/8/8/4K3 w - - 0 1",
            "black has 7 + 2 pawns and promoted pieces, expected at most 8",
        ),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "black king can be captured"),
        ("4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "white king can be captured"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right K: no white rook on h1"),
        ("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "castling right Q: no white rook on a1"),
        ("r3k3/8/8/8/8/8/8/4K3 w k - 0 1", "castling right k: no black rook on h8"),
        (
            "4k3/8/8/8/8/8/4K3/7R w K - 0 1",
            "castling right K: white king on e2, expected it on its back rank",
        ),
        ("4k3/8/8/8/8/8/8/4K1R1 w H - 0 1", "castling right K: no white rook on h1"),
        (
            "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1",
            "en passant square e3 is on the wrong rank, expected rank 6 with white to move",
        ),
        ("4k3/8/8/8/8/8/8/4K3 b - e3 0 1", "en passant square e3 has no pawn behind it"),
        ("4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1", "en passant square e3 is occupied"),
        (
            "4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1",
            "en passant square e3: the pawn cannot come from e2, which is occupied",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 300 1", "halfmove clock 300 is too large, expected at most 255"),
    ] {
        assert!(Setup::from_fen(fen).is_ok(), "{fen} is a diagram");
        let error = Board::from_fen(fen).expect_err("an illegal position");
        assert!(matches!(error, FenError::Illegal(_)), "{fen}");
        assert_eq!(error.to_string(), expected, "{fen}");
    }
}

#[test]
fn promoted_pieces_are_counted_against_missing_pawns() {
    for fen in ["rrrk4/bbb5/pppppp2/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/QQQ5/QQQ5/QQQ5/NNBBKRR1 b - - 0 1"] {
        assert_eq!(board(fen).to_string(), fen);
    }
}

#[test]
fn impossible_checks_are_accepted() {
    // Three checkers at once, and a check no last move explains.
    for fen in ["4k3/8/8/8/8/3n1n2/8/4K2r w - - 0 1", "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1"] {
        assert!(board(fen).in_check());
    }
}
