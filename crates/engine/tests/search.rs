// SPDX-License-Identifier: GPL-3.0-or-later
//! What a search promises, whatever its parameters: mates, draws, limits, determinism, tables.

use std::{path::PathBuf, time::Duration};

use engine::{Bound, Clock, Controls, Engine, Limits, Options, Report, Score, Tablebases};
use rules::{
    Color, Outcome,
    chess::{Board, Game, Move},
};

fn game(fen: &str) -> Game {
    Game::new(Board::from_fen(fen).expect("legal position"))
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// The chosen move and all reports.
fn search(engine: &mut Engine, game: &Game, limits: &Limits) -> (Option<Move>, Vec<Report>) {
    let mut reports = Vec::new();
    let choice = engine.search(game, limits, &Controls::new(), &mut |report| reports.push(report.clone()));
    (choice.best, reports)
}

fn final_score(reports: &[Report]) -> Score {
    reports.iter().rev().find(|report| report.multipv == 1).expect("a report").score
}

#[test]
fn finds_mates() {
    let cases = [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1),
        ("r3kb1r/2q3p1/p3p3/1pN2p2/2P2n2/1P1P1Q2/P4PPP/R1B2RK1 b kq - 0 19", 2),
        ("8/1RB4k/p3Q2p/6q1/2PP4/P4pP1/5PnP/6K1 b - - 0 28", 2),
        ("1QN3k1/rp1p1pp1/p3r2p/4p1n1/4Pq2/3B4/PPP2PPP/4RRK1 b - - 0 20", 3),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("5rk1/1p3p2/p3pQp1/3q2p1/3P2P1/P4R2/1P1r3P/5RK1 w - - 6 30", 4),
    ];
    for (fen, moves) in cases {
        let (_, reports) = search(&mut Engine::new(), &game(fen), &depth(12));
        assert_eq!(final_score(&reports), Score::Mate(moves), "{fen}");
    }
}

#[test]
fn knows_when_it_is_mated() {
    let (_, reports) = search(&mut Engine::new(), &game("7k/8/8/8/8/1r6/r7/7K w - - 0 1"), &depth(8));
    assert_eq!(final_score(&reports), Score::Mate(-1));
}

#[test]
fn every_reported_line_is_legal() {
    let game = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut engine = Engine::with_options(Options { multi_pv: 4, ..Options::default() }).expect("no tables");
    let (_, reports) = search(&mut engine, &game, &depth(9));
    assert_eq!(reports.iter().filter(|report| report.bound == Bound::Exact).count(), 4 * 9);
    for report in reports {
        let mut board = *game.board();
        for m in report.pv {
            assert!(board.is_legal(m), "{m:?} in {board}");
            board.play(m);
        }
    }
}

#[test]
fn no_legal_move_gives_no_choice() {
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"] {
        let (best, reports) = search(&mut Engine::new(), &game(fen), &depth(5));
        assert_eq!(best, None);
        assert!(reports.is_empty());
    }
}

#[test]
fn a_fixed_number_of_nodes_is_exact_and_repeatable() {
    let game = game("r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7");
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let mut runs = Vec::new();
    for _ in 0..2 {
        let mut engine = Engine::new();
        let (best, mut reports) = search(&mut engine, &game, &limits);
        assert_eq!(engine.nodes(), 20_000);
        reports.iter_mut().for_each(|report| report.time = Duration::ZERO);
        runs.push((best, reports));
    }
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn clearing_makes_a_used_engine_new() {
    let game = game("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    let mut engine = Engine::new();
    search(&mut engine, &game, &depth(9));
    let fresh = engine.nodes();
    search(&mut engine, &game, &depth(9));
    assert_ne!(engine.nodes(), fresh, "a second search profits from the first");
    engine.clear();
    search(&mut engine, &game, &depth(9));
    assert_eq!(engine.nodes(), fresh);
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let game = game("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let quiet = game.board().parse_uci("a1a2").expect("legal move");
    let limits = Limits { search_moves: vec![quiet], ..depth(6) };
    assert_eq!(search(&mut Engine::new(), &game, &limits).0, Some(quiet));
}

#[test]
fn a_clock_is_respected() {
    let clock = Clock { remaining: Duration::from_secs(3), increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let start = std::time::Instant::now();
    let game = Game::new(Board::start());
    assert!(search(&mut Engine::new(), &game, &limits).0.is_some());
    assert!(start.elapsed() < clock.remaining);
}

#[test]
fn several_threads_agree_on_a_mate() {
    let mut engine = Engine::with_options(Options { threads: 3, ..Options::default() }).expect("no tables");
    let game = game("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    let (best, reports) = search(&mut engine, &game, &depth(10));
    assert_eq!(final_score(&reports), Score::Mate(3));
    assert_eq!(best.map(|m| m.to_uci(false)), Some("f6a6".to_owned()));
}

#[test]
fn a_repetition_saves_a_lost_game() {
    // White is far behind but can check for ever.
    let (_, reports) = search(&mut Engine::new(), &game("6k1/6p1/8/6KQ/8/8/1r6/qr6 w - - 0 1"), &depth(10));
    let Score::Cp(score) = final_score(&reports) else { panic!("no mate here") };
    assert!(score.abs() <= 5, "{score}");
}

fn with_tables() -> Engine {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy");
    Engine::with_options(Options { syzygy_path: Some(path), ..Options::default() }).expect("tables")
}

#[test]
fn endgame_tables_decide_at_the_root() {
    let mut engine = with_tables();
    assert_eq!(engine.table_count(), 10);
    let (_, reports) = search(&mut engine, &game("8/8/8/3k4/8/8/3P4/3K4 b - - 0 1"), &depth(4));
    assert_eq!(final_score(&reports), Score::Cp(0));
    assert!(reports.last().is_some_and(|report| report.tb_hits > 0));
    // Three of the king's moves keep the win, the others draw.
    let (best, reports) = search(&mut engine, &game("8/8/3k4/8/8/3K4/3P4/8 w - - 0 1"), &depth(4));
    assert_eq!(final_score(&reports), Score::Cp(20_000));
    let best = best.expect("a move").to_uci(false);
    assert!(["d3e4", "d3d4", "d3c4"].contains(&best.as_str()), "{best}");
    let (_, reports) = search(&mut engine, &game("8/4k3/8/4K3/8/8/4P3/8 b - - 0 1"), &depth(4));
    assert_eq!(final_score(&reports), Score::Cp(-20_000));
}

#[test]
fn endgame_tables_are_probed_inside_the_search() {
    // After the capture the table knows the draw.
    let (_, reports) = search(&mut with_tables(), &game("8/8/8/8/8/2k5/1r6/K1N5 w - - 0 1"), &depth(6));
    assert!(reports.last().is_some_and(|report| report.tb_hits > 0));
}

#[test]
fn a_wrong_table_path_is_refused_and_nothing_changes() {
    let mut engine = Engine::new();
    let options = Options { syzygy_path: Some(PathBuf::from("/nonexistent")), ..Options::default() };
    let error = engine.configure(options).expect_err("no such folder");
    assert!(error.to_string().starts_with("SyzygyPath '/nonexistent'"), "{error}");
    assert_eq!(engine.options(), &Options::default());
}

#[test]
fn a_limited_engine_plays_legal_moves() {
    let options = Options { limit_strength: true, elo: 1200, ..Options::default() };
    let mut engine = Engine::with_options(options).expect("no tables");
    let mut game = Game::new(Board::start());
    let clock = Clock { remaining: Duration::from_secs(9), increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    for _ in 0..30 {
        let Some(best) = search(&mut engine, &game, &limits).0 else { break };
        assert!(game.board().is_legal(best));
        game.play(best);
    }
}

#[test]
fn tables_know_who_wins() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy");
    let tables = Tablebases::open(&path).expect("tables");
    let outcome = |fen: &str| tables.outcome(&Board::from_fen(fen).expect("legal position"));
    let white_wins = Some(Outcome::Win(Color::White));
    assert_eq!(outcome("8/8/8/4k3/8/8/8/KQ6 w - - 0 1"), white_wins);
    assert_eq!(outcome("8/8/8/4k3/8/8/8/KQ6 b - - 0 1"), white_wins);
    assert_eq!(outcome("8/8/8/4k3/8/8/8/KQ6 w - - 10 20"), white_wins);
    assert_eq!(outcome("8/8/8/4k3/8/8/8/KQ6 w - - 95 90"), Some(Outcome::Draw), "no mate within five moves");
    assert_eq!(outcome("8/8/8/4k3/8/8/8/KB6 w - - 0 1"), Some(Outcome::Draw));
    assert_eq!(outcome("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), None);
}
