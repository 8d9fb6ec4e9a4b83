// SPDX-License-Identifier: GPL-3.0-or-later
//! What we write is read by the crates of those who made the formats, and the other way round.

mod random;

use formats::{binpack, bullet, games::GameRecord, marlin, viriformat};
use random::{Start, assert_same, assert_varied, games};
use rules::{
    Color, Outcome,
    chess::{Board, Move, Square},
};

#[test]
fn the_crate_viriformat_reads_our_games_and_writes_them_alike() {
    let games = games(30, 200, Start::Mixed);
    assert_varied(&games);
    for game in &games {
        let mut bytes = Vec::new();
        viriformat::write(&mut bytes, game).expect("a vector");
        let theirs = ::viriformat::dataformat::Game::deserialise_from(&mut bytes.as_slice(), Vec::new())
            .expect("a game that they understand");
        let mut again = Vec::new();
        theirs.serialise_into(&mut again).expect("a vector");
        assert_eq!(again, bytes);

        // Every position on the way, packed by them, is our position.
        let mut samples = game.samples();
        let everything = ::viriformat::dataformat::Filter::UNRESTRICTED;
        let splat = theirs.splat_to_marlinformat(
            |packed| {
                let ours = samples.next().expect("as many positions");
                let theirs = marlin::decode(&packed.as_bytes()).expect("a record that we understand");
                assert_eq!((theirs.board, theirs.outcome), (ours.board, ours.outcome));
                Ok(())
            },
            &everything,
        );
        splat.expect("nothing fails");
        assert!(samples.next().is_none());
    }
}

#[test]
fn the_crate_bulletformat_makes_the_same_records() {
    for game in games(31, 60, Start::Standard) {
        for sample in game.samples() {
            let (score, result) = (sample.score.unwrap_or(0), ["0.0", "0.5", "1.0"][code(game.outcome)]);
            let text = format!("{} | {score} | {result}", sample.board);
            let theirs: bulletformat::ChessBoard = text.parse().expect("a line that they understand");
            let ours = bullet::encode(&sample);
            let field = |range: std::ops::Range<usize>| ours[range].to_vec();
            assert_eq!(field(0..8), theirs.occ.to_le_bytes());
            assert_eq!(field(8..24), theirs.pcs);
            assert_eq!(field(24..26), theirs.score.to_le_bytes());
            assert_eq!(ours[26..32], [theirs.result, theirs.ksq, theirs.opp_ksq, 0, 0, 0]);
        }
    }
}

fn code(outcome: Outcome) -> usize {
    match outcome {
        Outcome::Win(Color::Black) => 0,
        Outcome::Draw => 1,
        Outcome::Win(Color::White) => 2,
    }
}

fn scored_games(seed: u64) -> Vec<GameRecord> {
    let games = games(seed, 300, Start::Standard).into_iter();
    let games: Vec<GameRecord> = games.filter(|game| !game.moves.is_empty()).collect();
    assert_varied(&games);
    games
}

/// What both sides say about a position, in Stockfish's view.
#[derive(Debug, PartialEq)]
struct Entry {
    fen: String,
    uci: String,
    score: i16,
    ply: u16,
    result: i16,
}

fn our_entries(games: &[GameRecord]) -> Vec<Entry> {
    let mut entries = Vec::new();
    for game in games {
        for (board, m, score) in game.boards() {
            let white = board.turn() == Color::White;
            let score = match score {
                formats::games::NO_SCORE => 32002,
                score => {
                    if white {
                        score
                    } else {
                        -score
                    }
                }
            };
            let result = match game.outcome {
                Outcome::Draw => 0,
                Outcome::Win(winner) => {
                    if winner == board.turn() {
                        1
                    } else {
                        -1
                    }
                }
            };
            let ply = (board.fullmoves() - 1) * 2 + u16::from(!white);
            entries.push(Entry {
                fen: placement(&board.to_string()),
                uci: m.to_uci(false),
                score,
                ply,
                result,
            });
        }
    }
    entries
}

fn their_entry(entry: &sfbinpack::TrainingDataEntry) -> Entry {
    let fen = placement(&entry.pos.fen().expect("a position"));
    Entry { fen, uci: entry.mv.as_uci(), score: entry.score, ply: entry.ply, result: entry.result }
}

/// Pieces, side, castling and en passant: the counters of the crate are its own affair.
fn placement(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_crate_sfbinpack_reads_our_games() {
    let games = scored_games(32);
    let mut writer = binpack::Writer::new(Vec::new());
    games.iter().for_each(|game| writer.push(game).expect("a good game"));
    let bytes = writer.finish().expect("a vector");
    let mut reader = sfbinpack::CompressedTrainingDataEntryReader::from_bytes(bytes).expect("a binpack");
    let mut theirs = Vec::new();
    while reader.has_next() {
        theirs.push(their_entry(&reader.next()));
    }
    assert_same(&theirs, &our_entries(&games));
}

#[test]
fn we_read_what_the_crate_sfbinpack_writes() {
    let games = scored_games(33);
    let mut writer = sfbinpack::CompressedTrainingDataEntryWriter::new_in_memory().expect("a vector");
    for game in &games {
        for ((board, m, _), entry) in game.boards().zip(our_entries(std::slice::from_ref(game))) {
            writer.write_entry(&their_input(&board, m, &entry)).expect("a good entry");
        }
    }
    let bytes = writer.into_bytes().expect("a vector");
    let read: Vec<GameRecord> =
        binpack::Reader::new(bytes.as_slice()).map(|game| game.expect("a good chain")).collect();
    assert_same(&our_entries(&read), &our_entries(&games));
}

fn their_input(board: &Board, m: Move, entry: &Entry) -> sfbinpack::TrainingDataEntry {
    use sfbinpack::chess::{color, coords, r#move, piece, piecetype, position};
    let square = |square: Square| coords::Square::new(square.index() as u32);
    let (from, to) = (square(m.from()), square(m.to()));
    let mv = match m.promoted() {
        Some(role) => {
            let kind = piecetype::PieceType::from_ordinal(role as u8);
            let color = if board.turn() == Color::White { color::Color::White } else { color::Color::Black };
            r#move::Move::promotion(from, to, piece::Piece::new(kind, color))
        }
        None if m.is_castle() => r#move::Move::castle(from, to),
        None if m.is(rules::chess::MoveKind::EnPassant) => r#move::Move::en_passant(from, to),
        None => r#move::Move::normal(from, to),
    };
    let mut pos = position::Position::from_fen(&board.to_string()).expect("a position");
    pos.set_ply(entry.ply);
    sfbinpack::TrainingDataEntry { pos, mv, score: entry.score, ply: entry.ply, result: entry.result }
}
