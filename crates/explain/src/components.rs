//! Strongly connected components of a graph, by Tarjan's algorithm without recursion: a chain of waiting may be long.

/// For each node the number of its component.
pub(crate) fn components<'a>(nodes: usize, next: impl Fn(usize) -> Box<dyn Iterator<Item = usize> + 'a>) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let (mut number, mut low, mut component) = (vec![NONE; nodes], vec![NONE; nodes], vec![NONE; nodes]);
    let (mut count, mut found, mut open) = (0, 0, Vec::new());
    for root in 0..nodes {
        if number[root] != NONE {
            continue;
        }
        let mut path = vec![(root, next(root))];
        (number[root], low[root]) = (count, count);
        count += 1;
        open.push(root);
        while let Some((node, rest)) = path.last_mut() {
            let node = *node;
            match rest.next() {
                Some(to) if number[to] == NONE => {
                    (number[to], low[to]) = (count, count);
                    count += 1;
                    open.push(to);
                    path.push((to, next(to)));
                }
                Some(to) if component[to] == NONE => low[node] = low[node].min(number[to]),
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some((before, _)) = path.last() {
                        low[*before] = low[*before].min(low[node]);
                    }
                    if low[node] == number[node] {
                        while let Some(member) = open.pop() {
                            component[member] = found;
                            if member == node {
                                break;
                            }
                        }
                        found += 1;
                    }
                }
            }
        }
    }
    component
}
