//! What threads hold together, and let go of when it must grow.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::helpers::Helpers;
use crate::patience::patiently;

/// Something that threads hold all the time, except while one of them makes it larger.
#[derive(Debug)]
pub(crate) struct Growable<T> {
    it: RwLock<T>,
    /// Whose turn it is to grow it. Who comes too late waits here, not for the lock, which others take again at once.
    turn: Mutex<()>,
    /// Where those who wait can help.
    helpers: Helpers,
    /// Whether somebody waits until all others let go.
    wanted: AtomicBool,
    /// How many times it grew.
    times: AtomicU64,
}

const NOBODY_PANICS: &str = "nobody panics with what threads hold";

impl<T> Growable<T> {
    pub(crate) fn new(it: T) -> Self {
        let (turn, helpers) = (Mutex::new(()), Helpers::new());
        Self { it: RwLock::new(it), turn, helpers, wanted: AtomicBool::new(false), times: AtomicU64::new(0) }
    }

    pub(crate) fn into_inner(self) -> T {
        self.it.into_inner().expect(NOBODY_PANICS)
    }

    /// Nobody else holds it.
    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.it.get_mut().expect(NOBODY_PANICS)
    }

    pub(crate) fn hold(&self) -> Hold<'_, T> {
        Hold { of: self, it: Some(self.read()) }
    }

    fn read(&self) -> RwLockReadGuard<'_, T> {
        self.it.read().expect(NOBODY_PANICS)
    }

    fn write(&self) -> RwLockWriteGuard<'_, T> {
        patiently(|| self.it.try_write().ok()).unwrap_or_else(|| self.it.write().expect(NOBODY_PANICS))
    }

    /// Waits for the turn, and helps whose it is.
    fn turn(&self) -> MutexGuard<'_, ()> {
        let attempt = || match self.helpers.help() {
            true => Some(None),
            false => self.turn.try_lock().ok().map(Some),
        };
        loop {
            match patiently(attempt) {
                Some(Some(turn)) => return turn,
                // There may be more to come.
                Some(None) => {}
                None => return self.turn.lock().expect(NOBODY_PANICS),
            }
        }
    }
}

/// A thread's hold.
#[derive(Debug)]
pub(crate) struct Hold<'h, T> {
    of: &'h Growable<T>,
    /// There always is one between two calls.
    it: Option<RwLockReadGuard<'h, T>>,
}

impl<T> Deref for Hold<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.it.as_ref().expect("it is held")
    }
}

impl<T> Hold<'_, T> {
    /// Makes it larger, once all others have let go of it; unless somebody did meanwhile.
    pub(crate) fn grow<E>(&mut self, grow: impl FnOnce(&mut T, &Helpers) -> Result<(), E>) -> Result<(), E> {
        // It does not change while it is held.
        let seen = self.of.times.load(Ordering::Relaxed);
        self.let_go(|of| {
            let _turn = of.turn();
            if of.times.load(Ordering::Relaxed) != seen {
                return Ok(());
            }
            of.wanted.store(true, Ordering::Relaxed);
            let grown = grow(&mut of.write(), &of.helpers);
            of.times.fetch_add(1, Ordering::Relaxed);
            of.wanted.store(false, Ordering::Relaxed);
            grown
        })
    }

    /// Lets go for a moment if somebody waits for that; to be called often.
    #[inline]
    pub(crate) fn give_way(&mut self) {
        if self.of.wanted.load(Ordering::Relaxed) {
            self.let_go(|of| drop(of.turn()));
        }
    }

    /// Does something without holding it.
    #[cold]
    pub(crate) fn let_go<R>(&mut self, meanwhile: impl FnOnce(&Growable<T>) -> R) -> R {
        self.it = None;
        let result = meanwhile(self.of);
        self.it = Some(self.of.read());
        result
    }
}
