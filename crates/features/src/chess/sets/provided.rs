// SPDX-License-Identifier: GPL-3.0-or-later
//! The sets that have a name. A name is a shorthand: the text behind it is what counts.

use super::Expression;

/// A set with a name.
#[derive(Copy, Clone, Debug)]
pub struct Provided {
    /// The name; case, hyphens and underscores do not matter.
    pub name: &'static str,
    /// A second name, if it has one.
    pub alias: Option<&'static str>,
    /// The expression.
    pub text: &'static str,
    /// What it is, in half a sentence.
    pub about: &'static str,
}

const SETS: [Provided; 12] = [
    Provided {
        name: "Piece",
        alias: None,
        text: "Square × Role × Colour",
        about: "every piece on its square (Lombardo 2.4.1)",
    },
    Provided {
        name: "Compact",
        alias: None,
        text: "File × Role × Colour ⊕ Rank × Role × Colour",
        about: "files and ranks apart, shared by pieces of a kind (Lombardo 2.4.2)",
    },
    Provided {
        name: "HalfKP",
        alias: Some("King-Piece"),
        text: "King × (Square × Role5 × Colour)",
        about: "every piece but the kings, for each square of the own king (Lombardo 2.4.3)",
    },
    Provided {
        name: "HalfKP-SF12",
        alias: None,
        text: "King × (Unused ⊕ Role5 × Colour × Square), rotate",
        about: "HalfKP in the layout of the Stockfish 12 networks",
    },
    Provided {
        name: "HalfKA",
        alias: None,
        text: "King × (Square × Role × Colour)",
        about: "every piece, kings included, for each square of the own king",
    },
    Provided {
        name: "HalfKAv2",
        alias: None,
        text: "King × (Role5 × Colour ⊕ Role[K]) × Square",
        about: "HalfKA with one plane for both kings, the own one being known anyway",
    },
    Provided {
        name: "HalfKAv2-hm",
        alias: None,
        text: "King × (Role5 × Colour ⊕ Role[K]) × Square, fold e-h",
        about: "HalfKAv2 with the board mirrored so that the own king is on e to h",
    },
    Provided {
        name: "HalfKAv2-hm-SF15",
        alias: None,
        text: "Bucket[31 30 29 28/27 26 25 24/23 22 21 20/19 18 17 16/15 14 13 12/11 10 9 8/7 6 5 4/3 2 1 0] × \
               (Role5 × Colour ⊕ Role[K]) × Square, fold e-h",
        about: "HalfKAv2-hm in the layout of the Stockfish 15.1 networks",
    },
    Provided {
        name: "HalfKA-hm8",
        alias: None,
        text: "Bucket[0 1 2 3/4 4 5 5/6 6 6 6/6 6 6 6/7 7 7 7] × (Square × Role × Colour), fold a-d",
        about: "every piece for each of eight king buckets on a folded board",
    },
    Provided {
        name: "Half-RelativeH-King-Piece",
        alias: Some("RelativeH"),
        text: "RelativeFile × Rank × Role5 × Colour",
        about: "pieces by file relative to the own king, and rank (Lombardo 2.4.5)",
    },
    Provided {
        name: "Half-RelativeV-King-Piece",
        alias: Some("RelativeV"),
        text: "File × RelativeRank × Role5 × Colour",
        about: "pieces by file, and rank relative to the own king (Lombardo 2.4.5)",
    },
    Provided {
        name: "Half-RelativeHV-King-Piece",
        alias: Some("RelativeHV"),
        text: "RelativeFile × RelativeRank × Role5 × Colour",
        about: "pieces by file and rank relative to the own king (Lombardo 2.4.5)",
    },
];

/// Every set with a name.
pub const fn provided() -> &'static [Provided] {
    &SETS
}

impl Provided {
    /// The expression.
    pub fn expression(&self) -> Expression {
        self.text.parse().expect("a provided set is well written")
    }
}

/// The set of a name.
pub(super) fn find(name: &str) -> Option<&'static Provided> {
    let letters = |text: &str| text.replace(['-', '_'], "").to_ascii_lowercase();
    let wanted = letters(name);
    SETS.iter()
        .find(|set| letters(set.name) == wanted || set.alias.is_some_and(|alias| letters(alias) == wanted))
}
