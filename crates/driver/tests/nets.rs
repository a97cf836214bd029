//! Questions about nets meet the naive oracle: everything at once, and each engine by itself.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use driver::{NetAnswer, NetAnswers, NetEngines, NetInquiry, NetVerdict, Unsettled, answer_net};
use evidence::{Budget, Reason};
use model::nets::{Goal, Linear, Predicate};
use model::views::{ArcSet, Net, Place, PlaceId};
use testkit::nets::{Oracle, goals, random};

fn ask(net: &Net, goals: &[Goal], engines: &str, time: Duration) -> NetAnswers {
    ask_with(net, goals, Vec::new(), engines, time)
}

fn ask_with(net: &Net, goals: &[Goal], claims: Vec<Vec<PlaceId>>, engines: &str, time: Duration) -> NetAnswers {
    let engines: NetEngines = engines.parse().expect("known engines");
    let goals = goals.to_vec();
    let inquiry = NetInquiry { net: Arc::new(net.clone()), goals, claims, others: None, threads: 2, engines };
    let heard = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&heard);
    let listener = Box::new(move |_, _: &NetAnswer| {
        count.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    let answers = answer_net(inquiry, &Budget::unlimited().with_timeout(time), listener).expect("no contradiction");
    assert_eq!(heard.load(Ordering::Relaxed), answers.iter().flatten().count(), "each answer is told once");
    answers
}

/// Compares answers with the oracle; how many there are.
fn compare(oracle: &Oracle<'_>, goals: &[Goal], answers: &NetAnswers) -> usize {
    for (goal, answer) in goals.iter().zip(answers) {
        match (goal, answer.as_ref().ok().map(|a| &a.verdict)) {
            (_, None) => {}
            (Goal::Maximum(e), Some(NetVerdict::Maximum(value, run, _))) => {
                assert_eq!(i128::from(*value), oracle.maximum(e), "{goal:?}");
                assert_eq!(e.value(run.last()), i128::from(*value));
            }
            (_, Some(NetVerdict::Reached(_))) => assert!(oracle.reaches(goal), "{goal:?}"),
            (_, Some(NetVerdict::Never(_))) => assert!(!oracle.reaches(goal), "{goal:?}"),
            (_, Some(NetVerdict::Maximum(..))) => panic!("{goal:?} has no maximum"),
        }
    }
    answers.iter().flatten().count()
}

#[test]
fn all_engines_together_answer_everything_about_small_nets() {
    for seed in 0..60 {
        let net = random(seed);
        let Some(oracle) = Oracle::new(&net, 2000) else { continue };
        let goals = goals(&net, seed);
        let answers = ask(&net, &goals, "reduce,walk,structural,bmc,ic3,search", Duration::from_secs(20));
        assert_eq!(compare(&oracle, &goals, &answers), goals.len(), "seed {seed}: {answers:?}");
    }
}

#[test]
fn each_engine_says_only_what_is_true() {
    for engines in ["walk", "reduce,walk", "structural", "search", "reduce,search"] {
        let mut answered = 0;
        for seed in 100..112 {
            let net = random(seed);
            let Some(oracle) = Oracle::new(&net, 2000) else { continue };
            let goals = goals(&net, seed);
            answered += compare(&oracle, &goals, &ask(&net, &goals, engines, Duration::from_millis(150)));
        }
        assert!(answered > 10, "{engines}: {answered} answers");
    }
}

/// Small goals, as examinations ask them: more than are treated one by one.
fn many(net: &Net) -> Vec<Goal> {
    let tokens = |p| (1..=40).flat_map(move |n| [Predicate::at_least(p, n), Predicate::at_most(p, n - 1)]);
    let fireable = net.transition_ids().map(|t| Predicate::fireable(net, t));
    let goals = net.place_ids().flat_map(tokens).chain(fireable).map(Goal::Satisfies);
    goals.chain(net.place_ids().map(|p| Goal::Maximum(Linear::tokens(p)))).collect()
}

#[test]
fn many_goals_agree_with_the_oracle_whatever_is_claimed() {
    // Walks alone leave much open, which is then treated in groups.
    let mut means =
        [("reduce,walk,structural,bmc,ic3,search", 2000, 0), ("walk,structural", 200, 0), ("reduce,walk", 100, 0)];
    for seed in 200..230 {
        let net = random(seed);
        let Some(oracle) = Oracle::new(&net, 500) else { continue };
        let (goals, places): (_, Vec<PlaceId>) = (many(&net), net.place_ids().collect());
        assert!(goals.len() > 128);
        // Every place, every two neighbours and all together are said to hold one token: mostly lies.
        let claims: Vec<_> = [1, 2, places.len()].iter().flat_map(|&n| places.windows(n)).map(Vec::from).collect();
        for (engines, time, answered) in &mut means {
            let answers = ask_with(&net, &goals, claims.clone(), engines, Duration::from_millis(*time));
            *answered += compare(&oracle, &goals, &answers);
        }
    }
    assert!(means.iter().all(|&(_, _, answered)| answered > 1000), "{means:?}");
}

#[test]
fn nobody_works_on_after_enough_answers() {
    let net = random(1);
    let goals = vec![Goal::Dead; 40];
    let told = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&told);
    let listener = Box::new(move |goal, _: &NetAnswer| {
        log.lock().expect("nobody panicked").push(goal);
        ControlFlow::Break(())
    });
    let inquiry = NetInquiry {
        net: Arc::new(net),
        goals,
        claims: Vec::new(),
        others: None,
        threads: 2,
        engines: NetEngines::default(),
    };
    answer_net(inquiry, &Budget::unlimited(), listener).expect("no contradiction");
    assert_eq!(told.lock().expect("nobody panicked").len(), 1);
}

#[test]
fn a_net_without_bounds_is_reported() {
    let p = PlaceId::new(0);
    let arcs = vec![ArcSet::new("more", vec![(p, 1)], vec![(p, 2)])];
    let net = Net::new("grows", vec![Place::new("heap", 1)], arcs).expect("a net");
    // No walk gets there, no marking equation excludes it, and no search comes to an end.
    let far = Predicate::all([
        Predicate::at_least(p, u32::MAX),
        Predicate::at_most(p, u32::MAX - 1).negated().expect("small"),
    ]);
    let goals = [Goal::Satisfies(far)];
    let answers = ask(&net, &goals, "search", Duration::from_secs(60));
    let Err(Unsettled { why: Reason::Unbounded(why), .. }) = &answers[0] else { panic!("{answers:?}") };
    assert!(why.contains("unbounded") && why.contains("`heap`"), "{why}");
}
