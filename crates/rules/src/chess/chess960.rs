// SPDX-License-Identifier: GPL-3.0-or-later
//! The start positions of Chess960: `number -> position`, in Scharnagl's order.

use super::Board;

/// Where two knights stand among the five squares that bishops and queen leave free.
const KNIGHTS: [[usize; 2]; 10] =
    [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

impl Board {
    /// How many start positions Chess960 has.
    pub const CHESS960_STARTS: usize = 960;

    /// The start position of a number; 518 is that of chess.
    ///
    /// # Panics
    /// If the number is not below [`Board::CHESS960_STARTS`].
    pub fn chess960_start(number: usize) -> Board {
        assert!(number < Board::CHESS960_STARTS, "start position {number} of {}", Board::CHESS960_STARTS);
        let (number, light_bishop) = (number / 4, number % 4);
        let (number, dark_bishop) = (number / 4, number % 4);
        let (knights, queen) = (number / 6, number % 6);
        let mut rank = [' '; 8];
        rank[2 * light_bishop + 1] = 'b';
        rank[2 * dark_bishop] = 'b';
        place(&mut rank, queen, 'q');
        // The farther knight first, so that the place of the nearer stays what it was.
        let [near, far] = KNIGHTS[knights];
        place(&mut rank, far, 'n');
        place(&mut rank, near, 'n');
        for piece in ['r', 'k', 'r'] {
            place(&mut rank, 0, piece);
        }
        let black: String = rank.iter().collect();
        let white = black.to_ascii_uppercase();
        let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
        Board::from_fen(&fen).expect("a start position is legal")
    }
}

/// Puts a piece on a free square, counted from the a-file.
fn place(rank: &mut [char; 8], free: usize, piece: char) {
    let square = rank.iter_mut().filter(|square| **square == ' ').nth(free);
    *square.expect("there are enough squares") = piece;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn first_rank(number: usize) -> String {
        Board::chess960_start(number).to_string()[..8].to_owned()
    }

    #[test]
    fn numbers_are_the_published_ones() {
        assert_eq!(Board::chess960_start(518), Board::start());
        assert_eq!(first_rank(0), "bbqnnrkr");
        assert_eq!(first_rank(1), "bqnbnrkr");
        assert_eq!(first_rank(959), "rkrnnqbb");
    }

    #[test]
    fn all_differ_and_keep_the_rules() {
        let ranks: BTreeSet<String> = (0..Board::CHESS960_STARTS).map(first_rank).collect();
        assert_eq!(ranks.len(), 960);
        for rank in ranks {
            let files = |piece| rank.match_indices(piece).map(|(file, _)| file).collect::<Vec<_>>();
            let (bishops, rooks, king) = (files('b'), files('r'), files('k')[0]);
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{rank}");
            assert!(rooks[0] < king && king < rooks[1], "{rank}");
        }
    }
}
