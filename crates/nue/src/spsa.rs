// SPDX-License-Identifier: GPL-3.0-or-later
//! `nue spsa`: an engine finds better values for its parameters by playing itself.

mod params;
mod picture;
mod report;
mod state;

use std::{
    env,
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use arena::{Conditions, Duel, Duels, EngineSpec, Program, Settings};
use clap::Args;
use contest::{
    TimeControl,
    spsa::{Candidates, Gains, Parameter, Spsa as Tuner},
};
use formats::book::Book;
use serde_json::json;

use self::{
    report::Report,
    state::{State, StateFile},
};
use crate::{
    game_options::{ENGINES_HELP, GameOptions},
    screen::Screen,
};

/// How often a file is told how it goes.
const LINE_PAUSE: Duration = Duration::from_secs(10);
/// How often the plot is drawn while the run goes on.
const PLOT_PAUSE: Duration = Duration::from_secs(60);

/// Tune the numbers of an engine's search by games against itself.
///
/// Simultaneous perturbation (SPSA): every iteration moves all parameters at once, each up or down by chance,
/// plays the engine so moved against the engine moved the opposite way, and shifts every parameter a little
/// towards the winner. It takes many thousands of games; stop it as you like, for the same command goes on
/// where it was. What it found still has to prove itself in nue sprt.
///
/// Nue offers its parameters as UCI options when it is built with
/// cargo build --release --features tune
#[derive(Args)]
#[command(after_help = format!("Examples:
  nue spsa --iterations 20000 --tc nodes=20000 --book UHO.epd.zst --concurrency 2 --plot spsa.svg
  nue spsa --print-params > params.txt      (delete the lines that are not to be tuned)
  nue spsa --params params.txt --iterations 20000 --tc 8+0.08 --book UHO.epd.zst --state search.state
  nue spsa --engine cmd=./other --params other.txt --tc nodes=5000

Parameter files have a line for each parameter, comments after #:
  {}
or, as fishtest wants it:
  name, int, start, min, max, C_end, R_end
The step is how far the last iteration moves the parameter both ways (earlier ones go further): large enough to
make a difference of a few Elo. The rate is how many steps the last iteration shifts it for each game won
more than lost: 0.002 is usual.

{ENGINES_HELP}
In nue spsa, own is this program started once more for each player: all search parameters of a process are
shared.", params::FORM))]
pub(crate) struct Spsa {
    /// The engine, see below
    #[arg(long, value_name = "SPEC", default_value = "own")]
    engine: EngineSpec,

    /// Iterations of the whole run; perturbations and shifts shrink towards the last
    #[arg(long, value_name = "N", default_value_t = 1000)]
    iterations: u64,

    /// Games of an iteration: an even number, two for each opening
    #[arg(long, value_name = "N", default_value_t = 2)]
    games_per_iteration: usize,

    /// The parameters to be tuned [default: every search parameter that the engine offers]
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,

    /// Print the parameters as a file for --params, and play nothing
    #[arg(long)]
    print_params: bool,

    /// State file, from which an interrupted run goes on
    #[arg(long, value_name = "FILE", default_value = "spsa.state")]
    state: PathBuf,

    /// Begin anew: delete the state file
    #[arg(long)]
    fresh: bool,

    /// Draw the course of the parameters, as SVG or PNG by the name's ending
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    play: GameOptions,
}

impl Spsa {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        self.check()?;
        let (engine, conditions) = (apart(&self.engine)?, self.play.conditions()?);
        let parameters = self.parameters(&engine, &conditions)?;
        if self.print_params {
            say!("# {}", params::FORM);
            parameters.iter().for_each(|parameter| say!("{}", params::line(parameter)));
            return Ok(ExitCode::SUCCESS);
        }
        let book = self.play.book()?;
        let settings = self.settings(&parameters);
        let tuner = Tuner::new(parameters, Gains::new(self.iterations), self.play.seed)?;
        let (file, state) = StateFile::open(&self.state, settings, State::new(tuner), self.fresh)?;
        let duels = Duels {
            engine: &engine,
            time_control: self.control(),
            conditions: &conditions,
            concurrency: self.play.concurrency,
        };
        let now = Instant::now();
        let course = Course {
            options: &self,
            book: book.as_ref(),
            file,
            before: state.spsa.done,
            state,
            begun: now,
            screen: Screen::new(false),
            last_line: now,
            last_plot: now,
        };
        course.run(&duels)?;
        Ok(ExitCode::SUCCESS)
    }

    fn check(&self) -> anyhow::Result<()> {
        self.play.check()?;
        let games = self.games_per_iteration;
        ensure!(games > 0 && games.is_multiple_of(2), "{games} games per iteration, expected an even number");
        if let Some(path) = &self.plot {
            plot::Format::of(path)?;
        }
        Ok(())
    }

    fn control(&self) -> TimeControl {
        self.engine.time_control.unwrap_or(self.play.time_control)
    }

    /// The parameters, none of which the engine lacks.
    fn parameters(&self, engine: &EngineSpec, conditions: &Conditions) -> anyhow::Result<Vec<Parameter>> {
        let from_file = self.params.as_deref().map(params::read).transpose()?;
        let player = arena::start(engine, conditions.chess960, conditions.patience)?;
        let offers = player.offers();
        let parameters = from_file.unwrap_or_else(|| params::offered(offers, self.control()));
        params::check(&parameters, offers, &engine.name)?;
        Ok(parameters)
    }

    /// Everything that the results depend on: a run goes on only with the same.
    fn settings(&self, parameters: &[Parameter]) -> Settings {
        let mut settings = self.play.settings();
        let mut insert = |key: &str, value| settings.insert(key.to_owned(), value);
        insert("engine", json!(self.engine.to_string()));
        insert("iterations", json!(self.iterations));
        insert("games_per_iteration", json!(self.games_per_iteration));
        insert("seed", json!(self.play.seed));
        for parameter in parameters {
            let line = params::line(parameter);
            let numbers = line[parameter.name.len()..].trim_start_matches(", ");
            insert(&format!("parameter {}", parameter.name), json!(numbers));
        }
        settings
    }
}

/// The engine as a program of its own: inside this one, both players would share their parameters.
fn apart(spec: &EngineSpec) -> anyhow::Result<EngineSpec> {
    let mut spec = spec.clone();
    if spec.program == Program::Own {
        let path = env::current_exe().context("this program does not find itself")?;
        let (path, arguments) = (path.display().to_string(), vec!["uci".to_owned()]);
        spec.program = Program::Command { path, arguments, directory: None };
    }
    Ok(spec)
}

/// A run under way.
struct Course<'a> {
    options: &'a Spsa,
    book: Option<&'a Book>,
    file: StateFile,
    state: State,
    /// Iterations that were finished when it was started.
    before: u64,
    begun: Instant,
    screen: Screen,
    last_line: Instant,
    last_plot: Instant,
}

impl Course<'_> {
    /// Plays all iterations that are left and says how they went.
    fn run(mut self, duels: &Duels<'_>) -> anyhow::Result<()> {
        if self.before > 0 {
            self.screen.line(&format!("going on after {} finished iterations", self.before));
        }
        let mut unfinished = self.state.unfinished();
        duels.run(|result| -> anyhow::Result<Option<Duel>> {
            if let Some(result) = result {
                self.state.count(&result);
                self.file.keep(&self.state)?;
                self.show()?;
            }
            Ok(unfinished.next().map(|iteration| self.duel(iteration)))
        })?;
        self.file.write(&self.state)?;
        self.draw()?;
        let report = self.report();
        let text = format!("{}\n{}\n{}", report.progress(), report.full_table(), report.paste());
        self.screen.end(&text);
        Ok(())
    }

    /// The games of an iteration, given the parameters as they are now.
    fn duel(&self, iteration: u64) -> Duel {
        let Candidates { plus, minus } = self.state.spsa.candidates(iteration);
        let options = [plus, minus].map(|values| {
            let named = self.state.spsa.parameters.iter().zip(values);
            named.map(|(parameter, value)| (parameter.name.clone(), value.to_string())).collect()
        });
        let pairs = self.options.games_per_iteration / 2;
        let first = (iteration - 1) as usize * pairs;
        let openings = (first..first + pairs).map(|number| arena::opening(self.book, number)).collect();
        Duel { number: iteration, options, openings }
    }

    fn report(&self) -> Report<'_> {
        Report {
            state: &self.state,
            elapsed: self.begun.elapsed(),
            before: self.before,
            games: self.options.games_per_iteration,
        }
    }

    fn show(&mut self) -> anyhow::Result<()> {
        if self.screen.is_terminal() {
            let text = self.report().live();
            self.screen.state(|| text);
        } else if self.last_line.elapsed() >= LINE_PAUSE {
            self.last_line = Instant::now();
            let line = self.report().progress();
            self.screen.line(&line);
        }
        if self.last_plot.elapsed() >= PLOT_PAUSE {
            self.last_plot = Instant::now();
            self.draw()?;
        }
        Ok(())
    }

    fn draw(&self) -> anyhow::Result<()> {
        if let Some(path) = &self.options.plot {
            let title = format!("Tuning of {} at {}", self.options.engine.name, self.options.control());
            picture::draw(path, &title, &self.state)?;
        }
        Ok(())
    }
}
