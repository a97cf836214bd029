//! Checkpoints: all that a breadth-first search knows, in a file, so that it can go on after its process has ended.
//!
//! They are written where nobody works on the level: between levels, in the middle of one when all threads have paused, and
//! when the budget is used up. A file is written whole or not at all, and is only read if it is as it was written and belongs
//! to the same model, questions and options; else the search says so and does not start. A search that is done takes its
//! file away. See `sealed`. While a search runs nobody else uses its files (see `lock`).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use evidence::Reason;
use model::{Property, System};

use super::frontier::Frontier;
use super::waypoints::Waypoints;
use super::worker::{Common, Worker};
use crate::explore::findings::Findings;
use crate::explore::{Checkpoints, Explore};
use crate::lock::{Lock, Unlocked};
use crate::sealed::{self, Label, Reader, Run, Unreadable};
use crate::shared::Visited;

/// Checkpoints are written so seldom that they take at most one part of so many of the time.
pub(in crate::explore) const SHARE: u32 = 10;
const OLDER: &str = "there is an older checkpoint: the same command goes on from there";
/// How the names of checkpoints end.
const ENDING: &str = "checkpoint";

/// Where the checkpoints of a search are, and whose they are.
#[derive(Clone, Debug)]
pub(in crate::explore) struct Place {
    path: PathBuf,
    pub(in crate::explore) label: Label,
    pub(in crate::explore) every: Duration,
}

impl Place {
    /// A place in a folder, which must not have checkpoints of another model.
    pub(in crate::explore) fn new(
        Checkpoints { folder, every }: &Checkpoints,
        explore: &Explore,
        system: &System,
        properties: &[&Property],
    ) -> Result<Self, Reason> {
        // How many threads search makes no difference, nor where; workers have names for their files.
        let options = Explore {
            threads: 1,
            narrow: 1,
            #[cfg(feature = "cluster")]
            team: None,
            ..*explore
        };
        let model = sealed::fingerprint(format_args!("{} {options:?} {system:?}", env!("CARGO_PKG_VERSION")));
        let questions = sealed::fingerprint(format_args!("{properties:?}"));
        let wrong = |e: io::Error| Reason::Files(format!("no checkpoints in {}: {e}", folder.display()));
        fs::create_dir_all(folder).map_err(wrong)?;
        for entry in fs::read_dir(folder).map_err(wrong)? {
            let path = entry.map_err(wrong)?.path();
            let is_checkpoint = path.extension().is_some_and(|e| e == ENDING);
            if is_checkpoint && sealed::label(&path).is_some_and(|label| label.model != model) {
                return Err(foreign(&path));
            }
        }
        let path = folder.join(format!("explore-{:016x}.{ENDING}", questions as u64));
        Ok(Self { path, label: Label { model, questions }, every: *every })
    }

    /// Keeps others from using a file of the search and those that begin like it.
    pub(in crate::explore) fn lock(&self, path: &Path) -> Result<Lock, Reason> {
        Lock::new(&path.with_extension("lock")).map_err(|why| {
            let folder = path.parent().unwrap_or(path).display();
            Reason::Files(match why {
                Unlocked::Taken(who) => format!(
                    "another search for the same uses the checkpoints in {folder} ({who}): wait for its end, or name another \
                     folder"
                ),
                Unlocked::Failed(e) => format!("no checkpoints in {folder}: {e}"),
            })
        })
    }

    /// Another file of the same search.
    #[cfg(feature = "cluster")]
    pub(in crate::explore) fn beside(&self, name: &str) -> PathBuf {
        self.path.with_file_name(format!("{}-{name}.{ENDING}", self.stem()))
    }

    /// How the names of such files go on that begin like this.
    #[cfg(feature = "cluster")]
    pub(in crate::explore) fn names_beside(&self, start: &str) -> Vec<String> {
        let start = format!("{}-{start}", self.stem());
        let rest = |name: &str| Some(name.strip_suffix(ENDING)?.strip_suffix('.')?.strip_prefix(&start)?.to_owned());
        self.folder().filter_map(|file| rest(&file.file_name().to_string_lossy())).collect()
    }

    /// Such files that begin like this and were not finished, because somebody was killed.
    #[cfg(feature = "cluster")]
    pub(in crate::explore) fn unfinished_beside(&self, start: &str) -> Vec<PathBuf> {
        let start = format!("{}-{start}", self.stem());
        let unfinished = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&start) && sealed::beside(path) == *path
        };
        self.folder().map(|file| file.path()).filter(unfinished).collect()
    }

    #[cfg(feature = "cluster")]
    fn folder(&self) -> impl Iterator<Item = fs::DirEntry> {
        self.path.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten()
    }

    #[cfg(feature = "cluster")]
    fn stem(&self) -> String {
        self.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

fn foreign(path: &Path) -> Reason {
    Reason::Files(format!(
        "{} is the checkpoint of another model, other questions or other options: name another folder, or remove it",
        path.display()
    ))
}

/// A search's own things, with the store in them.
pub(super) struct Whole<'s, 'c, 'w, S: Visited> {
    pub(super) common: &'s mut Common<'c, S>,
    pub(super) workers: &'s mut [Worker<'w, S::Desk>],
    pub(super) waypoints: &'s mut Waypoints,
}

impl<S: Visited> Whole<'_, '_, '_, S> {
    fn save(&self, place: &Place, run: Run, mut found: Findings) -> io::Result<()> {
        self.workers.iter().for_each(|worker| found.join(worker.found.clone()));
        sealed::write(&place.path, (place.label, run), |to| {
            to.word(self.common.depth)?;
            found.save(to)?;
            self.waypoints.save(to)?;
            self.common.level.save(to)?;
            self.common.next.save(to)?;
            self.common.store.hold().save(to)
        })
    }

    fn load(&mut self, from: &mut Reader, words: usize) -> io::Result<()> {
        self.common.depth = from.word()?;
        self.workers[0].found.load(from)?;
        self.waypoints.load(from)?;
        *self.common.kept.get_mut() += self.waypoints.bytes();
        self.common.level = Frontier::load(words, from)?;
        self.common.next = Frontier::load(words, from)?;
        #[cfg(test)]
        if tests::FORGETS.get() {
            self.common.next = Frontier::default();
        }
        self.common.store.get_mut().load(from)
    }
}

/// Who writes checkpoints when it is time, if they are wanted.
pub(super) struct Keeper {
    place: Option<Place>,
    /// Held while the search runs.
    _lock: Option<Lock>,
    run: Run,
    due: Option<Instant>,
    /// Whether the last one could not be written.
    failing: bool,
    /// What the user should know at the end.
    pub(super) notes: Vec<String>,
}

impl Keeper {
    /// Fails if somebody else is at work here.
    pub(super) fn new(place: Option<Place>) -> Result<Self, Reason> {
        let due = place.as_ref().and_then(|place| Instant::now().checked_add(place.every));
        let lock = place.as_ref().map(|place| place.lock(&place.path)).transpose()?;
        Ok(Self { place, _lock: lock, run: Run::new(), due, failing: false, notes: Vec::new() })
    }

    /// Goes on from a checkpoint, if there is one; states have so many words on the way.
    pub(super) fn resume<S: Visited>(&mut self, mut whole: Whole<'_, '_, '_, S>, words: usize) -> Result<bool, Reason> {
        let Some(place) = &self.place else { return Ok(false) };
        let broken = |why: &str| {
            let path = place.path.display();
            Reason::Files(format!("{path} is not as it was written ({why}): remove it to begin anew"))
        };
        let mut reader = match Reader::open(&place.path, place.label) {
            Ok(reader) => reader,
            Err(Unreadable::Missing) => return Ok(false),
            Err(Unreadable::Foreign) => return Err(foreign(&place.path)),
            Err(Unreadable::Broken(why)) => return Err(broken(&why)),
        };
        // What is loaded takes about as much memory as the file is long.
        whole.common.budget.check_memory(reader.bytes())?;
        whole.load(&mut reader, words).map_err(|e| broken(&e.to_string()))?;
        self.run = reader.run();
        let states = whole.workers[0].found.stored;
        self.notes.push(format!("the search went on from a checkpoint with {states} states"));
        whole.common.pause = self.due;
        Ok(true)
    }

    /// Writes a checkpoint if it is time, while everybody has paused.
    pub(super) fn when_due<S: Visited>(&mut self, whole: &mut Whole<'_, '_, '_, S>, none: Findings) {
        if self.due.is_some_and(|due| Instant::now() >= due) {
            let start = Instant::now();
            self.save(whole, none);
            let pause = self.place.as_ref().map(|place| place.every.max(SHARE * start.elapsed()));
            self.due = pause.and_then(|pause| Instant::now().checked_add(pause));
        }
        whole.common.pause = self.due;
    }

    /// Writes a checkpoint. Where that fails, the last one stays, the search goes on without, and another is tried when it is
    /// time again: there may be room then.
    fn save<S: Visited>(&mut self, whole: &Whole<'_, '_, '_, S>, none: Findings) {
        let Some(place) = &self.place else { return };
        let saved = whole.save(place, self.run, none);
        // Said once for all that fail one after the other.
        if let Err(e) = &saved
            && !self.failing
        {
            let note =
                format!("no checkpoint could be written to {}: {e}; the search goes on without", place.path.display());
            whole.common.progress.warn(&note);
            self.notes.push(note);
        }
        self.failing = saved.is_err();
    }

    /// The search is out of budget: it can go on later.
    pub(super) fn interrupted<S: Visited>(&mut self, whole: &Whole<'_, '_, '_, S>, none: Findings) {
        self.save(whole, none);
        if let Some(place) = &self.place {
            let note = match (self.failing, place.path.exists()) {
                (false, _) => "there is a checkpoint: the same command goes on from here",
                (true, true) => OLDER,
                (true, false) => return,
            };
            self.notes.push(note.to_owned());
        }
    }

    /// The search is done, but could not tell all that it found.
    pub(super) fn untold(&mut self) {
        if self.place.as_ref().is_some_and(|place| place.path.exists()) {
            self.notes.push(OLDER.to_owned());
        }
    }

    /// The search is done, and what it found is told.
    pub(super) fn done(&self) {
        if let Some(place) = &self.place {
            // What stays leads to the same answer; a file that was not finished, because somebody was killed, to none.
            let _ = (fs::remove_file(&place.path), fs::remove_file(sealed::beside(&place.path)));
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
