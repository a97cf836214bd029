//! The search: cubes from which the goal is reached are excluded, level by level, until a level excludes no more than
//! the one before, or a cube contains the initial marking.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use model::nets::Predicate;
use model::views::{NetTransitionId, PlaceId};
use solve::sat::Literal;

use super::Clause;
use super::constraint::{Constraint, Cube, Sums};
use super::frames::{Frames, Reply};
use super::target::{Guarded, Target};
use crate::net::structural::Flows;

/// Attempts to leave out a constraint of a cube that fail, before no more is tried.
const FAILURES: usize = 4;
/// Attempts in all, for one cube.
const ATTEMPTS: usize = 40;

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The negations of the cubes are an inductive invariant, with what the lemmas say, and exclude the goal.
    Never(Vec<Cube>),
    Reached(Vec<NetTransitionId>),
}

/// Somebody stopped it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// A cube from which the goal is reached.
#[derive(Debug)]
struct Obligation {
    cube: Cube,
    /// The step that leads to the cube of another obligation.
    then: Option<(NetTransitionId, usize)>,
}

/// What is known.
pub(super) struct Search<'a, 's> {
    pub(super) sums: Sums<'a>,
    pub(super) frames: Frames,
    pub(super) target: Target,
    counts: HashMap<Constraint, usize>,
    /// The literal that makes the goal's clauses hold, and the solver that it belongs to.
    guard: Option<(Literal, usize)>,
    stop: &'s mut dyn FnMut(u64) -> bool,
    top: usize,
}

/// The constraints because of which none of some steps leads into a cube, by position; `None` if one does.
type Reasons = Option<Vec<usize>>;

/// Which of the constraints of a cube are enough, or a step into the cube from outside.
type Support = Result<Cube, NetTransitionId>;

impl<'a, 's> Search<'a, 's> {
    /// `None` if a number is out of range.
    pub(super) fn new(
        mut sums: Sums<'a>,
        flows: Flows,
        goal: &Predicate,
        stop: &'s mut dyn FnMut(u64) -> bool,
    ) -> Option<Self> {
        let target = Target::new(&mut sums, goal)?;
        let mut counts = HashMap::new();
        target.occurrences(&mut counts);
        Some(Self { sums, frames: Frames::new(flows), target, counts, guard: None, stop, top: 0 })
    }

    /// Begins the first level with what others say, as far as it holds in the beginning and after every first step.
    pub(super) fn listen(&mut self, said: &[Clause]) -> Result<(), Stopped> {
        for clause in said {
            let marked = |&(p, marked): &(PlaceId, bool)| {
                let constraint = Sums::tokens(p, 1);
                if marked { constraint.negated() } else { constraint }
            };
            let cube = Cube::new(clause.iter().map(marked).collect());
            if !self.sums.starts_in(&cube) && self.support(&cube, 1)?.is_ok() {
                self.frames.exclude(&self.sums, cube, 1);
            }
        }
        Ok(())
    }

    /// Searches until it is decided. The goal does not hold in the beginning.
    pub(super) fn run(&mut self) -> Result<Outcome, Stopped> {
        loop {
            self.top += 1;
            while let Some(cube) = self.bad()? {
                if let Some(run) = self.block(cube)? {
                    return Ok(Outcome::Reached(run));
                }
            }
            if let Some(invariant) = self.push()? {
                return Ok(Outcome::Never(invariant));
            }
        }
    }

    /// A part of the goal that may be reached within as many steps as there are levels.
    fn bad(&mut self) -> Result<Option<Cube>, Stopped> {
        let guard = match self.guard {
            Some((guard, generation)) if generation == self.frames.generation() => guard,
            _ => {
                let guard = self.frames.cnf().fresh();
                let mut writer = Guarded { frames: &mut self.frames, sums: &self.sums, guard };
                self.target.require(&mut writer);
                self.guard = Some((guard, self.frames.generation()));
                guard
            }
        };
        match self.frames.ask(&self.sums, self.top, &[], &[guard], self.stop) {
            Reply::Stopped => Err(Stopped),
            Reply::Impossible(_) => Ok(None),
            Reply::Possible => {
                let (frames, sums) = (&mut self.frames, &self.sums);
                Ok(Some(self.target.cube(&self.counts, &mut |c| frames.holds(sums, c))))
            }
        }
    }

    /// Excludes a cube up to the highest level, and before it whatever leads there; or finds a run into it.
    fn block(&mut self, cube: Cube) -> Result<Option<Vec<NetTransitionId>>, Stopped> {
        let mut obligations = vec![Obligation { cube, then: None }];
        // Of the lowest level, the latest first.
        let mut open = BinaryHeap::from([Reverse((self.top, Reverse(0_usize)))]);
        while let Some(Reverse((level, Reverse(number)))) = open.pop() {
            let cube = &obligations[number].cube;
            if let Some(known) = self.frames.level_of(cube, level) {
                if known < self.top {
                    open.push(Reverse((known + 1, Reverse(number))));
                }
                continue;
            }
            let cube = cube.clone();
            match self.support(&cube, level)? {
                Ok(part) => {
                    let part = self.smaller(part, level)?;
                    let (part, reached) = self.higher(part, level)?;
                    self.frames.exclude(&self.sums, part, reached);
                    if reached < self.top {
                        open.push(Reverse((reached + 1, Reverse(number))));
                    }
                }
                Err(t) => {
                    let before = self.sums.preimage(&cube, t);
                    let starts = self.sums.starts_in(&before);
                    obligations.push(Obligation { cube: before, then: Some((t, number)) });
                    if starts {
                        return Ok(Some(run(&obligations, obligations.len() - 1)));
                    }
                    open.push(Reverse((level - 1, Reverse(obligations.len() - 1))));
                    open.push(Reverse((level, Reverse(number))));
                }
            }
        }
        Ok(None)
    }

    /// Constraints of a cube that the initial marking does not satisfy together, and that no step makes true together
    /// from a marking that is reached in fewer steps than the level and does not satisfy them together.
    ///
    /// If a step leads from outside a cube into it, it makes one of its constraints true. For each constraint, and each
    /// transition that can make it true, the solver says because of which other constraints it leads nowhere. A
    /// set of constraints with which all of these belong to it is what is searched for.
    fn support(&mut self, cube: &Cube, level: usize) -> Result<Support, Stopped> {
        let all = cube.constraints();
        let mut reasons: Vec<Option<Reasons>> = vec![None; all.len()];
        let mut step = None;
        let seeds: Vec<usize> = (0..all.len()).filter(|&i| !self.sums.initially(all[i])).collect();
        'seeds: for seed in seeds {
            let mut inside = vec![false; all.len()];
            inside[seed] = true;
            let mut waiting = vec![seed];
            while let Some(i) = waiting.pop() {
                let known = match &reasons[i] {
                    Some(known) => known,
                    None => reasons[i].insert(self.reasons(cube, i, level, &mut step)?),
                };
                let Some(needed) = known else { continue 'seeds };
                for &other in needed {
                    if !std::mem::replace(&mut inside[other], true) {
                        waiting.push(other);
                    }
                }
            }
            let kept = all.iter().zip(inside).filter(|(_, inside)| *inside).map(|(c, _)| *c);
            return Ok(Ok(Cube::new(kept.collect())));
        }
        Ok(Err(step.expect("a cube without the initial marking has a constraint that it does not satisfy")))
    }

    /// The other constraints because of which no transition leads into a cube by making one of its constraints true;
    /// `None` if one does.
    fn reasons(
        &mut self,
        cube: &Cube,
        made: usize,
        level: usize,
        step: &mut Option<NetTransitionId>,
    ) -> Result<Reasons, Stopped> {
        let helpers: Vec<NetTransitionId> = self.sums.helpers(cube.constraints()[made]).collect();
        let mut all = Vec::new();
        for t in helpers {
            match self.leads_into(cube, made, t, level - 1)? {
                Some(reasons) => all.extend(reasons),
                None => {
                    step.get_or_insert(t);
                    return Ok(None);
                }
            }
        }
        Ok(Some(all))
    }

    /// The constraints of a cube because of which a transition does not lead into it from a marking that is reached
    /// within so many steps, by making one of its constraints true; `None` if it does.
    fn leads_into(&mut self, cube: &Cube, made: usize, t: NetTransitionId, level: usize) -> Result<Reasons, Stopped> {
        let all = cube.constraints();
        let before = |sums: &Sums<'_>, i: usize| sums.before(all[i], t);
        if level == 0 {
            if !self.sums.starts_with(t) || self.sums.initially(all[made]) {
                return Ok(Some(Vec::new()));
            }
            let missing = (0..all.len()).find(|&i| !self.sums.initially(before(&self.sums, i)));
            return Ok(missing.map(|i| vec![i]));
        }
        let mut asked: Vec<Constraint> = self.sums.needs(t).collect();
        asked.push(all[made].negated());
        let own = asked.len();
        let mut numbers = Vec::with_capacity(all.len());
        for i in 0..all.len() {
            let constraint = before(&self.sums, i);
            match self.sums.constant(constraint) {
                Some(true) => {}
                Some(false) => return Ok(Some(vec![i])),
                None => {
                    asked.push(constraint);
                    numbers.push(i);
                }
            }
        }
        match self.frames.ask(&self.sums, level, &asked, &[], self.stop) {
            Reply::Stopped => Err(Stopped),
            Reply::Possible => Ok(None),
            Reply::Impossible(core) => {
                Ok(Some(core.into_iter().filter(|&i| i >= own).map(|i| numbers[i - own]).collect()))
            }
        }
    }

    /// A larger cube that can be excluded as well, with fewer constraints.
    fn smaller(&mut self, mut cube: Cube, level: usize) -> Result<Cube, Stopped> {
        let (mut failures, mut attempts, mut next) = (0, 0, 0);
        while next < cube.constraints().len() && failures < FAILURES && attempts < ATTEMPTS {
            attempts += 1;
            let mut constraints = cube.constraints().to_vec();
            constraints.remove(next);
            let attempt = Cube::new(constraints);
            if self.sums.starts_in(&attempt) {
                next += 1;
                continue;
            }
            match self.support(&attempt, level)? {
                Ok(smaller) => {
                    next = next.min(smaller.constraints().len());
                    cube = smaller;
                }
                Err(_) => {
                    failures += 1;
                    next += 1;
                }
            }
        }
        Ok(cube)
    }

    /// The highest level up to which a cube, or a larger one, can be excluded.
    fn higher(&mut self, mut cube: Cube, mut level: usize) -> Result<(Cube, usize), Stopped> {
        while level < self.top {
            match self.support(&cube, level + 1)? {
                Ok(part) => (cube, level) = (part, level + 1),
                Err(_) => break,
            }
        }
        Ok((cube, level))
    }

    /// Lifts what is excluded to the next levels; the cubes that are excluded for ever, if there is a level that excludes
    /// no more than the next one.
    fn push(&mut self) -> Result<Option<Vec<Cube>>, Stopped> {
        for level in 1..=self.top {
            for cube in self.frames.excluded(level).to_vec() {
                if let Ok(part) = self.support(&cube, level + 1)? {
                    self.frames.exclude(&self.sums, part, level + 1);
                }
            }
            if self.frames.excluded(level).is_empty() {
                return Ok(Some(self.frames.excluded_from(level)));
            }
        }
        Ok(None)
    }
}

/// The steps from an obligation to the goal.
fn run(obligations: &[Obligation], first: usize) -> Vec<NetTransitionId> {
    std::iter::successors(obligations[first].then, |&(_, next)| obligations[next].then).map(|(t, _)| t).collect()
}
