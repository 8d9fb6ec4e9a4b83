// SPDX-License-Identifier: GPL-3.0-or-later
//! The engine's side of a game that somebody watches: its moves, its claims, hints, and the fall of the flag.

use std::{pin::Pin, sync::Arc, time::Duration};

use super::{House, game::GameRoom, lock, rooms::Open, to_the_end};
use crate::{
    core::{Refused, play::Play, turns::Precedence},
    message::{Answer, MoveText, Refusal, Score},
    search::{End, Progress, Search},
};

/// How long the engine thinks at most in a game without a clock.
const MOVE_TIME: Duration = Duration::from_millis(1000);
/// How long it thinks about a hint.
const HINT_TIME: Duration = Duration::from_millis(300);

/// A search under way, and the moment of the game that it is for.
type Thinking = Option<(u32, Pin<Box<dyn Future<Output = Option<Progress>> + Send>>)>;

impl House {
    /// What the engine does in a game as long as somebody watches it.
    pub(super) async fn drive(self: Arc<Self>, room: Open<GameRoom>) {
        let mut changes = room.changes.subscribe();
        let mut thinking: Thinking = None;
        while !changes.borrow_and_update().deleted && room.is_attended() {
            let (moment, search, flag_at) = {
                let play = lock(&room.play);
                (play.moment(), self.engine_search(&play), play.flag_at())
            };
            match (&thinking, search) {
                (_, None) => thinking = None,
                (Some((known, _)), Some(_)) if *known == moment => {}
                (_, Some(search)) => {
                    let house = Arc::clone(&self);
                    thinking = Some((moment, Box::pin(async move { house.slots.finish(search).await })));
                }
            }
            let thought = async {
                match &mut thinking {
                    Some((_, thought)) => thought.await,
                    None => std::future::pending().await,
                }
            };
            let flag = async {
                match flag_at {
                    Some(at) => tokio::time::sleep_until(self.instant(at).into()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                _ = changes.changed() => {}
                () = flag => self.settle(&room, None).await,
                progress = thought => {
                    thinking = None;
                    let Some(progress) = progress else { return };
                    self.settle(&room, Some(progress)).await;
                }
            }
        }
    }

    /// The engine's move, its claim, or the fall of a flag.
    async fn settle(self: &Arc<Self>, room: &Open<GameRoom>, progress: Option<Progress>) {
        let (house, room) = (Arc::clone(self), room.clone());
        let settled = to_the_end(async move {
            let _writer = room.writer.lock().await;
            let now = house.now();
            let events = {
                let play = lock(&room.play);
                let best = progress.as_ref().and_then(|progress| progress.choice?.best);
                let score = progress
                    .as_ref()
                    .and_then(|progress| Some(progress.found.as_ref()?.lines.first()?.score));
                match (play.engine_claim(), best) {
                    (Some(claim), Some(_)) => vec![claim],
                    (None, Some(best)) => play.engine_move(best, score, now),
                    (_, None) => play.flag_fallen(now).into_iter().collect(),
                }
            };
            house.metrics.engine_moves.add(progress.is_some().into());
            house.commit(&room, &events, None).await
        })
        .await;
        if settled.is_err() {
            // The disk fails: try again a little later rather than in a circle.
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// What the engine should search if it is to move.
    fn engine_search(&self, play: &Play) -> Option<Search> {
        if !play.engine_to_move() {
            return None;
        }
        let end = match play.clock() {
            None => End::Time(MOVE_TIME),
            Some(clock) => {
                let now = self.now();
                let left = clock.left(!play.human(), now);
                let clock = engine::Clock {
                    remaining: Duration::from_millis(left.into()),
                    increment: Duration::from_millis(clock.setting().increment_ms.into()),
                    moves_to_go: None,
                };
                End::Clock(clock, self.instant(now))
            }
        };
        Some(Search {
            game: play.game().clone(),
            lines: 1,
            threads: 1,
            hash_mb: None,
            elo: play.elo(),
            end,
            precedence: Precedence::Play,
        })
    }
}

/// What the engine would play for the human.
///
/// # Errors
/// When the game is over or the server shuts down.
pub async fn hint(house: &House, room: &GameRoom) -> Result<Answer, Refused> {
    let (game, chess960) = {
        let play = lock(&room.play);
        if play.result().is_some() {
            return Err(Refused::new(Refusal::GameOver, "the game is over"));
        }
        (play.game().clone(), play.chess960())
    };
    let board = *game.board();
    let search = Search {
        game,
        lines: 1,
        threads: 1,
        hash_mb: None,
        elo: None,
        end: End::Time(HINT_TIME),
        precedence: Precedence::Play,
    };
    let unavailable = || Refused::new(Refusal::Unavailable, "there is no hint to be had");
    let progress = house.slots.finish(search).await.ok_or_else(unavailable)?;
    let best = progress.choice.and_then(|choice| choice.best).ok_or_else(unavailable)?;
    let score =
        progress.found.and_then(|found| Some(found.lines.first()?.score)).unwrap_or(Score::Cp { value: 0 });
    Ok(Answer::Hint { best: MoveText { uci: best.to_uci(chess960), san: board.to_san(best) }, score })
}
