//! Proofs with hints, made from what the solver learned, against a checker of a few lines.

use std::collections::HashSet;

use solve::lrat::{Elaborated, elaborate};
use solve::sat::{Answer, Literal, Sat};

type Clauses = Vec<Vec<Literal>>;

/// Whether each step follows by its hints, and the last one is empty.
fn is_refutation(given: &[Vec<Literal>], proof: &Elaborated) -> bool {
    let mut clauses: Clauses = proof.used.iter().map(|&number| given[number].clone()).collect();
    for step in &proof.steps {
        let mut falsified: HashSet<Literal> = step.clause.iter().copied().collect();
        for (i, &hint) in step.hints.iter().enumerate() {
            let Some(clause) = clauses.get(hint) else { return false };
            let mut left: Vec<Literal> = clause.iter().copied().filter(|l| !falsified.contains(l)).collect();
            left.dedup();
            match left[..] {
                [] if i + 1 == step.hints.len() => {}
                [unit] if i + 1 < step.hints.len() && !falsified.contains(&!unit) => {
                    falsified.insert(!unit);
                }
                _ => return false,
            }
        }
        if step.hints.is_empty() {
            return false;
        }
        clauses.push(step.clause.clone());
    }
    proof.steps.last().is_some_and(|step| step.clause.is_empty())
}

/// What the solver says, and what it learned.
fn solve(clauses: &[Vec<Literal>]) -> (Answer, Clauses) {
    let mut sat = Sat::new(Box::new(|| false));
    sat.keep_learned();
    let variables = clauses.iter().flatten().map(|l| l.variable() + 1).max().unwrap_or(0);
    (0..variables).for_each(|_| _ = sat.fresh());
    clauses.iter().for_each(|clause| sat.clause(clause));
    (sat.solve(), sat.learned().to_vec())
}

/// The checked proof of clauses that are contradictory.
fn prove(clauses: &[Vec<Literal>]) -> Elaborated {
    let (answer, learned) = solve(clauses);
    assert_eq!(answer, Answer::Impossible);
    let proof = elaborate(clauses, &learned, &|| false).expect("the learned clauses lead to a contradiction");
    assert!(is_refutation(clauses, &proof));
    assert!(proof.used.is_sorted_by(|a, b| a < b));
    proof
}

/// Numbers by a linear recurrence.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

fn random(seed: u64, variables: usize, clauses: usize) -> Clauses {
    let mut rng = Rng(seed);
    let mut literal = || Literal::new(rng.below(variables), rng.below(2) == 0);
    (0..clauses).map(|_| (0..3).map(|_| literal()).collect()).collect()
}

/// More pigeons than holes.
fn pigeons(holes: usize) -> Clauses {
    let sits = |pigeon: usize, hole: usize| Literal::new(pigeon * holes + hole, true);
    let mut clauses: Clauses = (0..=holes).map(|p| (0..holes).map(|h| sits(p, h)).collect()).collect();
    for hole in 0..holes {
        let pairs = (0..=holes).flat_map(|a| (0..a).map(move |b| (a, b)));
        clauses.extend(pairs.map(|(a, b)| vec![!sits(a, hole), !sits(b, hole)]));
    }
    clauses
}

#[test]
fn random_clauses() {
    let (mut impossible, mut learned_steps) = (0, 0);
    for seed in 0..600 {
        let variables = 5 + seed as usize % 30;
        let clauses = random(seed, variables, variables * 5);
        let (answer, learned) = solve(&clauses);
        let proof = elaborate(&clauses, &learned, &|| false);
        assert_eq!(proof.is_some(), answer == Answer::Impossible, "seed {seed}");
        if let Some(proof) = proof {
            assert!(is_refutation(&clauses, &proof), "seed {seed}");
            impossible += 1;
            learned_steps += proof.steps.len();
        }
    }
    assert!(impossible > 200 && learned_steps > 10 * impossible, "{impossible} {learned_steps}");
}

#[test]
fn hard_ones() {
    for holes in 4..=7 {
        let proof = prove(&pigeons(holes));
        assert!(proof.used.len() == pigeons(holes).len(), "every clause matters");
    }
    for seed in 0..3 {
        prove(&random(seed, 120, 640));
    }
}

#[test]
fn only_what_is_needed_is_kept() {
    let mut clauses = random(3, 1000, 2000);
    let other =
        pigeons(4).into_iter().map(|c| c.into_iter().map(|l| Literal::new(l.variable() + 1000, l.is_positive())));
    clauses.extend(other.map(Iterator::collect));
    let proof = prove(&clauses);
    assert!(proof.used.len() == pigeons(4).len() && proof.used[0] == 2000);
    assert!(proof.steps.iter().all(|step| step.clause.iter().all(|l| l.variable() >= 1000)));
}

#[test]
fn chains_give_one_step_for_each_link() {
    let n = 20_000;
    let holds = |i: usize| Literal::new(i, true);
    let mut clauses: Clauses = (1..n).rev().map(|i| vec![!holds(i - 1), holds(i)]).collect();
    clauses.push(vec![holds(0)]);
    clauses.push(vec![!holds(n / 2), !holds(n - 1), !holds(0)]);
    let proof = prove(&clauses);
    assert_eq!((proof.used.len(), proof.steps.len()), (clauses.len(), n));
    assert!(proof.steps.iter().all(|step| step.hints.len() <= 4));
}

#[test]
fn degenerate_clauses() {
    let l = |i: usize| Literal::new(i, true);
    let check = |clauses: &[Vec<Literal>], learned: &[Vec<Literal>]| {
        let proof = elaborate(clauses, learned, &|| false).expect("contradictory");
        assert!(is_refutation(clauses, &proof));
        proof.used
    };
    assert_eq!(check(&[vec![l(0)], vec![]], &[]), [1]);
    assert_eq!(check(&[vec![l(0), !l(0)], vec![l(1), l(1)], vec![!l(1)]], &[]), [1, 2]);
    // Learned clauses that hold anyway, with literals that are false for good, tautologies, and something after the end.
    let given: Clauses = vec![
        vec![l(0)],
        vec![!l(0), l(1), l(2)],
        vec![!l(0), l(1), !l(2)],
        vec![!l(1), l(3), l(4)],
        vec![!l(1), l(3), !l(4)],
        vec![!l(3), !l(1), l(5)],
        vec![!l(3), !l(5)],
    ];
    let learned: Clauses = vec![
        vec![l(0), l(5)],
        vec![l(2), !l(2)],
        vec![!l(0), l(1)],
        vec![l(4), !l(0), l(3), l(3)],
        vec![l(3)],
        vec![l(9)],
    ];
    assert_eq!(check(&given, &learned), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(elaborate(&given, &learned[..1], &|| false), None);
    assert_eq!(elaborate(&given, &[vec![]], &|| false), None, "an empty clause does not follow by propagation");
    assert_eq!(elaborate(&given[..3], &[vec![!l(1)]], &|| false), None, "that does not follow at all");
}

#[test]
fn it_stops_when_told() {
    let clauses = random(1, 120, 640);
    let (_, learned) = solve(&clauses);
    assert_eq!(elaborate(&clauses, &learned, &|| true), None);
}

#[test]
fn the_checker_of_this_test_can_fail() {
    let clauses = pigeons(4);
    let proof = prove(&clauses);
    for number in 0..proof.steps.len() {
        let mut fewer = proof.clone();
        fewer.steps[number].hints.pop();
        assert!(!is_refutation(&clauses, &fewer));
        let mut stronger = proof.clone();
        if stronger.steps[number].clause.pop().is_some() {
            assert!(!is_refutation(&clauses, &stronger));
        }
    }
}
