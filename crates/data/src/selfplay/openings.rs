// SPDX-License-Identifier: GPL-3.0-or-later
//! How games of self-play begin: a start, then some random moves.

use formats::book::Book;
use rules::{
    Color, Random,
    chess::{Board, Game, Setup, Square, Wing},
};
use serde_json::{Value, json};

/// Where games come from.
#[derive(Clone, Debug)]
pub struct Openings {
    /// Positions or lines to begin with instead of the start position.
    pub book: Option<Book>,
    /// The share of games that begin with a start position of Chess960, 0 to 1; a book decides for itself.
    pub chess960: f64,
    /// Whether the sides of a Chess960 start position differ.
    pub double: bool,
    /// The fewest random moves.
    pub min_plies: usize,
    /// The most random moves.
    pub max_plies: usize,
}

impl Default for Openings {
    /// Eight or nine random moves from the start position.
    fn default() -> Openings {
        Openings { book: None, chess960: 0.0, double: false, min_plies: 8, max_plies: 9 }
    }
}

impl Openings {
    /// A beginning at random; nothing if the random moves end the game.
    pub fn draw(&self, random: &mut Random) -> Option<Game> {
        let mut game = match &self.book {
            Some(book) => book.opening(random.below(book.len())).game(),
            None => Game::new(self.start(random)),
        };
        let plies = self.min_plies + random.below(self.max_plies - self.min_plies + 1);
        for _ in 0..plies {
            let moves = game.board().legal_moves();
            if moves.is_empty() {
                return None;
            }
            game.play(moves[random.below(moves.len())]);
        }
        game.outcome().is_none().then_some(game)
    }

    fn start(&self, random: &mut Random) -> Board {
        if random.unit() >= self.chess960 {
            return Board::start();
        }
        let white = Board::chess960_start(random.below(Board::CHESS960_STARTS));
        if !self.double {
            return white;
        }
        mixed(&white, &Board::chess960_start(random.below(Board::CHESS960_STARTS)))
    }

    /// As a manifest has them, without the book's file.
    pub fn to_json(&self) -> Value {
        json!({
            "chess960": self.chess960,
            "double": self.double,
            "random_plies": [self.min_plies, self.max_plies],
        })
    }
}

/// White's side of one start position and Black's of another.
fn mixed(white: &Board, black: &Board) -> Board {
    let mut setup = Setup::from(white);
    let other = Setup::from(black);
    for square in Square::all().filter(|square| square.rank() >= 4) {
        setup.squares[square.index()] = other.squares[square.index()];
    }
    let mut castling = rules::chess::CastlingRights::NONE;
    for (board, color) in [(white, Color::White), (black, Color::Black)] {
        for wing in Wing::ALL {
            if let Some(rook) = board.castling().rook(color, wing) {
                castling.set(color, wing, rook);
            }
        }
    }
    setup.castling = castling;
    Board::from_setup(&setup).expect("two halves of start positions are one")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_random_and_repeatable() {
        let openings = Openings::default();
        let draw = |number| openings.draw(&mut Random::stream(1, number)).map(|game| game.keys().to_vec());
        let lengths: Vec<usize> = (0..200).filter_map(draw).map(|keys| keys.len() - 1).collect();
        let nines = lengths.iter().filter(|&&length| length == 9).count();
        assert!(lengths.iter().all(|length| [8, 9].contains(length)));
        assert!((60..140).contains(&nines), "{nines} of {}", lengths.len());
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn a_share_of_games_is_chess960() {
        let openings = Openings { chess960: 0.25, min_plies: 0, max_plies: 0, ..Openings::default() };
        let mut random = Random::new(1);
        let starts: Vec<Board> =
            (0..4000).map(|_| *openings.draw(&mut random).expect("no moves, no end").board()).collect();
        let usual = starts.iter().filter(|&&board| board == Board::start()).count();
        assert!(usual.abs_diff(3000) < 150, "{usual}");
    }

    #[test]
    fn two_sides_may_differ() {
        let double =
            Openings { chess960: 1.0, double: true, min_plies: 0, max_plies: 0, ..Openings::default() };
        let board = *double.draw(&mut Random::new(3)).expect("a start").board();
        let fen = board.to_shredder_fen();
        let ranks: Vec<&str> = fen.split(['/', ' ']).collect();
        assert_ne!(ranks[0].to_uppercase(), ranks[7], "{fen}");
        assert_eq!(ranks[9].len(), 4, "everybody may castle: {fen}");
        assert!(board.has_legal_move());
    }
}
