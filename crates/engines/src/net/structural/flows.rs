//! Place invariants: weights of places whose weighted sum of tokens never changes, or never grows.
//!
//! Found by elimination (Farkas; Martínez and Silva): rows begin as single places with their effects; a transition is
//! eliminated by adding each row that it increases to each row that it decreases, weighted so that the effects cancel.
//! The number of minimal invariants is exponential, so only the shortest of many sums are kept, and the work is
//! limited: the result is sound and not complete. Overflowing rows are dropped.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use model::views::{Net, PlaceId};

use super::equation::{effects, gcd};

/// So many sums are kept for one transition.
const SUMS: usize = 64;
/// So many rows that a transition increases, or decreases, are paired.
const SIDE: usize = 1000;
/// Rows with more places are dropped.
const LONGEST: usize = 5000;
/// The additions that are made at most, in entries.
const WORK: usize = 60_000_000;

/// A weighted sum of tokens that never exceeds its total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The weights, by place, none zero.
    pub weights: Vec<(PlaceId, i64)>,
    /// The sum in the initial marking, or what it may grow to.
    pub total: i64,
    /// Whether the sum is always the total.
    pub constant: bool,
}

/// Invariants that were found, by place.
#[derive(Clone, Debug, Default)]
pub struct Flows {
    all: Vec<Flow>,
    by_place: Vec<Vec<u32>>,
}

/// Entries by number of a place or transition, in increasing order.
type Sparse = Vec<(u32, i64)>;

#[derive(Clone, Debug)]
struct Candidate {
    weights: Sparse,
    effects: Sparse,
    constant: bool,
}

struct Elimination {
    rows: Vec<Option<Candidate>>,
    /// By transition, the rows that had an effect when they were made.
    users: Vec<Vec<u32>>,
    waiting: BinaryHeap<Reverse<(usize, u32)>>,
    seen: HashSet<Sparse>,
    done: Vec<Candidate>,
    left: usize,
}

impl Flows {
    /// Invariants of a net; `stop` is asked now and then whether to be content with fewer.
    pub fn new(net: &Net, stop: &mut dyn FnMut() -> bool) -> Self {
        let mut elimination = Elimination::new(net);
        elimination.run(stop);
        let mut flows = Self { all: Vec::new(), by_place: vec![Vec::new(); net.places().len()] };
        elimination.done.sort_by(|a, b| (a.weights.len(), &a.weights).cmp(&(b.weights.len(), &b.weights)));
        for row in elimination.done {
            flows.push(net, row);
        }
        flows
    }

    fn push(&mut self, net: &Net, row: Candidate) {
        let weights: Vec<(PlaceId, i64)> = row.weights.iter().map(|&(p, w)| (PlaceId::new(p as usize), w)).collect();
        let total =
            |sum: i64, &(p, w): &(PlaceId, i64)| sum.checked_add(w.checked_mul(i64::from(net.place(p).initial))?);
        let Some(total) = weights.iter().try_fold(0, total) else { return };
        self.add(Flow { weights, total, constant: row.constant });
    }

    /// That each of some sets of places holds at most one token.
    pub(super) fn of_sets(net: &Net, sets: Vec<Vec<PlaceId>>) -> Self {
        let mut flows = Self { all: Vec::new(), by_place: vec![Vec::new(); net.places().len()] };
        for set in sets {
            let mut weights: Vec<(PlaceId, i64)> = set.into_iter().map(|p| (p, 1)).collect();
            weights.sort_unstable();
            flows.add(Flow { weights, total: 1, constant: false });
        }
        flows
    }

    /// Adds others, after its own.
    pub(super) fn append(&mut self, others: Self) {
        others.all.into_iter().for_each(|flow| self.add(flow));
    }

    fn add(&mut self, flow: Flow) {
        for (p, _) in &flow.weights {
            self.by_place[p.index()].push(self.all.len() as u32);
        }
        self.all.push(flow);
    }

    /// The invariants with a place, those that were found here shortest first.
    pub fn of(&self, p: PlaceId) -> impl Iterator<Item = &Flow> {
        self.by_place[p.index()].iter().map(|&f| &self.all[f as usize])
    }

    /// The invariants, in the same order.
    pub fn all(&self) -> &[Flow] {
        &self.all
    }

    /// The numbers of the invariants with a place.
    pub(in crate::net) fn numbers(&self, p: PlaceId) -> &[u32] {
        self.by_place.get(p.index()).map_or(&[], Vec::as_slice)
    }

    /// The most tokens that the invariants allow on a place.
    pub fn bound(&self, p: PlaceId) -> Option<u64> {
        let allowed = |flow: &Flow| {
            let weight = flow.weights[flow.weights.binary_search_by_key(&p, |e| e.0).expect("it has the place")].1;
            u64::try_from(flow.total / weight).expect("weights and tokens are not negative")
        };
        self.of(p).map(allowed).min()
    }
}

impl Elimination {
    fn new(net: &Net) -> Self {
        let mut elimination = Self {
            rows: Vec::new(),
            users: vec![Vec::new(); net.transitions().len()],
            waiting: BinaryHeap::new(),
            seen: HashSet::new(),
            done: Vec::new(),
            left: WORK,
        };
        for p in net.place_ids() {
            let effects = effects(net, p).into_iter().map(|(t, change)| (t.0, change)).collect();
            elimination.add(Candidate { weights: vec![(p.index() as u32, 1)], effects, constant: true });
        }
        let counts = elimination.users.iter().enumerate().map(|(t, users)| Reverse((users.len(), t as u32)));
        elimination.waiting = counts.collect();
        elimination
    }

    fn add(&mut self, row: Candidate) {
        if row.effects.is_empty() {
            self.done.push(row);
            return;
        }
        let number = self.rows.len() as u32;
        for &(t, _) in &row.effects {
            self.users[t as usize].push(number);
        }
        self.rows.push(Some(row));
    }

    fn run(&mut self, stop: &mut dyn FnMut() -> bool) {
        let mut turns = 0_usize;
        while let Some(Reverse((cost, t))) = self.waiting.pop() {
            turns += 1;
            if self.left == 0 || (turns.is_multiple_of(16) && stop()) {
                return;
            }
            let now = self.cost(t);
            if now > cost {
                self.waiting.push(Reverse((now, t)));
                continue;
            }
            self.eliminate(t);
        }
    }

    /// What eliminating a transition would make: the number of sums, then their length.
    fn cost(&mut self, t: u32) -> usize {
        let rows = &self.rows;
        self.users[t as usize].retain(|&r| rows[r as usize].is_some());
        let (mut up, mut down) = (0_usize, 0_usize);
        for &r in &self.users[t as usize] {
            let row = rows[r as usize].as_ref().expect("kept");
            if effect(row, t) > 0 { up += 1 } else { down += 1 }
        }
        up * down
    }

    fn eliminate(&mut self, t: u32) {
        let users = std::mem::take(&mut self.users[t as usize]);
        let rows: Vec<Candidate> = users.iter().filter_map(|&r| self.rows[r as usize].take()).collect();
        let (mut up, mut down): (Vec<Candidate>, Vec<Candidate>) = rows.into_iter().partition(|row| effect(row, t) > 0);
        if up.is_empty() {
            for mut row in down {
                row.effects.retain(|e| e.0 != t);
                row.constant = false;
                self.add(row);
            }
            return;
        }
        for side in [&mut up, &mut down] {
            side.sort_by_key(|row| row.weights.len());
            side.truncate(SIDE);
        }
        let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
        for (i, a) in up.iter().enumerate() {
            pairs.extend(down.iter().enumerate().map(|(k, b)| (a.weights.len() + b.weights.len(), i, k)));
        }
        pairs.sort_unstable();
        pairs.truncate(SUMS.max(up.len().max(down.len())));
        for (_, i, k) in pairs {
            if let Some(sum) = self.sum(&up[i], &down[k], t) {
                self.add(sum);
            }
        }
    }

    /// The sum of two rows in which their effects of a transition cancel.
    fn sum(&mut self, up: &Candidate, down: &Candidate, t: u32) -> Option<Candidate> {
        if up.weights.len() + down.weights.len() > LONGEST {
            return None;
        }
        let (a, b) = (effect(down, t).checked_neg()?, effect(up, t));
        self.left =
            self.left.saturating_sub(up.effects.len() + down.effects.len() + up.weights.len() + down.weights.len());
        let mut weights = combine(&up.weights, a, &down.weights, b)?;
        let mut effects = combine(&up.effects, a, &down.effects, b)?;
        let divisor = weights.iter().chain(&effects).fold(0, |d, e| gcd(d, e.1.unsigned_abs()));
        let divisor = i64::try_from(divisor).ok().filter(|&d| d > 0)?;
        weights.iter_mut().chain(&mut effects).for_each(|e| e.1 /= divisor);
        let constant = up.constant && down.constant;
        self.seen.insert(weights.clone()).then_some(Candidate { weights, effects, constant })
    }
}

fn effect(row: &Candidate, t: u32) -> i64 {
    row.effects.binary_search_by_key(&t, |e| e.0).map_or(0, |at| row.effects[at].1)
}

/// `a·x + b·y`, without zeros.
fn combine(x: &Sparse, a: i64, y: &Sparse, b: i64) -> Option<Sparse> {
    let mut out = Vec::with_capacity(x.len() + y.len());
    let (mut i, mut k) = (0, 0);
    while i < x.len() || k < y.len() {
        let (left, right) = (x.get(i).map_or(u32::MAX, |e| e.0), y.get(k).map_or(u32::MAX, |e| e.0));
        let at = left.min(right);
        let mut sum = 0_i64;
        if left == at {
            sum = x[i].1.checked_mul(a)?;
            i += 1;
        }
        if right == at {
            sum = sum.checked_add(y[k].1.checked_mul(b)?)?;
            k += 1;
        }
        if sum != 0 {
            out.push((at, sum));
        }
    }
    Some(out)
}
