//! A partition of `0..n` that is split by marking elements, in time proportional to the marked ones.

use std::collections::HashMap;
use std::hash::Hash;

/// The partition. The members of a class are contiguous, the marked ones first.
#[derive(Debug)]
pub(super) struct Refinable {
    elements: Vec<u32>,
    place: Vec<u32>,
    class: Vec<u32>,
    bounds: Vec<Bounds>,
    /// Classes with marked members.
    touched: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Bounds {
    start: u32,
    /// One past the last marked member.
    marked: u32,
    end: u32,
}

impl Refinable {
    /// One class for each key that occurs, numbered in the order of their first elements.
    pub(super) fn new<K: Eq + Hash>(n: usize, key: impl Fn(u32) -> K) -> Self {
        let mut names = HashMap::new();
        let mut class = Vec::with_capacity(n);
        for element in 0..n as u32 {
            let next = names.len() as u32;
            class.push(*names.entry(key(element)).or_insert(next));
        }
        let mut sizes = vec![0; names.len()];
        for &c in &class {
            sizes[c as usize] += 1;
        }
        let mut new = Self { elements: vec![0; n], place: vec![0; n], class, bounds: vec![], touched: vec![] };
        new.lay_out(&sizes);
        new
    }

    fn lay_out(&mut self, sizes: &[u32]) {
        let mut start = 0;
        for size in sizes {
            self.bounds.push(Bounds { start, marked: start, end: start });
            start += size;
        }
        for element in 0..self.elements.len() as u32 {
            let bounds = &mut self.bounds[self.class[element as usize] as usize];
            self.elements[bounds.end as usize] = element;
            self.place[element as usize] = bounds.end;
            bounds.end += 1;
        }
    }

    /// How many elements there are.
    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    /// How many classes there are.
    pub(super) fn count(&self) -> usize {
        self.bounds.len()
    }

    /// The class of an element.
    pub(super) fn class_of(&self, element: u32) -> u32 {
        self.class[element as usize]
    }

    /// The members of a class.
    pub(super) fn members(&self, class: u32) -> &[u32] {
        let Bounds { start, end, .. } = self.bounds[class as usize];
        &self.elements[start as usize..end as usize]
    }

    /// How many members a class has.
    pub(super) fn size(&self, class: u32) -> usize {
        self.members(class).len()
    }

    /// Marks an element; marking it again changes nothing.
    pub(super) fn mark(&mut self, element: u32) {
        let class = self.class_of(element);
        let bounds = &mut self.bounds[class as usize];
        let (at, to) = (self.place[element as usize], bounds.marked);
        if at < to {
            return;
        }
        if bounds.marked == bounds.start {
            self.touched.push(class);
        }
        bounds.marked += 1;
        let other = self.elements[to as usize];
        self.elements.swap(at as usize, to as usize);
        self.place[element as usize] = to;
        self.place[other as usize] = at;
    }

    /// Splits every class with marked and other members, takes all marks away, and reports each split as the old class
    /// and the new one, which is the smaller part.
    pub(super) fn split(&mut self, mut report: impl FnMut(u32, u32)) {
        for class in std::mem::take(&mut self.touched) {
            let Bounds { start, marked, end } = self.bounds[class as usize];
            self.bounds[class as usize].marked = start;
            if marked == end {
                continue;
            }
            let new = self.bounds.len() as u32;
            let (kept, cut) = if marked - start < end - marked {
                ((marked, end), (start, marked))
            } else {
                ((start, marked), (marked, end))
            };
            self.bounds[class as usize] = Bounds { start: kept.0, marked: kept.0, end: kept.1 };
            self.bounds.push(Bounds { start: cut.0, marked: cut.0, end: cut.1 });
            for at in cut.0..cut.1 {
                self.class[self.elements[at as usize] as usize] = new;
            }
            report(class, new);
        }
    }
}
