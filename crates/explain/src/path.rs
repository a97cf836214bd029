//! The states of a run for who looks back along it: of a long run only some are kept, and the others are found by firing
//! again.

use std::ops::Range;

use check::Walk;
use model::TransitionId;

/// States between two that are kept are at least this many: a short run is cheaper to walk than to store.
const STRIDE: usize = 256;
/// About as many states are kept of a run that is longer, however long it is.
const KEPT: usize = 1024;
/// Fewer if they would take more words than this.
const KEPT_WORDS: usize = 1 << 23;

/// A run and some of its states.
#[derive(Debug)]
pub(crate) struct Path<'a> {
    walk: &'a Walk<'a>,
    stride: usize,
    /// The states whose number is a multiple of the stride.
    kept: Vec<Vec<u64>>,
}

impl<'a> Path<'a> {
    pub(crate) fn new(walk: &'a Walk<'a>) -> Self {
        let kept = (KEPT_WORDS / walk.last().len().max(1)).clamp(1, KEPT);
        let stride = STRIDE.max(walk.fired().div_ceil(kept));
        Self { walk, stride, kept: walk.states().step_by(stride).collect() }
    }

    /// The number of the last state that a step of interest leaves and for which the test is true. States that are
    /// left by other steps are not tested, and stretches without a step of interest are not walked.
    pub(crate) fn last_left(
        &self,
        of_interest: impl Fn(TransitionId) -> bool,
        mut test: impl FnMut(&[u64]) -> bool,
    ) -> Option<usize> {
        let (system, run) = (self.walk.system(), self.walk.trace());
        let chosen = |i: &usize| of_interest(run.step(*i));
        let mut state = Vec::new();
        self.stretches().rev().find_map(|stretch| {
            let end = stretch.clone().rfind(chosen)?;
            state.clone_from(&self.kept[stretch.start / self.stride]);
            let mut found = None;
            for i in stretch.start..=end {
                if chosen(&i) && test(&state) {
                    found = Some(i);
                }
                system.fire_in_place(run.step(i), &mut state).expect("it fired when the trace was replayed");
            }
            found
        })
    }

    /// The steps that fired, cut at the states that are kept.
    fn stretches(&self) -> impl DoubleEndedIterator<Item = Range<usize>> {
        let cut = |i: usize| (i * self.stride).min(self.walk.fired());
        (0..self.kept.len()).map(move |i| cut(i)..cut(i + 1))
    }
}

#[cfg(test)]
mod tests {
    use check::replay;
    use evidence::Trace;
    use model::{Binary, Builder, Command, Domain, Edge, Expr, Kind, Property, System};

    use super::*;

    /// A counter that goes round, and the run that takes this many steps and then finds it at its end.
    fn round(steps: usize) -> (System, Property, Vec<TransitionId>) {
        let mut b = Builder::new("round");
        let x = b.object("x", Kind::Variable(Domain::Range { lo: 0, hi: 6 }));
        let p = b.process("P");
        let here = b.location(p, "here");
        let next = Expr::read(x).op(Binary::Add, 1).op(Binary::Rem, 7);
        b.edge(Edge::new(p, here, here).run(Command::Assign(x.into(), next)));
        b.edge(Edge::new(p, here, here));
        let run = (0..steps).map(|i| TransitionId::new(usize::from(i % 1000 > 100))).collect::<Vec<_>>();
        let ups = run.iter().filter(|t| t.index() == 0).count() as i64;
        (b.build().expect("a model"), Property::Reachable(Expr::read(x).is(ups % 7)), run)
    }

    #[test]
    fn the_states_of_a_long_run_are_found_again() {
        for steps in [0, 255, 256, 257, 3000, 300_001] {
            let (system, property, run) = round(steps);
            let checked = replay(&system, &property, &Trace::finite(run.clone())).expect("it counts");
            let states: Vec<Vec<u64>> = checked.states().collect();
            let path = Path::new(&checked);
            for wanted in [&states[0], &states[steps / 3], &vec![u64::MAX; system.words()]] {
                for interest in 0..2 {
                    let expected = (0..steps).rfind(|i| run[*i].index() == interest && states[*i] == *wanted);
                    assert_eq!(path.last_left(|t| t.index() == interest, |s| s == wanted), expected, "{steps}");
                }
            }
        }
    }
}
