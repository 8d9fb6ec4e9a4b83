// SPDX-License-Identifier: GPL-3.0-or-later
//! What a set of games or positions looks like: counts that can be added up, for tables and plots.

use features::chess::{FeatureSet, Features};
use formats::{
    games::GameRecord,
    pieces::Batch,
    sample::{Sample, ply},
};
use rules::{Color, Outcome, chess::Square};

use crate::{
    Counts, DataError, Effort, Watch, pipeline,
    raw::{Raw, count_batch},
    source::{Grain, Source},
};

/// Centipawns that share a column of the histogram, and the columns on each side.
pub const SCORE_STEP: i32 = 50;
const SCORE_COLUMNS: usize = 40;
/// Half-moves that share a column, and the columns.
pub const PLY_STEP: u32 = 5;
const PLY_COLUMNS: usize = 61;
const MOST_PIECES: usize = 32;

/// A histogram over all positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram(pub Vec<u64>);

impl Histogram {
    fn new(columns: usize) -> Histogram {
        Histogram(vec![0; columns])
    }

    fn add(&mut self, column: usize) {
        let last = self.0.len() - 1;
        self.0[column.min(last)] += 1;
    }

    fn merge(&mut self, other: &Histogram) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, part)| *sum += part);
    }

    /// All entries.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// Numbers about a data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Games and positions, and what could not be read.
    pub counts: Counts,
    /// Positions by the result of their game: White wins, draws, Black wins, unknown.
    pub results: [u64; 4],
    /// Positions in which the side to move is White.
    pub white_to_move: u64,
    /// Positions with the side to move in check.
    pub in_check: u64,
    /// Positions whose move captures or promotes.
    pub loud: u64,
    /// Positions with a score.
    pub scored: u64,
    /// Sum of the absolute scores, mates left out.
    pub score_sum: u64,
    /// Positions with a score that enters the sum.
    pub score_count: u64,
    /// Positions by score, White's view; the outermost columns hold everything beyond.
    pub scores: Histogram,
    /// Positions by half-moves.
    pub plies: Histogram,
    /// Positions by pieces on the board.
    pub pieces: Histogram,
    /// Positions by the square of White's king, then of Black's as Black sees it.
    pub kings: [Histogram; 2],
    /// How the feature sets asked for fare.
    pub features: Vec<Activity>,
}

/// How much of a feature set is active.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// The set as it was named.
    pub name: String,
    /// Views looked at: two for each position.
    pub views: u64,
    /// Active features in all of them.
    pub active: u64,
    /// How often each feature was active.
    pub hits: Vec<u64>,
}

impl Activity {
    /// Features that were never active.
    pub fn unseen(&self) -> usize {
        self.hits.iter().filter(|&&hits| hits == 0).count()
    }

    /// Active features of a view.
    pub fn mean_active(&self) -> f64 {
        self.active as f64 / self.views.max(1) as f64
    }
}

impl Stats {
    fn new(sets: &[(String, FeatureSet)]) -> Stats {
        let activity = |(name, set): &(String, FeatureSet)| Activity {
            name: name.clone(),
            views: 0,
            active: 0,
            hits: vec![0; set.size()],
        };
        Stats {
            counts: Counts::default(),
            results: [0; 4],
            white_to_move: 0,
            in_check: 0,
            loud: 0,
            scored: 0,
            score_sum: 0,
            score_count: 0,
            scores: Histogram::new(2 * SCORE_COLUMNS + 1),
            plies: Histogram::new(PLY_COLUMNS),
            pieces: Histogram::new(MOST_PIECES + 1),
            kings: [Histogram::new(Square::COUNT), Histogram::new(Square::COUNT)],
            features: sets.iter().map(activity).collect(),
        }
    }

    /// Counts everything in the input.
    ///
    /// # Errors
    /// When a file cannot be had, or at the first damage if that is wanted.
    pub fn of(
        source: &Source,
        sets: &[(String, FeatureSet)],
        effort: Effort,
        watch: &mut Watch<'_>,
    ) -> Result<Stats, DataError> {
        let mut all = Stats::new(sets);
        watch(&all.counts);
        let work = |(): &mut (), raw: Raw| -> Result<Stats, DataError> {
            let mut stats = Stats::new(sets);
            let mut batch = raw.decode()?;
            count_batch(&mut batch, &mut stats.counts, effort.strict)?;
            stats.add(&batch, sets);
            Ok(stats)
        };
        pipeline::ordered(
            source.pieces(Grain::COARSE),
            effort.threads,
            || (),
            work,
            |part| {
                all.merge(&part?);
                watch(&all.counts);
                Ok::<(), DataError>(())
            },
        )?;
        Ok(all)
    }

    fn add(&mut self, batch: &Batch, sets: &[(String, FeatureSet)]) {
        let mut indices = Vec::new();
        self.counts.games += batch.games.len() as u64;
        let of_games = batch.games.iter().flat_map(GameRecord::samples);
        for sample in of_games.chain(batch.samples.iter().copied()) {
            self.add_sample(&sample);
            for (activity, (_, set)) in self.features.iter_mut().zip(sets) {
                for view in Color::ALL {
                    indices.clear();
                    set.active(&sample.board, view, &mut indices);
                    activity.views += 1;
                    activity.active += indices.len() as u64;
                    indices.iter().for_each(|&index| activity.hits[index as usize] += 1);
                }
            }
        }
    }

    fn add_sample(&mut self, sample: &Sample) {
        let board = &sample.board;
        self.counts.positions += 1;
        self.results[match sample.outcome {
            Some(Outcome::Win(Color::White)) => 0,
            Some(Outcome::Draw) => 1,
            Some(Outcome::Win(Color::Black)) => 2,
            None => 3,
        }] += 1;
        self.white_to_move += u64::from(board.turn() == Color::White);
        self.in_check += u64::from(board.in_check());
        self.loud += u64::from(sample.played.is_some_and(|m| !m.is_quiet()));
        if let Some(score) = sample.score {
            self.scored += 1;
            if score.unsigned_abs() < crate::score::PROVEN.unsigned_abs() {
                self.score_sum += u64::from(score.unsigned_abs());
                self.score_count += 1;
            }
            let column = (i32::from(score) + SCORE_STEP / 2).div_euclid(SCORE_STEP) + SCORE_COLUMNS as i32;
            self.scores.add(column.max(0) as usize);
        }
        self.plies.add((ply(board) / PLY_STEP) as usize);
        self.pieces.add(board.occupied().len() as usize);
        for color in Color::ALL {
            self.kings[color.index()].add(board.king(color).relative(color).index());
        }
    }

    fn merge(&mut self, other: &Stats) {
        self.counts.merge(&other.counts);
        self.results.iter_mut().zip(other.results).for_each(|(sum, part)| *sum += part);
        self.white_to_move += other.white_to_move;
        self.in_check += other.in_check;
        self.loud += other.loud;
        self.scored += other.scored;
        self.score_sum += other.score_sum;
        self.score_count += other.score_count;
        self.scores.merge(&other.scores);
        self.plies.merge(&other.plies);
        self.pieces.merge(&other.pieces);
        self.kings.iter_mut().zip(&other.kings).for_each(|(sum, part)| sum.merge(part));
        for (sum, part) in self.features.iter_mut().zip(&other.features) {
            sum.views += part.views;
            sum.active += part.active;
            sum.hits.iter_mut().zip(&part.hits).for_each(|(sum, part)| *sum += part);
        }
    }

    /// The middle of a column of [`Stats::scores`], in centipawns.
    pub fn score_of(column: usize) -> i32 {
        (column as i32 - SCORE_COLUMNS as i32) * SCORE_STEP
    }
}
