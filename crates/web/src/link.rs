//! The connection to whoever asked: lines of an answer go out, and it is noticed when nobody is there any more.

use std::io::{self, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// How often it is looked whether somebody is still there.
const GLANCE: Duration = Duration::from_millis(50);
/// A line that is not taken within this time is for nobody.
const TAKEN: Duration = Duration::from_secs(10);

/// A connection that an answer goes to.
#[derive(Debug)]
pub struct Link {
    out: Mutex<TcpStream>,
    gone: Arc<AtomicBool>,
}

impl Link {
    /// Watches a connection for as long as `work` takes.
    pub(crate) fn attended<R>(stream: TcpStream, work: impl FnOnce(&Link) -> R) -> io::Result<R> {
        let watched = stream.try_clone()?;
        stream.set_write_timeout(Some(TAKEN))?;
        let link = Link { out: Mutex::new(stream), gone: Arc::default() };
        let done = AtomicBool::new(false);
        Ok(thread::scope(|threads| {
            threads.spawn(|| watch(&watched, &link.gone, &done));
            let result = work(&link);
            done.store(true, Ordering::Relaxed);
            result
        }))
    }

    /// Set as soon as nobody waits for the answer.
    pub fn gone(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.gone)
    }

    /// Sends a line.
    pub fn tell(&self, value: &Value) {
        let line = format!("{value}\n");
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        if out.write_all(line.as_bytes()).and_then(|()| out.flush()).is_err() {
            self.gone.store(true, Ordering::Relaxed);
        }
    }
}

/// Looks for the end of the connection. What else arrives is no business of ours.
fn watch(stream: &TcpStream, gone: &AtomicBool, done: &AtomicBool) {
    // The time limit of reading is that of the connection, not of this handle; nobody else reads now.
    if stream.set_read_timeout(Some(GLANCE)).is_err() {
        return gone.store(true, Ordering::Relaxed);
    }
    while !done.load(Ordering::Relaxed) {
        match stream.peek(&mut [0]) {
            Ok(0) => return gone.store(true, Ordering::Relaxed),
            Ok(_) => thread::sleep(GLANCE),
            Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return gone.store(true, Ordering::Relaxed),
        }
    }
}
