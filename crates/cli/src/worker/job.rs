//! A worker as its server sees it: started, heard, and ended when its time is over or nobody wants its answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Request;

/// How often it is looked whether a worker has ended.
const GLANCE: Duration = Duration::from_millis(10);
/// A longer reply is of no use to anybody.
const MAX_REPLY: u64 = 256 << 20;
/// So much is kept of what a worker says before it breaks.
const LAST_WORDS: usize = 2000;

/// Ends a worker.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// One that somebody else sets.
    pub(crate) fn when(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }

    /// From now on.
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it should end.
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What became of a worker.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// It did what it was asked.
    Answer(Value),
    /// It says why it cannot.
    Refusal(Value),
    /// Its time was over.
    Late,
    /// It was ended.
    Stopped,
    /// It broke.
    Broken(String),
}

/// Lets a worker answer within a time. `progress` hears how far a search is.
pub(crate) fn run(request: &Request, time: Duration, stop: &Stop, progress: &(dyn Fn(&str) + Sync)) -> Outcome {
    let started = program().and_then(|program| {
        let mut command = Command::new(program);
        command.arg("worker").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    });
    match started {
        Ok(child) => attend(child, request, time, stop, progress),
        Err(why) => Outcome::Broken(format!("a worker cannot be started: {why}")),
    }
}

/// This program as it is running: its file may have been replaced meanwhile.
fn program() -> std::io::Result<PathBuf> {
    let running = Path::new("/proc/self/exe");
    if running.symlink_metadata().is_ok() { Ok(running.to_owned()) } else { std::env::current_exe() }
}

fn attend(
    mut child: Child,
    request: &Request,
    time: Duration,
    stop: &Stop,
    progress: &(dyn Fn(&str) + Sync),
) -> Outcome {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let mut asked = serde_json::to_vec(request).expect("a request is always JSON");
    asked.push(b'\n');
    let deadline = Instant::now().checked_add(time);
    thread::scope(|threads| {
        // A worker that breaks reads no more; one whose standard input ends knows that nobody waits for it.
        let stdin = threads.spawn(move || {
            let mut stdin = stdin?;
            let _ = stdin.write_all(&asked);
            Some(stdin)
        });
        let reply = threads.spawn(move || {
            let mut bytes = Vec::new();
            stdout.map(|stdout| stdout.take(MAX_REPLY).read_to_end(&mut bytes));
            bytes
        });
        let words = threads.spawn(move || stderr.map_or_else(String::new, |stderr| hear(stderr, progress)));
        let ended = wait(&mut child, deadline, stop);
        if ended.is_some() {
            // It may have ended by itself meanwhile.
            let _ = child.kill();
            let _ = child.wait();
        }
        drop(stdin);
        let (reply, words) = (reply.join().unwrap_or_default(), words.join().unwrap_or_default());
        ended.unwrap_or_else(|| read(&reply, &words))
    })
}

/// Nothing if the worker ended by itself.
fn wait(child: &mut Child, deadline: Option<Instant>, stop: &Stop) -> Option<Outcome> {
    loop {
        match child.try_wait() {
            Ok(Some(_)) => return None,
            Ok(None) if stop.is_set() => return Some(Outcome::Stopped),
            Ok(None) if deadline.is_some_and(|d| Instant::now() >= d) => return Some(Outcome::Late),
            Ok(None) => thread::sleep(GLANCE),
            Err(e) => return Some(Outcome::Broken(e.to_string())),
        }
    }
}

/// Hears what is said about a search, and keeps the rest.
fn hear(stderr: impl Read, progress: &(dyn Fn(&str) + Sync)) -> String {
    let mut rest = String::new();
    for line in BufReader::new(stderr).lines() {
        match line {
            // That is what the lines of `progress.rs` look like.
            Ok(line) if line.contains(" states/s, ") || line.starts_with('{') => progress(&line),
            Ok(line) if rest.len() < LAST_WORDS => rest.extend([&*line, "\n"]),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    rest
}

fn read(reply: &[u8], words: &str) -> Outcome {
    match serde_json::from_slice(reply) {
        Ok(Value::Object(mut fields)) => match (fields.remove("ok"), fields.remove("error")) {
            (Some(answer), _) => Outcome::Answer(answer),
            (_, Some(why)) => Outcome::Refusal(why),
            _ => Outcome::Broken("a worker says nothing".to_owned()),
        },
        _ => Outcome::Broken(format!("internal error: {}", words.trim())),
    }
}
