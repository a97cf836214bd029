//! The page: what its server answers, that views show what the model really does, reports as pages, and the browser tests.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use testkit::naive::{Naive, Semantics};

use crate::common::{Scratch, code, impasse, run, stderr, stdout};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

/// A server of a model, ended with the test.
struct Served {
    child: Child,
    host: String,
    path: String,
}

impl Served {
    fn new(args: &[&str]) -> Self {
        let mut command = impasse(&[&["serve"], args].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the server starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("it tells its address");
        let rest = line.trim().strip_prefix("http://").expect("an address");
        let (host, path) = rest.split_once('/').expect("a path");
        let (host, path) = (host.to_owned(), format!("/{path}"));
        Self { child, host, path }
    }

    /// All lines of an answer.
    fn lines(&self, name: &str, arguments: &Value) -> Vec<Value> {
        let (Self { host, path, .. }, body) = (self, arguments.to_string());
        let mut stream = TcpStream::connect(host).expect("the server listens");
        let length = body.len();
        let head = format!("POST {path}api/{name} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n");
        stream.write_all(format!("{head}Content-Length: {length}\r\n\r\n{body}").as_bytes()).expect("it reads");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("it answers");
        let (_, body) = reply.split_once("\r\n\r\n").expect("a body");
        body.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    }

    fn ask(&self, name: &str, arguments: &Value) -> Value {
        self.lines(name, arguments).pop().expect("there is a last line")
    }

    fn ok(&self, name: &str, arguments: &Value) -> Value {
        let answer = self.ask(name, arguments);
        assert!(answer["error"].is_null(), "{name}: {answer}");
        answer["ok"].clone()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One task of a worker, without a server.
fn work(file: &Path, task: &Value) -> Value {
    let words = ["info", "--", file.to_str().expect("a name")];
    let request = json!({ "task": task, "words": words, "files": { "folders": null, "texts": [] } });
    let output = crate::common::run_with(&["worker"], request.to_string().as_bytes());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", stderr(&output)));
    assert!(answer["error"].is_null(), "{}: {answer}", file.display());
    answer["ok"].clone()
}

#[test]
fn the_server_answers_what_the_page_asks() {
    let served = Served::new(&["philosophers.imp", "--set", "n=3"]);
    let intro = served.ok("open", &json!({}));
    assert_eq!((&intro["file"], &intro["words"]), (&json!("philosophers.imp"), &json!(["--set=n=3"])));
    let look = served.ok("look", &json!({ "model": {} }));
    assert_eq!(look["model"]["processes"], 3);
    assert_eq!(look["touches"].as_array().map(Vec::len), Some(6), "everybody touches two forks");
    let space = served.ok("space", &json!({ "run": [0] }));
    assert_eq!((&space["whole"], &space["selected"]["complete"]), (&json!(true), &json!(true)));
    assert!(served.ok("prefix", &json!({}))["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg")));
    let only = json!({ "run": [0], "only_run": true });
    assert!(served.ok("prefix", &only)["svg"].as_str().is_some_and(|svg| svg.contains("thinking")));
    // What is edited is looked at instead of the file.
    let edited =
        json!({ "model": { "text": "param n = 1\nprocess P[i in 0..n-1] { states a }\nproperty deadlock-free\n" } });
    assert_eq!(served.ok("look", &edited)["processes"][2]["name"], "P[2]", "as it is served, with three of them");
    let classic =
        json!({ "model": { "gallery": "peterson" }, "properties": ["mutex"], "seconds": 20, "engine": "explore" });
    let lines = served.lines("check", &classic);
    let last = lines.last().expect("a last line");
    assert_eq!(last["ok"]["exit_code"], 0, "{last}");
    assert!(
        lines.iter().any(|l| l["progress"]["engines"][0].as_str().is_some_and(|e| e.starts_with("explore"))),
        "{lines:?}"
    );
    assert!(last["ok"]["html"].as_str().is_some_and(|html| html.contains("<h1>")));
}

#[test]
fn wrong_calls_are_told_so() {
    let served = Served::new(&["philosophers.imp"]);
    let message = |name: &str, arguments: Value| served.ask(name, &arguments)["error"]["message"].to_string();
    assert!(message("dance", json!({})).contains("nothing called `dance`"));
    assert!(message("step", json!({ "run": [0, 0] })).contains("step 2 cannot happen"));
    assert!(message("step", json!({ "run": [9999] })).contains("no transition"));
    assert!(message("step", json!({ "run": ["x"] })).contains("invalid type"));
    assert!(message("look", json!({ "model": { "gallery": "none" } })).contains("no such model"));
    assert!(message("look", json!({ "model": { "path": "/etc/passwd" } })).contains("unknown field"));
    assert!(message("check", json!({ "seconds": 1e9 })).contains("at most 600"));
    assert!(message("check", json!({ "seconds": 5, "engine": "magic" })).contains("no engine `magic`"));
    assert!(message("save", json!({ "text": "x", "before": "y" })).contains("has changed meanwhile"));
    let failed = served.ask("look", &json!({ "model": { "text": "process" } }));
    assert_eq!(failed["error"]["kind"], "model", "{failed}");
    // What is edited reads nothing from other folders.
    let outside = json!({ "model": { "text": "#include \"/etc/hostname\"\ninit { skip }" } });
    assert!(!served.ask("look", &outside)["error"].is_null());
}

#[test]
fn a_file_that_is_not_there_is_missed_at_once() {
    let output = run(&["serve", "missing.imp"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (Some(3), ""));
    assert!(stderr(&output).contains("there is no such file"));
}

/// Along runs of models of the corpus, the page offers what the naive oracle says is enabled, and nobody who can move waits.
#[test]
fn the_page_offers_what_can_happen() {
    let files =
        ["philosophers.imp", "classics/alternating-bit.imp", "classics/milner-scheduler.imp", "services/rpc-cycle.imp"];
    for name in files {
        let file = corpus().join(name);
        let text = std::fs::read_to_string(&file).expect("a model of the corpus");
        let system = frontend::native::load("m", &text, &[]).expect("it is a model").system;
        let naive = Naive::new(&system);
        let (mut state, mut run) = (naive.initial(), Vec::new());
        for length in 0..10_usize {
            let shown = work(&file, &json!({ "Step": { "run": run, "filter": "" } }));
            assert_eq!(wrong(&naive, &system, &state, &shown), None, "{name} after {run:?}");
            // A view that leaves something out, or blames somebody who can move, is noticed.
            if let Some(list) = shown["enabled"].as_array().filter(|list| !list.is_empty()) {
                let mut planted = shown.clone();
                planted["enabled"] = json!(list[1..]);
                assert!(wrong(&naive, &system, &state, &planted).is_some());
            }
            let steps: Vec<_> = naive.steps(&state).into_iter().filter_map(|(t, next)| Some((t, next.ok()?))).collect();
            let Some((t, next)) = steps.get((length * 7 + 3) % steps.len().max(1)).cloned() else { break };
            run.push(t.0);
            state = next;
        }
    }
}

/// What is wrong about what is shown of a state.
fn wrong(naive: &Naive<'_>, system: &model::System, state: &testkit::naive::State, shown: &Value) -> Option<String> {
    let enabled: BTreeSet<u64> = naive.steps(state).iter().map(|(t, _)| u64::from(t.0)).collect();
    let number =
        |list: &Value| list.as_array().into_iter().flatten().filter_map(|e| e["transition"].as_u64()).collect();
    let offered: BTreeSet<u64> = number(&shown["enabled"]);
    if offered != enabled {
        return Some(format!("{offered:?} are offered, {enabled:?} can happen"));
    }
    let refused: BTreeSet<u64> = number(&shown["disabled"]);
    if let Some(both) = refused.intersection(&enabled).next() {
        return Some(format!("{both} is said to be disabled"));
    }
    let moving: BTreeSet<&str> = enabled
        .iter()
        .flat_map(|t| &system.transitions()[*t as usize].moves)
        .map(|m| system.process(m.process).name.as_str())
        .collect();
    let stuck = shown["waiting"]["stuck"].as_array().into_iter().flatten().filter_map(|s| s["process"].as_str());
    stuck.into_iter().find(|p| moving.contains(p)).map(|p| format!("{p} is said to wait, and can move"))
}

#[test]
fn a_report_is_one_page() {
    let scratch = Scratch::new("report-page");
    let file = scratch.file("out.html");
    let output = run(&["check", "philosophers.imp", "--no-times", "--report", file.to_str().expect("a name")]);
    assert_eq!(code(&output), Some(11));
    let page = std::fs::read_to_string(&file).expect("it was written");
    for part in
        ["<!doctype html>", "there is a deadlock", "Who waits for whom", "a lane for each process", "class=\"taken\""]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<script") && !page.contains("<link"), "it loads nothing");
    let again = run(&["check", "philosophers.imp", "--no-times", "--format", "html"]);
    assert_eq!(stdout(&again), page, "the same answers are the same bytes");
    // A model that cannot be read is a page, too, and no success.
    let wrong = run(&["check", "mistakes.imp", "--format", "html"]);
    assert!(code(&wrong) == Some(3) && stdout(&wrong).contains("verdict unusable"));
    let late = run(&["check", "mutex.imp", "--timeout", "0s", "--format", "html"]);
    assert!(
        code(&late) == Some(10)
            && stdout(&late).contains("verdict undecided")
            && !stdout(&late).contains("verdict passed")
    );
    let tested = run(&["test", "mutex.imp", "--format", "html"]);
    assert!(code(&tested) == Some(0) && stdout(&tested).contains("verdict passed"), "{}", stdout(&tested));
}

#[test]
fn progress_can_be_read_by_programs() {
    let output = run(&["check", "mutex.imp", "--progress", "json"]);
    let first = stderr(&output).lines().next().map(str::to_owned).unwrap_or_default();
    let line: Value = serde_json::from_str(&first).unwrap_or_else(|e| panic!("{e}: {first}"));
    assert!(line["states"].is_u64() && line["seconds"].is_f64() && line["engines"].is_array(), "{line}");
}

/// The browser tests, where there is what they need: node, a browser and the package that drives it.
#[test]
fn the_page_works_in_a_browser() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/browser");
    let browser = std::env::var_os("CHROMIUM").map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from);
    let node = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    let driver = folder.join("node_modules/playwright-core").is_dir();
    for (there, what) in
        [(node, "node"), (browser.exists(), "a browser (CHROMIUM)"), (driver, "`npm ci` in crates/web/browser")]
    {
        if !there {
            eprintln!("skipped: the browser tests need {what}");
            return;
        }
    }
    let mut command = Command::new("node");
    command
        .args(["--test", "--test-concurrency=1", "--test-reporter=spec"])
        .args(["layout.test.mjs", "page.test.mjs"])
        .current_dir(&folder);
    let output = command.env("IMPASSE", env!("CARGO_BIN_EXE_impasse")).env("CHROMIUM", browser).output();
    let output = output.expect("node runs");
    assert!(output.status.success(), "{}\n{}", stdout(&output), stderr(&output));
}
