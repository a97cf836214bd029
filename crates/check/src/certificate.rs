//! Decides whether a certificate shows that no run reaches what would break a property, or show it if it is reachability.

use std::fmt;

use evidence::{Certificate, Exclusion, Goal};
use model::nets::{AskedNet, Goal as NetGoal};
use model::views::{AskedNetwork, Limits, Net, Network, ViewError};
use model::{Fault, Property, System};

use crate::closed::check_closed_set;
use crate::runs::check_ranks;
use crate::{check_exclusion, check_local_goals};

/// A system, and what it was made of, if it was: certificates are about that.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The system.
    pub system: &'a System,
    /// The network that it was made of.
    pub network: Option<&'a Network>,
    /// The net that it was made of.
    pub net: Option<&'a Net>,
}

/// Why a certificate shows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateError {
    /// A step from a reachable state is a model error, or the property is one there.
    Fault(Fault),
    /// In words; parts are named by their numbers.
    Wrong(String),
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(_) => f.write_str("a step from one of its states is a model error"),
            Self::Wrong(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for CertificateError {}

/// Says what is wrong.
pub(crate) fn wrong<T>(why: impl Into<String>) -> Result<T, CertificateError> {
    Err(CertificateError::Wrong(why.into()))
}

/// The same where something is not as it should be.
pub(crate) fn ensure(is_so: bool, why: impl FnOnce() -> String) -> Result<(), CertificateError> {
    if is_so { Ok(()) } else { wrong(why()) }
}

/// What is said of a kind of certificate that does not fit the property.
pub(crate) const UNSUPPORTED: &str = "a certificate of this kind says nothing about such a property";

impl Subject<'_> {
    /// Checks that what the property speaks of is never reached, and neither is a model error.
    pub fn check(&self, property: &Property, certificate: &Certificate) -> Result<(), CertificateError> {
        match certificate {
            Certificate::Local(proof) => {
                let question = self.asked_network(property).or_else(|why| wrong(why.message))?;
                check_local_goals(&question.network, &Goal::of(&question), proof)
            }
            Certificate::Net(parts) => match (self.net, NetGoal::of(property)) {
                (Some(net), Some(goal)) => check_parts(net, &[goal], parts),
                (Some(_), None) => wrong(UNSUPPORTED),
                (None, _) => {
                    let asked = AskedNet::new(self.system, &[property]).or_else(|why| wrong(why.message))?;
                    check_parts(&asked.net, &asked.possible(0), parts)
                }
            },
            Certificate::Runs(runs) => check_ranks(self.system, property, runs),
            Certificate::States(set) => check_closed_set(self.system, property, set),
        }
    }

    /// What is asked of the network that the system was made of or is seen as.
    fn asked_network(&self, property: &Property) -> Result<AskedNetwork<'_>, ViewError> {
        match (self.network, property) {
            (Some(network), Property::DeadlockFree) => Ok(AskedNetwork::deadlock(network)),
            _ => AskedNetwork::new(self.system, property, &Limits::default()),
        }
    }
}

/// Each goal must be excluded by a part, in their order.
fn check_parts(net: &Net, goals: &[NetGoal], parts: &[Exclusion]) -> Result<(), CertificateError> {
    ensure(goals.len() == parts.len(), || "it has not one part for each thing that must be excluded".to_owned())?;
    goals.iter().zip(parts).try_for_each(|(goal, part)| check_exclusion(net, goal, part))
}
