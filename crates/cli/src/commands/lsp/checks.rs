//! The checks that are running for an editor.

use std::path::Path;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Event, words};
use crate::files::Files;
use crate::rpc::Peer;
use crate::worker::{self, Request, Stop, Task};

/// The time of a check, unless the editor says another.
const TIME: Duration = Duration::from_secs(60);
/// The longest time of a check.
const LONGEST: Duration = Duration::from_secs(24 * 3600);
/// After its time a search may still say what it has found.
const GRACE: Duration = Duration::from_secs(5);

/// A check that is wanted.
pub(super) struct Wish<'a> {
    pub(super) id: &'a Value,
    pub(super) uri: &'a str,
    pub(super) version: Value,
    pub(super) asked: &'a Value,
    pub(super) path: &'a Path,
    pub(super) files: Files,
    /// Where the client wants to hear how far it is.
    pub(super) token: Option<&'a Value>,
}

/// A check that is running.
#[derive(Debug)]
pub(super) struct Check {
    number: u64,
    /// Of the request.
    pub(super) id: Value,
    pub(super) uri: String,
    /// Of the document.
    pub(super) version: Value,
    pub(super) time: Duration,
    /// Where the client hears how far it is.
    pub(super) token: Option<Value>,
    asked: Value,
    stop: Stop,
    thread: Option<thread::JoinHandle<()>>,
}

/// All of them.
pub(super) struct Checks {
    peer: Peer,
    sender: Sender<Event>,
    running: Vec<Check>,
    next: u64,
    time: Duration,
}

impl Checks {
    pub(super) fn new(peer: Peer, sender: Sender<Event>) -> Self {
        Self { peer, sender, running: Vec::new(), next: 1, time: TIME }
    }

    /// Takes over what the user has set in the editor.
    pub(super) fn prefer(&mut self, options: &Value) {
        self.time = seconds(&options["checkTimeoutSeconds"]).unwrap_or(TIME);
    }

    /// Begins a check. The same question, if it is still worked on, is given up.
    pub(super) fn start(&mut self, wish: Wish<'_>, can_show: bool) {
        let Wish { id, uri, version, asked, path, files, token } = wish;
        self.cancel(|check| check.uri == uri && check.asked == *asked);
        let (number, time) = (self.next, seconds(&asked["timeoutSeconds"]).unwrap_or(self.time));
        self.next += 1;
        let property = asked["property"].as_str();
        let mut options = vec![format!("--timeout={}ms", time.as_millis()), "--progress=always".to_owned()];
        options.extend(property.map(|name| format!("--property={name}")));
        options.extend((asked["deadlock"] == true).then(|| "--deadlock".to_owned()));
        let request = Request { task: Task::Check, words: words("check", &options, path), files };
        let (stop, sender) = (Stop::default(), self.sender.clone());
        let own = stop.clone();
        let thread = thread::spawn(move || {
            let progress = |line: &str| drop(sender.send(Event::Progress(number, line.to_owned())));
            let outcome = worker::start(&request, time + GRACE, &own, &progress);
            let _ = sender.send(Event::Checked(number, outcome));
        });
        let token = token.cloned().or_else(|| can_show.then(|| self.token(number)));
        let title = format!("Checking {}", property.unwrap_or("the model"));
        let begun = json!({ "kind": "begin", "title": title, "cancellable": true });
        let (id, uri, asked, thread) = (id.clone(), uri.to_owned(), asked.clone(), Some(thread));
        let check = Check { number, id, uri, version, time, token, asked, stop, thread };
        self.show(&check, &begun);
        self.running.push(check);
    }

    /// A place of our own to show progress.
    fn token(&self, number: u64) -> Value {
        let token = format!("impasse-check-{number}");
        self.peer.request(&token, "window/workDoneProgress/create", &json!({ "token": token }));
        json!(token)
    }

    fn show(&self, check: &Check, value: &Value) {
        if let Some(token) = &check.token {
            self.peer.notify("$/progress", &json!({ "token": token, "value": value }));
        }
    }

    /// Says how far a check is.
    pub(super) fn progress(&self, number: u64, line: &str) {
        if let Some(check) = self.running.iter().find(|c| c.number == number) {
            self.show(check, &json!({ "kind": "report", "message": line }));
        }
    }

    /// Says how a check ended.
    pub(super) fn told(&self, check: &Check, message: &str) {
        self.show(check, &json!({ "kind": "end", "message": message }));
    }

    /// A check that has ended.
    pub(super) fn finish(&mut self, number: u64) -> Option<Check> {
        let position = self.running.iter().position(|c| c.number == number)?;
        Some(self.running.swap_remove(position))
    }

    /// Gives up some; that they ended is heard later.
    pub(super) fn cancel(&self, which: impl Fn(&Check) -> bool) {
        self.running.iter().filter(|c| which(c)).for_each(|c| c.stop.set());
    }

    /// Gives up those of a document.
    pub(super) fn close(&self, uri: &str) {
        self.cancel(|check| check.uri == uri);
    }

    /// Gives up all, and waits until they have ended.
    pub(super) fn end(&mut self) {
        self.cancel(|_| true);
        for thread in self.running.drain(..).filter_map(|c| c.thread) {
            let _ = thread.join();
        }
    }
}

fn seconds(value: &Value) -> Option<Duration> {
    let seconds = value.as_f64().filter(|s| *s > 0.0)?;
    Some(Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST).min(LONGEST))
}
