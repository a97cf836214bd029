//! The joint states of pairs (Definition 5 of Antonino, Gibson-Robinson and Roscoe: rules with one or both of them, all
//! other participants ignored), once for each kind, and their quotient.
//!
//! Rows of bits are spread: what is new in the row of a state goes on by the moves of the other alone within the row,
//! by moves of its own alone as a whole, and by joint moves bit by bit. States with equal rows form a *class*, and so do
//! states with equal columns: "not both" is then said of classes, few as a rule, and not of states.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use evidence::{Budget, Reason};

use super::canonical::Form;
use super::kinds::{Classes, Kind};
use crate::bits::{Bits, has, ones, set};
use crate::tokens::rows::Rows;

/// Pairs with more joint states than this, in bits, are left out.
const LARGEST: u64 = 1 << 34;
/// The work, in words, between two looks at the budget.
const STRETCH: usize = 1 << 22;

/// What a kind of pair reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// By side and state of the form: its class.
    pub(super) class: [Vec<u32>; 2],
    /// How many classes each side has.
    pub(super) classes: [usize; 2],
    /// Which classes meet, by class of the first.
    pub(super) meets: Bits,
    /// The number of joint states.
    pub(super) states: u64,
}

impl Reach {
    /// Whether two states, by their numbers in the forms, are reached together.
    pub(super) fn has(&self, first: usize, second: usize) -> bool {
        self.meets.has(self.class[0][first] as usize, self.class[1][second] as usize)
    }

    /// By class of a side, whether it meets any of the other.
    pub(super) fn is_reached(&self, side: usize) -> Vec<bool> {
        let (first, second) = (0..self.classes[0], 0..self.classes[1]);
        match side {
            0 => first.map(|a| self.meets.row(a).iter().any(|&w| w != 0)).collect(),
            _ => second.map(|b| (0..self.classes[0]).any(|a| self.meets.has(a, b))).collect(),
        }
    }
}

/// What each kind reaches; nothing for those that are too large.
pub(super) fn reach_all(
    kinds: &[Kind],
    classes: &Classes,
    threads: usize,
    budget: &Budget,
) -> Result<Vec<Option<Reach>>, Reason> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(vec![None; kinds.len()]));
    let threads = threads.clamp(1, kinds.len().max(1));
    let budget = budget.memory_share(threads);
    let work = || -> Result<(), Reason> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(kind) = kinds.get(number) else { return Ok(()) };
            let reach = reach(kind, classes, &budget)?;
            found.lock().unwrap_or_else(PoisonError::into_inner)[number] = reach;
        }
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mine = work();
        others.into_iter().map(|t| t.join().expect("reachability does not panic")).fold(mine, Result::and)
    })?;
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// What a kind reaches; nothing if it is too large.
pub(super) fn reach(kind: &Kind, classes: &Classes, budget: &Budget) -> Result<Option<Reach>, Reason> {
    let forms = kind.classes.map(|class| &classes.forms[class]);
    // The longer side has the rows: many short ones.
    let turned = forms[0].len() < forms[1].len();
    let [tall, wide] = if turned { [forms[1], forms[0]] } else { forms };
    let bytes = 2 * Bits::bytes(tall.len(), wide.len());
    if 8 * bytes > LARGEST || budget.check_memory(bytes).is_err() {
        return Ok(None);
    }
    let reached = Spread::new(kind, turned, tall, wide).run(budget)?;
    let (rows, distinct) = classes_of_rows(&reached, tall.len());
    let (columns, count) = classes_of_columns(&reached, &distinct, wide.len());
    let mut reach = Reach {
        class: [rows, columns],
        classes: [distinct.len(), count],
        meets: Bits::new(distinct.len(), count),
        states: reached.count(),
    };
    for (class, &row) in distinct.iter().enumerate() {
        ones(reached.row(row)).for_each(|b| reach.meets.set(class, reach.class[1][b] as usize));
    }
    Ok(Some(if turned { reach.turned() } else { reach }))
}

impl Reach {
    fn turned(self) -> Self {
        let ([a, b], [first, second]) = (self.classes, self.class);
        let mut meets = Bits::new(b, a);
        (0..a).for_each(|i| ones(self.meets.row(i)).for_each(|k| meets.set(k, i)));
        Self { class: [second, first], classes: [b, a], meets, states: self.states }
    }
}

/// The class of each row, and a row of each class.
fn classes_of_rows(bits: &Bits, rows: usize) -> (Vec<u32>, Vec<usize>) {
    let (mut known, mut distinct) = (HashMap::new(), Vec::new());
    let class = (0..rows).map(|row| {
        *known.entry(bits.row(row)).or_insert_with(|| {
            distinct.push(row);
            distinct.len() as u32 - 1
        })
    });
    (class.collect(), distinct)
}

/// The class of each column, and their number: one row after the other tells columns apart.
fn classes_of_columns(bits: &Bits, distinct: &[usize], columns: usize) -> (Vec<u32>, usize) {
    let (mut class, mut count) = (vec![0_u32; columns], usize::from(columns > 0));
    for &row in distinct {
        let row = bits.row(row);
        let mut names: HashMap<(u32, bool), u32> = HashMap::new();
        for (column, class) in class.iter_mut().enumerate() {
            let fresh = names.len() as u32;
            *class = *names.entry((*class, has(row, column))).or_insert(fresh);
        }
        count = names.len();
    }
    (class, count)
}

/// A search for all joint states.
struct Spread<'a> {
    wide: &'a Form,
    /// By state of either side: where it gets without the other, other than to itself.
    solo: [Rows<u32>; 2],
    /// By state of the tall side: the number of the other's event, and the target.
    joint: Rows<(u32, u32)>,
    /// The events of the wide side that are done together, and where they are offered.
    events: Vec<(u32, Vec<u64>)>,
    rows: Bits,
    /// What is in the rows and has not gone on.
    fresh: Bits,
    queued: Vec<bool>,
    stack: Vec<usize>,
}

impl<'a> Spread<'a> {
    fn new(kind: &Kind, turned: bool, tall: &Form, wide: &'a Form) -> Self {
        let sides = if turned { [1, 0] } else { [0, 1] };
        let solo = [solo(tall, &kind.bound[sides[0]]), solo(wide, &kind.bound[sides[1]])];
        let mut partners: HashMap<u32, Vec<u32>> = HashMap::new();
        let (mut numbers, mut events) = (HashMap::new(), Vec::new());
        for &(d, e, _) in &kind.joint {
            let (of_tall, of_wide) = if turned { (e, d) } else { (d, e) };
            let number = *numbers.entry(of_wide).or_insert_with(|| {
                events.push((of_wide, offers(wide, of_wide)));
                events.len() as u32 - 1
            });
            partners.entry(of_tall).or_default().push(number);
        }
        let joint = Rows::new((0..tall.len()).map(|a| {
            let both = |&(event, to): &(u32, u32)| partners.get(&event).into_iter().flatten().map(move |&n| (n, to));
            tall.moves(a).iter().flat_map(both).collect::<Vec<_>>()
        }));
        let (mut rows, mut fresh) = (Bits::new(tall.len(), wide.len()), Bits::new(tall.len(), wide.len()));
        rows.set(0, 0);
        fresh.set(0, 0);
        let mut queued = vec![false; tall.len()];
        queued[0] = true;
        Self { wide, solo, joint, events, rows, fresh, queued, stack: vec![0] }
    }

    fn run(mut self, budget: &Budget) -> Result<Bits, Reason> {
        let mut work = 0;
        while let Some(a) = self.stack.pop() {
            self.queued[a] = false;
            work += self.rows.width() * (1 + self.solo[0].row(a).len() + self.joint.row(a).len());
            if work > STRETCH {
                budget.check(0)?;
                work = 0;
            }
            let fresh = self.within(a);
            self.along(a, &fresh);
            self.together(a, &fresh);
        }
        Ok(self.rows)
    }

    /// What is new in a row, with what the other reaches from there alone.
    fn within(&mut self, a: usize) -> Vec<u64> {
        let mut fresh = self.fresh.row(a).to_vec();
        self.fresh.row_mut(a).fill(0);
        let mut stack: Vec<usize> = ones(&fresh).collect();
        while let Some(b) = stack.pop() {
            for &to in self.solo[1].row(b) {
                if !self.rows.has(a, to as usize) {
                    self.rows.set(a, to as usize);
                    set(&mut fresh, to as usize);
                    stack.push(to as usize);
                }
            }
        }
        fresh
    }

    /// Moves of the tall side alone.
    fn along(&mut self, a: usize, fresh: &[u64]) {
        for at in self.solo[0].range(a) {
            let to = *self.solo[0].at(at) as usize;
            let mut some = 0;
            let rows = self.rows.row_mut(to).iter_mut().zip(self.fresh.row_mut(to));
            for ((row, waiting), &word) in rows.zip(fresh) {
                let more = word & !*row;
                *row |= more;
                *waiting |= more;
                some |= more;
            }
            if some != 0 {
                self.queue(to);
            }
        }
    }

    /// Moves of both.
    fn together(&mut self, a: usize, fresh: &[u64]) {
        for at in self.joint.range(a) {
            let (event, to) = *self.joint.at(at);
            let to = to as usize;
            let (event, offers) = &self.events[event as usize];
            let offered: Vec<u64> = fresh.iter().zip(offers).map(|(x, y)| x & y).collect();
            let mut some = false;
            for m in ones(&offered).flat_map(|b| self.wide.moves_with(b, *event)) {
                if !self.rows.has(to, m.1 as usize) {
                    self.rows.set(to, m.1 as usize);
                    self.fresh.set(to, m.1 as usize);
                    some = true;
                }
            }
            if some {
                self.queue(to);
            }
        }
    }

    fn queue(&mut self, a: usize) {
        if !std::mem::replace(&mut self.queued[a], true) {
            self.stack.push(a);
        }
    }
}

/// By state, where a side gets with events that do not need the other.
fn solo(form: &Form, bound: &[u32]) -> Rows<u32> {
    Rows::new((0..form.len()).map(|s| {
        let free = form.moves(s).iter().filter(|m| m.1 as usize != s && bound.binary_search(&m.0).is_err());
        let mut to: Vec<u32> = free.map(|m| m.1).collect();
        to.sort_unstable();
        to.dedup();
        to
    }))
}

/// The states that offer an event, as bits.
fn offers(form: &Form, event: u32) -> Vec<u64> {
    let mut row = Bits::new(1, form.len());
    (0..form.len()).filter(|&s| !form.moves_with(s, event).is_empty()).for_each(|s| row.set(0, s));
    row.row(0).to_vec()
}
