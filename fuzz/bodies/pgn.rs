// SPDX-License-Identifier: GPL-3.0-or-later
//! Any bytes as a PGN file: reading ends and never panics, and what was read reads back as the same game.

use formats::pgn::{Game, Reader};

/// Checks one input.
pub(crate) fn check(data: &[u8]) {
    let mut events = Reader::new(data);
    while events.next_event().is_ok_and(|event| event.is_some()) {}

    let mut headings = Reader::new(data);
    while headings.next_heading().is_ok_and(|heading| heading.is_some()) {}

    let mut games = Reader::new(data);
    loop {
        match games.next_game() {
            Ok(Some(game)) => check_game(&game),
            Ok(None) => break,
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

fn check_game(game: &Game) {
    let text = game.to_string();
    let mut reader = Reader::new(text.as_bytes());
    let again = match reader.next_game() {
        Ok(Some(again)) => again,
        other => panic!("{other:?} from {text}"),
    };
    let moves = |game: &Game| game.moves.iter().map(|ply| ply.m).collect::<Vec<_>>();
    assert_eq!((again.start, again.outcome), (game.start, game.outcome), "{text}");
    assert_eq!(moves(&again), moves(game), "{text}");
    assert_eq!(again.to_string(), text);
    assert!(matches!(reader.next_game(), Ok(None)), "{text}");
}
