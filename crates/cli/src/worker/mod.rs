//! One task of a server, in a process of its own: whatever happens to it, and however long it would take, the server lives
//! on and can end it at once. A worker reads one request, a line, from standard input and writes one reply to standard output.
//! It ends when its standard input does: whoever would read the reply is not there any more, however that came about.

mod job;
mod outline;
mod tasks;
mod view;

use std::io::{BufRead, ErrorKind, Read};
use std::thread;

use clap::Parser;
use evidence::TraceFile;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::args::Cli;
use crate::exit::{Done, Exit, Failure};
use crate::files::{self, Files};
use crate::output;
use crate::render::failure;
pub(crate) use job::{Outcome, Stop, run as start};
pub(crate) use outline::{Entry, Outline};

/// What a worker is asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    /// What to do.
    pub(crate) task: Task,
    /// The words of the command line that is nearest to it.
    pub(crate) words: Vec<String>,
    /// What it may read.
    pub(crate) files: Files,
}

/// What a worker does.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Task {
    /// As `impasse check`.
    Check,
    /// As `impasse simulate --replay`, with a run that is in no file.
    Explain(Box<TraceFile>),
    /// As `impasse simulate`, with all choices given, each by its number or its name.
    Simulate(Vec<Value>),
    /// As `impasse info`.
    Info,
    /// What an editor wants to know of a text.
    Outline,
    /// As `impasse check`, with everything that could be saved; with certificates, if they are wanted.
    Judge { certificates: bool },
    /// The parts of a model.
    Look,
    /// The state after a run, and what can happen there; of transitions only those with such a name.
    Step { run: Vec<u32>, filter: String },
    /// The states around the one after a run.
    Space(Vec<u32>),
    /// The prefix of the unfolding, or the process of a run.
    Prefix(Option<Vec<u32>>),
}

/// Does what standard input asks for.
pub(crate) fn run() -> Done {
    let mut text = String::new();
    std::io::stdin().lock().read_line(&mut text).map_err(|e| Failure::input(format!("standard input: {e}")))?;
    // A request without an end of its line came from a file.
    if text.ends_with('\n') {
        thread::spawn(end_with_server);
    }
    let request: Request =
        serde_json::from_str(&text).map_err(|e| Failure::usage(format!("standard input is no request: {e}")))?;
    let reply = match answer(request) {
        Ok(value) => json!({ "ok": value }),
        Err(why) => json!({ "error": failure::error(&why) }),
    };
    output::emit(&reply.to_string())?;
    Ok(Exit::Holds)
}

/// Waits for the end of standard input.
fn end_with_server() {
    let mut stdin = std::io::stdin().lock();
    loop {
        match stdin.read(&mut [0; 64]) {
            Ok(1..) => {}
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => std::process::exit(Exit::Unknown as i32),
        }
    }
}

fn answer(Request { task, words, files }: Request) -> Result<Value, Failure> {
    files::set(files);
    let line = std::iter::once("impasse".to_owned()).chain(words);
    let parsed = Cli::try_parse_from(line).map_err(|e| Failure::usage(plain(&e)))?;
    tasks::perform(task, parsed.command)
}

/// What is wrong with arguments, without what is of use to people at a terminal only.
fn plain(e: &clap::Error) -> String {
    let text = e.render().to_string();
    let lines =
        text.lines().take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"));
    let text = lines.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ");
    text.strip_prefix("error: ").unwrap_or(&text).to_owned()
}
