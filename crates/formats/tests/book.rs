// SPDX-License-Identifier: GPL-3.0-or-later
//! Opening books from files.

use std::{fs, path::PathBuf};

use formats::{
    book::{Book, Order},
    polyglot,
};
use rules::chess::Board;

const KINGS: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";

fn file(name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("the file can be written");
    path
}

fn refusal(name: &str, text: &str) -> String {
    let path = file(name, text);
    let error = Book::read(&path, None, Order::Sequential).expect_err("a bad book");
    error.to_string().replace(&path.display().to_string(), "FILE")
}

#[test]
fn positions_come_in_order_and_around() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let path = file("some.epd", format!("# comment\n{KINGS}\n\n{start} hmvc 0;\n"));
    let book = Book::read(&path, None, Order::Sequential).unwrap();
    assert_eq!(book.len(), 2);
    assert_eq!(book.opening(0).board().to_string(), KINGS);
    assert_eq!(book.opening(3).board(), Board::start());
    assert_eq!(book.opening(2), book.opening(0));
    assert!(book.opening(0).moves.is_empty());
}

#[test]
fn the_seed_decides() {
    let lines: Vec<String> =
        (1..=6).map(|file| format!("4k3/8/8/8/8/8/P7/{file}K{} w - - 0 1", 7 - file)).collect();
    let path = file("kings.fen", lines.join("\n"));
    let drawn = |seed| {
        let book = Book::read(&path, None, Order::Random(seed)).unwrap();
        (0..book.len()).map(|n| book.opening(n).board().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
    let (mut sorted, mut all) = (drawn(3), lines.clone());
    sorted.sort();
    all.sort();
    assert_eq!(sorted, all);
}

#[test]
fn games_give_their_first_moves() {
    let text = format!("1. e4 e5 2. Nf3 Nc6 1/2-1/2\n\n[FEN \"{KINGS}\"]\n\n1. O-O *\n");
    let path = file("games.pgn", text);
    let book = Book::read(&path, Some(3), Order::Sequential).unwrap();
    assert_eq!(book.opening(0).moves.len(), 3);
    assert_eq!(book.opening(0).start, Board::start());
    assert_eq!(book.opening(1).start.to_string(), KINGS);
    assert_eq!(book.opening(1).moves.len(), 1);
    assert_eq!(Book::read(&path, None, Order::Sequential).unwrap().opening(0).moves.len(), 4);
}

#[test]
fn bad_books_are_refused_with_their_place() {
    assert!(refusal("nonsense.epd", "nonsense\n").starts_with("opening book FILE, line 1: FEN 'nonsense'"));
    assert_eq!(
        refusal("mate.epd", &format!("{KINGS}\n7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\n")),
        "opening book FILE: opening 2 is already decided (checkmate) after 0 half-moves, in \
         7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
    );
    let knights = "Nf3 Nf6 Ng1 Ng8";
    assert!(
        refusal("threefold.pgn", &format!("1. {knights} {knights} *"))
            .contains("opening 1 is already decided (threefold repetition) after 8 half-moves, in ")
    );
    assert!(
        refusal("fifty.epd", "4k3/8/8/8/8/8/8/4K2R w - - 100 90")
            .contains("decided (fifty-move rule) after 0")
    );
    assert_eq!(refusal("empty.epd", "\n# nothing\n"), "opening book FILE has no openings");
    assert!(refusal("bad.pgn", "1. e4 e4 *").starts_with("opening book FILE, line 1: illegal move"));
    assert!(refusal("short.bin", "xyz").starts_with("opening book FILE: 3 bytes are no Polyglot book"));
    assert!(refusal("book.doc", "").starts_with("opening book FILE: unknown kind"));
    let missing = Book::read(&PathBuf::from("/no/such/book.epd"), None, Order::Sequential);
    assert!(missing.unwrap_err().to_string().starts_with("opening book /no/such/book.epd: "));
}

#[test]
fn polyglot_books_give_their_lines() {
    // One record: the key of the start position, e2e4 (to, from and promotion in six, six and three bits),
    // a weight of 1, nothing learnt.
    let mut record = polyglot::key(&Board::start()).to_be_bytes().to_vec();
    let (from, to) = (12_u16, 28_u16);
    record.extend((from << 6 | to).to_be_bytes());
    record.extend([0, 1, 0, 0, 0, 0]);
    let book = Book::read(&file("one.bin", record), None, Order::Random(1)).unwrap();
    assert_eq!(book.len(), 1);
    assert_eq!(book.opening(0).start, Board::start());
    assert_eq!(book.opening(0).moves[0].to_uci(false), "e2e4");
    assert_eq!(book.first_chess960_line(), None);
}

#[test]
fn all_chess960_starts_are_drawn_by_the_seed() {
    let drawn = |seed| {
        let book = Book::chess960(Order::Random(seed));
        (0..book.len()).map(|n| book.opening(n).start.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
    let (mut first, mut second) = (drawn(1), drawn(2));
    first.sort();
    second.sort();
    assert_eq!(first, second);
    first.dedup();
    assert_eq!(first.len(), 960);
}

#[test]
fn openings_that_only_chess960_knows_are_found() {
    let line = |name: &str, text: &str| {
        Book::read(&file(name, text), None, Order::Random(1)).unwrap().first_chess960_line()
    };
    let (rook_moved, king_moved) = ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "5k2/8/8/8/8/8/8/5K1R w K - 0 1");
    assert_eq!(line("rook.epd", &format!("# comment\n{KINGS}\n{rook_moved}\n")), Some(3));
    assert_eq!(line("king.epd", &format!("{king_moved}\n{KINGS}\n")), Some(1));
    assert_eq!(line("black.epd", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1\n1r2k3/8/8/8/8/8/8/4K3 b q - 0 1"), Some(2));
    assert_eq!(line("none.epd", &format!("{KINGS}\n5k2/8/8/8/8/8/8/5K1R w - - 0 1\n")), None);
    assert_eq!(line("game.pgn", &format!("1. e4 *\n\n[FEN \"{king_moved}\"]\n\n1. O-O *\n")), Some(5));
}
