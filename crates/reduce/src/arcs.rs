//! Sorted rows of weighted arcs, and the arcs of one transition fired after another.

use std::cmp::Ordering;

use model::views::PlaceId;

/// Arcs with places, in increasing order, no weight 0.
pub(crate) type Arcs = Vec<(PlaceId, u32)>;

/// What a transition takes and what it puts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) pre: Arcs,
    pub(crate) post: Arcs,
}

/// The weight of an arc of a row; 0 if there is none.
pub(crate) fn weight<K: Ord + Copy>(row: &[(K, u32)], key: K) -> u32 {
    row.binary_search_by_key(&key, |&(k, _)| k).map_or(0, |i| row[i].1)
}

/// Two rows side by side: each key once, with its weight in both.
pub(crate) fn join<'a, K: Ord + Copy>(
    left: &'a [(K, u32)],
    right: &'a [(K, u32)],
) -> impl Iterator<Item = (K, u32, u32)> + 'a {
    let (mut i, mut j) = (0, 0);
    std::iter::from_fn(move || {
        let order = match (left.get(i), right.get(j)) {
            (None, None) => return None,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((a, _)), Some((b, _))) => a.cmp(b),
        };
        let item = match order {
            Ordering::Less => (left[i].0, left[i].1, 0),
            Ordering::Greater => (right[j].0, 0, right[j].1),
            Ordering::Equal => (left[i].0, left[i].1, right[j].1),
        };
        i += usize::from(order != Ordering::Greater);
        j += usize::from(order != Ordering::Less);
        Some(item)
    })
}

/// Whether a row asks for no more than another.
pub(crate) fn within<K: Ord + Copy>(small: &[(K, u32)], large: &[(K, u32)]) -> bool {
    small.len() <= large.len() && join(small, large).all(|(_, s, l)| s <= l)
}

/// How a transition changes the places, without those it does not change.
pub(crate) fn effect<'a>(
    pre: &'a [(PlaceId, u32)],
    post: &'a [(PlaceId, u32)],
) -> impl Iterator<Item = (PlaceId, i64)> + 'a {
    join(pre, post).map(|(p, taken, put)| (p, i64::from(put) - i64::from(taken))).filter(|&(_, change)| change != 0)
}

impl Step {
    /// The arcs of `self` and then `next` as one step; `None` if a weight leaves the range of 32 bits.
    pub(crate) fn then(&self, next: &Step) -> Option<Step> {
        let mut between = join(&self.post, &next.pre).peekable();
        let (mut missing, mut left) = (Arcs::new(), Arcs::new());
        for (p, put, taken) in &mut between {
            match put.cmp(&taken) {
                Ordering::Less => missing.push((p, taken - put)),
                Ordering::Greater => left.push((p, put - taken)),
                Ordering::Equal => {}
            }
        }
        Some(Step { pre: sum(&self.pre, &missing)?, post: sum(&left, &next.post)? })
    }

    /// The arcs of `times` firings in a row, at least one; `None` if a weight leaves the range of 32 bits.
    pub(crate) fn power(&self, times: u32) -> Option<Step> {
        let (mut pre, mut post) = (Arcs::new(), Arcs::new());
        for (p, taken, put) in join(&self.pre, &self.post) {
            let change = i64::from(put) - i64::from(taken);
            let again = i64::from(times).checked_sub(1)?;
            let all_taken = i64::from(taken).checked_add(again.checked_mul(-change.min(0))?)?;
            let all_put = all_taken.checked_add(change.checked_mul(i64::from(times))?)?;
            push(&mut pre, p, all_taken)?;
            push(&mut post, p, all_put)?;
        }
        Some(Step { pre, post })
    }

    /// The places, those on both sides twice.
    pub(crate) fn places(&self) -> impl Iterator<Item = PlaceId> + '_ {
        self.pre.iter().chain(&self.post).map(|&(p, _)| p)
    }

    /// The number of arcs.
    pub(crate) fn len(&self) -> usize {
        self.pre.len() + self.post.len()
    }
}

fn push(row: &mut Arcs, p: PlaceId, weight: i64) -> Option<()> {
    if weight > 0 {
        row.push((p, u32::try_from(weight).ok()?));
    }
    Some(())
}

fn sum(left: &[(PlaceId, u32)], right: &[(PlaceId, u32)]) -> Option<Arcs> {
    join(left, right).map(|(p, a, b)| Some((p, a.checked_add(b)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(pre: &[(u32, u32)], post: &[(u32, u32)]) -> Step {
        let row = |arcs: &[(u32, u32)]| arcs.iter().map(|&(p, w)| (PlaceId(p), w)).collect();
        Step { pre: row(pre), post: row(post) }
    }

    #[test]
    fn what_the_first_puts_the_second_need_not_find() {
        let first = step(&[(0, 1)], &[(1, 2), (2, 1)]);
        let second = step(&[(1, 3), (2, 1), (3, 1)], &[(0, 1)]);
        assert_eq!(first.then(&second), Some(step(&[(0, 1), (1, 1), (3, 1)], &[(0, 1)])));
        let more = step(&[(2, 1)], &[]);
        assert_eq!(first.then(&more), Some(step(&[(0, 1)], &[(1, 2)])));
    }

    #[test]
    fn a_power_is_repeated_composition() {
        let t = step(&[(0, 3), (1, 1), (2, 2)], &[(0, 2), (1, 4), (2, 2)]);
        let twice = t.then(&t).expect("small");
        assert_eq!(t.power(2), Some(twice.clone()));
        assert_eq!(t.power(3), twice.then(&t));
        assert_eq!(step(&[], &[(0, 1 << 31)]).power(2), None, "2^32 does not fit");
    }
}
