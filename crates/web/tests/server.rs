//! The manners of the server: who is answered, what is refused, and that nobody is worked for in vain.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use web::{Address, Limits, Link, Refusal, Server, Service};

/// Answers with what it was asked, or works until nobody waits.
#[derive(Default)]
struct Echo {
    calls: AtomicUsize,
    ended: AtomicUsize,
}

impl Service for Echo {
    fn answer(&self, name: &str, arguments: &Value, link: &Link) -> Result<Value, Refusal> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        match name {
            "echo" => Ok(arguments.clone()),
            "long" => {
                link.tell(&json!({ "progress": 1 }));
                let gone = link.gone();
                let start = Instant::now();
                while !gone.load(Ordering::Relaxed) && start.elapsed() < Duration::from_secs(20) {
                    thread::sleep(Duration::from_millis(5));
                }
                self.ended.fetch_add(usize::from(gone.load(Ordering::Relaxed)), Ordering::Relaxed);
                Err(Refusal::new("cancelled"))
            }
            _ => Err(Refusal::new(format!("no {name}"))),
        }
    }
}

const LIMITS: Limits =
    Limits { head: 4096, body: 10_000, patience: Duration::from_millis(700), time: Duration::from_millis(700) };

/// A server of its own for a test.
fn serve() -> (Address, Arc<Echo>) {
    serve_with(LIMITS)
}

fn serve_with(limits: Limits) -> (Address, Arc<Echo>) {
    let server = Server::bind(0, limits).expect("a port is free");
    let (address, echo) = (server.address().clone(), Arc::<Echo>::default());
    let service = Arc::clone(&echo);
    thread::spawn(move || server.run(&*service));
    (address, echo)
}

/// One for all tests that only ask.
fn shared() -> &'static (Address, Arc<Echo>) {
    static SERVER: OnceLock<(Address, Arc<Echo>)> = OnceLock::new();
    SERVER.get_or_init(serve)
}

fn connect(address: &Address) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", address.port())).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a socket");
    stream
}

fn send(address: &Address, text: &[u8]) -> String {
    let mut stream = connect(address);
    // The server may refuse before everything is sent.
    let _ = stream.write_all(text);
    let mut reply = String::new();
    let _ = stream.read_to_string(&mut reply);
    reply
}

fn status(reply: &str) -> u16 {
    reply.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0)
}

/// The path of the page, with the token.
fn root(address: &Address) -> String {
    let url = address.url();
    url[url.find("/").expect("a slash") + 2..].split_once('/').map(|(_, rest)| format!("/{rest}")).expect("a path")
}

fn host(address: &Address) -> String {
    format!("127.0.0.1:{}", address.port())
}

fn get(address: &Address, path: &str, headers: &[(&str, &str)]) -> String {
    let lines: String = headers.iter().map(|(n, v)| format!("{n}: {v}\r\n")).collect();
    send(address, format!("GET {path} HTTP/1.1\r\n{lines}\r\n").as_bytes())
}

fn post(address: &Address, path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let lines: String = headers.iter().map(|(n, v)| format!("{n}: {v}\r\n")).collect();
    let length = body.len();
    send(address, format!("POST {path} HTTP/1.1\r\n{lines}Content-Length: {length}\r\n\r\n{body}").as_bytes())
}

#[test]
fn the_page_is_there_for_who_knows_the_token() {
    let (address, _) = shared();
    let (root, host) = (root(address), host(address));
    let page = get(address, &root, &[("Host", &host)]);
    assert_eq!(status(&page), 200);
    for header in ["default-src 'none'", "Cache-Control: no-store", "nosniff", "frame-ancestors 'none'", "no-referrer"]
    {
        assert!(page.contains(header), "{header} in {page}");
    }
    assert!(page.contains("<title>Impasse</title>"));
    let local = format!("localhost:{}", address.port());
    assert_eq!(status(&get(address, &format!("{root}app.js"), &[("Host", &local)])), 200);
    assert_eq!(status(&get(address, &format!("{root}none.js"), &[("Host", &host)])), 404);
    assert_eq!(status(&get(address, &format!("{root}../Cargo.toml"), &[("Host", &host)])), 404);
}

#[test]
fn every_file_of_the_page_loads_nothing_from_elsewhere() {
    let (address, _) = shared();
    let (root, host) = (root(address), host(address));
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/page")).expect("the folder of the page");
    for file in files {
        let name = file.expect("a file").file_name().into_string().expect("a name");
        let reply = get(address, &format!("{root}{name}"), &[("Host", &host)]);
        assert_eq!(status(&reply), 200, "{name} is served");
        let body = reply.split_once("\r\n\r\n").expect("a body").1.replace("http://www.w3.org/2000/svg", "");
        assert!(!body.contains("http://") && !body.contains("https://") && !body.contains("//cdn"), "{name}");
        assert!(!body.contains("innerHTML") && !body.contains("eval("), "{name} makes no markup of texts");
    }
}

#[test]
fn calls_are_answered_line_by_line() {
    let (address, _) = shared();
    let (root, host) = (root(address), host(address));
    let json = [("Host", &*host), ("Content-Type", "application/json")];
    let reply = post(address, &format!("{root}api/echo"), &json, "{\"a\":[1]}");
    assert!(status(&reply) == 200 && reply.ends_with("\r\n\r\n{\"ok\":{\"a\":[1]}}\n"), "{reply}");
    let reply = post(address, &format!("{root}api/other"), &json, "{}");
    assert!(reply.ends_with("{\"error\":{\"message\":\"no other\"}}\n"), "{reply}");
}

#[test]
fn strangers_are_refused_and_not_worked_for() {
    let (address, echo) = serve();
    let (root, host) = (root(&address), host(&address));
    let call = format!("{root}api/echo");
    let json = ("Content-Type", "application/json");
    let with = |extra: &[(&str, &str)], path: &str| {
        status(&post(&address, path, &[&[("Host", &*host), json], extra].concat(), "{}"))
    };
    // No token, a wrong one, one that is too short.
    for path in ["/", "/api/echo", "/00000000000000000000000000000000/api/echo", &root[..8], "//api/echo"] {
        assert_eq!(with(&[], path), 404, "{path}");
    }
    // Other pages, even with the token.
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "file://"] {
        assert_eq!(with(&[("Origin", origin)], &call), 403, "{origin}");
    }
    for site in ["cross-site", "same-site"] {
        assert_eq!(with(&[("Sec-Fetch-Site", site)], &call), 403, "{site}");
    }
    // A name that somebody made point here.
    for stranger in ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "localhost", "", "[::1]:80"] {
        assert_eq!(status(&post(&address, &call, &[("Host", stranger), json], "{}")), 421, "{stranger}");
        assert_eq!(status(&get(&address, &root, &[("Host", stranger)])), 421, "{stranger}");
    }
    assert_eq!(status(&post(&address, &call, &[json], "{}")), 421, "no host at all");
    assert_eq!(with(&[("Host", "evil.example")], &call), 400, "two hosts");
    // What a form of another page could send.
    assert_eq!(status(&post(&address, &call, &[("Host", &host), ("Content-Type", "text/plain")], "{}")), 415);
    assert_eq!(status(&post(&address, &call, &[("Host", &host)], "{}")), 415);
    assert_eq!(status(&get(&address, &call, &[("Host", &host)])), 405);
    assert_eq!(echo.calls.load(Ordering::Relaxed), 0, "nobody was worked for");
    let own = format!("http://{host}");
    assert_eq!(with(&[("Origin", &own), ("Sec-Fetch-Site", "same-origin")], &call), 200);
    assert_eq!(echo.calls.load(Ordering::Relaxed), 1);
}

#[test]
fn what_is_too_long_is_refused() {
    let (address, _) = shared();
    let (root, host) = (root(address), host(address));
    let json = [("Host", &*host), ("Content-Type", "application/json")];
    let call = format!("{root}api/echo");
    let text = |length: usize| format!("\"{}\"", "x".repeat(length - 2));
    assert_eq!(status(&post(address, &call, &json, &text(10_000))), 200);
    assert_eq!(status(&post(address, &call, &json, &text(10_001))), 413);
    let long = "x".repeat(5000);
    assert_eq!(status(&get(address, &root, &[("Host", &host), ("Cookie", &long)])), 431);
    assert_eq!(status(&get(address, &format!("/{long}"), &[("Host", &host)])), 431);
    let head = format!("POST {call} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n");
    assert_eq!(status(&send(address, format!("{head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n").as_bytes())), 411);
    assert_eq!(status(&send(address, format!("{head}Content-Length: -1\r\n\r\n").as_bytes())), 400);
    assert_eq!(
        status(&send(address, format!("{head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}").as_bytes())),
        400
    );
    assert_eq!(status(&post(address, &call, &json, "{")), 400);
    assert_eq!(status(&send(address, b"\x16\x03\x01\r\n\r\n")), 400, "no HTTP at all");
}

#[test]
fn what_does_not_arrive_is_not_waited_for() {
    let (address, _) = shared();
    let start = Instant::now();
    let reply = send(address, b"GET / HTTP/1.1\r\nHost: ");
    assert_eq!(status(&reply), 408);
    // One byte now and then is no better: the limit is for the whole request.
    let mut stream = connect(address);
    let byte = |stream: &mut TcpStream| stream.write_all(b"G").is_ok();
    while byte(&mut stream) && start.elapsed() < Duration::from_secs(9) {
        thread::sleep(Duration::from_millis(50));
    }
    assert!(start.elapsed() < Duration::from_secs(6), "the connection was closed");
}

#[test]
fn who_goes_away_is_not_worked_for_any_more() {
    let (address, echo) = serve();
    let (root, host) = (root(&address), host(&address));
    let request = format!(
        "POST {root}api/long HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
    );
    for aborted in [true, false] {
        let mut stream = connect(&address);
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut seen = String::new();
        let mut part = [0; 512];
        while !seen.contains("{\"progress\":1}\n") {
            let count = stream.read(&mut part).expect("progress comes at once");
            seen += &String::from_utf8_lossy(&part[..count]);
        }
        if aborted {
            drop(stream);
        } else {
            // Whoever closes only one direction asks for nothing more, either.
            stream.shutdown(Shutdown::Both).expect("it is open");
        }
        let before = usize::from(!aborted);
        let start = Instant::now();
        while echo.ended.load(Ordering::Relaxed) == before && start.elapsed() < Duration::from_secs(5) {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(echo.ended.load(Ordering::Relaxed), before + 1, "the work has ended");
        assert!(start.elapsed() < Duration::from_secs(2));
    }
}

#[test]
fn many_connections_do_not_keep_the_page_from_its_user() {
    // Nobody is closed here because the time is over.
    let (address, _) = serve_with(Limits::default());
    let (root, host) = (root(&address), host(&address));
    let idle: Vec<TcpStream> = (0..200).map(|_| connect(&address)).collect();
    let start = Instant::now();
    while status(&get(&address, &root, &[("Host", &host)])) != 200 {
        assert!(start.elapsed() < Duration::from_secs(3), "connections that say nothing make room");
        thread::sleep(Duration::from_millis(50));
    }
    drop(idle);
}
