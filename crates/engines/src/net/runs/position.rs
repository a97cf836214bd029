//! A marking of a net, and the truth values that an automaton reads there.

use evidence::Reason;
use model::nets::{Goal, Predicate};
use model::views::{NetTransitionId, PlaceId};

use crate::net::search::uncountable;
use crate::net::watch::Watch;
use crate::tokens::live::Live;
use crate::tokens::wiring::Wiring;

#[derive(Clone)]
pub(super) struct Position<'a> {
    pub(super) wiring: &'a Wiring<'a>,
    pub(super) live: Live,
    watch: Watch,
    /// By atom, where its truth is kept.
    roots: Vec<u32>,
}

impl<'a> Position<'a> {
    /// The initial marking.
    pub(super) fn new(wiring: &'a Wiring<'a>, atoms: &[Predicate]) -> Self {
        let live = Live::new(wiring);
        let goals: Vec<Goal> = atoms.iter().cloned().map(Goal::Satisfies).collect();
        let watch = Watch::new(&goals, &(0..goals.len()).collect::<Vec<_>>(), live.tokens());
        let roots = (0..goals.len()).map(|goal| watch.root(goal)).collect();
        Self { wiring, live, watch, roots }
    }

    /// Becomes equal to another position of the same net, without allocating.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.live.copy_from(&other.live);
        self.watch.copy_from(&other.watch);
    }

    /// The bit set of the atoms that are true.
    pub(super) fn letter(&self) -> u64 {
        let bit = |(atom, &root): (usize, &u32)| u64::from(self.watch.is_true(root)) << atom;
        self.roots.iter().enumerate().map(bit).sum()
    }

    pub(super) fn fire(&mut self, t: NetTransitionId) -> Result<(), Reason> {
        self.live.fresh.clear();
        self.live.fire(self.wiring, t, 1).map_err(uncountable)?;
        self.changed(t, 1)
    }

    pub(super) fn unfire(&mut self, t: NetTransitionId) -> Result<(), Reason> {
        self.live.unfire(self.wiring, t);
        self.changed(t, -1)
    }

    fn changed(&mut self, t: NetTransitionId, sign: i64) -> Result<(), Reason> {
        for &(p, change) in self.wiring.effect(t) {
            self.watch.change(p, sign * change).map_err(uncountable)?;
        }
        self.watch.forget_hits();
        Ok(())
    }

    /// Sets the tokens of a place.
    pub(super) fn set(&mut self, p: PlaceId, tokens: u64) -> Result<(), Reason> {
        let before = self.live.tokens()[p.index()];
        self.live.set(self.wiring, p, tokens);
        self.watch.forget_hits();
        self.watch.change(p, tokens.wrapping_sub(before) as i64).map_err(uncountable)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.live.bytes() + self.watch.bytes()
    }
}
