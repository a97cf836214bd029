//! Proofs that a person would write, and what is said about them when a detail is wrong.

use check::{CertificateError, check_local_goals, check_local_proof};
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

/// That a certificate is refused for this reason.
fn refused(why: &str) -> Result<(), CertificateError> {
    Err(CertificateError::Wrong(why.to_owned()))
}

#[test]
fn a_token_in_milners_scheduler() {
    for n in [3, 4, 40] {
        for somebody in [Why::Inequality(0), Why::Trap(0)] {
            assert_eq!(check_local_proof(&scheduler(n), &scheduler_proof(n, somebody)), Ok(()), "{n} {somebody:?}");
        }
        let wrong = refused("in refutation 0, clause 0 does not hold for its reason");
        let nobody = scheduler_proof(n, Why::Inequality(1));
        assert_eq!(check_local_proof(&scheduler(n), &nobody), wrong, "that some cell has it is not why");
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
        assert_eq!(
            check_local_proof(&network, &fewer),
            refused("a rule leads from joint state 0 of group 0 out of it"),
            "{row}"
        );
    }
}

#[test]
fn participants_without_a_weight_do_not_stop_a_rule() {
    let once = Sketch { states: 2, end: Vec::new(), moves: vec![(0, 0, 1)] };
    let idle = Sketch { states: 1, end: Vec::new(), moves: vec![(0, 0, 0)] };
    let rules = [SketchedRule::from(&[(0, 0), (1, 0)][..]), SketchedRule::from(&[(0, 0), (1, 1)][..])];
    let network = network(&[once, idle], &rules);
    let increased = |weight: i64| {
        let inequalities = vec![Inequality { weights: vec![(0, 1, weight)], bound: 0 }];
        check_local_goals(&network, &[], &LocalProof { inequalities, ..LocalProof::default() })
    };
    assert_eq!(increased(1), refused("rule 0 increases the sum of inequality 0"), "the second rule is never enabled");
    assert_eq!(increased(-1), Ok(()));
}

/// What is said of the scheduler's proof after a change.
fn after(change: impl Fn(&mut LocalProof)) -> String {
    let network = scheduler(3);
    let mut proof = scheduler_proof(3, Why::Trap(0));
    let two = Table { width: 2, states: (0..16).flat_map(|i| [i / 4, i % 4]).collect() };
    proof.tables.push(two);
    proof.groups.push(Group { members: vec![0, 1], table: 0 });
    assert_eq!(check_local_proof(&network, &proof), Ok(()));
    change(&mut proof);
    check_local_proof(&network, &proof).expect_err("the change matters").to_string()
}

#[test]
fn mistakes_in_facts_are_named() {
    assert_eq!(after(|p| p.refutations.clear()), "it does not exclude deadlocks");
    assert_eq!(after(|p| p.sets[2].component = 3), "set 2 has an unknown component or state, or is not in order");
    assert_eq!(after(|p| p.sets[8].states[1] = 4), "set 8 has an unknown component or state, or is not in order");
    assert_eq!(after(|p| p.sets[8].states.reverse()), "set 8 has an unknown component or state, or is not in order");
    assert_eq!(after(|p| p.tables[0].states.swap(1, 3)), "table 0 is not in order");
    assert_eq!(after(|p| p.tables[0].states.truncate(5)), "table 0 is not in order");
    assert_eq!(after(|p| p.tables[0].width = 0), "table 0 is not in order");
    assert_eq!(
        after(|p| p.tables[0].states.extend([3, usize::MAX])),
        "group 0 has an unknown member, or does not fit its table"
    );
    assert_eq!(after(|p| p.groups[0].table = 1), "group 0 has an unknown member, or does not fit its table");
    assert_eq!(after(|p| p.groups[0].members[1] = 3), "group 0 has an unknown member, or does not fit its table");
    assert_eq!(after(|p| p.groups[0].members[1] = 0), "group 0 has an unknown member, or does not fit its table");
    assert_eq!(after(|p| p.groups[0].members.push(2)), "group 0 has an unknown member, or does not fit its table");
    assert_eq!(after(|p| p.tables[0].states = vec![3, 3]), "group 0 lacks the initial states");
    // With the token and work at once, the first cell can do its work.
    assert_eq!(after(|p| _ = p.tables[0].states.drain(24..26)), "a rule leads from joint state 0 of group 0 out of it");
    assert_eq!(
        after(|p| p.inequalities[0].weights.swap(0, 1)),
        "inequality 0 has an unknown state, or is not in order"
    );
    assert_eq!(after(|p| p.inequalities[1].weights[5].1 = 4), "inequality 1 has an unknown state, or is not in order");
    assert_eq!(after(|p| p.inequalities[0].bound = -2), "inequality 0 does not hold in the beginning");
    assert_eq!(after(|p| p.inequalities[0].weights[0].2 = i64::MIN), "rule 1 increases the sum of inequality 0");
    assert_eq!(after(|p| p.inequalities[1].weights[3].2 = 2), "rule 3 increases the sum of inequality 1");
    assert_eq!(after(|p| p.traps[0][1].1 = 4), "trap 0 has an unknown component or state");
    assert_eq!(after(|p| p.traps[0][0] = (0, 3)), "trap 0 is empty in the beginning");
    assert_eq!(after(|p| _ = p.traps[0].remove(4)), "rule 4 can leave trap 0");
}

#[test]
fn mistakes_in_refutations_are_named() {
    let flaw = |change: fn(&mut evidence::Refutation)| {
        let said = after(|p| change(&mut p.refutations[0]));
        said.strip_prefix("in refutation 0, ").unwrap_or_else(|| panic!("{said}")).to_owned()
    };
    let given = scheduler_proof(3, Why::Trap(0)).refutations[0].given.len();
    assert_eq!(flaw(|r| r.given[1].clause[0] = 0), format!("clause {} has an unknown variable", 1));
    assert_eq!(flaw(|r| r.given[1].clause[0] = i64::MIN), format!("clause {} has an unknown variable", 1));
    assert_eq!(flaw(|r| r.steps[0].clause.push(10)), format!("clause {} has an unknown variable", given));
    assert_eq!(flaw(|r| r.given[0].why = Why::Trap(1)), "the reason of clause 0 is unknown, or is none for this goal");
    assert_eq!(flaw(|r| r.given[0].why = Why::Disabled), "the reason of clause 0 is unknown, or is none for this goal");
    assert_eq!(flaw(|r| r.given[0].why = Why::Rule(6)), "the reason of clause 0 is unknown, or is none for this goal");
    assert_eq!(flaw(|r| r.given[0].why = Why::End), "clause 0 does not hold for its reason");
    assert_eq!(flaw(|r| _ = r.given[0].clause.pop()), "clause 0 does not hold for its reason");
    assert_eq!(flaw(|r| r.steps[1].hints[0] = usize::MAX), "step 1 uses a clause that does not come before it");
    assert_eq!(flaw(|r| _ = r.steps[1].hints.pop()), "step 1 does not follow from its hints");
    assert_eq!(flaw(|r| r.steps[0].hints.clear()), "step 0 does not follow from its hints");
    assert_eq!(flaw(|r| _ = r.steps[0].hints.remove(0)), "step 0 does not follow from its hints");
    assert_eq!(flaw(|r| r.steps[0].hints.push(0)), wrong_hint());
    assert_eq!(flaw(|r| _ = r.steps.pop()), "the last step is not the empty clause");
    assert_eq!(flaw(|r| r.steps.clear()), "the last step is not the empty clause");
    let unknown = after(|p| {
        let again = p.refutations[0].clone();
        p.refutations.push(evidence::Refutation { goal: Goal::Enabled(6), ..again });
    });
    assert_eq!(unknown, "in refutation 1, the goal is an unknown rule");
}

/// What is said if the hints of the first step go on after the last of them.
fn wrong_hint() -> String {
    let last = scheduler_proof(3, Why::Trap(0)).refutations[0].steps[0].hints.len() - 1;
    format!("step 0 has a hint, number {last}, that does not leave one literal")
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
    assert_eq!(check_local_proof(&network, &fewer), refused("it does not exclude that rule 4 is enabled"));
    assert_eq!(check_local_goals(&network, &[Goal::Deadlock], &fewer), Ok(()));
    assert_eq!(
        check_local_goals(&network, &[Goal::Enabled(3)], &proof),
        refused("it does not exclude that rule 3 is enabled")
    );
}

#[test]
fn nothing_at_all_is_a_deadlock() {
    let given = vec![Given { clause: Vec::new(), why: Why::End }];
    let steps = vec![evidence::LratStep { clause: Vec::new(), hints: vec![0] }];
    let refutations = vec![evidence::Refutation { goal: Goal::Deadlock, given, steps }];
    let proof = LocalProof { refutations, ..LocalProof::default() };
    let empty = network(&[], &[]);
    let error = refused("in refutation 0, clause 0 does not hold for its reason");
    assert_eq!(check_local_proof(&empty, &proof), error, "nobody is at its end");
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
