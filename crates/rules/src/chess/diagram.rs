// SPDX-License-Identifier: GPL-3.0-or-later
//! A position drawn as text, for people at a terminal.

use super::{Board, Square};

impl Board {
    /// The board seen from White's side, followed by FEN, key and checkers.
    pub fn diagram(&self) -> String {
        let mut text = String::from("  +-----------------+\n");
        for rank in (0..8).rev() {
            text.push_str(&format!("{} |", rank + 1));
            for file in 0..8 {
                let letter = self.piece_on(Square::at(file, rank)).map_or('.', |piece| piece.letter());
                text.push(' ');
                text.push(letter);
            }
            text.push_str(" |\n");
        }
        text.push_str("  +-----------------+\n    a b c d e f g h\n\n");

        let checkers: Vec<String> = self.checkers().into_iter().map(|square| square.to_string()).collect();
        let checkers = if checkers.is_empty() { "none".to_owned() } else { checkers.join(" ") };
        text.push_str(&format!("To move:  {}\n", self.turn()));
        text.push_str(&format!("FEN:      {self}\n"));
        text.push_str(&format!("Key:      {:016X}\n", self.key()));
        text.push_str(&format!("Checkers: {checkers}\n"));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diagram_shows_the_whole_position() {
        let fen = "4k3/8/8/8/8/8/3P4/4K2q w - - 0 1";
        let board = Board::from_fen(fen).expect("legal");
        let expected = format!(
            "  +-----------------+
8 | . . . . k . . . |
7 | . . . . . . . . |
6 | . . . . . . . . |
5 | . . . . . . . . |
4 | . . . . . . . . |
3 | . . . . . . . . |
2 | . . . P . . . . |
1 | . . . . K . . q |
  +-----------------+
    a b c d e f g h

To move:  white
FEN:      {fen}
Key:      {:016X}
Checkers: h1
",
            board.key()
        );
        assert_eq!(board.diagram(), expected);
        assert!(Board::start().diagram().ends_with("Checkers: none\n"));
    }
}
