//! In which order the parts of a state are packed: what is used together stands together.
//!
//! Processes keep their order; an object stands where the processes that use it are on the mean. The halves of a packed
//! state then have few values each, because what depends on each other is mostly in the same half: this is what a store
//! lives on that keeps the halves apart.

use crate::system::{Process, Transition};
use crate::{Expr, ObjectId};

/// A part of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Where a process is, by its number.
    Process(usize),
    /// What an object holds, by its number.
    Object(usize),
}

/// The parts in the order in which they are packed.
pub(crate) fn order(processes: &[Process], objects: usize, transitions: &[Transition]) -> Vec<Part> {
    let mut sums = vec![(0u64, 0u64); objects];
    for t in transitions {
        let (count, total) = t.moves.iter().fold((0, 0), |(n, sum), m| (n + 1, sum + 2 * m.process.index() as u64));
        let mut add = |object: ObjectId| {
            let sum = &mut sums[object.index()];
            *sum = (sum.0 + count, sum.1 + total);
        };
        used(t, &mut add);
    }
    // Twice a process' number, so that there is room between two of them. What no process uses keeps its order, in
    // proportion.
    let place = |(i, &(count, total)): (usize, &(u64, u64))| match count {
        0 => 2.0 * i as f64 * processes.len() as f64 / objects as f64,
        _ => total as f64 / count as f64,
    };
    let places = sums.iter().enumerate().map(place);
    let mut parts: Vec<(f64, Part)> = (0..processes.len()).map(|i| (2.0 * i as f64, Part::Process(i))).collect();
    parts.extend(places.enumerate().map(|(i, place)| (place, Part::Object(i))));
    parts.sort_by(|a, b| a.0.total_cmp(&b.0));
    parts.into_iter().map(|(_, part)| part).collect()
}

/// Tells the objects that a transition may read or write, some of them more than once.
fn used(t: &Transition, each: &mut impl FnMut(ObjectId)) {
    let mut read = |e: &Expr| e.target().into_iter().flat_map(|target| target.objects()).for_each(&mut *each);
    t.guard.iter().for_each(|e| e.walk(&mut read));
    t.command.iter().flat_map(|c| c.expressions()).for_each(|e| e.walk(&mut read));
    let targets = t.command.iter().flat_map(|c| c.target().into_iter().chain(c.binds()));
    targets.flat_map(|target| target.objects()).for_each(each);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builder, Command, Domain, Edge, Kind};

    /// In a ring, each object stands between its neighbours, whatever the order of declaration; one that all use is in the
    /// middle.
    #[test]
    fn objects_stand_by_the_processes_that_use_them() {
        let mut b = Builder::new("line");
        let variable = || Kind::Variable(Domain::Bool);
        let shared = b.object("shared", variable());
        let between = [b.object("b", variable()), b.object("a", variable())];
        for i in 0..3usize {
            let p = b.process(format!("P{i}"));
            let (from, to) = (b.location(p, "from"), b.location(p, "to"));
            let neighbours = [(i > 0).then(|| between[2 - i]), between.get(1usize.wrapping_sub(i)).copied()];
            let set = |object: ObjectId| Command::Assign(object.into(), 1.into());
            let step = Edge::new(p, from, to).run(set(shared));
            b.edge(neighbours.into_iter().flatten().fold(step, |edge, object| edge.run(set(object))));
        }
        let system = b.build().expect("the model is right");
        let (p, o) = (Part::Process, Part::Object);
        // P0 and P1 share `a` (the last object), P1 and P2 `b`.
        assert_eq!(order(&system.processes, 3, &system.transitions), [p(0), o(2), p(1), o(0), o(1), p(2)]);
    }
}
