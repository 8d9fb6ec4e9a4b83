// SPDX-License-Identifier: GPL-3.0-or-later
//! From a study to PGN.

use formats::pgn::Tags;
use rules::{Color, chess::Board};

use super::shapes::shapes_text;
use crate::{
    core::{
        fen_of,
        study::{Study, TreeNode},
    },
    message::ROOT,
};

const LINE_WIDTH: usize = 80;

/// The study as PGN.
pub fn write_study(study: &Study) -> String {
    let mut tags = Tags::new();
    for name in ["Event", "Site", "Date", "Round", "White", "Black", "Result"] {
        let unknown = match name {
            "Result" => "*",
            "Date" => "????.??.??",
            _ => "?",
        };
        tags.set(name, unknown);
    }
    if !study.headers.iter().any(|header| header.name == "Event") {
        tags.set("Event", study.title.clone());
    }
    for header in &study.headers {
        tags.set(&header.name, header.value.clone());
    }
    let start = study.root().board;
    if study.chess960() {
        tags.set("Variant", "Chess960");
    }
    if start != Board::start() || study.chess960() {
        tags.set("SetUp", "1");
        tags.set("FEN", fen_of(&start, study.chess960()));
    }
    let result = tags.get("Result").unwrap_or("*").to_owned();
    let mut text = format!("{tags}\n");
    let mut words = Words::default();
    words.say(study, ROOT);
    write_moves(study, &mut words);
    words.put(result);
    text.push_str(&words.finish());
    text.push_str("\n\n");
    text
}

/// What is still to be written, in the order of a stack.
enum Item<'a> {
    /// The nodes behind this one.
    Behind(&'a str),
    /// A variation that begins with this node.
    Variation(&'a str),
    Close,
}

fn write_moves<'a>(study: &'a Study, words: &mut Words) {
    let mut open = vec![Item::Behind(ROOT)];
    while let Some(item) = open.pop() {
        match item {
            Item::Close => words.close(),
            Item::Variation(name) => {
                words.open();
                words.move_of(study, name);
                open.push(Item::Behind(name));
            }
            Item::Behind(name) => {
                let children: &'a [String] = study.get(name).map_or(&[], |node| &node.children);
                let Some((main, others)) = children.split_first() else { continue };
                words.move_of(study, main);
                open.push(Item::Behind(main));
                for other in others.iter().rev() {
                    open.push(Item::Close);
                    open.push(Item::Variation(other));
                }
            }
        }
    }
}

/// Words put side by side as long as they fit on a line.
#[derive(Default)]
struct Words {
    words: Vec<String>,
    /// What stands directly before the next word.
    prefix: String,
    /// Whether Black's next move needs its number.
    interrupted: bool,
}

impl Words {
    fn put(&mut self, word: String) {
        let prefix = std::mem::take(&mut self.prefix);
        self.words.push(prefix + &word);
    }

    fn open(&mut self) {
        self.prefix.push('(');
        self.interrupted = true;
    }

    fn close(&mut self) {
        if let Some(last) = self.words.last_mut() {
            last.push(')');
        }
        self.interrupted = true;
    }

    fn move_of(&mut self, study: &Study, name: &str) {
        let Some(node) = study.get(name) else { return };
        let before = node.parent.as_deref().and_then(|parent| study.get(parent));
        let Some(before) = before.map(|before| before.board) else { return };
        match before.turn() {
            Color::White => self.put(format!("{}.", before.fullmoves())),
            Color::Black if self.interrupted || self.words.is_empty() => {
                self.put(format!("{}...", before.fullmoves()));
            }
            Color::Black => {}
        }
        self.interrupted = false;
        self.put(node.san.clone());
        for nag in &node.nags {
            self.put(format!("${nag}"));
        }
        self.say(study, name);
    }

    /// The comment and the shapes of a node; what would end the comment early is written otherwise.
    fn say(&mut self, study: &Study, name: &str) {
        let Some(node) = study.get(name) else { return };
        let text = node.comment.replace(char::is_control, " ").replace('}', ")");
        let said = format!("{}{}{}", shapes_text(&node.shapes), separator(node), text.trim());
        if !said.is_empty() {
            said.split_whitespace().enumerate().for_each(|(index, word)| {
                let begin = if index == 0 { "{" } else { "" };
                self.put(format!("{begin}{word}"));
            });
            if let Some(last) = self.words.last_mut() {
                last.push('}');
            }
            self.interrupted = true;
        }
    }

    fn finish(self) -> String {
        let (mut text, mut width) = (String::new(), 0);
        for word in self.words {
            let length = word.chars().count();
            if width > 0 {
                let fits = width + 1 + length <= LINE_WIDTH;
                text.push(if fits { ' ' } else { '\n' });
                width = if fits { width + 1 } else { 0 };
            }
            width += length;
            text.push_str(&word);
        }
        text
    }
}

fn separator(node: &TreeNode) -> &'static str {
    if node.shapes.is_empty() || node.comment.trim().is_empty() { "" } else { " " }
}
