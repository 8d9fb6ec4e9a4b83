// SPDX-License-Identifier: GPL-3.0-or-later
//! A teacher judges what is learned from, also positions beside those of the games, and nothing else.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use formats::{
    games::{GameRecord, NO_SCORE},
    sample::Sample,
    viriformat,
};
use nnue::{Arch, Level, Network, file::Format};
use rules::{Color, chess::Board};
use trainer::{
    Config, Reading, Record, State, export,
    run::{End, Run},
};

use crate::{
    data::{folder, games, load, refused},
    resume::Quiet,
    shapes,
};

/// Writes a network that has learned nothing, which is an opinion too.
fn write_teacher(base: &Path, seed: u64) -> PathBuf {
    write_teacher_as(base.join("teacher.net"), seed)
}

fn write_teacher_as(path: PathBuf, seed: u64) -> PathBuf {
    write_teacher_like(path, seed, |_| {})
}

/// The same with a shape that differs.
pub(crate) fn write_teacher_like(path: PathBuf, seed: u64, change: fn(&mut Arch)) -> PathBuf {
    let layout = shapes::layout("Piece", false, change);
    let state = State::start(&layout, 0, seed);
    let net = export::net(&layout, &state.numbers, "test").unwrap();
    nnue::file::save(&net, &path, Format::Nue, true).unwrap();
    path
}

/// A position whatever it is worth.
fn bare(record: &Record) -> [u8; 32] {
    record.with_score(0).0
}

#[test]
fn the_teacher_judges_what_is_learned_and_not_what_is_checked() {
    let base = folder(&games(44));
    let network = Network::new(nnue::file::load(&write_teacher(&base, 1)).unwrap(), Level::best()).unwrap();
    let plain = "files = [\"games.vf\"]\nhold_out = 0.2";
    let (learn, check) = load(&base, plain);
    let (judged, same_check) = load(&base, &format!("{plain}\nteachers = [\"teacher.net\"]"));
    assert!(same_check == check && !check.is_empty());
    assert!(judged.len() == learn.len() && judged != learn);
    for (judged, record) in judged.iter().zip(&learn) {
        let pieces: Vec<_> = record.pieces().collect();
        let raw = network.evaluate_pieces(&pieces, Color::White).unwrap();
        assert!(*judged == record.with_score(network.centipawns(raw) as i16), "only the score is another");
    }
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn positions_keep_their_scores_if_siblings_alone_are_judged() {
    let base = folder(&games(48));
    write_teacher(&base, 1);
    let taught = "files = [\"games.vf\"]\nteachers = [\"teacher.net\"]\nsiblings = 2";
    let (all, _) = load(&base, taught);
    let (some, _) = load(&base, &format!("{taught}\njudged = \"siblings\""));
    let (learn, _) = load(&base, "files = [\"games.vf\"]");
    let mut own = learn.iter().peekable();
    for (judged, record) in all.iter().zip(&some) {
        match own.next_if(|position| bare(position) == bare(record)) {
            Some(position) => assert_eq!(record, position),
            None => assert_eq!(record, judged),
        }
    }
    assert!(own.next().is_none() && all.len() == some.len() && some.len() > learn.len());
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn teachers_judge_games_that_nobody_scored() {
    let scored = games(56);
    let mut unscored = scored.clone();
    unscored.iter_mut().flat_map(|game| &mut game.moves).for_each(|(_, score)| *score = NO_SCORE);
    let base = folder(&unscored);
    let mut bytes = Vec::new();
    scored.iter().for_each(|game| viriformat::write(&mut bytes, game).unwrap());
    fs::write(base.join("scored.vf"), bytes).unwrap();
    write_teacher(&base, 1);
    let taught = |file: &str| {
        format!("files = [\"{file}\"]\nhold_out = 0.2\nteachers = [\"teacher.net\"]\nsiblings = 1")
    };
    let ((learn, check), (same, held_out)) =
        (load(&base, &taught("games.nga")), load(&base, &taught("scored.vf")));
    assert!(learn == same && learn.len() > 1000);
    assert!(check.is_empty() && !held_out.is_empty(), "nothing can be checked without scores");

    // Who keeps the scores of the files needs some.
    for data in ["files = [\"games.nga\"]", &format!("{}\njudged = \"siblings\"", taught("games.nga"))] {
        let error = refused(&base, data);
        assert!(error.contains("games.nga: no position with score and result is left"), "{error}");
    }
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn single_positions_that_are_held_out_keep_their_scores() {
    let base = folder(&games(52));
    write_teacher(&base, 1);
    let (own, _) = load(&base, "files = [\"games.bullet\"]");
    let held_out = "files = [\"games.bullet\"]\nhold_out = 0.2";
    let (learn, check) = load(&base, held_out);
    assert!(learn == own[..learn.len()] && check == own[learn.len()..] && !check.is_empty());
    let (taught, same_check) =
        load(&base, &format!("{held_out}\nteachers = [\"teacher.net\"]\nsiblings = 2"));
    assert!(same_check == check && taught.len() > learn.len());
    let (all, _) = load(&base, "files = [\"games.bullet\"]\nteachers = [\"teacher.net\"]\nsiblings = 2");
    assert!(taught == all[..taught.len()] && bare(&all[taught.len()]) == bare(&check[0]));
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn several_teachers_judge_by_their_weighted_mean() {
    let base = folder(&games(47));
    let files = [1, 2, 3].map(|seed| write_teacher_as(base.join(format!("{seed}.net")), seed));
    let networks = files.map(|path| Network::new(nnue::file::load(&path).unwrap(), Level::best()).unwrap());
    let (learn, _) = load(&base, "files = [\"games.vf\"]");
    let teachers = "teachers = [\"1.net\", { path = \"2.net\", weight = 2.5 }, \"3.net\"]";
    let (judged, _) = load(&base, &format!("files = [\"games.vf\"]\n{teachers}"));
    let mut differ = false;
    for (judged, record) in judged.iter().zip(&learn) {
        let pieces: Vec<_> = record.pieces().collect();
        let say = |network: &Network| {
            f64::from(network.centipawns(network.evaluate_pieces(&pieces, Color::White).unwrap()))
        };
        let [first, second, third] = networks.each_ref().map(say);
        let mean = (first + 2.5 * second + third) / 4.5;
        assert!(*judged == record.with_score(mean.round() as i16), "{first} {second} {third}");
        differ |= first != second;
    }
    assert!(differ && judged.len() == learn.len());
    fs::remove_dir_all(base).unwrap();
}

fn wins_material(board: &Board) -> bool {
    board.legal_moves().iter().any(|&m| !m.is_quiet() && board.see_at_least(m, 1))
}

#[test]
fn siblings_are_what_could_have_been_played_instead() {
    let games = games(45);
    let base = folder(&games);
    write_teacher(&base, 1);
    let (learn, _) = load(&base, "files = [\"games.vf\"]");
    let with = "files = [\"games.vf\"]\nteachers = [\"teacher.net\"]\nsiblings = 3";
    let (more, _) = load(&base, with);
    assert!(load(&base, with).0 == more);
    let mut found = more.iter().map(bare).peekable();
    let mut siblings = 0;
    for sample in games.iter().flat_map(GameRecord::samples) {
        assert_eq!(found.next(), Some(bare(&Record::from(&sample))));
        let moves = sample.board.legal_moves();
        let others = moves.iter().filter(|&&m| Some(m) != sample.played).map(|&m| sample.board.after(m));
        let possible: BTreeSet<[u8; 32]> = others
            .filter(|board| !board.in_check() && !wins_material(board))
            .map(|board| bare(&Record::from(&Sample { board, ..sample })))
            .collect();
        let mut of_this = 0;
        while of_this < 3 && found.peek().is_some_and(|record| possible.contains(record)) {
            found.next();
            of_this += 1;
        }
        siblings += of_this;
    }
    assert_eq!(found.next(), None);
    assert_eq!(more.len(), learn.len() + siblings);
    assert!(2 * siblings > learn.len(), "{siblings} beside {}", learn.len());
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn a_pupil_goes_on_with_the_same_teacher_only() {
    let base = folder(&games(46));
    write_teacher(&base, 1);
    let text = "name = \"pupil\"\ndevice = \"cpu\"\n[network]\nfeatures = \"Piece\"\nwidth = 128\n\
        [data]\nfiles = [\"games.vf\"]\nhold_out = 0.2\nteachers = [\"teacher.net\"]\nsiblings = 1\n\
        [schedule]\nrate = 0.001\n[run]\npositions = 4000\nbatch = 200\nround = 1000\ncheckpoint_seconds = 0\n";
    let (whole, broken) = (base.join("whole"), base.join("broken"));
    let create = |folder: &Path| Run::create(text, &base, folder, Reading::default()).unwrap();
    assert_eq!(create(&whole).train(&mut Quiet::default(), None).unwrap(), End::Finished);
    let mut stops = Quiet::stopping_after(12);
    assert_eq!(create(&broken).train(&mut stops, None).unwrap(), End::Stopped);
    let resume = || Run::resume(&broken, Reading::default());
    assert_eq!(resume().unwrap().train(&mut Quiet::default(), None).unwrap(), End::Finished);
    let net = |run: &Path| fs::read(run.join("nets/pupil.net")).unwrap();
    assert!(net(&whole) == net(&broken));
    let ledger = fs::read_to_string(whole.join("ledger.md")).unwrap();
    assert!(ledger.contains("M), judged by teacher.net | Piece |"), "{ledger}");

    write_teacher(&base, 2);
    let error = resume().err().unwrap().to_string();
    assert!(error.contains("teacher.net: is not what it was when this run began"), "{error}");
    fs::write(base.join("teacher.net"), "no network").unwrap();
    let error = Run::create(text, &base, &base.join("new"), Reading::default()).err().unwrap().to_string();
    assert!(error.contains("teacher.net: "), "{error}");
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn siblings_need_a_teacher() {
    let error = |data: &str, loss: &str| {
        let text = format!(
            "name = \"x\"\n[network]\nfeatures = \"Piece\"\nwidth = 128\n[data]\nfiles = [\"a.vf\"]\n{data}\n\
             [loss]\nkind = \"{loss}\"\n[schedule]\nrate = 0.001\n[run]\npositions = 1000\n"
        );
        Config::parse(&text).unwrap_err().to_string()
    };
    let without = error("siblings = 2", "power");
    assert!(without.contains("data.siblings") && without.contains("2 without data.teachers"), "{without}");
    let many = error("teachers = [\"t.net\"]\nsiblings = 17", "power");
    assert!(many.contains("17, expected 0 to 16"), "{many}");
    let nobody = error("teachers = [\"t.net\"]\nhindsight = 0.5", "power");
    assert!(nobody.contains("data.hindsight") && nobody.contains("nobody learns from"), "{nobody}");
    let alone = error("teachers = [\"t.net\"]\njudged = \"siblings\"", "power");
    assert!(alone.contains("data.judged: 'siblings' without data.siblings"), "{alone}");
    let triplets = error("teachers = [\"t.net\"]", "pqr");
    assert!(triplets.contains("data.teachers"), "{triplets}");
}
