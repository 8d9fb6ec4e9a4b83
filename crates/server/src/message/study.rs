// SPDX-License-Identifier: GPL-3.0-or-later
//! Studies: a tree of moves with comments, kept as the user works.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use super::Opening;

/// The name of the node before the first move.
pub const ROOT: &str = "root";

/// A study to create.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct NewStudy {
    /// Its name, made up by the client: 6 to 40 letters, digits, `-` or `_`.
    pub study: String,
    /// Its title; made from the players or the date if not given.
    pub title: Option<String>,
    /// Where it begins; the usual position if not given.
    pub fen: Option<String>,
    /// Whether castling follows Chess960.
    pub chess960: bool,
    /// A PGN to begin with, its first game; larger ones go by `POST /api/import`.
    pub pgn: Option<String>,
    /// A game of this server to begin with.
    pub game: Option<String>,
}

/// One change of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Change {
    /// Adds a move behind a node, as its last variation. If the move is there already, the given name becomes
    /// another name of that node.
    AddMove {
        /// The name of the new node, made up by the client: 1 to 40 letters, digits, `-` or `_`.
        node: String,
        /// The node it follows.
        parent: String,
        /// The move in UCI form.
        uci: String,
    },
    /// Removes a node and everything behind it.
    Delete {
        /// The node.
        node: String,
    },
    /// Moves a variation one place up among its siblings.
    Promote {
        /// The variation's first node.
        node: String,
    },
    /// Makes the line that leads to a node the main line.
    MakeMain {
        /// The node.
        node: String,
    },
    /// Replaces the comment of a node; an empty text removes it.
    SetComment {
        /// The node.
        node: String,
        /// The comment, at most 16,384 bytes.
        text: String,
    },
    /// Replaces the glyphs of a node, such as 1 for `!`.
    SetNags {
        /// The node.
        node: String,
        /// Their numbers, at most 8.
        nags: Vec<u8>,
    },
    /// Replaces the arrows and circles of a node.
    SetShapes {
        /// The node.
        node: String,
        /// The shapes, at most 64.
        shapes: Vec<Shape>,
    },
    /// Renames the study.
    SetTitle {
        /// The title, at most 200 bytes.
        title: String,
    },
    /// Replaces the headers (PGN tags) of the study.
    SetHeaders {
        /// The headers, at most 64.
        headers: Vec<Header>,
    },
}

/// An arrow or a circle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// The square of a circle, or where an arrow begins.
    pub from: String,
    /// Where an arrow ends.
    pub to: Option<String>,
    /// The colour.
    pub brush: Brush,
}

/// The colour of a shape.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "colours need no explanation")]
pub enum Brush {
    Green,
    Red,
    Blue,
    Yellow,
}

/// A header, as a PGN tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Such as `White`.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A study as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct StudyState {
    /// The name of the study.
    pub study: String,
    /// Grows with every change.
    pub version: u32,
    /// Its title.
    pub title: String,
    /// Where it begins.
    pub start_fen: String,
    /// Whether castling follows Chess960; castling is then the king taking its rook (`e1h1`).
    pub chess960: bool,
    /// The headers (PGN tags).
    pub headers: Vec<Header>,
    /// The nodes: first the root, parents before children, the main variation of each node before the others.
    pub nodes: Vec<Node>,
    /// When it was created, in milliseconds since 1970.
    pub created_ms: f64,
}

/// A node: a move and what is said about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Node {
    /// Its name; `root` for the node before the first move.
    pub id: String,
    /// The node before; none for the root.
    pub parent: Option<String>,
    /// The move in UCI form; empty for the root.
    pub uci: String,
    /// The move in standard algebraic notation; empty for the root.
    pub san: String,
    /// The comment.
    pub comment: String,
    /// The glyphs.
    pub nags: Vec<u8>,
    /// Arrows and circles.
    pub shapes: Vec<Shape>,
    /// The name of the opening if this position has one of its own.
    pub opening: Option<Opening>,
}

/// A change that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Edited {
    /// The study.
    pub study: String,
    /// Its version now.
    pub version: u32,
    /// The operation's name, by which a page knows its own changes.
    pub operation: String,
    /// The change.
    pub change: Change,
    /// The node that a [`Change::AddMove`] made or found.
    pub node: Option<Node>,
}
