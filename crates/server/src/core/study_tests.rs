// SPDX-License-Identifier: GPL-3.0-or-later
//! Laws of studies: events played again give the same tree, PGN written is PGN read.

use formats::pgn::Reader;
use rules::{Random, chess::Board};

use super::{pgn, study::*, *};
use crate::message::{Brush, Change, Header, ROOT, Shape};

fn empty() -> Study {
    Study::new("A study".into(), Board::start(), false)
}

fn add(study: &mut Study, node: &str, parent: &str, uci: &str) -> Result<Option<String>, Refused> {
    let change = Change::AddMove { node: node.into(), parent: parent.into(), uci: uci.into() };
    study.apply(node, &change)
}

/// Moves of the first line, and the others in brackets.
fn text(study: &Study) -> String {
    let pgn = pgn::write_study(study);
    pgn.split("\n\n").nth(1).unwrap().replace('\n', " ").trim_end_matches(" *").to_owned()
}

fn sample() -> Study {
    let mut study = empty();
    for (node, parent, uci) in [
        ("a", ROOT, "e2e4"),
        ("b", "a", "e7e5"),
        ("c", "b", "g1f3"),
        ("d", "a", "c7c5"),
        ("e", "d", "g1f3"),
        ("f", ROOT, "d2d4"),
        ("g", "a", "e7e6"),
    ] {
        assert_eq!(add(&mut study, node, parent, uci).unwrap().as_deref(), Some(node));
    }
    study
}

#[test]
fn moves_become_lines_and_variations() {
    assert_eq!(text(&sample()), "1. e4 (1. d4) 1... e5 (1... c5 2. Nf3) (1... e6) 2. Nf3");
}

#[test]
fn variations_are_promoted_step_by_step_or_at_once() {
    let mut study = sample();
    study.apply("1", &Change::Promote { node: "g".into() }).unwrap();
    assert_eq!(text(&study), "1. e4 (1. d4) 1... e5 (1... e6) (1... c5 2. Nf3) 2. Nf3");
    study.apply("2", &Change::MakeMain { node: "e".into() }).unwrap();
    assert_eq!(text(&study), "1. e4 (1. d4) 1... c5 (1... e5 2. Nf3) (1... e6) 2. Nf3");
    study.apply("3", &Change::MakeMain { node: "f".into() }).unwrap();
    assert!(text(&study).starts_with("1. d4 (1. e4 c5"));
}

#[test]
fn a_node_is_deleted_with_everything_behind_it() {
    let mut study = sample();
    study.apply("1", &Change::Delete { node: "a".into() }).unwrap();
    assert_eq!(text(&study), "1. d4");
    assert_eq!(study.count_moves(), 1);
    assert_eq!(add(&mut study, "h", "b", "g1f3").unwrap_err().why, Refusal::Unknown);
}

#[test]
fn a_move_that_is_there_gets_another_name() {
    let mut study = sample();
    assert_eq!(add(&mut study, "other", "a", "e7e5").unwrap().as_deref(), Some("b"));
    assert_eq!(add(&mut study, "next", "other", "d2d4").unwrap().as_deref(), Some("next"));
    assert_eq!(study.count_moves(), 8);
    assert_eq!(study.get("next").unwrap().parent.as_deref(), Some("b"));
    study.apply("1", &Change::SetComment { node: "other".into(), text: "good".into() }).unwrap();
    assert_eq!(study.get("b").unwrap().comment, "good");
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let mut study = sample();
    let before = study.state("study-1", 0);
    let mut refused = |change: Change| study.apply("x", &change).unwrap_err().why;
    let comment = |text: String| Change::SetComment { node: "a".into(), text };
    let shape = |from: &str| Shape { from: from.into(), to: None, brush: Brush::Green };
    assert_eq!(refused(Change::Delete { node: ROOT.into() }), Refusal::NotPossible);
    assert_eq!(refused(Change::Promote { node: "nobody".into() }), Refusal::Unknown);
    assert_eq!(refused(comment("x".repeat(20_000))), Refusal::TooLarge);
    assert_eq!(refused(Change::SetShapes { node: "a".into(), shapes: vec![shape("z9")] }), Refusal::Invalid);
    assert_eq!(refused(Change::SetTitle { title: "x".repeat(201) }), Refusal::TooLarge);
    let move_again = Change::AddMove { node: "a".into(), parent: "b".into(), uci: "d2d4".into() };
    assert_eq!(refused(move_again), Refusal::Invalid);
    let illegal = Change::AddMove { node: "y".into(), parent: "b".into(), uci: "e2e5".into() };
    assert_eq!(refused(illegal), Refusal::IllegalMove);
    assert_eq!(study.state("study-1", 0), before);
}

/// Any changes, some of which are refused.
fn random_change(random: &mut Random, study: &Study, number: usize) -> Change {
    let names = study.names();
    let node = names[random.below(names.len())].to_owned();
    let board = study.get(&node).unwrap().board;
    let moves = board.legal_moves();
    match random.below(12) {
        0 => Change::Delete { node },
        1 => Change::Promote { node },
        2 => Change::MakeMain { node },
        3 => Change::SetComment { node, text: format!("said {number} {{not}} so") },
        4 => Change::SetNags { node, nags: vec![random.below(140) as u8] },
        5 => {
            let to = (random.below(2) == 0).then(|| "e4".to_owned());
            Change::SetShapes { node, shapes: vec![Shape { from: "a1".into(), to, brush: Brush::Red }] }
        }
        _ if !moves.is_empty() => {
            let uci = moves[random.below(moves.len())].to_uci(false);
            Change::AddMove { node: format!("n{number}"), parent: node, uci }
        }
        _ => Change::SetTitle { title: format!("title {number}") },
    }
}

#[test]
fn events_played_again_give_the_same_tree_and_pgn_written_is_pgn_read() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut study = empty();
        let first = StudyEvent::Created { state: Box::new(study.state("study-1", 0)) };
        let mut journal = vec![(first, None)];
        for number in 0..300 {
            let change = random_change(&mut random, &study, number);
            let operation = format!("op{number}");
            let accepted = study.check(&change).is_ok();
            assert_eq!(study.apply(&operation, &change).is_ok(), accepted, "{change:?}");
            if accepted {
                journal.push((StudyEvent::Changed { change }, Some(operation)));
            }
        }
        let state = study.state("study-1", 0);
        let again =
            Study::replay(journal.iter().map(|(event, operation)| (event, operation.as_deref()))).unwrap();
        assert_eq!(again.state("study-1", 0), state);
        let created = StudyEvent::Created { state: Box::new(state.clone()) };
        let whole = Study::replay([(&created, None)]).unwrap();
        assert_eq!(whole.state("study-1", 0).nodes, state.nodes);

        let written = pgn::write_study(&study);
        let read = pgn::read_study(&mut Reader::new(written.as_bytes())).unwrap().unwrap();
        assert_eq!(read.count_moves(), study.count_moves(), "{written}");
        assert_eq!(
            pgn::write_study(&read).split_once("\n\n").unwrap().1,
            written.split_once("\n\n").unwrap().1
        );
    }
}

#[test]
fn a_pgn_with_everything_in_it() {
    let text = "[Event \"Club\"]\n[White \"Anna\"]\n[Black \"Bert\"]\n[Result \"1-0\"]\n\n\
        {First [%csl Ge4,Rd5][%cal Ye2e4] words} 1. e4! $14 {best} (1. d4 {also} d5 (1... Nf6 2. c4) 2. c4) \
        1... e5 2. Qh5?! Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0\n";
    let study = pgn::read_study(&mut Reader::new(text.as_bytes())).unwrap().unwrap();
    assert_eq!(study.title, "Anna – Bert");
    assert_eq!(study.headers[0], Header { name: "Event".into(), value: "Club".into() });
    assert_eq!(study.root().comment, "First  words".to_owned());
    assert_eq!(study.root().shapes.len(), 3);
    let line: Vec<(&str, &[u8])> =
        study.main_line().iter().map(|(_, node)| (node.san.as_str(), node.nags.as_slice())).collect();
    assert_eq!(line[0], ("e4", [1, 14].as_slice()));
    assert_eq!(line[2], ("Qh5", [6].as_slice()));
    assert_eq!(line[6], ("Qxf7#", [].as_slice()));
    assert_eq!(study.count_moves(), 12);
    let written = pgn::write_study(&study);
    let moves = written.split_once("\n\n").unwrap().1.replace('\n', " ");
    assert!(
        moves.contains("1. e4 $1 $14 {best} (1. d4 {also} 1... d5 (1... Nf6 2. c4) 2. c4) 1... e5"),
        "{moves}"
    );
    assert!(written.ends_with("1-0\n\n"), "{written}");
}

#[test]
fn an_illegal_move_names_its_line_and_the_next_game_is_read() {
    let text = "[Event \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"B\"]\n\n1. d4 *\n";
    let mut reader = Reader::new(text.as_bytes());
    let refused = pgn::read_study(&mut reader).unwrap_err();
    assert!(refused.reason.contains("line 3") && refused.reason.contains("Ke3"), "{refused}");
    assert_eq!(pgn::read_study(&mut reader).unwrap().unwrap().title, "B");
    assert!(pgn::read_study(&mut reader).unwrap().is_none());
}

#[test]
fn days_are_counted_as_the_calendar_does() {
    assert_eq!(pgn::date_text(0), "1970.01.01");
    assert_eq!(pgn::date_text(951_782_400_000), "2000.02.29");
    assert_eq!(pgn::date_text(1_794_700_800_000), "2026.11.15");
    assert_eq!(pgn::date_text(4_107_542_399_999), "2100.02.28");
    assert_eq!(pgn::date_text(4_107_542_400_000), "2100.03.01");
}
