// SPDX-License-Identifier: GPL-3.0-or-later
//! Commands in comments: `[%clk 0:02:59.9]` and `[%eval -1.25]` or `[%eval #3]`.

use memchr::memmem;

use super::Eval;

/// What the commands of a comment say.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Commands {
    /// Hundredths of a second.
    pub(super) clock: Option<u32>,
    pub(super) eval: Option<Eval>,
}

impl Commands {
    /// Reads a comment; whatever is not understood is passed over.
    pub(super) fn read(comment: &[u8]) -> Commands {
        let mut commands = Commands::default();
        let mut rest = comment;
        while let Some(begin) = memmem::find(rest, b"[%") {
            rest = &rest[begin + 2..];
            let Some(end) = memchr::memchr(b']', rest) else { break };
            let Ok(command) = std::str::from_utf8(&rest[..end]) else { continue };
            match command.split_once(' ') {
                Some(("clk", value)) => commands.clock = clock(value.trim()).or(commands.clock),
                Some(("eval", value)) => commands.eval = eval(value.trim()).or(commands.eval),
                _ => {}
            }
            rest = &rest[end..];
        }
        commands
    }
}

/// `h:mm:ss`, perhaps with a fraction, in hundredths of a second.
fn clock(text: &str) -> Option<u32> {
    let (time, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut seconds: u32 = 0;
    for part in time.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(number(part)?)?;
    }
    let digits =
        |at: usize| fraction.as_bytes().get(at).map_or(0, |digit| u32::from(digit.wrapping_sub(b'0')));
    if !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    seconds.checked_mul(100)?.checked_add(10 * digits(0) + digits(1))
}

/// Pawns with a point, or `#` and the moves to mate; a depth may follow a comma.
fn eval(text: &str) -> Option<Eval> {
    let text = text.split(',').next()?.trim();
    if let Some(moves) = text.strip_prefix('#') {
        return Some(Eval::Mate(moves.parse().ok()?));
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (pawns, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let hundredths = match fraction.len() {
        0 => 0,
        1 => number(fraction)? * 10,
        _ => number(fraction.get(..2)?)?,
    };
    let score = number(pawns)?.checked_mul(100)?.checked_add(hundredths)?;
    i16::try_from(score).ok().map(|score| Eval::Centipawns(sign * score))
}

/// Digits and nothing else.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<u32>, Option<Eval>) {
        let commands = Commands::read(text.as_bytes());
        (commands.clock, commands.eval)
    }

    #[test]
    fn clocks_and_evaluations() {
        assert_eq!(read(" [%eval 0.17] [%clk 0:00:30] "), (Some(3000), Some(Eval::Centipawns(17))));
        assert_eq!(read("[%clk 1:02:03.4]"), (Some(372_340), None));
        assert_eq!(read("good [%eval -12.5,20] move"), (None, Some(Eval::Centipawns(-1250))));
        assert_eq!(read("[%eval #-3]"), (None, Some(Eval::Mate(-3))));
        assert_eq!(read("[%eval -0.05]"), (None, Some(Eval::Centipawns(-5))));
    }

    #[test]
    fn nonsense_is_passed_over() {
        for text in [
            "",
            "[%",
            "[%clk]",
            "[%clk x:00]",
            "[%clk 9999999:00:00]",
            "[%eval 999.99]",
            "[%eval ]",
            "[%emt 1]",
        ] {
            assert_eq!(read(text), (None, None), "{text}");
        }
        assert_eq!(read("[%clk \u{e4}][%clk 0:01]"), (Some(100), None));
    }

    #[test]
    fn mates_are_scores_too() {
        assert_eq!(
            [Eval::Mate(3), Eval::Mate(-3), Eval::Mate(i16::MIN)].map(Eval::score),
            [31_997, -31_997, 0]
        );
    }
}
