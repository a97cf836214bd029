//! `impasse serve`: a model on a page of this machine. The page asks, workers answer: whatever a model does, the server can be
//! asked something else, and what nobody waits for any more is ended.

mod call;
mod gallery;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use frontend::{MAX_NET_TEXT, MAX_TEXT};
use serde_json::{Value, json};
use web::{Limits, Link, Refusal, Server, Service};

use crate::args::ServeArgs;
use crate::exit::{Done, Failure};
use crate::worker::{self, Outcome, Stop};
use crate::{input, output};
use call::{Call, Sort};

/// A longer text is not for an editor in a page.
const EDITED: usize = 2 << 20;
/// So many checks run at once, and so many workers besides that only look.
const CHECKS: usize = 2;
const LOOKS: usize = 6;

/// Serves until somebody ends it.
pub(crate) fn run(args: &ServeArgs) -> Done {
    let page = Page::new(args)?;
    let problem = |e: std::io::Error| Failure::input(format!("cannot serve at port {} of 127.0.0.1: {e}", args.port));
    let server = Server::bind(args.port, Limits::default()).map_err(problem)?;
    let url = server.address().url();
    output::emit(&format!("{url}\n"))?;
    output::complain("The page is at this address, for this machine only; Ctrl-C ends it.");
    if args.open {
        browse(&url);
    }
    server.run(&page)
}

/// Opens the page with whatever opens addresses here.
fn browse(url: &str) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    let started =
        command.args(before).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(e) = started {
        output::complain(&format!("note: no browser was opened: {program}: {e}"));
    }
}

/// What is served.
pub(crate) struct Page {
    /// The file as it is called on the command line.
    file: PathBuf,
    /// The options by which it is read, as words of a command line.
    words: Vec<String>,
    /// The text, if it came from standard input.
    given: Option<String>,
    /// The longest time of a check.
    longest: Duration,
    checks: AtomicUsize,
    looks: AtomicUsize,
}

impl Page {
    fn new(args: &ServeArgs) -> Result<Self, Failure> {
        let settings = args.model.settings()?;
        let set = settings.iter().map(|(name, value)| format!("--set={name}={value}"));
        let words = args.model.options().into_iter().chain(set).collect();
        let (file, given) = match args.model.file.as_path() {
            path if path == Path::new("-") => (PathBuf::from("stdin.imp"), Some(input::read(path)?.text)),
            path => (path.to_owned(), None),
        };
        if given.is_none() {
            // A file that is not there should be missed now, and not on the page.
            input::read_bytes(&file)?;
        }
        let (checks, looks) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Ok(Self { file, words, given, longest: args.max_timeout, checks, looks })
    }

    /// What the page has to know before anything else.
    fn introduction(&self) -> Value {
        let text = self.text();
        let tool = driver::ToolInfo::default();
        json!({
            "file": self.file.display().to_string(),
            "text": text,
            "words": self.words,
            "can_save": self.given.is_none() && text.is_some(),
            "gallery": gallery::list(),
            "engines": driver::ENGINES,
            "longest": self.longest.as_secs_f64(),
            "version": tool.version,
        })
    }

    /// The text, if it is one that can be edited.
    fn text(&self) -> Option<String> {
        if let Some(given) = &self.given {
            return Some(given.clone());
        }
        let bytes = input::read_bytes(&self.file).ok()?;
        String::from_utf8(bytes).ok().filter(|text| text.len() <= EDITED && !text.contains('\0'))
    }

    /// Writes the file, if it still is what the page began with.
    fn save(&self, arguments: &Value) -> Result<Value, Refusal> {
        let (Some(text), Some(before)) = (arguments["text"].as_str(), arguments["before"].as_str()) else {
            return Err(Refusal::new("a text to save, and the one before it, are strings"));
        };
        if self.given.is_some() || text.len() > MAX_TEXT.min(MAX_NET_TEXT) {
            return Err(Refusal::new("this text cannot be saved: it is in no file, or too long"));
        }
        if self.text().as_deref() != Some(before) {
            return Err(Refusal::new("the file has changed meanwhile; nothing was written"));
        }
        output::write_file(&self.file, text).map_err(|e| Refusal::new(e.summary))?;
        Ok(json!({}))
    }

    /// Lets a worker answer.
    fn work(&self, call: &Call, link: &Link) -> Result<Value, Refusal> {
        let (busy, most) = match call.sort {
            Sort::Check => (&self.checks, CHECKS),
            Sort::Look => (&self.looks, LOOKS),
        };
        let _turn = Turn::take(busy, most)
            .ok_or_else(|| Refusal::new(format!("{most} of these are worked on already: wait, or cancel one")))?;
        let progress = |line: &str| {
            if let Ok(value) = serde_json::from_str::<Value>(line) {
                link.tell(&json!({ "progress": value }));
            }
        };
        match worker::start(&call.request, call.time, &Stop::when(link.gone()), &progress) {
            Outcome::Answer(answer) => Ok(answer),
            Outcome::Refusal(why) => Err(Refusal(why)),
            Outcome::Late => {
                Err(Refusal::new(format!("this took longer than {} s and was ended", call.time.as_secs())))
            }
            Outcome::Stopped => Err(Refusal::new("this was cancelled")),
            Outcome::Broken(why) => Err(Refusal::new(why)),
        }
    }
}

impl Service for Page {
    fn answer(&self, name: &str, arguments: &Value, link: &Link) -> Result<Value, Refusal> {
        match name {
            "open" => Ok(self.introduction()),
            "save" => self.save(arguments),
            "gallery" => gallery::find(arguments["id"].as_str().unwrap_or_default())
                .map(|text| json!({ "text": text }))
                .ok_or_else(|| Refusal::new("there is no such model in the gallery")),
            _ => self.work(&call::read(self, name, arguments).map_err(Refusal::new)?, link),
        }
    }
}

/// One of a few that work at once.
struct Turn<'a>(&'a AtomicUsize);

impl<'a> Turn<'a> {
    fn take(busy: &'a AtomicUsize, most: usize) -> Option<Self> {
        let turn = Turn(busy);
        // Whoever is too many gives the turn back at once.
        (busy.fetch_add(1, Ordering::Relaxed) < most).then_some(turn)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_given_back() {
        let busy = AtomicUsize::new(0);
        let (one, two) = (Turn::take(&busy, 2), Turn::take(&busy, 2));
        assert!(one.is_some() && two.is_some() && Turn::take(&busy, 2).is_none());
        drop(one);
        assert!(Turn::take(&busy, 2).is_some());
        drop(two);
        assert_eq!(busy.into_inner(), 0);
    }
}
