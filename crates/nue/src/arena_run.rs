// SPDX-License-Identifier: GPL-3.0-or-later
//! Playing a match on the terminal: options in, games and a live table out.

use std::{
    io::{self, IsTerminal, Write},
    ops::ControlFlow,
    time::Instant,
};

use arena::{Labels, Ledger, Match, Settings, Standings};
use contest::{Sprt, Verdict, pairing::Schedule};

use crate::{
    arena_options::ArenaOptions,
    arena_report::{Progress, Report},
};

/// Plays what is left of a match, shows how it goes, and returns where it stands at the end.
pub(crate) fn play(
    options: &ArenaOptions,
    schedule: Schedule,
    settings: &Settings,
    sprt: Option<&Sprt>,
) -> anyhow::Result<Standings> {
    let (book, conditions) = (options.book()?, options.conditions()?);
    let names = options.names();
    let mut ledger = Ledger::open(&options.files()?, settings, &schedule, names.len())?;
    let plan = Match {
        engines: &options.engines,
        schedule,
        time_control: options.time_control,
        book: book.as_ref(),
        conditions: &conditions,
        concurrency: options.concurrency,
    };
    let mut screen = Screen::new(options.json);
    let view = View {
        names: &names,
        sprt,
        begun: Instant::now(),
        before: ledger.standings().clone(),
        slots: options.concurrency,
    };
    if view.before.games() > 0 {
        screen.line(&format!("going on after {} finished games", view.before.games()));
    }
    let decided = |standings: &Standings| match sprt {
        Some(sprt) => sprt.verdict(&standings.rows()[0].pairs) != Verdict::Continue,
        None => false,
    };
    if !decided(ledger.standings()) {
        plan.run(&ledger.done().clone(), |finished| {
            let fixture = finished.fixture;
            let engines = [fixture.white, fixture.black];
            let labels = Labels {
                event: &options.event,
                round: fixture.game + 1,
                names: engines.map(|engine| names[engine]),
                controls: engines.map(|engine| plan.control(engine)),
                chess960: conditions.chess960,
            };
            let result = ledger.enter(&finished, &labels)?;
            let report = view.report(ledger.standings());
            screen.game(&report.game_line(&fixture, &result, schedule.games()), || report.table());
            let over = decided(ledger.standings());
            anyhow::Ok(if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
    }
    let report = view.report(ledger.standings());
    screen.end(&report.table());
    if options.json {
        println!("{:#}", report.json());
    }
    Ok(ledger.standings().clone())
}

/// How a match is looked at: what it needs besides the standings to be reported.
struct View<'a> {
    names: &'a [&'a str],
    sprt: Option<&'a Sprt>,
    begun: Instant,
    /// The standings when this run began.
    before: Standings,
    slots: usize,
}

impl View<'_> {
    fn report<'b>(&'b self, standings: &'b Standings) -> Report<'b> {
        let progress = Progress {
            elapsed: self.begun.elapsed(),
            games: standings.games() - self.before.games(),
            thinking: standings.thinking() - self.before.thinking(),
            slots: self.slots,
        };
        Report { names: self.names, standings, sprt: self.sprt, progress }
    }
}

/// Where the course of a match is shown: on a terminal the table stays at the bottom, in a file it comes last.
struct Screen {
    on_error: bool,
    terminal: bool,
    /// Lines of the table that is shown now.
    shown: usize,
}

impl Screen {
    fn new(on_error: bool) -> Screen {
        let terminal = if on_error { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
        Screen { on_error, terminal, shown: 0 }
    }

    fn line(&mut self, line: &str) {
        self.print(&format!("{line}\n"));
    }

    fn game(&mut self, line: &str, table: impl FnOnce() -> String) {
        if !self.terminal {
            return self.line(line);
        }
        let table = table();
        let text = format!("{}{line}\n{table}", self.erase());
        self.print(&text);
        self.shown = table.lines().count();
    }

    fn end(&mut self, table: &str) {
        let text = format!("{}{table}", self.erase());
        self.print(&text);
    }

    /// What takes the table off the screen.
    fn erase(&mut self) -> String {
        match std::mem::take(&mut self.shown) {
            0 => String::new(),
            lines => format!("\x1b[{lines}A\x1b[0J"),
        }
    }

    /// Prints at once; a closed terminal is no reason to lose a match.
    fn print(&self, text: &str) {
        let _ = if self.on_error {
            io::stderr().write_all(text.as_bytes())
        } else {
            io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush())
        };
    }
}
