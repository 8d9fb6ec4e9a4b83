// SPDX-License-Identifier: GPL-3.0-or-later
//! Games and samples as lines to be judged, and judgements as scores of games and samples.

use formats::{
    games::{GameRecord, NO_SCORE},
    sample::Sample,
};

use super::judge::{Judge, Judgement, Line};
use crate::Counts;

/// Has games scored, all of their positions or the quiet ones alone; one that cannot be scored is left out and counted.
pub(super) fn label_games(
    games: Vec<GameRecord>,
    quiet: bool,
    judge: &mut dyn Judge,
    counts: &mut Counts,
) -> Vec<GameRecord> {
    let mut labelled = Vec::with_capacity(games.len());
    for mut game in games {
        let Some((_, before_last)) = game.moves.split_last() else {
            counts.skip_game("no moves");
            continue;
        };
        let moves = before_last.iter().map(|&(m, _)| m).collect();
        let wanted: Vec<bool> = game.samples().map(|sample| !quiet || sample.is_quiet()).collect();
        let line = Line { start: game.start, moves, wanted };
        match judge.judge(std::slice::from_ref(&line)) {
            Ok(judgements) => {
                let turns = std::iter::successors(Some(game.start.turn()), |&turn| Some(!turn));
                let mut judgements = judgements[0].iter();
                for ((ply, wanted), turn) in game.moves.iter_mut().zip(&line.wanted).zip(turns) {
                    let judgement = if *wanted { judgements.next() } else { None };
                    ply.1 = judgement.map_or(NO_SCORE, |judgement| judgement.opinion.for_white(turn));
                }
                labelled.push(game);
            }
            Err(words) => {
                counts.skip_game("not labelled");
                counts.example(format!("{}: {words}", game.start));
            }
        }
    }
    labelled
}

/// Has samples scored; where no move is known, the best one is kept. If all together cannot be scored, each is
/// tried alone: one bad position must not cost the others.
pub(super) fn label_samples(
    mut samples: Vec<Sample>,
    quiet: bool,
    judge: &mut dyn Judge,
    counts: &mut Counts,
) -> Vec<Sample> {
    if quiet {
        let loud = samples.extract_if(.., |sample| !sample.is_quiet());
        loud.for_each(|_| counts.skip_position("not quiet"));
    }
    let line = |sample: &Sample| Line::single(sample.board);
    let lines: Vec<Line> = samples.iter().map(line).collect();
    if let Ok(judgements) = judge.judge(&lines) {
        return samples
            .into_iter()
            .zip(judgements)
            .map(|(sample, judgements)| scored(sample, judgements[0]))
            .collect();
    }
    let mut labelled = Vec::with_capacity(samples.len());
    for (sample, line) in samples.into_iter().zip(lines) {
        match judge.judge(&[line]) {
            Ok(judgements) => labelled.push(scored(sample, judgements[0][0])),
            Err(words) => {
                counts.skip_position("not labelled");
                counts.example(format!("{}: {words}", sample.board));
            }
        }
    }
    labelled
}

fn scored(mut sample: Sample, judgement: Judgement) -> Sample {
    sample.score = Some(judgement.opinion.for_white(sample.board.turn()));
    sample.played = sample.played.or(judgement.best);
    sample
}

#[cfg(test)]
mod tests {
    use rules::{Color, Outcome, chess::Board};

    use super::*;
    use crate::score::Opinion;

    /// Gives the number of pieces as a score; some positions are too much for it.
    struct Counter {
        refused: Option<u64>,
        asked: usize,
    }

    impl Judge for Counter {
        fn judge(&mut self, lines: &[Line]) -> Result<Vec<Vec<Judgement>>, String> {
            self.asked += 1;
            let judge = |board: Board| match self.refused {
                Some(key) if key == board.key() => Err("dies".to_owned()),
                _ => {
                    let opinion = Opinion::Centipawns(board.occupied().len() as i32);
                    Ok(Judgement { opinion, best: board.legal_moves().first().copied() })
                }
            };
            lines.iter().map(|line| line.boards().map(judge).collect()).collect()
        }
    }

    fn game(line: &str) -> GameRecord {
        let mut game = GameRecord::new(Board::start(), Outcome::Draw);
        let mut board = Board::start();
        for text in line.split_whitespace() {
            let m = board.parse_uci(text).expect("a legal move");
            game.moves.push((m, 7));
            board.play(m);
        }
        game
    }

    #[test]
    fn games_get_the_scores_of_their_positions_in_whites_view() {
        let mut counts = Counts::default();
        let mut judge = Counter { refused: None, asked: 0 };
        let games = vec![game("e2e4 d7d5 e4d5 d8d5"), game("")];
        let labelled = label_games(games.clone(), false, &mut judge, &mut counts);
        let scores: Vec<i16> = labelled[0].moves.iter().map(|&(_, score)| score).collect();
        assert_eq!(scores, [32, -32, 32, -31]);
        assert_eq!((labelled.len(), counts.skipped_games["no moves"]), (1, 1));
        let labelled = label_games(games, true, &mut judge, &mut counts);
        let scores: Vec<i16> = labelled[0].moves.iter().map(|&(_, score)| score).collect();
        assert_eq!(scores, [32, -32, NO_SCORE, NO_SCORE], "both last moves capture");
    }

    #[test]
    fn loud_positions_are_left_out_if_only_quiet_ones_are_wanted() {
        let quiet = |quiet| {
            let samples: Vec<Sample> = game("e2e4 d7d5 e4d5 d8d5").samples().collect();
            let mut counts = Counts::default();
            let mut judge = Counter { refused: None, asked: 0 };
            let labelled = label_samples(samples, quiet, &mut judge, &mut counts);
            (labelled.len(), counts.skipped_positions.get("not quiet").copied())
        };
        assert_eq!((quiet(false), quiet(true)), ((4, None), (2, Some(2))));
    }

    #[test]
    fn a_position_that_kills_costs_itself_alone() {
        let boards: Vec<Board> = game("e2e4 d7d5 e4d5 d8d5").boards().map(|(board, ..)| board).collect();
        let samples: Vec<Sample> = boards.iter().map(|&board| Sample::new(board)).collect();
        let mut counts = Counts::default();
        let mut judge = Counter { refused: Some(boards[2].key()), asked: 0 };
        let labelled = label_samples(samples, false, &mut judge, &mut counts);
        assert_eq!(
            labelled.iter().map(|sample| sample.score).collect::<Vec<_>>(),
            [Some(32), Some(-32), Some(-31)]
        );
        assert_eq!((judge.asked, counts.skipped_positions["not labelled"]), (5, 1));
        assert!(counts.examples[0].ends_with("dies"), "{:?}", counts.examples);
        assert!(labelled.iter().all(|sample| sample.played.is_some()));
        assert_eq!(labelled[0].board.turn(), Color::White);
    }
}
