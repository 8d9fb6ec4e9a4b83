// SPDX-License-Identifier: GPL-3.0-or-later
//! Some of the six roles, numbered without gaps.

use std::fmt;

use rules::chess::Role;

/// A choice of roles; the chosen ones are numbered from pawn to king.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Roles(u8);

impl Roles {
    /// All six.
    pub const ALL: Roles = Roles(0b11_1111);
    /// All but the king.
    pub const FIVE: Roles = Roles(0b01_1111);

    /// The roles of English letters such as `PN`, in any order; the first other letter is the error.
    pub(super) fn from_letters(letters: &str) -> Result<Roles, char> {
        letters.chars().try_fold(Roles(0), |Roles(bits), letter| {
            Role::from_letter(letter).map(|role| Roles(bits | 1 << role.index())).ok_or(letter)
        })
    }

    /// How many were chosen.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether none was chosen.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of a role among the chosen ones.
    pub const fn number(self, role: Role) -> Option<usize> {
        let bit = 1 << role.index();
        if self.0 & bit == 0 { None } else { Some((self.0 & (bit - 1)).count_ones() as usize) }
    }

    /// The chosen roles, pawn first.
    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |&role| self.number(role).is_some())
    }
}

impl fmt::Display for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Roles::ALL => f.write_str("Role"),
            Roles::FIVE => f.write_str("Role5"),
            some => write!(f, "Role[{}]", some.iter().map(Role::letter).collect::<String>()),
        }
    }
}
