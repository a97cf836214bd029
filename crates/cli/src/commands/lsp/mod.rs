//! `impasse lsp`: diagnostics, names and checks for editors over the Language Server Protocol. The server itself only keeps
//! texts and answers from what it knows; workers read the models and check them.

mod checks;
mod document;
mod names;
mod text;
mod uri;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::exit::{Done, Exit, Failure};
use crate::files::Files;
use crate::rpc::{Framing, Incoming, Peer, code, listen};
use crate::worker::{self, Outcome, Outline, Request, Stop, Task};
use checks::Checks;
use document::Document;

/// The command of code lenses.
const CHECK: &str = "impasse.check";
/// Whoever types is not disturbed before a pause.
const PAUSE: Duration = Duration::from_millis(200);
/// So long a worker may look at a text.
const PATIENCE: Duration = Duration::from_secs(30);
/// So many workers look at texts at once.
const MAX_LOOKING: usize = 2;
/// Larger texts of other documents are read from their files.
const MAX_BESIDE: usize = 1 << 20;

enum Event {
    Heard(Option<Incoming>),
    /// What a worker saw in a version of a document.
    Seen(String, Value, Outcome),
    /// How far a check is, by its number.
    Progress(u64, String),
    /// What became of a check.
    Checked(u64, Outcome),
}

/// Serves until the client says `exit`, or goes away.
pub(crate) fn run() -> Done {
    let (sender, events) = channel();
    let heard = sender.clone();
    listen(Framing::Headers, move |next| heard.send(Event::Heard(next)).is_ok());
    let peer = Peer(Framing::Headers);
    let checks = Checks::new(peer, sender.clone());
    let mut server =
        Server { peer, sender, documents: BTreeMap::new(), checks, can: Can::default(), stage: Stage::Strange };
    server.serve(&events);
    server.checks.end();
    server.documents.values().filter_map(|d| d.looking.as_ref()).for_each(Stop::set);
    match server.stage {
        Stage::Ending => Ok(Exit::Holds),
        _ => Err(Failure::usage("the client left without `shutdown`")),
    }
}

/// What the client can do.
#[derive(Clone, Copy, Debug, Default)]
struct Can {
    notes: bool,
    refresh: bool,
    progress: bool,
}

/// How far the conversation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Strange,
    Met,
    Ending,
}

struct Server {
    peer: Peer,
    sender: Sender<Event>,
    documents: BTreeMap<String, Document>,
    checks: Checks,
    can: Can,
    stage: Stage,
}

impl Server {
    fn serve(&mut self, events: &Receiver<Event>) {
        loop {
            let next = match self.look() {
                Some(due) => events.recv_timeout(due.saturating_duration_since(Instant::now())),
                None => events.recv().map_err(RecvTimeoutError::from),
            };
            match next {
                Ok(Event::Heard(Some(Incoming::Notification { method, .. }))) if method == "exit" => return,
                Ok(Event::Heard(Some(message))) => self.hear(message),
                Ok(Event::Seen(uri, version, outcome)) => self.seen(&uri, &version, outcome),
                Ok(Event::Progress(number, line)) => self.checks.progress(number, &line),
                Ok(Event::Checked(number, outcome)) => self.checked(number, outcome),
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Event::Heard(None)) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn hear(&mut self, message: Incoming) {
        match message {
            Incoming::Request { id, method, params } => match (self.stage, &*method) {
                (Stage::Strange, "initialize") => self.initialize(&id, &params),
                (Stage::Strange, _) => self.peer.refuse(&id, code::NOT_INITIALIZED, "`initialize` comes first"),
                (Stage::Ending, _) => self.peer.refuse(&id, code::INVALID, "the conversation is over"),
                (Stage::Met, _) => self.request(&id, &method, &params),
            },
            Incoming::Notification { method, params } if self.stage == Stage::Met => {
                self.notification(&method, &params)
            }
            Incoming::Notification { .. } | Incoming::Reply => {}
            Incoming::Malformed { id, code, why } => self.peer.refuse(&id, code, &why),
        }
    }

    fn initialize(&mut self, id: &Value, params: &Value) {
        self.stage = Stage::Met;
        let can = |path: &str| params["capabilities"].pointer(path) == Some(&json!(true));
        self.can = Can {
            notes: can("/textDocument/publishDiagnostics/relatedInformation"),
            refresh: can("/workspace/codeLens/refreshSupport"),
            progress: can("/window/workDoneProgress"),
        };
        self.checks.prefer(&params["initializationOptions"]);
        let tool = driver::ToolInfo::default();
        let capabilities = json!({
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": 1 },
            "hoverProvider": true,
            "definitionProvider": true,
            "documentSymbolProvider": true,
            "codeLensProvider": { "resolveProvider": false },
            "executeCommandProvider": { "commands": [CHECK], "workDoneProgress": true },
        });
        let server = json!({ "name": tool.name, "version": tool.version });
        self.peer.reply(id, &json!({ "capabilities": capabilities, "serverInfo": server }));
    }

    fn request(&mut self, id: &Value, method: &str, params: &Value) {
        let document = params.pointer("/textDocument/uri").and_then(Value::as_str).and_then(|u| self.documents.get(u));
        let position = &params["position"];
        let answer = match method {
            "shutdown" => {
                self.stage = Stage::Ending;
                Value::Null
            }
            "textDocument/hover" => document.and_then(|d| d.hover(position)).unwrap_or_default(),
            "textDocument/definition" => document.and_then(|d| d.definition(position)).unwrap_or_default(),
            "textDocument/documentSymbol" => document.map(Document::symbols).unwrap_or_default(),
            "textDocument/codeLens" => document.map(Document::lenses).unwrap_or_default(),
            "workspace/executeCommand" => return self.execute(id, params),
            _ => return self.peer.refuse(id, code::NO_METHOD, &format!("there is no method `{method}`")),
        };
        self.peer.reply(id, &answer);
    }

    fn notification(&mut self, method: &str, params: &Value) {
        let document = &params["textDocument"];
        let uri = document["uri"].as_str().unwrap_or_default().to_owned();
        match method {
            "textDocument/didOpen" => {
                let text = document["text"].as_str().unwrap_or_default().to_owned();
                let language = document["languageId"].as_str().unwrap_or_default();
                let opened = Document::new(&uri, language, document["version"].clone(), text);
                self.documents.insert(uri.clone(), opened);
                self.look_around(&uri);
            }
            "textDocument/didChange" => {
                // Changes are whole texts: the last one counts.
                let text = params["contentChanges"].as_array().and_then(|all| all.last()?["text"].as_str());
                if let (Some(open), Some(text)) = (self.documents.get_mut(&uri), text) {
                    open.change(document["version"].clone(), text.to_owned(), Instant::now() + PAUSE);
                    self.look_around(&uri);
                }
            }
            "textDocument/didClose" => {
                if let Some(closed) = self.documents.remove(&uri) {
                    closed.looking.iter().for_each(Stop::set);
                    self.checks.close(&uri);
                    let none = json!({ "uri": uri, "diagnostics": [] });
                    self.peer.notify("textDocument/publishDiagnostics", &none);
                }
            }
            "$/cancelRequest" => self.checks.cancel(|check| check.id == params["id"]),
            "window/workDoneProgress/cancel" => {
                self.checks.cancel(|check| check.token.as_ref() == Some(&params["token"]))
            }
            _ => {}
        }
    }

    /// Has the documents looked at again that may include one.
    fn look_around(&mut self, uri: &str) {
        let name = self.documents.get(uri).and_then(|d| d.file.file_name()).map(|n| n.to_string_lossy().into_owned());
        let Some(name) = name else { return };
        for other in self.documents.values_mut().filter(|d| d.uri != uri && d.text.text.contains(&name)) {
            other.look_again(Instant::now() + PAUSE);
        }
    }

    /// Lets workers look at documents that are due; says when the next one is.
    fn look(&mut self) -> Option<Instant> {
        let now = Instant::now();
        let looking = self.documents.values().filter(|d| d.looking.is_some()).count();
        let due = self.documents.values().filter(|d| d.due.is_some_and(|due| due <= now));
        let chosen: Vec<String> = due.map(|d| d.uri.clone()).take(MAX_LOOKING.saturating_sub(looking)).collect();
        for uri in &chosen {
            let files = self.files(uri);
            let Some(document) = self.documents.get_mut(uri) else { continue };
            let request = Request { task: Task::Outline, words: words("info", &[], &document.path), files };
            let stop = Stop::default();
            document.due = None;
            document.looking = Some(stop.clone());
            let (uri, version, sender) = (uri.clone(), document.version.clone(), self.sender.clone());
            thread::spawn(move || {
                let outcome = worker::start(&request, PATIENCE, &stop, &|_| ());
                let _ = sender.send(Event::Seen(uri, version, outcome));
            });
        }
        // If all workers are busy, one of them will be heard of.
        self.documents.values().filter_map(|d| d.due).filter(|due| *due > now).min()
    }

    /// The texts as the editor has them: that of a document, and those that it may include.
    fn files(&self, uri: &str) -> Files {
        let needed = |d: &&Document| d.uri == uri || d.text.text.len() <= MAX_BESIDE;
        let named = |d: &Document| {
            // Others include a document by the name of its file.
            let other = (d.file != d.path).then(|| (d.file.clone(), d.text.text.clone()));
            std::iter::once((d.path.clone(), d.text.text.clone())).chain(other)
        };
        Files { folders: None, texts: self.documents.values().filter(needed).flat_map(named).collect() }
    }

    fn seen(&mut self, uri: &str, version: &Value, outcome: Outcome) {
        let Some(document) = self.documents.get_mut(uri).filter(|d| d.version == *version) else { return };
        let seen = match outcome {
            Outcome::Answer(outline) => {
                serde_json::from_value::<Outline>(outline).map_err(|e| format!("internal error: {e}"))
            }
            Outcome::Late => Err(format!("the text could not be read within {} s", PATIENCE.as_secs())),
            Outcome::Refusal(why) => Err(why["message"].as_str().unwrap_or("internal error").to_owned()),
            Outcome::Broken(why) => Err(why),
            // Another one may look already.
            Outcome::Stopped => return,
        };
        document.looking = None;
        match seen {
            Ok(outline) => document.seen(outline),
            Err(why) => document.unseen(&why),
        }
        self.publish(uri);
        if self.can.refresh {
            self.peer.request("impasse-lenses", "workspace/codeLens/refresh", &Value::Null);
        }
    }

    fn publish(&self, uri: &str) {
        if let Some(document) = self.documents.get(uri) {
            self.peer.notify("textDocument/publishDiagnostics", &document.diagnostics(self.can.notes));
        }
    }

    fn execute(&mut self, id: &Value, params: &Value) {
        if params["command"] != CHECK {
            return self.peer.refuse(id, code::PARAMS, &format!("there is no command `{}`", params["command"]));
        }
        let asked = &params["arguments"][0];
        let Some(uri) = asked["uri"].as_str() else {
            return self.peer.refuse(id, code::PARAMS, "the argument of the command is an object with a `uri`");
        };
        let path = self.documents.get(uri).map_or_else(|| uri::file(uri), |d| d.path.clone());
        let files = self.files(uri);
        let version = self.documents.get(uri).map_or(Value::Null, |d| d.version.clone());
        let token = params.get("workDoneToken").filter(|t| !t.is_null());
        self.checks.start(checks::Wish { id, uri, version, asked, path: &path, files, token }, self.can.progress);
    }

    fn checked(&mut self, number: u64, outcome: Outcome) {
        let Some(check) = self.checks.finish(number) else { return };
        let (message, severity, reply) = match outcome {
            Outcome::Answer(answer) => {
                let document = self.documents.get_mut(&check.uri).filter(|d| d.version == check.version);
                let (message, severity) = match document {
                    Some(document) => document.answer(&answer["report"]),
                    // The text has changed meanwhile: the answer is told, but there is no place for it.
                    None => (answer["outcome"].as_str().unwrap_or_default().to_owned(), 3),
                };
                self.publish(&check.uri);
                (message, severity, Ok(answer))
            }
            Outcome::Stopped => ("cancelled".to_owned(), 3, Err(code::CANCELLED)),
            Outcome::Late => {
                let why = format!("unknown: no answer within {} s", check.time.as_secs());
                (why.clone(), 2, Ok(json!({ "outcome": why })))
            }
            Outcome::Refusal(why) => {
                (why["message"].as_str().unwrap_or_default().to_owned(), 1, Ok(json!({ "error": why })))
            }
            Outcome::Broken(why) => (why, 1, Err(code::INTERNAL)),
        };
        self.checks.told(&check, &message);
        if !matches!(reply, Err(code::CANCELLED)) {
            self.peer.notify("window/showMessage", &json!({ "type": severity, "message": message }));
        }
        match reply {
            Ok(answer) => self.peer.reply(&check.id, &answer),
            Err(code) => self.peer.refuse(&check.id, code, &message),
        }
    }
}

/// A command, its options and the model, as words of a command line.
fn words(command: &str, options: &[String], path: &Path) -> Vec<String> {
    let path = path.to_string_lossy().into_owned();
    std::iter::once(command.to_owned()).chain(options.iter().cloned()).chain(["--".to_owned(), path]).collect()
}
