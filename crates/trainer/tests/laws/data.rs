// SPDX-License-Identifier: GPL-3.0-or-later
//! Data of every format become the same records, are filtered, and held out by game.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use formats::{
    archive, binpack, bullet,
    games::GameRecord,
    marlin,
    sample::{self, Sample},
    viriformat,
};
use rules::{
    Color, Outcome, Random,
    chess::{Board, Role},
};
use trainer::{Config, Insight, Reading, Record, Tally, run};

/// Random games with made-up scores; few are alike.
pub(crate) fn games(count: usize) -> Vec<GameRecord> {
    let outcomes = [Outcome::Win(Color::White), Outcome::Draw, Outcome::Win(Color::Black)];
    let game = |number: usize| {
        let mut random = Random::stream(7, number as u64);
        let mut board = Board::start();
        let mut game = GameRecord::new(board, outcomes[number % 3]);
        for _ in 0..60 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[random.below(moves.len())];
            game.moves.push((m, random.within(900) as i16));
            board.play(m);
        }
        game
    };
    (0..count).map(game).collect()
}

/// The same positions in every format.
pub(crate) fn folder(games: &[GameRecord]) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("nue-data-{}-{number}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    let mut bytes = Vec::new();
    games.iter().for_each(|game| viriformat::write(&mut bytes, game).unwrap());
    fs::write(path.join("games.vf"), bytes).unwrap();
    let mut writer = archive::Writer::new(Vec::new()).unwrap();
    games.iter().for_each(|game| writer.push(game).unwrap());
    fs::write(path.join("games.nga"), writer.finish().unwrap()).unwrap();
    let mut writer = binpack::Writer::new(Vec::new());
    games.iter().for_each(|game| writer.push(game).unwrap());
    fs::write(path.join("games.binpack"), writer.finish().unwrap()).unwrap();
    let samples: Vec<Sample> = games.iter().flat_map(GameRecord::samples).collect();
    fs::write(path.join("games.bullet"), samples.iter().flat_map(bullet::encode).collect::<Vec<u8>>())
        .unwrap();
    fs::write(path.join("games.marlin"), samples.iter().flat_map(marlin::encode).collect::<Vec<u8>>())
        .unwrap();
    path
}

fn config(data: &str) -> Config {
    let text = format!(
        "name = \"x\"\ndevice = \"cpu\"\n[network]\nfeatures = \"Piece\"\nwidth = 128\n[data]\n{data}\n\
         [schedule]\nrate = 0.001\n[run]\npositions = 1000\n"
    );
    Config::parse(&text).unwrap()
}

pub(crate) fn load(base: &Path, data: &str) -> (Vec<Record>, Vec<Record>) {
    load_with(base, data, Reading::default())
}

/// Why data are not taken.
pub(crate) fn refused(base: &Path, data: &str) -> String {
    run::data(&config(data), base, Reading::default()).expect_err("data that cannot be used").to_string()
}

/// The same with somebody to ask.
pub(crate) fn load_with(base: &Path, data: &str, reading: Reading<'_>) -> (Vec<Record>, Vec<Record>) {
    let (data, held_out) = run::data(&config(data), base, reading).unwrap();
    (data.records().to_vec(), held_out)
}

#[test]
fn every_format_tells_the_same() {
    let games = games(40);
    let base = folder(&games);
    let expected: Vec<Record> =
        games.iter().flat_map(GameRecord::samples).map(|sample| Record::from(&sample)).collect();
    for name in ["games.vf", "games.nga", "games.binpack", "games.bullet", "games.marlin"] {
        let (records, held_out) = load(&base, &format!("files = [\"{name}\"]"));
        assert!(records == expected && held_out.is_empty(), "{name}: {} records", records.len());
    }
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn filters_leave_out_what_they_say() {
    let games = games(41);
    let base = folder(&games);
    let filters = "files = [\"games.vf\"]\nquiet = true\nmin_ply = 10\nmax_score = 500";
    let (records, _) = load(&base, filters);
    let wanted = |sample: &Sample| {
        let ply = 2 * (u32::from(sample.board.fullmoves()) - 1) + sample.board.turn().index() as u32;
        let calm = !sample.board.in_check() && sample.played.is_some_and(|m| m.is_quiet());
        calm && ply >= 10 && sample.score.is_some_and(|score| score.abs() <= 500)
    };
    let expected: Vec<Record> = games
        .iter()
        .flat_map(GameRecord::samples)
        .filter(wanted)
        .map(|sample| Record::from(&sample))
        .collect();
    assert!(records == expected && records.len() > 300, "{}", records.len());
    // The format has no move numbers, so that nobody can know.
    let error = run::data(&config("files = [\"games.bullet\"]\nmin_ply = 10"), &base, Reading::default())
        .unwrap_err();
    assert!(error.to_string().contains("records without move numbers, expected another format"), "{error}");
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn games_are_held_out_whole_and_the_same_in_every_format() {
    let games = games(200);
    let base = folder(&games);
    let (learn, check) = load(&base, "files = [\"games.vf\"]\nhold_out = 0.2");
    let bytes = |records: &[Record]| records.iter().map(|record| record.0).collect::<BTreeSet<_>>();
    let (learn_set, check_set) = (bytes(&learn), bytes(&check));
    let mut held_out = 0;
    for game in &games {
        // Later positions of random games are in one game only.
        let late: Vec<_> = game.samples().skip(12).map(|sample| Record::from(&sample).0).collect();
        let inside = late.iter().filter(|record| check_set.contains(*record)).count();
        assert!(inside == 0 || inside == late.len(), "{inside} of {}", late.len());
        assert!(inside == late.len() || late.iter().all(|record| learn_set.contains(record)));
        held_out += usize::from(inside > 0);
    }
    assert!((20..60).contains(&held_out), "{held_out}");
    for name in ["games.nga", "games.binpack"] {
        let other = load(&base, &format!("files = [\"{name}\"]\nhold_out = 0.2"));
        assert!(other == (learn.clone(), check.clone()), "{name}");
    }
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn mirrored_positions_are_learned_from_but_not_checked_with() {
    let base = folder(&games(43));
    let (learn, check) = load(&base, "files = [\"games.vf\"]\nhold_out = 0.2");
    let (both, same_check) = load(&base, "files = [\"games.vf\"]\nhold_out = 0.2\nmirror = true");
    assert!(same_check == check);
    let mut expected: Vec<[u8; 32]> =
        learn.iter().flat_map(|record| [record.0, record.mirrored().0]).collect();
    let mut found: Vec<[u8; 32]> = both.iter().map(|record| record.0).collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert!(expected == found);
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn hindsight_changes_the_scores_to_learn_from_and_nothing_else() {
    let base = folder(&games(47));
    let plain = "files = [\"games.vf\"]\nhold_out = 0.2\nquiet = true\nmax_score = 500";
    let (learn, check) = load(&base, plain);
    let (wiser, same_check) = load(&base, &format!("{plain}\nhindsight = 0.5"));
    assert!(same_check == check && !check.is_empty());
    assert!(
        learn.iter().map(|record| record.with_score(0)).eq(wiser.iter().map(|record| record.with_score(0)))
    );
    let changed = learn.iter().zip(&wiser).filter(|(before, after)| before != after).count();
    assert!(10 * changed > 9 * learn.len(), "{changed} of {}", learn.len());
    // A mean of random scores is smaller than each.
    let size = |records: &[Record]| records.iter().map(|record| f64::from(record.score()).abs()).sum::<f64>();
    assert!(size(&wiser) < 0.9 * size(&learn));
    let error = run::data(&config("files = [\"games.bullet\"]\nhindsight = 0.5"), &base, Reading::default())
        .unwrap_err();
    assert!(error.to_string().contains("single positions, expected games"), "{error}");
    fs::remove_dir_all(base).unwrap();
}

/// Takes the queens off.
struct NoQueens;

impl Insight for NoQueens {
    fn by_hand(&self, _: &[Board]) -> Vec<i16> {
        unreachable!("nobody asked")
    }

    fn leaves(&self, boards: &[Board]) -> Vec<Board> {
        let without = |board: &Board| {
            let fen = board.to_string();
            let (pieces, rest) = fen.split_once(' ').unwrap();
            Board::from_fen(&format!("{} {rest}", pieces.replace(['q', 'Q'], "1"))).unwrap_or(*board)
        };
        boards.iter().map(without).collect()
    }
}

#[test]
fn leaves_replace_positions_and_are_kept() {
    let games = games(42);
    let base = folder(&games);
    let text = "name = \"x\"\ndevice = \"cpu\"\n[network]\nfeatures = \"Piece\"\nwidth = 128\n\
        [data]\nfiles = [\"games.vf\"]\nhold_out = 0.2\nleaf = true\n[schedule]\nrate = 0.001\n\
        [run]\npositions = 1000\nbatch = 100\n";
    let folder = base.join("run");
    let error = run::Run::create(text, &base, &folder, Reading::default()).err().unwrap();
    assert!(error.to_string().contains("data.leaf: needs an engine"), "{error}");
    let mut told = Tally::default();
    let progress = Box::new(|tally: &Tally| told = *tally);
    let run = run::Run::create(text, &base, &folder, Reading { insight: Some(&NoQueens), progress }).unwrap();
    let queens = |records: &[Record]| {
        let with = |record: &&Record| record.pieces().any(|(piece, _)| piece.role() == Role::Queen);
        records.iter().filter(with).count()
    };
    assert!(queens(&run.validation) * 50 < run.validation.len());
    let kept =
        trainer::read_records(&folder.join("records.bullet"), &mut trainer::Reading::default()).unwrap();
    assert!(queens(&kept) * 50 < kept.len());
    let tally = run.tally.unwrap();
    assert_eq!((kept.len() as u64, run.validation.len() as u64), (tally.learn, tally.check));
    drop(run);
    assert!(told.read == tally.read && tally.read > 2000);
    // They are not searched again.
    let again = run::Run::resume(&folder, Reading::default()).unwrap();
    assert_eq!(again.validation.len() as u64, tally.check);
    fs::remove_dir_all(base).unwrap();
}

#[test]
fn samples_with_triplets_become_their_three_positions() {
    let games = games(12);
    let base = folder(&games);
    let other = |sample: &Sample| {
        let moves = sample.board.legal_moves();
        moves.iter().copied().find(|&m| Some(m) != sample.played)
    };
    // Neither score nor result is wanted; what has no other move is left out as a whole.
    let samples: Vec<Sample> = games
        .iter()
        .flat_map(GameRecord::samples)
        .enumerate()
        .map(|(number, sample)| {
            let other = other(&sample).filter(|_| number % 7 > 0);
            Sample { score: None, outcome: None, other, ..sample }
        })
        .collect();
    let mut bytes = Vec::new();
    sample::write_header(&mut bytes).unwrap();
    samples.iter().for_each(|sample| sample::write(&mut bytes, sample).unwrap());
    fs::write(base.join("triplets.nsam"), bytes).unwrap();
    let expected: Vec<Record> = samples
        .iter()
        .filter_map(|sample| {
            let after = |m| Sample::new(sample.board.after(m));
            Some([*sample, after(sample.played?), after(sample.other?)])
        })
        .flatten()
        .map(|sample| Record::from(&sample))
        .collect();

    let read = |file: &str| {
        let text = format!(
            "name = \"x\"\n[network]\nfeatures = \"Piece\"\nwidth = 128\n[data]\nfiles = [\"{file}\"]\n\
             hold_out = 0.1\n[loss]\nkind = \"pqr\"\n[schedule]\nrate = 0.001\n[run]\npositions = 1000\nbatch = 48\n"
        );
        run::data(&Config::parse(&text).unwrap(), &base, Reading::default())
    };
    let (data, held_out) = read("triplets.nsam").unwrap();
    let (learn, held_out) = (data.records(), held_out.as_slice());
    assert!([learn, held_out].concat() == expected && !held_out.is_empty());
    assert!(learn.len().is_multiple_of(3) && held_out.len().is_multiple_of(3));
    // Records that come in threes are taken as they are.
    assert!(read("games.bullet").is_ok_and(|(data, _)| data.records().len().is_multiple_of(3)));
    let error = read("games.vf").unwrap_err().to_string();
    assert!(error.contains("games.vf: ") && error.contains("nue data filter --triplets"), "{error}");
    fs::remove_dir_all(base).unwrap();
}
