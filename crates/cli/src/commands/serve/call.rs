//! What the page asks, as requests to workers.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::{Page, gallery};
use crate::budget;
use crate::files::Files;
use crate::worker::{Request, Task};

/// What only looks at a model may take so long.
const LOOK: Duration = Duration::from_secs(60);
/// After its time a search may still say what it has found.
const GRACE: Duration = Duration::from_secs(5);

/// A call that makes sense.
pub(super) struct Call {
    pub(super) request: Request,
    pub(super) time: Duration,
    pub(super) sort: Sort,
}

/// What sort of work a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// It searches until it has an answer.
    Check,
    /// It looks at what there is.
    Look,
}

/// Which model: one of the gallery, or the file that is served; and its text, if it was edited.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    gallery: Option<String>,
    text: Option<String>,
    /// Of a script that is about several processes, which one.
    process: Option<String>,
}

/// The arguments of all calls.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(default)]
    model: Which,
    #[serde(default)]
    run: Vec<u32>,
    #[serde(default)]
    filter: String,
    /// Of a prefix: only what a run does.
    #[serde(default)]
    only_run: bool,
    #[serde(default)]
    properties: Vec<String>,
    #[serde(default)]
    deadlock: bool,
    #[serde(default)]
    partial: bool,
    invariant: Option<String>,
    reachable: Option<String>,
    ltl: Option<String>,
    engine: Option<String>,
    #[serde(default)]
    certificates: bool,
    #[serde(default)]
    hints: bool,
    #[serde(default)]
    seconds: f64,
}

/// Makes a request of a call; says what is wrong with it.
pub(super) fn read(page: &Page, name: &str, arguments: &Value) -> Result<Call, String> {
    let arguments = Arguments::deserialize(arguments).map_err(|e| e.to_string())?;
    let (model, files) = model(page, &arguments.model)?;
    let look = |task| {
        let words = std::iter::once("info".to_owned()).chain(model.clone()).collect();
        Ok(Call { request: Request { task, words, files: files.clone() }, time: LOOK, sort: Sort::Look })
    };
    match name {
        "look" => look(Task::Look),
        "outline" => look(Task::Outline),
        "step" => look(Task::Step { run: arguments.run, filter: arguments.filter }),
        "space" => look(Task::Space(arguments.run)),
        "prefix" => look(Task::Prefix(arguments.only_run.then_some(arguments.run))),
        "check" => {
            let longest = page.longest.as_secs_f64();
            if !(arguments.seconds > 0.0 && arguments.seconds <= longest) {
                return Err(format!("the time must be more than 0 and at most {longest} s"));
            }
            let time = Duration::from_secs_f64(arguments.seconds);
            let words = questions(&arguments, time).into_iter().chain(model).collect();
            let task = Task::Judge { certificates: arguments.certificates };
            Ok(Call { request: Request { task, words, files }, time: time + GRACE, sort: Sort::Check })
        }
        _ => Err(format!("there is nothing called `{name}`")),
    }
}

/// The model as words of a command line, and what may be read.
fn model(page: &Page, which: &Which) -> Result<(Vec<String>, Files), String> {
    let named = |path: PathBuf| ["--".to_owned(), path.display().to_string()];
    if let Some(id) = &which.gallery {
        let text = gallery::find(id).ok_or("there is no such model in the gallery")?;
        let (path, text) = (PathBuf::from(gallery::file(id)), which.text.clone().unwrap_or_else(|| text.to_owned()));
        let files = Files { folders: Some(Vec::new()), texts: vec![(path.clone(), text)] };
        return Ok((named(path).to_vec(), files));
    }
    let process = which.process.iter().map(|name| format!("--process={name}"));
    let words = page.words.iter().cloned().chain(process).chain(named(page.file.clone())).collect();
    let files = match which.text.clone().or_else(|| page.given.clone()) {
        // What was edited reads nothing but what is beside the file.
        Some(text) => {
            let folder = page.file.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.map_or_else(|| PathBuf::from("."), PathBuf::from).canonicalize();
            Files { folders: Some(folder.into_iter().collect()), texts: vec![(page.file.clone(), text)] }
        }
        None => Files::default(),
    };
    Ok((words, files))
}

/// The questions as words of a command line.
fn questions(arguments: &Arguments, time: Duration) -> Vec<String> {
    let option = |name: &str, value: &Option<String>| value.as_ref().map(|value| format!("--{name}={value}"));
    let mut words = vec!["check".to_owned(), "--progress=json".to_owned()];
    words.push(format!("--timeout={}ms", time.as_millis().max(1)));
    // All that run at once must fit.
    words.extend(budget::most_of_the_memory().map(|bytes| format!("--memory={}", bytes / super::CHECKS as u64)));
    words.extend(arguments.properties.iter().map(|name| format!("--property={name}")));
    let flags = [("--deadlock", arguments.deadlock), ("--partial", arguments.partial), ("--hint", arguments.hints)];
    words.extend(flags.into_iter().filter(|(_, given)| *given).map(|(flag, _)| flag.to_owned()));
    words.extend(option("invariant", &arguments.invariant));
    words.extend(option("reachable", &arguments.reachable));
    words.extend(option("ltl", &arguments.ltl));
    words.extend(option("engine", &arguments.engine));
    words
}
