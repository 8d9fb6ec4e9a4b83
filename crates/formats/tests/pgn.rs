// SPDX-License-Identifier: GPL-3.0-or-later
//! PGN files as people and programs write them, read and written back.

use std::io::{self, BufReader, Read};

use formats::pgn::{Event, Game, PgnError, Ply, Reader, Tags};
use rules::{Color, Outcome, chess::Board};

/// The events of a text, one word each.
fn events(text: &str) -> Vec<String> {
    let mut reader = Reader::new(text.as_bytes());
    let mut found = Vec::new();
    loop {
        found.push(match reader.next_event() {
            Ok(None) => return found,
            Ok(Some(Event::Tag { name, value })) => format!("{name}={value}"),
            Ok(Some(Event::San(text))) => text.to_owned(),
            Ok(Some(Event::Nag(number))) => format!("${number}"),
            Ok(Some(Event::Comment(text))) => format!("{{{text}}}"),
            Ok(Some(Event::VariationBegins)) => "(".to_owned(),
            Ok(Some(Event::VariationEnds)) => ")".to_owned(),
            Ok(Some(Event::End(outcome))) => formats::pgn::result_text(outcome).to_owned(),
            Err(error) => format!("error: {error}"),
        });
    }
}

fn games(text: &str) -> Vec<Result<Game, PgnError>> {
    let mut reader = Reader::new(text.as_bytes());
    std::iter::from_fn(|| reader.next_game().transpose()).collect()
}

fn moves(game: &Game) -> String {
    let texts: Vec<String> = game.moves.iter().map(|ply| ply.m.to_uci(false)).collect();
    texts.join(" ")
}

#[test]
fn a_game_is_tags_moves_and_result() {
    let text = "[Event \"E\"]\n[White \"A\"]\n\n1. e4 e5 2.Nf3 {good; \n [not a tag] } Nc6 $1 (2... d6 3. d4)\n\
                3. Bb5 ; the Spanish (\n a6!? 1/2-1/2\n";
    assert_eq!(
        events(text),
        [
            "Event=E",
            "White=A",
            "e4",
            "e5",
            "Nf3",
            "{good; [not a tag]}",
            "Nc6",
            "$1",
            "(",
            "d6",
            "d4",
            ")",
            "Bb5",
            "{the Spanish (}",
            "a6!?",
            "1/2-1/2"
        ]
    );
}

#[test]
fn sloppy_files_are_read_all_the_same() {
    assert_eq!(events("1.e4 e5 1-0"), ["e4", "e5", "1-0"]);
    assert_eq!(events("\u{feff}[A \"b\"]\r\n\r\n1. e4\r\n*\r\n"), ["A=b", "e4", "*"]);
    assert_eq!(
        events("% escaped\n1. d4 0-0 0-0-0 exd6 e.p. 12 ... Nf6 0-1"),
        ["d4", "0-0", "0-0-0", "exd6", "Nf6", "0-1"]
    );
    // No result, no moves, a blank line among the tags, two tags on a line.
    assert_eq!(
        events("[Event \"1\"]\n\n1. e4\n[Event \"2\"]\n\n[Site \"s\"] [Round \"r\"]\n\n[Event \"3\"]\n*"),
        ["Event=1", "e4", "*", "Event=2", "Site=s", "Round=r", "*", "Event=3", "*"]
    );
    assert_eq!(events("1. e4 ( 1. d4 1-0 ) 0-1 ) *"), ["e4", "(", "d4", ")", "0-1", "*"]);
    assert_eq!(events(""), [""; 0]);
}

#[test]
fn letters_of_another_age_are_kept() {
    let mut reader = Reader::new(&b"[White \"Caf\xe9\"]\n\n1. e4 *\n"[..]);
    assert_eq!(reader.next_event().unwrap(), Some(Event::Tag { name: "White", value: "Café" }));
}

#[test]
fn mistakes_are_named_and_passed_over() {
    assert_eq!(
        events("[Broken]\n[Event \"E\"]\n\n1. e4 {open\n*"),
        [
            "error: line 1: '[Broken]' is not a tag, expected [Name \"value\"]",
            "Event=E",
            "e4",
            "error: line 4: no '}' ends the comment",
            "*",
        ]
    );
    let found = games("1. e4 e4 2. d4 *\n\n1. d4 d5 1-0\n\n[FEN \"nonsense\"]\n\n*\n\n1. c4 1/2-1/2");
    let message = |index: usize| found[index].as_ref().expect_err("a bad game").to_string();
    assert!(message(0).starts_with("line 1: illegal move 'e4' in "), "{}", message(0));
    assert!(message(2).starts_with("line 5: FEN 'nonsense'"), "{}", message(2));
    assert_eq!(moves(found[1].as_ref().unwrap()), "d2d4 d7d5");
    assert_eq!(moves(found[3].as_ref().unwrap()), "c2c4");
    assert_eq!(found.len(), 4);
}

#[test]
fn a_file_that_breaks_off_is_at_its_end() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let mut reader = Reader::new(BufReader::new((&b"1. e4 \n"[..]).chain(Broken)));
    let error = reader.next_game().expect_err("a broken file");
    assert_eq!(error.to_string(), "line 2: the disk is gone");
    assert!(reader.next_game().unwrap().is_none());
}

#[test]
fn headings_do_not_look_at_the_moves() {
    let mut reader =
        Reader::new(&b"[White \"A\"]\n[Result \"0-1\"]\n\n1. nonsense (\n\n[White \"B\"]\n\n1-0"[..]);
    let first = reader.next_heading().unwrap().unwrap();
    assert_eq!((first.tags.get("White"), first.outcome), (Some("A"), Some(Outcome::Win(Color::Black))));
    let second = reader.next_heading().unwrap().unwrap();
    assert_eq!((second.tags.get("White"), second.outcome), (Some("B"), Some(Outcome::Win(Color::White))));
    assert_eq!(reader.next_heading().unwrap(), None);
}

#[test]
fn a_game_is_written_and_read_back() {
    let start = Board::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").unwrap();
    let mut tags = Tags::new();
    tags.set("Event", "say \"hi\" \\");
    tags.set("White", "A");
    tags.set("White", "B");
    tags.set("FEN", start.to_string());
    let mut board = start;
    let mut plies = Vec::new();
    for text in ["e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O"] {
        let m = board.parse_san(text).unwrap();
        plies.push(Ply { m, comment: format!("{:+.2}/12 0.123s", 0.25) });
        board.play(m);
    }
    let game = Game { tags, start, comment: "begin".into(), moves: plies, outcome: Some(Outcome::Draw) };
    let text = game.to_string();
    let expected = "[Event \"say \\\"hi\\\" \\\\\"]
[White \"B\"]
[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]

{begin} 1... e5 {+0.25/12 0.123s} 2. Nf3 {+0.25/12 0.123s} Nc6 {+0.25/12 0.123s}
3. Bb5 {+0.25/12 0.123s} a6 {+0.25/12 0.123s} 4. Bxc6 {+0.25/12 0.123s} dxc6
{+0.25/12 0.123s} 5. O-O {+0.25/12 0.123s} 1/2-1/2

";
    assert_eq!(text, expected);
    assert_eq!(
        games(&text.repeat(2)).into_iter().map(Result::unwrap).collect::<Vec<_>>(),
        [game.clone(), game]
    );
}

#[test]
fn a_comment_cannot_break_out() {
    let m = Board::start().parse_san("e4").unwrap();
    let comment = "plays }{\n1-0".to_owned();
    let game = Game {
        tags: Tags::new(),
        start: Board::start(),
        comment: String::new(),
        moves: vec![Ply { m, comment }],
        outcome: None,
    };
    let read = games(&game.to_string());
    assert_eq!(read.len(), 1);
    assert_eq!(read[0].as_ref().unwrap().moves[0].comment, "plays ){ 1-0");
}
