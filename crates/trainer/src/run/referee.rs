// SPDX-License-Identifier: GPL-3.0-or-later
//! How strong a network in the making plays: games that somebody else arranges.

use std::{fmt, path::Path};

/// Somebody who lets networks play.
pub trait Referee {
    /// Plays a match with the network of a file.
    ///
    /// # Errors
    /// Why it cannot be played.
    fn play(&mut self, net: &Path) -> Result<Rating, String>;
}

/// What a match said: Elo points above the reference.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Rating {
    /// The most likely difference.
    pub elo: f64,
    /// How far it may be off, at 95 %; unknown if all games ended alike.
    pub error: Option<f64>,
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.error {
            Some(error) => write!(f, "{:+.1} ± {error:.1}", self.elo),
            None => write!(f, "{:+.1} ± ?", self.elo),
        }
    }
}
