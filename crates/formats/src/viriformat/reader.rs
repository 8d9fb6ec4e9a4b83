// SPDX-License-Identifier: GPL-3.0-or-later
//! Games with every move checked.

use std::io::BufRead;

use super::{PAIR, frames::Frames, move_of};
use crate::{
    bytes::{Counted, Fields},
    error::{Place, Problem, ReadError},
    games::GameRecord,
    packed::{self, Packed},
};

/// Reads games; an illegal start or move costs that game alone.
#[derive(Debug)]
pub struct Reader<R> {
    frames: Frames<R>,
    bytes: Vec<u8>,
}

impl<R: BufRead> Reader<R> {
    /// A reader at the beginning of a file.
    pub fn new(input: R) -> Reader<R> {
        Reader::at(input, 0)
    }

    /// A reader of a part that begins at an offset of its file.
    pub(super) fn at(input: R, offset: u64) -> Reader<R> {
        Reader { frames: Frames::new(Counted::new(input, offset)), bytes: Vec::new() }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<GameRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.bytes.clear();
        let frame = self.frames.next_into(&mut self.bytes)?;
        Some(frame.and_then(|at| {
            decode(&self.bytes)
                .map_err(|(inside, problem)| ReadError::skipped(Place::Byte(at + inside as u64), problem))
        }))
    }
}

/// The game of a frame, or where in it something is wrong.
fn decode(frame: &[u8]) -> Result<GameRecord, (usize, Problem)> {
    let mut fields = Fields(frame);
    let start: [u8; packed::BYTES] = fields.array();
    let start = Packed::from_bytes(&start).map_err(|problem| (0, problem))?;
    let mut game = GameRecord::new(start.board, start.outcome);
    (game.start_score, game.extra) = (start.score, start.extra);
    game.moves.reserve_exact(fields.0.len() / PAIR - 1);
    let mut board = start.board;
    while fields.0.len() > PAIR {
        let at = frame.len() - fields.0.len();
        let m = move_of(&board, fields.u16()).map_err(|problem| (at, problem))?;
        game.moves.push((m, fields.i16()));
        board.play(m);
    }
    Ok(game)
}
