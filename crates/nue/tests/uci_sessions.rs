// SPDX-License-Identifier: GPL-3.0-or-later
//! Scripted UCI conversations with the real program.

mod conversation;

use std::time::{Duration, Instant};

use conversation::Conversation;
use protocol::uci::{Info, OptionKind, Reply, Score};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MATE_IN_TWO: &str = "position fen 6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1";
const A_MOMENT: Duration = Duration::from_millis(200);

fn deepest(infos: &[Info]) -> u32 {
    infos.iter().filter_map(|info| info.depth).max().unwrap_or(0)
}

fn is_error(line: &str) -> bool {
    line.starts_with("info string error: ")
}

#[test]
fn the_handshake_names_the_engine_and_its_options() {
    let mut nue = Conversation::start();
    nue.send("uci");
    let (lines, _) = nue.until("uciok");
    let replies: Vec<Reply> = lines.iter().map(|line| Reply::parse(line).expect(line)).collect();
    assert!(matches!(&replies[0], Reply::Name(name) if name.starts_with("Nue ")));
    assert!(matches!(&replies[1], Reply::Author(_)));
    let kind = |name: &str| {
        replies.iter().find_map(|reply| match reply {
            Reply::Option(offer) if offer.name == name => Some(offer.kind.clone()),
            _ => None,
        })
    };
    assert_eq!(kind("Hash"), Some(OptionKind::Spin { default: 16, min: 1, max: 1_048_576 }));
    assert_eq!(kind("MultiPV"), Some(OptionKind::Spin { default: 1, min: 1, max: 256 }));
    assert_eq!(kind("Clear Hash"), Some(OptionKind::Button));
    for name in ["Threads", "UCI_Elo", "Move Overhead"] {
        assert!(matches!(kind(name), Some(OptionKind::Spin { .. })), "{name}");
    }
    for name in ["Ponder", "UCI_Chess960", "UCI_ShowWDL", "UCI_LimitStrength"] {
        assert_eq!(kind(name), Some(OptionKind::Check { default: false }), "{name}");
    }
    assert_eq!(kind("SyzygyPath"), Some(OptionKind::Text { default: String::new() }));
    assert_eq!(kind("EvalFile"), Some(OptionKind::Text { default: "<built-in>".to_owned() }));
    assert_eq!(nue.ask("isready", "readyok"), "readyok");
    nue.quit();
}

#[test]
fn options_are_set_or_refused() {
    let mut nue = Conversation::start();
    for good in [
        "setoption name Hash value 2",
        "setoption name threads value 2",
        "setoption name MOVE OVERHEAD value 20",
        "setoption name Clear Hash",
        "setoption name Ponder value true",
        "setoption name UCI_LimitStrength value true",
        "setoption name UCI_Elo value 1500",
        "setoption name UCI_LimitStrength value false",
        "setoption name EvalFile value <empty>",
        "setoption name SyzygyPath value <empty>",
    ] {
        nue.send(good);
        nue.send("isready");
        let (before, _) = nue.until("readyok");
        assert!(before.is_empty(), "{good}: {before:?}");
    }
    for bad in [
        "setoption name Hash value 0",
        "setoption name Hash value lots",
        "setoption name Hash",
        "setoption name Ponder value maybe",
        "setoption name NoSuchThing value 1",
        "setoption name EvalFile value some.net",
        "setoption Hash 16",
    ] {
        assert!(is_error(&nue.ask(bad, "info")), "{bad}");
    }
    assert!(nue.search("go depth 4").1.is_some());
    nue.quit();
}

#[test]
fn a_bad_position_leaves_the_earlier_one() {
    let mut nue = Conversation::start();
    assert_eq!(nue.fen(), START);
    nue.send("position startpos moves e2e4 e7e5");
    let earlier = nue.fen();
    for bad in [
        "position fen nonsense",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1",
        "position startpos moves e2e5",
        "position startpos moves e2e4 e2e4",
        "position startpos moves e2e4 e7e5 xyz",
        "position startpos e2e4",
        "position",
    ] {
        assert!(is_error(&nue.ask(bad, "info")), "{bad}");
        assert_eq!(nue.fen(), earlier, "{bad}");
    }
    nue.send("flip");
    assert_eq!(nue.fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
    nue.quit();
}

#[test]
fn bounded_searches_end_by_themselves() {
    let mut nue = Conversation::start();
    let (infos, best) = nue.search("go depth 6");
    assert_eq!(deepest(&infos), 6);
    assert!(best.is_some());
    let last = infos.last().expect("a line of search");
    assert!(last.score.is_some() && last.nodes.is_some() && last.nps.is_some() && last.time.is_some());
    assert!(last.hashfull.is_some() && last.seldepth.is_some() && last.tbhits.is_some());
    assert_eq!(last.pv.first(), best.as_ref());
    assert_eq!(last.wdl, None);

    assert!(nue.search("go nodes 5000").1.is_some());
    let start = Instant::now();
    assert!(nue.search("go movetime 100").1.is_some());
    assert!(start.elapsed() >= Duration::from_millis(50), "{:?}", start.elapsed());
    assert!(nue.search("go wtime 500 btime 500 winc 10 binc 10").1.is_some());
    assert!(nue.search("go wtime -20 btime 500 movestogo 3").1.is_some());
    nue.send("position startpos moves e2e4");
    assert!(nue.search("go wtime 300000 btime 100").1.is_some());
    nue.quit();
}

#[test]
fn win_draw_loss_chances_on_request() {
    let mut nue = Conversation::start();
    let (infos, _) = nue.search("setoption name UCI_ShowWDL value true\ngo depth 3");
    let wdl = infos.last().and_then(|info| info.wdl).expect("chances are shown");
    assert_eq!(wdl.iter().sum::<u32>(), 1000);
    nue.quit();
}

#[test]
fn several_lines_at_once() {
    let mut nue = Conversation::start();
    let (infos, best) = nue.search("setoption name MultiPV value 3\ngo depth 5");
    let of_rank =
        |rank| infos.iter().rev().find(|info| info.multipv == Some(rank)).expect("a line of this rank");
    assert_eq!(of_rank(1).pv.first(), best.as_ref());
    assert_ne!(of_rank(1).pv.first(), of_rank(2).pv.first());
    assert_ne!(of_rank(2).pv.first(), of_rank(3).pv.first());
    assert!(!infos.iter().any(|info| info.multipv == Some(4)));

    // There may be fewer moves than lines.
    let (infos, _) = nue
        .search("position fen 7k/8/8/8/8/8/6q1/K7 w - - 0 1\nsetoption name MultiPV value 200\ngo depth 2");
    assert!(infos.iter().all(|info| info.multipv <= Some(1)));
    nue.quit();
}

#[test]
fn an_infinite_search_answers_after_stop_only() {
    let mut nue = Conversation::start();
    nue.send("go infinite");
    nue.expect_no_answer(A_MOMENT);
    assert!(nue.search("stop").1.is_some());
    // Also where the search has nothing more to find.
    nue.send("position fen 7k/8/8/8/8/8/6q1/K7 w - - 0 1\ngo infinite depth 1");
    nue.expect_no_answer(A_MOMENT);
    assert_eq!(nue.search("stop").1.as_deref(), Some("a1b1"));
    nue.quit();
}

#[test]
fn pondering_ends_with_ponderhit_or_stop() {
    let mut nue = Conversation::start();
    nue.send("position startpos moves e2e4 e7e5\ngo ponder wtime 400 btime 400");
    nue.expect_no_answer(A_MOMENT);
    assert!(nue.search("ponderhit").1.is_some());

    nue.send("go ponder wtime 60000 btime 60000");
    nue.expect_no_answer(A_MOMENT);
    assert!(nue.search("stop").1.is_some());

    // The limit is reached while the opponent thinks: the answer waits, and comes at once afterwards.
    nue.send("go ponder depth 2");
    nue.expect_no_answer(A_MOMENT);
    assert!(nue.search("ponderhit").1.is_some());

    // Strays change nothing.
    nue.send("ponderhit\nstop");
    nue.expect_no_answer(A_MOMENT);
    nue.quit();
}

#[test]
fn mates_are_found_and_announced() {
    let mut nue = Conversation::start();
    let (infos, best) = nue.search(&format!("{MATE_IN_TWO}\ngo mate 2"));
    assert_eq!(infos.last().and_then(|info| info.score), Some(Score::Mate(2)));
    assert!(best.is_some());
    let (infos, best) = nue.search("position fen 6k1/R7/8/8/8/8/8/1R4K1 w - - 0 1\ngo depth 4");
    assert_eq!(infos.last().and_then(|info| info.score), Some(Score::Mate(1)));
    assert_eq!(best.as_deref(), Some("b1b8"));
    nue.quit();
}

#[test]
fn only_the_moves_asked_for() {
    let mut nue = Conversation::start();
    assert_eq!(nue.search("go depth 4 searchmoves a2a3").1.as_deref(), Some("a2a3"));
    let best = nue.search("go searchmoves h2h3 b1a3 depth 4").1.expect("a move");
    assert!(["h2h3", "b1a3"].contains(&best.as_str()), "{best}");
    assert!(is_error(&nue.ask("go depth 4 searchmoves e2e5", "info")));
    nue.expect_no_answer(A_MOMENT);
    nue.quit();
}

#[test]
fn finished_games_have_no_move() {
    let mut nue = Conversation::start();
    for (fen, score) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Score::Mate(0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::Cp(0)),
    ] {
        let (infos, best) = nue.search(&format!("position fen {fen}\ngo depth 5"));
        assert_eq!(best, None);
        assert_eq!((infos[0].depth, infos[0].score), (Some(0), Some(score)));
        nue.send("go infinite");
        nue.expect_no_answer(A_MOMENT);
        assert_eq!(nue.ask("stop", "bestmove"), "bestmove (none)");
    }
    nue.quit();
}

#[test]
fn commands_during_a_search() {
    let mut nue = Conversation::start();
    nue.send("go infinite");
    assert_eq!(nue.ask("isready", "readyok"), "readyok");
    nue.send("go depth 3");
    let (_, error) = nue.until("info string");
    assert!(is_error(&error), "{error}");
    // The position is noted, the options wait; the answer belongs to the old position.
    nue.send("position fen 7k/8/8/8/8/8/6q1/K7 w - - 0 1\nsetoption name Hash value 4\nucinewgame");
    assert_eq!(nue.ask("isready", "readyok"), "readyok");
    nue.expect_no_answer(A_MOMENT);
    let (_, best) = nue.search("stop");
    assert_ne!(best.as_deref(), Some("a1b1"));
    assert_eq!(nue.search("go depth 2").1.as_deref(), Some("a1b1"));
    nue.quit();
}

/// Some programs do not wait for the answer to `stop` before they go on.
#[test]
fn every_go_gets_its_answer_in_a_hurry() {
    let mut nue = Conversation::start();
    nue.send(
        "go infinite\nstop\nucinewgame\nposition fen 7k/8/8/8/8/8/6q1/K7 w - - 0 1\ngo infinite\nstop\n\
         position startpos\ngo ponder wtime 1000 btime 1000\nponderhit\nstop\n\
         position fen 7k/8/8/8/8/8/6q1/K7 w - - 0 1\ngo depth 3",
    );
    let answers: Vec<_> = (0..4).map(|_| nue.answer().1).collect();
    assert!(answers.iter().all(Option::is_some), "{answers:?}");
    assert_eq!(answers[1].as_deref(), Some("a1b1"));
    assert_eq!(answers[3].as_deref(), Some("a1b1"));
    nue.expect_no_answer(A_MOMENT);
    nue.quit();
}

#[test]
fn leaving_in_the_middle_of_a_search() {
    let mut nue = Conversation::start();
    nue.send("go infinite\nquit");
    assert!(nue.answer().1.is_some());
    assert!(nue.wait().success());

    let mut nue = Conversation::start();
    nue.send("go infinite\nstop\ngo infinite");
    nue.hang_up();
    assert!(nue.answer().1.is_some() && nue.answer().1.is_some());
    assert!(nue.wait().success());

    let mut nue = Conversation::start();
    nue.hang_up();
    assert!(nue.wait().success());
}

#[test]
fn castling_is_written_as_the_option_says() {
    let mut nue = Conversation::start();
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(nue.search(&format!("{position}\ngo depth 2 searchmoves e1g1")).1.as_deref(), Some("e1g1"));
    nue.send("setoption name UCI_Chess960 value true");
    assert_eq!(nue.search("go depth 2 searchmoves e1h1").1.as_deref(), Some("e1h1"));
    nue.send("position fen 1k5r/8/8/8/8/8/8/1K4R1 w G - 0 1 moves b1g1");
    assert_eq!(nue.fen(), "1k5r/8/8/8/8/8/8/5RK1 b - - 1 1");
    nue.quit();
}

#[test]
fn the_same_nodes_give_the_same_search() {
    let mut nue = Conversation::start();
    let mut run = || {
        let (infos, best) =
            nue.search("ucinewgame\nposition startpos moves e2e4 c7c5 g1f3 d7d6\ngo nodes 20000");
        let told: Vec<_> =
            infos.into_iter().map(|info| (info.depth, info.score, info.bound, info.nodes, info.pv)).collect();
        (told, best)
    };
    let first = run();
    assert_eq!(first, run());
    nue.quit();
}

#[test]
fn counting_and_looking() {
    let mut nue = Conversation::start();
    nue.send("go perft 3");
    let (lines, total) = nue.until("Nodes searched");
    assert_eq!(total, "Nodes searched: 8902");
    assert_eq!(lines.iter().filter(|line| line.contains(": ")).count(), 20);
    assert!(lines.contains(&"e2e4: 600".to_owned()));
    assert_eq!(nue.ask("go perft 0", "Nodes searched"), "Nodes searched: 1");
    assert!(nue.ask("eval", "white").contains("white"));
    nue.ask("help", "  setoption");
    nue.ask("debug on\nregister later\nisready", "readyok");
    nue.quit();
}

#[test]
fn garbage_is_answered_and_survived() {
    let mut nue = Conversation::start();
    nue.send("position startpos moves d2d4");
    let before = nue.fen();
    let mut noise: u32 = 0x2545_F491;
    let mut sent = 0;
    for round in 0..200 {
        let mut line: Vec<u8> = (0..round)
            .map(|_| {
                noise ^= noise << 13;
                noise ^= noise >> 17;
                noise ^= noise << 5;
                (noise >> 7) as u8
            })
            .filter(|byte| *byte != b'\n')
            .collect();
        line.push(b'\n');
        nue.send_bytes(&line);
        nue.send("xyzzy");
        sent += 1;
    }
    for _ in 0..sent {
        nue.until("info string error: unknown command 'xyzzy'");
    }
    nue.send(&format!("position fen {}", "x".repeat(3 << 20)));
    let (_, error) = nue.until("info string error");
    assert!(error.len() < 400, "an error is short: {}", error.len());
    assert_eq!(nue.ask("joho isready", "readyok"), "readyok");
    assert_eq!(nue.fen(), before);
    assert!(nue.search("go depth 3").1.is_some());
    nue.quit();
}
