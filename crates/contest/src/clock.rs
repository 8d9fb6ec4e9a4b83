// SPDX-License-Identifier: GPL-3.0-or-later
//! The clocks of a game: `(player, time used) -> time left or a fallen flag`.
//!
//! A clock measures nothing. Whoever runs the game measures and tells.

use std::time::Duration;

use rules::Color;

use crate::TimeControl;

/// The clocks of both players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    sides: [Side; 2],
    margin: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Side {
    control: TimeControl,
    /// Unused where no clock runs.
    left: Duration,
    moves_to_go: Option<u32>,
}

/// A player used more time than there was.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FlagFall {
    /// How far the time was overdrawn, the margin included.
    pub over: Duration,
}

impl Clock {
    /// The clocks at the beginning of a game, White's control first; a clock may be overdrawn by `margin`.
    pub fn new(controls: [TimeControl; 2], margin: Duration) -> Clock {
        let sides = controls.map(|control| match control {
            TimeControl::Clock { moves, base, .. } => {
                Side { control, left: base, moves_to_go: moves.map(u32::from) }
            }
            _ => Side { control, left: Duration::ZERO, moves_to_go: None },
        });
        Clock { sides, margin }
    }

    /// What limits the thinking of a player.
    pub fn control(&self, color: Color) -> TimeControl {
        self.sides[color.index()].control
    }

    /// The time on a player's clock; `None` where no clock runs.
    pub fn left(&self, color: Color) -> Option<Duration> {
        let side = &self.sides[color.index()];
        matches!(side.control, TimeControl::Clock { .. }).then_some(side.left)
    }

    /// The time that each move adds to a player's clock; `None` where no clock runs.
    pub fn increment(&self, color: Color) -> Option<Duration> {
        match self.control(color) {
            TimeControl::Clock { increment, .. } => Some(increment),
            _ => None,
        }
    }

    /// A player's moves until the base time is given again; `None` if it never is.
    pub fn moves_to_go(&self, color: Color) -> Option<u32> {
        self.sides[color.index()].moves_to_go
    }

    /// The longest a player's next move may take, the margin included; `None` if time does not matter.
    pub fn limit(&self, color: Color) -> Option<Duration> {
        Some(self.allowance(color)?.saturating_add(self.margin))
    }

    /// Takes a move's time off a player's clock and gives what the move earns.
    ///
    /// Overdrawing within the margin is forgiven: the clock then stood at zero.
    pub fn press(&mut self, color: Color, elapsed: Duration) -> Result<(), FlagFall> {
        let Some(allowance) = self.allowance(color) else {
            return Ok(());
        };
        let over = elapsed.saturating_sub(allowance);
        let side = &mut self.sides[color.index()];
        side.left = side.left.saturating_sub(elapsed);
        if over > self.margin {
            return Err(FlagFall { over });
        }
        if let TimeControl::Clock { moves, base, increment } = side.control {
            side.left = side.left.saturating_add(increment);
            side.moves_to_go = side.moves_to_go.map(|to_go| to_go - 1);
            if side.moves_to_go == Some(0) {
                side.left = side.left.saturating_add(base);
                side.moves_to_go = moves.map(u32::from);
            }
        }
        Ok(())
    }

    /// The time for a player's next move without any margin.
    fn allowance(&self, color: Color) -> Option<Duration> {
        let side = &self.sides[color.index()];
        match side.control {
            TimeControl::Clock { .. } => Some(side.left),
            TimeControl::MoveTime(time) => Some(time),
            TimeControl::Nodes(_) | TimeControl::Depth(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::Color::{Black, White};

    use super::*;

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clock(white: &str, black: &str, margin: u64) -> Clock {
        Clock::new([white.parse().unwrap(), black.parse().unwrap()], millis(margin))
    }

    #[test]
    fn each_player_has_an_own_clock() {
        let mut clock = clock("8+0.08", "4+0.04", 0);
        clock.press(White, millis(1_000)).unwrap();
        clock.press(Black, millis(1_000)).unwrap();
        assert_eq!(clock.left(White), Some(millis(7_080)));
        assert_eq!(clock.left(Black), Some(millis(3_040)));
        assert_eq!(clock.increment(Black), Some(millis(40)));
    }

    #[test]
    fn the_flag_falls_beyond_the_margin_only() {
        let mut clock = clock("1+0.1", "1+0.1", 10);
        assert_eq!(clock.limit(White), Some(millis(1_010)));
        assert_eq!(clock.press(White, millis(1_010)), Ok(()));
        assert_eq!(clock.left(White), Some(millis(100)), "the debt is forgiven, the increment given");
        assert_eq!(clock.press(Black, millis(1_011)), Err(FlagFall { over: millis(11) }));
        assert_eq!(clock.left(Black), Some(Duration::ZERO));
    }

    #[test]
    fn sessions_give_the_base_time_again() {
        let mut clock = clock("2/60+1", "2/60", 0);
        assert_eq!(clock.moves_to_go(White), Some(2));
        clock.press(White, millis(10_000)).unwrap();
        assert_eq!((clock.left(White), clock.moves_to_go(White)), (Some(millis(51_000)), Some(1)));
        clock.press(White, millis(50_000)).unwrap();
        assert_eq!((clock.left(White), clock.moves_to_go(White)), (Some(millis(62_000)), Some(2)));
        assert_eq!(clock.moves_to_go(Black), Some(2));
    }

    #[test]
    fn move_times_are_not_saved() {
        let mut clock = clock("movetime=0.1", "movetime=0.1", 5);
        for _ in 0..3 {
            assert_eq!(clock.limit(White), Some(millis(105)));
            clock.press(White, millis(1)).unwrap();
        }
        assert_eq!(clock.press(White, millis(106)), Err(FlagFall { over: millis(6) }));
        assert_eq!((clock.left(White), clock.increment(White)), (None, None));
    }

    #[test]
    fn nodes_and_depth_know_no_time() {
        let mut clock = clock("nodes=1000", "depth=9", 0);
        for color in Color::ALL {
            assert_eq!(clock.limit(color), None);
            assert_eq!(clock.press(color, millis(1_000_000)), Ok(()));
        }
    }
}
