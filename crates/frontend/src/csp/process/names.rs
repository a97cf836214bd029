//! Names that are told apart.

use std::collections::HashSet;

/// Makes names distinct: the second `P` becomes `P#2`.
pub(super) fn distinct(names: Vec<String>) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut counts = std::collections::HashMap::new();
    let all: HashSet<String> = names.iter().cloned().collect();
    let mut out = Vec::with_capacity(names.len());
    for name in names {
        if taken.insert(name.clone()) {
            out.push(name);
            continue;
        }
        let count = counts.entry(name.clone()).or_insert(1);
        let new = loop {
            *count += 1;
            let candidate = format!("{name}#{count}");
            if !all.contains(&candidate) && taken.insert(candidate.clone()) {
                break candidate;
            }
        };
        out.push(new);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::distinct;

    #[test]
    fn repeated_names_are_numbered() {
        let names = ["P", "Q", "P", "P#2", "P"].map(str::to_owned).to_vec();
        assert_eq!(distinct(names), ["P", "Q", "P#3", "P#2", "P#4"]);
    }
}
