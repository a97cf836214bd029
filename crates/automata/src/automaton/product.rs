//! The synchronous product: what both automata accept.

use std::collections::HashMap;

use super::{Automaton, Edge, Label, Marks, State};
use crate::bdd::Exhausted;

/// The automaton of the words that both accept, over the same atoms; none if it would need too many acceptance sets.
pub fn intersection(a: &Automaton, b: &Automaton) -> Option<Automaton> {
    product(a, b, |x: &Label, y: &Label| Ok(x.and(y))).ok()
}

/// The product with labels joined by `join`, which says which pairs of labels exclude each other.
pub(crate) fn product<K, L, M>(
    a: &Automaton<K>,
    b: &Automaton<L>,
    mut join: impl FnMut(&K, &L) -> Result<Option<M>, Exhausted>,
) -> Result<Automaton<M>, Exhausted> {
    let sets = Some(a.sets + b.sets).filter(|sets| *sets <= Marks::MOST).ok_or(Exhausted)?;
    let mut number = HashMap::from([((a.initial, b.initial), State(0))]);
    let mut pairs = vec![(a.initial, b.initial)];
    let mut edges = Vec::new();
    let mut at = 0;
    while at < pairs.len() {
        let (p, q) = pairs[at];
        let mut joint = Vec::new();
        for (e, f) in a.from(p).iter().flat_map(|e| b.from(q).iter().map(move |f| (e, f))) {
            let Some(label) = join(&e.label, &f.label)? else { continue };
            let target = *number.entry((e.target, f.target)).or_insert_with(|| {
                pairs.push((e.target, f.target));
                State(pairs.len() as u32 - 1)
            });
            joint.push(Edge { label, marks: Marks(e.marks.0 | f.marks.0.checked_shl(a.sets).unwrap_or(0)), target });
        }
        edges.push(joint);
        at += 1;
    }
    Ok(Automaton { atoms: a.atoms.max(b.atoms), sets, initial: State(0), edges })
}
