// SPDX-License-Identifier: GPL-3.0-or-later
//! A whole game: tags, moves with what was said about them, result.

use std::{fmt, io::BufRead};

use rules::{
    Color, Outcome,
    chess::{Board, Move},
};

use super::{Event, PgnError, Reader, Tags, parse_result, reader::Token, result_text};

const LINE_WIDTH: usize = 80;

/// A game with its moves; variations and glyphs are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The tags.
    pub tags: Tags,
    /// Where it begins: the start position, or what the tag `FEN` says.
    pub start: Board,
    /// What is said before the first move.
    pub comment: String,
    /// The moves, all legal.
    pub moves: Vec<Ply>,
    /// Who won; nothing if the game has no end.
    pub outcome: Option<Outcome>,
}

/// A move and what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// The comment, without its braces.
    pub comment: String,
}

/// A game without its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// The tags.
    pub tags: Tags,
    /// Who won, by the end of the game or else by the tag `Result`.
    pub outcome: Option<Outcome>,
}

impl<R: BufRead> Reader<R> {
    /// The tags and the result of the next game; its moves are skipped unread.
    ///
    /// # Errors
    /// When something is no PGN; the next call begins with the next game.
    pub fn next_heading(&mut self) -> Result<Option<Heading>, PgnError> {
        let mut heading = Heading::default();
        let outcome = self.collect(|event, _| {
            if let Event::Tag { name, value } = event {
                heading.tags.set(name, value);
            }
            Ok(())
        })?;
        let Some(outcome) = outcome else { return Ok(None) };
        heading.outcome = outcome.or_else(|| parse_result(heading.tags.get("Result")?)?);
        Ok(Some(heading))
    }

    /// The next game with its moves, each checked on the board.
    ///
    /// # Errors
    /// When something is no PGN, no position or no legal move; the next call begins with the next game.
    pub fn next_game(&mut self) -> Result<Option<Game>, PgnError> {
        let mut builder = Builder::new();
        let Some(outcome) = self.collect(|event, line| builder.take(event, line))? else { return Ok(None) };
        let start = builder.start.unwrap_or_else(Board::start);
        let Builder { tags, comment, moves, .. } = builder;
        let outcome = outcome.or_else(|| parse_result(tags.get("Result")?)?);
        Ok(Some(Game { tags, start, comment, moves, outcome }))
    }

    /// Hands on the events of one game up to its end; the first error is kept until then.
    fn collect(
        &mut self,
        mut take: impl FnMut(Event<'_>, u64) -> Result<(), PgnError>,
    ) -> Result<Option<Option<Outcome>>, PgnError> {
        let mut refused = None;
        loop {
            let taken = match self.next_token() {
                Ok(None) => return refused.map_or(Ok(None), Err),
                Ok(Some(Token::End(outcome))) => return refused.map_or(Ok(Some(outcome)), Err),
                Ok(Some(token)) if refused.is_none() => take(self.event(token), self.line()),
                Ok(Some(_)) => Ok(()),
                Err(error) => Err(error),
            };
            if let Err(error) = taken {
                refused.get_or_insert(error);
            }
        }
    }
}

/// A game in the making.
struct Builder {
    tags: Tags,
    comment: String,
    moves: Vec<Ply>,
    /// Known from the first move on.
    start: Option<Board>,
    board: Board,
    depth: u32,
}

impl Builder {
    fn new() -> Builder {
        Builder {
            tags: Tags::new(),
            comment: String::new(),
            moves: Vec::new(),
            start: None,
            board: Board::start(),
            depth: 0,
        }
    }

    fn take(&mut self, event: Event<'_>, line: u64) -> Result<(), PgnError> {
        match event {
            Event::Tag { name, value } => {
                if name == "FEN" {
                    let start = Board::from_fen(value).map_err(|cause| PgnError::Position { line, cause })?;
                    self.start = Some(start);
                    self.board = start;
                }
                self.tags.set(name, value);
            }
            Event::VariationBegins => self.depth += 1,
            Event::VariationEnds => self.depth -= 1,
            Event::San(text) if self.depth == 0 => {
                let m = self.board.parse_san(text).map_err(|cause| PgnError::Move { line, cause })?;
                self.board.play(m);
                self.moves.push(Ply { m, comment: String::new() });
            }
            Event::Comment(text) if self.depth == 0 => {
                let comment = self.moves.last_mut().map_or(&mut self.comment, |ply| &mut ply.comment);
                if !comment.is_empty() {
                    comment.push(' ');
                }
                comment.push_str(text);
            }
            Event::San(_) | Event::Comment(_) | Event::Nag(_) | Event::End(_) => {}
        }
        Ok(())
    }
}

impl fmt::Display for Game {
    /// A blank line ends the tags, another the game. Lines of moves are at most 80 wide where comments allow.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.tags)?;
        let mut lines = Lines { f, width: 0 };
        lines.comment(&self.comment)?;
        let mut board = self.start;
        for (index, ply) in self.moves.iter().enumerate() {
            let (number, san) = (board.fullmoves(), board.to_san(ply.m));
            match board.turn() {
                Color::White => lines.put(&format!("{number}. {san}"))?,
                Color::Black if index == 0 => lines.put(&format!("{number}... {san}"))?,
                Color::Black => lines.put(&san)?,
            }
            lines.comment(&ply.comment)?;
            board.play(ply.m);
        }
        lines.put(result_text(self.outcome))?;
        lines.f.write_str("\n\n")
    }
}

/// Words put side by side as long as they fit on a line.
struct Lines<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    width: usize,
}

impl Lines<'_, '_> {
    fn put(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if self.width > 0 && self.width + 1 + length > LINE_WIDTH {
            self.f.write_str("\n")?;
            self.width = 0;
        } else if self.width > 0 {
            self.f.write_str(" ")?;
            self.width += 1;
        }
        self.width += length;
        self.f.write_str(word)
    }

    /// A comment, kept in one piece; what would end it early is written otherwise.
    fn comment(&mut self, text: &str) -> fmt::Result {
        let text = text.replace(char::is_control, " ").replace('}', ")");
        match text.trim() {
            "" => Ok(()),
            text => self.put(&format!("{{{text}}}")),
        }
    }
}
