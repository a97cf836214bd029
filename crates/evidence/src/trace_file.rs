//! Traces on disk: JSON, with the name of every transition beside its number so that a changed model is noticed.

use std::fmt;

use model::{System, TransitionId};
use serde::{Deserialize, Serialize};

use crate::Trace;

/// A trace as it is saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceFile {
    /// The version of this format.
    pub schema: String,
    /// The name of the model.
    pub model: String,
    /// The parameters that were set when the trace was found, as `name=value`.
    #[serde(default)]
    pub set: Vec<String>,
    /// The other options by which the model was read, as words of a command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// The name of the property that the trace is about.
    pub property: String,
    /// What was asked, if the property is not one of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// The steps.
    pub stem: Vec<Step>,
    /// The steps that repeat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<Step>,
}

/// A property that was asked for beside those of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The keyword of the kind of property.
    pub kind: String,
    /// The predicate, the formula or the automaton, as it was given.
    pub text: String,
    /// The file that it was given in, after which it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

impl Question {
    /// The name that the property goes by.
    pub fn name(&self) -> String {
        format!("{} {}", self.kind, self.file.as_ref().unwrap_or(&self.text))
    }
}

/// A step of a saved trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The number of the transition.
    pub transition: u32,
    /// Its name.
    pub name: String,
}

/// Why a saved trace does not belong to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceFileError {
    /// It is not JSON of this format.
    Format(String),
    /// Its format is of another version.
    Schema(String),
    /// The model has another transition at that number, or none.
    Transition {
        /// The position of the step.
        step: usize,
        /// The name in the file.
        name: String,
        /// The name in the model.
        found: Option<String>,
    },
}

impl TraceFile {
    /// The version that this crate writes.
    pub const SCHEMA: &'static str = "impasse-trace-1";

    /// A trace of a system, ready to be written.
    pub fn new(system: &System, set: Vec<String>, property: &str, trace: &Trace) -> Self {
        let steps = |ts: &[TransitionId]| -> Vec<Step> {
            ts.iter().map(|t| Step { transition: t.0, name: system.transition(*t).name.clone() }).collect()
        };
        Self {
            schema: Self::SCHEMA.to_owned(),
            model: system.name().to_owned(),
            set,
            options: Vec::new(),
            property: property.to_owned(),
            question: None,
            stem: steps(&trace.stem),
            cycle: steps(&trace.cycle),
        }
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers are always JSON") + "\n"
    }

    /// Whether a text says that it is a saved trace.
    pub fn is_one(text: &[u8]) -> bool {
        #[derive(Deserialize)]
        struct Version {
            schema: String,
        }
        serde_json::from_slice::<Version>(text).is_ok_and(|version| version.schema == Self::SCHEMA)
    }

    /// Reads the text of a file.
    pub fn from_json(text: &str) -> Result<Self, TraceFileError> {
        let file: Self = serde_json::from_str(text).map_err(|e| TraceFileError::Format(e.to_string()))?;
        if file.schema == Self::SCHEMA { Ok(file) } else { Err(TraceFileError::Schema(file.schema)) }
    }

    /// The trace, if every step is a transition of `system` with the same name.
    pub fn trace(&self, system: &System) -> Result<Trace, TraceFileError> {
        let known = |(s, step): (&Step, usize)| {
            let found = system.transitions().get(s.transition as usize).map(|t| t.name.clone());
            if found.as_ref() == Some(&s.name) {
                Ok(TransitionId(s.transition))
            } else {
                Err(TraceFileError::Transition { step, name: s.name.clone(), found })
            }
        };
        let stem = self.stem.iter().zip(0..).map(known).collect::<Result<_, _>>()?;
        let cycle = self.cycle.iter().zip(self.stem.len()..).map(known).collect::<Result<_, _>>()?;
        Ok(Trace { stem, cycle })
    }
}

impl fmt::Display for TraceFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceFileError::Format(e) => write!(f, "not a saved trace: {e}"),
            TraceFileError::Schema(s) => write!(f, "a trace of the unknown format `{s}`"),
            TraceFileError::Transition { step, name, found } => {
                let found = found.as_deref().unwrap_or("nothing");
                write!(f, "step {} is `{name}`, but the model has `{found}` there: has it changed?", step + 1)
            }
        }
    }
}

impl std::error::Error for TraceFileError {}
