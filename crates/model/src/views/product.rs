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

/// The number of tuples, as far as it fits.
pub(crate) fn choices(sizes: &[usize]) -> usize {
    if sizes.contains(&0) { 0 } else { sizes.iter().fold(1, |n, &k| n.saturating_mul(k)) }
}
