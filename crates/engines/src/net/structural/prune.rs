//! Clauses that place invariants give: what the linear program would find one refutation after the other.
//!
//! If `Σ w·M` is always `K`, then two places that would together exceed `K` are not both marked so much, and the places
//! are not all marked so little that the sum stays below `K`.

use model::views::PlaceId;
use solve::sat::Literal;

use super::equation::Equation;
use super::flows::Flow;
use super::formula::Atoms;
use super::invariants::Invariants;
use super::reason::{Origin, Reason};

/// Invariants with more marked places give no clauses for pairs.
const PAIRS: usize = 80;
/// So many clauses are added at most.
const CLAUSES: usize = 2_000_000;

/// What a literal says about a place of an invariant: weighted tokens when it holds, at most, and when not, at least.
struct Part {
    place: PlaceId,
    literal: Literal,
    weight: i128,
    most: i128,
    least: i128,
}

/// Adds the clauses of all invariants that touch places with literals.
pub(super) fn prune(atoms: &mut Atoms, equation: &Equation<'_>, invariants: &Invariants) {
    let (places, flows) = (atoms.places(equation), &invariants.flows);
    exclusive(atoms, equation, invariants, &places);
    let mut numbers: Vec<u32> = places.iter().flat_map(|&p| flows.numbers(p).iter().copied()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut left = CLAUSES;
    for number in numbers {
        let flow = &flows.all()[number as usize];
        let parts = parts(atoms, equation, flow, &places);
        too_much(atoms, flow, &parts, &mut left);
        too_little(atoms, flow, &parts);
        if left == 0 {
            return;
        }
    }
}

/// Places that are never marked together. The concurrency relation has no reasons: it is not there if those are kept.
fn exclusive(atoms: &mut Atoms, equation: &Equation<'_>, invariants: &Invariants, places: &[PlaceId]) {
    if places.len() > PAIRS {
        return;
    }
    let empty = |atoms: &Atoms, p| {
        let sum = equation.place(p);
        atoms.thresholds(sum.variable).find(|&(growth, _)| growth + sum.initial >= 0).map(|e| e.1)
    };
    for (i, &p) in places.iter().enumerate() {
        for &q in places[i + 1..].iter().filter(|&&q| invariants.exclude(p, q)) {
            if let (Some(a), Some(b)) = (empty(atoms, p), empty(atoms, q)) {
                atoms.sat.clause(&[a, b]);
            }
        }
    }
}

fn parts(atoms: &Atoms, equation: &Equation<'_>, flow: &Flow, places: &[PlaceId]) -> Vec<Part> {
    let mut out = Vec::new();
    for (place, weight) in common(flow, places) {
        let sum = equation.place(place);
        for (growth, literal) in atoms.thresholds(sum.variable) {
            let most = i128::from(growth) + i128::from(sum.initial);
            let weight = i128::from(weight);
            out.push(Part { place, literal, weight, most: weight * most, least: weight * (most + 1) });
        }
    }
    out
}

/// The weights of an invariant at some places, by looking up the fewer in the more.
fn common(flow: &Flow, places: &[PlaceId]) -> Vec<(PlaceId, i64)> {
    if places.len() > flow.weights.len() {
        return flow.weights.iter().copied().filter(|(p, _)| places.binary_search(p).is_ok()).collect();
    }
    let weight = |&p: &PlaceId| flow.weights.binary_search_by_key(&p, |e| e.0).ok().map(|at| flow.weights[at]);
    places.iter().filter_map(weight).collect()
}

fn too_much(atoms: &mut Atoms, flow: &Flow, parts: &[Part], left: &mut usize) {
    let total = i128::from(flow.total);
    let alone = |part: &&Part| part.least > total;
    for part in parts.iter().filter(alone) {
        atoms.lemma(&[part.literal], || reason(flow, 1, &[part]));
    }
    let rest: Vec<&Part> = parts.iter().filter(|part| !alone(part) && part.least > 0).collect();
    if rest.len() > PAIRS {
        return;
    }
    for (i, a) in rest.iter().enumerate() {
        for b in rest[i + 1..].iter().filter(|b| b.place != a.place && a.least + b.least > total) {
            atoms.lemma(&[a.literal, b.literal], || reason(flow, 1, &[a, b]));
            *left = left.saturating_sub(1);
        }
    }
}

/// Of each place, the literal that leaves it the fewest tokens.
fn too_little(atoms: &mut Atoms, flow: &Flow, parts: &[Part]) {
    let mut fewest: Vec<&Part> = Vec::new();
    for part in parts.iter().filter(|part| part.most >= 0) {
        if fewest.last().is_none_or(|last| last.place != part.place) {
            fewest.push(part);
        }
    }
    let sum: i128 = fewest.iter().map(|part| part.most).sum();
    if flow.constant && fewest.len() == flow.weights.len() && sum < i128::from(flow.total) {
        let clause: Vec<Literal> = fewest.iter().map(|part| !part.literal).collect();
        atoms.lemma(&clause, || reason(flow, -1, &fewest));
    }
}

/// The invariant with this sign, and the bounds that contradict it.
fn reason(flow: &Flow, sign: i128, parts: &[&Part]) -> Reason {
    let literal = |part: &Part| if sign > 0 { part.literal } else { !part.literal };
    Reason {
        equation: flow.weights.iter().map(|&(p, weight)| (p, sign * i128::from(weight))).collect(),
        inequalities: parts.iter().map(|part| (Origin::Negated(literal(part)), part.weight)).collect(),
    }
}
