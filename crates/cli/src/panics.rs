//! Panics: a broken invariant is an internal error, which ends the program with its own exit code, at once and whichever thread
//! it is in; unless somebody goes on without what was begun.

use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::cluster;
use crate::exit::{Exit, Failure};

/// What was said by those who panicked, while somebody goes on nevertheless.
static SAID: Mutex<Option<Vec<String>>> = Mutex::new(None);

/// Held by who goes on: one after the other.
static TURN: Mutex<()> = Mutex::new(());

/// Sees to it that panics end the program.
pub(crate) fn install() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if cluster::is_expected(panic) {
            return;
        }
        report(panic);
        if !is_contained(told(panic)) {
            std::process::exit(Exit::Internal as i32);
        }
    }));
}

/// Does some work; if something panics meanwhile that the work waits for, the work has failed. Such work is not nested.
pub(crate) fn contained<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    *said() = Some(Vec::new());
    let done = catch_unwind(AssertUnwindSafe(work));
    let said = said().take().unwrap_or_default();
    done.unwrap_or_else(|_| {
        let first = said.into_iter().next();
        Err(Failure::internal(first.unwrap_or_else(|| "something that should always hold does not".to_owned())))
    })
}

fn said() -> MutexGuard<'static, Option<Vec<String>>> {
    SAID.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether somebody goes on, who is told why the work fails.
fn is_contained(why: String) -> bool {
    said().as_mut().map(|said| said.push(why)).is_some()
}

/// What a panic says.
pub(crate) fn text<'a>(panic: &'a PanicHookInfo<'_>) -> Option<&'a str> {
    let payload = panic.payload();
    payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied())
}

/// What a panic says, and where.
fn told(panic: &PanicHookInfo<'_>) -> String {
    let text = text(panic).unwrap_or("a panic without words");
    panic.location().map_or_else(|| text.to_owned(), |place| format!("{}:{}: {text}", place.file(), place.line()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hook is not installed here: it would end the other tests.
    #[test]
    fn work_that_panics_has_failed() {
        assert_eq!(contained(|| Ok(1)).expect("it is done"), 1);
        let failure = contained(|| {
            std::thread::scope(|scope| {
                scope.spawn(|| assert!(!is_contained("planted".to_owned()), "a planted panic"));
            });
            Ok(())
        });
        let failure = failure.expect_err("somebody panicked");
        assert_eq!((failure.exit, &*failure.summary), (Exit::Internal, "planted"));
    }
}
