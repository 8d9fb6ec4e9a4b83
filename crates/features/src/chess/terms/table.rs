// SPDX-License-Identifier: GPL-3.0-or-later
//! The table of terms: each row is a name, a number of entries, a group and a description.
//!
//! The rows lie one behind the other in one index space. A new term is one row here and one counting
//! line in the file of its subject.

use super::zones::ZONES;

/// What a term is about; a report adds up the terms of a group.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Group {
    Material,
    Squares,
    Mobility,
    Pawns,
    Passed,
    Pieces,
    Threats,
    Tempo,
    /// Terms that add up to the danger of the enemy king, of which the evaluation takes the square.
    Danger,
}

impl Group {
    /// All groups in the order of the table.
    pub const ALL: [Group; 9] = [
        Group::Material,
        Group::Squares,
        Group::Mobility,
        Group::Pawns,
        Group::Passed,
        Group::Pieces,
        Group::Threats,
        Group::Tempo,
        Group::Danger,
    ];
}

macro_rules! terms {
    ($($term:ident: $entries:expr, $group:ident, $about:literal;)*) => {
        /// A countable property of a position, with one coefficient for each of its entries.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Term { $(#[doc = $about] $term,)* }

        impl Term {
            /// Every term in the order of the index space.
            pub const ALL: &[Term] = &[$(Term::$term,)*];
            const ENTRIES: &[usize] = &[$($entries,)*];
            const GROUPS: &[Group] = &[$(Group::$group,)*];
            const ABOUT: &[&str] = &[$($about,)*];
            const NAMES: &[&str] = &[$(stringify!($term),)*];
        }
    };
}

terms! {
    Material: 5, Material, "pieces by role, pawn to queen";
    BishopPair: 1, Material, "bishops on both colours of squares";
    KnightPawns: 9, Material, "knights by number of own pawns";
    RookPawns: 9, Material, "rooks by number of own pawns";
    Twins: 2, Material, "two knights, two rooks";
    PieceSquare: ZONES * 12 * 64, Squares, "pieces by zone of the own king (768), role (128), enemy (64), square";
    KnightMobility: 9, Mobility, "knights by number of squares they attack that no pawn guards";
    BishopMobility: 14, Mobility, "bishops by number of squares they attack that no pawn guards";
    RookMobility: 15, Mobility, "rooks by number of squares they attack that no pawn or minor guards";
    QueenMobility: 28, Mobility, "queens by number of squares they attack that nothing less guards";
    PawnForm: 256, Pawns, "pawns by rammed (128), opposed (64), attacking (32), supported (16), beside (8) and rank";
    DoubledPawn: 2, Pawns, "pawns behind own pawns, the second entry if isolated";
    KingFlank: 1, Pawns, "kings on a flank without any pawn";
    Passed: 8, Passed, "passed pawns by rank";
    PassedEnemyKing: 64, Passed, "passed pawns by rank (8) and steps of the enemy king to the square ahead";
    PassedBlocked: 8, Passed, "passed pawns with a piece on the square ahead by rank";
    PassedSafePath: 8, Passed, "passed pawns whose whole path is empty and not attacked by rank";
    PassedSupport: 8, Passed, "passed pawns whose square ahead the own side attacks by rank";
    PassedRook: 2, Passed, "passed pawns with an own rook behind; with an enemy rook behind";
    PassedSquare: 1, Passed, "passed pawns that outrun a lone enemy king";
    Outpost: 4, Pieces, "minors no pawn can chase away by bishop (2) and pawn support";
    OutpostReach: 2, Pieces, "supported outposts that a knight, a bishop can reach";
    MinorBehindPawn: 2, Pieces, "knights, bishops right behind a pawn";
    BishopRammed: 1, Pieces, "own blocked pawns on the colour of a bishop";
    BishopDiagonal: 1, Pieces, "bishops that see both squares of the centre along a diagonal";
    RookFile: 2, Pieces, "rooks on half-open files; on open files";
    RookTrapped: 2, Pieces, "rooks shut in beside their king; the second entry if it cannot castle";
    QueenExposed: 1, Pieces, "enemy queens behind one other piece of a bishop's or rook's line";
    PawnThreat: 10, Threats, "enemy pieces by turn (5) and role that a pawn attacks";
    MinorThreat: 30, Threats, "enemy pieces by turn (15), not, somehow, by a pawn defended (5) and role that a minor attacks";
    RookThreat: 30, Threats, "enemy pieces by turn (15), not, somehow, by a pawn defended (5) and role that a rook attacks";
    QueenThreat: 30, Threats, "enemy pieces by turn (15), not, somehow, by a pawn defended (5) and role that a queen attacks";
    KingThreat: 4, Threats, "undefended enemy pieces that the king attacks by turn (2): pawns, others";
    ThreatCount: 8, Threats, "number of seriously threatened enemy pieces up to 3 by turn (4)";
    Loose: 6, Threats, "undefended enemy minors, rooks, queens by turn (3)";
    PushThreat: 8, Threats, "enemy pieces by turn (4) and role, knight to queen, that a pawn can attack by a safe step";
    Restricted: 1, Threats, "squares that both sides attack and the enemy does not hold firmly";
    QueenHit: 2, Threats, "safe squares from which a knight, a bishop or rook could attack a queen";
    Tempo: 1, Tempo, "the side to move";
    Attacker: 4, Danger, "pieces that attack squares around the king by role, knight to queen";
    WeakRing: 1, Danger, "attacked squares around the king that only king or queen defend";
    SafeCheck: 8, Danger, "roles that can check safely, knight to queen; (4) on several squares";
    Pinned: 1, Danger, "pieces that shield the king from a slider";
    FlankAttack: 2, Danger, "attacked squares on the king's flank; attacked twice";
    FlankDefence: 1, Danger, "defended squares on the king's flank";
    KingEscape: 9, Danger, "kings by number of squares they can step to";
    Cover: 4, Danger, "pawns right before the king";
    DangerBase: 2, Danger, "any king; the attacker is to move";
}

const OFFSETS: [usize; Term::ALL.len() + 1] = {
    let mut offsets = [0; Term::ALL.len() + 1];
    let mut row = 0;
    while row < Term::ALL.len() {
        offsets[row + 1] = offsets[row] + Term::ENTRIES[row];
        row += 1;
    }
    offsets
};

/// The number of entries of all terms together.
pub const COUNT: usize = OFFSETS[Term::ALL.len()];

impl Term {
    /// The name of the term as written in the table.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// What the term counts, and how its entries are numbered.
    pub const fn about(self) -> &'static str {
        Self::ABOUT[self as usize]
    }

    /// What the term is about.
    #[inline(always)]
    pub const fn group(self) -> Group {
        Self::GROUPS[self as usize]
    }

    /// The number of entries.
    #[inline(always)]
    pub const fn entries(self) -> usize {
        Self::ENTRIES[self as usize]
    }

    /// The index of the term's first entry.
    #[inline(always)]
    pub const fn offset(self) -> usize {
        OFFSETS[self as usize]
    }
}
