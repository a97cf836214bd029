//! Questions about systems that are asked of networks instead.
//!
//! What is asked about a state becomes a *tester*, a transition that is enabled where the answer is yes: its rules, and
//! those of model errors, must never be enabled.

use std::borrow::Cow;

use super::{Limits, Network, RuleId, ViewError};
use crate::{Property, System, TransitionId};

/// What is asked of a network instead of a system.
#[derive(Clone, Debug)]
pub struct AskedNetwork<'a> {
    /// The network, with rules for testers.
    pub network: Cow<'a, Network>,
    /// Whether a deadlock is asked for.
    pub deadlock: bool,
    /// The rules that ask: one is enabled where the answer is yes.
    pub tests: Vec<RuleId>,
    /// The rules that are model errors.
    pub errors: Vec<RuleId>,
}

impl<'a> AskedNetwork<'a> {
    /// The question about a network that a property of a system amounts to.
    pub fn new(system: &System, property: &Property, limits: &Limits<'_>) -> Result<Self, ViewError> {
        let watched = property.watched()?;
        let why = |e: ViewError| e.because("it cannot be seen as a network");
        let uncontrolled = system.uncontrolled().map_err(why)?;
        let network = match watched {
            None => uncontrolled.system.network(limits),
            Some((e, value)) => {
                let tested = uncontrolled.system.tested(&[(&uncontrolled.asked(e, value), value)])?;
                tested.system.network(limits)
            }
        };
        let network = network.map_err(why)?;
        let (mut tests, mut errors) = (Vec::new(), Vec::new());
        for r in network.rule_ids() {
            let rule = network.rule(r);
            if rule.transition.is_some_and(|t| is_tester(system, t)) {
                tests.push(r);
            } else if rule.fault {
                errors.push(r);
            }
        }
        Ok(Self { network: Cow::Owned(network), deadlock: watched.is_none(), tests, errors })
    }

    /// Whether there is a deadlock, asked of a network as it is.
    pub fn deadlock(network: &'a Network) -> Self {
        let errors = network.rule_ids().filter(|&r| network.rule(r).fault).collect();
        Self { network: Cow::Borrowed(network), deadlock: true, tests: Vec::new(), errors }
    }
}

/// Whether a transition only asks, and is not one of the system.
pub fn is_tester(system: &System, t: TransitionId) -> bool {
    t.index() >= system.transitions().len()
}
