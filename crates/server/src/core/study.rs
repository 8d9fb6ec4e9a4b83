// SPDX-License-Identifier: GPL-3.0-or-later
//! A study: a tree of moves with comments, glyphs and shapes, and the operations that change it.
//!
//! Nodes are named by whoever adds them, so a page can go on without the server and hand in its changes later. A move
//! that two pages added at the same time stays one node with two names.

use std::collections::{BTreeMap, BTreeSet};

use rules::chess::{Board, Move, Square};
use serde::{Deserialize, Serialize};

use super::{Refused, check_name, fen_of, openings};
use crate::message::{Change, Header, Node, ROOT, Refusal, Shape, StudyState};

/// Most nodes of a study.
pub const MOST_NODES: usize = 20_000;
const MOST_COMMENT_BYTES: usize = 16 << 10;
const MOST_TITLE_BYTES: usize = 200;
const MOST_NAGS: usize = 8;
const MOST_SHAPES: usize = 64;
const MOST_HEADERS: usize = 64;
const MOST_HEADER_BYTES: usize = 1 << 10;

/// Something that happened to a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum StudyEvent {
    /// It was created, perhaps with moves.
    Created {
        /// The study as it was then.
        state: Box<StudyState>,
    },
    /// It was changed.
    Changed {
        /// How.
        change: Change,
    },
}

/// A study as it is.
#[derive(Clone, Debug)]
pub struct Study {
    /// Its title.
    pub title: String,
    /// The headers (PGN tags).
    pub headers: Vec<Header>,
    chess960: bool,
    version: u32,
    nodes: BTreeMap<String, TreeNode>,
    /// Other names of nodes.
    aliases: BTreeMap<String, String>,
    operations: BTreeSet<String>,
}

/// A node and its place in the tree.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The position after the move.
    pub board: Board,
    /// The move; none at the root.
    pub m: Option<Move>,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The node before.
    pub parent: Option<String>,
    /// The nodes behind, the main variation first.
    pub children: Vec<String>,
    /// The comment.
    pub comment: String,
    /// The glyphs.
    pub nags: Vec<u8>,
    /// Arrows and circles.
    pub shapes: Vec<Shape>,
}

impl TreeNode {
    fn new(board: Board, m: Option<Move>, san: String, parent: Option<String>) -> TreeNode {
        let (comment, nags, shapes, children) = (String::new(), Vec::new(), Vec::new(), Vec::new());
        TreeNode { board, m, san, parent, children, comment, nags, shapes }
    }
}

impl Study {
    /// A study without moves.
    pub fn new(title: String, start: Board, chess960: bool) -> Study {
        let root = TreeNode::new(start, None, String::new(), None);
        Study {
            title,
            headers: Vec::new(),
            chess960,
            version: 1,
            nodes: BTreeMap::from([(ROOT.to_owned(), root)]),
            aliases: BTreeMap::new(),
            operations: BTreeSet::new(),
        }
    }

    /// Plays stored events again.
    ///
    /// # Errors
    /// When the events do not make a study.
    pub fn replay<'a>(
        events: impl IntoIterator<Item = (&'a StudyEvent, Option<&'a str>)>,
    ) -> Result<Study, Refused> {
        let mut events = events.into_iter();
        let Some((StudyEvent::Created { state }, _)) = events.next() else {
            return Err(Refused::new(Refusal::Unavailable, "a stored study has no beginning"));
        };
        let mut study = Study::from_state(state)?;
        for (event, operation) in events {
            let StudyEvent::Changed { change } = event else {
                return Err(Refused::new(Refusal::Unavailable, "a stored study begins twice"));
            };
            study.apply(operation.unwrap_or_default(), change)?;
        }
        Ok(study)
    }

    fn from_state(state: &StudyState) -> Result<Study, Refused> {
        let mut study = Study::new(state.title.clone(), Board::from_fen(&state.start_fen)?, state.chess960);
        study.headers.clone_from(&state.headers);
        for node in &state.nodes {
            if let Some(parent) = &node.parent {
                study.add(parent, &node.id, &node.uci)?;
            }
            let place = study.get_mut(&node.id)?;
            place.comment.clone_from(&node.comment);
            place.nags.clone_from(&node.nags);
            place.shapes.clone_from(&node.shapes);
        }
        Ok(study)
    }

    /// The number of events so far.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Whether castling is written as the king taking its rook.
    pub fn chess960(&self) -> bool {
        self.chess960
    }

    /// How many moves there are, variations included.
    pub fn count_moves(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The node before the first move.
    pub fn root(&self) -> &TreeNode {
        &self.nodes[ROOT]
    }

    /// A node by any of its names.
    pub fn get(&self, name: &str) -> Option<&TreeNode> {
        self.nodes.get(self.real_name(name))
    }

    /// The main line: names and nodes, without the root.
    pub fn main_line(&self) -> Vec<(&str, &TreeNode)> {
        let mut line = Vec::new();
        let mut node = self.root();
        while let Some((name, child)) = node.children.first().and_then(|name| self.nodes.get_key_value(name))
        {
            line.push((name.as_str(), child));
            node = child;
        }
        line
    }

    /// Whether an operation was carried out before.
    pub fn knows(&self, operation: &str) -> bool {
        self.operations.contains(operation)
    }

    /// Changes the tree and returns the node that an added move led to.
    ///
    /// # Errors
    /// When the change does not fit; nothing has changed then.
    pub fn apply(&mut self, operation: &str, change: &Change) -> Result<Option<String>, Refused> {
        self.check(change)?;
        let mut found = None;
        match change {
            Change::AddMove { node, parent, uci } => found = Some(self.add(parent, node, uci)?),
            Change::Delete { node } => self.delete(node)?,
            Change::Promote { node } => self.promote(node, 1)?,
            Change::MakeMain { node } => {
                let mut name = Some(self.real_name(node).to_owned());
                while let Some(at) = name {
                    self.promote(&at, usize::MAX)?;
                    name = self.get(&at).and_then(|node| node.parent.clone());
                }
            }
            Change::SetComment { node, text } => self.get_mut(node)?.comment.clone_from(text),
            Change::SetNags { node, nags } => self.get_mut(node)?.nags.clone_from(nags),
            Change::SetShapes { node, shapes } => self.get_mut(node)?.shapes.clone_from(shapes),
            Change::SetTitle { title } => self.title.clone_from(title),
            Change::SetHeaders { headers } => self.headers.clone_from(headers),
        }
        self.version += 1;
        self.operations.insert(operation.to_owned());
        Ok(found)
    }

    /// Says whether a change would be accepted.
    ///
    /// # Errors
    /// When it would not.
    pub fn check(&self, change: &Change) -> Result<(), Refused> {
        let too_large = |fits: bool, what: &str, most: usize| match fits {
            true => Ok(()),
            false => Err(Refused::new(Refusal::TooLarge, format!("{what}, at most {most}"))),
        };
        match change {
            Change::AddMove { node, parent, uci } => {
                check_name(node, 1)?;
                let m = self.legal(parent, uci)?;
                if self.nodes.contains_key(node) || self.aliases.contains_key(node) {
                    return Err(Refused::new(Refusal::Invalid, format!("there is a node '{node}' already")));
                }
                let known = self.child_by(parent, m).is_some();
                too_large(known || self.nodes.len() < MOST_NODES, "too many moves in a study", MOST_NODES)
            }
            Change::Delete { node } | Change::Promote { node } | Change::MakeMain { node } => {
                let place = self.at(node)?;
                match (change, &place.parent) {
                    (Change::Delete { .. } | Change::Promote { .. }, None) => Err(Refused::new(
                        Refusal::NotPossible,
                        "the root can be neither deleted nor promoted",
                    )),
                    _ => Ok(()),
                }
            }
            Change::SetComment { node, text } => {
                self.at(node)?;
                too_large(text.len() <= MOST_COMMENT_BYTES, "bytes in a comment", MOST_COMMENT_BYTES)
            }
            Change::SetNags { node, nags } => {
                self.at(node)?;
                too_large(nags.len() <= MOST_NAGS, "glyphs at a move", MOST_NAGS)
            }
            Change::SetShapes { node, shapes } => {
                self.at(node)?;
                for square in shapes.iter().flat_map(|shape| [Some(&shape.from), shape.to.as_ref()]).flatten()
                {
                    square
                        .parse::<Square>()
                        .map_err(|error| Refused::new(Refusal::Invalid, error.to_string()))?;
                }
                too_large(shapes.len() <= MOST_SHAPES, "shapes at a move", MOST_SHAPES)
            }
            Change::SetTitle { title } => {
                too_large(title.len() <= MOST_TITLE_BYTES, "bytes in a title", MOST_TITLE_BYTES)
            }
            Change::SetHeaders { headers } => {
                let length = |header: &Header| header.name.len() + header.value.len();
                let longest = headers.iter().map(length).max().unwrap_or(0);
                too_large(longest <= MOST_HEADER_BYTES, "bytes in a header", MOST_HEADER_BYTES)?;
                too_large(headers.len() <= MOST_HEADERS, "headers in a study", MOST_HEADERS)
            }
        }
    }

    /// What a page shows of one node.
    pub fn node(&self, name: &str) -> Option<Node> {
        let (id, node) = self.nodes.get_key_value(self.real_name(name))?;
        Some(Node {
            id: id.clone(),
            parent: node.parent.clone(),
            uci: node.m.map(|m| m.to_uci(self.chess960)).unwrap_or_default(),
            san: node.san.clone(),
            comment: node.comment.clone(),
            nags: node.nags.clone(),
            shapes: node.shapes.clone(),
            opening: openings::of_board(&node.board),
        })
    }

    /// The names of all nodes: parents before children, main variations first.
    pub fn names(&self) -> Vec<&str> {
        let mut names = Vec::with_capacity(self.nodes.len());
        let mut open = vec![ROOT];
        while let Some(name) = open.pop() {
            names.push(name);
            open.extend(self.nodes[name].children.iter().rev().map(String::as_str));
        }
        names
    }

    /// What a page shows.
    pub fn state(&self, name: &str, created_ms: i64) -> StudyState {
        StudyState {
            study: name.to_owned(),
            version: self.version,
            title: self.title.clone(),
            start_fen: fen_of(&self.root().board, self.chess960),
            chess960: self.chess960,
            headers: self.headers.clone(),
            nodes: self.names().into_iter().filter_map(|name| self.node(name)).collect(),
            created_ms: created_ms as f64,
        }
    }

    /// Adds a move, or another name for a move that is there, and returns its node.
    pub(in crate::core) fn add(&mut self, parent: &str, name: &str, uci: &str) -> Result<String, Refused> {
        let m = self.legal(parent, uci)?;
        if let Some(known) = self.child_by(parent, m).map(str::to_owned) {
            if known != name {
                self.aliases.insert(name.to_owned(), known.clone());
            }
            return Ok(known);
        }
        let parent = self.real_name(parent).to_owned();
        let place = self.get_mut(&parent)?;
        let node = TreeNode::new(place.board.after(m), Some(m), place.board.to_san(m), Some(parent));
        place.children.push(name.to_owned());
        self.nodes.insert(name.to_owned(), node);
        Ok(name.to_owned())
    }

    fn delete(&mut self, name: &str) -> Result<(), Refused> {
        let name = self.real_name(name).to_owned();
        if let Some(parent) = self.at(&name)?.parent.clone() {
            self.get_mut(&parent)?.children.retain(|child| *child != name);
        }
        let mut open = vec![name];
        while let Some(name) = open.pop() {
            open.extend(self.nodes.remove(&name).into_iter().flat_map(|node| node.children));
        }
        let nodes = &self.nodes;
        self.aliases.retain(|_, real| nodes.contains_key(real));
        Ok(())
    }

    /// Moves a node up among its siblings by so many places, or to the top.
    fn promote(&mut self, name: &str, places: usize) -> Result<(), Refused> {
        let name = self.real_name(name).to_owned();
        let Some(parent) = self.at(&name)?.parent.clone() else { return Ok(()) };
        let siblings = &mut self.get_mut(&parent)?.children;
        if let Some(index) = siblings.iter().position(|sibling| *sibling == name) {
            siblings[index.saturating_sub(places)..=index].rotate_right(1);
        }
        Ok(())
    }

    fn legal(&self, parent: &str, uci: &str) -> Result<Move, Refused> {
        let parsed = self.at(parent)?.board.parse_uci(uci);
        parsed.map_err(|error| Refused::new(Refusal::IllegalMove, error.to_string()))
    }

    fn child_by(&self, parent: &str, m: Move) -> Option<&str> {
        let children = self.get(parent)?.children.iter();
        children.map(String::as_str).find(|child| self.nodes[*child].m == Some(m))
    }

    fn real_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.aliases.get(name).map_or(name, String::as_str)
    }

    fn at(&self, name: &str) -> Result<&TreeNode, Refused> {
        self.get(name).ok_or_else(|| unknown_node(name))
    }

    pub(in crate::core) fn get_mut(&mut self, name: &str) -> Result<&mut TreeNode, Refused> {
        let real = self.real_name(name).to_owned();
        self.nodes.get_mut(&real).ok_or_else(|| unknown_node(name))
    }
}

fn unknown_node(name: &str) -> Refused {
    let shown: String = name.chars().take(60).collect();
    Refused::new(Refusal::Unknown, format!("there is no node '{shown}'"))
}
