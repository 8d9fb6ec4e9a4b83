// SPDX-License-Identifier: GPL-3.0-or-later
//! Turns in a simulation: time passes in steps, slots search until they are told to stop.

use std::collections::BTreeMap;

use super::turns::*;

const LENGTHS: TurnLengths = TurnLengths { first: 150, later: 500 };

/// Runs the slots for a while; returns the times at which each job began a turn.
fn simulate(turns: &mut Turns, slots: usize, time: std::ops::Range<u64>) -> BTreeMap<Job, Vec<u64>> {
    let mut begun: BTreeMap<Job, Vec<u64>> = BTreeMap::new();
    let mut busy = vec![false; slots];
    for now in time {
        for slot in turns.overdue(now) {
            turns.give_back(slot, false);
            busy[slot] = false;
        }
        for (slot, busy) in busy.iter_mut().enumerate() {
            if !*busy && let Some(turn) = turns.take(slot, now) {
                *busy = true;
                begun.entry(turn.job).or_default().push(now);
            }
        }
    }
    begun
}

#[test]
fn fifty_jobs_share_two_slots_fairly() {
    let mut turns = Turns::new(2, LENGTHS);
    (0..50).for_each(|job| turns.add(job, Precedence::Analysis, None));
    let begun = simulate(&mut turns, 2, 0..100_000);
    assert_eq!(begun.len(), 50);
    let first = begun.values().map(|times| times[0]).max().unwrap();
    assert!(first <= 25 * 150, "the last job began at {first} ms");
    let counts: Vec<usize> = begun.values().map(Vec::len).collect();
    let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
    assert!(most - least <= 1, "{counts:?}");
}

#[test]
fn a_lone_job_is_not_disturbed() {
    let mut turns = Turns::new(2, LENGTHS);
    turns.add(7, Precedence::Analysis, None);
    assert_eq!(turns.take(0, 0), Some(Turn { job: 7, alone: true }));
    assert_eq!(turns.take(1, 0), None);
    assert_eq!((turns.next_due(), turns.overdue(1_000_000)), (None, Vec::<usize>::new()));
    turns.add(8, Precedence::Analysis, None);
    assert_eq!(turns.overdue(1_000_000), Vec::<usize>::new(), "there is a free slot");
    assert_eq!(turns.take(1, 0), Some(Turn { job: 8, alone: false }));
}

#[test]
fn the_engines_move_goes_first_and_is_not_interrupted() {
    let mut turns = Turns::new(1, LENGTHS);
    turns.add(1, Precedence::Analysis, None);
    turns.add(2, Precedence::Analysis, None);
    assert_eq!(turns.take(0, 0).unwrap().job, 1);
    turns.add(3, Precedence::Play, None);
    assert_eq!(turns.overdue(1), vec![0], "analysis makes room at once");
    assert_eq!(turns.overdue(2), Vec::<usize>::new(), "and is told once");
    turns.give_back(0, false);
    assert_eq!(turns.take(0, 2).unwrap().job, 3);
    assert_eq!(turns.overdue(1_000_000), Vec::<usize>::new());
    turns.give_back(0, true);
    assert_eq!(turns.take(0, 9).unwrap().job, 2);
}

#[test]
fn a_removed_job_waits_no_longer_and_its_slot_is_named() {
    let mut turns = Turns::new(1, LENGTHS);
    turns.add(1, Precedence::Analysis, None);
    turns.add(2, Precedence::Analysis, None);
    turns.take(0, 0);
    assert_eq!(turns.remove(2), Removed { running: false, slot: None });
    assert_eq!(turns.remove(1), Removed { running: true, slot: Some(0) });
    turns.give_back(0, true);
    assert_eq!((turns.take(0, 1), turns.waiting(), turns.running()), (None, 0, 0));
}

#[test]
fn a_job_likes_its_slot_but_nobody_starves() {
    let mut turns = Turns::new(2, LENGTHS);
    (0..4).for_each(|job| turns.add(job, Precedence::Analysis, None));
    let begun = simulate(&mut turns, 2, 0..60_000);
    let counts: Vec<usize> = begun.values().map(Vec::len).collect();
    assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 2, "{counts:?}");
}

#[test]
fn a_job_follows_another_into_its_slot() {
    let mut turns = Turns::new(2, LENGTHS);
    turns.add(1, Precedence::Analysis, None);
    assert_eq!(turns.take(1, 0), Some(Turn { job: 1, alone: true }));
    let Removed { slot, .. } = turns.remove(1);
    turns.add(2, Precedence::Analysis, slot);
    assert_eq!(turns.take(0, 1), None, "slot 1 is about to be free");
    turns.give_back(1, true);
    assert_eq!(turns.take(1, 2), Some(Turn { job: 2, alone: true }));
    // A slot that is busy otherwise is not waited for.
    turns.add(3, Precedence::Analysis, Some(1));
    assert_eq!(turns.take(0, 3), Some(Turn { job: 3, alone: false }));
}

#[test]
fn who_is_left_alone_gets_the_whole_machine() {
    let mut turns = Turns::new(2, LENGTHS);
    turns.add(1, Precedence::Analysis, None);
    turns.add(2, Precedence::Analysis, None);
    turns.take(0, 0);
    assert_eq!(turns.take(1, 0), Some(Turn { job: 2, alone: false }));
    turns.remove(1);
    turns.give_back(0, true);
    assert_eq!(turns.overdue(100), Vec::<usize>::new());
    assert_eq!(turns.overdue(200), [1]);
    turns.give_back(1, false);
    assert_eq!(turns.take(1, 201), Some(Turn { job: 2, alone: true }));
    assert_eq!(turns.next_due(), None);
}
