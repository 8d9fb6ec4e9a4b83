// SPDX-License-Identifier: GPL-3.0-or-later
//! A network beside the hand-crafted evaluation learns what that misses, and judges together with it.

use std::fs;

use formats::{games::GameRecord, viriformat};
use nnue::{Level, Network};
use rules::{Color, chess::Board};
use trainer::{
    Insight, Reading, Record, run,
    run::{End, Run},
};

use crate::{
    data::{folder, games, load, load_with},
    resume::Quiet,
    teacher::write_teacher_like,
};

/// Says something that can be told from any position.
struct Counting;

fn said(board: &Board) -> i16 {
    let own = board.color(board.turn()).len() as i16;
    60 * own - 50 * board.color(!board.turn()).len() as i16
}

impl Insight for Counting {
    fn leaves(&self, boards: &[Board]) -> Vec<Board> {
        boards.to_vec()
    }

    fn by_hand(&self, boards: &[Board]) -> Vec<i16> {
        boards.iter().map(said).collect()
    }
}

fn counting<'a>() -> Reading<'a> {
    Reading { insight: Some(&Counting), ..Reading::default() }
}

/// Games in which every score is what is said by hand, in White's view.
fn games_by_hand(count: usize) -> Vec<GameRecord> {
    let mut games = games(count);
    for game in &mut games {
        let boards: Vec<Board> = game.boards().map(|(board, ..)| board).collect();
        for ((_, score), board) in game.moves.iter_mut().zip(boards) {
            *score = if board.turn() == Color::White { said(&board) } else { -said(&board) };
        }
    }
    games
}

fn text(percent: u16) -> String {
    format!(
        "name = \"x\"\ndevice = \"cpu\"\n[network]\nfeatures = \"Piece\"\nwidth = 128\nhand_crafted = {percent}\n\
         [data]\nfiles = [\"games.vf\"]\nhold_out = 0.2\n[schedule]\nrate = 0.001\n\
         [run]\npositions = 8000\nbatch = 200\nround = 2000\n"
    )
}

#[test]
fn what_is_said_by_hand_need_not_be_learned() {
    let base = folder(&games(49));
    let mut bytes = Vec::new();
    games_by_hand(49).iter().for_each(|game| viriformat::write(&mut bytes, game).unwrap());
    fs::write(base.join("games.vf"), bytes).unwrap();
    let held_out_loss = |percent: u16| {
        let folder = base.join(format!("run{percent}"));
        let mut run = Run::create(&text(percent), &base, &folder, counting()).unwrap();
        assert_eq!(run.train(&mut Quiet::default(), None).unwrap(), End::Finished);
        let net = nnue::file::load(&folder.join("nets/x.net")).unwrap();
        assert_eq!(net.arch.hand_crafted, percent);
        let log = fs::read_to_string(folder.join("log.csv")).unwrap();
        let (names, last) = (log.lines().next().unwrap(), log.lines().last().unwrap());
        let column = names.split(',').position(|name| name == "validation").unwrap();
        last.split(',').nth(column).unwrap().parse::<f64>().unwrap()
    };
    let [alone, beside, beyond] = [0, 100, 300].map(held_out_loss);
    assert!(4.0 * beside < alone && 8.0 * beside < beyond, "{beside}, alone {alone}, beyond {beyond}");

    let error = Run::create(&text(100), &base, &base.join("new"), Reading::default()).err().unwrap();
    assert!(error.to_string().contains("network.hand_crafted"), "{error}");
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn a_run_beside_the_hand_crafted_evaluation_can_be_interrupted() {
    let base = folder(&games(50));
    let (whole, broken) = (base.join("whole"), base.join("broken"));
    let create = |folder| Run::create(&text(120), &base, folder, counting()).unwrap();
    create(&whole).train(&mut Quiet::default(), None).unwrap();
    create(&broken).train(&mut Quiet::stopping_after(12), None).unwrap();
    Run::resume(&broken, counting()).unwrap().train(&mut Quiet::default(), None).unwrap();
    let net = |folder: &std::path::Path| fs::read(folder.join("nets/x.net")).unwrap();
    assert!(net(&whole) == net(&broken));

    // Records that are kept in the folder say as much as those that were read.
    let (text, kept) = (text(120).replace("[data]", "[data]\nleaf = true"), base.join("kept"));
    let run = Run::create(&text, &base, &kept, counting()).unwrap();
    assert!(run.validation.iter().any(|record| record.by_hand() != 0));
    let (validation, compared) = (run.validation.clone(), run.to_compare(9).unwrap());
    drop(run);
    let again = Run::resume(&kept, counting()).unwrap();
    assert!(again.validation == validation && again.to_compare(9).unwrap() == compared);
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn teachers_judge_together_with_it() {
    let base = folder(&games(51));
    let path = write_teacher_like(base.join("teacher.net"), 1, |arch| arch.hand_crafted = 150);
    let network = Network::new(nnue::file::load(&path).unwrap(), Level::best()).unwrap();
    let (learn, _) = load(&base, "files = [\"games.vf\"]");
    let taught = "files = [\"games.vf\"]\nteachers = [\"teacher.net\"]";
    let (judged, _) = load_with(&base, taught, counting());
    for ((record, judged), sample) in
        learn.iter().zip(&judged).zip(games(51).iter().flat_map(GameRecord::samples))
    {
        let by_hand = said(&sample.board);
        assert_eq!((record.by_hand(), judged.by_hand()), (0, by_hand));
        let pieces: Vec<_> = record.pieces().collect();
        let raw = network.evaluate_pieces(&pieces, Color::White).unwrap();
        assert_eq!(i32::from(judged.score()), network.centipawns(raw) + i32::from(by_hand) * 150 / 100);
    }
    assert_eq!(learn.len(), judged.len());
    let mirrored = judged.iter().map(Record::mirrored);
    assert!(mirrored.zip(&judged).all(|(mirrored, record)| mirrored.by_hand() == record.by_hand()));
    let config =
        trainer::Config::parse(&text(0).replace("[data]", "[data]\nteachers = [\"teacher.net\"]")).unwrap();
    let error = run::data(&config, &base, Reading::default()).unwrap_err();
    assert!(error.to_string().contains("data.teachers: needs an engine"), "{error}");
    fs::remove_dir_all(base).unwrap();
}
