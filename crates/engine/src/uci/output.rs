// SPDX-License-Identifier: GPL-3.0-or-later
//! Where replies go; shared by the session and its tasks.

use std::{
    fmt::Display,
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

use protocol::uci::{Info, Reply};

/// Errors echo what they complain about; this many characters of it are enough.
const LONGEST_ERROR: usize = 240;

/// A shared writer of whole lines.
#[derive(Clone)]
pub(super) struct Output {
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
}

impl Output {
    pub(super) fn new(writer: impl Write + Send + 'static) -> Output {
        Output { writer: Arc::new(Mutex::new(Box::new(writer))) }
    }

    /// Writes a line, or several, at once.
    pub(super) fn line(&self, line: &impl Display) -> io::Result<()> {
        let text = format!("{line}\n");
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.write_all(text.as_bytes())?;
        writer.flush()
    }

    /// Writes `info string error: …`, on one line whatever the message quotes.
    pub(super) fn error(&self, error: &impl Display) -> io::Result<()> {
        let message = error.to_string();
        let mut text: String = message
            .chars()
            .map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c })
            .take(LONGEST_ERROR)
            .collect();
        if text.len() < message.len() {
            text.push('…');
        }
        self.line(&Reply::Info(Info::text(format!("error: {text}"))))
    }
}
