// SPDX-License-Identifier: GPL-3.0-or-later
//! The basic sets: one aspect of a piece or of the own king each.

use std::fmt;

use rules::chess::{Role, Square};

use super::{Buckets, Frame, Roles};

/// A piece as the owner of a view sees it; the squares have been turned and folded already.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Where the own king stands.
    pub king: Square,
    /// What the piece is.
    pub role: Role,
    /// Whether it belongs to the owner of the view.
    pub own: bool,
    /// Where it stands.
    pub square: Square,
}

/// A basic set. Its elements are numbered from 0; a piece has one of them, or none.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Basic {
    /// The file of the piece.
    File,
    /// The rank of the piece.
    Rank,
    /// The square of the piece.
    Square,
    /// The diagonal of the piece, parallel to a1–h8 and numbered from a8 to h1.
    Diagonal,
    /// The diagonal of the piece, parallel to a8–h1 and numbered from a1 to h8.
    Antidiagonal,
    /// What the piece is; pieces of other roles have none.
    Role(Roles),
    /// Whose it is: own 0, enemy 1.
    Colour,
    /// The one element of own pieces.
    Own,
    /// The one element of enemy pieces.
    Enemy,
    /// The square of the own king: 64 of them, or 32 on a folded board.
    King,
    /// The file of the own king: 8 of them, or 4 on a folded board.
    KingFile,
    /// The rank of the own king.
    KingRank,
    /// The bucket of the own king's square.
    Bucket(Buckets),
    /// The own king's file less the piece's, plus 7.
    RelativeFile,
    /// The own king's rank less the piece's, plus 7.
    RelativeRank,
    /// One element that no piece has, where a layout keeps a place free.
    Unused,
}

/// The words that stand alone. `Role[…]` and `Bucket[…]` need more than a word.
const WORDS: [(&str, Basic); 16] = [
    ("File", Basic::File),
    ("Rank", Basic::Rank),
    ("Square", Basic::Square),
    ("Diagonal", Basic::Diagonal),
    ("Antidiagonal", Basic::Antidiagonal),
    ("Role", Basic::Role(Roles::ALL)),
    ("Role5", Basic::Role(Roles::FIVE)),
    ("Colour", Basic::Colour),
    ("Own", Basic::Own),
    ("Enemy", Basic::Enemy),
    ("King", Basic::King),
    ("KingFile", Basic::KingFile),
    ("KingRank", Basic::KingRank),
    ("RelativeFile", Basic::RelativeFile),
    ("RelativeRank", Basic::RelativeRank),
    ("Unused", Basic::Unused),
];

impl Basic {
    /// The set of a word of any case; `Color` is understood too.
    pub(super) fn from_word(word: &str) -> Option<Basic> {
        let word = if word.eq_ignore_ascii_case("color") { "Colour" } else { word };
        WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|&(_, basic)| basic)
    }

    /// How many elements it has.
    pub fn size(&self, frame: &Frame) -> usize {
        match self {
            Basic::File | Basic::Rank | Basic::KingRank => 8,
            Basic::Square => 64,
            Basic::Diagonal | Basic::Antidiagonal | Basic::RelativeFile | Basic::RelativeRank => 15,
            Basic::Role(roles) => roles.len(),
            Basic::Colour => 2,
            Basic::Own | Basic::Enemy | Basic::Unused => 1,
            Basic::King => frame.king_files() * 8,
            Basic::KingFile => frame.king_files(),
            Basic::Bucket(buckets) => buckets.count(),
        }
    }

    /// The number of the element that a piece has. Whether it has one depends on role and colour alone.
    pub(super) fn element(&self, seen: &Seen, frame: &Frame) -> Option<usize> {
        let (file, rank) = (usize::from(seen.square.file()), usize::from(seen.square.rank()));
        Some(match self {
            Basic::File => file,
            Basic::Rank => rank,
            Basic::Square => seen.square.index(),
            Basic::Diagonal => 7 + file - rank,
            Basic::Antidiagonal => file + rank,
            Basic::Role(roles) => return roles.number(seen.role),
            Basic::Colour => usize::from(!seen.own),
            Basic::Own => return seen.own.then_some(0),
            Basic::Enemy => return (!seen.own).then_some(0),
            Basic::King => frame.king_number(seen.king),
            Basic::KingFile => frame.king_file(seen.king),
            Basic::KingRank => usize::from(seen.king.rank()),
            Basic::Bucket(buckets) => buckets.bucket(frame.king_number(seen.king)),
            Basic::RelativeFile => 7 + usize::from(seen.king.file()) - file,
            Basic::RelativeRank => 7 + usize::from(seen.king.rank()) - rank,
            Basic::Unused => return None,
        })
    }

    /// What an element is called.
    pub(super) fn describe(&self, element: usize, frame: &Frame) -> String {
        let number = element as u8;
        let letter = |file: u8| char::from(b'a' + file);
        let first = frame.fold.map_or(0, super::Half::first_file);
        let files = frame.king_files() as u8;
        match self {
            Basic::File => format!("{}-file", letter(number)),
            Basic::Rank => format!("rank {}", number + 1),
            Basic::Square => Square::new(number).to_string(),
            Basic::Role(roles) => {
                roles.iter().nth(element).map_or_else(String::new, |role| format!("{role:?}").to_lowercase())
            }
            Basic::Colour => if element == 0 { "own" } else { "enemy" }.to_owned(),
            Basic::Own | Basic::Enemy | Basic::Unused => self.to_string().to_lowercase(),
            Basic::King => format!("king {}", Square::at(first + number % files, number / files)),
            Basic::KingFile => format!("king on the {}-file", letter(first + number)),
            Basic::KingRank => format!("king on rank {}", number + 1),
            Basic::Bucket(_) => format!("bucket {element}"),
            Basic::RelativeFile => format!("{:+} files to the king", i32::from(number) - 7),
            Basic::RelativeRank => format!("{:+} ranks to the king", i32::from(number) - 7),
            Basic::Diagonal => format!("diagonal {element}"),
            Basic::Antidiagonal => format!("antidiagonal {element}"),
        }
    }
}

impl fmt::Display for Basic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Basic::Role(roles) => fmt::Display::fmt(roles, f),
            Basic::Bucket(buckets) => fmt::Display::fmt(buckets, f),
            plain => {
                let word = WORDS.iter().find(|(_, basic)| basic == plain).map(|(word, _)| *word);
                f.write_str(word.expect("every other basic set has a word"))
            }
        }
    }
}
