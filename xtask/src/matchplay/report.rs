// SPDX-License-Identifier: GPL-3.0-or-later
//! What a match prints: a line per finished game and a summary.

use super::{
    game::GameRecord,
    pgn::result_text,
    tally::{Faults, Record, Tally},
};

/// Prints one line for the game that has just finished; `names` are White and Black.
pub(crate) fn print_game(number: usize, games: usize, names: [&str; 2], record: &GameRecord, tally: &Tally) {
    let [white, black] = names;
    let late = tally.faults.map(|faults| faults.late + faults.stalls);
    println!(
        "{number:>4}/{games} {white} - {black} {} ({}, {} plies) | {} | time losses {}:{}",
        result_text(record.outcome),
        record.reason,
        record.moves.len(),
        standing(tally),
        late[0],
        late[1],
    );
}

/// Prints the result of the match, the first engine's view.
pub(crate) fn print_summary(names: [&str; 2], tally: &Tally) {
    let [first, second] = names;
    println!("\n{first} against {second}: {}", standing(tally));
    let [none, half, one, one_half, two] = tally.pairs;
    println!("pairs by points of {first}: 0: {none}  0.5: {half}  1: {one}  1.5: {one_half}  2: {two}");
    for engine in [0, 1] {
        let Faults { late, stalls, illegal, crashes } = tally.faults[engine];
        let name = names[engine];
        println!("{name}: time losses {late}, stalls {stalls}, illegal {illegal}, crashes {crashes}");
    }
    for engine in [0, 1] {
        println!(
            "{} without the time losses of {}: {}",
            names[engine],
            names[1 - engine],
            record_text(&tally.earned[engine])
        );
    }
}

fn standing(tally: &Tally) -> String {
    let (elo, error) = tally.elo();
    let error = error.map_or_else(String::new, |error| format!(" ± {error:.1}"));
    format!("{} | Elo {elo:+.1}{error}", record_text(&tally.record))
}

fn record_text(record: &Record) -> String {
    let Record { wins, draws, losses } = record;
    format!("W {wins} D {draws} L {losses} = {:.1} % of {}", 100.0 * record.score(), record.games())
}
