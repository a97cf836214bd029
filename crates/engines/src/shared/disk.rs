//! States on disk, when memory is short: duplicates are detected later, level by level (delayed duplicate detection; Roscoe
//! 1994, Stern and Dill 1998, Korf 2004).
//!
//! Threads collect successors; a buffer that is full is sorted and becomes a *run* in a file. When a level is done, its runs
//! are merged, what one of the visited runs has is left out, and the rest is the next level and one more visited run. Visited
//! runs grow geometrically: two of similar length become one. Everything is read and written in order; a level costs one
//! pass over all that was visited, so this is for state spaces that are wide rather than deep.
//!
//! A row is a state and the number of its level, by which the way back is found: of a state of level n, a state of level
//! n - 1 leads to it.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use evidence::{Budget, Reason};

use super::{Full, Inserted, Means, Visited};
use crate::sealed::{Reader, Writer};

/// At most so many runs are merged at once.
const FAN_IN: usize = 16;
/// How the names of files begin and end, as long as they have one.
const START: &str = "impasse-";
const END: &str = ".run";
/// The fewest rows of a thread's buffer, and the fewest bytes of a file's.
const FEWEST_ROWS: usize = 64;
const FEWEST_BYTES: usize = 512;
/// How many rows pass between two looks at the budget.
const PATIENCE: u64 = 1 << 12;

/// Numbers for names: several searches of one process may share a folder.
static FILES: AtomicU64 = AtomicU64::new(0);

/// Rows in a file, in order. The file has no name any more, where the system allows it, so that nothing stays behind.
#[derive(Debug)]
struct Run {
    file: File,
    rows: u64,
    /// Its name, if it still has one.
    name: Option<PathBuf>,
}

impl Drop for Run {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            // Nobody reads what may stay behind.
            let _ = fs::remove_file(name);
        }
    }
}

/// Reads the rows of a run.
#[derive(Debug)]
pub(crate) struct Rows {
    file: BufReader<File>,
    left: u64,
    /// The row that is looked at, with its level.
    row: Vec<u64>,
}

impl Rows {
    /// How many were not read.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Reads the next row.
    pub(crate) fn next(&mut self) -> io::Result<Option<&[u64]>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let mut bytes = [0; 8];
        for word in &mut self.row {
            self.file.read_exact(&mut bytes)?;
            *word = u64::from_le_bytes(bytes);
        }
        Ok(Some(&self.row))
    }
}

/// A reader that has a row at hand, until there are no more.
struct Head {
    rows: Rows,
    is_there: bool,
}

impl Head {
    fn new(rows: Rows) -> io::Result<Self> {
        let mut head = Self { rows, is_there: true };
        head.advance()?;
        Ok(head)
    }

    fn advance(&mut self) -> io::Result<()> {
        self.is_there = self.rows.next()?.is_some();
        Ok(())
    }
}

/// Merges runs: tells each row once, in order; of equal states, the one of the first run.
struct Merge {
    heads: Vec<Head>,
    words: usize,
}

impl Merge {
    /// Writes the next row.
    fn next(&mut self, row: &mut [u64]) -> io::Result<bool> {
        let (heads, words) = (&mut self.heads, self.words);
        let mut least: Option<&Head> = None;
        for head in heads.iter().filter(|head| head.is_there) {
            if least.is_none_or(|least| head.rows.row[..words] < least.rows.row[..words]) {
                least = Some(head);
            }
        }
        let Some(least) = least else { return Ok(false) };
        row.copy_from_slice(&least.rows.row);
        #[cfg(test)]
        if SLIPS.get() && heads.len() > 1 && heads[0].is_there {
            heads[0].advance()?;
        }
        for head in heads.iter_mut() {
            while head.is_there && head.rows.row[..words] == row[..words] {
                head.advance()?;
            }
        }
        Ok(true)
    }
}

/// The set of states in files.
#[derive(Debug)]
pub(crate) struct Disk {
    words: usize,
    folder: PathBuf,
    /// The rows of a thread's buffer, and the bytes of a file's.
    rows: usize,
    bytes: usize,
    threads: u64,
    /// What was collected since the level began.
    found: Mutex<Vec<Run>>,
    visited: Vec<Run>,
    trouble: Mutex<Option<Reason>>,
}

/// What a thread has collected.
#[derive(Debug)]
pub(crate) struct Buffer {
    rows: Vec<u64>,
    order: Vec<u32>,
}

impl Disk {
    /// A set in a folder of states of so many words, for some threads, in about so many bytes of memory.
    pub(crate) fn new(folder: &Path, words: usize, threads: usize, memory: u64) -> Result<Self, Reason> {
        let trouble = |e: io::Error| Reason::Files(format!("no states can be kept in {}: {e}", folder.display()));
        fs::create_dir_all(folder).map_err(trouble)?;
        // Who was killed while it made a file has left its name. Files in use have none, or cannot be removed.
        for path in fs::read_dir(folder).map_err(trouble)?.flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with(START) && name.ends_with(END) {
                let _ = fs::remove_file(&path);
            }
        }
        // A row in a buffer has a number beside it while it is sorted.
        let row = 8 * words as u64 + 4;
        Ok(Self {
            words,
            folder: folder.to_owned(),
            rows: ((memory / 2 / threads as u64 / row) as usize).clamp(FEWEST_ROWS, u32::MAX as usize),
            bytes: ((memory / 4) as usize / (2 * FAN_IN + 2)).clamp(FEWEST_BYTES, 1 << 20),
            threads: threads as u64,
            found: Mutex::default(),
            visited: Vec::new(),
            trouble: Mutex::default(),
        })
    }

    fn told(&self, e: &io::Error) -> Reason {
        Reason::Files(format!("the states in {} cannot be kept: {e}", self.folder.display()))
    }

    /// Writes a run. Every row is told to `rows`, which writes its words.
    fn write(
        &self,
        mut rows: impl FnMut(&mut dyn FnMut(&[u64]) -> io::Result<()>) -> io::Result<()>,
    ) -> io::Result<Run> {
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let name = self.folder.join(format!("{START}{}-{number}{END}", std::process::id()));
        let file = File::options().read(true).write(true).create_new(true).open(&name)?;
        let name = fs::remove_file(&name).is_err().then_some(name);
        let mut run = Run { file, rows: 0, name };
        let mut to = BufWriter::with_capacity(self.bytes, &run.file);
        let mut count = 0;
        rows(&mut |words| {
            count += 1;
            words.iter().try_for_each(|word| to.write_all(&word.to_le_bytes()))
        })?;
        to.flush()?;
        drop(to);
        run.rows = count;
        Ok(run)
    }

    fn read(&self, run: &Run) -> io::Result<Rows> {
        let mut file = run.file.try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        let file = BufReader::with_capacity(self.bytes, file);
        Ok(Rows { file, left: run.rows, row: vec![0; self.words + 1] })
    }

    fn merge(&self, runs: &[Run]) -> io::Result<Merge> {
        let heads = runs.iter().map(|run| Head::new(self.read(run)?)).collect::<io::Result<_>>()?;
        Ok(Merge { heads, words: self.words })
    }

    /// Some runs as one.
    fn joined(&self, runs: &[Run]) -> io::Result<Run> {
        let (mut merge, mut row) = (self.merge(runs)?, vec![0; self.words + 1]);
        self.write(|tell| {
            while merge.next(&mut row)? {
                tell(&row)?;
            }
            Ok(())
        })
    }

    /// Sorts what a thread has collected into a run of states that differ; their level is not known yet.
    fn hand_in(&self, buffer: &mut Buffer) -> io::Result<()> {
        let (words, rows) = (self.words, &buffer.rows);
        let row = |i: u32| &rows[i as usize * words..(i as usize + 1) * words];
        let order = &mut buffer.order;
        order.clear();
        order.extend(0..(rows.len() / words) as u32);
        if order.is_empty() {
            return Ok(());
        }
        order.sort_unstable_by(|&a, &b| row(a).cmp(row(b)));
        order.dedup_by(|a, b| row(*a) == row(*b));
        let run = self.write(|tell| {
            let mut whole = vec![0; words + 1];
            order.iter().try_for_each(|&i| {
                whole[..words].copy_from_slice(row(i));
                tell(&whole)
            })
        })?;
        buffer.rows.clear();
        let mut found = self.found.lock().expect("nobody panics with the runs");
        found.push(run);
        if found.len() == FAN_IN {
            let joined = self.joined(&found)?;
            *found = vec![joined];
        }
        Ok(())
    }

    /// Leaves out of what was found all that was visited.
    fn sift(&self, level: u64, budget: &Budget, each: &mut dyn FnMut(&[u64])) -> Result<Run, Failed> {
        let found = self.found.lock().expect("nobody panics with the runs");
        let mut merge = self.merge(&found)?;
        let mut visited = self.visited.iter().map(|run| Head::new(self.read(run)?)).collect::<io::Result<Vec<_>>>()?;
        let (mut row, mut passed, mut spent) = (vec![0; self.words + 1], 0u64, Ok(()));
        let run = self.write(|tell| {
            while merge.next(&mut row)? {
                row[self.words] = level;
                let state = &row[..self.words];
                let mut is_old = false;
                for head in &mut visited {
                    while head.is_there && head.rows.row[..self.words] < *state {
                        head.advance()?;
                        passed += 1;
                    }
                    is_old |= head.is_there && head.rows.row[..self.words] == *state;
                }
                if !is_old {
                    each(state);
                    tell(&row)?;
                }
                passed += 1;
                if passed >= PATIENCE {
                    passed = 0;
                    spent = budget.check(self.bytes());
                    if spent.is_err() {
                        return Ok(());
                    }
                }
            }
            Ok(())
        })?;
        spent?;
        Ok(run)
    }

    /// Adds a run to those that were visited; two of similar length become one.
    fn visit(&mut self, run: Run) -> io::Result<()> {
        self.visited.push(run);
        while let [.., before, last] = &self.visited[..]
            && (before.rows <= 2 * last.rows || self.visited.len() > FAN_IN)
        {
            let joined = self.joined(&self.visited[self.visited.len() - 2..])?;
            self.visited.truncate(self.visited.len() - 2);
            self.visited.push(joined);
        }
        Ok(())
    }
}

#[cfg(test)]
thread_local! {
    /// A planted bug: a row of the first run is passed over with each row of another.
    pub(crate) static SLIPS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Why something did not work out: files, or the budget.
enum Failed {
    Files(io::Error),
    Budget(Reason),
}

impl From<io::Error> for Failed {
    fn from(e: io::Error) -> Self {
        Failed::Files(e)
    }
}

impl From<Reason> for Failed {
    fn from(reason: Reason) -> Self {
        Failed::Budget(reason)
    }
}

impl Visited for Disk {
    type Desk = Buffer;

    const EXACT: bool = true;
    const TELLS: bool = false;
    const LATER: bool = true;

    fn desk(&self) -> Buffer {
        Buffer { rows: Vec::new(), order: Vec::new() }
    }

    fn open(&self, _: u64, _: &mut Buffer, _: &mut [u64]) {
        unreachable!("states on disk have no numbers");
    }

    #[inline]
    fn key(&self, _: &[u64], _: &mut Buffer) -> Result<u64, Full> {
        Ok(0)
    }

    #[inline]
    fn touch(&self, _: u64) -> u64 {
        0
    }

    #[inline]
    fn insert(&self, state: &[u64], _: u64, desk: &mut Buffer) -> Result<Inserted, Full> {
        if desk.rows.len() >= self.rows * self.words {
            if let Err(e) = self.hand_in(desk) {
                *self.trouble.lock().expect("nobody panics here") = Some(self.told(&e));
                return Err(Full(0));
            }
        } else if desk.rows.len() == desk.rows.capacity() {
            let more = (desk.rows.len().max(FEWEST_ROWS * self.words)).min(self.rows * self.words - desk.rows.len());
            desk.rows.reserve_exact(more);
        }
        desk.rows.extend_from_slice(state);
        Ok(Inserted::Old(0))
    }

    fn add(&self, _: u64) -> Option<Full> {
        None
    }

    /// The buffers, full or not.
    fn bytes(&self) -> u64 {
        let files = 2 * FAN_IN + 2;
        self.threads * (self.rows * (8 * self.words + 4)) as u64 + (files * self.bytes) as u64
    }

    /// There is always room, unless something is wrong.
    fn grow(&mut self, _: Full, _: &Means<'_>) -> Result<(), Reason> {
        self.trouble.get_mut().expect("nobody panics here").take().map_or(Ok(()), Err)
    }

    fn omission(&self) -> f64 {
        0.0
    }

    fn save(&self, _: &mut Writer) -> io::Result<()> {
        Err(io::Error::other("there are no checkpoints of states on disk"))
    }

    fn load(&mut self, _: &mut Reader) -> io::Result<()> {
        Err(io::Error::other("there are no checkpoints of states on disk"))
    }

    fn hand_in(&self, desk: &mut Buffer) -> Result<(), Reason> {
        Disk::hand_in(self, desk).map_err(|e| self.told(&e))
    }

    fn settle(&mut self, level: u64, budget: &Budget, each: &mut dyn FnMut(&[u64])) -> Result<Rows, Reason> {
        let mut settle = || -> Result<Rows, Failed> {
            let run = self.sift(level, budget, each)?;
            self.found.get_mut().expect("nobody panics with the runs").clear();
            // The level is read from its own file, though its rows may soon be in another one, too.
            let (file, rows) = (run.file.try_clone()?, run.rows);
            self.visit(run)?;
            self.read(&Run { file, rows, name: None }).map_err(Failed::Files)
        };
        match settle() {
            Ok(rows) => Ok(rows),
            Err(Failed::Budget(reason)) => Err(reason),
            Err(Failed::Files(e)) => Err(self.told(&e)),
        }
    }

    fn of_level(&self, level: u64, each: &mut dyn FnMut(&[u64]) -> Result<bool, Reason>) -> Result<(), Reason> {
        for run in &self.visited {
            let mut rows = self.read(run).map_err(|e| self.told(&e))?;
            while let Some(row) = rows.next().map_err(|e| self.told(&e))? {
                if row[self.words] == level && each(&row[..self.words])? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
