// SPDX-License-Identifier: GPL-3.0-or-later
//! The training record of the house: a position and everything that may be known about it, in 48 bytes.
//!
//! ```text
//! 0   32  the position with score and result as marlinformat has them; its spare byte says which are known
//! 32   2  the move played, as the rules write it in 16 bits; 0 if unknown
//! 34   2  another legal move, drawn at random: the third of Lombardo's triplets; 0 if none
//! 36  12  ratings of White and Black, seconds left to the mover and the opponent, seconds at the beginning,
//!         seconds added per move: six numbers, 65535 if unknown
//! ```
//!
//! Numbers are little-endian. A file begins with [`HEADER`], as long as a record, so that records of any
//! number can be found, cut and shuffled as they are.

use std::io::{self, BufRead, Write};

use rules::{
    Color, Outcome,
    chess::{Board, Move},
};

use crate::{
    bytes::{Counted, Fields},
    error::{Place, Problem, ReadError},
    fixed::Records,
    moves::illegal,
    packed::{self, Packed},
};

/// The size of a record.
pub const BYTES: usize = 48;

/// What a file of samples begins with.
pub const HEADER: [u8; BYTES] = *b"nue samples 1: 48 bytes per record, see formats\n";

const HAS_SCORE: u8 = 1;
const HAS_OUTCOME: u8 = 2;
const UNKNOWN: u16 = u16::MAX;

/// A position and what is known about it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position.
    pub board: Board,
    /// Its score in centipawns, White's view.
    pub score: Option<i16>,
    /// Who won the game.
    pub outcome: Option<Outcome>,
    /// The move that was played, or the best one.
    pub played: Option<Move>,
    /// Another legal move, drawn at random.
    pub other: Option<Move>,
    /// Who played under which conditions.
    pub context: Context,
}

/// Who played, and how much time there was; numbers of 65535 and more count as unknown.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// White's rating.
    pub white_rating: Option<u16>,
    /// Black's rating.
    pub black_rating: Option<u16>,
    /// Seconds left to the side to move, before its move.
    pub clock: Option<u16>,
    /// Seconds left to the other side.
    pub opponent_clock: Option<u16>,
    /// Seconds at the beginning of the game.
    pub base: Option<u16>,
    /// Seconds added after each move.
    pub increment: Option<u16>,
}

/// Half-moves since the beginning of the game, by the counter of the position.
pub fn ply(board: &Board) -> u32 {
    2 * (u32::from(board.fullmoves()) - 1) + u32::from(board.turn() == Color::Black)
}

impl Sample {
    /// A position of which nothing is known.
    pub fn new(board: Board) -> Sample {
        let (score, outcome, played, other) = (None, None, None, None);
        Sample { board, score, outcome, played, other, context: Context::default() }
    }

    /// Whether an evaluation without search can tell its worth: the mover is not in check, and the move played or best
    /// neither captures nor promotes. Where no move is known, the check alone decides.
    pub fn is_quiet(&self) -> bool {
        !self.board.in_check() && self.played.is_none_or(|m| m.is_quiet())
    }

    /// The record of the sample.
    pub fn to_bytes(&self) -> [u8; BYTES] {
        let known = |flag: u8, there: bool| if there { flag } else { 0 };
        let extra = known(HAS_SCORE, self.score.is_some()) | known(HAS_OUTCOME, self.outcome.is_some());
        let (score, outcome) = (self.score.unwrap_or(0), self.outcome.unwrap_or(Outcome::Draw));
        let Context { white_rating, black_rating, clock, opponent_clock, base, increment } = self.context;
        let mut bytes = [0; BYTES];
        bytes[..packed::BYTES]
            .copy_from_slice(&Packed { board: self.board, score, outcome, extra }.to_bytes());
        let moves = [self.played, self.other].map(|m| m.unwrap_or(Move::NONE).to_bits());
        let numbers = [white_rating, black_rating, clock, opponent_clock, base, increment];
        let rest = moves.into_iter().chain(numbers.map(|number| number.unwrap_or(UNKNOWN)));
        for (place, number) in bytes[packed::BYTES..].chunks_exact_mut(2).zip(rest) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    /// The sample of a record.
    ///
    /// # Errors
    /// When the record holds no legal position, or a move that cannot be played in it.
    pub fn from_bytes(bytes: &[u8; BYTES]) -> Result<Sample, Problem> {
        let mut fields = Fields(bytes);
        let Packed { board, score, outcome, extra } = Packed::from_bytes(&fields.array())?;
        if extra & !(HAS_SCORE | HAS_OUTCOME) != 0 {
            return Err(Problem::value("flags", extra, "at most 3"));
        }
        let mut a_move = || match Move::from_bits(fields.u16()) {
            Move::NONE => Ok(None),
            m if board.is_legal(m) => Ok(Some(m)),
            m => Err(illegal(&board, m)),
        };
        let (played, other) = (a_move()?, a_move()?);
        let mut number = || Some(fields.u16()).filter(|&number| number != UNKNOWN);
        let context = Context {
            white_rating: number(),
            black_rating: number(),
            clock: number(),
            opponent_clock: number(),
            base: number(),
            increment: number(),
        };
        let score = (extra & HAS_SCORE != 0).then_some(score);
        let outcome = (extra & HAS_OUTCOME != 0).then_some(outcome);
        Ok(Sample { board, score, outcome, played, other, context })
    }
}

/// Begins a file of samples.
///
/// # Errors
/// When the output cannot be written.
pub fn write_header(output: &mut impl Write) -> io::Result<()> {
    output.write_all(&HEADER)
}

/// Writes a sample.
///
/// # Errors
/// When the output cannot be written.
pub fn write(output: &mut impl Write, sample: &Sample) -> io::Result<()> {
    output.write_all(&sample.to_bytes())
}

/// Reads samples.
pub type Reader<R> = Records<R, BYTES>;

/// Reads samples behind the header.
///
/// # Errors
/// When the file does not begin with [`HEADER`].
pub fn reader<R: BufRead>(input: R) -> Result<Reader<R>, ReadError> {
    let mut input = Counted::new(input, 0);
    if input.array("the header")? != HEADER {
        let problem = Problem::value("header", "of another kind", "that of a file of samples");
        return Err(ReadError::fatal(Place::Byte(0), problem));
    }
    Ok(Records::new(input, Sample::from_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Sample {
        let board = Board::from_fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 20").expect("a legal position");
        Sample {
            board,
            score: Some(-31_000),
            outcome: Some(Outcome::Win(Color::Black)),
            played: board.parse_uci("e5d6").ok(),
            other: board.parse_uci("e1h1").ok(),
            context: Context {
                white_rating: Some(0),
                black_rating: Some(3200),
                clock: Some(65534),
                opponent_clock: None,
                base: Some(180),
                increment: Some(2),
            },
        }
    }

    #[test]
    fn everything_comes_back() {
        for sample in [full(), Sample::new(Board::start()), Sample { score: Some(0), ..full() }] {
            let bytes = sample.to_bytes();
            let again = Sample::from_bytes(&bytes).expect("a good record");
            assert_eq!(again, sample);
            assert_eq!(again.to_bytes(), bytes);
        }
    }

    #[test]
    fn a_file_is_header_and_records() {
        let mut file = Vec::new();
        write_header(&mut file).expect("a vector");
        write(&mut file, &full()).expect("a vector");
        let mut damaged = full().to_bytes();
        damaged[32] = 1;
        file.extend(damaged);
        write(&mut file, &Sample::new(Board::start())).expect("a vector");
        file.push(0);

        let mut samples = reader(file.as_slice()).expect("a good header");
        assert_eq!(samples.next().expect("a record").expect("a good record"), full());
        let error = samples.next().expect("a record").expect_err("a bad move");
        assert!(!error.is_fatal());
        assert!(error.to_string().starts_with("byte 96: illegal move "), "{error}");
        assert!(samples.next().expect("a record").is_ok());
        let error = samples.next().expect("a record").expect_err("a cut record");
        assert_eq!(
            (error.to_string().as_str(), error.is_fatal()),
            ("byte 192: the data ends within a record", true)
        );
        assert!(samples.next().is_none());
        assert!(reader(&file[1..]).is_err() && reader(&file[..9]).is_err());
    }
}
