// SPDX-License-Identifier: GPL-3.0-or-later
//! Networks in the real program: `nue net`, `nue eval --net` and the engine with `EvalFile`.

#[allow(dead_code, reason = "other tests need more of it")]
mod conversation;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use conversation::Conversation;
use nnue::{
    Level, Network,
    file::{self, Format},
};
use rules::{
    Color,
    chess::{Board, Game},
};
use serde_json::Value;

/// King-relative features, as text: nobody wrote Rust for them.
const RELATIVE: &str = "RelativeFile x RelativeRank x Role5 x Colour";

const FENS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
];

/// Exit code, standard output and standard error.
fn nue_with(input: &str, variables: &[(&str, &str)], arguments: &[&str]) -> (i32, String, String) {
    let mut process = Command::new(env!("CARGO_BIN_EXE_nue"))
        .args(arguments)
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = process.stdin.take().expect("its input is piped");
    // A program that has refused its arguments does not listen any more.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    let output = process.wait_with_output().expect("the program ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn nue(arguments: &[&str]) -> (i32, String, String) {
    nue_with("", &[], arguments)
}

fn nue_well(arguments: &[&str]) -> String {
    let (code, output, errors) = nue(arguments);
    assert_eq!((code, errors.as_str()), (0, ""), "{arguments:?}");
    output
}

fn refusal(arguments: &[&str]) -> String {
    let (code, output, errors) = nue(arguments);
    assert_eq!((code, output.as_str()), (1, ""), "{arguments:?}");
    assert_eq!((errors.matches("error: ").count(), errors.lines().count()), (1, 1), "{errors}");
    errors
}

/// An empty folder of the test with this name.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("net-{test}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of plain letters")
}

/// A random network written by the program.
fn random(folder: &Path, name: &str, options: &[&str]) -> PathBuf {
    let path = folder.join(name);
    nue_well(&[&["net", "random", text(&path)], options].concat());
    path
}

fn network(path: &Path) -> Network {
    let net = file::load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Network::new(net, Level::Scalar).expect("a network")
}

fn json(arguments: &[&str]) -> Value {
    let output = nue_well(arguments);
    serde_json::from_str(&output).unwrap_or_else(|error| panic!("{error}: {output}"))
}

/// Shapes of every kind, small enough to be quick.
const SHAPES: [&[&str]; 5] = [
    &["--features", "Piece"],
    &[
        "--features",
        "Compact",
        "--width",
        "128",
        "--activation",
        "squared",
        "--hidden",
        "none",
        "--buckets",
        "8",
    ],
    &[
        "--features",
        "HalfKA-hm8",
        "--width",
        "384",
        "--activation",
        "pairwise",
        "--hidden",
        "16,32",
        "--buckets",
        "4",
    ],
    &["--features", RELATIVE, "--width", "128", "--hidden", "8", "--hidden-activation", "squared", "--psqt"],
    &["--features", "Piece + File x Role x Colour, counted", "--hidden", "none", "--seed", "9"],
];

#[test]
fn raw_outputs_are_those_of_the_network_on_every_path() {
    let folder = folder("raw");
    let positions = FENS.join("\n") + "\r\n" + FENS[0];
    for (number, shape) in SHAPES.iter().enumerate() {
        let path = random(&folder, &format!("{number}.net"), shape);
        let network = network(&path);
        let outputs =
            FENS.iter().chain(&[FENS[0]]).map(|fen| network.evaluate(&Board::from_fen(fen).expect(fen)));
        let expected: String = outputs.map(|raw| format!("{raw}\n")).collect();
        for level in Level::available() {
            let variables = [("NUE_SIMD", &*level.to_string())];
            let answer = nue_with(&positions, &variables, &["eval", "--net", text(&path), "--raw", "-"]);
            assert_eq!(answer, (0, expected.clone(), String::new()), "{shape:?} {level}");
        }
        let file = folder.join("positions.txt");
        fs::write(&file, &positions).expect("a file");
        assert_eq!(nue_well(&["eval", "--net", text(&path), "--raw", text(&file)]), expected);
    }
}

#[test]
fn a_bad_line_is_named() {
    let path = random(&folder("bad-line"), "toy.net", SHAPES[0]);
    let input = format!("{}\n8/8/8/8/8/8/8/8 w - - 0 1\n{}\n", FENS[0], FENS[1]);
    let (code, output, errors) = nue_with(&input, &[], &["eval", "--net", text(&path), "--raw", "-"]);
    assert_eq!((code, output.lines().count()), (1, 1), "the line before it is answered");
    assert_eq!(errors, "error: line 2 is no position: white has 0 kings, expected 1\n");

    let variables = [("NUE_SIMD", "mmx")];
    let (code, _, errors) = nue_with("", &variables, &["eval", "--net", text(&path)]);
    assert_eq!(code, 1);
    assert!(
        errors.starts_with("error: NUE_SIMD: unknown instruction set 'mmx', expected one of "),
        "{errors}"
    );
}

#[test]
fn random_networks_vary_but_stay_within_a_few_pawns() {
    let folder = folder("magnitudes");
    for (number, shape) in SHAPES.iter().enumerate() {
        let network = network(&random(&folder, &format!("{number}.net"), shape));
        let values: Vec<i32> =
            engine::bench::positions().map(|board| network.centipawns(network.evaluate(&board))).collect();
        let (least, most) = (values.iter().min().expect("values"), values.iter().max().expect("values"));
        assert!(*least >= -500 && *most <= 500, "{shape:?}: {least} to {most}");
        assert!(most - least >= 40, "{shape:?}: {least} to {most}");
    }
    let again = |name, seed| {
        fs::read(random(&folder, name, &["--features", "Piece", "--seed", seed])).expect("a file")
    };
    assert!(again("a.net", "5") == again("b.net", "5"), "the seed decides");
    assert!(again("a.net", "5") != again("b.net", "6"), "every seed differs");
}

#[test]
fn an_explanation_for_programs_has_exact_parts() {
    let folder = folder("explanation");
    for (number, shape) in SHAPES.iter().enumerate() {
        let path = random(&folder, &format!("{number}.net"), shape);
        let network = network(&path);
        for fen in &FENS[..3] {
            let board = Board::from_fen(fen).expect(fen);
            let value = json(&["eval", "--net", text(&path), "--json", "--neurons", "3", fen]);
            let raw = network.evaluate(&board);
            assert_eq!(value["raw"], raw, "{fen}");
            assert_eq!(value["centipawns"], network.centipawns(raw), "{fen}");
            assert_eq!(value["bucket"], network.bucket(&board), "{fen}");
            let chances = &value["chances_permille"];
            let sum = |names: [&str; 3]| names.iter().filter_map(|name| chances[name].as_u64()).sum::<u64>();
            assert_eq!(sum(["win", "draw", "loss"]), 1000);
            let parts = value["pieces"].as_array().expect("pieces");
            assert_eq!(parts.len() as u32, board.occupied().len() - 2, "all but the kings");
            let sign = if board.turn() == Color::White { 1 } else { -1 };
            for part in parts {
                let square = part["square"].as_str().expect("a square").parse().expect("a square");
                let rest = board.occupied().without(square).into_iter();
                let rest: Vec<_> =
                    rest.filter_map(|square| Some((board.piece_on(square)?, square))).collect();
                let without = network.evaluate_pieces(&rest, board.turn()).expect("both kings");
                assert_eq!(part["white_raw"], sign * (raw - without), "{fen} {square}");
            }
            for view in ["white", "black"] {
                assert_eq!(value["neurons"][view].as_array().map(Vec::len), Some(3));
            }
        }
    }
}

#[test]
fn an_explanation_for_people_says_everything() {
    let folder = folder("people");
    let path = random(&folder, "toy.net", SHAPES[1]);
    let output = nue_well(&["eval", "--net", text(&path), "4k3/8/8/8/8/8/4P3/4K3", "b", "-", "-", "0", "1"]);
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    assert_eq!(output, nue_well(&["eval", "--net", text(&path), "--fen", fen]));
    let value = json(&["eval", "--net", text(&path), "--json", fen]);
    let worth = format!("{:+.2}", value["pieces"][0]["white_pawns"].as_f64().expect("a number"));
    let lines: Vec<&str> = output.lines().collect();
    let pawn = lines.iter().position(|line| line.contains(" P ")).expect("the pawn");
    let column = lines[pawn].find('P').expect("the pawn");
    assert_eq!(lines[pawn + 1].trim_matches([' ', '|']), worth, "{output}");
    assert!((lines[pawn + 1].find(&worth).expect("its worth")..).take(5).any(|place| place == column));
    let white = value["white_pawns"].as_f64().expect("a number");
    assert_eq!(lines.last(), Some(&&*format!("white {white:+.2}, black to move {:+.2}", 0.0 - white)));
    assert!(output.contains("network          Compact: 192 -> 128x2 squared -> 1, 8 buckets\n"), "{output}");
    assert!(output.contains("output bucket    1 of 8\n"), "{output}");
    assert!(
        output.contains(&format!("raw output       {:+} for black", value["raw"].as_i64().expect("raw")))
    );
    assert!(output.contains("neurons of white  #") && output.contains("black's chances  win "), "{output}");

    let by_hand = json(&["eval", "--net", "hand-crafted", "--json", fen]);
    assert_eq!(
        (by_hand["evaluation"].as_str(), by_hand["turn"].as_str()),
        (Some("hand-crafted"), Some("black"))
    );
}

#[test]
fn a_file_is_described() {
    let folder = folder("info");
    let path = random(&folder, "toy.net", &[SHAPES[3], &["--zstd", "--seed", "3"]].concat());
    let net = file::load(&path).expect("the network");
    let value = json(&["net", "info", text(&path), "--json"]);
    assert_eq!((value["format"].as_str(), value["compressed"].as_bool()), (Some("nue"), Some(true)));
    assert_eq!(value["bytes"], fs::metadata(&path).expect("a file").len());
    assert_eq!(value["features"]["name"], "Half-RelativeHV-King-Piece");
    assert_eq!(value["features"]["size"], 2250);
    assert_eq!(value["architecture"]["text"], "2250 -> 128x2 clipped -> 8 squared -> 1, psqt");
    assert_eq!(value["scales"]["hidden"], net.arch.scales.hidden);
    assert_eq!(value["run"], "random weights of seed 3");
    let plain = file::write(&net, Format::Nue).expect("bytes");
    let header = String::from_utf8_lossy(&plain[..1000]).into_owned();
    let checksum = value["checksum"].as_str().expect("a checksum");
    assert!(header.contains(&format!("\nchecksum: {checksum}\n")), "{header}");
    let names: Vec<_> =
        value["weights"].as_array().expect("ranges").iter().map(|range| &range["what"]).collect();
    assert_eq!(names[..3], ["accumulator biases", "feature weights", "direct weights"]);
    assert_eq!(names[3..5], ["hidden layer 1 biases", "hidden layer 1 weights"]);
    assert_eq!(names[5..], ["output biases", "output weights"]);
    let rows = &value["weights"][1];
    let zeros = net.weights.rows.iter().filter(|&&weight| weight == 0).count();
    assert_eq!(rows["min"], *net.weights.rows.iter().min().expect("rows"));
    assert_eq!(rows["max"], *net.weights.rows.iter().max().expect("rows"));
    assert_eq!(rows["zero_share"], zeros as f64 / net.weights.rows.len() as f64);

    let output = nue_well(&["net", "info", text(&path)]);
    assert!(output.contains("format        nue, compressed with zstd\n"), "{output}");
    assert!(output.contains("known as Half-RelativeHV-King-Piece\n"), "{output}");
    assert!(output.contains(&format!("checksum      {checksum}\n")), "{output}");
}

#[test]
fn conversions_lose_nothing() {
    let folder = folder("convert");
    let path = random(&folder, "seed.net", &["--features", "HalfKP-SF12"]);
    let [stockfish, back, packed, unpacked] =
        ["seed.nnue", "back.net", "packed.net", "unpacked.net"].map(|name| folder.join(name));
    nue_well(&["net", "convert", text(&path), text(&stockfish), "--format", "sf12"]);
    assert_eq!(file::format_of(&fs::read(&stockfish).expect("a file")), Some(Format::Stockfish12));
    nue_well(&["net", "convert", text(&stockfish), text(&back)]);
    nue_well(&["net", "convert", text(&back), text(&packed), "--zstd"]);
    nue_well(&["net", "convert", text(&packed), text(&unpacked)]);
    let bytes = fs::read(&path).expect("the first file");
    assert!(fs::read(&back).expect("a file") == bytes && fs::read(&unpacked).expect("a file") == bytes);
    assert!(fs::read(&packed).expect("a file").len() < bytes.len());
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 5, "nothing else is left behind");

    let itself = folder.join(".").join("seed.net");
    let refused = refusal(&["net", "convert", text(&path), text(&itself), "--zstd"]);
    assert!(refused.ends_with("seed.net: it would overwrite the network it is made from\n"), "{refused}");
    assert!(fs::read(&path).expect("the first file") == bytes);
}

#[test]
fn neurons_are_put_in_order_by_plain_and_by_scored_positions() {
    let folder = folder("order");
    let path = random(&folder, "seed.net", &["--features", "HalfKP"]);
    let [positions, ordered] = ["positions.epd", "ordered.net"].map(|name| folder.join(name));
    fs::write(&positions, format!("{}\n\n{} | 30 | 0.5\n", FENS[0], FENS[1])).expect("a file");
    nue_well(&["net", "convert", text(&path), text(&ordered), "--order", text(&positions)]);
    assert!(fs::read(&path).expect("a file") != fs::read(&ordered).expect("a file"));
    let [before, after] = [&path, &ordered].map(|path| network(path));
    for board in FENS.map(|fen| Board::from_fen(fen).expect(fen)) {
        assert_eq!(before.evaluate(&board), after.evaluate(&board));
    }

    fs::write(&positions, format!("{}\n30 | {}\n", FENS[0], FENS[1])).expect("a file");
    let refused = refusal(&["net", "convert", text(&path), text(&ordered), "--order", text(&positions)]);
    assert!(refused.contains("positions.epd line 2: "), "{refused}");
}

#[test]
fn a_pawn_may_be_worth_less_of_the_output() {
    let folder = folder("pawn");
    let path = random(&folder, "seed.net", &["--features", "HalfKP-SF12"]);
    let half = folder.join("half.net");
    nue_well(&["net", "convert", text(&path), text(&half), "--pawn", "1664"]);
    let [before, after] = [&path, &half].map(|path| network(path));
    let raw = before.evaluate(&Board::from_fen(FENS[1]).expect(FENS[1]));
    assert_eq!(raw, after.evaluate(&Board::from_fen(FENS[1]).expect(FENS[1])));
    assert_eq!([&before, &after].map(|net| net.centipawns(raw)), [raw * 100 / 3328, raw * 100 / 1664]);

    let stockfish = folder.join("half.nnue");
    let refused = refusal(&["net", "convert", text(&half), text(&stockfish), "--format", "sf12"]);
    assert!(refused.contains("a pawn of 3328") && refused.contains("a pawn of 1664"), "{refused}");
    assert!(!stockfish.exists());
    let refused = refusal(&["net", "convert", text(&path), text(&half), "--pawn", "0"]);
    assert!(refused.contains("with a pawn of 0, expected both from 1 to 16777216"), "{refused}");
}

#[test]
fn a_network_is_shown_together_with_the_hand_crafted_evaluation() {
    let folder = folder("beside");
    let said = |name: &str, options: &[&str]| -> Value {
        let path = random(&folder, name, &[&["--features", "Piece"], options].concat());
        json(&["eval", "--net", text(&path), "--json", FENS[1]])
    };
    let by_hand = json(&["eval", "--net", "hand-crafted", "--json", FENS[1]]);
    let (alone, beside) = (said("alone.net", &[]), said("beside.net", &["--hand-crafted", "150"]));
    let share = by_hand["centipawns"].as_i64().expect("a number") * 150 / 100;
    assert_eq!(beside["hand_crafted_centipawns"], share);
    assert_eq!(alone["hand_crafted_centipawns"], Value::Null);
    let value = |of: &Value| of["centipawns"].as_i64().expect("a number");
    assert_eq!(value(&beside), value(&alone) + share);
    assert_eq!(beside["raw"], alone["raw"]);
    let info = nue_well(&["net", "info", text(&folder.join("beside.net"))]);
    assert!(info.contains("beside 150 % of the hand-crafted evaluation"), "{info}");
}

#[test]
fn a_mean_is_made_of_files_that_stay() {
    let folder = folder("mean");
    let file_of = |seed| random(&folder, &format!("{seed}.net"), &["--features", "Compact", "--seed", seed]);
    let paths = ["1", "2", "3"].map(file_of);
    let [first, second, third] = paths.each_ref().map(|path| text(path));
    let out = folder.join("mean.net");
    nue_well(&["net", "mean", first, second, third, text(&out), "--zstd"]);
    let nets = paths.each_ref().map(|path| file::load(path).expect("a network"));
    assert!(file::load(&out).expect("a network") == nnue::mean(&nets[0], &nets[1..]).expect("a mean"));

    let other = random(&folder, "other.net", &["--features", "Piece"]);
    let refused = refusal(&["net", "mean", first, text(&other), text(&out)]);
    assert!(
        refused.ends_with("other.net: other features or another shape than the first network\n"),
        "{refused}"
    );
    let refused = refusal(&["net", "mean", first, second, second]);
    assert!(refused.ends_with("2.net: it would overwrite the network it is made from\n"), "{refused}");
}

#[test]
fn mistakes_are_told_in_one_sentence() {
    let folder = folder("mistakes");
    let path = random(&folder, "toy.net", SHAPES[0]);
    let (path, out) = (text(&path), folder.join("out.net"));
    let out = text(&out);
    let noise = folder.join("noise.net");
    fs::write(&noise, "no network at all").expect("a file");
    for (arguments, part) in [
        (&["net", "info", "/no/such/file"][..], "/no/such/file: cannot read the network file: No such file"),
        (&["net", "info", text(&noise)], "noise.net: not a network file: it begins with [6E, 6F, 20, "),
        (&["eval", "--net", text(&noise)], "noise.net: not a network file"),
        (
            &["net", "convert", path, out, "--format", "sf12"],
            "out.net: the Stockfish 12 format holds 'King × (",
        ),
        (&["net", "convert", path, "/no/such/folder/out.net"], "out.net: cannot be written: No such file"),
        (&["net", "random", out, "--features", "King x Qing"], "'King x Qing' is no feature set: "),
        (
            &["net", "random", out, "--features", "Piece", "--width", "100"],
            "width 100, expected one of [128, 256",
        ),
        (
            &["net", "random", out, "--features", "Piece", "--buckets", "99"],
            "99 output buckets, expected 1 to 16",
        ),
        (
            &["eval", "--net", path, "8/8/8/8/8/8/8/8 w - - 0 1"],
            "is no position: white has 0 kings, expected 1",
        ),
        (&["eval", "--net", path, "--raw", "/no/such/file"], "/no/such/file: No such file"),
        (&["eval", "--net", "hand-crafted", "--raw", "-"], "no raw output, expected a network"),
    ] {
        let refused = refusal(arguments);
        assert!(refused.contains(part), "{arguments:?}: {refused}");
    }
    assert!(!Path::new(out).exists());
    for (arguments, part) in [
        (&["eval", "--net", path, "--raw", "-", "--json"][..], "cannot be used with"),
        (
            &["net", "random", out, "--features", "Piece", "--hidden", "many"],
            "expected sizes such as 32,32, or none",
        ),
        (
            &["net", "random", out, "--features", "Piece", "--activation", "tanh"],
            "expected clipped, squared or",
        ),
    ] {
        let (code, _, errors) = nue(arguments);
        assert!(code == 2 && errors.contains(part), "{arguments:?}: {errors}");
    }
}

/// A feature set given as text plays in the engine without any Rust written for it.
#[test]
fn the_engine_plays_with_features_given_as_text() {
    let path = random(&folder("engine"), "relative.net", &["--features", RELATIVE, "--width", "128"]);
    let network = network(&path);
    let mut nue = Conversation::start();
    nue.send(&format!("setoption name EvalFile value {}\nsetoption name Hash value 1\nisready", text(&path)));
    let (before, _) = nue.until("readyok");
    assert!(before.is_empty(), "{before:?}");
    let mut game = Game::new(Board::start());
    let mut moves = String::new();
    for _ in 0..60 {
        if !game.board().has_legal_move() {
            break;
        }
        let (infos, best) = nue.search(&format!("position startpos{moves}\ngo nodes 600"));
        assert!(infos.iter().any(|info| info.score.is_some()));
        let best = best.expect("a move");
        let m = game.board().parse_uci(&best).unwrap_or_else(|error| panic!("{moves}: {error}"));
        game.play(m);
        moves += if moves.is_empty() { " moves " } else { " " };
        moves += &best;
    }
    // The explanation is that of the network, also while the engine is busy.
    nue.send(&format!("position startpos{moves}\ngo infinite"));
    let raw = nue.ask("eval", "raw output");
    let expected = format!("raw output       {:+} for", network.evaluate(game.board()));
    assert!(raw.starts_with(&expected), "{raw}: {expected}");
    nue.until("white ");
    nue.search("stop");

    // Without the network the evaluation by hand is back; a bad file changes nothing.
    let error = nue.ask("setoption name EvalFile value /no/such/file", "info string error");
    assert!(error.contains("EvalFile '/no/such/file': cannot read the network file"), "{error}");
    nue.ask("eval", "raw output");
    nue.send("setoption name EvalFile value <hand-crafted>\neval");
    nue.until("mobility");
    nue.send("setoption name EvalFile value <built-in>\neval");
    nue.until("raw output");
    nue.quit();
}
