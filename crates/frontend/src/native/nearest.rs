//! The known name that an unknown one was probably meant to be.

/// The candidate with the least edit distance to `name`, if that is small for its length.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match name.chars().count() {
        // One letter is as far from another as a name can be.
        0..=1 => 0,
        2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    let close = candidates.into_iter().filter(|c| *c != name && c.len() < 4 * name.len() + 4);
    let scored = close.map(|c| (distance(&fold(name), &fold(c)), c));
    scored.filter(|(d, _)| *d <= limit).min().map(|(_, c)| c)
}

/// The help that goes with an unknown name.
pub(crate) fn suggestion<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, candidates).map(|c| format!("did you mean `{c}`?"))
}

/// Case is the least of differences: it is not counted.
fn fold(name: &str) -> Vec<char> {
    name.chars().take(64).flat_map(char::to_lowercase).collect()
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut best = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swaps_cost_one_and_cases_nothing() {
        let count = |a: &str, b: &str| distance(&fold(a), &fold(b));
        assert_eq!(count("fork", "frok"), 1);
        assert_eq!(count("Fork", "fork"), 0);
        assert_eq!(count("left", "right"), 4);
        assert_eq!(count("", "abc"), 3);
    }

    #[test]
    fn far_names_are_not_suggested() {
        assert_eq!(nearest("frok", ["m", "fork", "work"]), Some("fork"));
        assert_eq!(nearest("hungry", ["thinking", "eating"]), None);
        assert_eq!((nearest("x", ["y"]), nearest("x", ["X"]), nearest("xx", ["x"])), (None, Some("X"), Some("x")));
    }
}
