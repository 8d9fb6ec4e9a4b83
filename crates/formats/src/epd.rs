// SPDX-License-Identifier: GPL-3.0-or-later
//! Extended Position Description: `a line of text -> a position and named operands`.

use std::fmt;

use rules::chess::{Board, FenError};
use thiserror::Error;

/// A position and what the line says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position.
    pub board: Board,
    /// Opcodes with their operands, in the order of the line.
    pub operations: Vec<(String, Vec<String>)>,
}

/// A line that is no EPD.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EpdError {
    /// The position is none.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A quoted operand has no end.
    #[error("no closing quotation mark after {0}")]
    OpenQuotation(String),
}

impl Epd {
    /// Reads four FEN fields, the two counters if they follow, and operations `opcode operands;`.
    ///
    /// # Errors
    /// When the line begins with no legal position, or a quotation has no end.
    pub fn parse(line: &str) -> Result<Epd, EpdError> {
        let (mut fen, mut rest) = (Vec::new(), line.trim());
        while let Some((word, tail)) = split_word(rest) {
            if fen.len() >= 6 || fen.len() >= 4 && word.parse::<u16>().is_err() {
                break;
            }
            fen.push(word);
            rest = tail;
        }
        let board = Board::from_fen(&fen.join(" "))?;
        Ok(Epd { board, operations: parse_operations(rest)? })
    }

    /// The operands of an operation, if the line has it.
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        let found = self.operations.iter().find(|(name, _)| name == opcode);
        found.map(|(_, operands)| operands.as_slice())
    }

    /// The first operand of an operation, such as the text of `id "WAC.001";`.
    pub fn text(&self, opcode: &str) -> Option<&str> {
        self.operands(opcode)?.first().map(String::as_str)
    }
}

impl fmt::Display for Epd {
    /// The counters are always written; operands that are more than one plain word are quoted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.board)?;
        for (opcode, operands) in &self.operations {
            write!(f, " {opcode}")?;
            for operand in operands {
                if operand.is_empty() || operand.contains(|c: char| c.is_whitespace() || c == ';') {
                    write!(f, " \"{operand}\"")?;
                } else {
                    write!(f, " {operand}")?;
                }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn parse_operations(mut text: &str) -> Result<Vec<(String, Vec<String>)>, EpdError> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    loop {
        text = text.trim_start();
        let Some(first) = text.chars().next() else { break };
        match first {
            ';' => {
                finish(&mut words, &mut operations);
                text = &text[1..];
            }
            '"' => {
                let Some((quoted, tail)) = text[1..].split_once('"') else {
                    return Err(EpdError::OpenQuotation(text.to_owned()));
                };
                words.push(quoted.to_owned());
                text = tail;
            }
            _ => {
                let end = text.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(text.len());
                words.push(text[..end].to_owned());
                text = &text[end..];
            }
        }
    }
    finish(&mut words, &mut operations);
    Ok(operations)
}

/// Moves the collected words into the list of operations: the first is the opcode.
fn finish(words: &mut Vec<String>, operations: &mut Vec<(String, Vec<String>)>) {
    if !words.is_empty() {
        let opcode = words.remove(0);
        operations.push((opcode, std::mem::take(words)));
    }
}

/// Reads every line that is neither blank nor a comment, each with its number.
pub fn parse_lines(text: &str) -> impl Iterator<Item = (usize, Result<Epd, EpdError>)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| (number, Epd::parse(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K2R w K -";

    #[test]
    fn operations_and_quoted_text() {
        let epd = Epd::parse(&format!("{KINGS} bm O-O  Kd2; id \"a; b\";c0 \"O-O=10, Kd2=4\"; noop ;"))
            .expect("a good line");
        assert_eq!(epd.operands("bm"), Some(&["O-O".to_owned(), "Kd2".to_owned()][..]));
        assert_eq!(epd.text("id"), Some("a; b"));
        assert_eq!(epd.text("c0"), Some("O-O=10, Kd2=4"));
        assert_eq!(epd.operands("noop"), Some(&[][..]));
        assert_eq!(epd.operands("am"), None);
        assert_eq!(Epd::parse(&epd.to_string()), Ok(epd));
    }

    #[test]
    fn counters_are_optional() {
        let epd = Epd::parse(&format!("{KINGS} 7 30 bm Kd2")).expect("a good line");
        assert_eq!((epd.board.halfmoves(), epd.board.fullmoves()), (7, 30));
        assert_eq!(epd.text("bm"), Some("Kd2"));
        assert!(Epd::parse(KINGS).expect("a good line").operations.is_empty());
    }

    #[test]
    fn bad_lines_say_where_and_why() {
        let text = format!("# comment\n\n{KINGS} bm Kd2;\n{KINGS} id \"open;\nnonsense\n");
        let lines: Vec<_> = parse_lines(&text).collect();
        assert_eq!(lines.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [3, 4, 5]);
        assert!(lines[0].1.is_ok());
        let message = |index: usize| lines[index].1.as_ref().expect_err("a bad line").to_string();
        assert_eq!(message(1), "no closing quotation mark after \"open;");
        assert!(message(2).starts_with("FEN 'nonsense'"), "{}", message(2));
    }
}
