//! Engines that feed each other meet the oracle; what they post is true of every reachable state; a lie is caught.

use std::panic::{AssertUnwindSafe, catch_unwind};

use check::check_local_goals;
use evidence::{Budget, Certificate, Evidence, Outcome, Silent, Verdict};
use model::views::{ComponentId, RuleId};
use model::{Property, System};
use testkit::Rng;
use testkit::compare::Oracle as SystemOracle;
use testkit::describe;
use testkit::networks::{Oracle, random, resources, schedule};
use testkit::random::{Profile, sample};

use super::*;
use crate::Problem;
use crate::invariant::{Exact, Invariants, Strength};
use crate::lemma::{Because, JointStates};
use crate::local::{Local, LocalVerdict};
use crate::question::{Networks, Question};

const LIMIT: usize = 300;

/// Weak enough to leave something for others.
const PAIRS: Local =
    Local { sdd: false, pairs: true, linear: false, traps: false, groups: 0, confirm: false, threads: 1 };
const GROUPS: Local = Local { groups: 4, ..PAIRS };

fn invariants() -> Invariants {
    let strength = Strength { components: false, linear: false, ..Strength::default() };
    Invariants { strength, ..Invariants::default() }
}

/// What is posted and not true of a network.
fn lie(exchange: &Exchange, oracle: &Oracle<'_>) -> Option<String> {
    let known = exchange.known();
    let lemma = known.lemmas.iter().find(|l| oracle.states().iter().any(|state| l.what.excludes(state)));
    let reached = |goal: Goal| match goal {
        Goal::Deadlock => oracle.deadlocks().next().is_some(),
        Goal::Enabled(rule) => oracle.enables(RuleId::new(rule)),
    };
    let goal = known.excluded.iter().find(|goal| reached(*goal.what));
    lemma.map(|l| format!("{l:?}")).or_else(|| goal.map(|g| format!("{g:?}")))
}

/// Whether what somebody says about a question is true, and the certificate one that the checker accepts.
fn is_right(question: &Question<'_>, property: &Property, oracle: &SystemOracle<'_>, outcome: &Outcome) -> bool {
    let accepted = match &outcome.verdict {
        Verdict::Holds(Evidence::Certificate(Certificate::Local(proof)))
        | Verdict::Violated(Evidence::Certificate(Certificate::Local(proof))) => {
            check_local_goals(&question.network, &question.goals, proof).is_ok()
        }
        _ => true,
    };
    accepted
        && match outcome.verdict {
            Verdict::Holds(_) => oracle.answer().holds(property),
            Verdict::Violated(_) => !oracle.answer().holds(property),
            Verdict::Unknown(_) => true,
        }
}

/// Engines one after the other, the first one twice, with what they know at the end.
fn in_turn(
    system: &System,
    property: &Property,
    exchange: &Exchange,
    mut judge: impl FnMut(&Question<'_>, &'static str, &Outcome),
) -> Result<(), String> {
    let problem = Problem { system, property };
    let engines: [(&'static str, &dyn Networks); 4] =
        [("pairs", &PAIRS), ("invariant", &invariants()), ("groups", &GROUPS), ("pairs", &PAIRS)];
    for (name, engine) in engines {
        let question = Question::new(&problem)?.among(exchange, name);
        judge(&question, name, &engine.decide(&question, &Budget::unlimited(), &Silent));
    }
    Ok(())
}

#[test]
fn who_is_fed_is_right() {
    let (mut decided, mut taken, mut certificates) = (0, [0; 4], 0);
    for seed in 0..150 {
        let profile = if seed % 2 == 0 { Profile::lawful() } else { Profile::default() };
        let sample = sample(seed, &profile);
        for property in &sample.properties {
            let (system, exchange) = (&sample.system, Exchange::default());
            let Some(oracle) = SystemOracle::new(system, property, LIMIT) else { continue };
            let asked = in_turn(system, property, &exchange, |question, name, outcome| {
                let right = is_right(question, property, &oracle, outcome);
                assert!(right, "{name}, seed {seed}: {property:?} {outcome:?}\n{}", describe(system));
                decided += usize::from(!matches!(outcome.verdict, Verdict::Unknown(_)));
                certificates += usize::from(matches!(&outcome.verdict, Verdict::Holds(Evidence::Certificate(_))));
                if let Some(network) = Oracle::new(&question.network, 4000) {
                    assert_eq!(lie(question.others.expect("there are some").exchange, &network), None, "seed {seed}");
                }
            });
            if asked.is_ok() {
                exchange.taken().iter().for_each(|t| taken[t.what as usize] += t.number);
            }
        }
    }
    assert!(decided > 200 && certificates > 20, "{decided} {certificates}");
    assert!(taken[..3].iter().all(|&number| number > 5), "{taken:?}");
}

/// A false lemma makes engines say what is not so, and both ways to look notice.
#[test]
fn a_lie_is_caught() {
    let (mut noticed, mut wrong, mut posted) = (0, 0, 0);
    for seed in 0..80 {
        let sample = sample(seed, &Profile::lawful());
        for property in &sample.properties {
            let (system, exchange) = (&sample.system, Exchange::default());
            let Some(oracle) = SystemOracle::new(system, property, LIMIT) else { continue };
            let Ok(question) = Question::new(&Problem { system, property }) else { continue };
            let Some(network) = Oracle::new(&question.network, 4000) else { continue };
            let bad = |state: &&Vec<StateId>| {
                question.goals.iter().any(|&g| crate::question::satisfies(&question.network, g, state))
            };
            // That the initial state is excluded, engines notice by themselves.
            let Some(bad) = network.states().iter().skip(1).find(bad) else { continue };
            exchange.outsider("liar").learned([nowhere(bad)]);
            posted += 1;
            noticed += usize::from(lie(&exchange, &network).is_some());
            // Some notice by themselves that something cannot be, and panic.
            let fooled = catch_unwind(AssertUnwindSafe(|| {
                let mut fooled = false;
                in_turn(system, property, &exchange, |question, _, outcome| {
                    fooled |= !is_right(question, property, &oracle, outcome);
                })
                .expect("it is a network");
                fooled
            }))
            .unwrap_or(true);
            wrong += usize::from(fooled);
        }
    }
    assert!(posted > 10 && noticed == posted && wrong > posted / 4, "{posted} {noticed} {wrong}");
}

/// That one state is not reachable, because nobody reaches anything.
fn nowhere(state: &[StateId]) -> Lemma {
    let confined: Vec<(ComponentId, Vec<StateId>)> =
        state.iter().enumerate().map(|(c, &s)| (ComponentId::new(c), vec![s])).collect();
    let members = confined.iter().map(|(c, _)| *c).collect();
    Lemma { confined, because: Because::Group(Arc::new(JointStates { members, table: Vec::new() })) }
}

/// What one engine learned, a weaker one is told: it proves what it could not alone, and its certificate has the reasons.
#[test]
fn lemmas_prove_what_is_not_proved_alone() {
    let (goals, budget) = ([Goal::Deadlock], Budget::unlimited());
    let strong = Local { linear: true, traps: true, ..GROUPS };
    let (mut proved, mut told) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let network = match seed % 3 {
            0 => random(seed),
            1 => schedule(&mut rng, false),
            _ => resources(&mut rng),
        };
        let alone = PAIRS.exclude(&network, &goals, &budget, &Silent);
        if !matches!(alone.verdict, LocalVerdict::Open(_)) {
            continue;
        }
        let exchange = Exchange::default();
        let member = |name| exchange.member(name, &network, (&goals, &[]));
        let first = strong.exclude_fed(&network, &goals, &budget, Some(member("strong")));
        if !matches!(first.verdict, LocalVerdict::Proved(_)) {
            continue;
        }
        // Forget that the goal is excluded: lemmas are to do it.
        exchange.known().excluded.clear();
        let fed = PAIRS.exclude_fed(&network, &goals, &budget, Some(member("weak")));
        let LocalVerdict::Proved(Some(proof)) = &fed.verdict else { panic!("seed {seed}: {fed:?}") };
        check_local_goals(&network, &goals, proof).expect("the reasons are in the certificate");
        assert!(exchange.taken().iter().any(|t| (t.from, t.to, t.what) == ("strong", "weak", What::Lemma)));
        proved += 1;
        // Reasons that certificates cannot repeat leave none, and neither does an exclusion without lemmas.
        for lemma in &mut exchange.known().lemmas {
            lemma.what = Arc::new(Lemma { because: Because::Elsewhere, ..Lemma::clone(&lemma.what) });
        }
        let elsewhere = PAIRS.exclude_fed(&network, &goals, &budget, Some(member("weak")));
        assert!(matches!(elsewhere.verdict, LocalVerdict::Proved(None)), "seed {seed}: {elsewhere:?}");
        member("strong").excluded(Goal::Deadlock);
        let excluded = PAIRS.exclude_fed(&network, &goals, &budget, Some(member("other")));
        told += usize::from(matches!(excluded.verdict, LocalVerdict::Proved(None)));
    }
    assert!(proved > 1 && told == proved, "{proved} {told}");
}

/// Who has only diagrams takes lemmas too, and then has nothing to search.
#[test]
fn lemmas_leave_no_suspect() {
    let sample = (0..150).map(|seed| sample(seed, &Profile::lawful()));
    let none = Invariants {
        strength: Strength { components: false, linear: false, traps: crate::invariant::Traps::None },
        exact: Exact::None,
        ..Invariants::default()
    };
    let mut helped = 0;
    for sample in sample {
        for property in &sample.properties {
            let (problem, exchange) = (Problem { system: &sample.system, property }, Exchange::default());
            let Ok(question) = Question::new(&problem) else { continue };
            let alone = none.decide(&question, &Budget::unlimited(), &Silent);
            let Ok(first) = Question::new(&problem) else { continue };
            Local { confirm: false, ..Local::default() }.decide(
                &first.among(&exchange, "local"),
                &Budget::unlimited(),
                &Silent,
            );
            let fed = none.decide(&question.among(&exchange, "invariant"), &Budget::unlimited(), &Silent);
            let open = |outcome: &Outcome| matches!(outcome.verdict, Verdict::Unknown(_));
            assert!(open(&alone) || !open(&fed));
            helped += usize::from(open(&alone) && !open(&fed));
        }
    }
    assert!(helped > 2, "{helped}");
}
