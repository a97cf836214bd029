//! Proofs that a person would write, and what is said about them when a detail is wrong.

use check::{Flaw, LocalError, check_local_goals, check_local_proof};
use evidence::{Given, Goal, Group, Inequality, LocalProof, Sign, Table, Why};
use model::views::Network;
use testkit::networks::{Sketch, SketchedRule, network, philosophers, scheduler};

use crate::producer::{Producer, prove};
use crate::truth::is_true;

/// The states of cell `i` of Milner's scheduler: waiting, with the token and work, with work, with the token.
fn cell(i: usize) -> [usize; 4] {
    if i == 0 { [1, 0, 2, 3] } else { [0, 1, 2, 3] }
}

/// Somebody has the token, by the reason given, and nobody else, by the second inequality. In a deadlock no cell has work
/// left to do, so that all of them wait or have the token; the neighbour of one with the token cannot wait.
pub(crate) fn scheduler_proof(n: usize, somebody: Why) -> LocalProof {
    let mut producer = Producer::default();
    let tokens = |weight: i64| -> Vec<(usize, usize, i64)> {
        let mut weights: Vec<_> = (0..n).flat_map(|i| [1, 3].map(|k| (i, cell(i)[k], weight))).collect();
        weights.sort_unstable();
        weights
    };
    producer.proof.inequalities =
        vec![Inequality { weights: tokens(-1), bound: -1 }, Inequality { weights: tokens(1), bound: 1 }];
    producer.proof.traps = vec![(0..n).flat_map(|i| [1, 3].map(|k| (i, cell(i)[k]))).collect()];
    let given = |clause: Vec<Sign>, why: Why| Given { clause, why };
    let waits: Vec<Sign> = (0..n).map(|i| producer.set(i, &[cell(i)[0]])).collect();
    let token: Vec<Sign> = (0..n).map(|i| producer.set(i, &[3])).collect();
    let work: Vec<Sign> = (0..n).map(|i| producer.set(i, if i == 0 { &[0, 2] } else { &[1, 2] })).collect();
    let mut clauses = vec![given(token.iter().chain(&work).copied().collect(), somebody)];
    for i in 0..n {
        let before = (i + n - 1) % n;
        clauses.push(given(vec![-work[i]], Why::Rule(2 * i + 1)));
        clauses.push(given(vec![waits[i], token[i], work[i]], Why::Component));
        clauses.push(given(vec![-token[before], -waits[i]], Why::Rule(2 * i)));
        clauses.push(given(vec![-token[before], -token[i]], Why::Inequality(1)));
    }
    assert!(producer.refute(Goal::Deadlock, clauses));
    producer.proof
}

#[test]
fn a_token_in_milners_scheduler() {
    for n in [3, 4, 40] {
        for somebody in [Why::Inequality(0), Why::Trap(0)] {
            assert_eq!(check_local_proof(&scheduler(n), &scheduler_proof(n, somebody)), Ok(()), "{n} {somebody:?}");
        }
        let wrong = LocalError::Refutation { refutation: 0, flaw: Flaw::Given(0) };
        let nobody = scheduler_proof(n, Why::Inequality(1));
        assert_eq!(check_local_proof(&scheduler(n), &nobody), Err(wrong), "that some cell has it is not why");
    }
    assert!(is_true(&scheduler(3), &scheduler_proof(3, Why::Trap(0))));
    assert_eq!(prove(&scheduler(4), 2, false), None, "pairs alone do not know of the token");
}

#[test]
fn pairs_suffice_for_philosophers_of_both_hands() {
    for n in 2..=5 {
        let table = philosophers(n, true);
        let proof = prove(&table, 2, false).expect("pairs suffice");
        assert_eq!(check_local_proof(&table, &proof), Ok(()), "{n}");
        assert!(proof.tables.len() < 12 || n < 4, "pairs of a kind share a table: {}", proof.tables.len());
        assert_eq!(prove(&philosophers(n, false), 2, false), None, "there is a deadlock");
    }
}

#[test]
fn every_choice_of_moves_counts() {
    let fork = Sketch { states: 3, end: vec![1, 2], moves: vec![(0, 0, 1), (0, 0, 2)] };
    let network = network(&[fork.clone(), fork], &[SketchedRule::from(&[(0, 0), (1, 0)][..])]);
    let proof = prove(&network, 2, false).expect("both stop for good");
    assert_eq!(proof.tables[0].states, [0, 0, 1, 1, 1, 2, 2, 1, 2, 2]);
    assert_eq!(check_local_proof(&network, &proof), Ok(()));
    for row in 1..5 {
        let mut fewer = proof.clone();
        fewer.tables[0].states.drain(2 * row..2 * row + 2);
        assert_eq!(check_local_proof(&network, &fewer), Err(LocalError::GroupLeft { group: 0, from: 0 }), "{row}");
    }
}

/// What is said of the scheduler's proof after a change.
fn after(change: impl Fn(&mut LocalProof)) -> LocalError {
    let network = scheduler(3);
    let mut proof = scheduler_proof(3, Why::Trap(0));
    let two = Table { width: 2, states: (0..16).flat_map(|i| [i / 4, i % 4]).collect() };
    proof.tables.push(two);
    proof.groups.push(Group { members: vec![0, 1], table: 0 });
    assert_eq!(check_local_proof(&network, &proof), Ok(()));
    change(&mut proof);
    check_local_proof(&network, &proof).expect_err("the change matters")
}

#[test]
fn mistakes_in_facts_are_named() {
    use LocalError::*;
    assert_eq!(after(|p| p.refutations.clear()), Missing(Goal::Deadlock));
    assert_eq!(after(|p| p.sets[2].component = 3), Set(2));
    assert_eq!(after(|p| p.sets[8].states[1] = 4), Set(8));
    assert_eq!(after(|p| p.sets[8].states.reverse()), Set(8));
    assert_eq!(after(|p| p.tables[0].states.swap(1, 3)), Table(0));
    assert_eq!(after(|p| p.tables[0].states.truncate(5)), Table(0));
    assert_eq!(after(|p| p.tables[0].width = 0), Table(0));
    assert_eq!(after(|p| p.tables[0].states.extend([3, usize::MAX])), Group(0));
    assert_eq!(after(|p| p.groups[0].table = 1), Group(0));
    assert_eq!(after(|p| p.groups[0].members[1] = 3), Group(0));
    assert_eq!(after(|p| p.groups[0].members[1] = 0), Group(0));
    assert_eq!(after(|p| p.groups[0].members.push(2)), Group(0));
    assert_eq!(after(|p| p.tables[0].states = vec![3, 3]), GroupStart(0));
    // With the token and work at once, the first cell can do its work.
    assert_eq!(after(|p| _ = p.tables[0].states.drain(24..26)), GroupLeft { group: 0, from: 0 });
    assert_eq!(after(|p| p.inequalities[0].weights.swap(0, 1)), Inequality(0));
    assert_eq!(after(|p| p.inequalities[1].weights[5].1 = 4), Inequality(1));
    assert_eq!(after(|p| p.inequalities[0].bound = -2), InequalityStart(0));
    assert_eq!(after(|p| p.inequalities[0].weights[0].2 = i64::MIN), Increased { inequality: 0, rule: 1 });
    assert_eq!(after(|p| p.inequalities[1].weights[3].2 = 2), Increased { inequality: 1, rule: 3 });
    assert_eq!(after(|p| p.traps[0][1].1 = 4), Trap(0));
    assert_eq!(after(|p| p.traps[0][0] = (0, 3)), TrapStart(0));
    assert_eq!(after(|p| _ = p.traps[0].remove(4)), TrapLeft { trap: 0, rule: 4 });
}

#[test]
fn mistakes_in_refutations_are_named() {
    let flaw = |change: fn(&mut evidence::Refutation)| match after(|p| change(&mut p.refutations[0])) {
        LocalError::Refutation { refutation: 0, flaw } => flaw,
        other => panic!("{other}"),
    };
    let given = scheduler_proof(3, Why::Trap(0)).refutations[0].given.len();
    assert_eq!(flaw(|r| r.given[1].clause[0] = 0), Flaw::Literal(1));
    assert_eq!(flaw(|r| r.given[1].clause[0] = i64::MIN), Flaw::Literal(1));
    assert_eq!(flaw(|r| r.steps[0].clause.push(10)), Flaw::Literal(given));
    assert_eq!(flaw(|r| r.given[0].why = Why::Trap(1)), Flaw::Reason(0));
    assert_eq!(flaw(|r| r.given[0].why = Why::Disabled), Flaw::Reason(0));
    assert_eq!(flaw(|r| r.given[0].why = Why::Rule(6)), Flaw::Reason(0));
    assert_eq!(flaw(|r| r.given[0].why = Why::End), Flaw::Given(0));
    assert_eq!(flaw(|r| _ = r.given[0].clause.pop()), Flaw::Given(0));
    assert_eq!(flaw(|r| r.steps[1].hints[0] = usize::MAX), Flaw::HintRange(1));
    assert_eq!(flaw(|r| _ = r.steps[1].hints.pop()), Flaw::NoConflict(1));
    assert_eq!(flaw(|r| r.steps[0].hints.clear()), Flaw::NoConflict(0));
    assert_eq!(flaw(|r| _ = r.steps[0].hints.remove(0)), Flaw::NoConflict(0));
    assert_eq!(flaw(|r| r.steps[0].hints.push(0)), Flaw::Hint { step: 0, hint: r_hints() });
    assert_eq!(flaw(|r| _ = r.steps.pop()), Flaw::NotEmpty);
    assert_eq!(flaw(|r| r.steps.clear()), Flaw::NotEmpty);
    let unknown = after(|p| {
        let again = p.refutations[0].clone();
        p.refutations.push(evidence::Refutation { goal: Goal::Enabled(6), ..again });
    });
    assert_eq!(unknown, LocalError::Refutation { refutation: 1, flaw: Flaw::Goal });
    assert_eq!(unknown.to_string(), "in refutation 1, the goal is an unknown rule");
}

/// The place of the last hint of the first step.
fn r_hints() -> usize {
    scheduler_proof(3, Why::Trap(0)).refutations[0].steps[0].hints.len() - 1
}

/// Two components that never meet in their second states, where a model error would happen.
fn guarded() -> Network {
    let side = Sketch { states: 2, end: vec![0], moves: vec![(0, 0, 1), (1, 1, 0), (0, 2, 0), (1, 3, 1)] };
    let rule = |participants: &[(usize, usize)]| SketchedRule::from(participants);
    let fault = SketchedRule { participants: vec![(0, 3), (1, 3)], fault: true };
    let rules = [rule(&[(0, 0), (1, 2)]), rule(&[(0, 1)]), rule(&[(1, 0), (0, 2)]), rule(&[(1, 1)]), fault];
    network(&[side.clone(), side], &rules)
}

#[test]
fn model_errors_must_be_excluded_too() {
    let network = guarded();
    let proof = prove(&network, 2, false).expect("the two are all there is");
    assert_eq!(check_local_proof(&network, &proof), Ok(()));
    assert_eq!(proof.refutations.len(), 2);
    let mut fewer = proof.clone();
    fewer.refutations.retain(|r| r.goal == Goal::Deadlock);
    assert_eq!(check_local_proof(&network, &fewer), Err(LocalError::Missing(Goal::Enabled(4))));
    assert_eq!(check_local_goals(&network, &[Goal::Deadlock], &fewer), Ok(()));
    assert_eq!(check_local_goals(&network, &[Goal::Enabled(3)], &proof), Err(LocalError::Missing(Goal::Enabled(3))));
}

#[test]
fn nothing_at_all_is_a_deadlock() {
    let given = vec![Given { clause: Vec::new(), why: Why::End }];
    let steps = vec![evidence::LratStep { clause: Vec::new(), hints: vec![0] }];
    let refutations = vec![evidence::Refutation { goal: Goal::Deadlock, given, steps }];
    let proof = LocalProof { refutations, ..LocalProof::default() };
    let empty = network(&[], &[]);
    let error = LocalError::Refutation { refutation: 0, flaw: Flaw::Given(0) };
    assert_eq!(check_local_proof(&empty, &proof), Err(error), "nobody is at its end");
    let mut always = proof;
    always.refutations[0].given[0].why = Why::Rule(0);
    assert_eq!(check_local_proof(&network(&[], &[SketchedRule::default()]), &always), Ok(()));
}

#[test]
fn proofs_survive_being_written_down() {
    let proof = prove(&philosophers(3, true), 2, true).expect("pairs suffice");
    let text = serde_json::to_string(&proof).expect("plain data");
    let read: LocalProof = serde_json::from_str(&text).expect("what was written");
    assert_eq!(read, proof);
    assert_eq!(check_local_proof(&philosophers(3, true), &read), Ok(()));
    let scheduled = scheduler_proof(5, Why::Inequality(0));
    let text = serde_json::to_string(&scheduled).expect("plain data");
    assert_eq!(serde_json::from_str::<LocalProof>(&text).expect("what was written"), scheduled);
}
