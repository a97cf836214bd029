//! Claims about whole runs, decided on the whole graph in the way of Lichtenstein and Pnueli: a run breaks a formula if
//! truth values can be given to all subformulas along it such that neighbours agree, the formula is false at first, and
//! what is promised comes. Of the translation of formulas to automata nothing is used.
//!
//! - [`Moments`]: the runs as a graph, with what is seen at each moment;
//! - [`Tableau`] and [`Reading`]: what can be remembered of a run by a formula and by an automaton;
//! - `product`: runs together with what is remembered;
//! - `component`: whether something can go on for ever such that all conditions are met, fairness among them;
//! - `tour`: a run that does.

mod component;
mod moments;
mod product;
mod reading;
mod tableau;
mod tour;

pub(crate) use moments::faulty_atom;
pub use moments::{Moment, Moments};
pub use product::Reader;
pub use reading::Reading;
pub use tableau::Tableau;

use evidence::Trace;
use model::{Claim, Strength, Temporal};

use super::{Graph, Semantics};
use component::{Conditions, fair_component};
use product::{Product, product};

/// A run that counts and breaks the claim, if there is one that meets no fault.
pub fn refutation<M: Semantics>(model: &M, graph: &Graph<M::State>, temporal: &Temporal) -> Option<Trace> {
    refuted(&Moments::of_graph(model, graph, temporal), temporal)
}

/// Whether this is a run of the system that counts and breaks the claim.
pub fn refutes<M: Semantics>(model: &M, temporal: &Temporal, run: &Trace) -> bool {
    Moments::of_run(model, run, temporal).is_some_and(|moments| refuted(&moments, temporal).is_some())
}

/// A run through these moments that counts and breaks the claim.
pub fn refuted(moments: &Moments, temporal: &Temporal) -> Option<Trace> {
    match &temporal.claim {
        Claim::Always(formula) => refuted_by(moments, &Tableau::new(formula), temporal),
        Claim::Never(acceptor) => refuted_by(moments, &Reading(&acceptor.automaton), temporal),
    }
}

fn refuted_by<R: Reader>(moments: &Moments, reader: &R, temporal: &Temporal) -> Option<Trace> {
    let product = product(moments, reader);
    let conditions = conditions(moments, reader, temporal, &product);
    let component = fair_component(&product.next, &conditions)?;
    Some(tour::tour(moments, &product, &component, &conditions))
}

/// What must be met again and again: positions, what the reader waits for, and what fairness asks for.
fn conditions<R: Reader>(
    moments: &Moments,
    reader: &R,
    temporal: &Temporal,
    product: &Product<R::Memory>,
) -> Conditions {
    let at = |test: &dyn Fn(&Moment) -> bool| product.nodes.iter().map(|(m, _)| test(&moments.all[*m])).collect();
    let met = |set| product.nodes.iter().map(|(_, memory)| reader.meets(set, memory)).collect();
    let mut conditions = Conditions { required: vec![at(&|m| m.letter.is_some())], strong: Vec::new() };
    conditions.required.extend((0..reader.sets()).map(met));
    for way in &temporal.fairness {
        let position = |m: &Moment| m.letter.is_some();
        let enabled = |m: &Moment| position(m) && m.enabled.iter().any(|t| way.to.contains(t));
        let taken = |m: &Moment| m.taken.is_some_and(|t| way.to.contains(&t));
        match way.strength {
            Strength::Weak => conditions.required.push(at(&|m| taken(m) || (position(m) && !enabled(m)))),
            Strength::Strong => conditions.strong.push((at(&enabled), at(&taken))),
        }
    }
    conditions
}
