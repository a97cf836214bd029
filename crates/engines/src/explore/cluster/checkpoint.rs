//! Checkpoints of workers: each has a file of its own for a level, written when all states of the level are there and none
//! is expanded. Files of one level fit together, because all workers write at the same levels: somebody for whom it is time
//! says so when a level is done, and all hear it. The two last levels are kept, so that there is always one that all have. Who
//! cannot write tells all others before the next checkpoint is due: nobody writes any more, and the last level that all have stays.
//!
//! States have numbers in the order in which they came, so files of two searches do not fit together, even if all else is the
//! same: each has the number of its search in it (`sealed::Run`), and all workers compare these before they go on. Nothing of a
//! new search is written before all files of an old one are gone, so only somebody's hand can mix them: that is refused. So is
//! a file under the name of another worker or level, because whose it is and of which level is sealed in it, too.
//! A file that is not as it was written is as good as none, if there is an older level that all have.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

use evidence::Reason;

use super::worker::States;
use crate::explore::breadth::{Place, SHARE};
use crate::lock::Lock;
use crate::sealed::{self, Label, Reader, Run, Unreadable};
use crate::store::{Inserted, hash};

/// The checkpoints of one worker.
#[derive(Debug)]
pub(super) struct Keeper {
    place: Option<Place>,
    /// Held while the search runs.
    lock: Option<Lock>,
    run: Run,
    /// How the names of this worker's files begin.
    name: String,
    due: Option<Instant>,
    /// The levels that were saved, and those whose files cannot be used.
    saved: Vec<u64>,
    damaged: Vec<u64>,
    /// Whether it is agreed where all begin.
    begun: bool,
    /// Whether some worker could not write: nobody does from then on.
    given_up: bool,
    /// Whether it was this one, and the others have not been told.
    untold: bool,
    /// What the user should know at the end.
    pub(super) notes: Vec<String>,
}

/// What a worker says about its checkpoints before the search begins.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Stock {
    /// The levels of which there is a whole file, the last first, each with the search that wrote it and its name.
    whole: Vec<(u64, u64, String)>,
    /// The levels of which there is a file that is not as it was written, and what is wrong with it.
    damaged: Vec<(u64, String)>,
    /// The number of the search, if it is a new one.
    new: u64,
}

/// Where all workers go on.
pub(super) struct Beginning {
    /// The last level that all have whole, unless they begin anew.
    pub(super) level: Option<u64>,
    run: Run,
    /// What the user should know.
    notes: Vec<String>,
}

impl Beginning {
    /// What all conclude from what all say, in the order of the workers.
    pub(super) fn of(all: &[Stock]) -> Result<Self, String> {
        let mut files = all.iter().flat_map(|stock| &stock.whole);
        let first = files.next();
        if let Some((_, run, name)) = first
            && let Some((_, _, other)) = files.find(|(_, other, _)| other != run)
        {
            return Err(format!("{name} and {other} are of different searches, and were mixed: remove those of one"));
        }
        let levels = |stock: &Stock| stock.whole.iter().map(|(level, ..)| *level).collect::<Vec<u64>>();
        let common = all.iter().map(levels).reduce(|a, b| a.into_iter().filter(|l| b.contains(l)).collect());
        let level = common.and_then(|levels| levels.first().copied());
        let newer: Vec<&str> = all
            .iter()
            .flat_map(|stock| &stock.damaged)
            .filter_map(|(damaged, why)| level.is_none_or(|level| *damaged > level).then_some(why.as_str()))
            .collect();
        let notes = match (level, &newer[..], first) {
            (None, [why, ..], _) => {
                return Err(format!(
                    "{why}, and there is no older level that all workers have: remove all to begin anew"
                ));
            }
            (None, [], Some((level, _, name))) => {
                vec![format!("the search began anew: {name} is of level {level}, and others have nothing that fits")]
            }
            (None, [], None) => Vec::new(),
            (Some(level), newer, _) => {
                newer.iter().map(|why| format!("{why}: level {level} was taken instead")).collect()
            }
        };
        let run = first.filter(|_| level.is_some()).map_or(all[0].new, |(_, run, _)| *run);
        Ok(Self { level, run: Run(run), notes })
    }
}

impl Keeper {
    pub(super) fn new(place: Option<Place>, own: u32, peers: u32) -> Self {
        let due = place.as_ref().and_then(|place| Instant::now().checked_add(place.every));
        let name = format!("worker-{own}-of-{peers}-level-");
        let (saved, damaged, notes) = Default::default();
        let (begun, given_up, untold) = (false, false, false);
        Self { place, lock: None, run: Run::new(), name, due, saved, damaged, begun, given_up, untold, notes }
    }

    /// Writes no more, because some worker cannot.
    pub(super) fn give_up(&mut self) {
        self.given_up = true;
        self.due = None;
    }

    /// Whether a checkpoint could not be written; said once.
    pub(super) fn has_failed_lately(&mut self) -> bool {
        std::mem::take(&mut self.untold)
    }

    /// Whether it is time.
    pub(super) fn is_due(&self) -> bool {
        self.due.is_some_and(|due| Instant::now() >= due)
    }

    fn path(&self, place: &Place, level: u64) -> PathBuf {
        place.beside(&format!("{}{level}", self.name))
    }

    /// What is sealed in the file of a level: a copy under another name is none of its kind.
    fn label(&self, place: &Place, level: u64) -> Label {
        let Label { model, questions } = place.label;
        Label { model, questions: sealed::fingerprint(format_args!("{questions:032x} {}{level}", self.name)) }
    }

    /// Takes the files of this worker for its own, and looks at them; or why they cannot be used.
    pub(super) fn stock(&mut self) -> Result<Stock, Reason> {
        let mut stock = Stock { whole: Vec::new(), damaged: Vec::new(), new: self.run.0 };
        let Some(place) = &self.place else { return Ok(stock) };
        self.lock = Some(place.lock(&place.beside(self.name.trim_end_matches("-level-")))?);
        let mut levels: Vec<u64> = place.names_beside(&self.name).iter().filter_map(|rest| rest.parse().ok()).collect();
        levels.sort_unstable_by(|a, b| b.cmp(a));
        for level in levels {
            let path = self.path(place, level);
            let name = path.display().to_string();
            match Reader::open(&path, self.label(place, level)) {
                Ok(reader) => stock.whole.push((level, reader.run().0, name)),
                Err(Unreadable::Missing) => {}
                Err(Unreadable::Foreign) => {
                    let whose = "of another search, worker or level, or of another version";
                    return Err(Reason::Files(format!("{name} is {whose}: remove it")));
                }
                Err(Unreadable::Broken(why)) => {
                    stock.damaged.push((level, format!("{name} is not as it was written ({why})")));
                }
            }
        }
        self.saved = stock.whole.iter().map(|(level, ..)| *level).collect();
        self.damaged = stock.damaged.iter().map(|(level, _)| *level).collect();
        Ok(stock)
    }

    /// Writes a checkpoint of a level. Where that fails, the search goes on without.
    pub(super) fn save(&mut self, states: &States, level: u64) {
        let Some(place) = self.place.as_ref().filter(|_| !self.given_up) else { return };
        let start = Instant::now();
        let label = self.label(place, level);
        if let Err(e) = sealed::write(&self.path(place, level), (label, self.run), |to| states.save(to)) {
            let folder = place.beside("").parent().map(|f| f.display().to_string()).unwrap_or_default();
            self.notes.push(format!("no checkpoint could be written in {folder}: {e}; the search went on without"));
            self.untold = true;
            return self.give_up();
        }
        let pause = place.every.max(SHARE * start.elapsed());
        self.due = Instant::now().checked_add(pause);
        self.saved.push(level);
        self.saved.sort_unstable();
        // Everybody has the one before: nobody begins a level that somebody still saves.
        while self.saved.len() > 2 {
            let first = self.saved.remove(0);
            // One that stays is a file too many.
            let _ = fs::remove_file(self.path(place, first));
        }
    }

    /// Begins where all do, and removes what does not fit there.
    pub(super) fn begin(&mut self, states: &mut States, beginning: &Beginning) -> Result<(), Reason> {
        (self.run, self.begun) = (beginning.run, true);
        self.notes.extend_from_slice(&beginning.notes);
        if let Some(level) = beginning.level {
            self.load(states, level)?;
        }
        self.forget_after(beginning.level)
    }

    /// Removes the checkpoints after a level, or all, and those that cannot be used: states get other numbers from here on.
    fn forget_after(&mut self, level: Option<u64>) -> Result<(), Reason> {
        let Some(place) = &self.place else { return Ok(()) };
        let later = self.saved.extract_if(.., |saved| level.is_none_or(|level| *saved > level));
        for level in later.chain(self.damaged.drain(..)) {
            let path = place.beside(&format!("{}{level}", self.name));
            fs::remove_file(&path).map_err(|e| Reason::Files(format!("{} cannot be removed: {e}", path.display())))?;
        }
        Ok(())
    }

    /// Goes on from a checkpoint.
    fn load(&mut self, states: &mut States, level: u64) -> Result<(), Reason> {
        let place = self.place.as_ref().expect("only who has a place reads");
        let path = self.path(place, level);
        let changed = |_| Reason::Files(format!("{} has been changed since the search began", path.display()));
        let mut from = Reader::open(&path, self.label(place, level)).map_err(changed)?;
        if from.run() != self.run {
            return Err(changed(Unreadable::Foreign));
        }
        states.task.budget.check_memory(from.bytes())?;
        states.load(&mut from)?;
        self.notes.push(format!("the search went on from checkpoints of level {level}"));
        Ok(())
    }

    /// The search is done, or can be gone on with.
    pub(super) fn end(mut self, done: bool) -> Vec<String> {
        if let Some(place) = &self.place {
            if done {
                // Those that stay lead to the same answer.
                self.saved.iter().for_each(|level| drop(fs::remove_file(self.path(place, *level))));
                place.unfinished_beside(&self.name).iter().for_each(|path| drop(fs::remove_file(path)));
            } else if !self.begun {
                // What is there was refused, or not read.
            } else if self.given_up {
                if !self.saved.is_empty() {
                    self.notes.push("the same commands go on from the last checkpoints that all have".to_owned());
                }
            } else if let Some(level) = self.saved.iter().max() {
                self.notes.push(format!("there are checkpoints of level {level}: the same commands go on from there"));
            }
        }
        self.notes
    }
}

impl States {
    /// Writes all that the worker knows at the beginning of a level.
    fn save(&self, to: &mut sealed::Writer) -> io::Result<()> {
        let (stored, decided) = &self.heard;
        to.word(self.expanded as u64)?;
        to.word(self.depth)?;
        to.word(*stored)?;
        to.numbers::<1>(decided.iter().map(|d| u64::from(*d)))?;
        self.found.save(to)?;
        to.numbers::<8>(self.parents.iter().map(|(worker, number)| (u64::from(*worker) << 32) | u64::from(*number)))?;
        let states = (0..self.store.len() as u32).flat_map(|number| self.store.get(number));
        states.copied().try_for_each(|word| to.word(word))
    }

    /// Reads what was written.
    fn load(&mut self, from: &mut Reader) -> Result<(), Reason> {
        let broken = |e: io::Error| Reason::Files(format!("a checkpoint cannot be read: {e}"));
        let mut read = || -> io::Result<()> {
            self.expanded = from.word()? as usize;
            self.depth = from.word()?;
            self.heard.0 = from.word()?;
            self.heard.1 = from.numbers::<1>()?.into_iter().map(|d| d == 1).collect();
            self.found.load(from)?;
            self.parents = from.numbers::<8>()?.into_iter().map(|both| ((both >> 32) as u32, both as u32)).collect();
            Ok(())
        };
        read().map_err(broken)?;
        let mut state = vec![0; self.task.system.words()];
        for number in 0..self.parents.len() as u32 {
            for word in &mut state {
                *word = from.word().map_err(broken)?;
            }
            self.store.reserve(self.bytes_beside(), &self.task.budget)?;
            if self.store.insert(&state, hash(&state)) != Inserted::New(number) {
                return Err(Reason::Files("a checkpoint has a state twice: remove it to begin anew".to_owned()));
            }
        }
        Ok(())
    }
}
