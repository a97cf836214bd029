//! The server: connections in, answers out, each in a thread of its own and not more than there should be.

use std::io::{self, Read};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::hall::Hall;
use crate::request::{self, Limits, Request};
use crate::{Guard, Link, Token, assets, response};

/// More connections at once are not of one page.
const MAX_CONNECTIONS: usize = 64;
/// After an error of the operating system, such as too many open files, it is tried again.
const PAUSE: Duration = Duration::from_millis(100);
/// So long somebody who is refused may still send.
const MOMENT: Duration = Duration::from_millis(300);

/// Whatever the page can ask.
pub trait Service: Sync {
    /// Answers a call, which has a name and arguments; `link` takes what there is to say before, and tells when nobody waits
    /// any more.
    fn answer(&self, name: &str, arguments: &Value, link: &Link) -> Result<Value, Refusal>;
}

/// Why there is no answer: an object with a `message`, and whatever else the page can use.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal(pub Value);

impl Refusal {
    /// A sentence.
    pub fn new(message: impl Into<String>) -> Self {
        Self(json!({ "message": message.into() }))
    }
}

/// Where the page is.
#[derive(Clone, Debug)]
pub struct Address {
    port: u16,
    token: Token,
}

impl Address {
    /// The address of the page, with the token.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token.text())
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }
}

/// A server of one page.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: Address,
    guard: Guard,
    limits: Limits,
    hall: Hall,
}

impl Server {
    /// Binds a port of the loopback address; any that is free if it is 0.
    pub fn bind(port: u16, limits: Limits) -> io::Result<Self> {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        let (port, token) = (listener.local_addr()?.port(), Token::new()?);
        let guard = Guard::new(token.clone(), port);
        Ok(Self { listener, address: Address { port, token }, guard, limits, hall: Hall::default() })
    }

    /// Where the page is.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Serves for ever.
    pub fn run(&self, service: &dyn Service) -> ! {
        let open = AtomicUsize::new(0);
        thread::scope(|threads| {
            loop {
                let stream = match self.listener.accept() {
                    Ok((stream, _)) => stream,
                    Err(_) => {
                        thread::sleep(PAUSE);
                        continue;
                    }
                };
                if open.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
                    open.fetch_sub(1, Ordering::Relaxed);
                    // Whether that is heard is not waited for.
                    let _ = response::sentence(&mut &stream, 503, "there are too many connections");
                    continue;
                }
                let open = &open;
                let work = move || {
                    // A connection that breaks is nobody's mistake.
                    let _ = self.serve(stream, service);
                    open.fetch_sub(1, Ordering::Relaxed);
                };
                if thread::Builder::new().spawn_scoped(threads, work).is_err() {
                    open.fetch_sub(1, Ordering::Relaxed);
                }
            }
        })
    }

    fn serve(&self, mut stream: TcpStream, service: &dyn Service) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(self.limits.time))?;
        let head = {
            let _stranger = self.hall.enter(&stream)?;
            request::read_head(&mut stream, &self.limits)
        };
        let read = head.and_then(|mut request| match self.guard.admit(&request) {
            Ok(_) => request::read_body(&mut stream, &mut request, &self.limits).map(|()| request),
            Err(refused) => Err(Some(refused)),
        });
        let request = match read {
            Ok(request) => request,
            Err(None) => return Ok(()),
            Err(Some((status, why))) => return refuse(stream, status, why),
        };
        match self.guard.admit(&request) {
            Ok(wanted) => deliver(stream, &request, wanted, service),
            Err((status, why)) => refuse(stream, status, why),
        }
    }
}

/// Says why, and reads what is still on its way, for a moment: a connection that is closed with unread bytes loses the answer.
fn refuse(mut stream: TcpStream, status: u16, why: &str) -> io::Result<()> {
    response::sentence(&mut stream, status, why)?;
    stream.shutdown(Shutdown::Write)?;
    let end = Instant::now() + MOMENT;
    let mut part = [0; 8192];
    while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        stream.set_read_timeout(Some(left))?;
        if stream.read(&mut part)? == 0 {
            break;
        }
    }
    Ok(())
}

fn deliver(mut stream: TcpStream, request: &Request, wanted: &str, service: &dyn Service) -> io::Result<()> {
    if let Some(call) = wanted.strip_prefix("api/") {
        return match (request.method.as_str(), request.header("content-type")) {
            ("POST", Ok(Some("application/json"))) => answer(stream, request, call, service),
            ("POST", _) => refuse(stream, 415, "a call is application/json"),
            _ => refuse(stream, 405, "a call is a POST"),
        };
    }
    match (request.method.as_str(), assets::find(wanted)) {
        ("GET", Some((kind, text))) => response::whole(&mut stream, 200, kind, text.as_bytes()),
        ("GET", None) => refuse(stream, 404, "there is no such file"),
        _ => refuse(stream, 405, "the page is there to be read"),
    }
}

/// Lets the service answer: lines as they come, the last one with `ok` or `error`.
fn answer(mut stream: TcpStream, request: &Request, call: &str, service: &dyn Service) -> io::Result<()> {
    let Ok(arguments) = serde_json::from_slice::<Value>(&request.body) else {
        return refuse(stream, 400, "the body is not JSON");
    };
    response::begin_lines(&mut stream)?;
    Link::attended(stream, |link| {
        let last = match service.answer(call, &arguments, link) {
            Ok(value) => json!({ "ok": value }),
            Err(Refusal(why)) => json!({ "error": why }),
        };
        link.tell(&last);
    })
}
