// SPDX-License-Identifier: GPL-3.0-or-later
//! Playing a match on the terminal: options in, games and a live table out.

use std::{
    io::{self, Write},
    ops::ControlFlow,
    time::Instant,
};

use arena::{Labels, Ledger, Match, Settings, Standings};
use contest::{Sprt, Verdict, pairing::Schedule};
use formats::book::Book;
use serde_json::Value;

use super::{
    options::ArenaOptions,
    report::{Progress, Report},
};
use crate::screen::Screen;

/// A match at its end.
pub(crate) struct Played {
    pub(crate) standings: Standings,
    /// The same for programs.
    pub(crate) json: Value,
}

/// Plays what is left of a match, shows how it goes, and returns where it stands at the end.
pub(crate) fn play(
    options: &ArenaOptions,
    book: Option<&Book>,
    schedule: Schedule,
    settings: &Settings,
    sprt: Option<&Sprt>,
) -> anyhow::Result<Played> {
    let conditions = options.play.conditions()?;
    let names = options.names();
    let mut ledger = Ledger::open(&options.files(), settings, &schedule, names.len())?;
    let (wanted, openings) = (schedule.openings(), book.map_or(1, Book::len));
    if wanted > openings {
        warn(&format!(
            "{wanted} pairs of games from {openings} openings: repeated games make results look surer than they are"
        ));
    }
    let plan = Match {
        engines: &options.engines,
        schedule,
        time_control: options.play.time_control,
        book,
        conditions: &conditions,
        concurrency: options.play.concurrency,
    };
    let mut screen = Screen::new(options.json);
    let view = View {
        names: &names,
        sprt,
        begun: Instant::now(),
        before: ledger.standings().clone(),
        slots: plan.slots(ledger.done()),
    };
    let decided = |standings: &Standings| match sprt {
        Some(sprt) => sprt.verdict(&standings.rows()[0].pairs) != Verdict::Continue,
        None => false,
    };
    match view.before.games() {
        0 => {}
        games if decided(&view.before) => screen.line(&format!("decided earlier, after {games} games")),
        games => screen.line(&format!("going on after {games} finished games")),
    }
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
            screen.line_above(&report.game_line(&fixture, &result, schedule.games()), || report.table());
            let over = decided(ledger.standings());
            anyhow::Ok(if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
    }
    ledger.sync()?;
    let report = view.report(ledger.standings());
    screen.end(&report.table());
    Ok(Played { json: report.json(), standings: ledger.standings().clone() })
}

/// Says what deserves attention, apart from the results.
pub(crate) fn warn(text: &str) {
    let _ = writeln!(io::stderr(), "warning: {text}");
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
