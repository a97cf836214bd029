//! Questions about a system that was made of a net, answered by the engines for nets.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use check::{CheckedRun, check_exclusion};
use engines::explore::Explore;
use engines::net::search::{Order, Scope, SearchOptions, search};
use engines::net::structural::certify;
use engines::net::{Board, Finding, Proof, Task};
use engines::{Engine, Problem};
use evidence::{Budget, Certificate, Evidence, Outcome, Progress, Reason, Statistics, Trace, Verdict};
use model::nets::Goal;
use model::views::{Net, NetTransitionId};
use model::{Property, System, TransitionId};

use crate::auto::EveryDeadlock;
use crate::nets::{NetAnswer, NetEngines, NetInquiry, NetVerdict, Unsettled, answer_net};
use crate::on_view::shown;

/// The net that a system was made of: its places are the objects and its transitions the transitions, in their order.
#[derive(Clone, Copy, Debug)]
pub struct NetSource<'a> {
    /// The net.
    pub net: &'a Arc<Net>,
    /// How many threads may work on it.
    pub threads: usize,
}

/// What the search for a shorter run may take: so many times as long as the first run took to find, within these bounds.
const TIMES: u32 = 3;
const SHORTER: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(300)];
const SHORTER_BYTES: u64 = 64 << 20;

/// The time for a certificate.
const CERTIFY: Duration = Duration::from_secs(2);

/// All engines for nets, side by side.
#[derive(Clone, Debug)]
pub(crate) struct OnNet {
    net: Arc<Net>,
    threads: usize,
    engines: NetEngines,
}

impl OnNet {
    pub(crate) fn new(source: NetSource<'_>, engines: NetEngines) -> Self {
        Self { net: Arc::clone(source.net), threads: source.threads, engines }
    }

    /// Whether the question can be asked of a net.
    pub(crate) fn answers(property: &Property) -> bool {
        Goal::of(property).is_some()
    }
}

/// What the engines for nets leave open for want of memory is searched for in the system that was made of the net: states take
/// less there, because counters are packed and the halves of states are shared.
#[derive(Clone, Debug)]
pub(crate) struct NetOrStates(pub(crate) OnNet);

impl Engine for NetOrStates {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        self.0.supports(problem)
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let outcomes = self.run_all(problem.system, &[problem.property], budget, progress);
        outcomes.into_iter().next().expect("one question has one answer")
    }

    fn run_all(
        &self,
        system: &System,
        properties: &[&Property],
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Vec<Outcome> {
        let mut outcomes = self.0.run_all(system, properties, budget, progress);
        let hungry = |&i: &usize| matches!(outcomes[i].verdict, Verdict::Unknown(Reason::Memory));
        let open: Vec<usize> = (0..properties.len()).filter(hungry).collect();
        if open.is_empty() || budget.check(0).is_err() {
            return outcomes;
        }
        let search = Explore { threads: self.0.threads, ..Explore::default() };
        let asked: Vec<&Property> = open.iter().map(|&i| properties[i]).collect();
        for (i, mut outcome) in open.into_iter().zip(search.run_all(system, &asked, budget, progress)) {
            if !matches!(outcome.verdict, Verdict::Unknown(_)) {
                outcome.engine = Some(search.name().to_owned());
                outcome.statistics.seconds += outcomes[i].statistics.seconds;
                outcomes[i] = outcome;
            }
        }
        outcomes
    }
}

/// Finds every deadlock of a system that was made of a net. That there is none is often proved without a search.
#[derive(Clone, Debug)]
pub(crate) struct EveryDeadlockOfNet(OnNet);

impl EveryDeadlockOfNet {
    pub(crate) fn new(source: NetSource<'_>) -> Self {
        Self(OnNet::new(source, NetEngines::default()))
    }
}

impl Engine for EveryDeadlockOfNet {
    fn name(&self) -> &'static str {
        "net"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        EveryDeadlock.supports(problem)
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let first = self.0.run(problem, &budget.share(2), progress);
        if matches!(first.verdict, Verdict::Holds(_)) {
            return first;
        }
        let all = EveryDeadlock.run(problem, budget, progress);
        // One deadlock is better than none.
        if matches!(all.verdict, Verdict::Unknown(_)) { first } else { all }
    }
}

impl Engine for OnNet {
    fn name(&self) -> &'static str {
        "net"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        about_tokens(problem.property)
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let outcomes = self.run_all(problem.system, &[problem.property], budget, progress);
        outcomes.into_iter().next().expect("one question has one answer")
    }

    fn run_all(&self, _: &System, properties: &[&Property], budget: &Budget, _: &dyn Progress) -> Vec<Outcome> {
        let start = Instant::now();
        let goals: Vec<Goal> = properties.iter().map(|p| Goal::of(p).expect("it is supported")).collect();
        let (net, claims) = (Arc::clone(&self.net), Vec::new());
        let inquiry = NetInquiry { net, goals, claims, others: None, threads: self.threads, engines: self.engines };
        let answers = answer_net(inquiry, budget, Box::new(|_, _| ControlFlow::Continue(())));
        let answers = answers.unwrap_or_else(|contradiction| panic!("engines contradict each other: {contradiction}"));
        let statistics = Statistics { seconds: start.elapsed().as_secs_f64(), ..Statistics::default() };
        let outcome = |(property, answer): (&&Property, Result<NetAnswer, Unsettled>)| match answer {
            Ok(answer) => self.outcome(property, answer, statistics, budget),
            Err(Unsettled { why, covered }) => {
                Outcome::new(Verdict::Unknown(why), Statistics { parallel_steps: covered, ..statistics })
            }
        };
        properties.iter().zip(answers).map(outcome).collect()
    }
}

impl OnNet {
    fn outcome(&self, property: &Property, answer: NetAnswer, statistics: Statistics, budget: &Budget) -> Outcome {
        let wanted = matches!(property, Property::Reachable(_));
        let (reached, evidence) = match answer.verdict {
            NetVerdict::Never(Proof::Exhausted(how)) => (false, Evidence::Exhausted(how)),
            NetVerdict::Never(Proof::Structure(why)) => {
                let certificate = self.certified(property, budget);
                (false, certificate.map_or_else(|| Evidence::Structure(worded(property, &why)), Evidence::Certificate))
            }
            NetVerdict::Reached(run) | NetVerdict::Maximum(_, run, _) => {
                let found = Duration::from_secs_f64(statistics.seconds);
                let soon = budget.narrowed(found.saturating_mul(TIMES).clamp(SHORTER[0], SHORTER[1]), SHORTER_BYTES);
                match countable(&self.net, &self.shown(property, run, &soon)) {
                    Ok(trace) => (true, Evidence::Run(trace)),
                    Err(reason) => return Outcome::new(Verdict::Unknown(reason), statistics),
                }
            }
        };
        let verdict = if reached == wanted { Verdict::Holds(evidence) } else { Verdict::Violated(evidence) };
        let techniques = answer.techniques.into_iter().map(shown).collect();
        Outcome { techniques, ..Outcome::new(verdict, statistics) }
    }

    /// A certificate for the net itself: what was proved is proved about a reduced one.
    fn certified(&self, property: &Property, budget: &Budget) -> Option<Certificate> {
        let goal = Goal::of(property).expect("it is supported");
        let certificate = certify(&self.net, &goal, &budget.narrowed(CERTIFY, u64::MAX))?;
        check_exclusion(&self.net, &goal, &certificate)
            .unwrap_or_else(|e| panic!("the checker refuses a certificate: {e}"));
        Some(Certificate::Net([certificate].into()))
    }

    fn shown(&self, property: &Property, run: CheckedRun, budget: &Budget) -> Vec<NetTransitionId> {
        let goal = Goal::of(property).expect("it is supported");
        self.shorter(goal, &run, budget).unwrap_or_else(|| run.run().to_vec())
    }

    /// A shortest run, if one is found at once: those of walks can be long.
    fn shorter(&self, goal: Goal, run: &CheckedRun, budget: &Budget) -> Option<Vec<NetTransitionId>> {
        let (goals, (board, findings)) = ([goal], Board::new(1));
        let task = Task { net: &self.net, goals: &goals, board: &board, budget };
        // Whatever ends the search, there is a run already.
        let _ = search(&task, &SearchOptions { scope: Scope::All, order: Order::Breadth });
        findings.try_iter().find_map(|settled| match settled.finding {
            Finding::Reached(found) if found.len() < run.run().len() => Some(found),
            _ => None,
        })
    }
}

/// Whether a question can be asked of a net; if not, why.
pub(crate) fn about_tokens(property: &Property) -> Result<(), String> {
    let linear = OnNet::answers(property).then_some(());
    linear.ok_or_else(|| "it is no combination of linear comparisons of tokens".to_owned())
}

/// The run as one of the system, whose counters end where those of a net do not.
pub(crate) fn countable(net: &Net, run: &[NetTransitionId]) -> Result<Trace, Reason> {
    let mut marking = net.initial_marking();
    for &t in run {
        net.pre(t).iter().for_each(|&(p, weight)| marking[p.index()] -= u64::from(weight));
        for &(p, weight) in net.post(t) {
            marking[p.index()] += u64::from(weight);
            if marking[p.index()] > u64::from(u32::MAX) {
                let name = &net.place(p).name;
                let why = format!("the only run that was found puts more than 2^32 - 1 tokens on `{name}`");
                return Err(Reason::Unsupported(why));
            }
        }
    }
    Ok(Trace::finite(run.iter().map(|t| TransitionId::new(t.index())).collect()))
}

/// What is excluded, in the words of the property: the contrary of an invariant.
fn worded(property: &Property, why: &str) -> String {
    match property {
        Property::Invariant(_) => why.replace("excludes it", "excludes anything else"),
        _ => why.to_owned(),
    }
}
