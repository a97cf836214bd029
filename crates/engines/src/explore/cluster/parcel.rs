//! What workers send each other.

use evidence::{Firing, Reason};
use model::TransitionId;
use serde::{Deserialize, Serialize};

use crate::explore::findings::{Findings, Lead};

/// Something for a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Parcel {
    pub(super) to: u32,
    pub(super) from: u32,
    pub(super) body: Body,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Body {
    /// States, and the numbers that the states before them have at the sender.
    States { states: Vec<u64>, parents: Vec<u32> },
    /// The sender has expanded a level: how many states it had up to there, which questions they decide,
    /// whether it is time for a checkpoint, and whether its last one could not be written.
    Level { stored: u64, decided: Vec<bool>, due: bool, unsaved: bool },
    /// The sender cannot go on.
    Stop(Stopped),
}

/// Why somebody stopped.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Stopped {
    Timeout,
    Memory,
    Cancelled,
    Files(String),
    Other(String),
}

impl From<Reason> for Stopped {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Timeout => Self::Timeout,
            Reason::Memory => Self::Memory,
            Reason::Cancelled => Self::Cancelled,
            Reason::Files(why) => Self::Files(why),
            other => Self::Other(other.to_string()),
        }
    }
}

impl From<Stopped> for Reason {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Timeout => Self::Timeout,
            Stopped::Memory => Self::Memory,
            Stopped::Cancelled => Self::Cancelled,
            Stopped::Files(why) => Self::Files(why),
            Stopped::Other(why) => Self::Lost(why),
        }
    }
}

/// What a worker found, for all others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Summary {
    /// The deepest level with states of it.
    pub(super) depth: u64,
    /// How many states of it were not expanded.
    pub(super) left: u64,
    pub(super) stopped: Option<Stopped>,
    /// States that show something: of goals, of faults and of errors.
    leads: Vec<(u32, u64, Vec<u64>, Option<u32>)>,
    /// Deadlocks, transitions, those that were passed, states stored, and held.
    figures: [u64; 5],
    fired: Vec<u8>,
}

impl Summary {
    pub(super) fn new(found: &Findings, depth: u64, left: u64, stopped: Option<Stopped>) -> Self {
        let places = found.met.iter().chain(&found.faults).chain([&found.error]);
        let lead = |(i, place): (u32, &Option<Lead>)| {
            place.as_ref().map(|lead| (i, lead.length, lead.state.clone(), lead.last.map(|t| t.0)))
        };
        Self {
            depth,
            left,
            stopped,
            leads: (0..).zip(places).filter_map(lead).collect(),
            figures: [found.deadlocks, found.transitions, found.passed, found.stored, found.held],
            fired: found.fired.iter().map(|firing| *firing as u8).collect(),
        }
    }

    /// The same as the worker had it.
    pub(super) fn findings(&self, questions: usize) -> Findings {
        let mut found = Findings::new(questions, self.fired.len(), false);
        for (place, length, state, last) in &self.leads {
            let lead = Lead { length: *length, state: state.clone(), last: last.map(TransitionId), waypoint: 0 };
            let place = *place as usize;
            let own = match place.checked_sub(questions) {
                None => &mut found.met[place],
                Some(i) if i < questions => &mut found.faults[i],
                Some(_) => &mut found.error,
            };
            *own = Some(lead);
        }
        [found.deadlocks, found.transitions, found.passed, found.stored, found.held] = self.figures;
        let firings = [Firing::Never, Firing::OnlyErrors, Firing::Taken];
        found.fired = self.fired.iter().map(|f| firings[usize::from(*f).min(2)]).collect();
        found
    }
}
