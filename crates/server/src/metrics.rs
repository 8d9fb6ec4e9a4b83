// SPDX-License-Identifier: GPL-3.0-or-later
//! Counters in the text form that Prometheus reads.

use std::{
    fmt::Write,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Counts; the count from now on.
    pub fn add(&self, amount: u64) -> u64 {
        self.0.fetch_add(amount, Relaxed) + amount
    }

    /// The count.
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// What the server counts.
#[derive(Debug, Default)]
pub struct Metrics {
    /// WebSockets accepted.
    pub connections: Counter,
    /// WebSockets closed.
    pub disconnections: Counter,
    /// Messages received.
    pub messages: Counter,
    /// Requests refused.
    pub refusals: Counter,
    /// Actions of humans in games.
    pub actions: Counter,
    /// Moves of the engine.
    pub engine_moves: Counter,
    /// Changes of studies.
    pub edits: Counter,
    /// Analyses begun.
    pub analyses: Counter,
    /// PGN files imported.
    pub imports: Counter,
}

impl Metrics {
    /// How many WebSockets are open.
    pub fn sockets(&self) -> u64 {
        self.connections.get().saturating_sub(self.disconnections.get())
    }

    /// The counters as text; gauges are passed in with name, explanation and value.
    pub fn text(&self, gauges: &[(&str, &str, u64)]) -> String {
        let counters = [
            ("connections", "WebSockets accepted", &self.connections),
            ("messages", "messages received", &self.messages),
            ("refusals", "requests refused", &self.refusals),
            ("actions", "actions of humans in games", &self.actions),
            ("engine_moves", "moves of the engine", &self.engine_moves),
            ("edits", "changes of studies", &self.edits),
            ("analyses", "analyses begun", &self.analyses),
            ("imports", "PGN files imported", &self.imports),
        ];
        let mut text = String::new();
        for (name, help, counter) in counters {
            let value = counter.get();
            let _ = writeln!(text, "# HELP nue_{name}_total {help}\n# TYPE nue_{name}_total counter");
            let _ = writeln!(text, "nue_{name}_total {value}");
        }
        for (name, help, value) in gauges {
            let _ = writeln!(text, "# HELP nue_{name} {help}\n# TYPE nue_{name} gauge\nnue_{name} {value}");
        }
        text
    }
}
