//! The models of the corpus have the sizes that their comments state.

use std::path::Path;

use testkit::naive::Naive;

use crate::support::{count, models, system};

/// The numbers of a line such as `// expect: 8 states, 20 transitions, 1 deadlock`.
fn stated(line: &str) -> Option<Vec<usize>> {
    let sizes = line.trim().strip_prefix("// expect:").filter(|sizes| sizes.contains("states"))?;
    Some(sizes.split(',').filter_map(|part| part.split_whitespace().next()?.parse().ok()).collect())
}

#[test]
fn sizes_are_those_stated() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/bip");
    let models = models(&folder);
    assert!(models.len() >= 8);
    let mut wrong = Vec::new();
    for (name, text) in models {
        let (states, transitions, deadlocks, faults) = count(&Naive::new(&system(&text)));
        let expected = text.lines().find_map(stated).unwrap_or_default();
        let dead = text.contains("// expect: deadlock-free violated");
        if (&expected[..], faults, dead) != (&[states, transitions, deadlocks], 0, deadlocks > 0) {
            wrong.push(format!(
                "{name}: {states} states, {transitions} transitions, {deadlocks} deadlocks, {faults} faults"
            ));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
