// SPDX-License-Identifier: GPL-3.0-or-later
//! Our own engine as a judge, without processes and text.

use engine::{Bound, Controls, Engine, Limits, Options};
use rules::chess::{Board, Game};

use super::judge::{Judge, Judgement, Line};
use crate::{DataError, score::Opinion};

/// How much the engine does for a score.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Care {
    /// It looks.
    Static,
    /// It tries all captures worth making.
    Quiescence,
    /// It searches so many nodes.
    Nodes(u64),
    /// It searches so deep.
    Depth(u32),
}

/// Our own engine.
pub struct OwnJudge {
    engine: Engine,
    care: Care,
}

impl OwnJudge {
    /// An engine with these options, to be used on a thread with a large stack.
    ///
    /// # Errors
    /// When the engine cannot be had so.
    pub fn new(options: Options, care: Care) -> Result<OwnJudge, DataError> {
        let mut engine = Engine::with_options(options)?;
        engine.search_on_caller();
        Ok(OwnJudge { engine, care })
    }

    fn search(&mut self, game: &Game, limits: &Limits) -> Judgement {
        if let Some(judgement) = Judgement::of_the_end(game.board()) {
            return judgement;
        }
        let mut opinion = Opinion::Centipawns(0);
        let choice = self.engine.search(game, limits, &Controls::new(), &mut |report| {
            if report.bound == Bound::Exact {
                opinion = report.score.into();
            }
        });
        Judgement { opinion, best: choice.best }
    }

    fn search_all(&mut self, lines: &[Line], limits: &Limits) -> Vec<Vec<Judgement>> {
        self.engine.clear();
        let search_line = |line: &Line| {
            let mut judgements = Vec::with_capacity(line.asked());
            let Ok(()) = line.try_for_each(|game, _| {
                judgements.push(self.search(game, limits));
                Ok::<(), std::convert::Infallible>(())
            });
            judgements
        };
        lines.iter().map(search_line).collect()
    }

    fn quiesce_all(&mut self, lines: &[Line]) -> Vec<Vec<Judgement>> {
        self.engine.clear();
        let boards: Vec<Board> = lines.iter().flat_map(Line::boards).collect();
        let mut scores = self.engine.quiesce(&boards).into_iter();
        let judgement = |score: engine::Score| Judgement { opinion: score.into(), best: None };
        lines.iter().map(|line| scores.by_ref().take(line.asked()).map(judgement).collect()).collect()
    }

    fn evaluate(&mut self, board: &Board) -> Judgement {
        Judgement::of_the_end(board).unwrap_or_else(|| {
            let opinion = Opinion::Centipawns(self.engine.evaluate(board));
            Judgement { opinion, best: None }
        })
    }
}

impl Judge for OwnJudge {
    fn judge(&mut self, lines: &[Line]) -> Result<Vec<Vec<Judgement>>, String> {
        Ok(match self.care {
            Care::Static => {
                let evaluate = |line: &Line| line.boards().map(|board| self.evaluate(&board)).collect();
                lines.iter().map(evaluate).collect()
            }
            Care::Quiescence => self.quiesce_all(lines),
            Care::Nodes(nodes) => self.search_all(lines, &Limits { nodes: Some(nodes), ..Limits::default() }),
            Care::Depth(depth) => self.search_all(lines, &Limits { depth: Some(depth), ..Limits::default() }),
        })
    }
}
