// SPDX-License-Identifier: GPL-3.0-or-later
//! An analysis for one page: what is stored at once, then what the search finds, never more often than can be read.

use std::{future::pending, pin::Pin, sync::Arc, time::Duration};

use rules::chess::{Board, Game};
use serde::{Deserialize, Serialize};
use tokio::{
    sync::{mpsc, watch},
    time::{Instant, sleep_until},
};

use super::House;
use crate::{
    core::{Refused, fen_of, turns::Precedence},
    message::{Analyse, Limit, Line, Lines, Refusal, ServerMessage},
    search::{End, Found, Progress, Search, Ticket, lines_message, terminal},
    store::Known,
};

/// Shallower results are found again sooner than read.
const LEAST_DEPTH: u32 = 8;
/// Longest line of moves before the position.
const MOST_MOVES: usize = 12_000;

/// Where messages for a page go: a short queue, so that a slow page holds back only itself.
pub type Outlet = mpsc::Sender<Arc<ServerMessage>>;

/// A request that was checked.
pub struct AnalysisRequest {
    job: u32,
    request: u32,
    game: Game,
    chess960: bool,
    threat: bool,
    search: Search,
}

/// What the store keeps about a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredLines {
    /// Deepest half-move looked at.
    pub seldepth: u32,
    /// Positions searched.
    pub nodes: f64,
    /// Milliseconds spent.
    pub time_ms: f64,
    /// The lines.
    pub lines: Vec<Line>,
}

/// Checks a request.
///
/// # Errors
/// When the position, a move or a number is not acceptable.
pub fn prepare(house: &House, request: u32, wanted: &Analyse) -> Result<AnalysisRequest, Refused> {
    let limits = &house.limits;
    if wanted.moves.len() > MOST_MOVES {
        return Err(Refused::new(
            Refusal::TooLarge,
            format!("more than {MOST_MOVES} moves before a position"),
        ));
    }
    let mut game = Game::new(Board::from_fen(&wanted.fen)?);
    for uci in &wanted.moves {
        let m = game.board().parse_uci(uci);
        game.play(m.map_err(|error| Refused::new(Refusal::IllegalMove, error.to_string()))?);
    }
    if wanted.threat {
        let mut board = *game.board();
        if board.in_check() {
            return Err(Refused::new(Refusal::NotPossible, "in check there is no time for threats"));
        }
        board.play_null();
        game = Game::new(board);
    }
    let end = match wanted.limit {
        Limit::Depth { depth } => End::Depth(depth.clamp(1, limits.depth)),
        Limit::Time { ms } => End::Time(Duration::from_millis(ms.max(1).into())),
        Limit::Infinite => End::Never,
    };
    let search = Search {
        game: game.clone(),
        lines: (wanted.lines as usize).clamp(1, limits.lines),
        threads: (wanted.threads as usize).clamp(1, limits.threads),
        hash_mb: Some((wanted.hash_mb as usize).clamp(1, limits.hash_mb)),
        elo: None,
        end,
        precedence: Precedence::Analysis,
    };
    let Analyse { job, chess960, threat, .. } = *wanted;
    Ok(AnalysisRequest { job, request, game, chess960, threat, search })
}

/// The text by which the store knows a position.
fn position_key(board: &Board, chess960: bool) -> String {
    fen_of(board, chess960).split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// What the store knows about a position.
pub async fn stored_lines(house: &House, board: &Board, chess960: bool) -> Option<(u32, StoredLines)> {
    // What cannot be read is as good as unknown: the search finds it again.
    let known = house.store.recall(&position_key(board, chess960)).await.ok()??;
    Some((known.depth, serde_json::from_str(&known.body).ok()?))
}

/// Keeps what a search found.
pub(super) async fn keep(house: &House, board: &Board, chess960: bool, found: &Found) {
    let stored = StoredLines {
        seldepth: found.seldepth,
        nodes: found.nodes as f64,
        time_ms: found.time.as_millis() as f64,
        lines: lines_message(board, found, chess960),
    };
    let body = serde_json::to_string(&stored).expect("plain data");
    let known = Known { position: position_key(board, chess960), depth: found.depth, body };
    // It can be found again; the page has it already.
    let _ = house.store.remember(known).await;
}

impl AnalysisRequest {
    /// Begins the search, if possible in the slot of the one that it follows; nothing to search where the game is over.
    pub fn begin(&self, house: &House, near: Option<usize>) -> Option<Ticket> {
        let over = terminal(self.game.board()).is_some();
        (!over).then(|| house.slots.begin_near(self.search.clone(), near))
    }
}

/// Reports what a search finds until its limit, or until `stopped` says so or its sender is gone.
pub async fn analyse(
    house: Arc<House>,
    request: AnalysisRequest,
    ticket: Option<Ticket>,
    outlet: Outlet,
    stopped: watch::Receiver<bool>,
) {
    let mut feed = Feed { house, request, outlet, stored: None, sent: None };
    let board = *feed.request.game.board();
    if let Some((score, wdl)) = terminal(&board) {
        let over = Line { score, wdl, uci: Vec::new(), san: Vec::new() };
        let _ = feed.send(feed.lines(false, 0, vec![over])).await;
        feed.finish().await;
        return;
    }
    let Some(mut ticket) = ticket else { return };
    let ended = feed.follow(&mut ticket.progress, stopped).await;
    let found = ticket.progress.borrow().found.clone();
    drop(ticket);
    if let Some(found) = found.filter(|found| found.depth >= LEAST_DEPTH && !feed.request.threat) {
        keep(&feed.house, &board, feed.request.chess960, &found).await;
    }
    if ended {
        feed.finish().await;
    }
}

/// Waits until a switch is on or nobody can switch it any more.
async fn until(switch: &mut watch::Receiver<bool>) {
    let _ = switch.wait_for(|on| *on).await;
}

/// The way from a search to a page.
struct Feed {
    house: Arc<House>,
    request: AnalysisRequest,
    outlet: Outlet,
    stored: Option<(u32, StoredLines)>,
    sent: Option<Arc<Found>>,
}

/// A look into the store.
type Recall = Pin<Box<dyn Future<Output = Option<(u32, StoredLines)>> + Send>>;

/// The page is gone.
struct Gone;

impl Feed {
    /// Hands on what is stored and what the search finds; true when it came to its end by itself.
    async fn follow(
        &mut self,
        progress: &mut watch::Receiver<Progress>,
        mut stopped: watch::Receiver<bool>,
    ) -> bool {
        let interval = self.house.limits.lines_interval;
        let mut due = Instant::now();
        let mut recall = Some(self.recall());
        loop {
            let recalled = async {
                match &mut recall {
                    Some(recall) => recall.as_mut().await,
                    None => pending().await,
                }
            };
            // The first line goes at once, later ones when the page has had time to show the last.
            let news = async {
                sleep_until(due).await;
                progress.changed().await
            };
            let lines = tokio::select! {
                () = until(&mut stopped) => return false,
                stored = recalled => {
                    recall = None;
                    self.stored = stored;
                    self.first()
                }
                changed = news => {
                    if changed.is_err() {
                        return false;
                    }
                    let found = progress.borrow_and_update().found.clone();
                    let found = found.filter(|found| self.sent.as_ref() != Some(found));
                    found.map(|found| {
                        due = Instant::now() + interval;
                        let lines = self.newest(&found);
                        self.sent = Some(found);
                        lines
                    })
                }
            };
            if let Some(lines) = lines {
                tokio::select! {
                    () = until(&mut stopped) => return false,
                    sent = self.send(lines) => if sent.is_err() { return false },
                }
            }
            if recall.is_none() && self.has_told(&progress.borrow()) {
                return true;
            }
        }
    }

    /// Whether the search is over and the page has what it found last: it may end between two looks at it.
    fn has_told(&self, progress: &Progress) -> bool {
        progress.choice.is_some() && progress.found == self.sent
    }

    /// What the store knows, looked up while the search begins.
    fn recall(&self) -> Recall {
        let (house, board, chess960) =
            (Arc::clone(&self.house), *self.request.game.board(), self.request.chess960);
        let wanted = !self.request.threat;
        Box::pin(async move { if wanted { stored_lines(&house, &board, chess960).await } else { None } })
    }

    /// The stored lines as a message, unless the search is deeper already.
    fn first(&self) -> Option<Lines> {
        let (depth, stored) = self.stored.as_ref()?;
        if self.sent.as_ref().is_some_and(|sent| sent.depth >= *depth) {
            return None;
        }
        Some(Lines {
            seldepth: stored.seldepth,
            nodes: stored.nodes,
            time_ms: stored.time_ms,
            ..self.lines(true, *depth, stored.lines.clone())
        })
    }

    /// The lines of the search, or the stored ones as long as those are deeper.
    fn newest(&self, found: &Found) -> Lines {
        let chess960 = self.request.chess960;
        let wanted = self.request.search.lines.min(found.lines.len());
        let lines = match &self.stored {
            Some((depth, stored)) if *depth > found.depth && stored.lines.len() >= wanted => {
                let shown = stored.lines.iter().take(wanted).cloned().collect();
                Lines { seldepth: stored.seldepth, ..self.lines(true, *depth, shown) }
            }
            _ => {
                let board = self.request.game.board();
                let lines = self.lines(false, found.depth, lines_message(board, found, chess960));
                Lines { seldepth: found.seldepth, ..lines }
            }
        };
        let seconds = found.time.as_secs_f64().max(0.001);
        Lines {
            nodes: found.nodes as f64,
            nps: (found.nodes as f64 / seconds).round(),
            time_ms: found.time.as_millis() as f64,
            hashfull: found.hashfull,
            ..lines
        }
    }

    fn lines(&self, stored: bool, depth: u32, lines: Vec<Line>) -> Lines {
        let AnalysisRequest { job, request, threat, chess960, .. } = self.request;
        let fen = fen_of(self.request.game.board(), chess960);
        let (nodes, nps, time_ms) = (0.0, 0.0, 0.0);
        Lines {
            job,
            request,
            fen,
            threat,
            stored,
            depth,
            seldepth: 0,
            nodes,
            nps,
            time_ms,
            hashfull: 0,
            lines,
        }
    }

    async fn send(&self, lines: Lines) -> Result<(), Gone> {
        let message = Arc::new(ServerMessage::Lines(Box::new(lines)));
        self.outlet.send(message).await.map_err(|_| Gone)
    }

    async fn finish(&self) {
        let AnalysisRequest { job, request, .. } = self.request;
        let _ = self.outlet.send(Arc::new(ServerMessage::Finished { job, request })).await;
    }
}
