// SPDX-License-Identifier: GPL-3.0-or-later
//! The state of a tuning run, and its file: readable JSON, replaced as a whole, claimed while the run lasts.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use arena::{Difference, DuelResult, Settings, first_difference};
use contest::{Trinomial, spsa::Spsa};
use serde_json::{Map, Value, json};

/// How often the file is written, at most.
const PAUSE: Duration = Duration::from_millis(100);
/// How many points of the past are kept, about.
const POINTS: u64 = 400;
const HEADER: &str = "nue spsa state";
const VERSION: u64 = 1;

/// Where a run stands, and how it came there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) spsa: Spsa,
    /// The values at the beginning.
    pub(crate) starts: Vec<f64>,
    /// All games, as the first of both sets sees them.
    pub(crate) games: Trinomial,
    /// Games that were lost by misbehaving.
    pub(crate) faults: u32,
    /// Iterations that are finished though one before them is not.
    ahead: BTreeSet<u64>,
    pub(crate) history: Vec<Point>,
}

/// Where the parameters stood after some iterations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) iterations: u64,
    pub(crate) values: Vec<f64>,
}

impl State {
    /// The beginning.
    pub(crate) fn new(spsa: Spsa) -> State {
        let starts: Vec<f64> = spsa.parameters.iter().map(|parameter| parameter.value).collect();
        let history = vec![Point { iterations: 0, values: starts.clone() }];
        let (games, ahead) = (Trinomial::default(), BTreeSet::new());
        State { spsa, starts, games, faults: 0, ahead, history }
    }

    /// The iterations that are not finished, in their order.
    pub(crate) fn unfinished(&self) -> impl Iterator<Item = u64> + use<> {
        let (first, ahead) = (self.first_unfinished(), self.ahead.clone());
        (first..=self.spsa.gains.iterations).filter(move |iteration| !ahead.contains(iteration))
    }

    fn first_unfinished(&self) -> u64 {
        self.spsa.done - self.ahead.len() as u64 + 1
    }

    /// Counts a finished iteration.
    pub(crate) fn count(&mut self, result: &DuelResult) {
        let [losses, draws, wins] = result.games.counts();
        let [lost, drawn, won] = self.games.counts();
        self.games = Trinomial::new([lost + losses, drawn + draws, won + wins]);
        self.faults += result.faults;
        let mut first = self.first_unfinished();
        self.ahead.insert(result.number);
        self.spsa.update(result.number, wins as i32 - losses as i32);
        while self.ahead.remove(&first) {
            first += 1;
        }
        let (done, iterations) = (self.spsa.done, self.spsa.gains.iterations);
        if done.is_multiple_of(iterations.div_ceil(POINTS)) || done == iterations {
            let rounded = |value: f64| (value * 1000.0).round() / 1000.0;
            let values = self.spsa.parameters.iter().map(|parameter| rounded(parameter.value)).collect();
            self.history.push(Point { iterations: done, values });
        }
    }

    /// How far each parameter has moved, in its steps.
    pub(crate) fn moved(&self) -> Vec<f64> {
        let parameters = self.spsa.parameters.iter().zip(&self.starts);
        parameters.map(|(parameter, start)| (parameter.value - start) / parameter.step).collect()
    }

    fn to_json(&self, settings: &Settings) -> Value {
        let history = self.history.iter().map(|point| {
            let mut row = vec![json!(point.iterations)];
            row.extend(point.values.iter().map(|value| json!(value)));
            row
        });
        let values =
            self.spsa.parameters.iter().map(|parameter| (parameter.name.clone(), json!(parameter.value)));
        json!({
            HEADER: VERSION,
            "settings": settings,
            "iterations": self.spsa.done,
            "ahead": self.ahead,
            "games": self.games.counts(),
            "faults": self.faults,
            "values": values.collect::<Map<_, _>>(),
            "history": history.collect::<Vec<_>>(),
        })
    }

    /// Takes over what a file says about a run that began like this one.
    fn restore(&mut self, value: &Value) -> Option<()> {
        for parameter in &mut self.spsa.parameters {
            parameter.value = value["values"][&parameter.name].as_f64()?;
        }
        self.spsa.done = value["iterations"].as_u64()?;
        self.ahead = value["ahead"].as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?;
        let counts: Vec<u32> = numbers(&value["games"])?.into_iter().map(|count| count as u32).collect();
        self.games = Trinomial::new(counts.try_into().ok()?);
        self.faults = u32::try_from(value["faults"].as_u64()?).ok()?;
        let points = value["history"].as_array()?.iter().map(|row| {
            let (iterations, values) = (row[0].as_u64()?, numbers(row)?.split_off(1));
            (values.len() == self.starts.len()).then_some(Point { iterations, values })
        });
        self.history = points.collect::<Option<_>>()?;
        let fits = self.ahead.len() as u64 <= self.spsa.done && self.spsa.done <= self.spsa.gains.iterations;
        fits.then_some(())
    }
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(Value::as_f64).collect()
}

/// The file of a run; nobody else can use it meanwhile.
pub(crate) struct StateFile {
    path: PathBuf,
    settings: Settings,
    /// The file as it lies there now, claimed.
    claimed: Option<File>,
    written: Instant,
}

impl StateFile {
    /// Opens a file and takes over the state in it; a new file, or one to begin anew, gets the given one.
    pub(crate) fn open(
        path: &Path,
        settings: Settings,
        state: State,
        fresh: bool,
    ) -> anyhow::Result<(StateFile, State)> {
        let mut file = StateFile { path: path.to_owned(), settings, claimed: None, written: Instant::now() };
        let state = match File::open(path) {
            Ok(opened) if fresh => {
                arena::lock(&opened, path)?; // the state of a running one must not be taken from it
                file.claimed = Some(opened);
                state
            }
            Ok(opened) => file.take_over(opened, state)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => state,
            Err(error) => return Err(error).with_context(|| file.place()),
        };
        file.write(&state)?;
        Ok((file, state))
    }

    fn take_over(&mut self, mut opened: File, mut state: State) -> anyhow::Result<State> {
        arena::lock(&opened, &self.path)?;
        let mut text = String::new();
        opened.read_to_string(&mut text).with_context(|| self.place())?;
        self.claimed = Some(opened);
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        ensure!(value[HEADER].as_u64() == Some(VERSION), "{} is not the state of a tuning run", self.place());
        if let Some(Difference { key, found, expected }) =
            first_difference(&value["settings"], &self.settings)
        {
            bail!("{} belongs to another run: its {key} is {found}, expected {expected}", self.place());
        }
        state.restore(&value).with_context(|| format!("{} is damaged", self.place()))?;
        Ok(state)
    }

    /// Writes the state unless that was done a moment ago.
    pub(crate) fn keep(&mut self, state: &State) -> anyhow::Result<()> {
        if self.written.elapsed() < PAUSE { Ok(()) } else { self.write(state) }
    }

    /// Writes the state; when this returns, it is on disk.
    pub(crate) fn write(&mut self, state: &State) -> anyhow::Result<()> {
        let mut name = self.path.clone().into_os_string();
        name.push(".tmp");
        let temporary = PathBuf::from(name);
        let text = layout(&state.to_json(&self.settings));
        let mut file = File::create(&temporary).with_context(|| self.place())?;
        arena::lock(&file, &self.path)?;
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
        written.and_then(|()| fs::rename(&temporary, &self.path)).with_context(|| self.place())?;
        self.claimed = Some(file);
        self.written = Instant::now();
        Ok(())
    }

    fn place(&self) -> String {
        format!("state file {}", self.path.display())
    }
}

/// JSON that people can read: an entry on each line, two levels deep.
fn layout(value: &Value) -> String {
    fn indented(value: &Value, depth: usize) -> String {
        let (open, close, items): (_, _, Vec<String>) = match value {
            Value::Object(object) if depth < 2 && !object.is_empty() => {
                let item = |(key, value)| format!("{}: {}", json!(key), indented(value, depth + 1));
                ('{', '}', object.iter().map(item).collect())
            }
            Value::Array(array) if depth < 2 && array.first().is_some_and(Value::is_array) => {
                ('[', ']', array.iter().map(|value| indented(value, depth + 1)).collect())
            }
            _ => return value.to_string(),
        };
        let indent = "  ".repeat(depth);
        let items: Vec<String> = items.into_iter().map(|item| format!("\n{indent}  {item}")).collect();
        format!("{open}{}\n{indent}{close}", items.join(","))
    }
    format!("{}\n", indented(value, 0))
}

#[cfg(test)]
mod tests {
    use contest::spsa::{Gains, Parameter};

    use super::*;

    fn state(iterations: u64) -> State {
        let parameter = |name: &str, value| {
            let name = name.to_owned();
            Parameter { name, value, min: 0, max: 1000, step: 40.0, rate: 0.002 }
        };
        let parameters = vec![parameter("b", 500.0), parameter("a", 100.0 / 3.0)];
        State::new(Spsa::new(parameters, Gains::new(iterations), 7).unwrap())
    }

    fn result(number: u64, wins: u32, losses: u32) -> DuelResult {
        DuelResult { number, games: Trinomial::new([losses, 1, wins]), faults: losses }
    }

    fn settings(value: Value) -> Settings {
        value.as_object().unwrap().clone()
    }

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("nue-spsa-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path); // it is there only if the test ran before
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_state_reads_back_exactly() {
        let folder = folder("exactly");
        let path = folder.join("run.state");
        let (mut file, mut one) =
            StateFile::open(&path, settings(json!({ "tc": "x" })), state(90), false).unwrap();
        for number in [1, 2, 5, 3, 9] {
            one.count(&result(number, number as u32 % 3, 1));
        }
        file.write(&one).unwrap();
        drop(file);
        let (_, other) = StateFile::open(&path, settings(json!({ "tc": "x" })), state(90), false).unwrap();
        assert_eq!(one, other);
        assert_eq!(other.unfinished().take(5).collect::<Vec<_>>(), [4, 6, 7, 8, 10]);
        assert_eq!(other.games.counts(), [5, 5, 5]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn other_settings_and_other_files_are_refused() {
        let folder = folder("refused");
        let path = folder.join("run.state");
        let open = |settings: Settings, state: State| {
            StateFile::open(&path, settings, state, false).map(drop).map_err(|error| format!("{error:#}"))
        };
        let old = settings(json!({ "tc": "nodes=10", "parameter a": "1, 0, 9, 1, 0.1" }));
        open(old.clone(), state(9)).unwrap();
        let name = path.display();
        let other = open(settings(json!({ "tc": "nodes=20", "parameter a": "1, 0, 9, 1, 0.1" })), state(9));
        let message = format!(
            "state file {name} belongs to another run: its tc is \"nodes=10\", expected \"nodes=20\""
        );
        assert_eq!(other, Err(message));
        let fewer = open(settings(json!({ "tc": "nodes=10" })), state(9));
        let message = format!(
            "state file {name} belongs to another run: its parameter a is \"1, 0, 9, 1, 0.1\", expected null"
        );
        assert_eq!(fewer, Err(message));
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("\"ahead\"", "\"behind\"")).unwrap();
        assert_eq!(open(old.clone(), state(9)), Err(format!("state file {name} is damaged")));
        fs::write(&path, "{}").unwrap();
        assert_eq!(open(old, state(9)), Err(format!("state file {name} is not the state of a tuning run")));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_in_use_is_refused() {
        let folder = folder("in-use");
        let path = folder.join("run.state");
        let open = || StateFile::open(&path, Settings::new(), state(9), true);
        let (mut file, state) = open().unwrap();
        file.write(&state).unwrap();
        let error = open().map(drop).unwrap_err().to_string();
        assert_eq!(error, format!("{} is in use by another program", path.display()));
        drop(file);
        open().unwrap();
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_past_is_thinned_and_keeps_both_ends() {
        let mut state = state(1001);
        for number in 1..=1001 {
            state.count(&result(number, 1, 0));
        }
        let iterations: Vec<u64> = state.history.iter().map(|point| point.iterations).collect();
        assert_eq!(iterations.iter().take(3).collect::<Vec<_>>(), [&0, &3, &6]);
        assert_eq!(iterations.last(), Some(&1001));
        assert!(iterations.len() as u64 <= POINTS + 2);
        assert_eq!(state.unfinished().next(), None);
    }
}
