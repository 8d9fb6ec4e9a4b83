// SPDX-License-Identifier: GPL-3.0-or-later
//! From PGN to a study.

use std::io::BufRead;

use formats::pgn::{Event, Reader};
use rules::chess::Board;

use super::{shapes::split_shapes, title_of};
use crate::{
    core::{
        Refused,
        study::{MOST_NODES, Study},
    },
    message::{Header, ROOT, Refusal},
};

/// Headers that say where a game begins; they follow from the study and are not kept twice.
const POSITION_HEADERS: [&str; 3] = ["FEN", "SetUp", "Variant"];

/// Reads one game with its variations; nothing at the end of the text.
///
/// # Errors
/// When the text is no PGN, or holds an illegal position or move; the next call begins with the next game.
pub fn read_study<R: BufRead>(reader: &mut Reader<R>) -> Result<Option<Study>, Refused> {
    let mut builder = Builder::default();
    let mut refused = None;
    loop {
        let line = reader.line();
        let taken = match reader.next_event() {
            Ok(None) if builder.is_empty() => return refused.map_or(Ok(None), Err),
            Ok(None | Some(Event::End(_))) => break,
            Ok(Some(event)) if refused.is_none() => builder.take(event),
            Ok(Some(_)) => Ok(()),
            Err(error) => Err(Refused::new(Refusal::Invalid, error.to_string())),
        };
        if let Err(error) = taken {
            let reason = format!("near line {line}: {}", error.reason);
            refused.get_or_insert(Refused { reason, ..error });
        }
    }
    refused.map_or_else(|| Ok(Some(builder.finish())), Err)
}

/// A study in the making.
#[derive(Default)]
struct Builder {
    headers: Vec<Header>,
    start: Option<Board>,
    study: Option<Study>,
    /// The node of the last move, and where each open variation left the line it belongs to.
    at: String,
    left: Vec<String>,
    added: usize,
}

impl Builder {
    fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.study.is_none()
    }

    fn take(&mut self, event: Event<'_>) -> Result<(), Refused> {
        match event {
            Event::Tag { name: "FEN", value } => self.start = Some(Board::from_fen(value)?),
            Event::Tag { name, value } => {
                self.headers.push(Header { name: name.to_owned(), value: value.to_owned() });
            }
            Event::San(text) => self.add(text)?,
            Event::Nag(nag) => self.note(|study, at| {
                study.get_mut(at)?.nags.push(nag);
                Ok(())
            })?,
            Event::Comment(text) => {
                let (text, shapes) = split_shapes(text);
                self.note(|study, at| {
                    let node = study.get_mut(at)?;
                    if !node.comment.is_empty() && !text.is_empty() {
                        node.comment.push(' ');
                    }
                    node.comment.push_str(&text);
                    node.shapes.extend(shapes);
                    Ok(())
                })?;
            }
            Event::VariationBegins => {
                let (study, at) = self.place();
                let parent = study.get(&at).and_then(|node| node.parent.clone());
                self.left.push(std::mem::replace(&mut self.at, parent.unwrap_or_else(|| ROOT.to_owned())));
            }
            Event::VariationEnds => self.at = self.left.pop().unwrap_or_else(|| ROOT.to_owned()),
            Event::End(_) => {}
        }
        Ok(())
    }

    /// The study, which begins with the first thing that is no tag, and the node of the last move.
    fn place(&mut self) -> (&mut Study, String) {
        if self.at.is_empty() {
            ROOT.clone_into(&mut self.at);
        }
        let start = self.start.unwrap_or_else(Board::start);
        let chess960 = self.headers.iter().any(|header| {
            header.name == "Variant"
                && matches!(&*header.value.to_ascii_lowercase(), "chess960" | "fischerandom")
        });
        let study = self.study.get_or_insert_with(|| Study::new(String::new(), start, chess960));
        (study, self.at.clone())
    }

    fn add(&mut self, text: &str) -> Result<(), Refused> {
        let illegal =
            |error: rules::chess::ParseSanError| Refused::new(Refusal::IllegalMove, error.to_string());
        let san = text.trim_end_matches(['!', '?']);
        self.added += 1;
        let name = format!("p{}", self.added);
        let (study, at) = self.place();
        if study.count_moves() + 1 >= MOST_NODES {
            return Err(Refused::new(Refusal::TooLarge, "too many moves in one game"));
        }
        let board = study.get(&at).map_or_else(Board::start, |node| node.board);
        let m = board.parse_san(san).map_err(illegal)?;
        let node = study.add(&at, &name, &m.to_uci(true))?;
        study.get_mut(&node)?.nags.extend(nag_of_marks(&text[san.len()..]));
        self.at = node;
        Ok(())
    }

    fn note(&mut self, change: impl FnOnce(&mut Study, &str) -> Result<(), Refused>) -> Result<(), Refused> {
        let (study, at) = self.place();
        change(study, &at)
    }

    fn finish(mut self) -> Study {
        let mut study = self.place().0.clone();
        let kept = |header: &Header| !POSITION_HEADERS.contains(&header.name.as_str());
        study.headers = self.headers.into_iter().filter(kept).collect();
        study.headers.truncate(64);
        study.title = title_of(&study.headers);
        study
    }
}

fn nag_of_marks(marks: &str) -> Option<u8> {
    Some(match marks {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => return None,
    })
}
