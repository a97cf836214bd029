//! `impasse mcp`: tools for agents over the Model Context Protocol. Every call has a time limit and is done by a worker, so
//! that the server always answers.

mod reply;
mod tools;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::args::McpArgs;
use crate::budget;
use crate::exit::{Done, Exit, Failure};
use crate::rpc::{Framing, Incoming, Peer, code, listen};
use crate::worker::{self, Outcome, Stop, Task};
use tools::{Call, Found, Terms};

/// The versions of the protocol that are spoken, the newest first.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// So many calls are worked on at once.
const MAX_CALLS: usize = 4;
/// After its time a search may still say what it has found.
const GRACE: Duration = Duration::from_secs(5);

const INSTRUCTIONS: &str = "Decides exactly whether concurrent systems can deadlock or violate a property. Write a model (native \
language, Promela, PNML, CSP, BIP, ...), call `info` to see that it is understood, `check` to decide, `explain` or `simulate` to \
understand a run. `unknown` is no proof of anything: raise timeout_seconds or make the model smaller.";

enum Event {
    Heard(Option<Incoming>),
    Done(Value, Box<Call>, Outcome),
}

/// Serves until standard input ends.
pub(crate) fn run(args: &McpArgs) -> Done {
    let real = |path: &Path| {
        let problem = |e: std::io::Error| Failure::input(format!("cannot use {}: {e}", path.display()));
        path.canonicalize().map_err(problem)
    };
    let folders = std::iter::once(PathBuf::from(".")).chain(args.allow.iter().cloned());
    let folders = folders.map(|folder| real(&folder)).collect::<Result<Vec<_>, _>>()?;
    let (sender, events) = channel();
    let heard = sender.clone();
    listen(Framing::Lines, move |next| heard.send(Event::Heard(next)).is_ok());
    // All that are worked on at once must fit.
    let memory = budget::most_of_the_memory().map(|bytes| bytes / MAX_CALLS as u64);
    let terms = Terms { folders, longest: args.max_timeout, memory };
    let mut server =
        Server { peer: Peer(Framing::Lines), terms, sender, calls: HashMap::new(), last: None, met: false };
    for event in events {
        match event {
            Event::Heard(Some(message)) => server.hear(message),
            Event::Done(id, call, outcome) => server.done(&id, *call, outcome),
            Event::Heard(None) => break,
        }
    }
    server.end();
    Ok(Exit::Holds)
}

struct Server {
    peer: Peer,
    terms: Terms,
    sender: Sender<Event>,
    /// The calls that are worked on, by the text of their ids.
    calls: HashMap<String, (Stop, thread::JoinHandle<()>)>,
    last: Option<Found>,
    /// Whether the client has said who it is.
    met: bool,
}

impl Server {
    fn hear(&mut self, message: Incoming) {
        match message {
            Incoming::Request { id, method, params } => self.request(id, &method, &params),
            Incoming::Notification { method, params } if method == "notifications/cancelled" => {
                // The client does not want an answer any more, so there is none.
                if let Some((stop, _)) = self.calls.remove(&params["requestId"].to_string()) {
                    stop.set();
                }
            }
            Incoming::Notification { .. } | Incoming::Reply => {}
            Incoming::Malformed { id, code, why } => self.peer.refuse(&id, code, &why),
        }
    }

    fn request(&mut self, id: Value, method: &str, params: &Value) {
        match method {
            "ping" => self.peer.reply(&id, &json!({})),
            "initialize" => {
                self.met = true;
                self.peer.reply(&id, &introduction(params));
            }
            _ if !self.met => self.peer.refuse(&id, code::INVALID, "`initialize` comes first"),
            "tools/list" => self.peer.reply(&id, &json!({ "tools": tools::list(&self.terms) })),
            "tools/call" => self.call(id, params),
            _ => self.peer.refuse(&id, code::NO_METHOD, &format!("there is no method `{method}`")),
        }
    }

    fn call(&mut self, id: Value, params: &Value) {
        let (Some(name), nothing) = (params["name"].as_str(), json!({})) else {
            return self.peer.refuse(&id, code::PARAMS, "a call has the `name` of a tool");
        };
        let arguments = params.get("arguments").filter(|a| !a.is_null()).unwrap_or(&nothing);
        let Some(arguments) = arguments.as_object() else {
            return self.peer.refuse(&id, code::PARAMS, "`arguments` is an object");
        };
        match tools::call(&self.terms, name, arguments, self.last.as_ref()) {
            None => self.peer.refuse(&id, code::PARAMS, &format!("there is no tool `{name}`")),
            Some(Err(why)) => self.peer.reply(&id, &reply::wrong(name, &why)),
            Some(Ok(_)) if self.calls.len() >= MAX_CALLS => {
                let why = format!("{MAX_CALLS} calls are worked on: wait for one, or cancel it");
                self.peer.refuse(&id, code::BUSY, &why);
            }
            Some(Ok(_)) if self.calls.contains_key(&id.to_string()) => {
                self.peer.refuse(&id, code::INVALID, "a call with this id is worked on");
            }
            Some(Ok(call)) => self.work(id, call),
        }
    }

    /// Lets a worker do it.
    fn work(&mut self, id: Value, call: Call) {
        let (stop, sender) = (Stop::default(), self.sender.clone());
        let (key, own) = (id.to_string(), stop.clone());
        let grace = if matches!(call.request.task, Task::Check) { GRACE } else { Duration::ZERO };
        let thread = thread::spawn(move || {
            let outcome = worker::start(&call.request, call.time + grace, &own, &|_| ());
            // The server may have ended.
            let _ = sender.send(Event::Done(id, Box::new(call), outcome));
        });
        self.calls.insert(key, (stop, thread));
    }

    fn done(&mut self, id: &Value, call: Call, outcome: Outcome) {
        // Of a call that was cancelled nobody wants to hear, even if it was just done; its id may be in use again.
        if matches!(outcome, Outcome::Stopped) || self.calls.remove(&id.to_string()).is_none() {
            return;
        }
        if let (Task::Check, Outcome::Answer(answer)) = (&call.request.task, &outcome) {
            self.remember(&call, answer);
        }
        self.peer.reply(id, &reply::of(call.tool, outcome));
    }

    /// Keeps the first run, so that it can be explained.
    fn remember(&mut self, call: &Call, answer: &Value) {
        let traces = answer["report"]["results"].as_array().into_iter().flatten().map(|r| &r["trace"]);
        let first = traces.filter(|t| !t.is_null()).find_map(|t| serde_json::from_value(t.clone()).ok());
        if let Some(trace) = first {
            // What was asked is in the trace, the rest is about the model.
            let is_model = |word: &&String| {
                word.starts_with("--set=") || word.starts_with("--process=") || *word == "--" || !word.starts_with("--")
            };
            let words = call.request.words.iter().skip(1).filter(is_model).cloned().collect();
            self.last = Some(Found { trace, words, files: call.request.files.clone() });
        }
    }

    /// Ends all workers.
    fn end(self) {
        for (stop, _) in self.calls.values() {
            stop.set();
        }
        for (_, thread) in self.calls.into_values() {
            let _ = thread.join();
        }
    }
}

fn introduction(params: &Value) -> Value {
    let asked = params["protocolVersion"].as_str().unwrap_or_default();
    let version = VERSIONS.into_iter().find(|v| *v == asked).unwrap_or(VERSIONS[0]);
    let tool = driver::ToolInfo::default();
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": { "listChanged": false } },
        "serverInfo": { "name": tool.name, "title": "Impasse", "version": tool.version },
        "instructions": INSTRUCTIONS,
    })
}
