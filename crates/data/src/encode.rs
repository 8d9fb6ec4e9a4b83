// SPDX-License-Identifier: GPL-3.0-or-later
//! Output of any kind: `games or samples -> bytes that can be appended to a file`.
//!
//! Bytes are made by many threads, piece by piece, and appended by one; no kind needs to know what came before.

use std::{
    io::Cursor,
    path::{Path, PathBuf},
};

use formats::{
    Kind, archive, binpack, bullet,
    games::{GameRecord, NO_SCORE},
    lines, marlin, npy, plain,
    sample::{self, Sample},
    viriformat,
};

use crate::{
    Counts, DataError,
    job::{Job, Output},
};

/// Endings of names that can be written.
const WRITABLE: &str = ".vf, .nga, .binpack, .nsam, .bullet, .marlin, .txt, .plain or .npy";

/// Writes one kind of file, which with `.npy` is a pair of files.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Encoder {
    kind: Kind,
}

/// Bytes for each file of an output.
pub type Pieces = Vec<Vec<u8>>;

impl Encoder {
    /// The encoder that a file name asks for.
    ///
    /// # Errors
    /// When the name ends otherwise than known, or in a compression: what is appended to cannot be compressed.
    pub fn of(path: &Path) -> Result<Encoder, DataError> {
        let plain = path.extension().is_none_or(|ending| !["zst", "gz", "bz2"].iter().any(|c| ending == *c));
        let kind = Kind::of(path).filter(|kind| plain && !matches!(kind, Kind::Pgn | Kind::Puzzles));
        kind.map(|kind| Encoder { kind })
            .ok_or_else(|| DataError::Kind { path: path.to_owned(), expected: WRITABLE })
    }

    /// What is written.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether whole games are written.
    pub fn writes_games(&self) -> bool {
        self.kind.holds_games()
    }

    /// Whether the bytes of several games or positions are those of each, one after the other.
    pub fn is_piecewise(&self) -> bool {
        !matches!(self.kind, Kind::Archive | Kind::Binpack)
    }

    /// The size of a record, if all have the same.
    pub fn record_bytes(&self) -> Option<usize> {
        match self.kind {
            Kind::Samples => Some(sample::BYTES),
            Kind::Bullet => Some(bullet::BYTES),
            Kind::Marlin => Some(marlin::BYTES),
            _ => None,
        }
    }

    /// How many files there are.
    pub fn files(&self) -> usize {
        if self.kind == Kind::Npy { 2 } else { 1 }
    }

    /// The files of an output of this name.
    pub fn outputs(&self, path: &Path) -> Vec<Output> {
        match self.kind {
            Kind::Npy => {
                let [inputs, outputs] = array_names(path);
                vec![Output::new(&inputs, inputs_header(0)), Output::new(&outputs, outputs_header(0))]
            }
            Kind::Samples => vec![Output::new(path, sample::HEADER.to_vec())],
            Kind::Archive => vec![Output::new(path, archive::MAGIC.to_vec())],
            _ => vec![Output::new(path, Vec::new())],
        }
    }

    /// Encodes games; a file of positions gets all their positions.
    pub fn games(&self, games: &[GameRecord], counts: &mut Counts) -> Pieces {
        let positions = games.iter().map(|game| game.moves.len() as u64).sum::<u64>();
        let mut bytes = Vec::new();
        match self.kind {
            Kind::Viriformat => {
                games.iter().for_each(|game| viriformat::write(&mut bytes, game).expect("room in memory"));
            }
            Kind::Archive => {
                // Blocks of equal size: a small one has little to learn from.
                let blocks = games.len().div_ceil(archive::BLOCK_GAMES).max(1);
                let size = games.len().div_ceil(blocks).max(1);
                for block in games.chunks(size) {
                    bytes.extend(archive::encode_block(block).expect("games that a reader let pass"));
                }
            }
            Kind::Binpack => return vec![self.binpack(games, counts)],
            _ => {
                let samples: Vec<Sample> = games.iter().flat_map(GameRecord::samples).collect();
                return self.samples(&samples, counts);
            }
        }
        counts.positions += positions;
        vec![bytes]
    }

    /// Games as Stockfish writes them; what its format cannot say is left out.
    fn binpack(&self, games: &[GameRecord], counts: &mut Counts) -> Vec<u8> {
        let mut writer = binpack::Writer::new(Vec::new());
        for game in games {
            match writer.push(game) {
                Ok(()) => counts.positions += game.moves.len() as u64,
                Err(error) => {
                    counts.skip_positions("not for binpack", game.moves.len() as u64);
                    counts.example(error.to_string());
                }
            }
        }
        writer.finish().expect("room in memory")
    }

    /// Encodes positions; a file of games gets a game of one move for each.
    pub fn samples(&self, samples: &[Sample], counts: &mut Counts) -> Pieces {
        if self.writes_games() {
            let fitting = samples.iter().filter(|sample| self.fitting(sample, counts));
            let games: Vec<GameRecord> = fitting.filter_map(one_move).collect();
            return self.games(&games, counts);
        }
        let mut pieces = vec![Vec::new(); self.files()];
        for sample in samples {
            if self.fitting(sample, counts) {
                self.sample(sample, &mut pieces);
                counts.positions += 1;
            }
        }
        pieces
    }

    /// Whether the file can say all about a sample that it has to.
    fn fitting(&self, sample: &Sample, counts: &mut Counts) -> bool {
        let needs_score = matches!(self.kind, Kind::Bullet | Kind::Marlin | Kind::Plain | Kind::Binpack);
        let needs_outcome = needs_score || self.writes_games();
        let needs_move = matches!(self.kind, Kind::Npy | Kind::Plain) || self.writes_games();
        let lacks = if needs_score && sample.score.is_none() {
            "no score"
        } else if needs_outcome && sample.outcome.is_none() {
            "no result"
        } else if needs_move && sample.played.is_none() {
            "no move"
        } else {
            return true;
        };
        counts.skip_position(lacks);
        false
    }

    fn sample(&self, sample: &Sample, pieces: &mut Pieces) {
        let bytes = &mut pieces[0];
        match self.kind {
            Kind::Samples => bytes.extend(sample.to_bytes()),
            Kind::Bullet => bytes.extend(bullet::encode(sample)),
            Kind::Marlin => bytes.extend(marlin::encode(sample)),
            Kind::Lines => lines::write(bytes, sample).expect("room in memory"),
            Kind::Plain => plain::write(bytes, sample).expect("room in memory"),
            Kind::Npy => {
                bytes.extend(npy::input_row(&sample.board));
                let played = sample.played.map_or(0, |m| npy::output(&sample.board, m));
                pieces[1].extend(played.to_le_bytes());
            }
            Kind::Pgn | Kind::Puzzles | Kind::Viriformat | Kind::Archive | Kind::Binpack => {}
        }
    }

    /// Writes what can only be known at the end.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn finish(&self, job: &mut Job) -> Result<(), DataError> {
        if self.kind == Kind::Npy {
            let rows = job.counts().positions;
            job.rewrite_header(0, &inputs_header(rows))?;
            job.rewrite_header(1, &outputs_header(rows))?;
        }
        Ok(())
    }
}

/// `x.npy` is written as `x.inputs.npy` and `x.outputs.npy`.
fn array_names(path: &Path) -> [PathBuf; 2] {
    ["inputs.npy", "outputs.npy"].map(|ending| path.with_extension(ending))
}

/// The header of positions for so many rows.
fn inputs_header(rows: u64) -> Vec<u8> {
    let empty = npy::InputsWriter::new(Cursor::new(Vec::<u8>::new())).and_then(npy::InputsWriter::finish);
    with_rows(&empty.expect("room in memory").into_inner(), rows)
}

/// The header of moves for so many rows.
fn outputs_header(rows: u64) -> Vec<u8> {
    let empty = npy::OutputsWriter::new(Cursor::new(Vec::<u8>::new())).and_then(npy::OutputsWriter::finish);
    with_rows(&empty.expect("room in memory").into_inner(), rows)
}

/// The header of an empty array with another number of rows; the blanks at its end make room for it, so that all
/// headers have the same length.
fn with_rows(empty: &[u8], rows: u64) -> Vec<u8> {
    let text = String::from_utf8_lossy(&empty[10..]).replacen("(0,", &format!("({rows},"), 1);
    let mut header = empty.to_vec();
    header[10..].fill(b' ');
    let text = text.trim_end().as_bytes();
    header[10..10 + text.len()].copy_from_slice(text);
    if let Some(last) = header.last_mut() {
        *last = b'\n';
    }
    header
}

/// A game of the one move that a sample knows.
fn one_move(sample: &Sample) -> Option<GameRecord> {
    let mut game = GameRecord::new(sample.board, sample.outcome?);
    game.moves.push((sample.played?, sample.score.unwrap_or(NO_SCORE)));
    Some(game)
}
