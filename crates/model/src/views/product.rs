//! Odometers: all ways to choose one of several in each of several positions.

/// Calls `f` with every tuple below `sizes`, the last position turning fastest; stops at the first error.
pub(crate) fn each_choice<E>(sizes: &[usize], mut f: impl FnMut(&[usize]) -> Result<(), E>) -> Result<(), E> {
    if sizes.contains(&0) {
        return Ok(());
    }
    let mut wheels = vec![0; sizes.len()];
    loop {
        f(&wheels)?;
        let Some(turn) = (0..sizes.len()).rev().find(|&w| wheels[w] + 1 < sizes[w]) else { return Ok(()) };
        wheels[turn] += 1;
        wheels[turn + 1..].fill(0);
    }
}

/// Calls `f` with every tuple below `sizes` that is not below `seen`; stops at the first error.
pub(crate) fn each_new_choice<E>(
    seen: &[usize],
    sizes: &[usize],
    mut f: impl FnMut(&[usize]) -> Result<(), E>,
) -> Result<(), E> {
    // By the first position that is beyond what was seen.
    for d in 0..sizes.len() {
        let counts: Vec<usize> = [&seen[..d], &[sizes[d] - seen[d]], &sizes[d + 1..]].concat();
        let mut shifted = Vec::new();
        each_choice(&counts, |choice| {
            shifted.clear();
            shifted.extend_from_slice(choice);
            shifted[d] += seen[d];
            f(&shifted)
        })?;
    }
    Ok(())
}

/// The number of tuples, as far as it fits.
pub(crate) fn choices(sizes: &[usize]) -> usize {
    if sizes.contains(&0) { 0 } else { sizes.iter().fold(1, |n, &k| n.saturating_mul(k)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_choices_are_those_that_were_not_seen() {
        let (seen, sizes) = ([2, 1, 0], [3, 3, 2]);
        let mut expected = Vec::new();
        let push = |list: &mut Vec<Vec<usize>>, c: &[usize]| {
            list.push(c.to_vec());
            Ok::<(), ()>(())
        };
        for seen in [seen, [2, 1, 2], [0, 0, 0], sizes] {
            expected.clear();
            each_choice(&sizes, |c| push(&mut expected, c)).expect("no error");
            expected.retain(|c| c.iter().zip(&seen).any(|(k, n)| k >= n));
            let mut found = Vec::new();
            each_new_choice(&seen, &sizes, |c| push(&mut found, c)).expect("no error");
            found.sort_unstable();
            assert_eq!(found, expected, "{seen:?}");
        }
    }
}
