// SPDX-License-Identifier: GPL-3.0-or-later
//! PGN in bulk: the same games as the patient reader finds, whatever the size of the chunks.

#[allow(dead_code, reason = "other tests use the rest")]
mod random;

use formats::{
    games::NO_SCORE,
    pgn::{
        Game, Ply, Reader, Tags,
        bulk::{BulkGame, BulkReader, Chunk, Chunks, Eval, TimeControl},
    },
};
use random::{Start, assert_same, games};
use rules::{Color, Outcome};

/// Games as text, with clocks and evaluations in every other one.
fn text() -> String {
    let mut text = String::new();
    for (number, record) in games(40, 120, Start::Mixed).into_iter().enumerate() {
        let mut tags = Tags::new();
        tags.set("Event", format!("{number} \"quoted\""));
        tags.set("WhiteElo", (1500 + number).to_string());
        tags.set("TimeControl", "180+2");
        if record.start != rules::chess::Board::start() {
            tags.set("FEN", record.start.to_shredder_fen());
        }
        let comment = |at: usize| match number % 2 {
            0 => format!("[%eval {}.25] [%clk 0:{:02}:00.5]", at % 7, at % 60),
            _ => String::new(),
        };
        let moves = record.moves.iter().enumerate();
        let moves = moves.map(|(at, &(m, _))| Ply { m, comment: comment(at) }).collect();
        let outcome = Some(record.outcome);
        let game = Game { tags, start: record.start, comment: String::new(), moves, outcome };
        text.push_str(&game.to_string());
    }
    text
}

fn bulk(text: &str, target: usize) -> Vec<BulkGame> {
    let mut found = Vec::new();
    for chunk in Chunks::new(text.as_bytes(), target) {
        let chunk = chunk.expect("a good chunk");
        found.extend(chunk.games().map(|game| game.expect("a good game")));
    }
    found
}

#[test]
fn both_readers_find_the_same_games() {
    let text = text();
    let mut reader = Reader::new(text.as_bytes());
    let patient: Vec<Game> = std::iter::from_fn(|| reader.next_game().expect("a good game")).collect();
    let found = bulk(&text, 4000);
    assert_eq!((found.len(), patient.len()), (120, 120));
    for (number, (game, expected)) in found.iter().zip(&patient).enumerate() {
        assert_eq!((game.start, game.outcome), (expected.start, expected.outcome));
        assert!(game.moves.iter().map(|ply| ply.m).eq(expected.moves.iter().map(|ply| ply.m)));
        assert!(game.tags.iter().eq(expected.tags.iter()));
        assert_eq!(game.tags.white_rating, Some(1500 + number as u16));
        assert_eq!(game.tags.time_control, Some(TimeControl { base: 180, increment: 2 }));
        for (at, ply) in game.moves.iter().enumerate().filter(|_| number % 2 == 0) {
            assert_eq!(ply.clock, Some((at as u32 % 60 * 60) * 100 + 50));
            assert_eq!(ply.eval, Some(Eval::Centipawns(at as i16 % 7 * 100 + 25)));
        }
    }
}

#[test]
fn chunks_of_any_size_hold_the_same_games_and_lines() {
    let text = text();
    let whole = bulk(&text, usize::MAX >> 1);
    let lines: Vec<&str> = text.lines().collect();
    for game in &whole {
        assert!(lines[game.line as usize - 1].starts_with("[Event "), "line {}", game.line);
    }
    for target in [1, 100, 5000, 100_000] {
        assert_same(&bulk(&text, target), &whole);
    }
    let joined: Vec<u8> =
        Chunks::new(text.as_bytes(), 3000).flat_map(|chunk| chunk.expect("a good chunk").text).collect();
    assert!(joined == text.as_bytes());
}

#[test]
fn unwanted_games_are_passed_over_unread() {
    let text = "[WhiteElo \"1000\"]\n\n1. no such moves 1-0\n\n[WhiteElo \"2000\"]\n\n1. e4 e5 0-1\n";
    let mut reader = BulkReader::new(text.as_bytes(), 1);
    let wanted = |reader: &mut BulkReader<'_>| reader.next_game_where(|tags| tags.white_rating >= Some(1700));
    let game = wanted(&mut reader).expect("a game").expect("a good game");
    assert_eq!((game.line, game.moves.len(), game.outcome), (5, 2, Some(Outcome::Win(Color::Black))));
    assert!(wanted(&mut reader).is_none());
    assert_eq!(reader.passed_over(), 1);
}

#[test]
fn a_damaged_game_costs_itself_alone() {
    let good = "[Event \"good\"]\n\n1. e4 e5 2. Nf3 *\n\n";
    for bad in [
        "[Event \"bad\"]\n\n1. e4 e5 2. Ke3 *\n\n",
        "[Event \"bad\"]\n\n1. e4 e5 2. -- d5 *\n\n",
        "[Event \"bad\"]\n\n1. e4 { no end\n\n",
        "[Event \"bad\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n",
        "[Event \"bad\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n",
        "[Event \"b\u{e4}d\"]\n\n1. d4 (1. e4 e5) 1... Nf6 2. d4 *\n\n",
    ] {
        let text = format!("{good}{bad}{good}{bad}{good}");
        let mut found = Vec::new();
        for chunk in Chunks::new(text.as_bytes(), 1 << 20) {
            let chunk: Chunk = chunk.expect("a good chunk");
            found.extend(
                chunk.games().map(|game| game.map_err(|error| (error.is_fatal(), error.to_string()))),
            );
        }
        assert_eq!(found.len(), 5, "{bad}");
        assert!(
            [0, 2, 4].iter().all(|&at| found[at].as_ref().is_ok_and(|game| game.moves.len() == 3)),
            "{bad}"
        );
        let (fatal, message) = found[1].as_ref().expect_err("a bad game");
        assert!(!fatal && message.starts_with("line 5: "), "{message}");
    }
}

#[test]
fn broken_letters_and_odd_games_are_read() {
    let text = b"\xEF\xBB\xBF[White \"J\xE4nner\"]\n% a remark\n\n1. e4 ; rest\n1... e5 \xFF 2. O-O? *\n";
    let games: Vec<_> = BulkReader::new(text, 1).collect();
    assert!(games[0].as_ref().is_err_and(|error| error.to_string().contains("illegal move 'O-O'")));
    let text = "[Result \"1/2-1/2\"]\n\n";
    let games: Vec<_> = BulkReader::new(text.as_bytes(), 1).map(|game| game.expect("a good game")).collect();
    assert_eq!((games.len(), games[0].moves.len(), games[0].outcome), (1, 0, Some(Outcome::Draw)));
    assert_eq!(BulkReader::new(b"", 1).count(), 0);
    assert_eq!(BulkReader::new(b"\n \n", 1).count(), 0);
}

#[test]
fn text_without_games_does_not_fill_the_memory() {
    let mut text = "x ".repeat(6 << 20);
    text.push_str("\n[Event \"good\"]\n\n1. e4 *\n");
    let (mut errors, mut games) = (Vec::new(), 0);
    for chunk in Chunks::new(text.as_bytes(), 1 << 20) {
        match chunk {
            Ok(chunk) => {
                games +=
                    chunk.games().filter(|game| game.as_ref().is_ok_and(|game| game.moves.len() == 1)).count()
            }
            Err(error) => errors.push(error.to_string()),
        }
    }
    assert_eq!(games, 1);
    assert_eq!(errors, ["line 1: a game has 9437184 bytes or more, expected at most 8388608"]);
}

#[test]
fn records_carry_the_evaluation_of_the_position_before_the_move() {
    let text = "1. e4 { [%eval 0.3] } e5 { [%eval #-2] } 2. Nf3 *";
    let game = BulkReader::new(text.as_bytes(), 1).next().expect("a game").expect("a good game");
    let record = game.record(Outcome::Draw);
    let scores: Vec<i16> = record.moves.iter().map(|&(_, score)| score).collect();
    assert_eq!(scores, [NO_SCORE, 30, -31_998]);
}
