//! The rules of a behaviour while it is put together: by gate and label, who moves.
//!
//! Only who takes part is kept, so that thousands of behaviours side by side stay small; the smaller of two sets of
//! rules is always moved into the larger.

use std::collections::BTreeMap;

use model::views::{ComponentId, EventId};

use crate::automata::labels::{GateId, LabelId, Labels};

/// Who takes part, in increasing order of components.
pub(super) type Parts = Vec<(ComponentId, EventId)>;
/// The rules of one gate.
pub(super) type OfGate = BTreeMap<LabelId, Vec<Parts>>;

/// The most rules of a network.
pub(super) const MAX_RULES: usize = 1 << 20;

/// There would be too many rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMany;

/// The rules of a behaviour.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    gates: BTreeMap<GateId, OfGate>,
    count: usize,
}

impl Rules {
    pub(super) fn add(&mut self, labels: &Labels, label: LabelId, parts: Parts) -> Result<(), TooMany> {
        self.add_all(labels.gate_of(label), label, vec![parts])
    }

    fn add_all(&mut self, gate: GateId, label: LabelId, mut parts: Vec<Parts>) -> Result<(), TooMany> {
        self.count += parts.len();
        if self.count > MAX_RULES {
            return Err(TooMany);
        }
        self.gates.entry(gate).or_default().entry(label).or_default().append(&mut parts);
        Ok(())
    }

    /// The rules of a gate, if there are any.
    pub(super) fn gate(&self, gate: GateId) -> Option<&OfGate> {
        self.gates.get(&gate)
    }

    /// The rules with a label.
    pub(super) fn with(&self, labels: &Labels, label: LabelId) -> &[Parts] {
        self.gates.get(&labels.gate_of(label)).and_then(|g| g.get(&label)).map_or(&[], Vec::as_slice)
    }

    /// All gates that something happens on.
    pub(super) fn gate_ids(&self) -> impl Iterator<Item = GateId> + '_ {
        self.gates.keys().copied()
    }

    /// Takes away the rules of a gate.
    pub(super) fn take(&mut self, gate: GateId) -> OfGate {
        let taken = self.gates.remove(&gate).unwrap_or_default();
        self.count -= taken.values().map(Vec::len).sum::<usize>();
        taken
    }

    pub(super) fn put(&mut self, gate: GateId, rules: OfGate) -> Result<(), TooMany> {
        rules.into_iter().try_for_each(|(label, parts)| self.add_all(gate, label, parts))
    }

    /// All rules with their labels, in order.
    pub(super) fn into_list(self) -> Vec<(LabelId, Parts)> {
        let of_gate = self.gates.into_values().flatten();
        let mut list: Vec<_> = of_gate.flat_map(|(label, all)| all.into_iter().map(move |p| (label, p))).collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    /// The rules of either.
    pub(super) fn union(self, other: Self) -> Result<Self, TooMany> {
        let (mut large, small) = if self.count >= other.count { (self, other) } else { (other, self) };
        small.gates.into_iter().try_for_each(|(gate, rules)| large.put(gate, rules))?;
        Ok(large)
    }
}

/// Every label that all have, with each combination of their rules for it.
pub(super) fn join(mut all: Vec<OfGate>) -> Result<OfGate, TooMany> {
    // The fewest labels lead; the order of participants does not depend on it.
    all.sort_by_key(BTreeMap::len);
    let mut all = all.into_iter();
    let mut joined = all.next().unwrap_or_default();
    for other in all {
        let mut next = OfGate::new();
        let mut count = 0;
        for (label, left) in joined {
            let Some(right) = other.get(&label) else { continue };
            count += left.len().saturating_mul(right.len());
            if count > MAX_RULES {
                return Err(TooMany);
            }
            next.insert(label, left.iter().flat_map(|l| right.iter().map(|r| merged(l, r))).collect());
        }
        joined = next;
    }
    Ok(joined)
}

/// The participants of both, which are different ones.
pub(super) fn merged(left: &Parts, right: &Parts) -> Parts {
    let mut parts = [left.as_slice(), right.as_slice()].concat();
    if left.last() > right.first() {
        parts.sort_unstable();
    }
    parts
}
