//! A client of the servers: sends messages through pipes and waits for what it needs.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::impasse;

/// Nothing that a test waits for takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server and the pipes to it.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    heard: Receiver<Value>,
    /// What came while something else was waited for.
    kept: Vec<Value>,
    headers: bool,
    next: u64,
}

impl Client {
    /// Starts a server in a folder; with headers before messages if it serves editors.
    pub(crate) fn start(args: &[&str], folder: &Path) -> Self {
        let headers = args[0] == "lsp";
        let mut command = impasse(args);
        command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the server starts");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let (sender, heard) = channel();
        std::thread::spawn(move || messages(stdout, headers, |message| sender.send(message).is_ok()));
        Self { stdin: child.stdin.take(), child, heard, kept: Vec::new(), headers, next: 1 }
    }

    /// Sends a text as a message, whatever it is.
    pub(crate) fn send_text(&mut self, text: &str) {
        let framed =
            if self.headers { format!("Content-Length: {}\r\n\r\n{text}", text.len()) } else { format!("{text}\n") };
        self.stdin.as_mut().expect("it is open").write_all(framed.as_bytes()).expect("the server reads");
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send_text(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    /// Asks and gives the number of the question.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.send_text(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        id
    }

    /// Asks and waits for the whole reply.
    pub(crate) fn reply(&mut self, method: &str, params: &Value) -> Value {
        let id = self.ask(method, params);
        self.wait(|m| m["id"] == id && m.get("method").is_none())
    }

    /// Asks and waits for the result.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let mut reply = self.reply(method, params);
        assert!(reply.get("error").is_none(), "{method}: {reply}");
        reply["result"].take()
    }

    /// The first message of a kind.
    pub(crate) fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(position) = self.kept.iter().position(&wanted) {
            return self.kept.remove(position);
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let message = self.heard.recv_timeout(left).expect("the message comes in time");
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    /// Whether a message of a kind came or comes within a time.
    pub(crate) fn comes(&mut self, time: Duration, wanted: impl Fn(&Value) -> bool) -> bool {
        let deadline = Instant::now() + time;
        while let Ok(message) = self.heard.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            self.kept.push(message);
        }
        self.kept.iter().any(wanted)
    }

    /// Closes the pipe to the server and waits until it ends.
    pub(crate) fn close(mut self) -> ExitStatus {
        self.stdin = None;
        self.child.wait().expect("the server ends")
    }
}

fn messages(mut stdout: impl BufRead, headers: bool, hear: impl Fn(Value) -> bool) {
    loop {
        let mut line = String::new();
        if stdout.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        let text = if headers {
            let length = line.trim().strip_prefix("Content-Length: ").expect("a header with a length");
            let mut bytes = vec![0; length.parse::<usize>().expect("a number") + 2];
            stdout.read_exact(&mut bytes).expect("a whole message");
            String::from_utf8(bytes[2..].to_vec()).expect("a message in UTF-8")
        } else {
            line
        };
        if !hear(serde_json::from_str(&text).expect("a message is JSON")) {
            return;
        }
    }
}
