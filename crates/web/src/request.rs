//! One request of HTTP/1.1, read with limits: what is longer, slower or stranger than a page of ours would send is refused.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// What a request may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The bytes of its first line and its headers.
    pub head: usize,
    /// The bytes of its body.
    pub body: usize,
    /// The time until its head has arrived: before that, nobody knows whether it is from the page.
    pub patience: Duration,
    /// The time until all of it has arrived.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { head: 16 << 10, body: 16 << 20, patience: Duration::from_secs(5), time: Duration::from_secs(20) }
    }
}

/// A request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST` and so on.
    pub method: String,
    /// What is asked for, with a slash before it.
    pub path: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// A header is there twice, and nobody knows which one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twice;

/// Why there is no request, as a status and a sentence; nothing if nobody is there to read it.
pub(crate) type Unreadable = Option<(u16, &'static str)>;

impl Request {
    /// The value of a header that must be there once at most; nothing if it is not, an error if it is there twice.
    pub fn header(&self, name: &str) -> Result<Option<&str>, Twice> {
        let mut values = self.headers.iter().filter(|(n, _)| n == name).map(|(_, v)| v.as_str());
        match (values.next(), values.next()) {
            (value, None) => Ok(value),
            _ => Err(Twice),
        }
    }
}

/// Reads the first line and the headers of a request from a connection; the beginning of the body is in the body.
pub(crate) fn read_head(stream: &mut TcpStream, limits: &Limits) -> Result<Request, Unreadable> {
    let deadline = Instant::now() + limits.patience.min(limits.time);
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = find(&bytes, b"\r\n\r\n") {
            break end;
        }
        if bytes.len() > limits.head {
            return Err(Some((431, "the head of the request is too long")));
        }
        more(stream, &mut bytes, deadline)?;
    };
    if end > limits.head {
        return Err(Some((431, "the head of the request is too long")));
    }
    let request = head(&bytes[..end]).ok_or(Some((400, "this is no request of HTTP/1.1")))?;
    Ok(Request { body: bytes.split_off(end + 4), ..request })
}

/// Reads the rest of the body.
pub(crate) fn read_body(stream: &mut TcpStream, request: &mut Request, limits: &Limits) -> Result<(), Unreadable> {
    let deadline = Instant::now() + limits.time;
    let twice = Some((400, "a header is there twice"));
    if request.header("transfer-encoding").map_err(|Twice| twice)?.is_some() {
        return Err(Some((411, "a body must have a length")));
    }
    let length = match request.header("content-length").map_err(|Twice| twice)? {
        None => 0,
        Some(text) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
            text.parse().unwrap_or(usize::MAX)
        }
        Some(_) => return Err(Some((400, "the length of the body is no number"))),
    };
    if length > limits.body {
        return Err(Some((413, "the body of the request is too long")));
    }
    while request.body.len() < length {
        more(stream, &mut request.body, deadline)?;
    }
    request.body.truncate(length);
    Ok(())
}

/// Reads what has arrived, or waits for it.
fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>, deadline: Instant) -> Result<(), Unreadable> {
    let late = Some((408, "the request took too long to arrive"));
    let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()).ok_or(late)?;
    stream.set_read_timeout(Some(left)).map_err(|_| None)?;
    let mut part = [0; 8192];
    match stream.read(&mut part) {
        Ok(0) => Err(None),
        Ok(count) => {
            bytes.extend_from_slice(&part[..count]);
            Ok(())
        }
        Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(()),
        Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => Err(late),
        Err(_) => Err(None),
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// The first line and the headers.
fn head(bytes: &[u8]) -> Option<Request> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut lines = text.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, path, version) = (words.next()?, words.next()?, words.next()?);
    let known = method.bytes().all(|b| b.is_ascii_uppercase()) && matches!(version, "HTTP/1.1" | "HTTP/1.0");
    if !known || words.next().is_some() || !path.starts_with('/') || method.is_empty() {
        return None;
    }
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        let token = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        let plain = !value.bytes().any(|b| b.is_ascii_control() && b != b'\t');
        (token && plain).then(|| (name.to_ascii_lowercase(), value.trim().to_owned()))
    };
    let headers = lines.map(header).collect::<Option<Vec<_>>>()?;
    Some(Request { method: method.to_owned(), path: path.to_owned(), headers, body: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_strictly() {
        let good = head(b"GET /a HTTP/1.1\r\nHost: x\r\nX-Y:  z \r\nx-y: w").expect("it is well formed");
        assert_eq!((good.method.as_str(), good.path.as_str()), ("GET", "/a"));
        assert_eq!(good.header("host"), Ok(Some("x")));
        assert_eq!((good.header("x-y"), good.header("none")), (Err(Twice), Ok(None)));
        for bad in [
            "GET /a",
            "GET /a HTTP/2",
            "GET http://x/ HTTP/1.1",
            "get / HTTP/1.1",
            " / HTTP/1.1",
            "GET / HTTP/1.1 x",
            "GET / HTTP/1.1\r\nno colon",
            "GET / HTTP/1.1\r\n folded: x",
            "GET / HTTP/1.1\r\nA: x\ny",
            "GET / HTTP/1.1\r\n: x",
        ] {
            assert_eq!(head(bad.as_bytes()), None, "{bad:?}");
        }
        assert_eq!(head(b"GET /\xff HTTP/1.1"), None);
    }
}
