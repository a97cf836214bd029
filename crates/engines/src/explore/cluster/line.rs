//! A connection with a heart: whoever is at the other end says something every few seconds, or counts as lost.
//!
//! What timely writes travels in frames, a length of four bytes before each; a frame of length zero is a heartbeat. Heartbeats come
//! from a thread of their own, so that a process which is merely busy is not taken for lost, and any byte that comes is a sign
//! of life. A process that was stopped or cut off sends none: reading ends, the connection is closed, so that a thread which
//! still writes to it ends too, and who was silent is written down.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use timely::communication::allocator::zero_copy::stream::Stream;

/// Who was silent first, and for how long.
pub(super) type Silence = Arc<OnceLock<String>>;

/// How long the payload of a frame is at most.
const FRAME: usize = 1 << 16;

/// How often a heart beats, and how long none may be heard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rhythm {
    pub(super) beat: Duration,
    pub(super) patience: Duration,
}

impl Default for Rhythm {
    fn default() -> Self {
        Self { beat: Duration::from_secs(3), patience: Duration::from_secs(30) }
    }
}

/// The end that is written to: a frame is written whole before the next.
#[derive(Debug)]
struct Pen {
    stream: TcpStream,
    frame: Vec<u8>,
}

impl Pen {
    fn write(&mut self, payload: &[u8]) -> io::Result<()> {
        self.frame.clear();
        self.frame.extend_from_slice(&(payload.len() as u32).to_le_bytes());
        self.frame.extend_from_slice(payload);
        self.stream.write_all(&self.frame)
    }
}

/// A connection to another process.
#[derive(Debug)]
pub(super) struct Line {
    process: u64,
    patience: Duration,
    silence: Silence,
    pen: Arc<Mutex<Pen>>,
    reader: BufReader<TcpStream>,
    /// How much of the frame that is read has not come.
    left: usize,
}

impl Line {
    /// A connection to a process, whose heart beats at once.
    pub(super) fn new(stream: TcpStream, process: u64, rhythm: Rhythm, silence: Silence) -> io::Result<Self> {
        stream.set_read_timeout(Some(rhythm.patience))?;
        let pen = Arc::new(Mutex::new(Pen { stream: stream.try_clone()?, frame: Vec::new() }));
        let heart = Arc::downgrade(&pen);
        std::thread::Builder::new().name("heart".to_owned()).spawn(move || beat(&heart, rhythm.beat))?;
        let reader = BufReader::with_capacity(FRAME, stream);
        Ok(Self { process, patience: rhythm.patience, silence, pen, reader, left: 0 })
    }

    /// Waits for something to read; whether anything comes.
    fn wait(&mut self) -> io::Result<bool> {
        loop {
            match self.reader.fill_buf() {
                Ok(bytes) => return Ok(!bytes.is_empty()),
                // So it is called when a process goes on after it was stopped.
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.unheard(error)),
            }
        }
    }

    /// What an error of reading means.
    fn unheard(&self, error: io::Error) -> io::Error {
        if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) {
            let said =
                format!("process {} of the cluster was lost: it was silent for {:?}", self.process, self.patience);
            // Who was silent first is told.
            let _ = self.silence.set(said);
            // It may be closed already.
            let _ = self.reader.get_ref().shutdown(Shutdown::Both);
        }
        error
    }

    /// The length of the next frame with something in it; none at the end.
    fn next_frame(&mut self) -> io::Result<Option<usize>> {
        loop {
            let mut length = [0; 4];
            for byte in &mut length {
                if !self.wait()? {
                    return Ok(None);
                }
                *byte = self.reader.buffer()[0];
                self.reader.consume(1);
            }
            match u32::from_le_bytes(length) as usize {
                0 => {}
                length if length <= FRAME => return Ok(Some(length)),
                _ => return Err(io::Error::new(ErrorKind::InvalidData, "a frame is too long")),
            }
        }
    }
}

/// Says now and then that this process lives, as long as somebody may hear it.
fn beat(pen: &Weak<Mutex<Pen>>, every: Duration) {
    loop {
        std::thread::sleep(every);
        let Some(pen) = pen.upgrade() else { return };
        if pen.lock().unwrap_or_else(PoisonError::into_inner).write(&[]).is_err() {
            return;
        }
    }
}

impl Read for Line {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            let Some(length) = self.next_frame()? else { return Ok(0) };
            self.left = length;
        }
        if !self.wait()? {
            return Ok(0);
        }
        let most = self.left.min(to.len());
        let read = self.reader.read(&mut to[..most])?;
        self.left -= read;
        Ok(read)
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // An empty frame would be a heartbeat.
        if bytes.is_empty() {
            return Ok(0);
        }
        let part = &bytes[..bytes.len().min(FRAME)];
        self.pen.lock().unwrap_or_else(PoisonError::into_inner).write(part)?;
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Line {
    /// Another handle, for who writes while this one reads: what was read and not yet taken stays here.
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self {
            process: self.process,
            patience: self.patience,
            silence: Arc::clone(&self.silence),
            pen: Arc::clone(&self.pen),
            reader: BufReader::with_capacity(FRAME, self.reader.get_ref().try_clone()?),
            left: 0,
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.reader.get_ref().set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Not in the middle of a heartbeat.
        self.pen.lock().unwrap_or_else(PoisonError::into_inner).stream.shutdown(how)
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::time::Instant;

    use super::*;

    const QUICK: Rhythm = Rhythm { beat: Duration::from_millis(50), patience: Duration::from_secs(1) };

    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let caller = TcpStream::connect(listener.local_addr().expect("an address")).expect("it listens");
        (caller, listener.accept().expect("somebody calls").0)
    }

    fn line(stream: TcpStream, silence: &Silence) -> Line {
        Line::new(stream, 7, QUICK, Arc::clone(silence)).expect("the connection is there")
    }

    #[test]
    fn who_has_nothing_to_say_for_long_is_heard_later() {
        let ((a, b), silence) = (pair(), Silence::default());
        let (mut a, mut b) = (line(a, &silence), line(b, &silence));
        let sent: Vec<u8> = (0..200_000u32).map(|i| i as u8).collect();
        let expected = sent.clone();
        let busy = std::thread::spawn(move || {
            std::thread::sleep(2 * QUICK.patience);
            a.write_all(&sent).expect("the other one listens");
            std::thread::sleep(Duration::from_millis(120));
            a.shutdown(Shutdown::Write).expect("it is open");
        });
        let mut heard = Vec::new();
        b.read_to_end(&mut heard).expect("the heart beats");
        assert!(heard == expected, "{} bytes", heard.len());
        assert_eq!(silence.get(), None);
        busy.join().expect("nothing went wrong");
    }

    #[test]
    fn who_is_silent_is_lost_and_who_writes_to_it_is_told() {
        let ((a, silent), silence) = (pair(), Silence::default());
        let mut line = line(a, &silence);
        let mut writer = line.try_clone().expect("the connection is there");
        // Nobody reads: it is full at last.
        let blocked = std::thread::spawn(move || while writer.write(&[1; FRAME]).is_ok() {});
        let started = Instant::now();
        assert!(line.read(&mut [0; 8]).is_err());
        assert!(started.elapsed() >= QUICK.patience / 2);
        blocked.join().expect("nothing went wrong");
        assert!(silence.get().is_some_and(|who| who.contains("process 7") && who.contains("silent for 1s")));
        drop(silent);
    }
}
