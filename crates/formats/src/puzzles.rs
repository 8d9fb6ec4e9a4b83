// SPDX-License-Identifier: GPL-3.0-or-later
//! The puzzles of Lichess: one per line of a CSV file.
//!
//! The columns are found by the names of the header; without one they are taken as Lichess orders them. The
//! first move is the opponent's, the solution begins with the second.

use std::io::BufRead;

use rules::chess::{Board, Move};

use crate::{
    error::{Problem, ReadError},
    text::Lines,
};

/// The columns of the database as Lichess publishes it.
const COLUMNS: [&str; 10] = [
    "PuzzleId",
    "FEN",
    "Moves",
    "Rating",
    "RatingDeviation",
    "Popularity",
    "NbPlays",
    "Themes",
    "GameUrl",
    "OpeningTags",
];

/// A puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// Its name at Lichess.
    pub id: String,
    /// The position before the opponent's move.
    pub board: Board,
    /// The opponent's move, then the solution: all legal.
    pub moves: Vec<Move>,
    /// How hard it is, on the scale of the players' ratings.
    pub rating: Option<u16>,
    /// What it is about.
    pub themes: Vec<String>,
}

impl Puzzle {
    /// The position to solve, and the moves that solve it.
    pub fn task(&self) -> (Board, &[Move]) {
        match self.moves.split_first() {
            Some((&m, solution)) => (self.board.after(m), solution),
            None => (self.board, &[]),
        }
    }
}

/// Reads puzzles; a bad line costs itself alone.
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<R>,
    columns: Option<Columns>,
}

/// Where the columns are that we want.
#[derive(Copy, Clone, Debug)]
struct Columns {
    id: usize,
    fen: usize,
    moves: usize,
    rating: Option<usize>,
    themes: Option<usize>,
}

impl Columns {
    /// Nothing if the names are not those of a table of puzzles.
    fn find(names: &[String]) -> Option<Columns> {
        let at = |name: &str| names.iter().position(|other| other.eq_ignore_ascii_case(name));
        let (id, fen, moves) = (at("PuzzleId")?, at("FEN")?, at("Moves")?);
        Some(Columns { id, fen, moves, rating: at("Rating"), themes: at("Themes") })
    }
}

impl<R: BufRead> Reader<R> {
    /// A reader at the beginning of a file.
    pub fn new(input: R) -> Reader<R> {
        Reader { lines: Lines::new(input), columns: None }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Puzzle, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let fields = match self.lines.next()? {
                Ok(line) => split(line),
                Err(error) => return Some(Err(error)),
            };
            let columns = match self.columns {
                Some(columns) => columns,
                None => {
                    let found = Columns::find(&fields);
                    let columns = found.or_else(|| Columns::find(&COLUMNS.map(str::to_owned)))?;
                    self.columns = Some(columns);
                    if found.is_some() {
                        continue;
                    }
                    columns
                }
            };
            return Some(
                parse(&fields, columns).map_err(|problem| ReadError::skipped(self.lines.place(), problem)),
            );
        }
    }
}

fn parse(fields: &[String], columns: Columns) -> Result<Puzzle, Problem> {
    let needed = columns.id.max(columns.fen).max(columns.moves) + 1;
    if fields.len() < needed {
        return Err(Problem::value("number of fields", fields.len(), "one for each column"));
    }
    let start = Board::from_fen(&fields[columns.fen])?;
    let mut board = start;
    let mut moves = Vec::new();
    for text in fields[columns.moves].split_whitespace() {
        let m = board.parse_uci(text)?;
        board.play(m);
        moves.push(m);
    }
    let field =
        |column: Option<usize>| column.and_then(|column| fields.get(column)).map_or("", String::as_str);
    Ok(Puzzle {
        id: fields[columns.id].clone(),
        board: start,
        moves,
        rating: field(columns.rating).trim().parse().ok(),
        themes: field(columns.themes).split_whitespace().map(str::to_owned).collect(),
    })
}

/// The fields of a line; a quoted one may hold commas, and quotation marks that are doubled.
fn split(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let last = fields.last_mut().expect("never empty");
        match c {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => last.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => last.push(c),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "00sHx,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,e8d7 a2e6 d7d8 f7f8,1760";

    #[test]
    fn columns_are_found_by_name_or_order() {
        let short = format!("PuzzleId,FEN,Moves,Rating,Themes\n{LINE},mate mateIn2\n");
        let long = format!("{LINE},80,83,72,mate mateIn2,https://lichess.org/x,\n");
        for text in [short, long] {
            let puzzles: Vec<Puzzle> =
                Reader::new(text.as_bytes()).map(|line| line.expect("a good line")).collect();
            let [puzzle] = puzzles.as_slice() else { panic!("{} puzzles", puzzles.len()) };
            assert_eq!((puzzle.id.as_str(), puzzle.rating), ("00sHx", Some(1760)));
            assert_eq!(puzzle.themes, ["mate", "mateIn2"]);
            let (board, solution) = puzzle.task();
            assert_eq!(solution.len(), 3);
            assert!(board.is_legal(solution[0]));
        }
    }

    #[test]
    fn bad_lines_say_where_and_why() {
        let text = format!("PuzzleId,FEN,Moves\nx,y\n{}\n{LINE}\n", LINE.replace("a2e6", "a2e7"));
        let read: Vec<_> =
            Reader::new(text.as_bytes()).map(|line| line.map_err(|error| error.to_string())).collect();
        assert_eq!(read[0], Err("line 2: number of fields 2, expected one for each column".to_owned()));
        assert!(
            read[1].as_ref().is_err_and(|error| error.starts_with("line 3: illegal move 'a2e7'")),
            "{:?}",
            read[1]
        );
        assert!(read[2].is_ok());
    }

    #[test]
    fn quotes_keep_commas() {
        assert_eq!(split("a,\"b,\"\"c\",,"), ["a", "b,\"c", "", ""]);
    }
}
