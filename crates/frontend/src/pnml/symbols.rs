//! The ids of a document, as numbers, before and after it is known what they mean.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use model::views::{NetTransitionId, PlaceId};

/// An id of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symbol(u32);

/// What an id stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Nothing so far: it was only referred to.
    Open,
    Place(PlaceId),
    Transition(NetTransitionId),
    /// A reference place, for another place or reference place.
    ReferencePlace(Symbol),
    ReferenceTransition(Symbol),
    /// A page, an arc, the net.
    Other,
}

/// All ids.
#[derive(Default)]
pub(super) struct Symbols<'a> {
    numbers: HashMap<Cow<'a, str>, Symbol>,
    meanings: Vec<Meaning>,
}

impl<'a> Symbols<'a> {
    /// The number of an id, which may be new.
    pub(super) fn symbol(&mut self, id: Cow<'a, str>) -> Symbol {
        let next = Symbol(self.meanings.len() as u32);
        match self.numbers.entry(id) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                self.meanings.push(Meaning::Open);
                *entry.insert(next)
            }
        }
    }

    /// Gives an id its meaning; whether it had none.
    pub(super) fn define(&mut self, symbol: Symbol, meaning: Meaning) -> bool {
        let old = &mut self.meanings[symbol.0 as usize];
        let free = *old == Meaning::Open;
        if free {
            *old = meaning;
        }
        free
    }

    /// What an id means, if it is there.
    pub(super) fn find(&self, id: &str) -> Option<Meaning> {
        self.numbers.get(id).map(|s| self.meanings[s.0 as usize])
    }

    /// The place or transition that an id leads to; `None` where references lead nowhere, round in a circle, or from
    /// one kind to the other. What is found is kept, so that long chains are followed once.
    pub(super) fn resolve(&mut self, symbol: Symbol) -> Option<Meaning> {
        let first = self.meanings[symbol.0 as usize];
        let (mut at, mut steps) = (first, 0);
        while let Some(next) = at.reference_like(first) {
            at = self.meanings[next.0 as usize];
            steps += 1;
            if steps > self.meanings.len() {
                at = Meaning::Open;
            }
        }
        let fits = matches!(
            (first, at),
            (Meaning::ReferencePlace(_) | Meaning::Place(_), Meaning::Place(_))
                | (Meaning::ReferenceTransition(_) | Meaning::Transition(_), Meaning::Transition(_))
        );
        self.shorten(symbol, if fits { at } else { Meaning::Open });
        fits.then_some(at)
    }

    fn shorten(&mut self, from: Symbol, end: Meaning) {
        let first = self.meanings[from.0 as usize];
        let mut symbol = from;
        while let Some(next) = self.meanings[symbol.0 as usize].reference_like(first) {
            self.meanings[symbol.0 as usize] = end;
            symbol = next;
        }
    }
}

impl Meaning {
    /// Where a reference of the same kind as `first` leads.
    fn reference_like(self, first: Meaning) -> Option<Symbol> {
        match (first, self) {
            (Meaning::ReferencePlace(_), Meaning::ReferencePlace(next))
            | (Meaning::ReferenceTransition(_), Meaning::ReferenceTransition(next)) => Some(next),
            _ => None,
        }
    }
}
