//! Engines for networks, asked about the one that a system was made of or is seen as. What local analysis proves is
//! checked before it is told.

use std::sync::Arc;
use std::time::Duration;

use check::check_local_goals;
use engines::exchange::Exchange;
use engines::invariant::{Invariants, Traps};
use engines::local::Local;
use engines::question::{Networks, Question};
use engines::symbolic::Symbolic;
use engines::{Engine, Problem, at_a_glance};
use evidence::{Budget, Certificate, Evidence, Outcome, Progress, Reason, Verdict};
use model::{Network, Property};

use crate::choice::ChoiceError;

/// The network that a system was made of: its components are the processes, in their order.
#[derive(Clone, Copy, Debug)]
pub struct NetworkSource<'a> {
    /// The network.
    pub network: &'a Arc<Network>,
    /// How many threads may work on it.
    pub threads: usize,
}

/// An engine for networks.
#[derive(Clone, Debug)]
pub(crate) struct OnNetwork {
    network: Option<Arc<Network>>,
    method: Method,
    /// What others who work on the same question know.
    exchange: Option<Arc<Exchange>>,
}

/// What is done with a network.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Method {
    /// Local analysis.
    Local(Local),
    /// Sets of states.
    Symbolic(Symbolic),
    /// Invariants first, then exactly.
    Invariants(Invariants),
}

impl OnNetwork {
    pub(crate) fn new(source: Option<NetworkSource<'_>>, method: Method) -> Self {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = source.map_or_else(all, |s| s.threads);
        let method = match method {
            Method::Local(local) => Method::Local(Local { threads, ..local }),
            Method::Symbolic(_) | Method::Invariants(_) => method,
        };
        Self { network: source.map(|s| Arc::clone(s.network)), method, exchange: None }
    }

    /// The same, in a lane beside others.
    pub(crate) fn on_one_thread(mut self) -> Self {
        if let Method::Local(local) = &mut self.method {
            local.threads = 1;
        }
        self
    }

    /// The same, for one question that others work on.
    pub(crate) fn among(self, exchange: &Arc<Exchange>) -> Self {
        Self { exchange: Some(Arc::clone(exchange)), ..self }
    }

    fn question<'a>(&'a self, problem: &Problem<'a>, budget: &Budget) -> Result<Question<'a>, String> {
        let question = match (&self.network, problem.property) {
            (Some(network), Property::DeadlockFree) => Question::of_network(problem.system, network),
            _ => Question::unless(problem, &|| budget.check(0).is_err())?,
        };
        Ok(match &self.exchange {
            Some(exchange) => question.among(exchange, self.name()),
            None => question,
        })
    }
}

impl Engine for OnNetwork {
    fn name(&self) -> &'static str {
        match &self.method {
            Method::Local(local) => Networks::name(local),
            Method::Symbolic(symbolic) => Networks::name(symbolic),
            Method::Invariants(invariants) => Networks::name(invariants),
        }
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        at_a_glance(|budget| self.question(problem, budget))
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let question = match self.question(problem, budget) {
            Ok(question) => question,
            Err(why) => return Outcome::unknown(budget.spent_or(Reason::Unsupported(why))),
        };
        let outcome = match &self.method {
            Method::Local(local) => local.decide(&question, budget, progress),
            Method::Symbolic(symbolic) => symbolic.decide(&question, budget, progress),
            Method::Invariants(invariants) => by_invariants(invariants, &question, budget, progress),
        };
        if let Verdict::Holds(Evidence::Certificate(Certificate::Local(proof)))
        | Verdict::Violated(Evidence::Certificate(Certificate::Local(proof))) = &outcome.verdict
        {
            check_local_goals(&question.network, &question.goals, proof)
                .unwrap_or_else(|e| panic!("the checker refuses a certificate: {e}"));
        }
        outcome
    }
}

/// How long clauses and diagrams are tried in turn, before diagrams have the rest of the time.
const PATIENCE: [(Duration, Duration); 2] =
    [(Duration::from_secs(3), Duration::from_secs(3)), (Duration::from_secs(30), Duration::from_secs(30))];

/// Invariants by satisfiability, whose proofs have certificates; what they leave is decided with sets of states. If all
/// traps are to be found at once, sets of states come first.
fn by_invariants(
    invariants: &Invariants,
    question: &Question<'_>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Outcome {
    let strength = &invariants.strength;
    // What two components reach together is a component invariant as well, and makes short work of locks.
    let clauses = Local {
        pairs: strength.components,
        traps: strength.traps != Traps::None,
        linear: strength.linear,
        ..Local { sdd: false, groups: 0, confirm: false, ..Local::default() }
    };
    let proved = |outcome: &Outcome| {
        let verdict = &outcome.verdict;
        matches!(verdict, Verdict::Holds(Evidence::Certificate(_)) | Verdict::Violated(Evidence::Certificate(_)))
    };
    let any = strength.components || strength.linear || strength.traps != Traps::None;
    // Where all local reasons were tried in vain, clauses have nothing to add.
    let surveyed = question.is_surveyed();
    let lazily = any && strength.traps != Traps::Symbolic;
    let mut asking = lazily && !surveyed;
    for (clauses_for, diagrams_for) in PATIENCE {
        if !asking {
            break;
        }
        let first = clauses.decide(question, &budget.for_at_most(clauses_for), progress);
        // A list that is cut because a turn is over would look like one that is cut because the time is: no turns for it.
        asking = matches!(first.verdict, Verdict::Unknown(Reason::Timeout)) && !invariants.all;
        if proved(&first) || budget.check(0).is_err() {
            return first;
        }
        if asking {
            let second = invariants.decide(question, &budget.for_at_most(diagrams_for), progress);
            if !matches!(second.verdict, Verdict::Unknown(Reason::Timeout)) || budget.check(0).is_err() {
                return second;
            }
        }
    }
    let mut outcome = invariants.decide(question, budget, progress);
    let structure =
        matches!(&outcome.verdict, Verdict::Holds(Evidence::Structure(_)) | Verdict::Violated(Evidence::Structure(_)));
    if structure && any && !lazily && !surveyed {
        let again = clauses.decide(question, budget, progress);
        if proved(&again) {
            outcome.verdict = again.verdict;
        }
    }
    outcome
}

/// What local analysis uses: what is named, or everything.
pub(crate) fn options(options: &[&str], unknown: impl Fn(&str) -> ChoiceError) -> Result<Local, ChoiceError> {
    if options.is_empty() {
        return Ok(Local::default());
    }
    let off = Local { sdd: false, pairs: false, linear: false, traps: false, groups: 0, confirm: false, threads: 1 };
    options.iter().try_fold(off, |local, option| {
        let (key, value) = option.split_once('=').map_or((*option, None), |(k, v)| (k.trim(), Some(v.trim())));
        match (key, value) {
            ("sdd", None) => Ok(Local { sdd: true, ..local }),
            ("pairs", None) => Ok(Local { pairs: true, ..local }),
            ("linear", None) => Ok(Local { linear: true, ..local }),
            ("traps", None) => Ok(Local { traps: true, ..local }),
            ("search", None) => Ok(Local { confirm: true, ..local }),
            ("groups", value) => {
                let members = value.map_or(Ok(Local::default().groups), str::parse);
                let groups = members.ok().filter(|members| MEMBERS.contains(members));
                let wrong = || format!("the option `groups` of `local` takes a number from 3 to 16, not `{option}`");
                Ok(Local { groups: groups.ok_or_else(|| ChoiceError(wrong()))?, ..local })
            }
            _ => Err(unknown(option)),
        }
    })
}

/// How many members a group may have.
const MEMBERS: std::ops::RangeInclusive<usize> = 3..=16;

/// The options as they are written.
pub(crate) fn spelled(local: &Local) -> String {
    let switches = [(local.sdd, "sdd"), (local.pairs, "pairs"), (local.linear, "linear"), (local.traps, "traps")];
    let mut words: Vec<String> = switches.iter().filter(|(on, _)| *on).map(|(_, word)| (*word).to_owned()).collect();
    if local.groups > 2 {
        words.push(format!("groups={}", local.groups));
    }
    if local.confirm {
        words.push("search".to_owned());
    }
    words.join(",")
}
