// SPDX-License-Identifier: GPL-3.0-or-later
//! Filters, conversions, divisions, shuffles and statistics of whole files.

mod common;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use common::{folder, games, nobody, read_games, threads, write, write_games};
use data::{Convert, Filter, Manifest, Shuffle, Source, Split, Stats};
use formats::sample::{self, Context, Sample};
use rules::chess::Board;

fn source(paths: &[PathBuf]) -> Source {
    Source::open(paths).expect("readable files")
}

fn convert(output: PathBuf, filter: Filter) -> Convert {
    Convert { command: "convert", output, filter, triplets: false, seed: 1, force: false }
}

fn converted(input: &Path, output: PathBuf, filter: Filter) -> Manifest {
    convert(output, filter).run(&source(&[input.to_owned()]), threads(2), &mut nobody).expect("a conversion")
}

fn samples(path: &Path) -> Vec<Sample> {
    let bytes = fs::read(path).expect("a file");
    sample::reader(bytes.as_slice()).expect("a header").map(|sample| sample.expect("a good record")).collect()
}

#[test]
fn games_survive_every_form_of_games() {
    let folder = folder("forms");
    let games = games(300);
    let input = write_games(&folder, "games.vf", &games);
    converted(&input, folder.join("games.nga"), Filter::default());
    converted(&folder.join("games.nga"), folder.join("again.vf"), Filter::default());
    assert_eq!(read_games(&folder.join("again.vf")), games);
    converted(&input, folder.join("games.binpack"), Filter::default());
    converted(&folder.join("games.binpack"), folder.join("packed.vf"), Filter::default());
    let packed = read_games(&folder.join("packed.vf"));
    let positions =
        |games: &[formats::games::GameRecord]| games.iter().map(|game| game.moves.len()).sum::<usize>();
    assert_eq!(positions(&packed), positions(&games));
}

#[test]
fn positions_become_what_the_ending_says() {
    let folder = folder("endings");
    let games = games(20);
    let count: u64 = games.iter().map(|game| game.moves.len() as u64).sum();
    let input = write_games(&folder, "games.vf", &games);
    for (name, bytes) in [("x.nsam", 48 * (count + 1)), ("x.bullet", 32 * count), ("x.marlin", 32 * count)] {
        let manifest = converted(&input, folder.join(name), Filter::default());
        assert_eq!((manifest.counts.positions, manifest.bytes()), (count, bytes), "{name}");
    }
    let manifest = converted(&input, folder.join("x.npy"), Filter::default());
    assert_eq!(manifest.outputs.len(), 2);
    let inputs = fs::read(folder.join("x.inputs.npy")).expect("a file");
    let header = inputs.len() as u64 - 833 * count;
    assert!(String::from_utf8_lossy(&inputs[..header as usize]).contains(&format!("({count}, 833)")));
    let manifest = converted(&folder.join("x.nsam"), folder.join("x.txt"), Filter::default());
    assert_eq!(
        fs::read_to_string(folder.join("x.txt")).expect("text").lines().count() as u64,
        manifest.counts.positions
    );
    // And back to games of one move each.
    let manifest = converted(&folder.join("x.nsam"), folder.join("single.vf"), Filter::default());
    assert_eq!(
        (manifest.counts.positions, read_games(&folder.join("single.vf")).len() as u64),
        (count, count)
    );
}

#[test]
fn what_a_format_needs_is_missed() {
    let folder = folder("missing");
    let input = write(&folder, "bare.epd", "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    let manifest = converted(&input, folder.join("x.bullet"), Filter::default());
    assert_eq!((manifest.counts.positions, manifest.counts.skipped_positions["no score"]), (0, 1));
    let manifest = converted(&input, folder.join("x.npy"), Filter::default());
    assert_eq!(manifest.counts.skipped_positions["no move"], 1);
}

#[test]
fn damaged_records_are_named_by_their_place() {
    let folder = folder("records");
    let input = write_games(&folder, "games.vf", &games(3));
    converted(&input, folder.join("good.nsam"), Filter::default());
    converted(&input, folder.join("good.bullet"), Filter::default());
    for (name, header, size) in [("nsam", 48, 48), ("bullet", 0, 32)] {
        let mut bytes = fs::read(folder.join(format!("good.{name}"))).expect("a file");
        let count = ((bytes.len() - header) / size) as u64;
        bytes[header + 5 * size..][..8].fill(0); // no pieces, no kings
        bytes.pop();
        let bad = write(&folder, &format!("bad.{name}"), &bytes);
        let manifest = converted(&bad, folder.join(format!("{name}.marlin")), Filter::default());
        let counts = &manifest.counts;
        assert_eq!(
            (counts.positions, counts.skipped_positions[data::DAMAGED]),
            (count - 2, 2),
            "{name}: {counts:?}"
        );
        let place = |at: usize| format!("{}, byte {}: ", bad.display(), at);
        assert!(counts.examples[0].starts_with(&place(header + 5 * size)), "{:?}", counts.examples);
        assert!(counts.examples[1].starts_with(&place(bytes.len() + 1 - size)), "{:?}", counts.examples);
    }
}

#[test]
fn a_filter_keeps_exactly_what_it_says() {
    let folder = folder("filter");
    let games = games(60);
    let input = write_games(&folder, "games.vf", &games);
    let filter = Filter { max_score: Some(500), ..Filter::usual() };
    let manifest = converted(&input, folder.join("quiet.nsam"), filter);
    let expected: Vec<Sample> = games
        .iter()
        .flat_map(|game| game.samples())
        .filter(|sample| {
            let quiet = !sample.board.in_check() && sample.played.is_some_and(|m| m.is_quiet());
            let score = sample.score.is_some_and(|score| (-500..=500).contains(&score));
            quiet && score && data::ply(&sample.board) >= 16 && sample.board.occupied().len() >= 4
        })
        .collect();
    assert!(!expected.is_empty());
    assert_eq!(samples(&folder.join("quiet.nsam")), expected);
    let all: u64 = games.iter().map(|game| game.moves.len() as u64).sum();
    assert_eq!(manifest.counts.positions + manifest.counts.all_skipped_positions(), all);
    let refused =
        convert(folder.join("x.vf"), Filter::usual()).run(&source(&[input]), threads(1), &mut nobody);
    assert!(refused.is_err(), "a filter takes games apart");
}

#[test]
fn nothing_is_written_over_its_own_input() {
    let folder = folder("same");
    let games = games(3);
    let input = write_games(&folder, "games.vf", &games);
    let shuffle = Shuffle { output: folder.join("../same/games.vf"), memory: 1, seed: 1, force: true };
    let error =
        shuffle.run(&source(std::slice::from_ref(&input)), threads(1), &mut nobody).expect_err("one file");
    assert!(error.to_string().ends_with("is given as input and as output, expected two files"), "{error}");
    assert_eq!(read_games(&input), games);
}

#[test]
fn triplets_have_two_legal_moves() {
    let folder = folder("triplets");
    let input = write_games(&folder, "games.vf", &games(10));
    let output = folder.join("pqr.nsam");
    let convert = Convert { triplets: true, ..convert(output.clone(), Filter::default()) };
    convert.run(&source(&[input]), threads(2), &mut nobody).expect("a conversion");
    let samples = samples(&output);
    assert!(samples.len() > 100);
    for sample in samples {
        let (played, other) = (sample.played.expect("a move"), sample.other.expect("another"));
        assert!(played != other && sample.board.is_legal(played) && sample.board.is_legal(other));
    }
}

#[test]
fn a_split_keeps_games_whole_and_copies_together() {
    let folder = folder("split");
    let originals = games(400);
    let twice: Vec<_> = originals.iter().chain(&originals).cloned().collect();
    let input = write_games(&folder, "games.vf", &twice);
    let split = |names: [&str; 2], workers| {
        let [train, valid] = names.map(|name| folder.join(name));
        let split =
            Split { parts: vec![(train.clone(), 90.0), (valid.clone(), 10.0)], seed: 0, force: false };
        split.run(&source(std::slice::from_ref(&input)), threads(workers), &mut nobody).expect("a split");
        [train, valid]
    };
    let [train, valid] = split(["train.vf", "valid.vf"], 1).map(|path| read_games(&path));
    assert_eq!(train.len() + valid.len(), 800);
    assert!((40..130).contains(&valid.len()), "{}", valid.len());
    assert!(valid.iter().all(|game| originals.contains(game) && !train.contains(game)));
    let [again, _] = split(["train2.vf", "valid2.vf"], 3);
    assert_eq!(fs::read(again).unwrap(), fs::read(folder.join("train.vf")).unwrap());

    let positions = folder.join("positions.nsam");
    converted(&input, positions.clone(), Filter::default());
    let refused = Split {
        parts: vec![(folder.join("a.nsam"), 1.0), (folder.join("b.nsam"), 1.0)],
        seed: 0,
        force: false,
    };
    let error =
        refused.run(&source(&[positions]), threads(1), &mut nobody).expect_err("positions").to_string();
    assert!(error.contains("expected one with whole games"), "{error}");
}

/// Samples that can be told apart by their ratings and clocks.
fn numbered(count: u32) -> Vec<u8> {
    let mut bytes = sample::HEADER.to_vec();
    let board = Board::start();
    for number in 0..count {
        let context = Context {
            white_rating: Some((number & 0x7FFF) as u16),
            black_rating: Some((number >> 15) as u16),
            ..Context::default()
        };
        bytes.extend(Sample { context, ..Sample::new(board) }.to_bytes());
    }
    bytes
}

fn number(sample: &Sample) -> u32 {
    let part = |number: Option<u16>| u32::from(number.expect("a number"));
    part(sample.context.white_rating) | part(sample.context.black_rating) << 15
}

#[test]
fn a_file_ten_times_larger_than_memory_is_shuffled_uniformly() {
    let folder = folder("shuffle");
    let count = 250_000;
    let input = write(&folder, "in.nsam", numbered(count));
    assert!(fs::metadata(&input).unwrap().len() > 10 << 20);
    let shuffled = |name: &str, memory, seed, workers| {
        let output = folder.join(name);
        let shuffle = Shuffle { output: output.clone(), memory, seed, force: false };
        shuffle.run(&source(std::slice::from_ref(&input)), threads(workers), &mut nobody).expect("a shuffle");
        output
    };
    let first = shuffled("a.nsam", 1, 1, 1);
    let order: Vec<u32> = samples(&first).iter().map(number).collect();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..count).collect::<Vec<u32>>(), "nothing is lost, nothing is there twice");

    // Where records of each tenth of the input end up: a hundred cells of 2,500, Pearson's test with 81 degrees
    // of freedom exceeds 126 once in a thousand times.
    let mut cells = [[0_u32; 10]; 10];
    for (place, &number) in order.iter().enumerate() {
        cells[number as usize * 10 / count as usize][place * 10 / count as usize] += 1;
    }
    let chi_squared: f64 = cells.iter().flatten().map(|&n| (f64::from(n) - 2500.0).powi(2) / 2500.0).sum();
    assert!(chi_squared < 126.0, "{chi_squared}");
    // Neighbours of the input are strangers in the output: the chance to stay neighbours is 2 in 250,000.
    let together = order.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) == 1).count();
    assert!(together < 12, "{together} pairs stayed together");

    let bytes = fs::read(&first).unwrap();
    assert_eq!(fs::read(shuffled("b.nsam", 64, 1, 3)).unwrap(), bytes, "memory and threads change nothing");
    assert_ne!(fs::read(shuffled("c.nsam", 1, 2, 2)).unwrap(), bytes, "the seed does");
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 7, "input, outputs, manifests and nothing else: {names:?}");
}

#[test]
fn games_are_shuffled_whole_or_taken_apart() {
    let folder = folder("shuffle_games");
    let games = games(300);
    let input = write_games(&folder, "in.vf", &games);
    let shuffle = |name: &str| {
        let shuffle = Shuffle { output: folder.join(name), memory: 1, seed: 3, force: false };
        shuffle.run(&source(std::slice::from_ref(&input)), threads(2), &mut nobody).expect("a shuffle");
        folder.join(name)
    };
    let key = |game: &formats::games::GameRecord| format!("{game:?}");
    let mut shuffled: Vec<String> = read_games(&shuffle("out.vf")).iter().map(key).collect();
    let mut expected: Vec<String> = games.iter().map(key).collect();
    assert_ne!(shuffled, expected);
    shuffled.sort();
    expected.sort();
    assert_eq!(shuffled, expected);

    let mut counts: BTreeMap<Vec<u8>, i32> = BTreeMap::new();
    for sample in games.iter().flat_map(|game| game.samples()) {
        *counts.entry(sample.to_bytes().to_vec()).or_default() += 1;
    }
    for sample in samples(&shuffle("out.nsam")) {
        *counts.entry(sample.to_bytes().to_vec()).or_default() -= 1;
    }
    assert!(counts.values().all(|&count| count == 0));
}

#[test]
fn statistics_count_everything_once() {
    let folder = folder("stats");
    let games = games(30);
    let input = write_games(&folder, "games.vf", &games);
    let set = ("Piece".to_owned(), features::chess::FeatureSet::parse("Piece").expect("a set"));
    let stats = |workers| {
        Stats::of(
            &source(std::slice::from_ref(&input)),
            std::slice::from_ref(&set),
            threads(workers),
            &mut nobody,
        )
    };
    let numbers = stats(1).expect("statistics");
    assert_eq!(numbers, stats(3).expect("statistics"));
    let positions: u64 = games.iter().map(|game| game.moves.len() as u64).sum();
    assert_eq!((numbers.counts.games, numbers.counts.positions), (30, positions));
    for total in
        [numbers.plies.total(), numbers.pieces.total(), numbers.scores.total(), numbers.kings[1].total()]
    {
        assert_eq!(total, positions);
    }
    assert_eq!(numbers.results.iter().sum::<u64>(), positions);
    let pieces: u64 = (0..).zip(&numbers.pieces.0).map(|(pieces, count): (u64, _)| pieces * count).sum();
    assert_eq!((numbers.features[0].active, numbers.features[0].views), (2 * pieces, 2 * positions));
    let checks = games.iter().flat_map(|game| game.boards()).filter(|(board, ..)| board.in_check()).count();
    assert_eq!(numbers.in_check, checks as u64);
}
