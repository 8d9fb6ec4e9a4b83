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
    Shelter,
    Threats,
    Initiative,
    /// Terms that add up to the danger of the enemy king, of which the evaluation takes the square.
    Danger,
}

impl Group {
    /// All groups in the order of the table.
    pub const ALL: [Group; 10] = [
        Group::Material,
        Group::Squares,
        Group::Mobility,
        Group::Pawns,
        Group::Passed,
        Group::Pieces,
        Group::Shelter,
        Group::Threats,
        Group::Initiative,
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
    OwnSquare: ZONES * 6 * 64, Squares, "own pieces by zone of the own king, role and square";
    EnemySquare: ZONES * 6 * 64, Squares, "enemy pieces by zone of the own king, role and square";
    KnightMobility: 9, Mobility, "knights by number of safe squares they attack";
    BishopMobility: 14, Mobility, "bishops by number of safe squares they attack";
    RookMobility: 15, Mobility, "rooks by number of safe squares they attack";
    QueenMobility: 28, Mobility, "queens by number of safe squares they attack";
    PawnForm: 64, Pawns, "pawns by opposed (32), supported (16), beside another (8), and rank";
    IsolatedPawn: 8, Pawns, "pawns without neighbours by opposed (4) and distance of the file from the rim";
    DoubledPawn: 2, Pawns, "pawns behind own pawns, the second entry if isolated";
    BackwardPawn: 2, Pawns, "pawns that cannot advance safely nor be supported, the second entry if opposed";
    Candidate: 8, Pawns, "pawns that may become passed by rank";
    Passed: 8, Passed, "passed pawns by rank";
    PassedOwnKing: 64, Passed, "passed pawns by rank (8) and steps of the own king to the square ahead";
    PassedEnemyKing: 64, Passed, "passed pawns by rank (8) and steps of the enemy king to the square ahead";
    PassedBlocked: 8, Passed, "passed pawns with a piece on the square ahead by rank";
    PassedSafeStep: 8, Passed, "passed pawns whose square ahead is not attacked by rank";
    PassedSafePath: 8, Passed, "passed pawns whose whole path is empty and not attacked by rank";
    PassedSupport: 8, Passed, "passed pawns whose square ahead the own side attacks by rank";
    PassedRook: 2, Passed, "passed pawns with an own rook behind; with an enemy rook behind";
    PassedSquare: 1, Passed, "passed pawns that outrun a lone enemy king";
    Outpost: 4, Pieces, "minors no pawn can chase away by bishop (2) and pawn support";
    OutpostReach: 2, Pieces, "supported outposts that a knight, a bishop can reach";
    MinorBehindPawn: 2, Pieces, "knights, bishops right behind a pawn";
    BishopPawns: 9, Pieces, "bishops by number of own pawns on their colour of squares";
    BishopRammed: 1, Pieces, "own blocked pawns on the colour of a bishop";
    BishopDiagonal: 1, Pieces, "bishops that see both squares of the centre along a diagonal";
    RookFile: 2, Pieces, "rooks on half-open files; on open files";
    RookTrapped: 2, Pieces, "rooks shut in beside their king; the second entry if it cannot castle";
    QueenExposed: 1, Pieces, "enemy queens behind one other piece of a bishop's or rook's line";
    Shelter: 32, Shelter, "files around the king by distance from the rim (8) and rank of the nearest own pawn";
    Storm: 64, Shelter, "files around the king by rammed (32), distance from the rim (8), rank of the enemy pawn";
    KingFile: 4, Shelter, "kings on files without own pawns (1), without enemy pawns (2)";
    KingFlank: 1, Shelter, "kings on a flank without any pawn";
    PawnThreat: 10, Threats, "enemy pieces by role that a pawn attacks";
    MinorThreat: 20, Threats, "enemy pieces by defended (5) and role that a minor attacks";
    RookThreat: 20, Threats, "enemy pieces by defended (5) and role that a rook attacks";
    QueenThreat: 20, Threats, "enemy pieces by defended (5) and role that a queen attacks";
    KingThreat: 4, Threats, "enemy pieces that the king attacks: pawns, others";
    PushThreat: 10, Threats, "enemy pieces by role that a pawn can attack by a safe step";
    Restricted: 1, Threats, "squares that both sides attack and the enemy does not hold firmly";
    QueenHit: 2, Threats, "safe squares from which a minor, a rook or bishop line would attack the queen";
    Space: 1, Initiative, "safe squares of the own centre, times the number of own pieces";
    Tempo: 1, Initiative, "the side to move";
    Attacker: 4, Danger, "pieces that attack squares around the king by role, knight to queen";
    RingAttack: 1, Danger, "attacks on squares beside the king";
    WeakRing: 1, Danger, "attacked squares around the king that only king or queen defend";
    SafeCheck: 8, Danger, "roles that can check safely, knight to queen; (4) on several squares";
    UnsafeCheck: 4, Danger, "roles that can check only unsafely, knight to queen";
    Pinned: 1, Danger, "pieces that shield the king from a slider";
    FlankAttack: 2, Danger, "attacked squares on the king's flank; attacked twice";
    FlankDefence: 1, Danger, "defended squares on the king's flank";
    KingEscape: 9, Danger, "kings by number of squares they can step to";
    KnightGuard: 1, Danger, "kings with a knight beside them";
    NoQueen: 1, Danger, "attacks without a queen";
    BareFile: 3, Danger, "files around the king without own pawns; without enemy pawns; without both";
    Cover: 4, Danger, "pawns right before the king";
    Assault: 4, Danger, "attacking pawns near the king";
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
