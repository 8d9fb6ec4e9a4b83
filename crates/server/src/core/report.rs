// SPDX-License-Identifier: GPL-3.0-or-later
//! What the engine makes of a whole game: winning chances, accuracy, mistakes.
//!
//! Winning chances follow the curve of Lichess, `50 + 50 · (2 / (1 + exp(−0.00368208 · cp)) − 1)`, and the classes of
//! mistakes those of En Croissant: 5, 10 and 20 percent lost. The accuracy of a move falls exponentially with what it
//! lost; that of a side is the mean of its moves' accuracies.

use rules::Color;

use crate::message::{JudgedPosition, Judgement, MoveText, Report, Score, SideReport};

/// What is known about one position of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Who is to move in it.
    pub turn: Color,
    /// The study's node.
    pub node: Option<String>,
    /// The move that led here.
    pub played: Option<MoveText>,
    /// Its worth.
    pub score: Score,
    /// The best move in it.
    pub best: Option<MoveText>,
}

/// White's winning chances in percent, with this side to move.
pub fn win_percent(score: Score, turn: Color) -> f64 {
    match score {
        Score::Cp { value } => 100.0 / (1.0 + (-0.003_682_08 * f64::from(value)).exp()),
        Score::Mate { value } if value > 0 || value == 0 && turn == Color::Black => 100.0,
        Score::Mate { .. } => 0.0,
    }
}

/// How exact a move is that lost so much, 0 to 100.
fn accuracy(lost: f64) -> f64 {
    (103.166_8 * (-0.043_54 * lost).exp() - 3.166_9).clamp(0.0, 100.0)
}

fn judgement(lost: f64) -> Option<Judgement> {
    match lost {
        lost if lost > 20.0 => Some(Judgement::Blunder),
        lost if lost > 10.0 => Some(Judgement::Mistake),
        lost if lost > 5.0 => Some(Judgement::Inaccuracy),
        _ => None,
    }
}

/// Turns judged positions, the first before any move, into a report.
pub fn report(positions: &[Judged]) -> Report {
    let mut losses: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    let mut judged = Vec::with_capacity(positions.len());
    for (index, position) in positions.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &positions[before]);
        let win = win_percent(position.score, position.turn);
        let lost = before.map(|before| {
            let change = win_percent(before.score, before.turn) - win;
            let lost = if before.turn == Color::White { change } else { -change };
            losses[before.turn.index()].push(lost.max(0.0));
            lost.max(0.0)
        });
        let mistake = lost.and_then(judgement);
        let other = |best: &MoveText| position.played.as_ref().is_none_or(|played| played.uci != best.uci);
        judged.push(JudgedPosition {
            node: position.node.clone(),
            played: position.played.clone(),
            score: position.score,
            win,
            accuracy: lost.map(accuracy),
            judgement: mistake,
            better: mistake.and_then(|_| before?.best.clone().filter(other)),
        });
    }
    let [white, black] = losses.map(|losses| side(&losses));
    Report { positions: judged, white, black }
}

fn side(losses: &[f64]) -> Option<SideReport> {
    if losses.is_empty() {
        return None;
    }
    let mean = |sum: f64| sum / losses.len() as f64;
    let count = |wanted| losses.iter().filter(|&&lost| judgement(lost) == Some(wanted)).count() as u32;
    Some(SideReport {
        accuracy: mean(losses.iter().copied().map(accuracy).sum()),
        mean_loss: mean(losses.iter().sum()),
        inaccuracies: count(Judgement::Inaccuracy),
        mistakes: count(Judgement::Mistake),
        blunders: count(Judgement::Blunder),
    })
}
