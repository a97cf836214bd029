//! Planted bugs in the judgement of whole runs: each is what somebody who writes such a search may get wrong. Random
//! claims about random systems must notice all of them.

use model::{Claim, Expr, Fault, LocationId, Ltl, ProcessId, Proposition, Strength, Temporal, TransitionId};

use crate::naive::temporal::{Moments, refuted};
use crate::naive::{Graph, Semantics, Step};

/// A mistake about runs, formulas, automata or fairness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misjudgement {
    /// The last way to be fair is forgotten.
    ForgetsFairness,
    /// Strong fairness is taken for weak.
    TakesStrongForWeak,
    /// Runs that end are not thought of.
    ForgetsEnds,
    /// The end of a run is repeated as if by its last step.
    RepeatsLastStep,
    /// Before the first position every step counts as taken.
    TakesStepsBeforeFirst,
    /// What is under control counts as seen.
    SeesUnderControl,
    /// What must come until then may also never come.
    LetsUntilWait,
    /// What the second must wait for, in a release, must come.
    HurriesRelease,
    /// The next position is this one.
    ForgetsNext,
    /// The last acceptance set is not asked for.
    DropsSet,
    /// Runs in which somebody keeps control for ever are not thought of.
    ForgetsKeptControl,
    /// Of such a run the first position is repeated, not the last.
    RepeatsFirstPosition,
}

impl Misjudgement {
    /// All of them.
    pub const ALL: [Misjudgement; 12] = [
        Misjudgement::ForgetsFairness,
        Misjudgement::TakesStrongForWeak,
        Misjudgement::ForgetsEnds,
        Misjudgement::RepeatsLastStep,
        Misjudgement::TakesStepsBeforeFirst,
        Misjudgement::SeesUnderControl,
        Misjudgement::LetsUntilWait,
        Misjudgement::HurriesRelease,
        Misjudgement::ForgetsNext,
        Misjudgement::DropsSet,
        Misjudgement::ForgetsKeptControl,
        Misjudgement::RepeatsFirstPosition,
    ];

    /// Whether the claim is broken, by somebody who makes the mistake.
    pub fn is_broken<M: Semantics>(self, model: &M, graph: &Graph<M::State>, temporal: &Temporal) -> bool {
        let claim = self.misread(temporal);
        let mut moments = match self {
            Misjudgement::SeesUnderControl => Moments::of_graph(&Seen(model), graph, &claim),
            _ => Moments::of_graph(model, graph, &claim),
        };
        self.misremember(&mut moments, &claim);
        refuted(&moments, &claim).is_some()
    }

    /// The claim as it is misunderstood.
    fn misread(self, temporal: &Temporal) -> Temporal {
        let mut wrong = temporal.clone();
        match (self, &mut wrong.claim) {
            (Misjudgement::ForgetsFairness, _) => drop(wrong.fairness.pop()),
            (Misjudgement::TakesStrongForWeak, _) => {
                wrong.fairness.iter_mut().for_each(|f| f.strength = Strength::Weak);
            }
            (Misjudgement::ForgetsEnds, _) => wrong.finite = false,
            (Misjudgement::DropsSet, Claim::Never(a)) => a.automaton.sets = a.automaton.sets.saturating_sub(1),
            (_, Claim::Always(formula)) => *formula = self.misheard(formula),
            _ => {}
        }
        wrong
    }

    fn misheard(self, formula: &Ltl) -> Ltl {
        let of = |a: &Ltl| Box::new(self.misheard(a));
        match formula {
            Ltl::Atom(p) => Ltl::Atom(p.clone()),
            Ltl::Not(a) => Ltl::Not(of(a)),
            Ltl::And(a, b) => Ltl::And(of(a), of(b)),
            Ltl::Or(a, b) => Ltl::Or(of(a), of(b)),
            Ltl::Next(a) if self == Misjudgement::ForgetsNext => *of(a),
            Ltl::Next(a) => Ltl::Next(of(a)),
            Ltl::Always(a) => Ltl::Always(of(a)),
            Ltl::Eventually(a) => Ltl::Eventually(of(a)),
            Ltl::Until(a, b) if self == Misjudgement::LetsUntilWait => {
                Ltl::Release(of(b), Box::new(Ltl::Or(of(a), of(b))))
            }
            Ltl::Until(a, b) => Ltl::Until(of(a), of(b)),
            Ltl::Release(a, b) if self == Misjudgement::HurriesRelease => {
                Ltl::Until(of(b), Box::new(Ltl::And(of(a), of(b))))
            }
            Ltl::Release(a, b) => Ltl::Release(of(a), of(b)),
        }
    }

    /// The runs as they are misremembered.
    fn misremember(self, moments: &mut Moments, claim: &Temporal) {
        match self {
            Misjudgement::TakesStepsBeforeFirst => {
                let first = moments.all[0].letter.iter_mut().flatten().zip(claim.propositions());
                first.filter(|(_, p)| matches!(p, Proposition::Taken(_))).for_each(|(holds, _)| *holds = true);
            }
            Misjudgement::RepeatsLastStep if claim.finite => {
                let ends = moments.all.iter_mut().enumerate();
                ends.filter(|(_, m)| m.enabled.is_empty() && m.letter.is_some()).for_each(|(i, m)| m.next = vec![i]);
            }
            Misjudgement::ForgetsKeptControl => {
                moments.all.iter_mut().filter(|m| m.kept).for_each(|m| m.next.clear());
            }
            Misjudgement::RepeatsFirstPosition => {
                let first = moments.all[0].letter.clone();
                moments.all.iter_mut().filter(|m| m.kept).for_each(|m| m.letter.clone_from(&first));
            }
            _ => {}
        }
    }
}

/// A meaning in which nobody has control as far as one can see.
struct Seen<'a, M>(&'a M);

impl<M: Semantics> Semantics for Seen<'_, M> {
    type State = M::State;

    fn initial(&self) -> M::State {
        self.0.initial()
    }

    fn steps(&self, state: &M::State) -> Vec<Step<M::State>> {
        self.0.steps(state)
    }

    fn at_end(&self, state: &M::State) -> bool {
        self.0.at_end(state)
    }

    fn holds(&self, predicate: &Expr, state: &M::State) -> Result<bool, Fault> {
        self.0.holds(predicate, state)
    }

    fn observer_location(&self, state: &M::State) -> Option<LocationId> {
        self.0.observer_location(state)
    }

    fn control(&self, _: &M::State) -> Option<ProcessId> {
        None
    }

    fn label(&self, transition: TransitionId) -> &str {
        self.0.label(transition)
    }

    fn moved(&self, transition: TransitionId) -> Vec<ProcessId> {
        self.0.moved(transition)
    }

    fn unfinished(&self, state: &M::State) -> Vec<ProcessId> {
        self.0.unfinished(state)
    }
}
