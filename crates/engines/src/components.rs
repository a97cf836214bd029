//! Strongly connected components of a part of a graph that is kept (Tarjan).

/// The components of some of the nodes `0..nodes`, each after those that it reaches. `step` gives the target of a step
/// of a node by its number; steps to other nodes than these do not count.
pub(crate) fn components(
    part: &[usize],
    nodes: usize,
    step: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    // What is outside counts as done.
    let mut closed = vec![true; nodes];
    part.iter().for_each(|&n| closed[n] = false);
    let mut low = vec![NEW; nodes];
    let mut number = low.clone();
    let (mut found, mut live, mut count) = (Vec::new(), Vec::new(), 0);
    for &start in part {
        if number[start] != NEW {
            continue;
        }
        let mut stack = vec![(start, 0)];
        while let Some((n, next)) = stack.last_mut() {
            let n = *n;
            if *next == 0 && number[n] == NEW {
                (number[n], low[n]) = (count, count);
                count += 1;
                live.push(n);
            }
            match step(n, *next) {
                Some(to) => {
                    *next += 1;
                    if closed[to] {
                        continue;
                    }
                    if number[to] == NEW { stack.push((to, 0)) } else { low[n] = low[n].min(number[to]) }
                }
                None => {
                    stack.pop();
                    if let Some((below, _)) = stack.last() {
                        low[*below] = low[*below].min(low[n]);
                    }
                    if low[n] == number[n] {
                        let first = live.iter().rposition(|m| *m == n).expect("it is live");
                        let component = live.split_off(first);
                        component.iter().for_each(|&m| closed[m] = true);
                        found.push(component);
                    }
                }
            }
        }
    }
    found
}
