//! What an event does to sets of states: one component moves, all others stay.

use model::views::{ComponentId, EventId, Network, StateId};
use solve::bdd::{Bdd, Cube, Full, Manager, Renaming, Variables};

use super::codes::{Codes, FEW};

/// Along the steps or against them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    After,
    Before,
}

/// The moves of a component with one event, as operations on sets of states.
#[derive(Debug)]
pub(super) struct Moves {
    /// The states in which the event is offered.
    pub(super) offered: Bdd,
    /// The states that it leaves unchanged.
    stays: Bdd,
    others: Others,
}

/// The moves that change the state.
#[derive(Debug)]
enum Others {
    /// From where and to where.
    Few(Vec<(Cube, Cube)>),
    /// Present and next bits.
    Relation { relation: Bdd, present: Variables, next: Variables, forth: Renaming, back: Renaming },
}

impl Moves {
    pub(super) fn new(manager: &Manager, codes: &Codes, network: &Network, port: Port) -> Result<Self, Full> {
        let (c, e) = port;
        let component = network.component(c);
        let all = (0..component.states().len()).map(StateId::new);
        let moves: Vec<(StateId, StateId)> =
            all.flat_map(|from| component.moves_with(from, e).iter().map(move |m| (from, m.to))).collect();
        let mut from: Vec<StateId> = moves.iter().map(|m| m.0).collect();
        from.dedup();
        let (loops, steps): (Vec<_>, Vec<_>) = moves.into_iter().partition(|(from, to)| from == to);
        let loops: Vec<StateId> = loops.into_iter().map(|(from, _)| from).collect();
        let others = match steps.len() > FEW {
            false => {
                let cube = |s: StateId| codes.state(manager, c, s);
                Others::Few(steps.iter().map(|&(from, to)| Ok((cube(from)?, cube(to)?))).collect::<Result<_, Full>>()?)
            }
            true => Others::relation(manager, codes, c, &steps)?,
        };
        let offered = states(manager, codes, c, &from)?;
        Ok(Self { offered, stays: states(manager, codes, c, &loops)?, others })
    }

    /// Where the states of a set get to.
    pub(super) fn after(&self, set: &Bdd) -> Result<Bdd, Full> {
        let stays = set.and(&self.stays)?;
        match &self.others {
            Others::Few(steps) => {
                steps.iter().try_fold(stays, |sum, (from, to)| sum.or(&set.given(from)?.and(to.set())?))
            }
            Others::Relation { relation, present, back, .. } => {
                stays.or(&set.and_exists(relation, present)?.renamed(back)?)
            }
        }
    }

    /// From where the states of a set can be got to.
    pub(super) fn before(&self, set: &Bdd) -> Result<Bdd, Full> {
        let stays = set.and(&self.stays)?;
        match &self.others {
            Others::Few(steps) => {
                steps.iter().try_fold(stays, |sum, (from, to)| sum.or(&set.given(to)?.and(from.set())?))
            }
            Others::Relation { relation, next, forth, .. } => {
                stays.or(&set.renamed(forth)?.and_exists(relation, next)?)
            }
        }
    }

    /// The component moves, and the others do something that does not depend on it; the result is to be within the
    /// second set, which is handed on as far as the move leaves it open.
    pub(super) fn moved<E: From<Full>>(
        &self,
        way: Way,
        (set, within): (&Bdd, &Bdd),
        others: &mut dyn FnMut(&Bdd, &Bdd) -> Result<Bdd, E>,
    ) -> Result<Bdd, E> {
        let Others::Few(steps) = &self.others else {
            let moved = if way == Way::After { self.after(set)? } else { self.before(set)? };
            return others(&moved, within);
        };
        let mut sum = others(&set.and(&self.stays)?, within)?;
        for (from, to) in steps {
            let (here, there) = if way == Way::After { (from, to) } else { (to, from) };
            let rest = others(&set.given(here)?, &within.given(there)?)?;
            sum = sum.or(&rest.and(there.set())?)?;
        }
        Ok(sum)
    }
}

impl Others {
    fn relation(manager: &Manager, codes: &Codes, c: ComponentId, steps: &[(StateId, StateId)]) -> Result<Self, Full> {
        let steps = steps.iter().map(|&step| codes.step(manager, c, step)).collect::<Result<Vec<_>, Full>>()?;
        let pairs: Vec<(u32, u32)> = codes.present(c).iter().copied().zip(codes.next(c).iter().copied()).collect();
        let turned: Vec<(u32, u32)> = pairs.iter().map(|&(present, next)| (next, present)).collect();
        Ok(Others::Relation {
            relation: union(manager, steps)?,
            present: manager.set(codes.present(c).iter().copied())?,
            next: manager.set(codes.next(c).iter().copied())?,
            forth: manager.renaming(&pairs)?,
            back: manager.renaming(&turned)?,
        })
    }
}

/// An event of a component.
pub(crate) type Port = (ComponentId, EventId);

/// A component is in one of some states.
pub(super) fn states(manager: &Manager, codes: &Codes, c: ComponentId, states: &[StateId]) -> Result<Bdd, Full> {
    let cubes = states.iter().map(|&s| Ok(codes.state(manager, c, s)?.set().clone()));
    union(manager, cubes.collect::<Result<Vec<_>, Full>>()?)
}

/// The union, by halves: a long sum grows with each term.
pub(super) fn union(manager: &Manager, mut sets: Vec<Bdd>) -> Result<Bdd, Full> {
    while sets.len() > 1 {
        let pair = |pair: &[Bdd]| if let [a, b] = pair { a.or(b) } else { Ok(pair[0].clone()) };
        sets = sets.chunks(2).map(pair).collect::<Result<_, _>>()?;
    }
    Ok(sets.pop().unwrap_or_else(|| manager.none()))
}
