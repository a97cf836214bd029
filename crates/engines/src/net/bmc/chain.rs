//! Steps one after the other, as clauses: each offers all transitions in a fixed order, and each of them fires or not.
//!
//! A place has literals of its own after each transition that may change it, so that a transition sees what those before
//! it in the same step have left. There are as many new literals in a step as there are arcs that change something.

use model::nets::Predicate;
use model::views::{Net, NetTransitionId};
use solve::sat::{Answer, Literal};

use super::windows::Windows;
use crate::net::cnf::{Cnf, Tokens};
use crate::net::touch::{Touch, touches};
use crate::tokens::rows::Rows;

/// So many transitions are encoded before patience is asked.
const OFTEN: usize = 256;

/// What becomes of the clauses of a transition: all of them, or, in tests, fewer.
pub(super) type Clauses = fn(&mut Cnf, Passing<'_>);

/// A transition that may fire, and a place before and after it.
pub(super) struct Passing<'c> {
    pub(super) fires: Literal,
    pub(super) change: i64,
    pub(super) old: &'c Tokens,
    pub(super) new: &'c Tokens,
}

/// A sequence of steps from the initial marking.
#[derive(Debug)]
pub(super) struct Chain<'a> {
    order: &'a [NetTransitionId],
    windows: &'a Windows,
    touches: Rows<Touch>,
    cnf: Cnf,
    /// The tokens of each place after the last step, as far as they are more than the least of its window.
    now: Vec<Tokens>,
    /// By step, who may fire, and in which order.
    steps: Vec<Vec<(NetTransitionId, Literal)>>,
    /// That something fires in the last step.
    moves: Literal,
    clauses: Clauses,
}

impl<'a> Chain<'a> {
    pub(super) fn new(net: &Net, order: &'a [NetTransitionId], windows: &'a Windows) -> Self {
        Self::with(net, order, windows, passing)
    }

    /// With these clauses.
    pub(super) fn with(net: &Net, order: &'a [NetTransitionId], windows: &'a Windows, clauses: Clauses) -> Self {
        let cnf = Cnf::new();
        let first = |p| {
            let window = windows.of(p);
            cnf.known(u64::from(net.place(p).initial) - window.least, window.room, true)
        };
        let now = net.place_ids().map(first).collect();
        let touches = Rows::new(net.transition_ids().map(|t| touches(net, t)));
        let moves = cnf.constant(true);
        Self { order, windows, touches, cnf, now, steps: Vec::new(), moves, clauses }
    }

    /// The number of steps.
    pub(super) fn depth(&self) -> usize {
        self.steps.len()
    }

    /// Adds a step; `None` if patience, which hears of the bytes that are used, ends before. Steps in which nothing
    /// happens are the last ones.
    pub(super) fn deepen(&mut self, is_over: &mut dyn FnMut(u64) -> bool) -> Option<()> {
        let mut step = Vec::new();
        for (number, &t) in self.order.iter().enumerate() {
            if number % OFTEN == 0 && is_over(self.cnf.bytes()) {
                return None;
            }
            step.extend(self.offer(t).map(|fires| (t, fires)));
        }
        let fired: Vec<Literal> = step.iter().map(|&(_, fires)| fires).collect();
        let moves = self.cnf.any(&fired);
        self.cnf.clause(&[!moves, self.moves]);
        self.moves = moves;
        self.steps.push(step);
        Some(())
    }

    /// A transition that fires now, or does not; `None` if it cannot.
    fn offer(&mut self, t: NetTransitionId) -> Option<Literal> {
        let needed = self.needed(t);
        if needed.contains(&self.cnf.constant(false)) {
            return None;
        }
        let fires = self.cnf.fresh();
        needed.into_iter().for_each(|literal| self.cnf.clause(&[!fires, literal]));
        for touch in self.touches.row(t.index()).iter().filter(|touch| touch.change != 0) {
            let old = &self.now[touch.place.index()];
            let new = self.cnf.number(old.more_than.len(), true);
            (self.clauses)(&mut self.cnf, Passing { fires, change: touch.change, old, new: &new });
            self.now[touch.place.index()] = new;
        }
        Some(fires)
    }

    /// What must hold for a transition to fire now and to stay within the windows.
    fn needed(&self, t: NetTransitionId) -> Vec<Literal> {
        let mut needed = Vec::new();
        for touch in self.touches.row(t.index()) {
            let (window, tokens) = (self.windows.of(touch.place), &self.now[touch.place.index()]);
            let change = i128::from(touch.change);
            let enough = (i128::from(touch.needs) - i128::from(window.least)).max(-change);
            needed.push(at_least(&self.cnf, tokens, enough));
            if change > 0 {
                needed.push(!at_least(&self.cnf, tokens, window.room as i128 - change + 1));
            }
        }
        let yes = self.cnf.constant(true);
        needed.retain(|&literal| literal != yes);
        needed
    }

    /// A literal that implies a predicate after the last step, unless it takes too many clauses to say so.
    pub(super) fn reached(&mut self, goal: &Predicate) -> Literal {
        let now = &self.now;
        self.cnf.predicate(&self.windows.shifted(goal), &mut |_, p| now[p.index()].clone())
    }

    /// Whether there is a run of at most as many steps at the end of which a literal holds.
    pub(super) fn ask(&mut self, literal: Literal, is_over: &mut dyn FnMut(u64) -> bool) -> Answer {
        self.cnf.solve(&[literal], is_over)
    }

    /// Whether there is a run with something in every step.
    pub(super) fn goes_on(&mut self, is_over: &mut dyn FnMut(u64) -> bool) -> Answer {
        self.cnf.solve(&[self.moves], is_over)
    }

    /// The run that was found.
    pub(super) fn run(&self) -> Vec<NetTransitionId> {
        let offered = self.steps.iter().flatten();
        offered.filter(|(_, fires)| self.cnf.holds(*fires)).map(|&(t, _)| t).collect()
    }
}

/// That there are so many tokens: all numbers are counted that there may be.
fn at_least(cnf: &Cnf, tokens: &Tokens, number: i128) -> Literal {
    cnf.reaches(tokens, number).expect("windows are exact")
}

/// A place changes by what the transition does if it fires, and not at all if it does not.
pub(super) fn passing(cnf: &mut Cnf, passing: Passing<'_>) {
    let Passing { fires, change, old, new } = passing;
    for (i, &is) in new.more_than.iter().enumerate() {
        let (was, moved) = (old.more_than[i], at_least(cnf, old, i as i128 + 1 - i128::from(change)));
        cnf.clause(&[!fires, !is, moved]);
        cnf.clause(&[!fires, is, !moved]);
        // Who takes tokens leaves no more than there were, and who gives some no fewer, whether it fires or not.
        let (kept, same) = if change < 0 { ([!is, was], [fires, is, !was]) } else { ([is, !was], [fires, !is, was]) };
        cnf.clause(&kept);
        cnf.clause(&same);
    }
}
