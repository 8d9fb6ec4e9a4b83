// SPDX-License-Identifier: GPL-3.0-or-later
//! Files of games and positions in pieces: `bytes -> pieces -> games or samples`.
//!
//! Cutting a file into pieces is quick and the work of one thread; decoding them is that of all others. The pieces
//! depend on the file alone.

use std::io::{self, BufRead, BufReader, Read};

use crate::{
    Kind, ReadError, archive, binpack, bullet,
    games::GameRecord,
    lines, marlin,
    pgn::bulk::{self, BulkReader},
    plain, puzzles,
    sample::{self, Sample},
    viriformat,
};

/// What a game takes in most formats, more or less.
const GAME_BYTES: usize = 512;

/// How large pieces are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Grain {
    /// Bytes of games, at least one game.
    pub bytes: usize,
    /// Records of one position.
    pub records: usize,
}

impl Grain {
    /// For work that costs little more than reading.
    pub const COARSE: Grain = Grain { bytes: 1 << 20, records: 1 << 14 };
    /// For work that takes milliseconds for each position: a game or two.
    pub const FINE: Grain = Grain { bytes: 512, records: 32 };
}

/// What a piece of a file is made of.
pub enum Body {
    /// Games as text.
    Pgn(bulk::Chunk),
    /// Games of which only the ends are known.
    Viriformat(viriformat::Chunk),
    /// Games, still coded.
    Archive(archive::Block),
    /// Games that were decoded while they were cut out.
    Games(Vec<Result<GameRecord, ReadError>>),
    /// Records of one size.
    Records {
        /// What they are.
        kind: Kind,
        /// Where in the file they begin.
        offset: u64,
        /// The records.
        bytes: Vec<u8>,
        /// Why there are no more, if that is so.
        broken: Option<io::Error>,
    },
    /// Positions that were decoded while they were cut out.
    Samples(Vec<Result<Sample, ReadError>>),
    /// Something that cannot be read, perhaps with all that follows in its file.
    Damage(ReadError),
}

/// A file that is being read.
pub type Input = Box<dyn BufRead + Send>;
/// The pieces of a file, in their order.
pub type Bodies = Box<dyn Iterator<Item = Body> + Send>;

/// Cuts a file of a kind into pieces. Arrays, which cannot be read, have none.
pub fn pieces(input: Input, kind: Kind, grain: Grain) -> Bodies {
    match kind {
        Kind::Pgn => Box::new(bulk::Chunks::new(input, grain.bytes).map(|chunk| match chunk {
            Ok(chunk) => Body::Pgn(chunk),
            Err(error) => Body::Damage(error),
        })),
        Kind::Viriformat => Box::new(viriformat::Chunks::new(input, grain.bytes).map(|chunk| match chunk {
            Ok(chunk) => Body::Viriformat(chunk),
            Err(error) => Body::Damage(error),
        })),
        Kind::Archive if grain != Grain::FINE => {
            Box::new(archive::Blocks::new(input).map(|block| match block {
                Ok(block) => Body::Archive(block),
                Err(error) => Body::Damage(error),
            }))
        }
        Kind::Archive => in_groups(archive::Reader::new(input), 1, Body::Games),
        Kind::Binpack => in_groups(binpack::Reader::new(input), grain.bytes / GAME_BYTES, Body::Games),
        Kind::Bullet | Kind::Marlin => Box::new(Records::new(input, kind, 32, 0, grain.records)),
        Kind::Samples => Box::new(Records::new(input, kind, sample::BYTES, sample::BYTES, grain.records)),
        Kind::Lines => in_groups(lines::Reader::new(input), grain.records, Body::Samples),
        Kind::Plain => in_groups(plain::Reader::new(input), grain.records, Body::Samples),
        Kind::Puzzles => {
            let samples = puzzles::Reader::new(input).map(|puzzle| {
                puzzle.map(|puzzle| {
                    let (board, solution) = puzzle.task();
                    Sample { played: solution.first().copied(), ..Sample::new(board) }
                })
            });
            in_groups(samples, grain.records, Body::Samples)
        }
        Kind::Npy => Box::new(std::iter::empty()),
    }
}

impl Body {
    /// Decodes a piece of a file of a kind.
    pub fn decode(self, kind: Kind) -> Batch {
        let mut batch = Batch { holds_games: kind.holds_games(), ..Batch::default() };
        match self {
            Body::Pgn(chunk) => {
                for game in BulkReader::new(&chunk.text, chunk.first_line) {
                    match game {
                        Ok(game) => match game.outcome {
                            Some(outcome) => batch.games.push(game.record(outcome)),
                            None => batch.unfinished += 1,
                        },
                        Err(error) => batch.errors.push(error),
                    }
                }
            }
            Body::Viriformat(chunk) => batch.take_games(chunk.records()),
            Body::Archive(block) => match block.decode() {
                Ok(games) => batch.games = games,
                Err(error) => batch.errors.push(error),
            },
            Body::Games(games) => batch.take_games(games),
            Body::Records { kind, offset, bytes, broken } => {
                batch.take_samples(records(kind, offset, &bytes, broken));
            }
            Body::Samples(samples) => batch.take_samples(samples),
            Body::Damage(error) => batch.errors.push(error),
        }
        batch
    }
}

/// What a piece holds; of games and samples one is empty.
#[derive(Debug, Default)]
pub struct Batch {
    /// Whole games.
    pub games: Vec<GameRecord>,
    /// Positions.
    pub samples: Vec<Sample>,
    /// What could not be read, with file and place.
    pub errors: Vec<ReadError>,
    /// Games that say not how they ended.
    pub unfinished: u64,
    /// Whether the piece should hold games.
    pub holds_games: bool,
}

impl Batch {
    fn take<T>(&mut self, items: impl IntoIterator<Item = Result<T, ReadError>>, to: fn(&mut Batch, T)) {
        for item in items {
            match item {
                Ok(item) => to(self, item),
                Err(error) => self.errors.push(error),
            }
        }
    }

    fn take_games(&mut self, games: impl IntoIterator<Item = Result<GameRecord, ReadError>>) {
        self.take(games, |batch, game| batch.games.push(game));
    }

    fn take_samples(&mut self, samples: impl IntoIterator<Item = Result<Sample, ReadError>>) {
        self.take(samples, |batch, sample| batch.samples.push(sample));
    }
}

/// Items of a reader, so many at a time.
fn in_groups<T: Send + 'static>(
    mut items: impl Iterator<Item = Result<T, ReadError>> + Send + 'static,
    count: usize,
    body: fn(Vec<Result<T, ReadError>>) -> Body,
) -> Bodies {
    let count = count.max(1);
    Box::new(std::iter::from_fn(move || {
        let group: Vec<_> = items.by_ref().take(count).collect();
        (!group.is_empty()).then(|| body(group))
    }))
}

/// Records of one size, undecoded.
struct Records {
    input: Input,
    kind: Kind,
    size: usize,
    offset: u64,
    header: usize,
    records: usize,
    over: bool,
}

impl Records {
    fn new(input: Input, kind: Kind, size: usize, header: usize, records: usize) -> Records {
        Records { input, kind, size, offset: 0, header, records, over: false }
    }

    /// Reads the header, if it is still to come, and some records.
    fn read(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        let mut header = vec![0; std::mem::take(&mut self.header)];
        self.input.read_exact(&mut header)?;
        self.offset += header.len() as u64;
        if !header.is_empty() && header != sample::HEADER {
            let message = "this is not the header of a file of samples";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let wanted = (self.size * self.records) as u64;
        self.input.by_ref().take(wanted).read_to_end(bytes).map(drop)
    }
}

impl Iterator for Records {
    type Item = Body;

    fn next(&mut self) -> Option<Body> {
        if self.over {
            return None;
        }
        let mut bytes = Vec::new();
        let broken = self.read(&mut bytes).err();
        self.over = broken.is_some() || bytes.is_empty();
        if bytes.is_empty() && broken.is_none() {
            return None;
        }
        let offset = self.offset;
        self.offset += bytes.len() as u64;
        Some(Body::Records { kind: self.kind, offset, bytes, broken })
    }
}

/// Reads records of one size, and then what broke off behind them.
fn records(
    kind: Kind,
    offset: u64,
    bytes: &[u8],
    broken: Option<io::Error>,
) -> Vec<Result<Sample, ReadError>> {
    let input = bytes.chain(BufReader::new(Broken(broken)));
    let samples: Vec<_> = match kind {
        Kind::Bullet => bullet::reader(input).collect(),
        Kind::Marlin => marlin::reader(input).collect(),
        _ => {
            // Its reader wants to see the header, which lies elsewhere for all pieces but the first.
            let header: &'static [u8] = &sample::HEADER;
            return match sample::reader(header.chain(input)) {
                Ok(samples) => moved(samples.collect(), offset.saturating_sub(sample::BYTES as u64)),
                Err(error) => vec![Err(error)],
            };
        }
    };
    moved(samples, offset)
}

/// The same, with places counted from the beginning of the file.
fn moved(samples: Vec<Result<Sample, ReadError>>, offset: u64) -> Vec<Result<Sample, ReadError>> {
    samples.into_iter().map(|sample| sample.map_err(|error| error.moved(offset))).collect()
}

/// Input that fails, if it has a reason to, and is empty otherwise.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
