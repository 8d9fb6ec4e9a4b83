// SPDX-License-Identifier: GPL-3.0-or-later
//! A run that was killed ends with the same bytes as one that was not.

use std::{
    fs,
    path::{Path, PathBuf},
};

use trainer::{
    Reading,
    run::{About, End, Entry, Folder, Learned, Progress, Run, RunError, read_log},
};

use crate::positions;

/// Watches without a word and stops after a number of steps.
#[derive(Default)]
pub(crate) struct Quiet {
    stop_after: Option<u64>,
    seen: u64,
    rounds: Vec<u64>,
}

impl Quiet {
    pub(crate) fn stopping_after(steps: u64) -> Quiet {
        Quiet { stop_after: Some(steps), ..Quiet::default() }
    }
}

impl trainer::run::Watch for Quiet {
    fn begins(&mut self, _: &About) {}

    fn step(&mut self, progress: &Progress) {
        self.seen = progress.steps;
    }

    fn round(&mut self, entry: &Entry, _: &Folder) {
        self.rounds.push(entry.steps);
    }

    fn stops(&mut self) -> bool {
        self.stop_after == Some(self.seen)
    }
}

fn config(optimiser: &str) -> String {
    format!(
        r#"
        name = "toy"
        device = "cpu"
        [network]
        features = "HalfKA-hm8"
        width = 128
        hidden = [8]
        factoriser = true
        [data]
        files = ["train.bin"]
        hold_out = 0.1
        [loss]
        lambda = {{ start = 1.0, end = 0.5 }}
        [optimiser]
        kind = "{optimiser}"
        [schedule]
        rate = 0.002
        last = 0.0001
        [run]
        positions = 6000
        batch = 200
        round = 1400
        checkpoint_seconds = 0
        export_every = 2
        "#
    )
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("nue-resume-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    let bytes: Vec<u8> = positions::records(1500, 31).iter().flat_map(|record| record.0).collect();
    fs::write(path.join("train.bin"), bytes).unwrap();
    path
}

/// Everything a run leaves behind that does not depend on the clock.
fn remains(run: &Path) -> (Vec<u8>, Vec<u8>, Vec<String>) {
    let net = fs::read(run.join("nets/toy.net")).unwrap();
    let checkpoint = fs::read(run.join("checkpoints/0000000030.ckpt")).unwrap();
    let log = read_log(&Folder::open(run).unwrap()).unwrap();
    let line = |entry: &Entry| format!("{} {} {:?}", entry.steps, entry.loss, entry.validation);
    (net, checkpoint, log.iter().map(line).collect())
}

#[test]
fn a_killed_run_ends_like_an_undisturbed_one() {
    for optimiser in ["adamw", "ranger"] {
        let base = folder(optimiser);
        let text = config(optimiser);
        let (whole, broken) = (base.join("whole"), base.join("broken"));
        let mut quiet = Quiet::default();
        assert_eq!(
            Run::create(&text, &base, &whole, Reading::default()).unwrap().train(&mut quiet, None).unwrap(),
            End::Finished
        );
        assert_eq!(quiet.rounds, [7, 14, 21, 28, 30]);
        assert!(whole.join("nets/toy-0004.net").exists() && !whole.join("nets/toy-0003.net").exists());

        // Stopped within the first round, within the third, and after the log line but before the checkpoint.
        let mut stops = Quiet::stopping_after(5);
        let end =
            Run::create(&text, &base, &broken, Reading::default()).unwrap().train(&mut stops, None).unwrap();
        assert_eq!(end, End::Stopped);
        let mut stops = Quiet::stopping_after(16);
        assert_eq!(
            Run::resume(&broken, Reading::default()).unwrap().train(&mut stops, None).unwrap(),
            End::Stopped
        );
        // The last one was damaged: the one before will do.
        let last = broken.join("checkpoints/0000000014.ckpt");
        let bytes = fs::read(&last).unwrap();
        fs::write(&last, &bytes[..bytes.len() / 2]).unwrap();
        let mut run = Run::resume(&broken, Reading::default()).unwrap();
        assert_eq!(run.steps(), 7);
        assert_eq!(run.train(&mut Quiet::default(), None).unwrap(), End::Finished);
        assert!(remains(&whole) == remains(&broken), "{optimiser}");

        // A finished run stays what it is, and a folder is not taken twice.
        assert_eq!(
            Run::resume(&whole, Reading::default()).unwrap().train(&mut Quiet::default(), None).unwrap(),
            End::Finished
        );
        assert!(remains(&whole) == remains(&broken));
        let error = Run::create(&text, &base, &whole, Reading::default()).err().unwrap().to_string();
        assert!(error.contains("holds a run already"), "{error}");

        // Other data under the old name are noticed.
        let mut bytes = fs::read(base.join("train.bin")).unwrap();
        bytes[24] ^= 1;
        fs::write(base.join("train.bin"), bytes).unwrap();
        let error = Run::resume(&whole, Reading::default()).err().unwrap().to_string();
        assert!(error.contains("not what it was when this run began"), "{error}");
        fs::remove_dir_all(base).unwrap();
    }
}

#[test]
fn a_run_that_was_killed_while_it_read_reads_again() {
    let base = folder("reading");
    let text = config("adamw");
    let create = |name: &str| Run::create(&text, &base, &base.join(name), Reading::default());
    assert_eq!(create("whole").unwrap().train(&mut Quiet::default(), None).unwrap(), End::Finished);

    // What is there as long as the manifest is not; the configuration's paths still begin where they did.
    drop(create("broken").unwrap());
    fs::remove_file(base.join("broken/manifest.csv")).unwrap();
    let error = create("broken").err().unwrap().to_string();
    assert!(error.contains("holds a run already"), "{error}");
    let mut run = Run::resume(&base.join("broken"), Reading::default()).unwrap();
    assert_eq!(run.train(&mut Quiet::default(), None).unwrap(), End::Finished);
    assert!(remains(&base.join("whole")) == remains(&base.join("broken")));
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn a_folder_is_free_again_for_a_corrected_configuration() {
    let base = folder("corrected");
    let create = |text: &str| Run::create(text, &base, &base.join("run"), Reading::default());
    let wrong = config("adamw").replace("train.bin", "trian.bin");
    assert!(create(&wrong).err().unwrap().to_string().contains("trian.bin"));
    let elo = format!("{}\n[elo]\nreference = \"nobody.net\"\n", config("adamw"));
    let error = create(&elo).err().unwrap().to_string();
    assert!(error.contains("elo.reference: ") && error.contains("nobody.net"), "{error}");
    assert!(create(&config("adamw")).is_ok());
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn looking_at_a_run_changes_nothing_in_it() {
    let base = folder("looking");
    let run = base.join("run");
    let create = Run::create(&config("adamw"), &base, &run, Reading::default());
    assert_eq!(create.unwrap().train(&mut Quiet::stopping_after(16), None).unwrap(), End::Stopped);
    // A round was logged behind the last checkpoint: as if it were still going on.
    fs::remove_file(run.join("checkpoints/0000000014.ckpt")).unwrap();
    let log = || read_log(&Folder::open(&run).unwrap()).unwrap().len();
    assert_eq!(log(), 2);
    let looked = Run::resume(&run, Reading::default()).unwrap();
    assert_eq!((looked.steps(), log()), (7, 2));
    let error = Run::resume(&run, Reading::default()).err().unwrap().to_string();
    assert!(error.ends_with("another program is training this run"), "{error}");
    drop(looked);

    // The damaged file is named.
    fs::write(run.join("checkpoints/0000000007.ckpt"), b"NueCkpt1 and no more").unwrap();
    let error = Run::resume(&run, Reading::default()).err().unwrap().to_string();
    assert!(error.contains("0000000007.ckpt: the checkpoint is cut off or damaged"), "{error}");
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn positions_to_compare_are_spread_evenly_and_filled_up() {
    let records = positions::records(10, 5);
    let some = |count| trainer::run::some_of(&records, count);
    assert!(some(4) == [0, 2, 5, 7].map(|at| records[at]) && some(99) == records && some(0).is_empty());

    let base = folder("compare");
    let run = Run::create(&config("adamw"), &base, &base.join("run"), Reading::default()).unwrap();
    let held_out = run.validation.len();
    assert!(0 < held_out && held_out < 1000);
    let compared = run.to_compare(1000).unwrap();
    assert!(compared.len() == 1000 && compared[..held_out] == run.validation);
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn windows_of_data_that_do_not_fit_go_on_too() {
    let base = folder("windows");
    let bytes: Vec<u8> = positions::records(50_000, 32).iter().flat_map(|record| record.0).collect();
    fs::write(base.join("train.bin"), bytes).unwrap();
    let text = config("adamw")
        .replace("hold_out = 0.1", "hold_out = 0.01\nmemory_mb = 1")
        .replace("positions = 6000", "positions = 90000")
        .replace("batch = 200", "batch = 1000")
        .replace("round = 1400", "round = 20000");
    let (whole, broken) = (base.join("whole"), base.join("broken"));
    let create = |folder: &Path| Run::create(&text, &base, folder, Reading::default()).unwrap();
    assert_eq!(create(&whole).train(&mut Quiet::default(), None).unwrap(), End::Finished);
    let kept = fs::metadata(whole.join("records.bullet")).unwrap().len();
    assert_eq!(kept, 32 * 49_500);

    // Within the first window, and within the second, from the checkpoint of a round that saw both.
    let mut stops = Quiet::stopping_after(7);
    assert_eq!(create(&broken).train(&mut stops, None).unwrap(), End::Stopped);
    let mut stops = Quiet::stopping_after(55);
    let resume = || Run::resume(&broken, Reading::default()).unwrap();
    assert_eq!(resume().train(&mut stops, None).unwrap(), End::Stopped);
    // The files are no longer needed, and what was kept of them is compared with what it was.
    fs::remove_file(base.join("train.bin")).unwrap();
    let records = broken.join("records.bullet");
    let bytes = fs::read(&records).unwrap();
    let mut other = bytes.clone();
    other[24 + 32 * 40_000] ^= 1;
    fs::write(&records, other).unwrap();
    let error = Run::resume(&broken, Reading::default()).err().unwrap().to_string();
    assert!(error.contains("records.bullet: is not what it was"), "{error}");
    fs::write(&records, bytes).unwrap();
    let mut run = resume();
    assert_eq!(run.steps(), 40);
    assert_eq!(run.train(&mut Quiet::default(), None).unwrap(), End::Finished);
    let net = |run: &Path| fs::read(run.join("nets/toy.net")).unwrap();
    assert!(net(&whole) == net(&broken));
    let ledger = fs::read_to_string(whole.join("ledger.md")).unwrap();
    assert!(ledger.starts_with("| toy | train.bin (0.05 M) | HalfKA-hm8, factoriser |"), "{ledger}");
    assert_eq!(
        ledger.matches('|').count(),
        trainer::run::COLUMNS.lines().next().unwrap().matches('|').count()
    );
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn a_run_begins_where_another_ended_and_needs_it_no_longer() {
    let base = folder("start");
    let finish = |run: Result<Run, RunError>| {
        assert_eq!(run.unwrap().train(&mut Quiet::default(), None).unwrap(), End::Finished);
    };
    let create = |text: &str, name: &str| Run::create(text, &base, &base.join(name), Reading::default());
    finish(create(&config("adamw"), "first"));
    let learned = Learned::open(&Folder::open(&base.join("first")).unwrap()).unwrap();

    let text = config("ranger").replace("hidden = [8]", "hidden = [8]\nstart = \"first\"");
    let run = create(&text, "whole").unwrap();
    assert!(run.steps() == 0 && run.learned.numbers() == learned.numbers());
    finish(Ok(run));
    let ledger = fs::read_to_string(base.join("whole/ledger.md")).unwrap();
    assert!(ledger.contains(", begun with first |"), "{ledger}");

    let other = create(&text.replace("hidden = [8]", "hidden = [16]"), "other").err().unwrap().to_string();
    assert!(other.contains("network.start: ") && other.contains("another network"), "{other}");
    let beside = create(&text.replace("hidden = [8]", "hidden = [8]\nhand_crafted = 50"), "other");
    assert!(beside.err().unwrap().to_string().contains("another network"));
    let none = create(&text.replace("\"first\"", "\"nothing\""), "other").err().unwrap().to_string();
    assert!(none.contains("nothing: holds no run"), "{none}");

    let pawn = "[network]\nscales = { input = 127, hidden = 64, output = 9600, pawn = 1664 }";
    let scaled = create(&text.replace("[network]", pawn), "other").err().unwrap().to_string();
    assert!(scaled.contains("another network"), "{scaled}");
    drop(create(&config("adamw"), "unlearned").unwrap());
    let unlearned = create(&text.replace("\"first\"", "\"unlearned\""), "other").err().unwrap().to_string();
    assert!(unlearned.contains("unlearned: the run has no checkpoint yet"), "{unlearned}");

    // Stopped before its first checkpoint.
    let mut stops = Quiet::stopping_after(2);
    assert_eq!(create(&text, "broken").unwrap().train(&mut stops, None).unwrap(), End::Stopped);
    fs::remove_dir_all(base.join("first")).unwrap();
    finish(Run::resume(&base.join("broken"), Reading::default()));
    assert!(remains(&base.join("whole")) == remains(&base.join("broken")));
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn a_run_begins_with_the_network_of_a_file_and_needs_it_no_longer() {
    let base = folder("start-net");
    let finish = |run: Result<Run, RunError>| {
        assert_eq!(run.unwrap().train(&mut Quiet::default(), None).unwrap(), End::Finished);
    };
    let create = |text: &str, name: &str| Run::create(text, &base, &base.join(name), Reading::default());
    finish(create(&config("adamw"), "first"));
    fs::copy(base.join("first/nets/toy.net"), base.join("toy.net")).unwrap();
    let first = nnue::file::load(&base.join("toy.net")).unwrap();

    // With rows that share and without: what nobody has trained any further is the same network.
    let text = config("ranger").replace("hidden = [8]", "hidden = [8]\nstart = \"toy.net\"");
    for (name, text) in
        [("apart", text.replace("factoriser = true", "factoriser = false")), ("whole", text.clone())]
    {
        let run = create(&text, name).unwrap();
        assert!(run.steps() == 0 && run.learned.net().unwrap().weights == first.weights, "{name}");
    }
    let ledger = |run: &str| fs::read_to_string(base.join(run).join("ledger.md")).unwrap();
    finish(Run::resume(&base.join("whole"), Reading::default()));
    assert!(ledger("whole").contains(", begun with toy.net |"), "{}", ledger("whole"));

    let scaled = "[network]\nscales = { input = 120, hidden = 64, output = 9600, pawn = 3328 }";
    for (change, to) in
        [("hidden = [8]", "hidden = [16]"), ("\"HalfKA-hm8\"", "\"HalfKP\""), ("[network]", scaled)]
    {
        let other = create(&text.replace(change, to), "other").err().unwrap().to_string();
        assert!(other.contains("toy.net: another network"), "{other}");
    }
    fs::write(base.join("toy.net"), b"no network").unwrap();
    let none = create(&text, "other").err().unwrap().to_string();
    assert!(none.contains("network.start: ") && none.contains("toy.net: "), "{none}");

    let mut stops = Quiet::stopping_after(2);
    fs::copy(base.join("first/nets/toy.net"), base.join("toy.net")).unwrap();
    assert_eq!(create(&text, "broken").unwrap().train(&mut stops, None).unwrap(), End::Stopped);
    fs::remove_file(base.join("toy.net")).unwrap();
    finish(Run::resume(&base.join("broken"), Reading::default()));
    assert!(remains(&base.join("whole")) == remains(&base.join("broken")));
    fs::remove_dir_all(base).unwrap();
}
