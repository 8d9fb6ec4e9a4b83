// SPDX-License-Identifier: GPL-3.0-or-later
//! Labelling with engines that behave, crash now and then, or always.
#![cfg(unix)]

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};

use common::{folder, games, nobody, read_games, threads, write, write_games};
use contest::TimeControl;
use data::{
    DataError, Effort, Label, Manifest, Source,
    label::{Care, Judge, Labeller, Line, OwnJudge},
};
use engine::{Evaluation, Options};
use formats::sample::{self, Sample};
use rules::chess::Board;

/// A UCI engine as a script: its score is the length of the `position` line. It dies instead of answering when `DIES`,
/// which may look at the position and at the number of searches of its life, says so.
const ENGINE: &str = r#"searches=0
while read -r line; do
  case $line in
    uci) echo 'id name Script'; echo uciok ;;
    isready) echo readyok ;;
    position*) position=$line ;;
    go*)
      searches=$((searches + 1))
      if DIES; then exit 3; fi
      echo "info depth 1 score cp ${#position}"
      echo 'bestmove 0000' ;;
    quit) exit 0 ;;
  esac
done
"#;

/// A labeller that runs the script.
fn script(folder: &Path, name: &str, dies: &str) -> Labeller {
    let path = write(folder, &format!("{name}.sh"), ENGINE.replace("DIES", dies));
    let spec = format!("cmd=/bin/sh,arg={},name=script", path.display());
    let limit = TimeControl::Depth(1);
    Labeller::Uci { spec: Box::new(spec.parse().expect("a description")), chess960: false, limit }
}

fn own(care: Care) -> Labeller {
    Labeller::Own { net: Evaluation::HandCrafted, care, hash_mb: 1 }
}

fn label(input: &Path, output: PathBuf, labeller: Labeller, effort: Effort) -> Result<Manifest, DataError> {
    let source = Source::open(&[input.to_owned()]).expect("a readable file");
    Label { output, labeller, quiet: false, force: false }.run(&source, effort, &mut nobody)
}

#[test]
fn every_position_of_a_game_gets_its_score() {
    let folder = folder("label_games");
    let games = games(6);
    let input = write_games(&folder, "games.vf", &games);
    let output = folder.join("labelled.vf");
    label(&input, output.clone(), script(&folder, "good", "false"), threads(2)).expect("labels");
    let labelled = read_games(&output);
    assert_eq!(labelled.len(), games.len());
    for (labelled, game) in labelled.iter().zip(&games) {
        let mut position = "position startpos".to_owned();
        for (index, (&(m, score), &(original, _))) in labelled.moves.iter().zip(&game.moves).enumerate() {
            // Black's score is the negative of what Black was told.
            let sign = if index % 2 == 0 { 1 } else { -1 };
            assert_eq!((m, i32::from(score)), (original, sign * position.len() as i32));
            if index == 0 {
                position.push_str(" moves");
            }
            position.push_str(&format!(" {}", m.to_uci(false)));
        }
    }
}

#[test]
fn an_engine_that_crashes_now_and_then_changes_nothing() {
    let folder = folder("label_crash");
    let input = write_games(&folder, "games.vf", &games(8));
    let labelled = |name: &str, dies: &str, workers| {
        let output = folder.join(format!("{name}.vf"));
        let manifest =
            label(&input, output.clone(), script(&folder, name, dies), threads(workers)).expect("labels");
        assert_eq!(manifest.counts.games, 8, "{name}: {:?}", manifest.counts);
        fs::read(output).expect("a file")
    };
    let expected = labelled("steady", "false", 1);
    // Games have up to 119 positions: a fresh process comes through one, and dies in the next or the one after.
    let mortal = "[ $searches -gt 120 ]";
    assert_eq!(labelled("shaky", mortal, 1), expected);
    assert_eq!(labelled("shakier", mortal, 3), expected);
}

#[test]
fn a_position_that_kills_the_engine_is_left_out() {
    let folder = folder("label_deadly");
    let deadly = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let fens = ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", deadly, "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"];
    let input = write(&folder, "positions.epd", fens.join("\n"));
    let dies = "case $position in *K2R*) true ;; *) false ;; esac";
    let output = folder.join("labelled.nsam");
    let manifest =
        label(&input, output.clone(), script(&folder, "deadly", dies), threads(1)).expect("labels");
    assert_eq!((manifest.counts.positions, manifest.counts.skipped_positions["not labelled"]), (2, 1));
    assert!(manifest.counts.examples[0].starts_with(deadly), "{:?}", manifest.counts.examples);
    let bytes = fs::read(output).expect("a file");
    let samples: Vec<Sample> =
        sample::reader(bytes.as_slice()).unwrap().map(|sample| sample.unwrap()).collect();
    assert_eq!(samples.iter().map(|sample| sample.board.to_string()).collect::<Vec<_>>(), [fens[0], fens[2]]);
}

#[test]
fn an_engine_that_is_not_there_ends_the_work_at_once() {
    let folder = folder("label_missing");
    let input = write_games(&folder, "games.vf", &games(1));
    let spec = "cmd=/no/such/engine".parse().expect("a description");
    let labeller = Labeller::Uci { spec: Box::new(spec), chess960: false, limit: TimeControl::Nodes(1) };
    let error = label(&input, folder.join("x.vf"), labeller, threads(1)).expect_err("no engine");
    assert!(matches!(error, DataError::Start(_)), "{error}");
    assert!(!folder.join("x.vf.part").exists());
}

#[test]
fn our_own_scores_do_not_depend_on_threads() {
    let folder = folder("label_own");
    let input = write_games(&folder, "games.vf", &games(30));
    for (name, care) in [
        ("static", Care::Static),
        ("quiescence", Care::Quiescence),
        ("nodes", Care::Nodes(100)),
        ("depth", Care::Depth(2)),
    ] {
        let labelled = |number: usize| {
            let output = folder.join(format!("{name}{number}.vf"));
            label(&input, output.clone(), own(care), threads(number)).expect("labels");
            fs::read(output).expect("a file")
        };
        assert_eq!(labelled(1), labelled(3), "{name}");
    }
    let scores = |name: &str| {
        let games = read_games(&folder.join(name));
        games.iter().flat_map(|game| game.moves.clone()).map(|(_, score)| score).collect::<Vec<_>>()
    };
    let (looked, captured) = (scores("static1.vf"), scores("quiescence1.vf"));
    let other = looked.iter().zip(&captured).filter(|(a, b)| a != b).count();
    assert!(
        other * 20 > looked.len(),
        "captures change the score of {other} of {} random positions",
        looked.len()
    );
}

#[test]
fn static_scores_are_the_evaluation() {
    let boards: Vec<Board> =
        games(3).iter().flat_map(|game| game.boards()).map(|(board, ..)| board).collect();
    let options = Options { hash_mb: 1, evaluation: Evaluation::HandCrafted, ..Options::default() };
    let mut judge = OwnJudge::new(options, Care::Static).expect("an engine");
    for board in boards {
        let line = Line::single(board);
        let judgement = judge.judge(&[line]).expect("a judgement")[0][0];
        let expected = data::score::Opinion::Centipawns(engine::eval::evaluate(&board));
        assert_eq!(judgement.opinion, expected, "{board}");
    }
}
