//! What every order of searching shares: the current marking in all its forms, and which successors it needs.

use evidence::{Budget, Reason};
use model::views::{NetTransitionId, PlaceId};

use super::growth::Growth;
use super::question::Question;
use crate::net::Task;
use crate::net::distance::to_goal;
use crate::net::random::Random;
use crate::net::report::Reporter;
use crate::net::watch::Watch;
use crate::store::{Inserted, StateIndex};
use crate::tokens::live::{Live, Overflow};
use crate::tokens::stubborn::Stubborn;
use crate::tokens::tree::Tree;
use crate::tokens::wiring::Wiring;

/// Steps between two looks at the budget.
const BREATH: u32 = 256;

/// Which successors of a marking are visited.
pub(super) enum Successors<'a> {
    /// All.
    All,
    /// Those of stubborn sets that keep every dead marking; the search goes on to the end.
    KeepDead(Box<Stubborn<'a>>),
    /// Those of a stubborn set for one goal.
    Stubborn(usize, Question<'a>, Box<Stubborn<'a>>),
}

pub(super) struct Explorer<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) wiring: &'a Wiring<'a>,
    pub(super) live: Live,
    pub(super) watch: Watch,
    pub(super) reporter: Reporter<'a>,
    pub(super) tree: Tree,
    pub(super) growth: Growth,
    successors: Successors<'a>,
    /// Scratch: an up-set, and the set that it leads to.
    up: Vec<NetTransitionId>,
    set: Vec<NetTransitionId>,
    /// Of each transition, by how much it changes the number of tokens.
    gains: Vec<i64>,
    total: u64,
    /// The most tokens in a marking, and the firings between markings, so far.
    pub(super) most_total: u64,
    pub(super) firings: u64,
    fixed: u64,
    breath: u32,
}

impl<'a> Explorer<'a> {
    pub(super) fn new(task: &'a Task<'a>, wiring: &'a Wiring<'a>, successors: Successors<'a>) -> Self {
        let live = Live::new(wiring);
        let open = task.board.open();
        let watch = Watch::new(task.goals, &open, live.tokens());
        let gain = |t| wiring.effect(t).iter().map(|&(_, change)| change).sum();
        let total = live.tokens().iter().sum();
        let mut explorer = Self {
            task,
            wiring,
            tree: Tree::new(&expected(wiring, &live)),
            growth: Growth::new(live.tokens()),
            reporter: Reporter::new(task, "search", &open),
            gains: wiring.net.transition_ids().map(gain).collect(),
            successors,
            up: Vec::new(),
            set: Vec::new(),
            most_total: total,
            total,
            firings: 0,
            fixed: 0,
            breath: 0,
            live,
            watch,
        };
        explorer.fixed = explorer.fixed_bytes();
        explorer
    }

    fn fixed_bytes(&self) -> u64 {
        let sets = match &self.successors {
            Successors::All => 0,
            Successors::KeepDead(sets) | Successors::Stubborn(_, _, sets) => sets.bytes(),
        };
        let marking = self.wiring.bytes() + self.live.bytes() + self.watch.bytes() + self.growth.bytes();
        sets + marking + 16 * self.gains.len() as u64
    }

    /// The memory of all but the tree.
    pub(super) fn others(&self, own: u64) -> u64 {
        self.fixed + own
    }

    /// The goal that is aimed at, if it is one.
    pub(super) fn goal(&self) -> Option<usize> {
        if let Successors::Stubborn(goal, ..) = self.successors { Some(goal) } else { None }
    }

    /// Whether the search still serves somebody; `own` is the memory of the caller.
    #[inline]
    pub(super) fn goes_on(&mut self, own: u64) -> Result<bool, Reason> {
        self.breath += 1;
        if self.breath < BREATH {
            return Ok(true);
        }
        self.breath = 0;
        self.task.budget.check(self.tree.bytes() + self.others(own))?;
        Ok(self.is_wanted())
    }

    /// Whether there are goals left that this search can settle; without any goals it counts markings.
    pub(super) fn is_wanted(&self) -> bool {
        match self.successors {
            Successors::Stubborn(goal, ..) => self.task.board.is_open(goal),
            Successors::All | Successors::KeepDead(_) => self.task.goals.is_empty() || !self.task.board.is_done(),
        }
    }

    /// Adds the initial marking.
    pub(super) fn begin(&mut self, own: u64) -> Result<(), Reason> {
        let limits = (self.others(own), self.task.budget);
        self.tree.begin(self.live.tokens(), limits)?;
        self.reporter.report(&self.live, &mut self.watch, Vec::new);
        Ok(())
    }

    /// Goes on to the marking after an enabled transition.
    #[inline]
    pub(super) fn fire(&mut self, t: NetTransitionId, own: u64) -> Result<Inserted, Reason> {
        self.firings += 1;
        self.live.fresh.clear();
        self.live.fire(self.wiring, t, 1).map_err(uncountable)?;
        let effect = self.wiring.effect(t);
        for &(p, change) in effect {
            self.watch.change(p, change).map_err(uncountable)?;
        }
        self.total = self.total.checked_add_signed(self.gains[t.index()]).ok_or_else(|| uncountable(Overflow))?;
        let limits = (self.fixed + own, self.task.budget);
        self.tree.enter(self.live.tokens(), effect, limits)
    }

    /// Goes back from the marking after a transition to the one before, which has this number.
    #[inline]
    pub(super) fn unfire(&mut self, t: NetTransitionId, state: StateIndex) -> Result<(), Reason> {
        self.live.unfire(self.wiring, t);
        for &(p, change) in self.wiring.effect(t) {
            self.watch.change(p, -change).map_err(uncountable)?;
        }
        self.total = self.total.wrapping_add_signed(-self.gains[t.index()]);
        self.watch.forget_hits();
        self.tree.go_back(state);
        Ok(())
    }

    /// Goes to any visited marking.
    pub(super) fn go_to(&mut self, state: StateIndex) -> Result<(), Reason> {
        let (live, watch, wiring) = (&mut self.live, &mut self.watch, self.wiring);
        let (mut total, mut changed) = (self.total, Ok(()));
        self.tree.go_to(state, |p, tokens| {
            let before = live.tokens()[p.index()];
            live.set(wiring, p, tokens);
            total = total.wrapping_sub(before).wrapping_add(tokens);
            changed = changed.and(watch.change(p, tokens.wrapping_sub(before) as i64));
        });
        self.total = total;
        self.live.fresh.clear();
        self.watch.forget_hits();
        changed.map_err(uncountable)
    }

    /// Reports what is true in a new marking, and notes how it grew after its last step.
    #[inline]
    pub(super) fn arrive(
        &mut self,
        last: NetTransitionId,
        path: usize,
        run: impl Fn() -> Vec<NetTransitionId>,
    ) -> bool {
        self.reporter.report(&self.live, &mut self.watch, run);
        self.most_total = self.most_total.max(self.total);
        self.growth.note(self.wiring.effect(last), self.live.tokens(), path)
    }

    /// An error if the path to the current marking, last step first, shows that the net has no bound.
    pub(super) fn stays_bounded(&mut self, path: impl Iterator<Item = NetTransitionId>) -> Result<(), Reason> {
        self.growth.grows(self.wiring, path).map_or(Ok(()), |p| Err(unbounded(self.wiring, p)))
    }

    /// Adds the transitions to fire in the current marking.
    pub(super) fn choose(&mut self, out: &mut Vec<NetTransitionId>) {
        let live = &self.live;
        match &mut self.successors {
            Successors::All => out.extend_from_slice(live.enabled()),
            Successors::KeepDead(sets) => sets.small(live.enabled(), live, out),
            Successors::Stubborn(_, Question::Dead, sets) => sets.for_deadlocks(live, out),
            Successors::Stubborn(_, Question::Maximum(raising), sets) => sets.with(raising, live, out),
            // Nothing more is wanted from here.
            Successors::Stubborn(_, Question::Formula(formula), _) if formula.holds(live.tokens()) => {}
            Successors::Stubborn(_, Question::Formula(formula), sets) => {
                let start = out.len();
                for (i, part) in formula.choices(live.tokens()).into_iter().enumerate() {
                    self.up.clear();
                    self.set.clear();
                    part.up(live.tokens(), &mut self.up);
                    sets.with(&self.up, live, &mut self.set);
                    if i == 0 || self.set.len() < out.len() - start {
                        out.truncate(start);
                        out.extend_from_slice(&self.set);
                    }
                    if out.len() - start <= 1 {
                        break;
                    }
                }
            }
        }
    }

    /// How far the current marking is from the goal, or from the first open one.
    pub(super) fn distance(&self) -> u64 {
        let goal = self.goal().or_else(|| (0..self.task.goals.len()).find(|&g| self.task.board.is_open(g)));
        let to = |g: usize| to_goal(&self.task.goals[g], self.live.tokens(), self.live.enabled().len());
        goal.map_or(0, to)
    }
}

/// The most tokens of each place on a short walk: a guess of how much room they need.
pub(in crate::net) fn expected(wiring: &Wiring<'_>, start: &Live) -> Vec<u64> {
    const STEPS: usize = 2000;
    let (mut live, mut random) = (start.clone(), Random::new(0));
    let mut most = start.tokens().to_vec();
    for _ in 0..STEPS {
        if live.enabled().is_empty() {
            break;
        }
        let t = random.pick(live.enabled());
        if live.fire(wiring, t, 1).is_err() {
            break;
        }
        for &(p, _) in wiring.effect(t) {
            most[p.index()] = most[p.index()].max(live.tokens()[p.index()]);
        }
        live.fresh.clear();
    }
    most
}

/// Makes room for more items, if the budget allows; `others` is the memory used elsewhere.
pub(super) fn room<T>(items: &mut Vec<T>, more: usize, others: u64, budget: &Budget) -> Result<(), Reason> {
    if items.capacity() - items.len() < more {
        let more = more.max(items.len() / 4).max(256);
        budget.check_memory(others + ((items.capacity() + more) * size_of::<T>()) as u64)?;
        items.reserve_exact(more);
    }
    Ok(())
}

pub(in crate::net) fn uncountable(_: Overflow) -> Reason {
    Reason::Unsupported("a place gets more tokens than can be counted".to_owned())
}

fn unbounded(wiring: &Wiring<'_>, p: PlaceId) -> Reason {
    Reason::Unbounded(format!("the net is unbounded: place `{}` grows without end", wiring.net.place(p).name))
}
