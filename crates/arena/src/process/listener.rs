// SPDX-License-Identifier: GPL-3.0-or-later
//! A thread that reads what a program says, stamps what matters and forgets the rest.
//!
//! Its memory is bounded whatever the program writes: of `info` lines only the last good one is kept,
//! lines are cut, the queue is short, and the pipe of a program that writes on and on is closed.

use std::{
    io::{self, BufRead, BufReader, Read},
    mem,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel},
    },
    thread,
    time::Instant,
};

/// The rest of a longer line is not kept.
const LONGEST_LINE: usize = 1 << 16;

/// Answers that may wait; the option list of a large engine is some hundred lines.
const WAITING_LINES: usize = 4096;

/// More than this between two requests is a flood; a long analysis writes a hundredth of it.
const FLOOD_BYTES: u64 = 32 << 20;

/// The words that begin an answer.
const ANSWERS: [&[u8]; 5] = [b"bestmove", b"readyok", b"uciok", b"option", b"id"];

/// An answer.
#[derive(Debug)]
pub(super) struct Heard {
    /// When it came.
    pub(super) at: Instant,
    pub(super) line: String,
    /// The last `info` line with a score before it.
    pub(super) info: Option<String>,
}

/// Why there is no answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// There may still be one.
    Waiting,
    /// The program closed its output.
    Ended,
    /// The program writes without end, and its pipe was closed.
    Flood,
}

#[derive(Default)]
struct Meter {
    bytes: AtomicU64,
    flooded: AtomicBool,
    /// How often something was asked for.
    requests: AtomicU32,
}

/// The receiving end.
pub(super) struct Listener {
    answers: Receiver<Heard>,
    meter: Arc<Meter>,
}

impl Listener {
    /// Listens on a thread that ends with the output.
    pub(super) fn start(output: impl Read + Send + 'static) -> io::Result<Listener> {
        let (sender, answers) = sync_channel(WAITING_LINES);
        let meter = Arc::new(Meter::default());
        let reader = Reader {
            sender,
            meter: Arc::clone(&meter),
            line: Vec::new(),
            info: Info::default(),
            requests: 0,
        };
        thread::Builder::new().name("listener".into()).spawn(move || reader.run(BufReader::new(output)))?;
        Ok(Listener { answers, meter })
    }

    /// The next answer before the deadline.
    pub(super) fn hear(&self, deadline: Instant) -> Result<Heard, Silence> {
        match self.answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(heard) => Ok(heard),
            Err(RecvTimeoutError::Disconnected) if self.meter.flooded.load(Relaxed) => Err(Silence::Flood),
            Err(RecvTimeoutError::Disconnected) => Err(Silence::Ended),
            Err(RecvTimeoutError::Timeout) => Err(Silence::Waiting),
        }
    }

    /// Forgets what nobody asked for and begins to count output anew: to be called before each request.
    pub(super) fn forget(&self) {
        self.meter.bytes.store(0, Relaxed);
        self.meter.requests.fetch_add(1, Relaxed);
        while self.answers.try_recv().is_ok() {}
    }
}

/// The last `info` line with a score; exact scores go before bounds.
#[derive(Default)]
struct Info {
    line: Vec<u8>,
    exact: bool,
}

impl Info {
    fn take_note(&mut self, line: &[u8]) {
        let contains = |word: &[u8]| line.windows(word.len()).any(|part| part == word);
        let side_line = contains(b" multipv ") && !contains(b" multipv 1 ");
        if side_line || line.starts_with(b"info string") || !contains(b" score ") {
            return;
        }
        let exact = !contains(b"bound");
        if exact || !self.exact {
            self.line.clear();
            self.line.extend_from_slice(line);
            self.exact = exact;
        }
    }

    fn take(&mut self) -> Option<String> {
        let info = mem::take(self);
        (!info.line.is_empty()).then(|| text(&info.line))
    }
}

/// The reading end.
struct Reader {
    sender: SyncSender<Heard>,
    meter: Arc<Meter>,
    line: Vec<u8>,
    info: Info,
    /// The request that `info` belongs to.
    requests: u32,
}

impl Reader {
    fn run(mut self, mut output: impl BufRead) {
        loop {
            let chunk = match output.fill_buf() {
                Ok([]) => return,
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return,
            };
            let at = Instant::now();
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let room = LONGEST_LINE - self.line.len();
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            output.consume(used);
            let bytes = self.meter.bytes.fetch_add(used as u64, Relaxed) + used as u64;
            let has_room = end.is_none() || self.finish_line(at);
            if !has_room || bytes > FLOOD_BYTES {
                self.meter.flooded.store(true, Relaxed);
                return; // the pipe is closed, and writing on will end the program
            }
        }
    }

    /// Passes a complete line on if it is an answer; tells whether there was room for it.
    fn finish_line(&mut self, at: Instant) -> bool {
        let line = mem::take(&mut self.line);
        let words = line.trim_ascii();
        let first = words.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        let mut room = true;
        let requests = self.meter.requests.load(Relaxed);
        if mem::replace(&mut self.requests, requests) != requests {
            self.info = Info::default(); // it was said about an earlier question
        }
        if first == b"info" {
            self.info.take_note(words);
        } else if ANSWERS.contains(&first) {
            let heard = Heard { at, line: text(words), info: self.info.take() };
            // If nobody listens any more, the player is gone and the program will follow.
            room = !matches!(self.sender.try_send(heard), Err(TrySendError::Full(_)));
        }
        self.line = line;
        self.line.clear();
        room
    }
}

/// Programs may write names in any character set; one stray letter must not end the conversation.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    fn listen(output: impl Read + Send + 'static) -> Listener {
        Listener::start(output).expect("a thread")
    }

    #[test]
    fn answers_come_with_the_last_exact_score() {
        let output = "Hello!\ninfo depth 1 score cp 5 pv e2e4\ninfo depth 2 score cp 7 lowerbound\n\
                      info depth 2 multipv 2 score cp 1\ninfo string score\n bestmove e2e4 \r\n\
                      info depth 3 score cp 9 upperbound\nbestmove d2d4\nreadyok";
        let listener = listen(output.as_bytes());
        let heard = listener.hear(soon()).unwrap();
        assert_eq!(heard.line, "bestmove e2e4");
        assert_eq!(heard.info.as_deref(), Some("info depth 1 score cp 5 pv e2e4"));
        let heard = listener.hear(soon()).unwrap();
        assert_eq!(heard.info.as_deref(), Some("info depth 3 score cp 9 upperbound"));
        assert_eq!(listener.hear(soon()).unwrap_err(), Silence::Ended, "a line without an end is no answer");
    }

    #[test]
    fn strange_letters_do_no_harm() {
        let listener = listen(&b"\xff\xfe\x00\nid name caf\xe9\nuciok\n"[..]);
        assert_eq!(listener.hear(soon()).unwrap().line, "id name caf\u{fffd}");
        assert_eq!(listener.hear(soon()).unwrap().line, "uciok");
    }

    #[test]
    fn floods_end_the_listening() {
        for flood in ["info depth 1 score cp 1\n", "noise", "readyok\n"] {
            let listener = listen(Endless(flood.as_bytes()));
            let mut silence = Silence::Waiting;
            while silence == Silence::Waiting {
                silence = listener.hear(soon()).map_or_else(|silence| silence, |_| Silence::Waiting);
            }
            assert_eq!(silence, Silence::Flood);
        }
    }

    struct Endless(&'static [u8]);

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.iter_mut().zip(self.0.iter().cycle()).for_each(|(to, from)| *to = *from);
            Ok(buffer.len() - buffer.len() % self.0.len())
        }
    }

    #[test]
    fn long_lines_are_cut() {
        let output = format!("id name {}\nuciok\n", "x".repeat(3 * LONGEST_LINE));
        let listener = listen(io::Cursor::new(output));
        assert_eq!(listener.hear(soon()).unwrap().line.len(), LONGEST_LINE);
        assert_eq!(listener.hear(soon()).unwrap().line, "uciok");
    }

    #[test]
    fn what_nobody_asked_for_is_forgotten() {
        let (reader, mut writer) = io::pipe().expect("a pipe");
        let listener = listen(reader);
        io::Write::write_all(&mut writer, b"bestmove e2e4\nbestmove e7e5\n").unwrap();
        let first = listener.hear(soon()).unwrap();
        assert_eq!(first.line, "bestmove e2e4");
        thread::sleep(Duration::from_millis(50));
        listener.forget();
        assert_eq!(listener.hear(Instant::now()).unwrap_err(), Silence::Waiting);
    }

    #[test]
    fn a_score_that_comes_too_late_is_no_opinion_of_the_next_move() {
        let (reader, mut writer) = io::pipe().expect("a pipe");
        let listener = listen(reader);
        io::Write::write_all(&mut writer, b"bestmove e2e4\ninfo depth 9 score cp 900\n").unwrap();
        listener.hear(soon()).unwrap();
        thread::sleep(Duration::from_millis(50));
        listener.forget();
        io::Write::write_all(&mut writer, b"bestmove e7e5\n").unwrap();
        assert_eq!(listener.hear(soon()).unwrap().info, None);
    }
}
