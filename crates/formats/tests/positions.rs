// SPDX-License-Identifier: GPL-3.0-or-later
//! Files of single positions: what is written comes back, as far as the format keeps it.

#[allow(dead_code, reason = "other tests use the rest")]
mod random;

use std::io::Cursor;

use formats::{ReadError, bullet, lines, marlin, npy, plain, sample, sample::Sample};
use random::{Start, assert_same, games};
use rules::{
    Color, Random,
    chess::{Board, CastlingRights, Setup},
};

fn samples(start: Start) -> Vec<Sample> {
    let mut random = Random::new(3);
    let mut samples: Vec<Sample> =
        games(20, 60, start).iter().flat_map(|game| game.samples().collect::<Vec<_>>()).collect();
    for sample in &mut samples {
        let bits = random.bits();
        let number = |shift: u32| Some((bits >> shift & 0xFFF) as u16).filter(|number| number % 3 != 0);
        sample.context.white_rating = number(0);
        sample.context.clock = number(12);
        sample.context.increment = number(24);
        let moves = sample.board.legal_moves();
        sample.other = moves.get(bits as usize % 50).copied();
    }
    assert!(samples.len() > 3000);
    samples
}

fn written(samples: &[Sample], write: impl Fn(&mut Vec<u8>, &Sample)) -> Vec<u8> {
    let mut bytes = Vec::new();
    samples.iter().for_each(|sample| write(&mut bytes, sample));
    bytes
}

fn all_good(read: impl Iterator<Item = Result<Sample, ReadError>>) -> Vec<Sample> {
    read.map(|sample| sample.expect("a good record")).collect()
}

/// What is left of a sample without moves and context.
fn bare(sample: &Sample) -> Sample {
    Sample { score: sample.score, outcome: sample.outcome, ..Sample::new(sample.board) }
}

#[test]
fn samples_keep_everything() {
    let samples = samples(Start::Mixed);
    let mut bytes = sample::HEADER.to_vec();
    bytes.extend(written(&samples, |bytes, sample| sample::write(bytes, sample).expect("a vector")));
    assert_same(&all_good(sample::reader(bytes.as_slice()).expect("a good header")), &samples);
}

#[test]
fn marlinformat_keeps_all_but_moves() {
    let samples = samples(Start::Mixed);
    let bytes = written(&samples, |bytes, sample| marlin::write(bytes, sample).expect("a vector"));
    let read = all_good(marlin::reader(bytes.as_slice()));
    let expected: Vec<Sample> = samples
        .iter()
        .map(|sample| Sample { score: Some(sample.score.unwrap_or(0)), ..bare(sample) })
        .collect();
    assert_same(&read, &expected);
    assert!(written(&read, |bytes, sample| marlin::write(bytes, sample).expect("a vector")) == bytes);
}

#[test]
fn bulletformat_keeps_what_the_mover_sees() {
    let samples = samples(Start::Standard);
    let bytes = written(&samples, |bytes, sample| bullet::write(bytes, sample).expect("a vector"));
    let read = all_good(bullet::reader(bytes.as_slice()));
    assert_eq!(read.len(), samples.len());
    assert!(written(&read, |bytes, sample| bullet::write(bytes, sample).expect("a vector")) == bytes);
    for (read, sample) in read.iter().zip(&samples).filter(|(_, sample)| sample.board.turn() == Color::White)
    {
        assert_eq!(read.outcome, sample.outcome);
        assert_eq!(read.board.occupied(), sample.board.occupied());
    }
}

#[test]
fn lines_keep_position_score_and_result() {
    let samples: Vec<Sample> = samples(Start::Mixed).iter().map(bare).collect();
    let text = written(&samples, |text, sample| lines::write(text, sample).expect("a vector"));
    assert_same(&all_good(lines::Reader::new(text.as_slice())), &samples);
}

#[test]
fn plain_text_keeps_the_move_too() {
    let samples: Vec<Sample> =
        samples(Start::Mixed).iter().map(|sample| Sample { played: sample.played, ..bare(sample) }).collect();
    let text = written(&samples, |text, sample| plain::write(text, sample).expect("a vector"));
    assert_same(&all_good(plain::Reader::new(text.as_slice())), &samples);
}

#[test]
fn arrays_are_laid_out_as_described() {
    let row = npy::input_row(&Board::start());
    // a1 holds a white rook, e8 a black king, e4 nothing; White is to move.
    assert_eq!((row[4], row[60 * 13 + 12], row[28 * 13], row[832]), (1, 1, 1, 1));
    assert_eq!(row.iter().map(|&value| usize::from(value)).sum::<usize>(), 65);
    let board = Board::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").expect("a position");
    let number = |uci: &str| npy::output(&board, board.parse_uci(uci).expect("a legal move"));
    assert_eq!((number("e1g1"), number("e1c1"), number("a1a2")), (64 * 4 + 6, 64 * 4 + 2, 8));
}

#[test]
fn arrays_come_back() {
    let samples = samples(Start::Standard);
    let mut inputs = npy::InputsWriter::new(Cursor::new(Vec::new())).expect("a vector");
    let mut outputs = npy::OutputsWriter::new(Cursor::new(Vec::new())).expect("a vector");
    for sample in &samples {
        inputs.push(&sample.board).expect("a vector");
        outputs.push(&sample.board, sample.played.expect("a move")).expect("a vector");
    }
    let inputs = inputs.finish().expect("a vector").into_inner();
    let outputs = outputs.finish().expect("a vector").into_inner();
    assert_eq!(inputs.len(), 128 + 833 * samples.len());
    assert_eq!(outputs.len(), 128 + 2 * samples.len());

    let boards = npy::InputsReader::new(inputs.as_slice()).expect("a good header");
    let boards: Vec<Board> = boards.map(|board| board.expect("a good row")).collect();
    let expected: Vec<Board> = samples.iter().map(|sample| without_past(&sample.board)).collect();
    assert_same(&boards, &expected);
    let moves = npy::OutputsReader::new(outputs.as_slice()).expect("a good header");
    let moves: Vec<u16> = moves
        .map(|squares| squares.expect("a good number"))
        .map(|(from, to)| 64 * from.index() as u16 + to.index() as u16)
        .collect();
    let expected: Vec<u16> =
        samples.iter().map(|sample| npy::output(&sample.board, sample.played.expect("a move"))).collect();
    assert_same(&moves, &expected);
}

/// What an array keeps of a position.
fn without_past(board: &Board) -> Board {
    let setup = Setup::from(board);
    let castling = CastlingRights::NONE;
    let setup = Setup { castling, en_passant: None, halfmoves: 0, fullmoves: 1, ..setup };
    Board::from_setup(&setup).expect("a legal position")
}

#[test]
fn other_arrays_are_refused() {
    let message = |bytes: &[u8]| npy::InputsReader::new(bytes).expect_err("another array").to_string();
    assert_eq!(message(b"\x93NUMPY"), "byte 0: the data ends within the header");
    assert_eq!(message(b"PK\x03\x04xxxxxx"), "byte 0: header of another kind, expected that of a .npy file");
    let outputs = npy::OutputsWriter::new(Cursor::new(Vec::new())).expect("a vector");
    let outputs = outputs.finish().expect("a vector").into_inner();
    assert!(message(&outputs).ends_with("expected |b1"), "{}", message(&outputs));
}
