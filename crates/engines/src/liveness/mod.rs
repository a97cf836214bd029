//! Claims about runs: formulas of linear temporal logic and automata, of all runs or of the fair ones.
//!
//! The automaton of the runs that break the claim runs along with the system; the claim holds if no run of both is
//! accepted. Model errors break every claim, also on runs that the automaton does not follow: where they are possible and
//! nothing else was found, a search for them follows.

mod conditions;
mod lasso;
mod letters;
mod nested;
mod product;
mod ranked;
mod reduction;
mod search;
mod streett;
mod visible;

pub use ranked::ranked_runs;
pub use reduction::CycleProviso;

use std::time::Instant;

use automata::{Automaton, Blind, Options, Pool};
use evidence::{Budget, Evidence, Exhausted, Outcome, Progress, Reason, Statistics, Verdict};
use model::{Acceptor, Binary, Claim, Ltl, Property, Proposition, Strength, System, Temporal};

use crate::explore::{Explore, Order, Persistent, Proviso, Wish};
use crate::persistent::{Algorithm, Interference};
use crate::refuter::{Refuter, accepts_whatever};
use crate::{Engine, Problem};
use conditions::Condition;
use letters::Letters;
use product::{MOST_MARKS, Product};
use reduction::{OnStack, Reducible, Static};
use search::{Found, Search};

/// The search for runs that break a claim, and its switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Liveness {
    /// The persistent sets by which steps that nobody sees are put off, where that is exact.
    pub persistent: Option<Persistent>,
    /// What is done where a cycle closes.
    pub proviso: CycleProviso,
    /// How runs that break a claim are looked for.
    pub emptiness: Emptiness,
    /// How many threads search, if they can.
    pub threads: usize,
    #[cfg(test)]
    without: Option<Condition>,
}

impl Default for Liveness {
    fn default() -> Self {
        let persistent = Persistent { algorithm: Algorithm::Stubborn, interference: Interference::DoNotAccord };
        Self {
            persistent: Some(persistent),
            proviso: CycleProviso::default(),
            emptiness: Emptiness::default(),
            threads: 1,
            #[cfg(test)]
            without: None,
        }
    }
}

/// How an accepted run of the product is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Emptiness {
    /// By strongly connected components, on one thread.
    #[default]
    Components,
    /// By nested depth-first search, on any number of threads; nothing is known of strong fairness.
    Nested,
}

/// The automaton of what breaks a claim, and what its atoms mean.
struct Breaking<'a> {
    automaton: Refuter,
    atoms: Vec<&'a Proposition>,
}

impl<'a> Breaking<'a> {
    /// The product of a system and the automaton.
    fn product<'b>(&'b self, system: &'b System, temporal: &Temporal) -> Product<'b>
    where
        'a: 'b,
    {
        let letters = Letters::new(system, &self.atoms);
        Product::new(system, self.automaton.automaton(), letters, &temporal.fairness, temporal.finite)
    }
}

/// More atoms have no place in a letter.
const MOST_ATOMS: usize = 64;

impl Liveness {
    /// Why a claim cannot be decided, as far as one sees without its automaton.
    fn refuses(&self, temporal: &Temporal) -> Result<(), String> {
        let weak = self.persistent.is_some_and(|p| p.algorithm == Algorithm::Weak);
        let mut atoms = Vec::new();
        if let Claim::Always(formula) = &temporal.claim {
            formula.numbered(&mut atoms);
        }
        let strong = temporal.fairness.iter().any(|fairness| fairness.strength == Strength::Strong);
        match atoms.len() {
            _ if self.emptiness == Emptiness::Nested && strong => {
                Err("nested search knows no strong fairness: search=components does".to_owned())
            }
            _ if weak => Err("weak stubborn sets keep nothing but deadlocks".to_owned()),
            more if more > MOST_ATOMS => {
                Err(format!("a formula may have at most {MOST_ATOMS} atoms, and it has {more}"))
            }
            _ => Ok(()),
        }
    }

    /// The automaton of the runs that break a claim.
    fn breaking<'a>(&self, temporal: &'a Temporal) -> Result<Breaking<'a>, String> {
        self.refuses(temporal)?;
        let (automaton, atoms) = match &temporal.claim {
            Claim::Never(acceptor) => (self.acceptor(acceptor), acceptor.atoms.iter().collect()),
            Claim::Always(formula) => self.negation(formula)?,
        };
        if automaton.automaton().sets.max(1) as usize + temporal.fairness.len() > MOST_MARKS {
            return Err(format!("there may be at most {MOST_MARKS} acceptance and fairness conditions"));
        }
        Ok(Breaking { automaton, atoms })
    }

    fn acceptor(&self, acceptor: &Acceptor) -> Refuter {
        let blind = match self.persistent.is_some() && self.keeps(Condition::Blind) {
            true => Blind::of_automaton(&acceptor.automaton, &Options::default()).ok().flatten(),
            false => None,
        };
        blind.map_or_else(|| Refuter::Any(acceptor.automaton.pruned()), Refuter::Blind)
    }

    fn negation<'a>(&self, formula: &'a Ltl) -> Result<(Refuter, Vec<&'a Proposition>), String> {
        let mut atoms = Vec::new();
        let formula = formula.numbered(&mut atoms);
        let mut pool = Pool::new();
        let formula = pool.add(&formula);
        let refuter = match self.persistent {
            Some(_) => Refuter::new(&mut pool, formula),
            None => Refuter::any(&mut pool, formula),
        };
        Ok((refuter.map_err(|_| "the automaton of the formula is too large".to_owned())?, atoms))
    }

    fn decide(&self, system: &System, temporal: &Temporal, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let start = Instant::now();
        let breaking = match self.breaking(temporal) {
            Ok(breaking) => breaking,
            Err(why) => return Outcome::unknown(Reason::Unsupported(why)),
        };
        let automaton = breaking.automaton.automaton();
        if automaton.from(automaton.initial).is_empty() {
            let why = "no run could break it, whatever the model does".to_owned();
            let outcome = Outcome::new(Verdict::Holds(Evidence::Structure(why)), Statistics::default());
            return self.errors(system, temporal, budget, progress, outcome);
        }
        if self.emptiness == Emptiness::Nested {
            let mut outcome = self.nested(system, temporal, &breaking, (budget, progress));
            outcome.statistics.seconds = start.elapsed().as_secs_f64();
            return match outcome.verdict {
                Verdict::Holds(_) => self.errors(system, temporal, budget, progress, outcome),
                _ => outcome,
            };
        }
        let mut outcome = self.search(system, temporal, &breaking, (budget, progress), |search, found| {
            let verdict = match found {
                Err(reason) => Verdict::Unknown(reason),
                Ok(None) => Verdict::Holds(Evidence::Exhausted(covered(search.is_reduced()))),
                Ok(Some(found)) => Verdict::Violated(search.told(&found).map_or(Evidence::Untold, Evidence::Run)),
            };
            let mut outcome = Outcome::new(verdict, search.statistics());
            outcome.techniques.push(format!(
                "automaton of {} states{}",
                breaking.automaton.automaton().size(),
                if search.is_reduced() { ", with reduction" } else { "" }
            ));
            outcome
        });
        outcome.statistics.seconds = start.elapsed().as_secs_f64();
        if matches!(outcome.verdict, Verdict::Holds(_)) {
            self.errors(system, temporal, budget, progress, outcome)
        } else {
            outcome
        }
    }

    /// Searches the product on several threads.
    fn nested(
        &self,
        system: &System,
        temporal: &Temporal,
        breaking: &Breaking<'_>,
        limits: (&Budget, &dyn Progress),
    ) -> Outcome {
        let (automaton, fairness) = (breaking.automaton.automaton(), &temporal.fairness[..]);
        let own = || nested::Own {
            product: breaking.product(system, temporal),
            reduction: Reducible::new(self, system, breaking, fairness).and_then(|of| Static::new(&of)),
        };
        let first = own();
        let is_reduced = first.reduction.is_some();
        let terminal = terminal(automaton, temporal, &first.product);
        let (found, statistics) = nested::run((first, &own), self.threads.max(1), &terminal, limits);
        let verdict = match found {
            Err(reason) => Verdict::Unknown(reason),
            Ok(None) => Verdict::Holds(Evidence::Exhausted(covered(is_reduced))),
            Ok(Some(run)) => Verdict::Violated(run.map_or(Evidence::Untold, Evidence::Run)),
        };
        let mut outcome = Outcome::new(verdict, statistics);
        let how = if is_reduced { ", nested search with reduction" } else { ", nested search" };
        outcome.techniques.push(format!("automaton of {} states{how}", automaton.size()));
        outcome
    }

    /// Searches the product; what was found is for `then` to tell.
    fn search<T>(
        &self,
        system: &System,
        temporal: &Temporal,
        breaking: &Breaking<'_>,
        (budget, progress): (&Budget, &dyn Progress),
        then: impl FnOnce(&Search<'_, '_>, Result<Option<Found>, Reason>) -> T,
    ) -> T {
        let product = breaking.product(system, temporal);
        let reducible = Reducible::new(self, system, breaking, &temporal.fairness);
        let reduction = reducible.and_then(|of| OnStack::new(&of));
        let terminal = terminal(breaking.automaton.automaton(), temporal, &product);
        let mut search = Search::new(&product, terminal, reduction, budget, progress);
        let found = search.run();
        then(&search, found)
    }

    /// The claim holds of the runs that were looked at: unless a model error is possible elsewhere.
    fn errors(
        &self,
        system: &System,
        temporal: &Temporal,
        budget: &Budget,
        progress: &dyn Progress,
        mut outcome: Outcome,
    ) -> Outcome {
        let faulty = |p: &&Proposition| matches!(p, Proposition::State(e) if !system.is_lawful_predicate(e));
        let mut questions: Vec<Property> = temporal
            .propositions()
            .into_iter()
            .filter(faulty)
            .filter_map(|p| match p {
                Proposition::State(e) => Some(Property::Invariant(e.clone().op(Binary::Or, e.clone().negate()))),
                _ => None,
            })
            .collect();
        if questions.is_empty() && system.is_lawful() {
            return outcome;
        }
        questions.push(Property::Invariant(model::Expr::TRUE));
        let asked: Vec<&Property> = questions.iter().collect();
        let proviso = if system.has_holds() { Proviso::Stack } else { Proviso::Component };
        let explore = Explore {
            order: Order::Depth,
            finish: 0,
            reduce: Wish { persistent: self.persistent, sleep: false, proviso },
            ..Explore::default()
        };
        for other in explore.run_all(system, &asked, budget, progress) {
            outcome.statistics.seconds += other.statistics.seconds;
            if !matches!(other.verdict, Verdict::Holds(_)) {
                outcome.verdict = other.verdict;
                break;
            }
        }
        outcome
    }
}

/// By place, whether every run that reaches it is accepted, whatever comes. That is no matter of the automaton alone where
/// only some runs count.
fn terminal(automaton: &Automaton, temporal: &Temporal, product: &Product<'_>) -> Vec<bool> {
    let every = temporal.fairness.is_empty() && temporal.finite;
    let mut terminal = if every { accepts_whatever(automaton) } else { Vec::new() };
    terminal.resize(product.places(), false);
    terminal
}

/// What a search has covered that found nothing.
fn covered(is_reduced: bool) -> Exhausted {
    if is_reduced { Exhausted::ReducedStateSpace } else { Exhausted::FullStateSpace }
}

impl Engine for Liveness {
    fn name(&self) -> &'static str {
        "ltl"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        match problem.property {
            Property::Temporal(temporal) => self.refuses(temporal),
            _ => Err("it is not about whole runs".to_owned()),
        }
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        match problem.property {
            Property::Temporal(temporal) => self.decide(problem.system, temporal, budget, progress),
            _ => Outcome::unknown(Reason::Unsupported("it is not about whole runs".to_owned())),
        }
    }
}

#[cfg(test)]
mod flawed;
#[cfg(test)]
mod tests;
