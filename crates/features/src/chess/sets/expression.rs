// SPDX-License-Identifier: GPL-3.0-or-later
//! The algebra: products and sums of basic sets, and how their elements are numbered.

use std::fmt;

use super::{Basic, Frame, Seen};

/// A set of the algebra.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A basic set.
    Basic(Basic),
    /// Tuples of one element of each part.
    Product(Vec<Term>),
    /// The elements of all parts side by side.
    Sum(Vec<Term>),
}

/// A set, the frame in which it sees the board, and how it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The set.
    pub term: Term,
    /// From where the board is looked at.
    pub frame: Frame,
    /// Whether an index counts the pieces that give it, instead of saying that there is one.
    pub counted: bool,
}

impl Term {
    /// How many elements the set has; nothing if that is more than memory could hold.
    pub fn size(&self, frame: &Frame) -> Option<usize> {
        match self {
            Term::Basic(basic) => Some(basic.size(frame)),
            Term::Product(parts) => {
                parts.iter().try_fold(1, |n: usize, part| n.checked_mul(part.size(frame)?))
            }
            Term::Sum(parts) => parts.iter().try_fold(0, |n: usize, part| n.checked_add(part.size(frame)?)),
        }
    }

    /// Calls with the index of every element that a piece has.
    ///
    /// This is the one place where an index comes from: strides in a product, offsets in a sum (Lombardo
    /// 2.2). The size of the set must be known to be in range.
    pub(super) fn indices(&self, seen: &Seen, frame: &Frame, then: &mut dyn FnMut(usize)) {
        match self {
            Term::Basic(basic) => {
                if let Some(element) = basic.element(seen, frame) {
                    then(element);
                }
            }
            // A product with an empty part is empty; finding that out last could take for ever.
            Term::Product(parts) if self.count(seen, frame) > 0 => strides(parts, 0, seen, frame, then),
            Term::Product(_) => {}
            Term::Sum(parts) => {
                let mut offset = 0;
                for part in parts {
                    part.indices(seen, frame, &mut |index| then(offset + index));
                    offset += part.known_size(frame);
                }
            }
        }
    }

    /// How many elements a piece has, at most `usize::MAX`.
    pub(super) fn count(&self, seen: &Seen, frame: &Frame) -> usize {
        match self {
            Term::Basic(basic) => usize::from(basic.element(seen, frame).is_some()),
            Term::Product(parts) => {
                parts.iter().fold(1, |n: usize, part| n.saturating_mul(part.count(seen, frame)))
            }
            Term::Sum(parts) => {
                parts.iter().fold(0, |n: usize, part| n.saturating_add(part.count(seen, frame)))
            }
        }
    }

    /// The names of the basic elements behind an index.
    pub(super) fn describe(&self, index: usize, frame: &Frame, into: &mut Vec<String>) {
        match self {
            Term::Basic(basic) => into.push(basic.describe(index, frame)),
            Term::Product(parts) => {
                let mut size = self.known_size(frame);
                let mut rest = index;
                for part in parts {
                    size /= part.known_size(frame);
                    part.describe(rest / size, frame, into);
                    rest %= size;
                }
            }
            Term::Sum(parts) => {
                let mut rest = index;
                for part in parts {
                    let size = part.known_size(frame);
                    if rest < size {
                        return part.describe(rest, frame, into);
                    }
                    rest -= size;
                }
            }
        }
    }

    /// The size, once it is known to be in range.
    fn known_size(&self, frame: &Frame) -> usize {
        self.size(frame).expect("a size that was checked")
    }
}

/// The indices of a product: `first` is the index of what stands before `parts`.
fn strides(parts: &[Term], first: usize, seen: &Seen, frame: &Frame, then: &mut dyn FnMut(usize)) {
    let Some((part, rest)) = parts.split_first() else { return then(first) };
    let size = part.known_size(frame);
    part.indices(seen, frame, &mut |index| strides(rest, first * size + index, seen, frame, then));
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parts, sign) = match self {
            Term::Basic(basic) => return fmt::Display::fmt(basic, f),
            Term::Product(parts) => (parts, " × "),
            Term::Sum(parts) => (parts, " ⊕ "),
        };
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                f.write_str(sign)?;
            }
            match (self, part) {
                (_, Term::Basic(_)) | (Term::Sum(_), Term::Product(_)) => fmt::Display::fmt(part, f)?,
                _ => write!(f, "({part})")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Expression {
    /// The canonical text: no named sets, no needless parentheses, and only what is not taken for granted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.term, f)?;
        if self.frame.view != super::View::default() {
            write!(f, ", {}", self.frame.view.word())?;
        }
        if let Some(half) = self.frame.fold {
            write!(f, ", fold {}", half.word())?;
        }
        if self.counted {
            f.write_str(", counted")?;
        }
        Ok(())
    }
}
