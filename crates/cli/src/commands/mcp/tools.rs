//! The tools: what they are called and take, and how a call becomes a request to a worker.

use std::path::{Path, PathBuf};
use std::time::Duration;

use evidence::TraceFile;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::files::{Files, OUTSIDE, is_within};
use crate::worker::{Request, Task};

/// What a client may ask for.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    /// The folders whose files may be read, as they really are.
    pub(super) folders: Vec<PathBuf>,
    /// The longest time of a call.
    pub(super) longest: Duration,
    /// The memory of a call, if it is known how much there is.
    pub(super) memory: Option<u64>,
}

/// A call that makes sense.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) tool: &'static str,
    pub(super) request: Request,
    pub(super) time: Duration,
}

/// A run that `check` found, with what it is a run of.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) trace: TraceFile,
    pub(super) words: Vec<String>,
    pub(super) files: Files,
}

/// The arguments of all tools; which of them a tool has is said by its schema.
#[derive(Debug, Deserialize)]
struct Arguments {
    path: Option<PathBuf>,
    text: Option<String>,
    language: Option<String>,
    #[serde(default)]
    parameters: std::collections::BTreeMap<String, i64>,
    process: Option<String>,
    timeout_seconds: f64,
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
    trace: Option<TraceFile>,
    #[serde(default)]
    steps: Vec<Value>,
}

/// More steps than this are not taken one by one.
const MAX_STEPS: usize = 100_000;

/// The list of tools, with schemas.
pub(super) fn list(terms: &Terms) -> Vec<Value> {
    let parse = |text| serde_json::from_str::<Value>(text).expect("what is built in is JSON");
    let shared = parse(include_str!("shared.json"));
    let mut tools = parse(include_str!("tools.json"));
    for tool in tools.as_array_mut().into_iter().flatten() {
        let properties = tool.pointer_mut("/inputSchema/properties").and_then(Value::as_object_mut);
        let properties = properties.expect("a tool has arguments");
        properties.extend(shared["input"].as_object().into_iter().flatten().map(|(k, v)| (k.clone(), v.clone())));
        properties["timeout_seconds"]["maximum"] = terms.longest.as_secs_f64().into();
        tool["outputSchema"]["$defs"] = serde_json::json!({ "error": shared["error"] });
    }
    tools.as_array().cloned().unwrap_or_default()
}

/// Makes a request of a call; says what is wrong with the arguments. Nothing if there is no such tool.
pub(super) fn call(
    terms: &Terms,
    name: &str,
    arguments: &Map<String, Value>,
    last: Option<&Found>,
) -> Option<Result<Call, String>> {
    let tool = ["check", "explain", "simulate", "info"].into_iter().find(|tool| *tool == name)?;
    Some(known(terms, name, arguments).and_then(|()| made(terms, tool, arguments, last)))
}

/// Refuses arguments that the tool does not have, and misses those that it must have.
fn known(terms: &Terms, name: &str, arguments: &Map<String, Value>) -> Result<(), String> {
    let tools = list(terms);
    let schema = &tools.iter().find(|tool| tool["name"] == name).expect("there is this tool")["inputSchema"];
    let known: Vec<&str> = schema["properties"].as_object().into_iter().flatten().map(|(k, _)| k.as_str()).collect();
    if let Some(other) = arguments.keys().find(|k| !known.contains(&k.as_str())) {
        return Err(format!("`{name}` has no argument `{other}`; it has: {}", known.join(", ")));
    }
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    match required.into_iter().find(|k| !arguments.contains_key(*k)) {
        Some(missing) => Err(format!("`{missing}` is required")),
        None => Ok(()),
    }
}

fn made(
    terms: &Terms,
    tool: &'static str,
    arguments: &Map<String, Value>,
    last: Option<&Found>,
) -> Result<Call, String> {
    let arguments: Arguments = serde_json::from_value(Value::Object(arguments.clone())).map_err(|e| e.to_string())?;
    let longest = terms.longest.as_secs_f64();
    if !(arguments.timeout_seconds > 0.0 && arguments.timeout_seconds <= longest) {
        return Err(format!("`timeout_seconds` must be more than 0 and at most {longest}"));
    }
    let time = Duration::from_secs_f64(arguments.timeout_seconds);
    let made = |command: &str, task, (words, files): (Vec<String>, Files)| {
        let words = std::iter::once(command.to_owned()).chain(words).collect();
        Ok(Call { tool, request: Request { task, words, files }, time })
    };
    let named = arguments.path.is_some() || arguments.text.is_some();
    match tool {
        "check" => {
            let (model, files) = model(terms, &arguments)?;
            let memory = terms.memory.map(|bytes| format!("--memory={bytes}"));
            let words = questions(&arguments, time).into_iter().chain(memory).chain(model).collect();
            made("check", Task::Check, (words, files))
        }
        "explain" => match (arguments.trace.clone(), last) {
            (Some(trace), _) if named => made("simulate", Task::Explain(Box::new(trace)), model(terms, &arguments)?),
            (Some(_), _) => Err("a `trace` needs its model: give `path` or `text`".to_owned()),
            (None, _) if named => Err("a model needs a `trace`: one of a result of `check`".to_owned()),
            (None, Some(Found { trace, words, files })) => {
                made("simulate", Task::Explain(Box::new(trace.clone())), (words.clone(), files.clone()))
            }
            (None, None) => Err("`check` has found no run so far: give a model and a `trace`".to_owned()),
        },
        "simulate" if arguments.steps.len() > MAX_STEPS => Err(format!("more than {MAX_STEPS} steps are not taken")),
        "simulate" => made("simulate", Task::Simulate(arguments.steps.clone()), model(terms, &arguments)?),
        _ => made("info", Task::Info, model(terms, &arguments)?),
    }
}

/// The questions as words of a command line.
fn questions(arguments: &Arguments, time: Duration) -> Vec<String> {
    let option = |name: &str, value: &Option<String>| value.as_ref().map(|value| format!("--{name}={value}"));
    let named = arguments.properties.iter().map(|name| format!("--property={name}"));
    let flags = [("--deadlock", arguments.deadlock), ("--partial", arguments.partial)];
    let flags = flags.into_iter().filter(|(_, asked)| *asked).map(|(flag, _)| flag.to_owned());
    let texts = [
        option("invariant", &arguments.invariant),
        option("reachable", &arguments.reachable),
        option("ltl", &arguments.ltl),
        option("engine", &arguments.engine),
    ];
    let limit = format!("--timeout={}ms", time.as_millis().max(1));
    std::iter::once(limit).chain(named).chain(flags).chain(texts.into_iter().flatten()).collect()
}

/// The model as words of a command line, and what may be read.
fn model(terms: &Terms, arguments: &Arguments) -> Result<(Vec<String>, Files), String> {
    let (path, texts) = match (&arguments.path, &arguments.text) {
        (Some(path), None) if path == Path::new("-") => return Err("give what is in no file as `text`".to_owned()),
        (Some(path), None) if arguments.language.is_none() => (permitted(terms, path)?, Vec::new()),
        (Some(_), None) => return Err("the name of a file says its language: `language` is for `text`".to_owned()),
        (None, Some(text)) => {
            let language = arguments.language.as_deref().unwrap_or("native");
            let extension = extension(language).ok_or_else(|| format!("there is no language `{language}`"))?;
            let path = PathBuf::from(format!("model.{extension}"));
            (path.clone(), vec![(path, text.clone())])
        }
        _ => return Err("give the model as `path` or as `text`".to_owned()),
    };
    let path = path.to_str().ok_or("the path is not in UTF-8")?.to_owned();
    let set = arguments.parameters.iter().map(|(name, value)| format!("--set={name}={value}"));
    let process = arguments.process.iter().map(|process| format!("--process={process}"));
    let words = set.chain(process).chain(["--".to_owned(), path]).collect();
    Ok((words, Files { folders: Some(terms.folders.clone()), texts }))
}

/// A file that may be read; the worker looks again.
fn permitted(terms: &Terms, path: &Path) -> Result<PathBuf, String> {
    if is_within(path, &terms.folders) {
        return Ok(path.to_owned());
    }
    Err(format!("cannot read {}: {OUTSIDE}; the server's user can allow more with `--allow`", path.display()))
}

/// The ending of files in a language.
fn extension(language: &str) -> Option<&'static str> {
    Some(match language {
        "native" => "imp",
        "promela" => "pml",
        "pnml" => "pnml",
        "lola" => "lola",
        "tina" => "net",
        "csp" => "csp",
        "bip" => "bip",
        "aut" => "aut",
        "exp" => "exp",
        _ => return None,
    })
}
