// SPDX-License-Identifier: GPL-3.0-or-later
//! Files of whole games: what is written comes back, byte for byte, and damage costs little.

mod random;

use formats::{ReadError, archive, binpack, games::GameRecord, viriformat};
use random::{Start, assert_same, assert_varied, games};

fn viriformat_of(games: &[GameRecord]) -> Vec<u8> {
    let mut bytes = Vec::new();
    games.iter().for_each(|game| viriformat::write(&mut bytes, game).expect("a vector"));
    bytes
}

fn archive_of(games: &[GameRecord]) -> Vec<u8> {
    let mut writer = archive::Writer::new(Vec::new()).expect("a vector");
    games.iter().for_each(|game| writer.push(game).expect("a good game"));
    writer.finish().expect("a vector")
}

fn binpack_of(games: &[GameRecord]) -> Vec<u8> {
    let mut writer = binpack::Writer::new(Vec::new());
    games.iter().for_each(|game| writer.push(game).expect("a good game"));
    writer.finish().expect("a vector")
}

fn all_good(read: impl Iterator<Item = Result<GameRecord, ReadError>>) -> Vec<GameRecord> {
    read.map(|game| game.expect("a good game")).collect()
}

fn messages(read: impl Iterator<Item = Result<GameRecord, ReadError>>) -> (Vec<GameRecord>, Vec<String>) {
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for game in read {
        match game {
            Ok(game) => games.push(game),
            Err(error) => errors.push(error.to_string()),
        }
    }
    (games, errors)
}

#[test]
fn viriformat_comes_back() {
    let mut games = games(1, 600, Start::Mixed);
    assert_varied(&games);
    (games[3].start_score, games[3].extra) = (-77, 200);
    let bytes = viriformat_of(&games);
    let read = all_good(viriformat::Reader::new(bytes.as_slice()));
    assert_same(&read, &games);
    assert!(viriformat_of(&read) == bytes);
}

#[test]
fn viriformat_in_chunks_is_the_same() {
    let games = games(2, 300, Start::Mixed);
    let bytes = viriformat_of(&games);
    let chunks: Vec<viriformat::Chunk> =
        viriformat::Chunks::new(bytes.as_slice(), 5000).map(|chunk| chunk.expect("a good chunk")).collect();
    assert!(chunks.len() > 10);
    assert_eq!(chunks.iter().map(|chunk| chunk.games).sum::<usize>(), games.len());
    let joined: Vec<u8> = chunks.iter().flat_map(|chunk| chunk.bytes.clone()).collect();
    assert!(joined == bytes);
    let mut offset = 0;
    let mut read = Vec::new();
    for chunk in &chunks {
        assert_eq!(chunk.offset, offset);
        offset += chunk.bytes.len() as u64;
        read.extend(all_good(chunk.records()));
    }
    assert_same(&read, &games);
}

#[test]
fn viriformat_passes_over_extensions() {
    let games = games(3, 2, Start::Standard);
    let mut bytes = viriformat_of(&games[..1]);
    bytes.extend([0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 3, 0, 1, 2, 3, 0, 0, 0, 0]);
    bytes.extend(viriformat_of(&games[1..]));
    assert_same(&all_good(viriformat::Reader::new(bytes.as_slice())), &games);
}

#[test]
fn a_damaged_viriformat_game_costs_itself_alone() {
    let games: Vec<GameRecord> =
        games(4, 40, Start::Standard).into_iter().filter(|game| game.moves.len() > 20).collect();
    let lengths: Vec<usize> =
        games.iter().map(|game| viriformat_of(std::slice::from_ref(game)).len()).collect();
    let mut bytes = viriformat_of(&games);
    let second = lengths[0];
    bytes[second + 32 + 4 * 7] ^= 63; // another origin
    let third = second + lengths[1];
    bytes[third + 8] |= 0x77; // no such piece
    let (read, errors) = messages(viriformat::Reader::new(bytes.as_slice()));
    assert_eq!(read.len(), games.len() - 2);
    assert_same(&read[1..], &games[3..]);
    assert!(errors[0].starts_with(&format!("byte {}: illegal move ", second + 60)), "{}", errors[0]);
    assert_eq!(errors[1], format!("byte {third}: piece code 7 on {} means nothing", first_square(&games[2])));

    bytes.truncate(bytes.len() - 3);
    let (read, errors) = messages(viriformat::Reader::new(bytes.as_slice()));
    assert_eq!((read.len(), errors.len()), (games.len() - 3, 3));
    assert!(errors[2].ends_with("the data ends within a game"), "{}", errors[2]);
}

fn first_square(game: &GameRecord) -> String {
    game.start.occupied().first().expect("kings").to_string()
}

#[test]
fn a_game_without_end_is_refused() {
    let mut bytes = viriformat_of(&games(5, 1, Start::Standard)[..1])[..32].to_vec();
    bytes.extend([1; 4 * 20_000]);
    let (read, errors) = messages(viriformat::Reader::new(bytes.as_slice()));
    assert!(read.is_empty());
    assert_eq!(errors, ["byte 0: a game has 16385 half-moves or more, expected at most 16384"]);
}

#[test]
fn the_archive_comes_back_smaller() {
    let mut games = games(6, 4200, Start::Mixed);
    assert_varied(&games);
    // More than a block; most games are cut short to save time.
    games[400..].iter_mut().for_each(|game| game.moves.truncate(12));
    (games[3].start_score, games[3].extra) = (-77, 200);
    let bytes = archive_of(&games);
    assert!(bytes.len() * 5 < viriformat_of(&games).len() * 3, "{} bytes", bytes.len());
    let read = all_good(archive::Reader::new(bytes.as_slice()));
    assert_same(&read, &games);
    assert!(archive_of(&read) == bytes);
}

#[test]
fn archives_can_be_joined_and_continued() {
    let games = games(7, 30, Start::Mixed);
    let mut bytes = archive_of(&games[..10]);
    bytes.extend(archive_of(&games[10..20]));
    let mut writer = archive::Writer::append(bytes);
    writer.push_block(&archive::encode_block(&games[20..25]).expect("good games")).expect("a vector");
    games[25..].iter().for_each(|game| writer.push(game).expect("a vector"));
    let bytes = writer.finish().expect("a vector");
    assert_same(&all_good(archive::Reader::new(bytes.as_slice())), &games);
    assert_eq!(archive::Blocks::new(bytes.as_slice()).count(), 4);
    assert!(archive::Reader::new(&archive_of(&[])[..]).next().is_none());
}

#[test]
fn a_damaged_block_costs_itself_alone() {
    let games = games(8, 40, Start::Standard);
    let blocks: Vec<Vec<u8>> =
        games.chunks(10).map(|games| archive::encode_block(games).expect("good games")).collect();
    let file = |blocks: &[Vec<u8>]| [archive::MAGIC.to_vec(), blocks.concat()].concat();
    let without_second = [&games[..10], &games[20..]].concat();
    // Somewhere in the head or the payload of the second block.
    for at in [0, 2, 4, 7, 8, 12, 16, 19, 20, 23, 24, 500] {
        let mut damaged = blocks.clone();
        damaged[1][at] ^= 0x55;
        let bytes = file(&damaged);
        let (read, errors) = messages(archive::Reader::new(bytes.as_slice()));
        assert!(read == without_second, "byte {at}: {} games", read.len());
        assert_eq!(errors.len(), 1, "byte {at}");
        assert!(errors[0].starts_with(&format!("byte {}: ", 8 + blocks[0].len())), "{}", errors[0]);
    }
    let bytes = file(&blocks);
    let (read, errors) = messages(archive::Reader::new(&bytes[..bytes.len() - 1]));
    assert_eq!((read.len(), errors.len()), (30, 1));
    let (read, errors) = messages(archive::Reader::new(&bytes[1..]));
    assert_eq!((read.len(), errors.len()), (0, 1));
}

#[test]
fn the_archive_refuses_illegal_games() {
    let mut game = games(9, 4, Start::Standard).remove(0);
    game.moves.insert(0, (rules::chess::Move::NONE, 0));
    let error = archive::encode_block(&[game]).expect_err("an illegal game");
    assert!(error.to_string().starts_with("illegal move "), "{error}");
}

#[test]
fn binpack_comes_back() {
    let games: Vec<GameRecord> =
        games(10, 600, Start::Standard).into_iter().filter(|game| !game.moves.is_empty()).collect();
    assert_varied(&games);
    let bytes = binpack_of(&games);
    let read = all_good(binpack::Reader::new(bytes.as_slice()));
    assert_same(&read, &games);
    assert!(binpack_of(&read) == bytes);
    assert!(binpack::Reader::new(&binpack_of(&[])[..]).next().is_none());
}

#[test]
fn binpack_refuses_chess960_and_reads_past_damage() {
    let mixed = games(11, 2, Start::Mixed);
    let error = binpack::Writer::new(Vec::new()).push(&mixed[1]).expect_err("castling as in Chess960");
    assert!(error.to_string().starts_with("binpack knows castling only"), "{error}");

    let games = games(12, 300, Start::Standard);
    let first = binpack_of(&games[..150]);
    let mut bytes = first.clone();
    let second = binpack_of(&games[150..]);
    bytes.extend(&second);
    bytes[8 + 24] ^= 0xFF; // the first move
    let (read, errors) = messages(binpack::Reader::new(bytes.as_slice()));
    assert_same(&read, &all_good(binpack::Reader::new(second.as_slice())));
    assert_eq!(errors.len(), 1);
    assert!(errors[0].starts_with("byte 8: illegal move "), "{}", errors[0]);

    bytes[first.len()] = b'X';
    let (read, errors) = messages(binpack::Reader::new(bytes.as_slice()));
    assert_eq!((read.len(), errors.len()), (0, 2));
    assert_eq!(errors[1], format!("byte {}: head of a chunk of another kind, expected BINP", first.len()));
}
