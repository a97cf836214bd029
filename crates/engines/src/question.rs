//! Questions about systems that are asked of networks instead: a run of the network is taken back to the system step by
//! step.

use std::borrow::Cow;

use evidence::{Budget, Evidence, Goal, Outcome, Progress, Reason, Trace, Verdict};
use model::views::{AskedNetwork, Limits, Network, RuleId, StateId, is_tester};
use model::{Property, System, TransitionId};

use crate::exchange::{Exchange, Member};
use crate::{Engine, Problem, at_a_glance};

/// How many components of a state are shown.
const SHOWN: usize = 24;

/// A run of a network: each rule with the state after it.
pub type Run = Vec<(RuleId, Vec<StateId>)>;

/// An engine that knows networks and nothing else.
pub trait Networks: Sync {
    /// The name on the command line and in reports.
    fn name(&self) -> &'static str;

    /// The answer to a question.
    fn decide(&self, question: &Question<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome;
}

/// It can be asked about systems that can be seen as networks.
impl<E: Networks> Engine for E {
    fn name(&self) -> &'static str {
        Networks::name(self)
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        at_a_glance(|budget| Question::unless(problem, &|| budget.check(0).is_err()))
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        match Question::unless(problem, &|| budget.check(0).is_err()) {
            Ok(question) => self.decide(&question, budget, progress),
            Err(why) => Outcome::unknown(budget.spent_or(Reason::Unsupported(why))),
        }
    }
}

/// What is asked of a network instead of a system.
#[derive(Debug)]
pub struct Question<'a> {
    problem: Problem<'a>,
    /// The network, with rules for testers.
    pub network: Cow<'a, Network>,
    /// What must not be reachable so that the property holds, or is violated if it is wished for.
    pub goals: Vec<Goal>,
    /// How many of the goals are about the property; the others are model errors.
    asked: usize,
    /// Those who work on the same question.
    pub(crate) others: Option<Member<'a>>,
}

impl<'a> Question<'a> {
    /// The question about a network that a problem amounts to, or why there is none.
    pub fn new(problem: &Problem<'a>) -> Result<Self, String> {
        Self::unless(problem, &|| false)
    }

    /// The same, unless somebody stops it.
    pub fn unless(problem: &Problem<'a>, stop: &dyn Fn() -> bool) -> Result<Self, String> {
        let asked = AskedNetwork::new(problem.system, problem.property, &Limits { stop, ..Limits::default() });
        asked.map(|asked| Self::about(*problem, asked)).map_err(|e| e.message)
    }

    /// Whether the system can deadlock, asked of the network that it was made of.
    pub fn of_network(system: &'a System, network: &'a Network) -> Self {
        Self::about(Problem { system, property: &Property::DeadlockFree }, AskedNetwork::deadlock(network))
    }

    fn about(problem: Problem<'a>, question: AskedNetwork<'a>) -> Self {
        let asked = question.tests.len() + usize::from(question.deadlock);
        Self { problem, goals: Goal::of(&question), network: question.network, asked, others: None }
    }

    /// The same question, while others work on it: one of them, by name, asks it here.
    #[must_use]
    pub fn among(self, exchange: &'a Exchange, name: &'static str) -> Self {
        let others = Some(exchange.member(name, &self.network, self.goals.split_at(self.asked)));
        Self { others, ..self }
    }

    /// Whether somebody else has tried all that local analysis tries, in vain.
    pub fn is_surveyed(&self) -> bool {
        self.others.is_some_and(|others| others.is_surveyed())
    }

    /// Whether the goals of the property are what somebody wishes for.
    pub fn is_wish(&self) -> bool {
        matches!(self.problem.property, Property::Reachable(_))
    }

    /// The goals that are about the property; the others are model errors.
    pub fn asked(&self) -> &[Goal] {
        &self.goals[..self.asked]
    }

    /// Whether a rule only asks, and is not one of the system.
    pub fn asks(&self, rule: RuleId) -> bool {
        self.network.rule(rule).transition.is_some_and(|t| is_tester(self.problem.system, t))
    }

    /// What it says that no goal can be reached.
    pub fn never(&self, evidence: Evidence) -> Verdict {
        if self.is_wish() { Verdict::Violated(evidence) } else { Verdict::Holds(evidence) }
    }

    /// What a run to one of the goals says. Where something is wished for, it was found to be out of reach before model
    /// errors were asked for.
    pub fn reached(&self, run: &Run) -> Verdict {
        let mut run = run.clone();
        let last = run.last().map_or_else(|| self.network.initial_state(), |(_, state)| state.clone());
        let met = |goal: &&Goal| satisfies(&self.network, **goal, &last);
        let asked = self.asked().iter().any(|goal| met(&goal));
        if let (false, Some(Goal::Enabled(r))) = (asked, self.goals[self.asked..].iter().find(met)) {
            run.push((RuleId::new(*r), last));
        }
        let Some(steps) = self.steps(&run) else {
            return Verdict::Unknown(Reason::Unsupported("a run of the network is none of the system".to_owned()));
        };
        let evidence = Evidence::Run(Trace::finite(steps));
        if self.is_wish() && asked { Verdict::Holds(evidence) } else { Verdict::Violated(evidence) }
    }

    /// The system that the question is about.
    pub fn system(&self) -> &System {
        self.problem.system
    }

    /// The transitions of the system that take the same way.
    pub fn steps(&self, run: &Run) -> Option<Vec<TransitionId>> {
        let system = self.system();
        if let Cow::Borrowed(network) = self.network {
            return network.run_in(system, run);
        }
        let (mut state, mut next) = (system.initial_state(), system.initial_state());
        let mut before = self.network.initial_state();
        let mut steps = Vec::new();
        for (rule, wanted) in run {
            if *wanted == before {
                // What changes nothing may be a tester, and is left out; an error is the last step.
                steps.extend(self.network.rule(*rule).transition.filter(|_| self.network.rule(*rule).fault));
                continue;
            }
            let named = self.network.rule(*rule).transition.filter(|&t| !is_tester(system, t));
            let mut leads = |t: TransitionId| {
                system.is_enabled(t, &state) == Ok(true)
                    && system.fire(t, &state, &mut next).is_ok()
                    && self.network.state_of(system, &next).as_ref() == Some(wanted)
            };
            let step = named.filter(|&t| leads(t)).or_else(|| system.transition_ids().find(|&t| leads(t)))?;
            system.fire(step, &state, &mut next).ok()?;
            std::mem::swap(&mut state, &mut next);
            before.clone_from(wanted);
            steps.push(step);
        }
        Some(steps)
    }
}

/// A state of a network in terms of its components.
pub fn show(network: &Network, states: &[StateId]) -> String {
    let shown = network.components().iter().zip(states).take(SHOWN).map(|(c, s)| c.show_state(*s));
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if states.len() > SHOWN {
        text.push_str(&format!(", and {} more", states.len() - SHOWN));
    }
    text
}

/// Whether a state is what a goal describes.
pub fn satisfies(network: &Network, goal: Goal, state: &[StateId]) -> bool {
    match goal {
        Goal::Deadlock => !network.rule_ids().any(|r| network.is_enabled(r, state)) && !network.at_end(state),
        Goal::Enabled(r) => network.is_enabled(RuleId::new(r), state),
    }
}
