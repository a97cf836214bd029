//! Where connections wait until it is known whether they are from the page. Whoever connects and says nothing must not keep the
//! page out: where too many wait, the one that has waited longest is sent away.

use std::collections::VecDeque;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many may wait: a page says at once what it wants, and there are far more connections than these.
const MAX_STRANGERS: usize = 16;

/// The connections whose requests have not been heard yet, those first that came first.
#[derive(Debug, Default)]
pub(crate) struct Hall(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    next: u64,
    strangers: VecDeque<(u64, TcpStream)>,
}

/// A place in the hall, until it is dropped.
pub(crate) struct Place<'h>(&'h Hall, u64);

impl Hall {
    /// Waits there.
    pub(crate) fn enter(&self, stream: &TcpStream) -> io::Result<Place<'_>> {
        let stream = stream.try_clone()?;
        let mut waiting = self.waiting();
        while waiting.strangers.len() >= MAX_STRANGERS
            && let Some((_, oldest)) = waiting.strangers.pop_front()
        {
            // It may have gone by itself.
            let _ = oldest.shutdown(Shutdown::Both);
        }
        let number = waiting.next;
        waiting.next += 1;
        waiting.strangers.push_back((number, stream));
        Ok(Place(self, number))
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.waiting().strangers.retain(|(number, _)| *number != self.1);
    }
}
