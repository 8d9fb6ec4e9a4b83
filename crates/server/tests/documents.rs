// SPDX-License-Identifier: GPL-3.0-or-later
//! Games and studies through a real listener: what was acknowledged is there after a restart, and what is sent twice
//! counts once.

mod page;

use page::{Folder, Running, config, new_game, new_study};
use server::message::{
    Action, Answer, Change, Document, DocumentKind, EndReason, GameList, Imported, Limit, Refusal, Request,
    ServerMessage, StudyList,
};

fn act(game: &str, operation: &str, action: Action) -> Request {
    Request::Act { game: game.into(), operation: operation.into(), action }
}

fn play(game: &str, ply: u32, uci: &str) -> Request {
    act(game, &format!("m{ply}-{uci}"), Action::Move { ply, uci: uci.into() })
}

fn edit(study: &str, operation: &str, change: Change) -> Request {
    Request::Edit { study: study.into(), operation: operation.into(), change }
}

fn add(study: &str, node: &str, parent: &str, uci: &str) -> Request {
    edit(study, node, Change::AddMove { node: node.into(), parent: parent.into(), uci: uci.into() })
}

fn refusal(message: ServerMessage) -> Refusal {
    match message {
        ServerMessage::Refused { why, .. } => why,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_game_goes_on_after_a_restart() {
    let folder = Folder::new("restart");
    let server = Running::start(config(&folder.0)).await;
    let mut page = server.page().await;
    page.done(Request::NewGame(new_game("first-game"))).await;
    page.done(play("first-game", 0, "e2e4")).await;
    let state = page.game(|state| state.moves.len() == 2).await;
    assert_eq!(refusal(page.ask(play("first-game", 0, "d2d4")).await), Refusal::OutOfStep);
    assert_eq!(refusal(page.ask(play("first-game", 2, "e4e6")).await), Refusal::IllegalMove);
    page.done(play("first-game", 0, "e2e4")).await; // the same operation again
    server.stop().await;
    assert!(page.try_next().await.is_none(), "the server says good-bye");

    let server = Running::start(config(&folder.0)).await;
    let mut page = server.page().await;
    page.done(Request::WatchGame { game: "first-game".into() }).await;
    let again = page.game(|_| true).await;
    assert_eq!((again.moves, again.version), (state.moves, state.version));
    page.done(act("first-game", "back", Action::TakeBack)).await;
    assert!(page.game(|state| state.moves.is_empty()).await.result.is_none());
    page.done(act("first-game", "end", Action::Resign)).await;
    let ended = page.game(|state| state.result.is_some()).await;
    assert_eq!(ended.result.unwrap().reason, EndReason::Resignation);
    server.stop().await;
}

#[tokio::test]
async fn the_engine_answers_and_gives_hints() {
    let folder = Folder::new("hints");
    let server = Running::start(config(&folder.0)).await;
    let mut page = server.page().await;
    let mut new = new_game("black-game");
    new.colour = Some(server::message::Colour::Black);
    new.fen = Some("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".into());
    page.done(Request::NewGame(new)).await;
    page.game(|state| state.moves.len() == 1).await;

    let mut mate = new_game("mate-game");
    mate.fen = Some("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".into());
    page.done(Request::NewGame(mate)).await;
    let answer = page.done(Request::Hint { game: "mate-game".into() }).await;
    let Some(Answer::Hint { best, .. }) = answer else { panic!("{answer:?}") };
    assert_eq!(best.san, "Ra8#");
    page.done(play("mate-game", 0, &best.uci)).await;
    let state = page.game(|state| state.game == "mate-game" && state.result.is_some()).await;
    assert_eq!(state.result.unwrap().reason, EndReason::Checkmate);
    let (status, pgn) = server.http("GET /api/game/mate-game.pgn", "").await;
    assert_eq!(status, 200);
    assert!(pgn.contains("1. Ra8# 1-0") && pgn.contains("[FEN"), "{pgn}");
    server.stop().await;
}

#[tokio::test]
async fn a_clock_runs_out_while_somebody_watches() {
    let folder = Folder::new("flag");
    let server = Running::start(config(&folder.0)).await;
    let mut page = server.page().await;
    let mut new = new_game("quick-game");
    new.clock = Some(server::message::ClockSetting { base_ms: 1_000, increment_ms: 0 });
    page.done(Request::NewGame(new)).await;
    page.done(play("quick-game", 0, "e2e4")).await;
    let state = page.game(|state| state.result.is_some()).await;
    assert_eq!(state.result.unwrap().reason, EndReason::Time);
    assert_eq!(state.clock.unwrap().white_ms, 0);
    server.stop().await;
}

#[tokio::test]
async fn changes_of_a_study_reach_every_page_and_survive() {
    let folder = Folder::new("study");
    let server = Running::start(config(&folder.0)).await;
    let (mut one, mut two) = (server.page().await, server.page().await);
    one.done(Request::NewStudy(new_study("study-one"))).await;
    two.done(Request::OpenStudy { study: "study-one".into() }).await;
    two.study().await;
    let answer = one.done(add("study-one", "a", "root", "e2e4")).await;
    assert_eq!(answer, Some(Answer::Node { node: "a".into(), version: 2 }));
    let edited = two
        .until(|message| match message {
            ServerMessage::Edited(edited) => Some(*edited),
            _ => None,
        })
        .await;
    assert_eq!((edited.version, edited.operation.as_str()), (2, "a"));
    assert_eq!(edited.node.unwrap().san, "e4");
    // The other page adds the same move under another name and goes on from there.
    let answer = two.done(add("study-one", "b", "root", "e2e4")).await;
    assert_eq!(answer, Some(Answer::Node { node: "a".into(), version: 3 }));
    two.done(add("study-one", "c", "b", "c7c5")).await;
    let comment = Change::SetComment { node: "c".into(), text: "Sicilian".into() };
    two.done(edit("study-one", "say", comment.clone())).await;
    let answer = two.done(edit("study-one", "say", comment)).await;
    assert_eq!(answer, Some(Answer::Version { version: 5 }), "the same operation changes nothing");
    server.stop().await;

    let server = Running::start(config(&folder.0)).await;
    let mut page = server.page().await;
    page.done(Request::OpenStudy { study: "study-one".into() }).await;
    let study = page.study().await;
    let nodes: Vec<(&str, &str, &str)> =
        study.nodes.iter().map(|node| (node.id.as_str(), node.san.as_str(), node.comment.as_str())).collect();
    assert_eq!(nodes, [("root", "", ""), ("a", "e4", ""), ("c", "c5", "Sicilian")]);
    assert_eq!(study.nodes[2].opening.as_ref().unwrap().name, "Sicilian Defense");
    server.stop().await;
}

#[tokio::test]
async fn lists_are_searched_and_turned_page_by_page() {
    let folder = Folder::new("lists");
    let server = Running::start(config(&folder.0)).await;
    let mut page = server.page().await;
    for number in 0..5 {
        let mut study = new_study(&format!("study-{number}"));
        study.title = Some(format!("Evening {number} 100% of_it"));
        page.done(Request::NewStudy(study)).await;
    }
    let list = async |query: &str| -> StudyList {
        let (status, body) = server.http(&format!("GET /api/studies?{query}"), "").await;
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    };
    let titles = |list: &StudyList| list.studies.iter().map(|study| study.study.clone()).collect::<Vec<_>>();
    let first = list("limit=3").await;
    assert_eq!(titles(&first), ["study-4", "study-3", "study-2"]);
    let second = list(&format!("limit=3&cursor={}", first.cursor.unwrap())).await;
    assert_eq!((titles(&second), second.cursor), (vec!["study-1".into(), "study-0".into()], None));
    assert_eq!(titles(&list("query=evening+3").await), ["study-3"]);
    assert_eq!(titles(&list("query=100%25").await).len(), 5);
    assert!(titles(&list("query=1%250").await).is_empty() && titles(&list("query=of.it").await).is_empty());

    page.done(Request::NewGame(new_game("listed-game"))).await;
    page.done(play("listed-game", 0, "e2e4")).await;
    let (_, body) = server.http("GET /api/games?query=king's+pawn", "").await;
    let games: GameList = serde_json::from_str(&body).unwrap();
    assert_eq!(games.games[0].game, "listed-game");
    let document = Document { kind: DocumentKind::Game, id: "listed-game".into() };
    page.done(Request::Delete { document: document.clone() }).await;
    page.until(|message| matches!(message, ServerMessage::Deleted { .. }).then_some(())).await;
    assert_eq!(refusal(page.ask(play("listed-game", 2, "d2d4")).await), Refusal::Unknown);
    assert_eq!(refusal(page.ask(Request::Delete { document }).await), Refusal::Unknown);
    server.stop().await;
}

#[tokio::test]
async fn a_pgn_becomes_studies_and_a_study_becomes_pgn() {
    let folder = Folder::new("import");
    let server = Running::start(config(&folder.0)).await;
    let text = "[Event \"A\"]\n\n1. e4 {good} (1. d4 d5) 1... e5 *\n\n[Event \"B\"]\n\n1. e5 *\n\n[Event \"C\"]\n\n1. c4 *\n";
    let (status, body) = server.http("POST /api/import", text).await;
    assert_eq!(status, 200, "{body}");
    let imported: Imported = serde_json::from_str(&body).unwrap();
    assert_eq!((imported.studies.len(), imported.problems.len()), (2, 1));
    assert!(imported.problems[0].contains("e5"), "{:?}", imported.problems);
    let (status, pgn) = server.http(&format!("GET /api/study/{}.pgn", imported.studies[0]), "").await;
    assert_eq!(status, 200);
    assert!(pgn.contains("1. e4 {good} (1. d4 d5) 1... e5 *"), "{pgn}");
    let (status, _) = server.http("POST /api/import", &"x".repeat(3 << 20)).await;
    assert_eq!(status, 413);
    assert_eq!(server.http("GET /api/study/nobody-there.pgn", "").await.0, 404);
    server.stop().await;
}

#[tokio::test]
async fn a_report_judges_every_move_and_is_not_made_twice() {
    let folder = Folder::new("report");
    let server = Running::start(config(&folder.0)).await;
    let mut page = server.page().await;
    let mut new = new_study("judged-study");
    new.pgn = Some("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0".into());
    page.done(Request::NewStudy(new)).await;
    let document = Document { kind: DocumentKind::Study, id: "judged-study".into() };
    let report = async |page: &mut page::Page| {
        page.done(Request::Report { document: document.clone() }).await;
        let mut steps = 0;
        let report = page
            .until(|message| match message {
                ServerMessage::ReportProgress { done, total, .. } => {
                    steps += 1;
                    assert_eq!((done, total), (steps, 8));
                    None
                }
                ServerMessage::Report { report, .. } => Some(report),
                _ => None,
            })
            .await;
        assert_eq!(steps, 8);
        report
    };
    let first = report(&mut page).await;
    let blunder = &first.positions[6];
    assert_eq!(blunder.played.as_ref().unwrap().san, "Nf6");
    assert_eq!(blunder.judgement, Some(server::message::Judgement::Blunder));
    assert!(first.black.unwrap().accuracy < first.white.unwrap().accuracy);
    let begin = std::time::Instant::now();
    assert_eq!(report(&mut page).await, first);
    assert!(begin.elapsed().as_millis() < 1_000, "stored evaluations are used again");

    // What was found is there at once when the study is opened again.
    page.done(Request::OpenStudy { study: "judged-study".into() }).await;
    let evaluations = page
        .until(|message| match message {
            ServerMessage::Evaluations { evaluations, .. } => Some(evaluations),
            _ => None,
        })
        .await;
    assert_eq!(evaluations.len(), 7, "all but the mate");
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    page.done(Request::Analyse(page::analyse(fen, Limit::Infinite))).await;
    let lines = page
        .until(|message| match message {
            ServerMessage::Lines(lines) if lines.stored => Some(lines),
            _ => None,
        })
        .await;
    assert!(lines.depth >= 14);
    server.stop().await;
}
