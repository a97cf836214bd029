//! Verdicts, the evidence under them, and what it took to find them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Certificate, Trace};

/// The answer to a question about a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The property holds.
    Holds(Evidence),
    /// The property does not hold.
    Violated(Evidence),
    /// Not decided, and why.
    Unknown(Reason),
}

impl Verdict {
    /// The word used in reports and in files.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// The run that the verdict rests on, if it rests on one.
    pub fn trace(&self) -> Option<&Trace> {
        match self {
            Verdict::Holds(Evidence::Run(t)) | Verdict::Violated(Evidence::Run(t)) => Some(t),
            _ => None,
        }
    }
}

/// What a decided verdict rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A run that shows it: to a deadlock, to a broken invariant, to a state that was asked for, or for ever round a cycle.
    Run(Trace),
    /// A run that shows it was found, but is too long to be written down within the limits. Not independently checkable.
    Untold,
    /// A search that visited everything it had to. Not independently checkable.
    Exhausted(Exhausted),
    /// A certificate, which the checker accepts.
    Certificate(Certificate),
    /// An argument over the structure of a net or a system, in words, for which there is no certificate.
    Structure(String),
}

/// What kind of search was exhausted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// Every reachable state was visited.
    FullStateSpace,
    /// Every state that a sound reduction leaves was visited.
    ReducedStateSpace,
    /// A complete prefix of the unfolding was built, which has every reachable marking.
    CompletePrefix,
    /// All events that stubborn sets leave of the unfolding were added.
    StubbornUnfolding,
    /// Every reachable state of the system seen as a network was visited.
    Network,
    /// Every state from which one that was asked for can be reached was visited, and none is initial.
    Backward,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exhausted::FullStateSpace => f.write_str("every reachable state was visited"),
            Exhausted::ReducedStateSpace => f.write_str("every state of the reduced state space was visited"),
            Exhausted::CompletePrefix => f.write_str("a complete prefix of the unfolding was built"),
            Exhausted::StubbornUnfolding => f.write_str("the stubborn unfolding was built"),
            Exhausted::Network => f.write_str("every reachable state of the network was visited"),
            Exhausted::Backward => {
                f.write_str("every state from which it can be reached was visited, and none is initial")
            }
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time is used up.
    Timeout,
    /// The memory is used up.
    Memory,
    /// Somebody asked to stop.
    Cancelled,
    /// The state space is infinite, and what was searched of it shows nothing: where it grows.
    Unbounded(String),
    /// The engine cannot treat this problem.
    Unsupported(String),
    /// States that would decide it are neither reached nor ruled out: each in terms of its components.
    Candidates(Vec<String>),
    /// Nothing was found, but a new state may have been taken for another, with this probability for each at most.
    Omissions(String),
    /// Somebody who was needed is gone, or was given something else: who.
    Lost(String),
    /// Files that the search wants are not to be had, or not to be trusted.
    Files(String),
    /// A run leads to where the system goes on in a way that its reader did not foresee (by the reader's number): it
    /// must be read anew.
    Unforeseen(u32),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => f.write_str("the time limit was reached"),
            Reason::Memory => f.write_str("the memory limit was reached"),
            Reason::Cancelled => f.write_str("the search was interrupted"),
            Reason::Unbounded(why) | Reason::Unsupported(why) | Reason::Lost(why) | Reason::Files(why) => {
                f.write_str(why)
            }
            Reason::Omissions(probability) => write!(
                f,
                "nothing was found, but each new state was taken for another with a probability of up to {probability}, and then left out with all that lies only behind it"
            ),
            Reason::Unforeseen(_) => f.write_str("a run leads beyond what was foreseen when the model was read"),
            Reason::Candidates(shown) => match &shown[..] {
                [] => f.write_str("the methods that were asked for do not decide it"),
                [one] => write!(f, "a state that would decide it is neither reached nor ruled out: {one}"),
                [one, ..] => {
                    write!(f, "{} states that would decide it are neither reached nor ruled out: {one}", shown.len())
                }
            },
        }
    }
}

/// What a search covered and what it cost; a figure that does not apply is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Distinct states visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Transitions fired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitions: Option<u64>,
    /// Deadlocks met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadlocks: Option<u64>,
    /// Events of the unfolding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<u64>,
    /// Conditions of the unfolding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<u64>,
    /// Cut-off events of the unfolding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cutoffs: Option<u64>,
    /// The longest path on the stack, or the number of breadth-first levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// Whether everything reachable was visited, so that the figures above are those of the whole state space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// Of a reduced search: whether everything that it had to visit was visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduced: Option<bool>,
    /// With a state-space cache: how many times a state was removed from it. `states` counts the visits of states that
    /// were not in the cache, so that a state that came back is counted again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cleared: Option<u64>,
    /// How many transitions led to a state that was stored already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<u64>,
    /// Of a store that may confuse states: the probability that a new state was taken for another, at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omission: Option<f64>,
    /// Of local analysis: how many candidates were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<u64>,
    /// How many states invariants leave that would decide it, if they were reachable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspects: Option<u64>,
    /// Of bounded model checking: how many parallel steps do not suffice to get there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_steps: Option<u64>,
    /// Wall-clock time.
    pub seconds: f64,
    /// The most memory that the engine's own tables took.
    pub peak_bytes: u64,
}

/// What an engine returns.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// What it cost.
    pub statistics: Statistics,
    /// What the user should know about the search: a limit that made it slow, say.
    pub warnings: Vec<String>,
    /// A run to each deadlock, if all were asked for.
    pub deadlocks: Vec<Trace>,
    /// By transition, whether some run takes it: only if the search visited enough to know.
    pub fired: Option<Vec<Firing>>,
    /// How the answer was found, where an engine has several ways.
    pub techniques: Vec<String>,
    /// Numbers that can be larger than statistics have room for, each with what was counted.
    pub counts: Vec<Count>,
    /// The engine that answered, if it is not the one that was asked.
    pub engine: Option<String>,
    /// Everybody who tried, if several did.
    pub attempts: Vec<Attempt>,
}

/// What became of one engine of several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The engine.
    pub engine: String,
    /// Why it was worth a try.
    pub why: String,
    /// How long it worked.
    pub seconds: f64,
    /// What it said in the end: a verdict, or why it has none.
    pub said: String,
    /// How far it had come, if it has no verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reached: Vec<String>,
    /// What it took from whom.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fed: Vec<String>,
}

/// An exact number of any size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// What was counted.
    pub of: String,
    /// How many there are, in decimal digits.
    pub number: String,
}

impl Count {
    /// A number of things.
    pub fn new(of: &str, number: &impl fmt::Display) -> Self {
        Self { of: of.to_owned(), number: number.to_string() }
    }
}

/// What became of a transition in all runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Firing {
    /// No run takes it.
    #[default]
    Never,
    /// Runs try to take it, and each time it is a model error.
    OnlyErrors,
    /// Some run takes it.
    Taken,
}

impl Outcome {
    /// An answer and its price, and nothing else to say.
    pub fn new(verdict: Verdict, statistics: Statistics) -> Self {
        Self {
            verdict,
            statistics,
            warnings: Vec::new(),
            deadlocks: Vec::new(),
            fired: None,
            techniques: Vec::new(),
            counts: Vec::new(),
            engine: None,
            attempts: Vec::new(),
        }
    }

    /// No answer, without a search.
    pub fn unknown(reason: Reason) -> Self {
        Self::new(Verdict::Unknown(reason), Statistics::default())
    }
}
