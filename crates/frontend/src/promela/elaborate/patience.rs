//! Whether to go on: the system of a program that creates many processes takes time, and who waits for it may have had
//! enough.

use std::fmt;
use std::sync::Arc;

use crate::Diagnostic;

/// Who waits for a system. Asked again and again while it is made.
#[derive(Clone)]
pub struct Patience(Arc<dyn Fn() -> bool + Send + Sync>);

impl Patience {
    /// Somebody who waits as long as this is true.
    pub fn new(waits: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(waits))
    }

    /// Whether to go on.
    pub(super) fn lasts(&self) -> bool {
        (self.0)()
    }

    /// Gives up if nobody waits any longer for a system of so many processes.
    pub(super) fn check(&self, processes: usize) -> Result<(), NoSystem> {
        if self.lasts() { Ok(()) } else { Err(NoSystem::GivenUp { processes }) }
    }
}

impl Default for Patience {
    /// Somebody who waits for ever.
    fn default() -> Self {
        Self::new(|| true)
    }
}

impl fmt::Debug for Patience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Patience").field(&self.lasts()).finish()
    }
}

/// Why there is no system.
#[derive(Clone, Debug)]
pub enum NoSystem {
    /// What is wrong with the program.
    Mistakes(Vec<Diagnostic>),
    /// Nobody waits any longer.
    GivenUp {
        /// How many processes the system would have had.
        processes: usize,
    },
}

impl NoSystem {
    /// The same, mistakes being told elsewhere.
    pub(super) fn placed(self, place: impl Fn(Diagnostic) -> Diagnostic) -> Self {
        match self {
            NoSystem::Mistakes(all) => NoSystem::Mistakes(all.into_iter().map(place).collect()),
            given_up @ NoSystem::GivenUp { .. } => given_up,
        }
    }
}

impl From<Diagnostic> for NoSystem {
    fn from(mistake: Diagnostic) -> Self {
        NoSystem::Mistakes(vec![mistake])
    }
}

impl From<Vec<Diagnostic>> for NoSystem {
    fn from(mistakes: Vec<Diagnostic>) -> Self {
        NoSystem::Mistakes(mistakes)
    }
}
