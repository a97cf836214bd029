//! Parallel composition: what the operators and `par` make of the rules of their operands.
//!
//! Silent moves never meet, termination (`exit`) always does. Behaviours meet on equal labels, offers included.

use std::collections::BTreeMap;

use super::rules::{MAX_RULES, OfGate, Rules, TooMany, join};
use crate::automata::labels::{GateId, Labels};

/// Who meets on a gate: these branches, and how many of them at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Meeting {
    pub(super) branches: Vec<usize>,
    pub(super) degree: usize,
}

/// Two behaviours that meet on these gates, and on `exit`.
pub(super) fn on_gates(mut left: Rules, mut right: Rules, gates: &[GateId]) -> Result<Rules, TooMany> {
    let mut met = Vec::new();
    for &gate in gates.iter().chain([&Labels::EXIT]) {
        met.push((gate, join(vec![left.take(gate), right.take(gate)])?));
    }
    let mut all = left.union(right)?;
    met.into_iter().try_for_each(|(gate, rules)| all.put(gate, rules))?;
    Ok(all)
}

/// Two behaviours that meet on everything.
pub(super) fn on_everything(left: Rules, right: Rules) -> Result<Rules, TooMany> {
    let mut gates: Vec<GateId> = left.gate_ids().chain(right.gate_ids()).collect();
    gates.sort_unstable();
    gates.dedup();
    gates.retain(|g| ![Labels::HIDDEN, Labels::EXIT].contains(g));
    on_gates(left, right, &gates)
}

/// Many behaviours, with who meets on which gate.
pub(super) fn par(mut branches: Vec<Rules>, meetings: &BTreeMap<GateId, Meeting>) -> Result<Rules, TooMany> {
    let everybody = Meeting { branches: (0..branches.len()).collect(), degree: branches.len() };
    let mut met = Vec::new();
    for (&gate, meeting) in meetings.iter().chain([(&Labels::EXIT, &everybody)]) {
        let rules = meeting.branches.iter().map(|&b| branches[b].take(gate)).collect();
        met.push((gate, meet(rules, meeting.degree)?));
    }
    let mut all = Rules::default();
    for branch in branches {
        all = all.union(branch)?;
    }
    for (gate, alternatives) in met {
        alternatives.into_iter().try_for_each(|rules| all.put(gate, rules))?;
    }
    Ok(all)
}

/// Every choice of `degree` of them together.
fn meet(rules: Vec<OfGate>, degree: usize) -> Result<Vec<OfGate>, TooMany> {
    if degree == rules.len() {
        return Ok(vec![join(rules)?]);
    }
    if choices(rules.len(), degree) > MAX_RULES {
        return Err(TooMany);
    }
    let mut alternatives = Vec::new();
    let mut chosen: Vec<usize> = (0..degree).collect();
    while !chosen.is_empty() && degree <= rules.len() {
        alternatives.push(join(chosen.iter().map(|&c| rules[c].clone()).collect())?);
        // The next choice in lexicographic order: the last that can move on does, and the others follow it.
        let Some(k) = (0..degree).rev().find(|&k| chosen[k] + (degree - k) < rules.len()) else { break };
        chosen[k] += 1;
        for j in k + 1..degree {
            chosen[j] = chosen[j - 1] + 1;
        }
    }
    Ok(alternatives)
}

/// The number of ways to choose `k` of `n`, or some larger number than any that is accepted.
fn choices(n: usize, k: usize) -> usize {
    let mut ways: usize = 1;
    for i in 0..k.min(n.saturating_sub(k)) {
        ways = ways.saturating_mul(n - i) / (i + 1);
        if ways > MAX_RULES {
            break;
        }
    }
    ways
}
