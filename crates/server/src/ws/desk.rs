// SPDX-License-Identifier: GPL-3.0-or-later
//! What a page can ask for, and what it has under way: documents it follows, analyses, reports.

use std::{
    collections::{BTreeMap, HashMap},
    pin::Pin,
    sync::Arc,
};

use tokio::{sync::watch, task::JoinHandle};

use super::follow;
use crate::{
    core::Refused,
    live::{
        GameRoom, House, Open, Outlet, ReportRequest, StudyRoom, analyse, hint, make_report, new_study,
        prepare, prepare_report,
    },
    message::{Analyse, Answer, Document, DocumentKind, Refusal, Request, ServerMessage},
    search::{Stopper, Ticket},
};

/// Something that takes time: the disk is involved.
pub(super) type Work = Pin<Box<dyn Future<Output = Result<After, Refused>> + Send>>;

/// What becomes of a request.
pub(super) enum Step {
    /// It is done or refused.
    Answer(Result<Option<Answer>, Refused>),
    /// It has to be waited for; then comes [`Desk::finish`].
    Work(Work),
    /// It runs beside and is answered later.
    Later,
}

/// What is left to do after waiting.
pub(super) enum After {
    /// To answer.
    Answer(Option<Answer>),
    /// To follow a game.
    Game(Open<GameRoom>),
    /// To follow a study.
    Study(Open<StudyRoom>),
    /// To begin a report.
    Report(ReportRequest),
}

/// Whether a request must wait for those before it: everything about documents.
pub(super) fn is_ordered(request: &Request) -> bool {
    match request {
        Request::NewGame(_)
        | Request::WatchGame { .. }
        | Request::Act { .. }
        | Request::Hint { .. }
        | Request::NewStudy(_)
        | Request::OpenStudy { .. }
        | Request::Edit { .. }
        | Request::Close { .. }
        | Request::Delete { .. }
        | Request::Report { .. } => true,
        Request::Analyse(_)
        | Request::Stop { .. }
        | Request::StopReport { .. }
        | Request::Nets
        | Request::Explain { .. }
        | Request::Neuron { .. }
        | Request::Ping => false,
    }
}

/// A task that ends with its owner.
struct Task(JoinHandle<()>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// An analysis: it is told to stop rather than aborted, so that it can keep what it found.
struct Analysis {
    search: Option<Stopper>,
    _stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

/// Where the requests of one page are served.
pub(super) struct Desk {
    house: Arc<House>,
    outlet: Outlet,
    documents: BTreeMap<Document, Task>,
    analyses: HashMap<u32, Analysis>,
    /// The slot of the analysis that ended last: its hash table knows what the page looks at.
    near: Option<usize>,
    reports: BTreeMap<Document, Task>,
    errands: Vec<Task>,
}

impl Desk {
    pub(super) fn new(house: Arc<House>, outlet: Outlet) -> Desk {
        let (documents, reports) = (BTreeMap::new(), BTreeMap::new());
        Desk { house, outlet, documents, analyses: HashMap::new(), near: None, reports, errands: Vec::new() }
    }

    /// Begins with a request.
    pub(super) fn begin(&mut self, id: u32, request: Request) -> Step {
        let done = |result: Result<(), Refused>| Step::Answer(result.map(|()| None));
        let later = |result: Result<(), Refused>| match result {
            Ok(()) => Step::Later,
            Err(refused) => Step::Answer(Err(refused)),
        };
        match request {
            Request::Ping => done(Ok(())),
            Request::Nets => Step::Answer(Ok(Some(Answer::Nets { nets: self.house.nets.infos() }))),
            Request::Analyse(wanted) => done(self.analyse(id, &wanted)),
            Request::Stop { job } => {
                self.stop(job);
                done(Ok(()))
            }
            Request::StopReport { document } => {
                self.reports.remove(&document);
                done(Ok(()))
            }
            Request::Close { document } => {
                self.documents.remove(&document);
                done(Ok(()))
            }
            Request::Hint { game } => {
                let house = Arc::clone(&self.house);
                later(self.errand(id, async move { hint(&house, &*house.game(&game).await?).await }))
            }
            Request::Explain { fen, net } => later(self.heavy(id, move |house| {
                Ok(Answer::Explanation(Box::new(house.nets.explain(net.as_deref(), &fen)?)))
            })),
            Request::Neuron { fen, net, index } => later(self.heavy(id, move |house| {
                Ok(Answer::Neuron(Box::new(house.nets.neuron(net.as_deref(), &fen, index)?)))
            })),
            request => Step::Work(Box::pin(work(Arc::clone(&self.house), request))),
        }
    }

    /// Ends what had to be waited for.
    pub(super) fn finish(&mut self, after: After) -> Result<Option<Answer>, Refused> {
        let (house, outlet) = (Arc::clone(&self.house), self.outlet.clone());
        match after {
            After::Answer(answer) => return Ok(answer),
            After::Game(room) => {
                let document = Document { kind: DocumentKind::Game, id: room.name().to_owned() };
                self.open(document, follow::game(house, room, outlet))?;
            }
            After::Study(room) => {
                let document = Document { kind: DocumentKind::Study, id: room.name().to_owned() };
                self.open(document, follow::study(house, room, outlet))?;
            }
            After::Report(request) => self.report(request)?,
        }
        Ok(None)
    }

    /// A refusal as a message.
    pub(super) fn refusal(&self, id: u32, refused: Refused) -> ServerMessage {
        refusal(&self.house, id, refused)
    }

    /// Follows a document; one that is followed already is sent again.
    fn open(
        &mut self,
        document: Document,
        follow: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), Refused> {
        self.documents.retain(|_, task| !task.0.is_finished());
        let most = self.house.limits.documents;
        if self.documents.len() >= most && !self.documents.contains_key(&document) {
            return Err(Refused::new(Refusal::TooMany, format!("a page has at most {most} documents open")));
        }
        self.documents.insert(document, Task(tokio::spawn(follow)));
        Ok(())
    }

    fn analyse(&mut self, id: u32, wanted: &Analyse) -> Result<(), Refused> {
        let request = prepare(&self.house, id, wanted)?;
        // The old analysis ends before the new one begins, which goes on in its slot.
        self.stop(wanted.job);
        self.admit_job()?;
        self.house.metrics.analyses.add(1);
        let (stop, stopped) = watch::channel(false);
        let ticket = request.begin(&self.house, self.near);
        let search = ticket.as_ref().map(Ticket::stopper);
        let house = Arc::clone(&self.house);
        let task = tokio::spawn(analyse(house, request, ticket, self.outlet.clone(), stopped));
        self.analyses.insert(wanted.job, Analysis { search, _stop: stop, task });
        Ok(())
    }

    fn stop(&mut self, job: u32) {
        let slot = self.analyses.remove(&job).and_then(|analysis| analysis.search?.stop());
        self.near = slot.or(self.near);
    }

    fn report(&mut self, request: ReportRequest) -> Result<(), Refused> {
        let document = request.document().clone();
        self.reports.remove(&document);
        self.admit_job()?;
        let task = tokio::spawn(make_report(Arc::clone(&self.house), request, self.outlet.clone()));
        self.reports.insert(document, Task(task));
        Ok(())
    }

    /// Runs something beside the other requests and answers when it is done.
    fn errand(
        &mut self,
        id: u32,
        work: impl Future<Output = Result<Answer, Refused>> + Send + 'static,
    ) -> Result<(), Refused> {
        self.admit_job()?;
        let (house, outlet) = (Arc::clone(&self.house), self.outlet.clone());
        self.errands.push(Task(tokio::spawn(async move {
            let message = match work.await {
                Ok(answer) => ServerMessage::Done { id, answer: Some(answer) },
                Err(refused) => refusal(&house, id, refused),
            };
            let _ = outlet.send(Arc::new(message)).await;
        })));
        Ok(())
    }

    /// The same for work that keeps a core busy.
    fn heavy(
        &mut self,
        id: u32,
        work: impl FnOnce(&House) -> Result<Answer, Refused> + Send + 'static,
    ) -> Result<(), Refused> {
        let house = Arc::clone(&self.house);
        self.errand(id, async move {
            let _permit = house.heavy.acquire().await;
            let busy = Arc::clone(&house);
            let failed = |_| Err(Refused::new(Refusal::Unavailable, "the server failed; please report this"));
            tokio::task::spawn_blocking(move || work(&busy)).await.unwrap_or_else(failed)
        })
    }

    /// Makes sure that one more job is not too many.
    fn admit_job(&mut self) -> Result<(), Refused> {
        self.errands.retain(|task| !task.0.is_finished());
        self.reports.retain(|_, task| !task.0.is_finished());
        self.analyses.retain(|_, analysis| !analysis.task.is_finished());
        let most = self.house.limits.jobs;
        if self.errands.len() + self.reports.len() + self.analyses.len() >= most {
            return Err(Refused::new(
                Refusal::TooMany,
                format!("a page has at most {most} searches at a time"),
            ));
        }
        let (_, waiting) = self.house.slots.load();
        if waiting >= self.house.limits.waiting * self.house.slots.count() {
            return Err(Refused::new(Refusal::TooMany, "too many searches wait already; try again later"));
        }
        Ok(())
    }
}

/// Requests that involve the disk.
async fn work(house: Arc<House>, request: Request) -> Result<After, Refused> {
    Ok(match request {
        Request::NewGame(new) => After::Game(house.new_game(new).await?),
        Request::WatchGame { game } => After::Game(house.game(&game).await?),
        Request::Act { game, operation, action } => {
            let room = house.game(&game).await?;
            house.act(&room, operation, action).await?;
            After::Answer(None)
        }
        Request::NewStudy(new) => {
            let study = new_study(&house, &new).await?;
            After::Study(house.create_study(&new.study, study).await?)
        }
        Request::OpenStudy { study } => After::Study(house.study(&study).await?),
        Request::Edit { study, operation, change } => {
            let room = house.study(&study).await?;
            After::Answer(Some(house.edit(&room, operation, change).await?))
        }
        Request::Delete { document } => {
            match document.kind {
                DocumentKind::Game => house.delete_game(&house.game(&document.id).await?).await?,
                DocumentKind::Study => house.delete_study(&house.study(&document.id).await?).await?,
            }
            After::Answer(None)
        }
        Request::Report { document } => After::Report(prepare_report(&house, document).await?),
        // The others were served at once.
        _ => After::Answer(None),
    })
}

fn refusal(house: &House, id: u32, refused: Refused) -> ServerMessage {
    house.metrics.refusals.add(1);
    ServerMessage::Refused { id, why: refused.why, reason: refused.reason }
}
