// SPDX-License-Identifier: GPL-3.0-or-later
//! The clock of a game: it runs only while somebody watches, and never before both sides have moved.
//!
//! What a move took is charged with the move. A server that dies between two moves forgets the time since the last
//! one: the clock is never charged for what the server did.

use rules::Color;

use super::Millis;
use crate::message::{ClockSetting, ClockState};

/// Both clocks of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameClock {
    setting: ClockSetting,
    /// Time left when the running clock was started.
    left: [u32; 2],
    /// Whose clock runs, and since when.
    running: Option<(Color, Millis)>,
}

impl GameClock {
    /// Clocks that stand still with their base time.
    pub fn new(setting: ClockSetting) -> GameClock {
        GameClock { setting, left: [setting.base_ms; 2], running: None }
    }

    /// What was agreed.
    pub fn setting(&self) -> ClockSetting {
        self.setting
    }

    /// The time a side has left.
    pub fn left(&self, color: Color, now: Millis) -> u32 {
        let left = self.left[color.index()];
        match self.running {
            Some((running, since)) if running == color => {
                let spent = u32::try_from(now.saturating_sub(since)).unwrap_or(u32::MAX);
                left.saturating_sub(spent)
            }
            _ => left,
        }
    }

    /// The time a side would have after moving now.
    pub fn after_move(&self, color: Color, now: Millis) -> u32 {
        self.left(color, now).saturating_add(self.setting.increment_ms)
    }

    /// Sets a side's time, as a move left it.
    pub fn set(&mut self, color: Color, left: u32) {
        self.left[color.index()] = left;
    }

    /// Lets the clock of a side run, or none; time that ran so far is charged.
    pub fn run(&mut self, side: Option<Color>, now: Millis) {
        if let Some((running, _)) = self.running {
            self.left[running.index()] = self.left(running, now);
        }
        self.running = side.map(|side| (side, now));
    }

    /// When the running clock will have run out.
    pub fn flag_at(&self) -> Option<(Color, Millis)> {
        let (color, since) = self.running?;
        Some((color, since + Millis::from(self.left[color.index()])))
    }

    /// What a page shows.
    pub fn state(&self, now: Millis) -> ClockState {
        ClockState {
            setting: self.setting,
            white_ms: self.left(Color::White, now),
            black_ms: self.left(Color::Black, now),
            running: self.running.map(|(color, _)| color.into()),
        }
    }
}
