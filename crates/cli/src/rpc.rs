//! JSON-RPC 2.0 on standard input and output, as both servers speak it. What is malformed is answered and passed over:
//! the conversation goes on.

use std::io::{self, BufRead, Read, Write};

use serde_json::{Map, Value, json};

/// How messages are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Each after a header with its length, as editors have it.
    Headers,
    /// Each on a line, as agents have it.
    Lines,
}

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Incoming {
    /// It wants a reply.
    Request { id: Value, method: String, params: Value },
    /// It wants none.
    Notification { method: String, params: Value },
    /// A reply to something that was asked; nothing that is asked here needs one.
    Reply,
    /// It makes no sense.
    Malformed { id: Value, code: i64, why: String },
}

/// What went wrong, in the numbers of the protocol.
pub(crate) mod code {
    pub(crate) const PARSE: i64 = -32700;
    pub(crate) const INVALID: i64 = -32600;
    pub(crate) const NO_METHOD: i64 = -32601;
    pub(crate) const PARAMS: i64 = -32602;
    pub(crate) const INTERNAL: i64 = -32603;
    /// A language server was asked something before `initialize`.
    pub(crate) const NOT_INITIALIZED: i64 = -32002;
    /// A language server was told that nobody waits for the answer.
    pub(crate) const CANCELLED: i64 = -32800;
    /// A server has enough to do.
    pub(crate) const BUSY: i64 = -32000;
}

/// A longer message is passed over.
const MAX_MESSAGE: u64 = 192 << 20;
/// A longer line of a header is none.
const MAX_HEADER: u64 = 8 << 10;

/// The next message; nothing at the end of the input.
pub(crate) fn read(input: &mut impl BufRead, framing: Framing) -> io::Result<Option<Incoming>> {
    match framing {
        Framing::Lines => line(input),
        Framing::Headers => framed(input),
    }
}

fn line(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    loop {
        let mut bytes = Vec::new();
        if input.by_ref().take(MAX_MESSAGE).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        if bytes.len() as u64 == MAX_MESSAGE && !bytes.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            return Ok(Some(too_long()));
        }
        if !bytes.trim_ascii().is_empty() {
            return Ok(Some(message(&bytes)));
        }
    }
}

fn framed(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let (mut length, mut lines) = (None, 0);
    loop {
        let mut bytes = Vec::new();
        if input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let header = String::from_utf8_lossy(&bytes);
        match header.trim().split_once(':') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse::<u64>().ok();
            }
            None if header.trim().is_empty() => match length {
                Some(length) => return body(input, length),
                // Space between messages does no harm.
                None if lines == 0 => continue,
                None => return Ok(Some(malformed(code::PARSE, "a message without `Content-Length`"))),
            },
            _ => {}
        }
        lines += 1;
    }
}

fn body(input: &mut impl BufRead, length: u64) -> io::Result<Option<Incoming>> {
    if length > MAX_MESSAGE {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        return Ok(Some(too_long()));
    }
    let mut bytes = Vec::new();
    input.by_ref().take(length).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 == length).then(|| message(&bytes)))
}

fn too_long() -> Incoming {
    malformed(code::INVALID, &format!("a message of more than {} MB", MAX_MESSAGE >> 20))
}

fn malformed(code: i64, why: &str) -> Incoming {
    Incoming::Malformed { id: Value::Null, code, why: why.to_owned() }
}

fn message(bytes: &[u8]) -> Incoming {
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(fields)) => of(fields),
        Ok(_) => malformed(code::INVALID, "a message is an object"),
        Err(e) => malformed(code::PARSE, &format!("not JSON: {e}")),
    }
}

fn of(mut fields: Map<String, Value>) -> Incoming {
    let id = fields.remove("id");
    let params = fields.remove("params").unwrap_or(Value::Null);
    match (fields.remove("method"), id) {
        (Some(Value::String(method)), None) => Incoming::Notification { method, params },
        (Some(Value::String(method)), Some(id @ (Value::String(_) | Value::Number(_)))) => {
            Incoming::Request { id, method, params }
        }
        (None, Some(_)) if fields.contains_key("result") || fields.contains_key("error") => Incoming::Reply,
        (_, id) => {
            let why = "a request has a `method`, and an `id` that is a string or a number".to_owned();
            Incoming::Malformed { id: id.unwrap_or(Value::Null), code: code::INVALID, why }
        }
    }
}

/// Reads messages in the background and hands them on; nothing at the end of the input.
pub(crate) fn listen(framing: Framing, hear: impl Fn(Option<Incoming>) -> bool + Send + 'static) {
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let next = read(&mut input, framing).unwrap_or(None);
            let ended = next.is_none();
            if !hear(next) || ended {
                return;
            }
        }
    });
}

/// Whoever sent the messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) Framing);

impl Peer {
    /// Answers a request.
    pub(crate) fn reply(self, id: &Value, result: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
    }

    /// Refuses a request.
    pub(crate) fn refuse(self, id: &Value, code: i64, why: &str) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } }));
    }

    /// Says something.
    pub(crate) fn notify(self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks something; what comes back is not waited for.
    pub(crate) fn request(self, id: &str, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    fn send(self, message: &Value) {
        let text = message.to_string();
        let mut out = io::stdout().lock();
        // A peer that has gone away is noticed where messages are read.
        let _ = match self.0 {
            Framing::Headers => write!(out, "Content-Length: {}\r\n\r\n{text}", text.len()),
            Framing::Lines => writeln!(out, "{text}"),
        }
        .and_then(|()| out.flush());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, framing: Framing) -> Vec<Incoming> {
        let mut input = text.as_bytes();
        std::iter::from_fn(|| read(&mut input, framing).expect("a slice can be read")).collect()
    }

    #[test]
    fn malformed_messages_are_passed_over() {
        let good = r#"{"jsonrpc":"2.0","method":"m"}"#;
        let framed = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
        let text =
            [&framed("{"), "X: 1\r\n\r\n", &framed("[]"), "\r\n", &framed(r#"{"id":7}"#), &framed(good)].concat();
        let heard = all(&text, Framing::Headers);
        let is_good = |m: &Incoming| matches!(m, Incoming::Notification { method, .. } if method == "m");
        assert_eq!(heard.len(), 5);
        assert!(heard[..4].iter().all(|m| matches!(m, Incoming::Malformed { .. })) && is_good(&heard[4]));
        let heard = all(&format!("{{\n\n[1]\n{good}\n{{\"id\":null,\"method\":\"x\"}}\n"), Framing::Lines);
        assert_eq!(heard.len(), 4);
        assert!(is_good(&heard[2]) && matches!(heard[3], Incoming::Malformed { code: code::INVALID, .. }));
        // A message that is cut off is none.
        assert!(all("Content-Length: 99\r\n\r\n{}", Framing::Headers).is_empty());
    }
}
