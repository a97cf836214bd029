//! Certificates: why something is never reached, for a checker that has no engine.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{ClosedSet, Exclusion, LocalProof, RankedRuns};

/// Why no run of a system reaches what is asked for, nor a model error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Certificate {
    /// About the system seen as a network: what components do alone and in small groups excludes it.
    Local(Arc<LocalProof>),
    /// About the system seen as a net: one for what is asked for, and one for model errors.
    Net(Arc<[Exclusion]>),
    /// A set of states that has the initial one and that no step leaves.
    States(Arc<ClosedSet>),
    /// Ranks that show that no run is one that a claim forbids.
    Runs(Arc<RankedRuns>),
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Certificate::Local(proof) => {
                let (groups, inequalities) = (proof.groups.len(), proof.inequalities.len());
                let (groups, traps) = (counted(groups, "group"), counted(proof.traps.len(), "trap"));
                let inequalities = match inequalities {
                    1 => "1 inequality".to_owned(),
                    n => format!("{n} inequalities"),
                };
                write!(f, "{groups}, {inequalities} and {traps}")
            }
            Certificate::Net(parts) => {
                let sum = |of: fn(&Exclusion) -> usize| parts.iter().map(of).sum::<usize>();
                let (facts, lemmas) = (sum(|e| e.facts.len()), sum(|e| e.lemmas.len()));
                write!(f, "{} and {}", counted(facts, "fact"), counted(lemmas, "lemma"))?;
                match sum(|e| e.invariant.len()) {
                    0 => Ok(()),
                    clauses => write!(f, ", with an inductive invariant of {}", counted(clauses, "clause")),
                }
            }
            Certificate::Runs(runs) => {
                let (nodes, ranks) = (counted(runs.nodes.len(), "node"), counted(runs.classes.len(), "rank"));
                write!(f, "ranks of {nodes}, and what runs lack in {ranks}")
            }
            Certificate::States(set) => {
                write!(f, "a set of {} that no step leaves", counted(set.states.len(), "state"))
            }
        }
    }
}

fn counted(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}
