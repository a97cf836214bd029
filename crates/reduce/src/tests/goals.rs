//! Goals of all kinds at once, as users ask them.

use testkit::nets;

use super::compare::each_goal;
use crate::reduce;
use model::nets::Goal;

fn check(seeds: impl Iterator<Item = u64>) {
    for seed in seeds {
        let net = nets::random(seed);
        let all = nets::goals(&net, seed);
        let places: Vec<Goal> = all.iter().filter(|g| **g != Goal::Dead).cloned().collect();
        for goals in [all.clone(), places, vec![all[1].clone()], vec![Goal::Dead], vec![Goal::Dead, all[6].clone()]] {
            let reduced = reduce(&net, &goals, &|| false);
            each_goal(&net, &goals, &reduced).unwrap_or_else(|e| panic!("seed {seed}, {goals:?}: {e}"));
        }
    }
}

#[test]
fn goals_keep_their_answers() {
    check(0..300);
}

#[test]
#[ignore = "minutes: many random nets"]
fn goals_keep_their_answers_long() {
    check(500..20_000);
}
