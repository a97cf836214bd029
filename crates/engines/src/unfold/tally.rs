//! Intersections of sets of events, or of histories, one after the other. Sets are rows of numbers in increasing order.

/// Who is in all sets so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The last level that each has reached. Levels only grow, so that those of earlier rounds do no harm.
    levels: Vec<u64>,
    level: u64,
    /// Whether everybody is still in.
    all: bool,
    /// The last round that each was left out of.
    out: Vec<u32>,
    round: u32,
}

impl Tally {
    /// Everybody is in, of so many.
    pub(super) fn begin(&mut self, count: usize) {
        self.levels.resize(count, 0);
        self.out.resize(count, 0);
        self.round += 1;
        self.all = true;
    }

    /// Leaves somebody out.
    pub(super) fn leave_out(&mut self, id: impl Into<usize>) {
        self.out[id.into()] = self.round;
    }

    /// Keeps those that are in one of two rows.
    pub(super) fn keep<I: Copy + Into<usize>>(&mut self, rows: [&[I]; 2]) {
        for &id in rows.into_iter().flatten() {
            let level = &mut self.levels[id.into()];
            if self.all || *level == self.level {
                *level = self.level + 1;
            }
        }
        (self.level, self.all) = (self.level + 1, false);
    }

    /// Those of two rows without common members that are still in, as one row.
    pub(super) fn kept<I: Copy + Ord + Into<usize>>(&self, [a, b]: [&[I]; 2]) -> Vec<I> {
        let is_in = |&id: &I| {
            let id: usize = id.into();
            (self.all || self.levels[id] == self.level) && self.out[id] != self.round
        };
        let mut a = a.iter().copied().filter(is_in).peekable();
        let mut b = b.iter().copied().filter(is_in).peekable();
        let mut out = Vec::new();
        while let Some(&first) = a.peek() {
            match b.next_if(|&second| second < first) {
                Some(second) => out.push(second),
                None => out.extend(a.next()),
            }
        }
        out.extend(b);
        out
    }

    pub(super) fn bytes(&self) -> u64 {
        12 * self.levels.len() as u64
    }
}
