// SPDX-License-Identifier: GPL-3.0-or-later
//! The search: an [`Engine`] with its tables, and the threads it sends out.

mod correction;
mod deepening;
mod history;
mod margins;
mod movepick;
mod node;
mod probe;
mod pruning;
mod quiesce;
mod score;
mod searcher;
mod singular;
mod skill;
mod tablebase;
mod threats;
mod tt;
mod vote;

use std::{
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use nnue::{NetError, Network};
use rules::chess::{Game, Move};
use thiserror::Error;

pub(crate) use self::score::{is_loss, is_win};
pub use self::tablebase::Tablebases;
use self::{
    searcher::{Counters, Memory, RootMove, Searcher, Shared},
    skill::Handicap,
    tt::TranspositionTable,
};
use crate::{
    Choice, Controls, Evaluation, Limits, Options, Report,
    eval::{self, Evaluator},
    time::{Lag, TimeManager},
};

/// Deepest search that still fits the stack of a thread.
const STACK_BYTES: usize = 16 << 20;

/// Settings that cannot be had.
#[derive(Debug, Error)]
pub enum ConfigureError {
    /// The folder holds no usable tables.
    #[error("SyzygyPath '{path}': {source}", path = path.display())]
    Syzygy {
        /// The path as given.
        path: PathBuf,
        /// Why it cannot be used.
        source: io::Error,
    },
    /// The file holds no usable network.
    #[error("EvalFile '{path}': {source}", path = path.display())]
    Network {
        /// The path as given.
        path: PathBuf,
        /// Why it cannot be used.
        source: NetError,
    },
    /// The transposition table does not fit into memory.
    #[error("Hash {megabytes} MiB: not enough memory, the table stays at {kept} MiB")]
    Hash {
        /// The size asked for.
        megabytes: usize,
        /// The size in force.
        kept: usize,
    },
}

/// An engine: settings, and everything remembered between searches.
pub struct Engine {
    /// Whether a search of one thread needs no thread of its own.
    on_caller: bool,
    options: Options,
    tt: TranspositionTable,
    tables: Tablebases,
    network: Option<Arc<Network>>,
    memories: Vec<Memory>,
    nodes: u64,
    /// How much the machine made recent searches wait.
    lag: Lag,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// An engine with the default settings.
    pub fn new() -> Engine {
        Engine::judging_with(Evaluation::BuiltIn, Some(eval::built_in()))
    }

    /// An engine with the default settings but for who judges.
    fn judging_with(evaluation: Evaluation, network: Option<Arc<Network>>) -> Engine {
        let options = Options { evaluation, ..Options::default() };
        Engine {
            on_caller: false,
            tt: TranspositionTable::new(options.hash_mb).expect("memory for the smallest usual table"),
            tables: Tablebases::none(),
            memories: vec![Memory::new(Evaluator::new(network.as_ref()))],
            network,
            options,
            nodes: 0,
            lag: Lag::default(),
        }
    }

    /// An engine with these settings.
    ///
    /// # Errors
    /// When the Syzygy path holds no tables or the file no network.
    pub fn with_options(options: Options) -> Result<Engine, ConfigureError> {
        // No network is laid out but the one that is asked for.
        let network = network_of(&options.evaluation)?;
        let mut engine = Engine::judging_with(options.evaluation.clone(), network);
        engine.configure(options)?;
        Ok(engine)
    }

    /// The settings in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the settings; on an error nothing changes.
    ///
    /// # Errors
    /// When the Syzygy path holds no tables, the file no network, or the memory for the hash table is not to
    /// be had.
    pub fn configure(&mut self, options: Options) -> Result<(), ConfigureError> {
        let tables = match &options.syzygy_path {
            path if *path == self.options.syzygy_path => None,
            None => Some(Tablebases::none()),
            Some(path) => Some(
                Tablebases::open(path)
                    .map_err(|source| ConfigureError::Syzygy { path: path.clone(), source })?,
            ),
        };
        let network = match &options.evaluation {
            evaluation if *evaluation == self.options.evaluation => None,
            evaluation => Some(network_of(evaluation)?),
        };
        if options.hash_mb != self.options.hash_mb {
            let (megabytes, kept) = (options.hash_mb, self.options.hash_mb);
            self.tt = TranspositionTable::new(megabytes).ok_or(ConfigureError::Hash { megabytes, kept })?;
        }
        if let Some(tables) = tables {
            self.tables = tables;
        }
        if let Some(network) = network {
            // What was learnt from the judgement of another is worth nothing.
            self.memories.clear();
            self.tt.clear(options.threads);
            self.network = network;
        }
        let network = self.network.as_ref();
        self.memories.resize_with(options.threads.max(1), || Memory::new(Evaluator::new(network)));
        self.options = options;
        Ok(())
    }

    /// Forgets everything that earlier searches found.
    pub fn clear(&mut self) {
        self.tt.clear(self.options.threads);
        self.memories.iter_mut().for_each(Memory::clear);
    }

    /// The network that evaluates, if one does.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// How many endgame table files were found.
    pub fn table_count(&self) -> usize {
        self.tables.count()
    }

    /// Nodes of the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches a position until a limit or a switch ends it, reporting on the way.
    ///
    /// Without any limit, and while pondering, it does not return before `controls` say so.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        controls: &Controls,
        on_report: &mut (dyn FnMut(&Report) + Send),
    ) -> Choice {
        let root_moves = self.root_moves(game, limits);
        if root_moves.is_empty() {
            wait_for_release(limits, controls);
            return Choice { best: None, ponder: None };
        }
        let handicap = Handicap::of(&self.options);
        let mut limits = limits.clone();
        let mut multi_pv = self.options.multi_pv;
        if let Some(handicap) = handicap {
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(handicap.nodes));
            multi_pv = multi_pv.max(handicap.lines());
        }

        self.tt.new_search();
        let time = TimeManager::new(&limits, self.options.move_overhead, self.lag);
        let threads = self.memories.len();
        let shared = Shared {
            tt: &self.tt,
            tables: &self.tables,
            controls,
            limits: &limits,
            time: &time,
            stop: AtomicBool::new(false),
            counters: (0..threads).map(|_| Counters::default()).collect(),
        };
        let candidates =
            run_threads(&shared, &mut self.memories, game, &root_moves, multi_pv, self.on_caller, on_report);
        self.nodes = shared.nodes();
        if !limits.ponder {
            self.lag.note(time.overrun());
        }
        wait_for_release(&limits, controls);

        let best = vote::winner(&candidates);
        let lines = &candidates[best].root_moves;
        let chosen = match handicap {
            None => &lines[0],
            Some(handicap) => {
                let seed = game.board().key() ^ self.nodes ^ time.elapsed().as_nanos() as u64;
                &lines[handicap.choose(&lines[..handicap.lines().min(lines.len())], seed)]
            }
        };
        Choice { best: Some(chosen.m), ponder: self.expected_answer(game, chosen) }
    }

    /// The legal moves that may be played, best table rank first.
    fn root_moves(&self, game: &Game, limits: &Limits) -> Vec<RootMove> {
        let allowed = |m: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(m);
        let moves: Vec<Move> = game.board().legal_moves().iter().copied().filter(allowed).collect();
        let ranks: Option<Vec<i32>> = moves.iter().map(|&m| self.tables.rank(game, m)).collect();
        let mut root_moves: Vec<RootMove> = moves
            .iter()
            .enumerate()
            .map(|(index, &m)| RootMove {
                m,
                score: -score::INFINITY,
                previous_score: -score::INFINITY,
                average: None,
                seldepth: 0,
                effort: 0,
                pv: vec![m],
                table_rank: ranks.as_ref().map_or(0, |ranks| ranks[index]),
                table_score: ranks.as_ref().map(|ranks| tablebase::score_of_rank(ranks[index])),
            })
            .collect();
        root_moves.sort_by_key(|root| -root.table_rank);
        root_moves
    }

    /// The second move of the line, from the table if the line is short.
    fn expected_answer(&self, game: &Game, chosen: &RootMove) -> Option<Move> {
        if let Some(&answer) = chosen.pv.get(1) {
            return Some(answer);
        }
        let board = game.board().after(chosen.m);
        let answer = self.tt.probe(board.key())?.m;
        board.is_legal(answer).then_some(answer)
    }
}

/// The network of an evaluation, if it has one.
fn network_of(evaluation: &Evaluation) -> Result<Option<Arc<Network>>, ConfigureError> {
    Ok(match evaluation {
        Evaluation::BuiltIn => Some(eval::built_in()),
        Evaluation::HandCrafted => None,
        Evaluation::File(path) => {
            let failed = |source| ConfigureError::Network { path: path.clone(), source };
            Some(eval::load(path).map_err(failed)?)
        }
    })
}

/// What one thread brings back.
pub(crate) struct Candidate {
    pub(crate) root_moves: Vec<RootMove>,
    pub(crate) depth: i32,
}

fn run_threads(
    shared: &Shared<'_>,
    memories: &mut [Memory],
    game: &Game,
    root_moves: &[RootMove],
    multi_pv: usize,
    on_caller: bool,
    on_report: &mut (dyn FnMut(&Report) + Send),
) -> Vec<Candidate> {
    let work = |thread: usize, memory: &mut Memory, on_report: &mut dyn FnMut(&Report)| {
        let mut searcher = Searcher::new(shared, thread, memory, game, root_moves.to_vec());
        if thread == 0 && root_moves[0].table_score.is_some() {
            root_moves.iter().for_each(|_| searcher.count_table_hit());
        }
        searcher.deepen(game.board(), multi_pv, on_report);
        if thread == 0 {
            shared.stop.store(true, Relaxed);
        }
        Candidate { root_moves: searcher.root_moves, depth: searcher.completed_depth }
    };
    if let ([memory], true) = (&mut *memories, on_caller) {
        return vec![work(0, memory, on_report)];
    }
    let work = &work;
    let mut reporter = Some(on_report);
    std::thread::scope(|scope| {
        let handles: Vec<_> = memories
            .iter_mut()
            .enumerate()
            .map(|(thread, memory)| {
                let reporter = reporter.take();
                std::thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || match reporter {
                        Some(on_report) => work(thread, memory, on_report),
                        None => work(thread, memory, &mut |_| {}),
                    })
                    .expect("thread of the search")
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().expect("search thread without panic")).collect()
    })
}

/// An unlimited search is over only when it is stopped, a ponder search when the opponent has moved.
fn wait_for_release(limits: &Limits, controls: &Controls) {
    while !controls.is_stopped() && (limits.is_unlimited() || controls.is_pondering()) {
        std::thread::sleep(Duration::from_millis(1));
    }
}
