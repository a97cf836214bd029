//! Decides whether a certificate shows that no run reaches what would break a property, or show it if it is reachability.

use std::fmt;

use evidence::{Certificate, Exclusion, Goal};
use model::nets::{AskedNet, Goal as NetGoal};
use model::views::{AskedNetwork, Limits, Net, Network, ViewError};
use model::{Fault, Property, System};

use crate::closed::check_closed_set;
use crate::runs::check_ranks;
use crate::{ExclusionError, LocalError, check_exclusion, check_local_goals};

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
    /// The model cannot be seen as what the certificate is about.
    View(ViewError),
    /// A certificate of this kind says nothing about such a property.
    Unsupported,
    /// It has not one part for each thing that must be excluded.
    Parts,
    /// The certificate about the net is wrong.
    Net(ExclusionError),
    /// The certificate about the network is wrong.
    Local(LocalError),
    /// What should be a state is none.
    NoState,
    /// The initial state is not in the set, or a step leads out of it.
    Leaves,
    /// A reachable state in the set is what should be excluded.
    Reached,
    /// A step from a reachable state in the set is a model error.
    Fault(Fault),
    /// A step leads to a higher rank, or its rank lacks nothing.
    Rank,
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::View(why) => f.write_str(&why.message),
            Self::Unsupported => f.write_str("a certificate of this kind says nothing about such a property"),
            Self::Parts => f.write_str("it has not one part for each thing that must be excluded"),
            Self::Net(why) => why.fmt(f),
            Self::Local(why) => why.fmt(f),
            Self::NoState => f.write_str("a state in it has more words than states have"),
            Self::Leaves => f.write_str("it lacks the initial state or the successor of another"),
            Self::Reached => f.write_str("its set of states has one that must not be"),
            Self::Rank => f.write_str("a step leads to a higher rank, or nothing is lacking in its rank"),
            Self::Fault(_) => f.write_str("a step from one of its states is a model error"),
        }
    }
}

impl std::error::Error for CertificateError {}

impl Subject<'_> {
    /// Checks that what the property speaks of is never reached, and neither is a model error.
    pub fn check(&self, property: &Property, certificate: &Certificate) -> Result<(), CertificateError> {
        match certificate {
            Certificate::Local(proof) => {
                let question = self.asked_network(property).map_err(CertificateError::View)?;
                check_local_goals(&question.network, &Goal::of(&question), proof).map_err(CertificateError::Local)
            }
            Certificate::Net(parts) => match (self.net, NetGoal::of(property)) {
                (Some(net), Some(goal)) => check_parts(net, &[goal], parts),
                (Some(_), None) => Err(CertificateError::Unsupported),
                (None, _) => {
                    let asked = AskedNet::new(self.system, &[property]).map_err(CertificateError::View)?;
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
    if goals.len() != parts.len() {
        return Err(CertificateError::Parts);
    }
    let excluded = |(goal, part): (&NetGoal, &Exclusion)| check_exclusion(net, goal, part);
    goals.iter().zip(parts).try_for_each(excluded).map_err(CertificateError::Net)
}
