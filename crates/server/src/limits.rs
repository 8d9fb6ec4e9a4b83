// SPDX-License-Identifier: GPL-3.0-or-later
//! Every limit of the server in one place: what one page may ask for, so that others are served too.

use std::time::Duration;

use crate::core::turns::TurnLengths;

/// The limits; [`Limits::default`] is what `nue serve` uses.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Most WebSockets at a time.
    pub sockets: usize,
    /// Most bytes of a message.
    pub message_bytes: usize,
    /// Most bytes of an imported PGN.
    pub import_bytes: usize,
    /// Most games of an imported PGN.
    pub import_games: usize,
    /// Messages that a page may send at once; what comes faster waits.
    pub burst: u32,
    /// Messages a second that a page may send for long.
    pub rate: u32,
    /// Malformed messages after which a page is disconnected.
    pub malformed: u32,
    /// Analyses, hints, reports and explanations of one page at a time.
    pub jobs: usize,
    /// Searches of all pages that may wait for each slot: at most so many first turns before one's own.
    pub waiting: usize,
    /// Games and studies that one page has open.
    pub documents: usize,
    /// Events that wait for one page before its sources are held back.
    pub queue: usize,
    /// Most threads of an analysis.
    pub threads: usize,
    /// Largest hash table of an analysis in MiB.
    pub hash_mb: usize,
    /// Most lines of an analysis.
    pub lines: usize,
    /// Deepest analysis.
    pub depth: u32,
    /// Turns on the search slots while others wait.
    pub turns: TurnLengths,
    /// Shortest time between two `lines` events of an analysis.
    pub lines_interval: Duration,
    /// A page that takes longer to accept a message is disconnected.
    pub send_timeout: Duration,
    /// A page that is silent this long is asked whether it is still there, and later disconnected.
    pub silence: Duration,
    /// How long requests may take to end when the server shuts down.
    pub shutdown: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            sockets: 4096,
            message_bytes: 64 << 10,
            import_bytes: 2 << 20,
            import_games: 500,
            burst: 200,
            rate: 50,
            malformed: 20,
            jobs: 4,
            waiting: 64,
            documents: 16,
            queue: 16,
            threads: cores,
            hash_mb: 1024,
            lines: 5,
            depth: 120,
            turns: TurnLengths { first: 150, later: 500 },
            lines_interval: Duration::from_millis(100),
            send_timeout: Duration::from_secs(20),
            silence: Duration::from_secs(45),
            shutdown: Duration::from_secs(5),
        }
    }
}
