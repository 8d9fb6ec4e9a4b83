// SPDX-License-Identifier: GPL-3.0-or-later
//! What is said on standard output: results line by line, and the course of long work, of which on a terminal the
//! present state stays at the bottom and in a file comes last.

use std::{
    fmt,
    io::{self, IsTerminal, Write},
};

/// Says a line on standard output, as `println!` does, but nobody to read it is no reason to fail.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::screen::say(format_args!($($text)*))
    };
}

/// The line of [`say!`].
pub(crate) fn say(line: fmt::Arguments) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Standard output or standard error.
pub(crate) struct Screen {
    on_error: bool,
    terminal: bool,
    /// Lines of the state that is shown now.
    shown: usize,
}

impl Screen {
    pub(crate) fn new(on_error: bool) -> Screen {
        let terminal = if on_error { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
        Screen { on_error, terminal, shown: 0 }
    }

    /// Whether somebody watches, and not a file.
    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// A line that stays.
    pub(crate) fn line(&mut self, line: &str) {
        let text = format!("{}{line}\n", self.erase());
        self.print(&text);
    }

    /// A line that stays, and the state below it.
    pub(crate) fn line_above(&mut self, line: &str, state: impl FnOnce() -> String) {
        match self.terminal {
            true => self.replace(&format!("{line}\n"), &state()),
            false => self.line(line),
        }
    }

    /// The state as it is now, in place of the last; a file does not want to know.
    pub(crate) fn state(&mut self, state: impl FnOnce() -> String) {
        if self.terminal {
            self.replace("", &state());
        }
    }

    /// What there is to say at the end, in place of the state.
    pub(crate) fn end(&mut self, text: &str) {
        let text = format!("{}{text}", self.erase());
        self.print(&text);
    }

    fn replace(&mut self, above: &str, state: &str) {
        let text = self.frame(above, state);
        self.print(&text);
    }

    /// Text that stays and the state below it, in place of the state that is shown now.
    fn frame(&mut self, above: &str, state: &str) -> String {
        // Lines that do not fit are cut: one that wraps would not be erased.
        let text = format!("{}{above}\x1b[?7l{state}\x1b[?7h", self.erase());
        self.shown = state.lines().count();
        text
    }

    /// What takes the state off the screen.
    fn erase(&mut self) -> String {
        match std::mem::take(&mut self.shown) {
            0 => String::new(),
            lines => format!("\x1b[{lines}A\x1b[0J"),
        }
    }

    /// Prints at once; a closed terminal is no reason to lose the work.
    fn print(&self, text: &str) {
        let _ = if self.on_error {
            io::stderr().write_all(text.as_bytes())
        } else {
            io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush())
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_takes_the_place_of_the_last() {
        let mut screen = Screen { on_error: false, terminal: true, shown: 0 };
        assert_eq!(screen.frame("game 1\n", "a\nb\n"), "game 1\n\x1b[?7la\nb\n\x1b[?7h");
        assert_eq!(screen.frame("game 2\n", "a\nb\nc\n"), "\x1b[2A\x1b[0Jgame 2\n\x1b[?7la\nb\nc\n\x1b[?7h");
        assert_eq!(screen.erase(), "\x1b[3A\x1b[0J");
        assert_eq!(screen.erase(), "");
    }
}
