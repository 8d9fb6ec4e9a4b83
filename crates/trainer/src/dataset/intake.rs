// SPDX-License-Identifier: GPL-3.0-or-later
//! From files of any kind to records: decoded, filtered and held out, on all threads, in the order of the files.

use std::{path::Path, sync::Arc};

use formats::{
    Kind,
    game_key::{game_key, share_of},
    pieces::{Body, Grain, pieces},
    sample::{Sample, ply},
};
use rayon::prelude::*;
use rules::chess::Board;

use super::{DataError, hindsight::Hindsight, siblings::siblings, stretch::Stretch, teacher::Teachers};
use crate::{Judged, Record};

/// Which positions are learned from; by default all.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those that are [quiet](Sample::is_quiet).
    pub quiet: bool,
    /// Only those after so many half-moves.
    pub min_ply: u32,
    /// Only those with scores up to this, in centipawns, for either side.
    pub max_score: Option<u16>,
}

/// What positions are to an engine: whoever has one can tell.
///
/// Answers must depend on the positions alone, whichever thread asks.
pub trait Insight: Sync {
    /// The position at the end of the quiescence search from each of some positions.
    fn leaves(&self, boards: &[Board]) -> Vec<Board>;

    /// What the hand-crafted evaluation says about each, in centipawns for the side to move.
    fn by_hand(&self, boards: &[Board]) -> Vec<i16>;
}

/// What reading data needs from outside.
pub struct Reading<'a> {
    /// Asked if the configuration needs it.
    pub insight: Option<&'a dyn Insight>,
    /// Told now and then what has been read.
    pub progress: Box<dyn FnMut(&Tally) + 'a>,
}

impl Default for Reading<'_> {
    /// No engine, and nobody who watches.
    fn default() -> Self {
        Reading { insight: None, progress: Box::new(|_| {}) }
    }
}

/// What becomes of positions on their way from a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Intake {
    pub(crate) filter: Filter,
    /// The share that is put aside to check with.
    pub(crate) hold_out: f64,
    /// Records in a row that belong together.
    pub(crate) group: usize,
    /// Whether positions are replaced by the leaves of their quiescence search.
    pub(crate) leaf: bool,
    /// Whether every position is learned from a second time, with left and right exchanged.
    pub(crate) mirror: bool,
    /// How much later scores of a game count in those to learn from.
    pub(crate) hindsight: Option<Hindsight>,
    /// How many positions beside each are learned from as well.
    pub(crate) siblings: usize,
    /// Whether records say what the hand-crafted evaluation says.
    pub(crate) by_hand: bool,
    /// Who judge the positions to learn from; nobody if the files do.
    pub(crate) teachers: Arc<Teachers>,
    /// Which of them they judge.
    pub(crate) judged: Judged,
}

/// How many positions were read, and what became of them.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub read: u64,
    /// To learn from.
    pub learn: u64,
    /// To check with.
    pub check: u64,
    /// Left out: without a score or a result.
    pub unknown: u64,
    /// Left out: in check, or a capture or promotion was best.
    pub loud: u64,
    /// Left out: too early in the game.
    pub early: u64,
    /// Left out: the score is too large.
    pub decided: u64,
}

/// Which games are held out is the same in every run, whatever its seed: results can be compared.
const HOLD_OUT_SEED: u64 = 0x4E55_4520_484F_4C44;

/// Of single positions the end of every stretch is held out. A multiple of three, for triplets.
const STRETCH: usize = 65_532;

/// Positions that become records at a time.
const AT_A_TIME: usize = 4096;

/// Where records go: those to learn from, those to check with.
type Sink<'a> = dyn FnMut(&[Record], &[Record]) -> Result<(), DataError> + 'a;

impl Intake {
    /// Reads a file.
    pub(super) fn read(
        &self,
        path: &Path,
        reading: &mut Reading<'_>,
        tally: &mut Tally,
        sink: &mut Sink<'_>,
    ) -> Result<(), DataError> {
        let failed = |cause| DataError::Io { path: path.to_owned(), cause };
        // Records of 32 bytes have no sign by which they could be known, and many endings.
        let kind = Kind::of_file(path).map_err(failed)?.unwrap_or(Kind::Bullet);
        self.suits(path, kind)?;
        let mut pieces = pieces(formats::open(path).map_err(failed)?, kind, Grain::COARSE);
        let before = *tally;
        let mut stretch = Stretch::default();
        loop {
            let some: Vec<Body> = pieces.by_ref().take(2 * rayon::current_num_threads()).collect();
            if some.is_empty() {
                break;
            }
            let insight = reading.insight;
            let decoded: Vec<_> =
                some.into_par_iter().map(|body| self.decode(path, kind, body, insight)).collect();
            for piece in decoded {
                let piece = piece?;
                tally.add(&piece.tally);
                if kind.holds_games() {
                    self.hand_on(&piece.learn, &piece.check, tally, sink)?;
                    continue;
                }
                stretch.extend(piece);
                while stretch.own.len() >= STRETCH {
                    let rest = stretch.split_off(STRETCH);
                    self.cut(&std::mem::replace(&mut stretch, rest), tally, sink)?;
                }
            }
            (reading.progress)(tally);
        }
        if !stretch.own.len().is_multiple_of(self.group.max(1)) {
            let (records, group) = ((tally.read - before.read) as usize, self.group);
            return Err(DataError::Group { path: path.to_owned(), records, group });
        }
        self.cut(&stretch, tally, sink)?;
        if (tally.learn, tally.check) == (before.learn, before.check) {
            let read = tally.read - before.read;
            return Err(DataError::Nothing { path: path.to_owned(), read });
        }
        Ok(())
    }

    /// Whether such files can be used with these settings.
    fn suits(&self, path: &Path, kind: Kind) -> Result<(), DataError> {
        let refuse = |found, expected| Err(DataError::Kind { path: path.to_owned(), found, expected });
        match kind {
            Kind::Npy | Kind::Puzzles => refuse("arrays or puzzles", "games or positions with scores"),
            Kind::Bullet if self.filter.min_ply > 0 => {
                refuse("records without move numbers", "another format, or no data.min_ply")
            }
            kind if self.hindsight.is_some() && !kind.holds_games() => {
                refuse("single positions", "games, whose scores follow each other, or no data.hindsight")
            }
            kind if self.group > 1 && !matches!(kind, Kind::Samples | Kind::Bullet | Kind::Marlin) => refuse(
                "games or single positions",
                "samples with triplets ('nue data filter --triplets'), or bullet or marlin records in threes, for \
                 loss.kind = \"pqr\"",
            ),
            _ => Ok(()),
        }
    }

    /// Of positions that come one by one, the last ones are held out: neighbours may be of one game.
    fn cut(&self, stretch: &Stretch, tally: &mut Tally, sink: &mut Sink<'_>) -> Result<(), DataError> {
        let group = self.group.max(1);
        let groups = stretch.own.len() / group;
        let kept = group * (groups - (self.hold_out * groups as f64).round() as usize);
        self.hand_on(&stretch.learn[..stretch.learned_before(kept)], &stretch.own[kept..], tally, sink)
    }

    fn hand_on(
        &self,
        learn: &[Record],
        check: &[Record],
        tally: &mut Tally,
        sink: &mut Sink<'_>,
    ) -> Result<(), DataError> {
        tally.learn += learn.len() as u64;
        tally.check += check.len() as u64;
        sink(learn, check)?;
        if self.mirror {
            let mirrored: Vec<Record> = learn.iter().map(Record::mirrored).collect();
            tally.learn += mirrored.len() as u64;
            sink(&mirrored, &[])?;
        }
        Ok(())
    }

    fn decode(
        &self,
        path: &Path,
        kind: Kind,
        body: Body,
        insight: Option<&dyn Insight>,
    ) -> Result<Piece, DataError> {
        let mut batch = body.decode(kind);
        if !batch.errors.is_empty() {
            return Err(batch.errors.swap_remove(0).in_file(path).into());
        }
        let (teachers, nobody) = (&*self.teachers, &Teachers::default());
        let into_records =
            |candidates: &mut Vec<Candidate>, teachers: &Teachers, records: &mut Vec<Record>| {
                self.become_records(candidates, insight, teachers, records);
            };
        let mut piece = Piece::default();
        let (mut learn, mut check) = (Vec::new(), Vec::new());
        for game in &batch.games {
            let key = game_key(&game.start, game.moves.iter().map(|&(m, _)| m));
            let held_out = share_of(key, HOLD_OUT_SEED) < self.hold_out;
            let revised = self.hindsight.filter(|_| !held_out).map(|hindsight| hindsight.revised(game));
            for (ply, mut sample) in game.samples().enumerate() {
                // What is left out is told by the scores of the file, in hindsight or not. Where teachers judge everything,
                // games without any will do; but nothing can be checked with those.
                let needs_score = held_out || teachers.is_empty() || self.judged != Judged::All;
                if !self.admits(&sample, needs_score, &mut piece.tally) {
                    continue;
                }
                if let Some(scores) = &revised {
                    sample.score = Some(scores[ply]);
                }
                if held_out {
                    check.push(sample.into());
                } else {
                    learn.push(sample.into());
                    siblings(&sample, self.siblings, |sample| learn.push(Candidate { sample, beside: true }));
                }
            }
            if learn.len() >= AT_A_TIME {
                into_records(&mut learn, teachers, &mut piece.learn);
            }
            if check.len() >= AT_A_TIME {
                into_records(&mut check, nobody, &mut piece.check);
            }
        }
        // Nobody knows yet which of single positions will be held out: they are kept as they are, too.
        let single = !batch.samples.is_empty();
        let tally = &mut piece.tally;
        let samples: Vec<Sample> = match self.group > 1 {
            true => batch.samples.iter().flat_map(|sample| triplet(sample, kind, tally)).collect(),
            false => batch.samples.into_iter().filter(|sample| self.admits(sample, true, tally)).collect(),
        };
        for sample in samples {
            check.extend((!teachers.is_empty()).then_some(Candidate::from(sample)));
            learn.push(sample.into());
            siblings(&sample, self.siblings, |sample| learn.push(Candidate { sample, beside: true }));
            piece.ends.push(piece.learn.len() + learn.len());
            if learn.len() >= AT_A_TIME {
                into_records(&mut learn, teachers, &mut piece.learn);
                into_records(&mut check, nobody, &mut piece.check);
            }
        }
        into_records(&mut learn, teachers, &mut piece.learn);
        into_records(&mut check, nobody, &mut piece.check);
        if single && teachers.is_empty() {
            piece.check.clone_from(&piece.learn);
        }
        Ok(piece)
    }

    /// Whether a position is used; if not, it is counted.
    fn admits(&self, sample: &Sample, needs_score: bool, tally: &mut Tally) -> bool {
        tally.read += 1;
        let Filter { quiet, min_ply, max_score } = self.filter;
        let exceeds = |most| sample.score.is_some_and(|score| score.unsigned_abs() > most);
        let refused = if sample.outcome.is_none() || (needs_score && sample.score.is_none()) {
            &mut tally.unknown
        } else if max_score.is_some_and(exceeds) {
            &mut tally.decided
        } else if ply(&sample.board) < min_ply {
            &mut tally.early
        } else if quiet && !sample.is_quiet() {
            &mut tally.loud
        } else {
            return true;
        };
        *refused += 1;
        false
    }

    /// Empties candidates into records, with all that the configuration wants to know about them.
    fn become_records(
        &self,
        candidates: &mut Vec<Candidate>,
        insight: Option<&dyn Insight>,
        teachers: &Teachers,
        records: &mut Vec<Record>,
    ) {
        let mut boards: Vec<Board> = candidates.iter().map(|candidate| candidate.sample.board).collect();
        if let Some(insight) = insight.filter(|_| self.leaf) {
            boards = insight.leaves(&boards);
        }
        let first = records.len();
        records.extend(
            candidates
                .iter()
                .zip(&boards)
                .map(|(candidate, &board)| Record::from(&Sample { board, ..candidate.sample })),
        );
        if let Some(insight) = insight.filter(|_| self.by_hand) {
            let scores = insight.by_hand(&boards);
            let fresh = records[first..].iter_mut().zip(scores);
            fresh.for_each(|(record, score)| *record = record.with_by_hand(score));
        }
        let fresh = records[first..].iter_mut().zip(candidates.drain(..));
        let judged = fresh.filter(|(_, candidate)| self.judged == Judged::All || candidate.beside);
        teachers.judge(&mut judged.map(|(record, _)| record).collect::<Vec<_>>());
    }
}

/// The positions that a sample stands for where they are learned from in threes: itself and those after its two moves, or
/// itself alone where a file has the three of them one after the other. Scores and results do not matter.
fn triplet(sample: &Sample, kind: Kind, tally: &mut Tally) -> Vec<Sample> {
    tally.read += 1;
    let after = |m| Sample { outcome: sample.outcome, ..Sample::new(sample.board.after(m)) };
    match (kind, sample.played, sample.other) {
        (Kind::Samples, Some(played), Some(other)) => vec![*sample, after(played), after(other)],
        (Kind::Samples, _, _) => {
            tally.unknown += 1;
            Vec::new()
        }
        _ => vec![*sample],
    }
}

/// A position on its way to a record.
struct Candidate {
    sample: Sample,
    /// Whether it stands beside one of the file, whose score and result it has.
    beside: bool,
}

impl From<Sample> for Candidate {
    fn from(sample: Sample) -> Candidate {
        Candidate { sample, beside: false }
    }
}

/// What a piece of a file became.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) learn: Vec<Record>,
    /// Those held out; of single positions all, with their own scores.
    pub(super) check: Vec<Record>,
    /// Of single positions: how many records there are to learn from up to each.
    pub(super) ends: Vec<usize>,
    tally: Tally,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        let Tally { read, learn, check, unknown, loud, early, decided } = *other;
        self.read += read;
        self.learn += learn;
        self.check += check;
        self.unknown += unknown;
        self.loud += loud;
        self.early += early;
        self.decided += decided;
    }
}
