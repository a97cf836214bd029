//! The observer, if there is one, moves along with every transition.

use super::Compiler;
use crate::code::Code;
use crate::layout::{Field, Layout};
use crate::{Fault, Observer, TransitionId};

/// A compiled observer.
#[derive(Clone, Debug)]
pub(super) struct ObserverProgram {
    field: Field,
    edges: Vec<Vec<ObserverStep>>,
}

/// An edge of the observer: the transitions followed (`None`: all), the predicate, the location entered.
type ObserverStep = (Option<Vec<bool>>, Code, i64);

impl ObserverProgram {
    pub(super) fn step(&self, t: TransitionId, state: &mut [u64], layout: &Layout, free: bool) -> Result<(), Fault> {
        let location = self.field.get(state);
        for (on, when, to) in &self.edges[location as usize] {
            if on.as_ref().map_or(free, |on| on[t.index()]) && when.eval(state, layout)? != 0 {
                self.field.set(state, *to);
                return Ok(());
            }
        }
        Ok(())
    }
}

impl Compiler<'_> {
    pub(super) fn observer(&self, observer: &Observer, transitions: usize) -> ObserverProgram {
        let mut edges = vec![Vec::new(); observer.locations.len()];
        for edge in &observer.edges {
            let on = edge.on.as_ref().map(|on| {
                let mut set = vec![false; transitions];
                on.iter().for_each(|t| set[t.index()] = true);
                set
            });
            edges[edge.from.index()].push((on, self.coder().code(&edge.when), i64::from(edge.to.0)));
        }
        ObserverProgram { field: self.layout.observer.unwrap_or_default(), edges }
    }
}
