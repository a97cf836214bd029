//! The states of a network as sets: what is initial, blocked or asked for, and what rules make of a set.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use evidence::{Budget, Goal, Reason};
use model::views::{ComponentId, Network, RuleId, StateId};
use solve::bdd::{Bdd, Cube, MOST, Manager, Natural, Room};

use super::Stop;
use super::codes::Codes;
use super::moves::{self, Moves, Port, Way};
use super::sweep::{Sweep, Trie};

/// What a space is built with.
#[derive(Clone, Debug)]
pub struct Setting<'a> {
    /// The components, those whose bits are tested first coming first.
    pub order: Vec<ComponentId>,
    /// The limits.
    pub budget: &'a Budget,
}

/// The states of a network.
#[derive(Debug)]
pub struct Space<'a> {
    network: &'a Network,
    budget: &'a Budget,
    /// When to end what is only tried.
    until: Mutex<Option<Instant>>,
    manager: Manager,
    order: Vec<ComponentId>,
    codes: Codes,
    events: HashMap<Port, Moves>,
    /// All rules that change anything.
    trie: Trie,
    /// By component, where it may start; all combinations are initial.
    starts: Vec<Vec<StateId>>,
}

impl<'a> Space<'a> {
    /// The space of a network with one initial state.
    pub fn new(network: &'a Network, setting: Setting<'a>) -> Result<Self, Stop> {
        let codes = Codes::new(network, &setting.order);
        if codes.variables() as usize > MOST {
            let message = format!("its states take {} bits; diagrams test at most {MOST}", codes.variables());
            return Err(Stop(Reason::Unsupported(message)));
        }
        let room = Room::within(setting.budget.memory(), codes.variables() as usize);
        let manager = Manager::new(codes.variables(), room);
        let starts = network.initial_state().into_iter().map(|s| vec![s]).collect();
        let trie = Trie::new(network, &codes);
        let mut space = Self {
            network,
            budget: setting.budget,
            until: Mutex::new(None),
            manager,
            order: setting.order,
            codes,
            events: HashMap::new(),
            trie,
            starts,
        };
        for rule in network.rules() {
            for &port in &rule.participants {
                if !space.events.contains_key(&port) {
                    let moves = Moves::new(&space.manager, &space.codes, network, port)?;
                    space.events.insert(port, moves);
                    space.check()?;
                }
            }
        }
        Ok(space)
    }

    /// The same network, where each component may start in any of some states.
    #[must_use]
    pub fn starting(self, starts: Vec<Vec<StateId>>) -> Self {
        Self { starts, ..self }
    }

    /// How many variables a network takes: what [`solve::bdd::deep`] is to be called with.
    pub fn variables(network: &Network) -> usize {
        let all: Vec<ComponentId> = network.component_ids().collect();
        Codes::new(network, &all).variables() as usize
    }

    /// The network.
    pub fn network(&self) -> &'a Network {
        self.network
    }

    /// The components, those whose bits are tested first coming first.
    pub fn order(&self) -> &[ComponentId] {
        &self.order
    }

    /// The diagrams.
    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// Whether there is time left. That there is no room left, operations say themselves.
    pub fn check(&self) -> Result<(), Stop> {
        self.budget.check(0)?;
        match *self.until.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(until) if self.budget.now() >= until => Err(Stop(Reason::Timeout)),
            _ => Ok(()),
        }
    }

    /// Tries something for some time; `None` if that is over before it ends.
    pub fn try_for<T>(&self, time: Duration, f: impl FnOnce() -> Result<T, Stop>) -> Result<Option<T>, Stop> {
        let end_at = |until| *self.until.lock().unwrap_or_else(PoisonError::into_inner) = until;
        end_at(self.budget.now().checked_add(time));
        let tried = f();
        end_at(None);
        match tried {
            Err(Stop(Reason::Timeout)) => self.check().map(|()| None),
            tried => tried.map(Some),
        }
    }

    /// The bits of a state of a component.
    pub(super) fn cube(&self, c: ComponentId, s: StateId) -> Result<Cube, Stop> {
        Ok(self.codes.state(&self.manager, c, s)?)
    }

    /// The limits.
    pub(crate) fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// The variables of a component's state, the most significant bit first.
    pub(crate) fn bits(&self, c: ComponentId) -> &[u32] {
        self.codes.present(c)
    }

    /// A component is in a state.
    pub fn at(&self, c: ComponentId, s: StateId) -> Result<Bdd, Stop> {
        Ok(self.codes.state(&self.manager, c, s)?.set().clone())
    }

    /// A component is in one of some states.
    pub fn among(&self, c: ComponentId, states: &[StateId]) -> Result<Bdd, Stop> {
        Ok(moves::states(&self.manager, &self.codes, c, states)?)
    }

    /// All conditions together, those on late variables first.
    pub fn all_of(&self, sets: impl IntoIterator<Item = Bdd>) -> Result<Bdd, Stop> {
        sets.into_iter().try_fold(self.manager.all(), |all, set| {
            self.check()?;
            Ok(all.and(&set)?)
        })
    }

    /// The components, those with the latest variables first: conditions are best put together in this order.
    pub(crate) fn upwards(&self) -> Vec<ComponentId> {
        let mut components: Vec<ComponentId> = self.network.component_ids().collect();
        components.sort_by_key(|&c| std::cmp::Reverse(self.codes.present(c).first().copied()));
        components
    }

    /// The rules, those whose first variable is the latest first.
    pub fn rules_upwards(&self) -> Vec<RuleId> {
        let first = |r: &RuleId| {
            let participants = self.network.rule(*r).participants.iter();
            participants.filter_map(|(c, _)| self.codes.present(*c).first()).min().copied()
        };
        let mut rules: Vec<RuleId> = self.network.rule_ids().collect();
        rules.sort_by_key(|r| std::cmp::Reverse(first(r)));
        rules
    }

    /// The components are in one state each.
    pub fn state(&self, states: &[StateId]) -> Result<Bdd, Stop> {
        let literals = self.network.component_ids().flat_map(|c| self.codes.literals(c, states[c.index()]));
        Ok(self.manager.cube(literals)?.set().clone())
    }

    /// Every component is in one of its states; not every number is one.
    pub fn valid(&self) -> Result<Bdd, Stop> {
        let known = |c: ComponentId| (0..self.network.component(c).states().len()).map(StateId::new).collect();
        self.product(|c| Some(known(c)))
    }

    /// The initial states.
    pub fn initial(&self) -> Result<Bdd, Stop> {
        self.product(|c| Some(self.starts[c.index()].clone()))
    }

    /// Every component for which states are given is in one of them.
    pub fn product(&self, states: impl Fn(ComponentId) -> Option<Vec<StateId>>) -> Result<Bdd, Stop> {
        let sets = self.upwards().into_iter().filter_map(|c| Some(self.among(c, &states(c)?)));
        self.all_of(sets.collect::<Result<Vec<_>, Stop>>()?)
    }

    /// Where each component may start.
    pub fn starts(&self) -> &[Vec<StateId>] {
        &self.starts
    }

    /// The states in which a rule is enabled.
    pub fn enabled(&self, rule: RuleId) -> Result<Bdd, Stop> {
        let offered = self.network.rule(rule).participants.iter().map(|port| self.events[port].offered.clone());
        self.all_of(offered)
    }

    /// The states within a set in which no rule is enabled and some component is not where it may stop for good.
    pub fn blocked(&self, within: &Bdd) -> Result<Bdd, Stop> {
        self.blocked_for(within, |_| true)
    }

    /// The same as if only some of the rules were there.
    pub fn blocked_for(&self, within: &Bdd, counts: impl Fn(RuleId) -> bool) -> Result<Bdd, Stop> {
        let mut blocked = within.minus(&self.ended()?)?;
        for rule in self.rules_upwards().into_iter().filter(|&rule| counts(rule)) {
            self.check()?;
            blocked = blocked.minus(&self.enabled(rule)?)?;
        }
        Ok(blocked)
    }

    /// The states in which every component may stop for good.
    fn ended(&self) -> Result<Bdd, Stop> {
        if self.network.components().is_empty() {
            return Ok(self.manager.none());
        }
        let ends = |c: ComponentId| {
            let states = self.network.component(c).states().iter().enumerate();
            Some(states.filter(|(_, s)| s.end).map(|(k, _)| StateId::new(k)).collect::<Vec<_>>())
        };
        // One component without such a state decides it, and most have none.
        if self.network.component_ids().any(|c| ends(c).is_some_and(|states| states.is_empty())) {
            return Ok(self.manager.none());
        }
        self.product(ends)
    }

    /// The states within a set that satisfy one of the goals.
    pub fn wanted(&self, goals: &[Goal], within: &Bdd) -> Result<Bdd, Stop> {
        let mut wanted = self.manager.none();
        for goal in goals {
            let found = match goal {
                Goal::Deadlock => self.blocked(within)?,
                Goal::Enabled(r) => self.enabled(RuleId::new(*r))?.and(within)?,
            };
            wanted = wanted.or(&found)?;
        }
        Ok(wanted)
    }

    /// The states that a rule leads to from a set.
    pub fn after(&self, rule: RuleId, set: &Bdd) -> Result<Bdd, Stop> {
        self.check()?;
        self.apply(&self.network.rule(rule).participants, set, Moves::after)
    }

    /// The states that components get to from a set when each moves with an event, whoever else would have to.
    pub(crate) fn after_events(&self, ports: &[Port], set: &Bdd) -> Result<Bdd, Stop> {
        self.check()?;
        self.apply(ports, set, Moves::after)
    }

    /// The states from which a rule leads into a set.
    pub fn before(&self, rule: RuleId, set: &Bdd) -> Result<Bdd, Stop> {
        self.check()?;
        self.apply(&self.network.rule(rule).participants, set, Moves::before)
    }

    fn apply(
        &self,
        ports: &[Port],
        set: &Bdd,
        moved: fn(&Moves, &Bdd) -> Result<Bdd, solve::bdd::Full>,
    ) -> Result<Bdd, Stop> {
        let mut set = set.clone();
        for port in ports {
            if set.is_none() {
                break;
            }
            set = moved(&self.events[port], &set)?;
        }
        Ok(set)
    }

    /// The states within a set that one step leads to, model errors left out: they lead nowhere.
    pub fn post(&self, set: &Bdd, within: &Bdd) -> Result<Bdd, Stop> {
        self.sweep(Way::After, set, within)
    }

    /// The states within a set from which one step leads into another, model errors left out.
    pub fn pre(&self, set: &Bdd, within: &Bdd) -> Result<Bdd, Stop> {
        self.sweep(Way::Before, set, within)
    }

    fn sweep(&self, way: Way, set: &Bdd, within: &Bdd) -> Result<Bdd, Stop> {
        self.check()?;
        Sweep::new(self, &self.events, way).image(&self.trie, set, within)
    }

    /// Whether a state is in a set.
    pub fn contains(&self, set: &Bdd, state: &[StateId]) -> bool {
        let mut assignment = vec![false; self.codes.variables() as usize];
        for (v, value) in self.network.component_ids().flat_map(|c| self.codes.literals(c, state[c.index()])) {
            assignment[v as usize] = value;
        }
        set.contains(&assignment)
    }

    /// How many states a set has.
    pub fn count(&self, set: &Bdd) -> Natural {
        set.count(self.codes.variables(), self.codes.present_bits())
    }

    /// A state of a set.
    pub fn pick(&self, set: &Bdd) -> Option<Vec<StateId>> {
        let assignment = set.pick()?;
        Some(self.network.component_ids().map(|c| self.codes.read(c, &assignment)).collect())
    }
}
