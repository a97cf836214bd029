//! What a composition can do, explicitly: for compositions underneath operators that are not static, and as the oracle
//! for those that are.

use super::event::{Event, TAU, TICK};
use super::moves::{Moves, moves, replaced};
use super::store::force;
use super::term::{Sync, Term, TermId};
use super::{Checked, World};

/// Reports every move of a composition.
pub(super) fn parallel_moves<W: World>(
    world: &mut W,
    parts: &[TermId],
    sync: &Sync,
    report: &mut dyn FnMut(Event, TermId),
) -> Checked<()> {
    let parts = parts.iter().map(|p| force(world, *p)).collect::<Checked<Vec<_>>>()?;
    let mut offers = vec![];
    for part in &parts {
        offers.push(if world.store().has_terminated(*part) { Moves::from([]) } else { moves(world, *part)? });
    }
    let composition = Composition { parts: &parts, offers: &offers, sync };
    for (i, offer) in offers.iter().enumerate() {
        for &(event, to) in offer.iter() {
            composition.step(world, i, (event, to), report);
        }
    }
    Ok(())
}

struct Composition<'a> {
    parts: &'a [TermId],
    offers: &'a [Moves],
    sync: &'a Sync,
}

impl Composition<'_> {
    /// The steps in which part `i` makes this move and is the first that takes part.
    fn step<W: World>(
        &self,
        world: &mut W,
        i: usize,
        (event, to): (Event, TermId),
        report: &mut dyn FnMut(Event, TermId),
    ) {
        if event == TAU || event == TICK {
            let after = self.after(world, replaced(self.parts, i, to));
            return report(TAU, after);
        }
        let partners: Vec<usize> = (0..self.parts.len()).filter(|j| self.takes_part(world, *j, i, event)).collect();
        if partners.first() != Some(&i) {
            return;
        }
        let mut successors = vec![replaced(self.parts, i, to)];
        for &j in &partners[1..] {
            let targets = self.offers[j].iter().filter(|m| m.0 == event).map(|m| m.1);
            successors = targets.flat_map(|to| successors.iter().map(move |s| replaced(s, j, to))).collect();
        }
        for parts in successors {
            let after = self.after(world, parts);
            report(event, after);
        }
    }

    /// Whether part `j` takes part in an event that part `i` offers.
    fn takes_part<W: World>(&self, world: &W, j: usize, i: usize, event: Event) -> bool {
        match self.sync {
            Sync::Interface(set) => i == j || world.store().events(*set).contains(event),
            Sync::Alphabets(sets) => world.store().events(sets[j]).contains(event),
        }
    }

    fn after<W: World>(&self, world: &mut W, mut parts: Vec<TermId>) -> TermId {
        if matches!(self.sync, Sync::Interface(_)) {
            // Parts of such a composition may change places.
            parts.sort_unstable();
        }
        world.store_mut().parallel(parts, self.sync.clone())
    }
}

/// Whether the parts of a term become components of their own.
pub(super) fn is_static(term: &Term) -> bool {
    matches!(term, Term::Parallel(..) | Term::Hide(..) | Term::Rename(..))
}
