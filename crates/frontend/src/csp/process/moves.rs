//! What a term can do: the operational semantics of CSP as FDR has it (Roscoe, "The Theory and Practice of Concurrency",
//! chapter 7).
//!
//! Internal steps of an operand never resolve a choice. A part of a composition that terminates does so silently, and the
//! composition terminates when all parts have.

use std::rc::Rc;

use super::event::{Event, SetId, TAU, TICK};
use super::parallel::parallel_moves;
use super::store::{force, unguarded};
use super::term::{Term, TermId};
use super::{Checked, World};

/// The moves of a term: events with the terms that follow, in increasing order.
pub(super) type Moves = Rc<[(Event, TermId)]>;

/// The moves of a term, remembered. The terms that follow are no calls.
pub(super) fn moves<W: World>(world: &mut W, term: TermId) -> Checked<Moves> {
    let term = force(world, term)?;
    if let Some(known) = world.store().moves.get(&term) {
        return Ok(known.clone());
    }
    if !world.store_mut().active.insert(term) {
        let call = world.store().call_of(term).expect("only calls lead from a term to itself");
        return Err(unguarded(world, call));
    }
    let result = compute(world, term);
    world.store_mut().active.remove(&term);
    let result = result?;
    world.store_mut().moves.insert(term, result.clone());
    Ok(result)
}

/// The moves of a term, not remembered.
pub(super) fn compute<W: World>(world: &mut W, term: TermId) -> Checked<Moves> {
    let term = force(world, term)?;
    let mut out = Collector { world, list: vec![] };
    out.moves_of(term)?;
    let mut list = out.list;
    list.sort_unstable();
    list.dedup();
    Ok(list.into())
}

struct Collector<'w, W> {
    world: &'w mut W,
    list: Vec<(Event, TermId)>,
}

impl<W: World> Collector<'_, W> {
    fn moves_of(&mut self, term: TermId) -> Checked<()> {
        match self.world.store().term(term).clone() {
            Term::Omega | Term::Stop => Ok(()),
            Term::Done | Term::Skip => self.terminate(),
            Term::Div => self.add(TAU, term),
            Term::Run(set) => self.all_of(set, term),
            Term::Chaos(set) => {
                let stop = self.world.store_mut().plain(Term::Stop);
                self.add(TAU, stop)?;
                self.all_of(set, term)
            }
            Term::Menu(choices) => choices.iter().try_for_each(|(event, to)| self.add(*event, *to)),
            Term::External(parts) => self.external(&parts),
            Term::Internal(parts) => parts.iter().try_for_each(|part| self.add(TAU, *part)),
            Term::Sliding(p, q) => self.sliding(p, q),
            Term::Sequential(p, q) => self.sequential(p, q),
            Term::Loop(p) => self.sequential(p, term),
            Term::Interrupt(p, q) => self.interrupt(p, q),
            Term::Exception(p, set, q) => self.exception(p, set, q),
            Term::SynchronisingExternal(p, set, q) => self.synchronising(p, q, set, Rule::External),
            Term::SynchronisingInterrupt(p, set, q) => self.synchronising(p, q, set, Rule::Interrupt),
            Term::Parallel(parts, sync) => {
                parallel_moves(self.world, &parts, &sync, &mut |event, to| self.list.push((event, to)))
            }
            Term::Hide(p, set) => self.hide(p, set),
            Term::Rename(p, relation) => self.rename(p, relation),
            Term::Call(_) => unreachable!("a forced term is no call"),
        }
    }

    fn add(&mut self, event: Event, to: TermId) -> Checked<()> {
        let to = force(self.world, to)?;
        self.list.push((event, to));
        Ok(())
    }

    fn terminate(&mut self) -> Checked<()> {
        let omega = self.world.store_mut().plain(Term::Omega);
        self.add(TICK, omega)
    }

    fn all_of(&mut self, set: SetId, to: TermId) -> Checked<()> {
        let events = self.world.store().events(set).clone();
        self.list.extend(events.events().iter().map(|event| (*event, to)));
        Ok(())
    }

    fn external(&mut self, parts: &[TermId]) -> Checked<()> {
        let parts = parts.iter().map(|p| force(self.world, *p)).collect::<Checked<Vec<_>>>()?;
        for (i, part) in parts.iter().enumerate() {
            for &(event, to) in moves(self.world, *part)?.iter() {
                let to = if event == TAU { self.world.store_mut().external(replaced(&parts, i, to)) } else { to };
                self.add(event, to)?;
            }
        }
        Ok(())
    }

    fn sliding(&mut self, p: TermId, q: TermId) -> Checked<()> {
        self.add(TAU, q)?;
        for &(event, to) in moves(self.world, p)?.iter() {
            let to = if event == TAU { self.world.store_mut().plain(Term::Sliding(to, q)) } else { to };
            self.add(event, to)?;
        }
        Ok(())
    }

    fn sequential(&mut self, p: TermId, q: TermId) -> Checked<()> {
        for &(event, to) in moves(self.world, p)?.iter() {
            if event == TICK {
                self.add(TAU, q)?;
            } else {
                let to = self.world.store_mut().plain(Term::Sequential(to, q));
                self.add(event, to)?;
            }
        }
        Ok(())
    }

    fn interrupt(&mut self, p: TermId, q: TermId) -> Checked<()> {
        let (p, q) = (force(self.world, p)?, force(self.world, q)?);
        for &(event, to) in moves(self.world, p)?.iter() {
            let to = if event == TICK { to } else { self.world.store_mut().plain(Term::Interrupt(to, q)) };
            self.add(event, to)?;
        }
        for &(event, to) in moves(self.world, q)?.iter() {
            let to = if event == TAU { self.world.store_mut().plain(Term::Interrupt(p, to)) } else { to };
            self.add(event, to)?;
        }
        Ok(())
    }

    fn exception(&mut self, p: TermId, set: SetId, q: TermId) -> Checked<()> {
        for &(event, to) in moves(self.world, p)?.iter() {
            let to = match event {
                TICK => to,
                _ if self.world.store().events(set).contains(event) => q,
                _ => self.world.store_mut().plain(Term::Exception(to, set, q)),
            };
            self.add(event, to)?;
        }
        Ok(())
    }

    fn hide(&mut self, p: TermId, set: SetId) -> Checked<()> {
        for &(event, to) in moves(self.world, p)?.iter() {
            let store = self.world.store_mut();
            let shown = if store.events(set).contains(event) { TAU } else { event };
            let to = store.hide(to, set);
            self.add(shown, to)?;
        }
        Ok(())
    }

    fn rename(&mut self, p: TermId, relation: super::RelationId) -> Checked<()> {
        for &(event, to) in moves(self.world, p)?.iter() {
            let to = self.world.store_mut().rename(to, relation);
            let images = self.world.store().pairs(relation).clone();
            for image in images.images(event) {
                self.add(image, to)?;
            }
        }
        Ok(())
    }
}

/// How an operator that synchronises on some events is resolved by the others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    External,
    Interrupt,
}

impl<W: World> Collector<'_, W> {
    /// `P [+ A +] Q` and `P /+ A +\ Q`: events of `A` happen in both and resolve nothing.
    fn synchronising(&mut self, p: TermId, q: TermId, set: SetId, rule: Rule) -> Checked<()> {
        let (p, q) = (force(self.world, p)?, force(self.world, q)?);
        let (of_p, of_q) = (moves(self.world, p)?, moves(self.world, q)?);
        for &(event, to) in of_p.iter() {
            if self.world.store().events(set).contains(event) {
                for &(_, other) in of_q.iter().filter(|m| m.0 == event) {
                    self.both(event, (to, other), set, rule)?;
                }
            } else if event == TAU || (event != TICK && rule == Rule::Interrupt) {
                self.both(event, (to, q), set, rule)?;
            } else {
                self.add(event, to)?;
            }
        }
        for &(event, to) in of_q.iter().filter(|m| m.0 == TAU) {
            self.both(event, (p, to), set, rule)?;
        }
        for &(event, to) in of_q.iter().filter(|m| m.0 != TAU) {
            if !self.world.store().events(set).contains(event) {
                self.add(event, to)?;
            }
        }
        Ok(())
    }

    fn both(&mut self, event: Event, (p, q): (TermId, TermId), set: SetId, rule: Rule) -> Checked<()> {
        let term = match rule {
            Rule::External => Term::SynchronisingExternal(p, set, q),
            Rule::Interrupt => Term::SynchronisingInterrupt(p, set, q),
        };
        let to = self.world.store_mut().plain(term);
        self.add(event, to)
    }
}

/// The terms with the one at a place replaced.
pub(super) fn replaced(parts: &[TermId], place: usize, by: TermId) -> Vec<TermId> {
    let mut parts = parts.to_vec();
    parts[place] = by;
    parts
}
