//! A file that says that a search is at work here: who finds it locked does not begin.
//!
//! The lock belongs to the open file, so that it ends with the process, however that ends; a file that stays behind is not
//! locked. Whoever has the lock removes the file when it is done. Somebody else may have opened the same file before and get
//! the lock of what has no name any more: so who has a lock writes a word of its own, and looks whether it stands under the name.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A lock that is held.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    /// Open as long as the lock is held.
    _file: File,
}

/// Why there is no lock.
#[derive(Debug)]
pub(crate) enum Unlocked {
    /// Somebody else has it; who, as far as the file says.
    Taken(String),
    /// The file cannot be used.
    Failed(io::Error),
}

impl From<io::Error> for Unlocked {
    fn from(e: io::Error) -> Self {
        Unlocked::Failed(e)
    }
}

/// How often a file may be removed by others while this one locks it.
const ATTEMPTS: usize = 100;

impl Lock {
    /// Locks a file, which is made if there is none.
    pub(crate) fn new(path: &Path) -> Result<Self, Unlocked> {
        let word = format!("process {}, {:016x}\n", std::process::id(), random());
        for _ in 0..ATTEMPTS {
            let mut file = File::options().create(true).truncate(false).write(true).open(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let text = fs::read_to_string(path).unwrap_or_default();
                    return Err(Unlocked::Taken(text.split(',').next().unwrap_or_default().to_owned()));
                }
                Err(TryLockError::Error(e)) => return Err(Unlocked::Failed(e)),
            }
            file.set_len(0)?;
            file.write_all(word.as_bytes())?;
            if fs::read_to_string(path).is_ok_and(|text| text == word) {
                return Ok(Self { path: path.to_owned(), _file: file });
            }
        }
        Err(Unlocked::Failed(io::Error::other("it is removed again and again")))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still locked. One that stays does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

/// A number that nobody else has.
pub(crate) fn random() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos());
    RandomState::new().hash_one((since, std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("impasse-lock-{name}-{}", std::process::id()))
    }

    #[test]
    fn one_at_a_time() {
        let path = path("one");
        let lock = Lock::new(&path).expect("nobody has it");
        let own = format!("process {}", std::process::id());
        assert!(matches!(Lock::new(&path), Err(Unlocked::Taken(who)) if who == own));
        drop(lock);
        assert!(!path.exists());
        // What somebody left who was killed is not locked.
        fs::write(&path, "process 1, 0\n").expect("there is room");
        drop(Lock::new(&path).expect("nobody has it"));
        assert!(!path.exists());
    }

    /// Many lock and unlock at once: never two have it.
    #[test]
    fn never_two() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let (path, inside) = (path("two"), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let locked = |()| {
                        std::thread::yield_now();
                        Lock::new(&path).ok()
                    };
                    for lock in std::iter::repeat(()).filter_map(locked).take(100) {
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
    }
}
