//! Files of numbers that are written whole or not at all, and read only if they are as they were written.
//!
//! A file is written beside its place under another name, brought to the disk, and then moved to its place in one step: who
//! is killed meanwhile leaves the file that was there before. It begins with what it is, whose ([`Label`]) and of which
//! [`Run`], and ends with a sum over everything before. The sum guards against accidents (a file cut short, a bad disk), not against somebody who
//! means harm.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// What files of this kind begin with; the digits are the version of what follows.
const MAGIC: u64 = u64::from_le_bytes(*b"impasse2");
/// How many bytes are collected before they are written or read: a multiple of 8.
const BUFFER: usize = 1 << 16;

/// Whose file it is: of which model and options, and of which questions. Numbers stand for texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) model: u128,
    pub(crate) questions: u128,
}

/// One search among all that have the same label: files of different ones do not fit together. It stays the same when a
/// search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run(pub(crate) u64);

impl Run {
    /// One that is like no other.
    pub(crate) fn new() -> Self {
        Self(crate::lock::random())
    }
}

/// How many bytes there are before what was written.
const HEAD: usize = 48;

/// Why a file cannot be read.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// There is none.
    Missing,
    /// It is of something else.
    Foreign,
    /// It is not what was written.
    Broken(String),
}

impl From<io::Error> for Unreadable {
    fn from(e: io::Error) -> Self {
        if e.kind() == io::ErrorKind::NotFound { Unreadable::Missing } else { Unreadable::Broken(e.to_string()) }
    }
}

/// A sum over words in their order.
#[derive(Clone, Copy, Debug)]
struct Sum(u64, u64);

impl Sum {
    const START: Sum = Sum(0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344);

    fn add(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let word = u64::from_le_bytes(word);
            self.0 = fold(self.0 ^ word, 0x9e37_79b9_7f4a_7c15).wrapping_add(self.1);
            self.1 = self.1.rotate_left(23) ^ word;
        }
    }

    fn value(self) -> u128 {
        (u128::from(fold(self.0, 0xd6e8_feb8_6659_fd93)) << 64) | u128::from(self.1)
    }
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A number that stands for a text that is written.
pub(crate) fn fingerprint(text: std::fmt::Arguments<'_>) -> u128 {
    /// Collects text in whole words.
    struct Collected(Sum, Vec<u8>);
    impl std::fmt::Write for Collected {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.1.extend_from_slice(text.as_bytes());
            if self.1.len() >= BUFFER {
                let whole = self.1.len() / 8 * 8;
                self.0.add(&self.1[..whole]);
                self.1.drain(..whole);
            }
            Ok(())
        }
    }
    let mut collected = Collected(Sum::START, Vec::new());
    std::fmt::write(&mut collected, text).expect("collecting does not fail");
    let length = collected.1.len() as u64;
    collected.0.add(&collected.1);
    collected.0.add(&length.to_le_bytes());
    collected.0.value()
}

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct Writer {
    file: File,
    buffer: Vec<u8>,
    sum: Sum,
}

impl Writer {
    fn create(path: &Path, label: Label, run: Run) -> io::Result<Self> {
        let mut writer = Self { file: File::create(path)?, buffer: Vec::with_capacity(BUFFER), sum: Sum::START };
        writer.word(MAGIC)?;
        for number in [label.model, label.questions] {
            writer.word(number as u64)?;
            writer.word((number >> 64) as u64)?;
        }
        writer.word(run.0)?;
        Ok(writer)
    }

    pub(crate) fn word(&mut self, word: u64) -> io::Result<()> {
        self.number::<8>(word)
    }

    /// Some numbers of so many bytes each, after how many they are.
    pub(crate) fn numbers<const BYTES: usize>(
        &mut self,
        mut numbers: impl ExactSizeIterator<Item = u64>,
    ) -> io::Result<()> {
        self.word(numbers.len() as u64)?;
        numbers.try_for_each(|number| self.number::<BYTES>(number))
    }

    #[inline]
    fn number<const BYTES: usize>(&mut self, number: u64) -> io::Result<()> {
        self.buffer.extend_from_slice(&number.to_le_bytes()[..BYTES]);
        if self.buffer.len() >= BUFFER { self.pass() } else { Ok(()) }
    }

    /// Writes what is collected, in whole words.
    fn pass(&mut self) -> io::Result<()> {
        let whole = self.buffer.len() / 8 * 8;
        self.sum.add(&self.buffer[..whole]);
        self.file.write_all(&self.buffer[..whole])?;
        self.buffer.drain(..whole);
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        while !self.buffer.len().is_multiple_of(8) {
            self.buffer.push(0);
        }
        self.pass()?;
        self.file.write_all(&self.sum.value().to_le_bytes())?;
        self.file.sync_all()
    }
}

/// Where a file is while it is not whole.
pub(crate) fn beside(path: &Path) -> std::path::PathBuf {
    path.with_extension("new")
}

/// Writes a file whole, or leaves what was there.
pub(crate) fn write(
    path: &Path,
    (label, run): (Label, Run),
    body: impl FnOnce(&mut Writer) -> io::Result<()>,
) -> io::Result<()> {
    let beside = beside(path);
    let written = Writer::create(&beside, label, run).and_then(|mut writer| {
        body(&mut writer)?;
        writer.finish()
    });
    let moved = written.and_then(|()| fs::rename(&beside, path));
    if moved.is_err() {
        // Whatever it is, nobody reads it.
        let _ = fs::remove_file(&beside);
    }
    moved?;
    // The new name is on the disk once the folder is.
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// A file that is as it was written.
#[derive(Debug)]
pub(crate) struct Reader {
    file: io::BufReader<File>,
    length: u64,
    run: Run,
}

impl Reader {
    /// Opens a file with this label, unless it is not as it was written.
    pub(crate) fn open(path: &Path, label: Label) -> Result<Self, Unreadable> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let (found, run) = check(&mut file, length)?;
        if found != label {
            return Err(Unreadable::Foreign);
        }
        file.seek(SeekFrom::Start(HEAD as u64))?;
        Ok(Self { file: io::BufReader::with_capacity(BUFFER, file), length, run })
    }

    /// How long the file is.
    pub(crate) fn bytes(&self) -> u64 {
        self.length
    }

    /// The search that wrote it.
    pub(crate) fn run(&self) -> Run {
        self.run
    }

    pub(crate) fn word(&mut self) -> io::Result<u64> {
        self.number::<8>()
    }

    /// The numbers that were written together.
    pub(crate) fn numbers<const BYTES: usize>(&mut self) -> io::Result<Vec<u64>> {
        let mut numbers = Vec::new();
        self.each::<BYTES>(|number| numbers.push(number))?;
        Ok(numbers)
    }

    /// Tells the numbers that were written together, one after the other; how many they were.
    pub(crate) fn each<const BYTES: usize>(&mut self, mut tell: impl FnMut(u64)) -> io::Result<u64> {
        let count = self.word()?;
        for _ in 0..count {
            tell(self.number::<BYTES>()?);
        }
        Ok(count)
    }

    #[inline]
    fn number<const BYTES: usize>(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.file.read_exact(&mut bytes[..BYTES])?;
        Ok(u64::from_le_bytes(bytes))
    }
}

/// The label of a file that begins as one of these does, whole or not.
pub(crate) fn label(path: &Path) -> Option<Label> {
    let mut head = [0; HEAD];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).ok()?;
    read_head(&head).map(|(label, _)| label)
}

fn read_head(head: &[u8; HEAD]) -> Option<(Label, Run)> {
    let number = |at: usize| u128::from_le_bytes(head[at..at + 16].try_into().expect("there are so many"));
    let run = Run(u64::from_le_bytes(head[40..].try_into().expect("there are so many")));
    (head[..8] == MAGIC.to_le_bytes()).then(|| (Label { model: number(8), questions: number(24) }, run))
}

/// Whose file it is, if it is whole.
fn check(file: &mut File, length: u64) -> Result<(Label, Run), Unreadable> {
    let broken = |why: &str| Err(Unreadable::Broken(why.to_owned()));
    if length < HEAD as u64 + 16 || !length.is_multiple_of(8) {
        return broken("it is cut short");
    }
    let (mut sum, mut buffer, mut left) = (Sum::START, vec![0; BUFFER], length - 16);
    let mut head = [0; HEAD];
    file.read_exact(&mut head)?;
    sum.add(&head);
    left -= HEAD as u64;
    let Some(found) = read_head(&head) else {
        return broken("it is no such file, or one of another version");
    };
    while left > 0 {
        let part = BUFFER.min(left as usize);
        file.read_exact(&mut buffer[..part])?;
        sum.add(&buffer[..part]);
        left -= part as u64;
    }
    let mut last = [0; 16];
    file.read_exact(&mut last)?;
    if last != sum.value().to_le_bytes() {
        return broken("its check sum is wrong");
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABEL: Label = Label { model: 7 << 70, questions: 9 };

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("impasse-sealed-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("there is a place for temporary files");
        folder
    }

    fn write_some(path: &Path) {
        let written = write(path, (LABEL, Run(11)), |to| {
            to.word(5)?;
            to.numbers::<2>((0..1000u32).map(|i| u64::from(i * 61 % 65_536)))?;
            to.numbers::<4>([1, 2, u64::from(u32::MAX)].into_iter())?;
            to.numbers::<8>((0..20_000u32).map(|i| u64::from(i) << 40))
        });
        written.expect("there is room");
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = folder("same");
        let path = folder.join("a.checkpoint");
        write_some(&path);
        let mut from = Reader::open(&path, LABEL).expect("it is whole");
        assert_eq!((from.run(), from.word().ok()), (Run(11), Some(5)));
        assert_eq!(from.numbers::<2>().ok(), Some((0..1000).map(|i| i * 61 % 65_536).collect()));
        assert_eq!(from.numbers::<4>().ok(), Some(vec![1, 2, u64::from(u32::MAX)]));
        assert_eq!(from.numbers::<8>().ok(), Some((0..20_000).map(|i| i << 40).collect()));
        let other = Label { model: 1, ..LABEL };
        assert!(matches!(Reader::open(&path, other), Err(Unreadable::Foreign)));
        assert!(matches!(Reader::open(&folder.join("b"), LABEL), Err(Unreadable::Missing)));
        fs::remove_dir_all(folder).expect("it is there");
    }

    /// Every way to cut the file short, and flips of single bits all over it.
    #[test]
    fn what_is_not_whole_is_not_read() {
        let folder = folder("broken");
        let path = folder.join("a.checkpoint");
        write_some(&path);
        let whole = fs::read(&path).expect("it is there");
        let refused = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("there is room");
            matches!(Reader::open(&path, LABEL), Err(Unreadable::Broken(_) | Unreadable::Foreign))
        };
        assert!((0..whole.len()).step_by(997).all(|length| refused(&whole[..length])), "cut short");
        assert!((whole.len() - 40..whole.len()).all(|length| refused(&whole[..length])), "cut a little short");
        for bit in (0..8 * whole.len()).step_by(12_347).chain(0..8 * 64) {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(refused(&bytes), "bit {bit}");
        }
        // What is swapped is there, but not in its place.
        let mut bytes = whole.clone();
        bytes[100 * 8..102 * 8].rotate_left(8);
        assert!(bytes == whole || refused(&bytes), "swapped");
        assert!(!refused(&whole), "this test can fail");
        fs::remove_dir_all(folder).expect("it is there");
    }

    #[test]
    fn a_failure_leaves_what_was_there() {
        let folder = folder("failed");
        let path = folder.join("a.checkpoint");
        write_some(&path);
        let failed = write(&path, (LABEL, Run(11)), |to| {
            to.numbers::<8>((0..100_000u32).map(u64::from))?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(failed.is_err());
        assert!(Reader::open(&path, LABEL).is_ok());
        assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 1, "nothing is left beside");
        fs::remove_dir_all(folder).expect("it is there");
    }

    #[test]
    fn texts_have_fingerprints() {
        let long = "x".repeat(BUFFER + 3);
        let other = "x".repeat(BUFFER + 4);
        assert_eq!(fingerprint(format_args!("{long}")), fingerprint(format_args!("{}{}", &long[..9], &long[9..])));
        let all =
            [fingerprint(format_args!("{long}")), fingerprint(format_args!("{other}")), fingerprint(format_args!("x"))];
        assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
    }
}
