// SPDX-License-Identifier: GPL-3.0-or-later
//! Scored games in viriformat: a packed position, then a move and a score each, then four zero bytes.

use anyhow::{Context, Result, bail, ensure};
use rules::{
    Color,
    chess::{Board, Move, MoveKind, Piece, Role, Setup, Square, Wing},
};

/// A game as it lies in the file.
pub(crate) struct Game<'a> {
    header: &'a [u8],
    moves: &'a [u8],
}

/// Finds the games of a file.
pub(crate) fn split(bytes: &[u8]) -> Result<Vec<Game<'_>>> {
    let mut games = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        ensure!(rest.len() >= 36, "game {} is cut off", games.len());
        let (header, tail) = rest.split_at(32);
        let end = tail.chunks_exact(4).position(|step| step == [0; 4]);
        let end = end.with_context(|| format!("game {} has no end", games.len()))?;
        games.push(Game { header, moves: &tail[..4 * end] });
        rest = &tail[4 * end + 4..];
    }
    Ok(games)
}

impl Game<'_> {
    /// White's result: 0, 0.5 or 1.
    pub(crate) fn result(&self) -> f32 {
        f32::from(self.header[30]) / 2.0
    }

    /// Replays the game; `visit` gets each position, the move played in it and White's score.
    pub(crate) fn replay(&self, mut visit: impl FnMut(&Board, Move, i16)) -> Result<()> {
        let mut board = self.start()?;
        for step in self.moves.chunks_exact(4) {
            let m = decode(&board, u16::from_le_bytes([step[0], step[1]]));
            ensure!(board.is_legal(m), "illegal move {m:?} in {board}");
            visit(&board, m, i16::from_le_bytes([step[2], step[3]]));
            board.play(m);
        }
        Ok(())
    }

    fn start(&self) -> Result<Board> {
        const UNMOVED_ROOK: u8 = 6;
        let header = self.header;
        let occupied = header[..8].iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
        let mut setup = Setup::EMPTY;
        let mut seen_king = [false; 2];
        for (nth, index) in (0..64).filter(|index| occupied >> index & 1 != 0).enumerate() {
            let code = header[8 + nth / 2] >> (4 * (nth % 2)) & 15;
            let color = Color::ALL[usize::from(code >> 3)];
            let square = Square::new(index);
            let role = match code & 7 {
                UNMOVED_ROOK => {
                    let wing = if seen_king[color.index()] { Wing::King } else { Wing::Queen };
                    setup.castling.set(color, wing, square);
                    Role::Rook
                }
                7 => bail!("piece code {code} is not used"),
                role => Role::ALL[usize::from(role)],
            };
            seen_king[color.index()] |= role == Role::King;
            setup.squares[square.index()] = Some(Piece::new(color, role));
        }
        setup.turn = Color::ALL[usize::from(header[24] >> 7)];
        setup.en_passant = (header[24] & 127 < 64).then(|| Square::new(header[24] & 63));
        setup.halfmoves = header[25].into();
        setup.fullmoves = u16::from_le_bytes([header[26], header[27]]).max(1);
        Board::from_setup(&setup).context("start of a game")
    }
}

fn decode(board: &Board, bits: u16) -> Move {
    let (from, to) = (Square::new((bits & 63) as u8), Square::new((bits >> 6 & 63) as u8));
    let capture = board.occupied().contains(to);
    match bits >> 14 {
        1 => Move::new(from, to, MoveKind::EnPassant),
        2 => Move::new(from, to, MoveKind::Castle),
        3 => Move::promotion(from, to, Role::ALL[1 + usize::from(bits >> 12 & 3)], capture),
        _ if capture => Move::new(from, to, MoveKind::Capture),
        _ if board.role(Role::Pawn).contains(from) && from.rank().abs_diff(to.rank()) == 2 => {
            Move::new(from, to, MoveKind::DoublePush)
        }
        _ => Move::new(from, to, MoveKind::Quiet),
    }
}
