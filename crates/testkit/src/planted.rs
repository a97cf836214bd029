//! Planted bugs: semantics and engines that are wrong in one subtle way. A comparison that does not notice them on the
//! systems of this crate is worth nothing.

use evidence::{Evidence, Outcome, Trace, Verdict};
use model::{
    Binary, Command, Expr, Fault, Hold, Joining, LocationId, ProcessId, System, Target, Transition, TransitionId,
    Unary, Value,
};

use crate::naive::{Naive, Semantics, State, Step, observe};

/// A mistake in the meaning of systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// The last enabled transition of a state is not taken.
    ForgetsLastTransition,
    /// A transition that is a fault counts as disabled, so that a state may seem dead.
    FaultIsDisabled,
    /// End locations do not excuse a standstill.
    IgnoresEnds,
    /// States that differ only in the last object are taken for one.
    MergesStates,
    /// The last conjunct of a guard is not tested.
    SkipsLastConjunct,
    /// The last operation of a command is not run, nor tested.
    SkipsLastOperation,
    /// Operations run in reverse order, where none of them can wait.
    ReversesOperations,
    /// Messages overtake each other: the least comes first.
    ReordersMessages,
    /// The observer looks at the state before the step.
    ObservesBeforeStep,
    /// The observer takes every edge that it can, one after the other.
    ObserverRunsOn,
    /// Only the first process of a joint transition moves.
    LeavesPartnersBehind,
    /// A sorted send appends its message.
    SendsUnsorted,
    /// A message that may be anywhere is looked for at the front only.
    LooksAtTheFront,
    /// A message that is only looked at is removed, where no other operation of the step can wait.
    RemovesWhatStays,
    /// Numbers are not cut down.
    ForgetsToWrap,
    /// Shifts go the other way.
    ShiftsTheOtherWay,
    /// Nobody ever goes on alone.
    IgnoresControl,
    /// Who goes on alone does so even where it cannot.
    KeepsControlWhenBlocked,
    /// After a rendezvous the sender goes on alone, and the receiver begins it.
    ConfusesSenderAndReceiver,
    /// A process in the middle of a deterministic step has a choice.
    ChoosesInStep,
    /// Last resorts are taken although something else is enabled.
    ResortsTooEarly,
}

impl Bug {
    /// All of them.
    pub const ALL: [Bug; 21] = [
        Bug::ForgetsLastTransition,
        Bug::FaultIsDisabled,
        Bug::IgnoresEnds,
        Bug::MergesStates,
        Bug::SkipsLastConjunct,
        Bug::SkipsLastOperation,
        Bug::ReversesOperations,
        Bug::ReordersMessages,
        Bug::ObservesBeforeStep,
        Bug::ObserverRunsOn,
        Bug::LeavesPartnersBehind,
        Bug::SendsUnsorted,
        Bug::LooksAtTheFront,
        Bug::RemovesWhatStays,
        Bug::ForgetsToWrap,
        Bug::ShiftsTheOtherWay,
        Bug::IgnoresControl,
        Bug::KeepsControlWhenBlocked,
        Bug::ConfusesSenderAndReceiver,
        Bug::ChoosesInStep,
        Bug::ResortsTooEarly,
    ];

    fn spoil(self, transition: &mut Transition) {
        match self {
            Bug::SkipsLastConjunct => drop(transition.guard.pop()),
            Bug::SkipsLastOperation => drop(transition.command.pop()),
            Bug::ReversesOperations if !transition.command.iter().any(Command::is_partial) => {
                transition.command.reverse();
            }
            Bug::RemovesWhatStays if transition.command.iter().filter(|c| c.is_partial()).count() > 1 => {}
            Bug::ResortsTooEarly => transition.last_resort = false,
            Bug::ConfusesSenderAndReceiver => {
                let other = transition.keeper().map(|m| m.process);
                if let (Joining::Rendezvous { sender, .. }, Some(other)) = (&mut transition.joining, other) {
                    *sender = other;
                }
            }
            Bug::LeavesPartnersBehind => transition.moves.iter_mut().skip(1).for_each(|m| m.to = m.from),
            _ => {
                transition.guard.iter_mut().for_each(|e| *e = self.misread(e));
                transition.command.iter_mut().for_each(|c| self.misuse(c));
            }
        }
    }

    /// An expression as the bug has it.
    fn misread(self, e: &Expr) -> Expr {
        let target = |t: &Target| Target { index: t.index.as_ref().map(|i| Box::new(self.misread(i))), ..t.clone() };
        match (self, e.rebuilt(target, |e| self.misread(e))) {
            (Bug::ForgetsToWrap, Expr::Unary(Unary::Wrap(_), a)) => *a,
            (Bug::LooksAtTheFront, Expr::Offers(t, patterns, _)) => Expr::Offers(t, patterns, false),
            (Bug::ShiftsTheOtherWay, Expr::Binary(Binary::ShiftLeft, a, b)) => Expr::Binary(Binary::ShiftRight, a, b),
            (Bug::ShiftsTheOtherWay, Expr::Binary(Binary::ShiftRight, a, b)) => Expr::Binary(Binary::ShiftLeft, a, b),
            (_, e) => e,
        }
    }

    /// An operation as the bug has it.
    fn misuse(self, command: &mut Command) {
        match (self, &mut *command) {
            (Bug::SendsUnsorted, Command::Insert(t, fields)) => {
                *command = Command::Send(t.clone(), std::mem::take(fields));
            }
            (Bug::LooksAtTheFront, Command::Retrieve(_, _, how)) => how.anywhere = false,
            (Bug::RemovesWhatStays, Command::Retrieve(_, _, how)) => how.keep = false,
            (_, Command::Assign(_, e) | Command::Assert(e)) => *e = self.misread(e),
            (_, Command::Send(_, fields) | Command::Insert(_, fields)) => {
                fields.iter_mut().for_each(|e| *e = self.misread(e));
            }
            _ => {}
        }
    }
}

/// The oracle's semantics with a bug.
#[derive(Clone, Debug)]
pub struct Planted<'a> {
    naive: Naive<'a>,
    bug: Bug,
}

impl<'a> Planted<'a> {
    /// Plants a bug.
    pub fn new(mut naive: Naive<'a>, bug: Bug) -> Self {
        naive.transitions.to_mut().iter_mut().for_each(|t| bug.spoil(t));
        Self { naive, bug }
    }

    fn system(&self) -> &System {
        self.naive.system
    }

    /// What becomes of a step.
    fn twist(&self, before: &State, (t, result): Step<State>) -> Step<State> {
        let objects = self.system().objects();
        let twisted = result.and_then(|mut next| {
            match (self.bug, objects.last(), next.values.last_mut()) {
                (Bug::MergesStates, Some(object), Some(value)) => *value = object.initial.clone(),
                (Bug::ReordersMessages, ..) => next.values.iter_mut().for_each(sort_messages),
                (Bug::IgnoresControl, ..) => next.control = None,
                (Bug::KeepsControlWhenBlocked, ..) => next.control = self.held(t),
                _ => {}
            }
            if let (Some(observer), Some(at)) = (self.naive.observer, before.observer) {
                let seen = |at, state| observe(objects, observer, at, t, state);
                match self.bug {
                    Bug::ObservesBeforeStep => next.observer = Some(seen(at, before)?),
                    Bug::ObserverRunsOn => next.observer = Some(seen(seen(at, &next)?, &next)?),
                    _ => {}
                }
            }
            Ok(next)
        });
        (t, twisted)
    }
}

impl Planted<'_> {
    /// Who would go on alone after a transition, whether it can or not.
    fn held(&self, t: TransitionId) -> Option<ProcessId> {
        let m = self.naive.transitions[t.index()].keeper()?;
        let hold = self.system().process(m.process).locations[m.to.index()].hold;
        (hold != Hold::No).then_some(m.process)
    }
}

fn sort_messages(value: &mut Value) {
    if let Value::Queue(messages) = value {
        messages.sort();
    }
}

impl Semantics for Planted<'_> {
    type State = State;

    fn initial(&self) -> State {
        self.naive.initial()
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        let mut steps = match (self.bug, state.control) {
            (Bug::ChoosesInStep, Some(process)) => self.naive.steps_of(process, state),
            _ => self.naive.steps(state),
        };
        match self.bug {
            Bug::ForgetsLastTransition => drop(steps.pop()),
            Bug::FaultIsDisabled => steps.retain(|(_, result)| result.is_ok()),
            _ => {}
        }
        steps.into_iter().map(|step| self.twist(state, step)).collect()
    }

    fn at_end(&self, state: &State) -> bool {
        self.bug != Bug::IgnoresEnds && self.naive.at_end(state)
    }

    fn holds(&self, predicate: &Expr, state: &State) -> Result<bool, Fault> {
        self.naive.holds(predicate, state)
    }

    fn observer_location(&self, state: &State) -> Option<LocationId> {
        self.naive.observer_location(state)
    }

    fn control(&self, state: &State) -> Option<ProcessId> {
        self.naive.control(state)
    }

    fn label(&self, transition: TransitionId) -> &str {
        self.naive.label(transition)
    }

    fn moved(&self, transition: TransitionId) -> Vec<ProcessId> {
        self.naive.moved(transition)
    }

    fn unfinished(&self, state: &State) -> Vec<ProcessId> {
        match self.bug {
            Bug::IgnoresEnds => self.system().process_ids().collect(),
            _ => self.naive.unfinished(state),
        }
    }
}

/// A mistake in what an engine reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// Two neighbouring steps of the run are swapped.
    SwapsSteps,
    /// The run lacks its first step.
    DropsFirstStep,
    /// The run stops one step too early.
    StopsEarly,
    /// The last step is taken twice.
    RepeatsLastStep,
    /// The last step that repeats is missing.
    LeavesCycleOpen,
    /// The steps that repeat are told as if they were taken once.
    ForgetsCycle,
    /// One state is counted twice.
    CountsStateTwice,
    /// One transition is not counted.
    MissesTransition,
    /// Deadlocks are not counted.
    MissesDeadlocks,
    /// The opposite verdict.
    FlipsVerdict,
    /// A search that stopped early claims to be complete, or a complete one not.
    ConfusesComplete,
}

impl Slip {
    /// All of them.
    pub const ALL: [Slip; 11] = [
        Slip::SwapsSteps,
        Slip::DropsFirstStep,
        Slip::StopsEarly,
        Slip::RepeatsLastStep,
        Slip::LeavesCycleOpen,
        Slip::ForgetsCycle,
        Slip::CountsStateTwice,
        Slip::MissesTransition,
        Slip::MissesDeadlocks,
        Slip::FlipsVerdict,
        Slip::ConfusesComplete,
    ];

    /// The report with the mistake; unchanged where there is no occasion for it.
    pub fn make(self, mut outcome: Outcome) -> Outcome {
        let figures = &mut outcome.statistics;
        match self {
            Slip::CountsStateTwice => figures.states = figures.states.map(|n| n + 1),
            Slip::MissesTransition => figures.transitions = figures.transitions.map(|n| n.saturating_sub(1)),
            Slip::MissesDeadlocks => figures.deadlocks = figures.deadlocks.map(|_| 0),
            Slip::ConfusesComplete => figures.complete = figures.complete.map(|c| !c),
            Slip::FlipsVerdict => {
                outcome.verdict = match outcome.verdict {
                    Verdict::Holds(e) => Verdict::Violated(e),
                    Verdict::Violated(e) => Verdict::Holds(e),
                    unknown => unknown,
                }
            }
            _ => {
                if let Verdict::Holds(Evidence::Run(run)) | Verdict::Violated(Evidence::Run(run)) = &mut outcome.verdict
                {
                    self.spoil(run);
                }
            }
        }
        outcome
    }

    fn spoil(self, trace: &mut Trace) {
        let run = &mut trace.stem;
        match self {
            Slip::SwapsSteps if run.len() > 1 => run.swap(0, 1),
            Slip::DropsFirstStep if !run.is_empty() => drop(run.remove(0)),
            Slip::StopsEarly => drop(run.pop()),
            Slip::RepeatsLastStep => run.extend(run.last().copied()),
            Slip::LeavesCycleOpen => drop(trace.cycle.pop()),
            Slip::ForgetsCycle => run.append(&mut trace.cycle),
            _ => {}
        }
    }
}
