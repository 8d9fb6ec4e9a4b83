// SPDX-License-Identifier: GPL-3.0-or-later
//! The games that `nue rate` counts: `PGN files -> names and results`.

use std::{
    collections::HashMap,
    io::BufRead,
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use contest::rating::Games;
use formats::pgn::Reader;

/// Who played, and how it ended.
#[derive(Default)]
pub(crate) struct Tournament {
    /// The players, numbered in the order in which they appear.
    pub(crate) names: Vec<String>,
    /// The results between them.
    pub(crate) games: Games,
    /// Games that have no result.
    pub(crate) unfinished: u64,
    numbers: HashMap<String, usize>,
}

impl Tournament {
    /// Reads all files.
    pub(crate) fn read(files: &[PathBuf]) -> anyhow::Result<Tournament> {
        let mut tournament = Tournament::default();
        for file in files {
            tournament.add_file(file).with_context(|| file.display().to_string())?;
        }
        let files = files.len();
        ensure!(tournament.games.count() > 0, "no finished game in {files} files, expected at least one");
        Ok(tournament)
    }

    /// The number of a player.
    pub(crate) fn player(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    fn add_file(&mut self, file: &Path) -> anyhow::Result<()> {
        self.add(formats::open(file)?)
    }

    fn add(&mut self, input: impl BufRead) -> anyhow::Result<()> {
        let mut reader = Reader::new(input);
        while let Some(heading) = reader.next_heading()? {
            let Some(outcome) = heading.outcome else {
                self.unfinished += 1;
                continue;
            };
            let line = reader.line();
            let name = |tag: &str| {
                heading
                    .tags
                    .get(tag)
                    .with_context(|| format!("the game before line {line} has no tag {tag}, expected one"))
            };
            let (white, black) = (name("White")?, name("Black")?);
            ensure!(white != black, "in the game before line {line} '{white}' plays against itself");
            let (white, black) = (self.number(white), self.number(black));
            self.games.add(white, black, outcome);
        }
        Ok(())
    }

    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len();
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> anyhow::Result<Tournament> {
        let mut tournament = Tournament::default();
        tournament.add(text.as_bytes())?;
        Ok(tournament)
    }

    #[test]
    fn names_and_results_are_counted() {
        let game = |white, black, result| {
            format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n")
        };
        let text =
            [game("b", "a", "1-0"), game("a", "b", "1/2-1/2"), game("a", "c", "*"), game("c", "b", "0-1")];
        let tournament = read(&text.concat()).unwrap();
        assert_eq!(tournament.names, ["b", "a", "c"]);
        assert_eq!((tournament.games.count(), tournament.unfinished), (3, 1));
        assert_eq!(tournament.games.records()[0].counts(), [0, 1, 2]);
        assert_eq!((tournament.player("c"), tournament.player("d")), (Some(2), None));
    }

    #[test]
    fn a_game_without_players_is_refused() {
        let error = |text| format!("{:#}", read(text).err().unwrap());
        assert!(error("[White \"a\"]\n\n1. e4 1-0\n").contains("no tag Black"));
        assert!(error("[White \"a\"]\n[Black \"a\"]\n\n1. e4 1-0\n").contains("plays against itself"));
    }
}
