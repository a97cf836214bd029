//! How the processes of a cluster find each other: each listens where the list of hosts says, and calls those before it.
//!
//! Who calls says first what it was given to search, and so does who answers: processes that were given different models,
//! questions or numbers of workers part at once, and strangers are not listened to.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

use evidence::{Budget, Reason};

use super::line::{Line, Rhythm, Silence};
use super::{Given, Team};

/// How long the others are waited for.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long somebody may take to be reached, and who calls to speak.
const SPEECH: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(20);

const MAGIC: u64 = u64::from_le_bytes(*b"IMPASSE2");
/// The words of a greeting.
const WORDS: usize = 6;

/// What processes say to each other first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Greeting {
    process: u64,
    processes: u64,
    workers: u64,
    /// Whether there are checkpoints: workers that keep them speak of them, and must all do so.
    checkpoints: bool,
    fingerprint: u64,
}

impl Greeting {
    fn words(self) -> [u64; WORDS] {
        [MAGIC, self.process, self.processes, self.workers, self.checkpoints.into(), self.fingerprint]
    }

    fn send(self, stream: &mut TcpStream) -> std::io::Result<()> {
        let bytes: Vec<u8> = self.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        stream.write_all(&bytes)
    }

    /// What the other one says; none if it is no process of ours.
    fn hear(stream: &mut TcpStream) -> Option<Self> {
        let mut bytes = [0; 8 * WORDS];
        stream.read_exact(&mut bytes).ok()?;
        let word = |i: usize| u64::from_le_bytes(bytes[8 * i..][..8].try_into().expect("eight bytes"));
        let [magic, process, processes, workers, checkpoints, fingerprint]: [u64; WORDS] = std::array::from_fn(word);
        (magic == MAGIC).then_some(Self { process, processes, workers, checkpoints: checkpoints != 0, fingerprint })
    }

    /// Why these two cannot work together.
    fn quarrel(self, other: Self) -> Result<(), Reason> {
        let what = if self.processes != other.processes {
            "another list of hosts"
        } else if self.workers != other.workers {
            "another number of workers"
        } else if self.checkpoints != other.checkpoints {
            "`--checkpoint` and this one was not, or the other way round: all need it, or none"
        } else if self.fingerprint != other.fingerprint {
            "another model, question or option"
        } else {
            return Ok(());
        };
        Err(Reason::Lost(format!("process {} of the cluster was given {what}", other.process)))
    }
}

/// Connections to all other processes, in the order of their numbers, without this one's.
pub(super) fn connect(team: Team, given: Given, budget: &Budget) -> Result<(Vec<Option<Line>>, Silence), Reason> {
    let silence = Silence::default();
    let own = Greeting {
        process: team.process as u64,
        processes: team.hosts.len() as u64,
        workers: team.workers as u64,
        checkpoints: given.checkpoints,
        fingerprint: given.fingerprint,
    };
    let wait = Wait { since: Instant::now(), budget };
    let host = &team.hosts[team.process];
    let listener = wait.until(
        || TcpListener::bind(host.as_str()).and_then(|l| l.set_nonblocking(true).map(|()| l)),
        |error| error.kind() == ErrorKind::AddrInUse,
        |error| format!("process {} cannot listen at {host}: {error}", team.process),
    )?;
    let mut lines: Vec<Option<Line>> = team.hosts.iter().map(|_| None).collect();
    for (number, host) in team.hosts.iter().enumerate().take(team.process) {
        lines[number] = Some(call(own, number, host, (&wait, &silence))?);
    }
    while let Some(missing) = (team.process + 1..team.hosts.len()).find(|number| lines[*number].is_none()) {
        let accepted = wait.until(
            || listener.accept().map(|(stream, _)| stream),
            |error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::ConnectionAborted),
            |_| {
                format!(
                    "process {missing} of the cluster, at {}, did not come within {PATIENCE:?}",
                    team.hosts[missing]
                )
            },
        )?;
        let Some((line, other)) = answer(own, accepted, &silence) else { continue };
        own.quarrel(other)?;
        let number = other.process as usize;
        match lines.get_mut(number) {
            Some(place) if number > team.process && place.is_none() => *place = Some(line),
            _ => return Err(Reason::Lost(format!("two processes of the cluster say that they are number {number}"))),
        }
    }
    Ok((lines, silence))
}

/// Calls a process until it answers.
fn call(own: Greeting, number: usize, host: &str, (wait, silence): (&Wait<'_>, &Silence)) -> Result<Line, Reason> {
    let reach = || {
        let mut stream = dial(host)?;
        // Who is still busy with calls of its own answers later: a second call would be taken for another process.
        stream.set_read_timeout(Some(PATIENCE))?;
        own.send(&mut stream)?;
        let nobody = || std::io::Error::new(ErrorKind::InvalidData, "who answers there is no process of the cluster");
        Greeting::hear(&mut stream).map(|other| (stream, other)).ok_or_else(nobody)
    };
    let why =
        |error: &std::io::Error| format!("process {number} of the cluster, at {host}, cannot be reached: {error}");
    let (stream, other) = wait.until(reach, |_| true, why)?;
    own.quarrel(other)?;
    if other.process != number as u64 {
        return Err(Reason::Lost(format!("at {host} is process {} of the cluster, not {number}", other.process)));
    }
    ready(stream, other, silence).map_err(|error| Reason::Lost(why(&error)))
}

/// A connection to somebody else.
fn dial(host: &str) -> std::io::Result<TcpStream> {
    let unknown = || std::io::Error::new(ErrorKind::NotFound, "there is no such host");
    let address = host.to_socket_addrs()?.next().ok_or_else(unknown)?;
    let stream = TcpStream::connect_timeout(&address, SPEECH)?;
    // Where nobody listens yet, the system may take the very port that is called for this end: TCP then connects it with itself.
    if stream.local_addr()? == stream.peer_addr()? {
        return Err(ErrorKind::ConnectionRefused.into());
    }
    Ok(stream)
}

/// Hears who calls, and answers.
fn answer(own: Greeting, mut stream: TcpStream, silence: &Silence) -> Option<(Line, Greeting)> {
    stream.set_nonblocking(false).ok()?;
    stream.set_read_timeout(Some(SPEECH)).ok()?;
    let other = Greeting::hear(&mut stream)?;
    own.send(&mut stream).ok()?;
    ready(stream, other, silence).ok().map(|line| (line, other))
}

/// A connection as the search wants it. Its heart beats from now on: the other one may be ready long before this one.
fn ready(stream: TcpStream, other: Greeting, silence: &Silence) -> std::io::Result<Line> {
    stream.set_nodelay(true)?;
    Line::new(stream, other.process, Rhythm::default(), Arc::clone(silence))
}

/// Trying again, for a while.
struct Wait<'a> {
    since: Instant,
    budget: &'a Budget,
}

impl Wait<'_> {
    /// Tries until it works, as long as errors may pass and there is time.
    fn until<T>(
        &self,
        attempt: impl Fn() -> std::io::Result<T>,
        may_pass: impl Fn(&std::io::Error) -> bool,
        why: impl Fn(&std::io::Error) -> String,
    ) -> Result<T, Reason> {
        loop {
            match attempt() {
                Ok(value) => return Ok(value),
                Err(error) if !may_pass(&error) || self.since.elapsed() > PATIENCE => {
                    return Err(Reason::Lost(why(&error)));
                }
                Err(_) => self.budget.check(0)?,
            }
            std::thread::sleep(PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls a port at which nobody listens until the system connects it with itself: that is nobody who was called.
    #[test]
    fn nobody_calls_itself() {
        let range = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
        let Some(Ok(first)) = range.split_whitespace().next().map(str::parse::<u16>) else {
            return eprintln!("skipped: which ports the system takes is not known here");
        };
        let mut connected = 0;
        for port in [first + 100, first + 101] {
            let host = format!("127.0.0.1:{port}");
            let calls = || {
                (0..100_000).any(|_| TcpStream::connect(&host).is_ok_and(|s| s.local_addr().ok() == s.peer_addr().ok()))
            };
            connected += usize::from(calls());
            assert!((0..100_000).all(|_| dial(&host).is_err()), "it was called by itself");
        }
        assert!(connected > 0, "nothing was shown");
    }
}
