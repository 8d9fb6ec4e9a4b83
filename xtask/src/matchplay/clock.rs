// SPDX-License-Identifier: GPL-3.0-or-later
//! Time controls and the two clocks of a game.

use std::{fmt, str::FromStr, time::Duration};

use anyhow::Context;
use rules::Color;

/// Seconds for the game plus seconds added after each move, written `5+0.05`; or a fixed number of nodes
/// for each move, written `nodes=5000`, under a clock that only catches a stalled engine.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct TimeControl {
    /// Time for the whole game.
    pub(crate) base: Duration,
    /// Time added after each move.
    pub(crate) increment: Duration,
    /// Nodes for each move, instead of the clock.
    pub(crate) nodes: Option<u64>,
}

/// The clock of games by nodes: nobody should ever notice it.
const GENEROUS: Duration = Duration::from_secs(3600);

impl FromStr for TimeControl {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<TimeControl> {
        if let Some(nodes) = text.strip_prefix("nodes=") {
            let nodes = nodes.parse().with_context(|| format!("'{nodes}' is not a number of nodes"))?;
            return Ok(TimeControl { base: GENEROUS, increment: Duration::ZERO, nodes: Some(nodes) });
        }
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |part: &str| -> anyhow::Result<Duration> {
            let expected =
                || format!("'{text}' is not a time control, expected SECONDS+INCREMENT or nodes=N");
            let number: f64 = part.parse().with_context(expected)?;
            Duration::try_from_secs_f64(number).with_context(expected)
        };
        Ok(TimeControl { base: seconds(base)?, increment: seconds(increment)?, nodes: None })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(nodes) = self.nodes {
            return write!(f, "nodes={nodes}");
        }
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// What is left to both players.
pub(crate) struct Clocks {
    control: TimeControl,
    left: [Duration; 2],
}

impl Clocks {
    /// Full clocks.
    pub(crate) fn new(control: TimeControl) -> Clocks {
        Clocks { control, left: [control.base; 2] }
    }

    /// What is left to one player.
    pub(crate) fn left(&self, color: Color) -> Duration {
        self.left[color.index()]
    }

    /// Takes the time of a move off a clock and adds the increment; overdrawing within the margin is forgiven.
    pub(crate) fn spend(&mut self, color: Color, elapsed: Duration) {
        let left = &mut self.left[color.index()];
        *left = left.saturating_sub(elapsed) + self.control.increment;
    }

    /// The `go` command that tells an engine both clocks.
    pub(crate) fn go(&self) -> String {
        if let Some(nodes) = self.control.nodes {
            return format!("go nodes {nodes}");
        }
        let [white, black] = self.left.map(|left| left.as_millis().max(1));
        let increment = self.control.increment.as_millis();
        format!("go wtime {white} btime {black} winc {increment} binc {increment}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_base_and_increment() {
        let control: TimeControl = "5+0.05".parse().unwrap();
        assert_eq!(control.base, Duration::from_secs(5));
        assert_eq!(control.increment, Duration::from_millis(50));
        assert_eq!(control.to_string(), "5+0.05");
        assert_eq!("3".parse::<TimeControl>().unwrap().increment, Duration::ZERO);
        assert!("5+-1".parse::<TimeControl>().is_err());
        assert!("blitz".parse::<TimeControl>().is_err());
    }

    #[test]
    fn spending_adds_the_increment() {
        let mut clocks = Clocks::new("1+0.01".parse().unwrap());
        clocks.spend(Color::White, Duration::from_millis(110));
        assert_eq!(clocks.go(), "go wtime 900 btime 1000 winc 10 binc 10");
        clocks.spend(Color::White, Duration::from_secs(2));
        assert_eq!(clocks.left(Color::White), Duration::from_millis(10));
    }
}
