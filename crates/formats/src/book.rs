// SPDX-License-Identifier: GPL-3.0-or-later
//! Opening books: `a file in EPD, PGN or Polyglot form -> openings in a chosen order`.
//!
//! Everything is checked when the book is read, so that no match stops halfway at a bad line.

use std::{
    io::{self, BufRead, Read},
    path::{Path, PathBuf},
};

use rules::{
    Color,
    chess::{Board, Game, Move, Reason, Square, Wing},
};
use thiserror::Error;

use crate::{
    epd::{self, EpdError},
    open,
    pgn::{PgnError, Reader},
    polyglot::{PolyglotBook, PolyglotError},
    shuffle::shuffle,
};

/// The length of the lines taken from a Polyglot book if nobody asks for another.
pub const POLYGLOT_PLIES: usize = 16;

/// How a game begins: a position and the moves already played from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The position before the moves.
    pub start: Board,
    /// The moves, all legal.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The position after the moves.
    pub fn board(&self) -> Board {
        *self.game().board()
    }

    /// The game so far.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for &m in &self.moves {
            game.play(m);
        }
        game
    }
}

/// In which order openings are drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they stand in the book.
    Sequential,
    /// Shuffled; the seed decides how.
    Random(u64),
}

/// A book that cannot be used.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the message of each variant says what it and its fields mean")]
pub enum BookError {
    #[error("opening book {}: unknown kind, expected .epd, .fen, .txt, .pgn or .bin, perhaps compressed", .0.display())]
    Kind(PathBuf),
    #[error("opening book {}: {cause}", path.display())]
    Io { path: PathBuf, cause: io::Error },
    #[error("opening book {}, line {line}: {cause}", path.display())]
    Epd { path: PathBuf, line: usize, cause: EpdError },
    #[error("opening book {}, {cause}", path.display())]
    Pgn { path: PathBuf, cause: PgnError },
    #[error("opening book {}: {cause}", path.display())]
    Polyglot { path: PathBuf, cause: PolyglotError },
    #[error("opening book {}: opening {number} is already decided ({reason}) after {plies} half-moves, in {fen}", path.display())]
    Decided { path: PathBuf, number: usize, reason: Reason, plies: usize, fen: String },
    #[error("opening book {} has no openings", .0.display())]
    Empty(PathBuf),
}

/// An opening at its smallest; without a FEN it begins with the start position.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// The line of the file on which it is, or ends.
    line: u64,
    fen: Option<Box<str>>,
    moves: Box<[Move]>,
}

/// An opening book, read and checked.
#[derive(Clone, Debug)]
pub struct Book {
    entries: Vec<Entry>,
    order: Vec<u32>,
}

impl Book {
    /// Reads a book. Lines of moves are cut after `plies` moves; by default PGN is taken whole.
    ///
    /// # Errors
    /// When the file cannot be read, or one of its openings is no legal and undecided position.
    pub fn read(path: &Path, plies: Option<usize>, order: Order) -> Result<Book, BookError> {
        let io_error = |cause| BookError::Io { path: path.to_owned(), cause };
        let kind = kind(path).ok_or_else(|| BookError::Kind(path.to_owned()))?;
        let input = open(path).map_err(io_error)?;
        let entries = match kind {
            Kind::Epd => read_epd(path, input)?,
            Kind::Pgn => read_pgn(path, input, plies)?,
            Kind::Polyglot => read_polyglot(path, input, plies)?,
        };
        if entries.is_empty() {
            return Err(BookError::Empty(path.to_owned()));
        }
        let book = Book::new(entries, Order::Sequential);
        for number in 0..book.len() {
            let opening = book.opening(number);
            let game = opening.game();
            if let Some((_, reason)) = game.outcome() {
                let (number, plies, fen) = (number + 1, opening.moves.len(), game.board().to_string());
                return Err(BookError::Decided { path: path.to_owned(), number, reason, plies, fen });
            }
        }
        Ok(Book::new(book.entries, order))
    }

    /// All start positions of Chess960.
    pub fn chess960(order: Order) -> Book {
        let starts = (0..Board::CHESS960_STARTS).map(Board::chess960_start);
        Book::new(starts.map(|board| Entry::position(0, &board)).collect(), order)
    }

    fn new(entries: Vec<Entry>, order: Order) -> Book {
        let mut numbers: Vec<u32> = (0..entries.len() as u32).collect();
        if let Order::Random(seed) = order {
            shuffle(&mut numbers, seed);
        }
        Book { entries, order: numbers }
    }

    /// The line of the first opening that only Chess960 knows: somebody may castle from other squares.
    pub fn first_chess960_line(&self) -> Option<u64> {
        self.entries.iter().find(|entry| !castles_as_in_chess(&entry.start())).map(|entry| entry.line)
    }

    /// How many openings there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no opening; no book that was read is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The opening of this number in the chosen order; behind the last comes the first again.
    pub fn opening(&self, number: usize) -> Opening {
        let entry = &self.entries[self.order[number % self.order.len()] as usize];
        Opening { start: entry.start(), moves: entry.moves.to_vec() }
    }
}

impl Entry {
    /// A position without moves.
    fn position(line: u64, board: &Board) -> Entry {
        Entry { line, fen: Some(board.to_string().into()), moves: Box::default() }
    }

    fn start(&self) -> Board {
        match &self.fen {
            Some(fen) => Board::from_fen(fen).expect("a position written by a board"),
            None => Board::start(),
        }
    }
}

/// Whether kings and rooks that may castle stand where they do in chess.
fn castles_as_in_chess(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| {
        let at_home = |wing: Wing| {
            let corner = [Square::H1, Square::A1][wing.index()].relative(color);
            board.castling().rook(color, wing).is_none_or(|rook| rook == corner)
        };
        let king_at_home = board.king(color) == Square::E1.relative(color) || !board.castling().any(color);
        king_at_home && Wing::ALL.into_iter().all(at_home)
    })
}

enum Kind {
    Epd,
    Pgn,
    Polyglot,
}

/// What the name of a file says, leaving aside how it is compressed.
fn kind(path: &Path) -> Option<Kind> {
    let extension = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
    let plain = match extension(path)?.as_str() {
        "zst" | "gz" | "bz2" => path.with_extension(""),
        _ => path.to_owned(),
    };
    match extension(&plain)?.as_str() {
        "epd" | "fen" | "txt" => Some(Kind::Epd),
        "pgn" => Some(Kind::Pgn),
        "bin" => Some(Kind::Polyglot),
        _ => None,
    }
}

fn read_epd(path: &Path, mut input: impl Read) -> Result<Vec<Entry>, BookError> {
    let mut text = String::new();
    input.read_to_string(&mut text).map_err(|cause| BookError::Io { path: path.to_owned(), cause })?;
    epd::parse_lines(&text)
        .map(|(line, epd)| {
            let epd = epd.map_err(|cause| BookError::Epd { path: path.to_owned(), line, cause })?;
            Ok(Entry::position(line as u64, &epd.board))
        })
        .collect()
}

fn read_pgn(path: &Path, input: impl BufRead, plies: Option<usize>) -> Result<Vec<Entry>, BookError> {
    let mut reader = Reader::new(input);
    let mut entries = Vec::new();
    loop {
        let game = reader.next_game().map_err(|cause| BookError::Pgn { path: path.to_owned(), cause })?;
        let Some(game) = game else { return Ok(entries) };
        let fen = (game.start != Board::start()).then(|| game.start.to_string().into());
        let moves = game.moves.iter().map(|ply| ply.m).take(plies.unwrap_or(usize::MAX)).collect();
        entries.push(Entry { line: reader.line(), fen, moves });
    }
}

fn read_polyglot(path: &Path, input: impl Read, plies: Option<usize>) -> Result<Vec<Entry>, BookError> {
    let book =
        PolyglotBook::read(input).map_err(|cause| BookError::Polyglot { path: path.to_owned(), cause })?;
    let lines = book.lines(plies.unwrap_or(POLYGLOT_PLIES));
    Ok(lines.into_iter().map(|moves| Entry { line: 0, fen: None, moves: moves.into() }).collect())
}
