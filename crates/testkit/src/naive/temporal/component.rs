//! Strongly connected sets of nodes in which something can go on for ever such that all conditions are met.

/// What must be so again and again, as sets of nodes.
#[derive(Clone, Debug)]
pub(crate) struct Conditions {
    /// Each of these must be visited.
    pub(crate) required: Vec<Vec<bool>>,
    /// If the first is visited, the second must be, too.
    pub(crate) strong: Vec<(Vec<bool>, Vec<bool>)>,
}

/// A strongly connected set of nodes, with at least one edge in it, such that all of it can be visited again and again.
pub(crate) fn fair_component(next: &[Vec<usize>], conditions: &Conditions) -> Option<Vec<usize>> {
    let mut open: Vec<Vec<usize>> = vec![(0..next.len()).collect()];
    while let Some(nodes) = open.pop() {
        for mut component in components(next, &nodes) {
            let has = |set: &Vec<bool>| component.iter().any(|n| set[*n]);
            if !conditions.required.iter().all(has) {
                continue;
            }
            match conditions.strong.iter().find(|(asked, given)| has(asked) && !has(given)) {
                None => return Some(component),
                // Whoever stays must not visit what asks for something that is not here.
                Some((asked, _)) => {
                    component.retain(|n| !asked[*n]);
                    open.push(component);
                }
            }
        }
    }
    None
}

/// The strongly connected components of the graph of these nodes that have an edge, by two searches: the nodes in the
/// order in which the first leaves them, then from the last of them against the edges.
fn components(next: &[Vec<usize>], nodes: &[usize]) -> Vec<Vec<usize>> {
    let mut inside = vec![false; next.len()];
    nodes.iter().for_each(|n| inside[*n] = true);
    let mut before = vec![Vec::new(); next.len()];
    for &from in nodes {
        next[from].iter().filter(|to| inside[**to]).for_each(|to| before[*to].push(from));
    }
    let mut fresh = inside.clone();
    let left: Vec<usize> = nodes.iter().flat_map(|n| search(next, *n, &mut fresh)).collect();
    let mut fresh = inside;
    let all = left.iter().rev().map(|n| search(&before, *n, &mut fresh));
    let cyclic = |c: &Vec<usize>| c.len() > 1 || c.iter().any(|n| next[*n].contains(n));
    all.filter(cyclic).collect()
}

/// The nodes that were not met before and can be reached from this one, in the order in which they are left.
fn search(next: &[Vec<usize>], start: usize, fresh: &mut [bool]) -> Vec<usize> {
    let mut left = Vec::new();
    let mut path = Vec::new();
    if std::mem::replace(&mut fresh[start], false) {
        path.push((start, 0));
    }
    while let Some((node, tried)) = path.last_mut() {
        let node = *node;
        *tried += 1;
        match next[node].get(*tried - 1) {
            Some(&to) if std::mem::replace(&mut fresh[to], false) => path.push((to, 0)),
            Some(_) => {}
            None => {
                left.push(node);
                path.pop();
            }
        }
    }
    left
}
