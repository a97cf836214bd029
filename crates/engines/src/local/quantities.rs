//! Small conserved quantities by component: what they exclude is looked up, so that no solver is asked whether a rule is
//! ever enabled if one of them denies it. Networks have as many rules that are model errors as they have processes, and
//! each question would be as large as the network.

use model::views::{ComponentId, EventId, RuleId, StateId};

use super::inequality;
use crate::lemma::Lemma;
use crate::structure::conserved::Conserved;
use crate::structure::weights::Weights;
use crate::structure::wiring::Wiring;
use crate::tokens::rows::Rows;

/// The most quantities of a participant that are looked at.
const LOOKS: usize = 64;

/// Quantities of few local states.
#[derive(Debug)]
pub(super) struct Quantities {
    all: Vec<Weights>,
    /// By component, the quantities in which it matters.
    of: Rows<u32>,
}

impl Quantities {
    /// Those of a basis with no more than `most` local states.
    pub(super) fn new(wiring: &Wiring<'_>, conserved: &Conserved, most: usize) -> Self {
        let all: Vec<Weights> =
            conserved.basis().into_iter().filter_map(|q| conserved.weights(wiring, q, most)).collect();
        let uses = (0_u32..).zip(&all).flat_map(|(k, weights)| weights.parts().iter().map(move |p| (p.0.index(), k)));
        let of = Rows::bucket(wiring.network().components().len(), &uses.collect::<Vec<_>>());
        Self { all, of }
    }

    /// A quantity that excludes that some participants of a rule offer their events, and who they are.
    pub(super) fn never_enabled(
        &self,
        wiring: &Wiring<'_>,
        rule: RuleId,
    ) -> Option<(Lemma, Vec<(ComponentId, EventId)>)> {
        let participants = &wiring.network().rule(rule).participants;
        let looked_at = participants.iter().flat_map(|(c, _)| self.of.row(c.index()).iter().take(LOOKS));
        looked_at.map(|&k| &self.all[k as usize]).find_map(|weights| {
            let shown: Vec<(ComponentId, EventId)> =
                participants.iter().copied().filter(|(c, _)| weights.of(*c).is_some()).collect();
            let offers = |&(c, e): &(ComponentId, EventId)| (c, wiring.offering(c, e));
            let confined: Vec<(ComponentId, Vec<StateId>)> = shown.iter().map(offers).collect();
            Some((inequality::excluding(wiring, weights, confined)?, shown))
        })
    }
}
