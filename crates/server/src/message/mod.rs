// SPDX-License-Identifier: GPL-3.0-or-later
//! What browser and server say to each other, defined here once: serde writes and reads it, and
//! `web/src/lib/messages.ts` is generated from it (`cargo xtask messages`).
//!
//! A page has one WebSocket. It sends a [`ClientMessage`], and each is answered by exactly one `done` or `refused`
//! with the same number. Whatever changes a game or a study is on the disk before `done` is sent. A change carries an
//! operation name that the client made up: the same operation sent again, after a lost connection for instance, is
//! answered and changes nothing. Games and studies are named by the client too, for the same reason.
//!
//! Between the answers come events: the whole [`GameState`] whenever a watched game changes, [`Edited`] for each change
//! of an open study, [`Lines`] of a running analysis. Versions of a document only grow.

mod analysis;
mod game;
mod list;
mod network;
mod report;
mod study;
#[cfg(test)]
mod typescript;

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

pub use self::{analysis::*, game::*, list::*, network::*, report::*, study::*};

/// What a page sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct ClientMessage {
    /// A number that the answer repeats; the client counts up.
    pub id: u32,
    /// What is wanted.
    #[serde(rename = "do")]
    pub request: Request,
}

/// What a page can ask for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Begins a game against the engine and watches it; nothing more happens if the game exists already.
    NewGame(NewGame),
    /// Sends the state of a game now and after every change. Its clock runs only while somebody watches.
    WatchGame {
        /// The game.
        game: String,
    },
    /// Does something in a game.
    Act {
        /// The game.
        game: String,
        /// A name of this request, made up by the client: 1 to 40 letters, digits, `-` or `_`.
        operation: String,
        /// What to do.
        action: Action,
    },
    /// Asks the engine for a move; answered by [`Answer::Hint`].
    Hint {
        /// The game.
        game: String,
    },
    /// Creates a study and opens it; nothing more happens if the study exists already.
    NewStudy(NewStudy),
    /// Sends the whole study now and every change of it from now on.
    OpenStudy {
        /// The study.
        study: String,
    },
    /// Changes a study.
    Edit {
        /// The study.
        study: String,
        /// A name of this request, made up by the client: 1 to 40 letters, digits, `-` or `_`.
        operation: String,
        /// What to change.
        change: Change,
    },
    /// Stops the events of a game or study.
    Close {
        /// The game or study.
        document: Document,
    },
    /// Removes a game or study for good.
    Delete {
        /// The game or study.
        document: Document,
    },
    /// Begins or replaces an analysis of this page; `lines` events follow.
    Analyse(Analyse),
    /// Ends an analysis of this page.
    Stop {
        /// The number given in [`Analyse::job`].
        job: u32,
    },
    /// Judges every move of a game or of a study's main line; `report_progress` events follow, then `report`.
    /// What was found before is used again, so a report that was interrupted goes on.
    Report {
        /// The game or study.
        document: Document,
    },
    /// Ends the making of a report; what was found is kept.
    StopReport {
        /// The game or study.
        document: Document,
    },
    /// Lists the networks at hand; answered by [`Answer::Nets`].
    Nets,
    /// Takes the output of a network apart; answered by [`Answer::Explanation`].
    Explain {
        /// The position.
        fen: String,
        /// The name of a network; the first at hand if not given.
        net: Option<String>,
    },
    /// Shows the weights of a neuron; answered by [`Answer::Neuron`].
    Neuron {
        /// A position: what a neuron sees may depend on where the kings stand.
        fen: String,
        /// The name of a network; the first at hand if not given.
        net: Option<String>,
        /// The neuron's place in the accumulator.
        index: u32,
    },
    /// Does nothing; answered at once. Keeps the connection alive and measures it.
    Ping,
}

/// A game or a study.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Which of the two.
    pub kind: DocumentKind,
    /// Its name: 6 to 40 letters, digits, `-` or `_`.
    pub id: String,
}

/// What a document is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// A game against the engine.
    Game,
    /// A tree of moves with comments.
    Study,
}

/// What the server sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The first message of every connection.
    Welcome(Welcome),
    /// A request was carried out; its effects are on the disk.
    Done {
        /// The number of the request.
        id: u32,
        /// What was asked for, where something was.
        answer: Option<Answer>,
    },
    /// A request was not carried out, and nothing changed.
    Refused {
        /// The number of the request; 0 if it could not be read.
        id: u32,
        /// Why, for programs: pages translate this.
        why: Refusal,
        /// Why, as an English sentence with the details.
        reason: String,
    },
    /// A watched game as it is now.
    Game(Box<GameState>),
    /// A study that was just opened, as a whole.
    Study(Box<StudyState>),
    /// After `study`: what earlier analyses found about its positions.
    Evaluations {
        /// The study.
        study: String,
        /// The positions that are known.
        evaluations: Vec<Evaluation>,
    },
    /// An open study changed, by this page or another.
    Edited(Box<Edited>),
    /// A watched game or open study was removed.
    Deleted {
        /// The game or study.
        document: Document,
    },
    /// What an analysis found so far.
    Lines(Box<Lines>),
    /// An analysis came to its end.
    Finished {
        /// The number given in [`Analyse::job`].
        job: u32,
        /// The number of the request that began it.
        request: u32,
    },
    /// How far a report is.
    ReportProgress {
        /// The game or study.
        document: Document,
        /// Positions judged.
        done: u32,
        /// Positions to judge.
        total: u32,
    },
    /// A report that is complete.
    Report {
        /// The game or study.
        document: Document,
        /// The report.
        report: Box<Report>,
    },
}

/// What a page should know about the server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Welcome {
    /// The version of the program; another than last time means that the page should be loaded anew.
    pub version: String,
    /// How many searches run at the same time.
    pub slots: u32,
    /// Most threads that one analysis may have.
    pub max_threads: u32,
    /// Largest hash table of one analysis in MiB.
    pub max_hash_mb: u32,
    /// Most lines of one analysis.
    pub max_lines: u32,
    /// The weakest level.
    pub min_elo: u32,
    /// The strongest level below full strength.
    pub max_elo: u32,
    /// Most bytes of a message.
    pub max_message_bytes: u32,
    /// The networks at hand; the engine plays with the first, and by its own counting if there is none.
    pub nets: Vec<NetInfo>,
}

/// What `done` brings along.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// To `hint`.
    Hint {
        /// The move that the engine would play.
        #[serde(rename = "move")]
        best: MoveText,
        /// What it is worth.
        score: Score,
    },
    /// To `edit` with [`Change::AddMove`]: the move's node, another than asked for if it was there already.
    Node {
        /// The node.
        node: String,
        /// The version of the study that contains it.
        version: u32,
    },
    /// To every other `edit`: the version of the study that contains the change.
    Version {
        /// The version.
        version: u32,
    },
    /// To `nets`.
    Nets {
        /// The networks, the engine's own first.
        nets: Vec<NetInfo>,
    },
    /// To `explain`.
    Explanation(Box<Explanation>),
    /// To `neuron`.
    Neuron(Box<NeuronWeights>),
}

/// Why a request was refused.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The message is no JSON of the agreed form.
    Malformed,
    /// The message, or something in it, is larger than allowed.
    TooLarge,
    /// More requests or analyses than allowed.
    TooMany,
    /// There is no such game, study, node or network.
    Unknown,
    /// A position or a name is not acceptable.
    Invalid,
    /// The move is against the rules.
    IllegalMove,
    /// The other side is to move.
    NotYourTurn,
    /// The move was meant for another position of the game.
    OutOfStep,
    /// The game is over.
    GameOver,
    /// There is nothing to take back, or no draw to claim.
    NotPossible,
    /// The server is shutting down or its disk fails.
    Unavailable,
}
