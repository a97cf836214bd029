//! What is known of the markings that are reached within so many steps, as clauses for a solver.
//!
//! A clause is the negation of a cube. Clauses of a level hold of all markings that are reached within so many steps;
//! so clauses of higher levels hold at lower ones, and lemmas hold everywhere. Lemmas are found when a solution breaks
//! them: a place invariant, or that a sum is the sum of its places.

use std::collections::{BTreeMap, BTreeSet};

use model::views::PlaceId;
use solve::sat::{Answer, Literal};

use super::constraint::{Constraint, Cube, SumId, Sums};
use crate::net::cnf::Cnf;
use crate::net::structural::{Flow, Flows};

/// The solver is made anew when so many clauses, and most, are of no use any more.
const USELESS: usize = 5_000;

/// Why constraints cannot hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The place invariant with this number is exceeded.
    Exceeded(usize),
    /// The place invariant with this number is not attained.
    Missed(usize),
    /// The sum is not the sum of its places.
    Sum(SumId),
}

/// A clause that holds of every reachable marking: the negation of the cube.
#[derive(Clone, Debug)]
pub(super) struct Lemma {
    pub(super) excluded: Cube,
    pub(super) reason: Reason,
}

/// The answer to a question.
pub(super) enum Reply {
    /// There are such markings, as far as is known.
    Possible,
    /// There are none: of the constraints that were asked, by position, these suffice.
    Impossible(Vec<usize>),
    /// Somebody stopped it.
    Stopped,
}

/// Clauses by level.
#[derive(Debug)]
pub(super) struct Frames {
    flows: Flows,
    cnf: Cnf,
    /// By sum and number, the literal of "the sum is at least the number".
    atoms: Vec<BTreeMap<i64, Literal>>,
    /// By level, the literal that makes its clauses hold.
    levels: Vec<Literal>,
    /// By level, the cubes that are excluded up to there and no further.
    excluded: Vec<Vec<Cube>>,
    lemmas: Vec<Lemma>,
    /// Clauses in the solver that stronger ones replace.
    useless: usize,
    /// Atoms that lemmas may say something about.
    fresh: Vec<Constraint>,
    /// How often the solver was made anew.
    generation: usize,
}

impl Frames {
    pub(super) fn new(flows: Flows) -> Self {
        Self {
            flows,
            cnf: Cnf::new(),
            atoms: Vec::new(),
            levels: Vec::new(),
            excluded: Vec::new(),
            lemmas: Vec::new(),
            useless: 0,
            fresh: Vec::new(),
            generation: 0,
        }
    }

    /// How often the solver was made anew: its literals are of no use afterwards.
    pub(super) fn generation(&self) -> usize {
        self.generation
    }

    /// The highest level, not below one, up to which a cube is excluded by what excludes a larger one.
    pub(super) fn level_of(&self, cube: &Cube, level: usize) -> Option<usize> {
        let known = |cubes: &Vec<Cube>| cubes.iter().any(|known| known.contains(cube));
        self.excluded.iter().skip(level).rposition(known).map(|above| level + above)
    }

    /// The cubes that are excluded beyond a level.
    pub(super) fn excluded_from(&self, level: usize) -> Vec<Cube> {
        self.excluded.iter().skip(level + 1).flatten().cloned().collect()
    }

    pub(super) fn flow(&self, number: usize) -> &Flow {
        &self.flows.all()[number]
    }

    pub(super) fn lemmas(&self) -> &[Lemma] {
        &self.lemmas
    }

    pub(super) fn cnf(&mut self) -> &mut Cnf {
        &mut self.cnf
    }

    /// The cubes that are excluded up to a level and no further.
    pub(super) fn excluded(&self, level: usize) -> &[Cube] {
        self.excluded.get(level).map_or(&[], Vec::as_slice)
    }

    /// The literal of a constraint.
    pub(super) fn literal(&mut self, sums: &Sums<'_>, constraint: Constraint) -> Literal {
        if let Some(value) = sums.constant(constraint) {
            return self.cnf.constant(value);
        }
        let Constraint { sum, reaches, number } = constraint;
        let at = sum.0 as usize;
        if self.atoms.len() <= at {
            self.atoms.resize(at + 1, BTreeMap::new());
        }
        let known = self.atoms[at].get(&number).copied();
        let literal = known.unwrap_or_else(|| self.atom(sums, sum, number));
        if reaches { literal } else { !literal }
    }

    fn atom(&mut self, sums: &Sums<'_>, sum: SumId, number: i64) -> Literal {
        let literal = self.cnf.fresh();
        let known = &mut self.atoms[sum.0 as usize];
        let less = known.range(..number).next_back().map(|e| *e.1);
        let more = known.range(number..).next().map(|e| *e.1);
        known.insert(number, literal);
        if let Some(less) = less {
            self.cnf.clause(&[!literal, less]);
        }
        if let Some(more) = more {
            self.cnf.clause(&[!more, literal]);
        }
        if let [(p, 1)] = *sums.terms(sum)
            && self.flows.bound(p).is_some_and(|most| number > i64::try_from(most).unwrap_or(i64::MAX))
        {
            self.fresh.push(Constraint { sum, reaches: true, number });
        }
        literal
    }

    /// Excludes a cube up to a level.
    pub(super) fn exclude(&mut self, sums: &Sums<'_>, cube: Cube, level: usize) {
        for known in self.excluded.iter_mut().take(level + 1) {
            let before = known.len();
            known.retain(|old| !cube.contains(old));
            self.useless += before - known.len();
        }
        self.attach(sums, &cube, level);
        if self.excluded.len() <= level {
            self.excluded.resize(level + 1, Vec::new());
        }
        self.excluded[level].push(cube);
        if self.useless > USELESS && self.useless > self.excluded.iter().map(Vec::len).sum() {
            self.renew(sums);
        }
    }

    fn attach(&mut self, sums: &Sums<'_>, cube: &Cube, level: usize) {
        while self.levels.len() <= level {
            let literal = self.cnf.fresh();
            self.levels.push(literal);
        }
        let mut clause = self.negation(sums, cube);
        clause.push(!self.levels[level]);
        self.cnf.clause(&clause);
    }

    /// Starts a new solver with the clauses that are of use.
    fn renew(&mut self, sums: &Sums<'_>) {
        self.cnf = Cnf::new();
        self.atoms.clear();
        self.levels.clear();
        self.fresh.clear();
        self.useless = 0;
        self.generation += 1;
        for lemma in std::mem::take(&mut self.lemmas) {
            let clause = self.negation(sums, &lemma.excluded);
            self.cnf.clause(&clause);
            self.lemmas.push(lemma);
        }
        let excluded = std::mem::take(&mut self.excluded);
        for (level, cubes) in excluded.iter().enumerate() {
            cubes.iter().for_each(|cube| self.attach(sums, cube, level));
        }
        self.excluded = excluded;
    }

    fn negation(&mut self, sums: &Sums<'_>, cube: &Cube) -> Vec<Literal> {
        cube.constraints().iter().map(|&c| !self.literal(sums, c)).collect()
    }

    /// Whether a marking that satisfies the constraints, and more that the solver knows of, may be reached within so
    /// many steps.
    pub(super) fn ask(
        &mut self,
        sums: &Sums<'_>,
        level: usize,
        asked: &[Constraint],
        more: &[Literal],
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Reply {
        loop {
            let literals: Vec<Literal> = asked.iter().map(|&c| self.literal(sums, c)).collect();
            for constraint in std::mem::take(&mut self.fresh) {
                self.beyond(sums, constraint);
            }
            let levels = self.levels.iter().skip(level).chain(more).copied();
            let assumed: Vec<Literal> = levels.chain(literals.iter().copied()).collect();
            match self.cnf.solve(&assumed, stop) {
                Answer::Unknown => return Reply::Stopped,
                Answer::Impossible => {
                    let core = self.cnf.core();
                    let used = |i: &usize| core.contains(&literals[*i]);
                    return Reply::Impossible((0..asked.len()).filter(used).collect());
                }
                Answer::Model => {}
            }
            let broken = self.broken(sums);
            if broken.is_empty() {
                return Reply::Possible;
            }
            broken.into_iter().for_each(|lemma| self.learn(sums, lemma));
        }
    }

    fn learn(&mut self, sums: &Sums<'_>, lemma: Lemma) {
        let clause = self.negation(sums, &lemma.excluded);
        self.cnf.clause(&clause);
        self.lemmas.push(lemma);
    }

    /// No place has more tokens than an invariant allows.
    fn beyond(&mut self, sums: &Sums<'_>, constraint: Constraint) {
        let p = PlaceId::new(constraint.sum.0 as usize);
        let exceeded = |&number: &u32| {
            let flow = &self.flows.all()[number as usize];
            let weight = flow.weights.iter().find(|e| e.0 == p).map_or(0, |e| e.1);
            weight.saturating_mul(constraint.number) > flow.total
        };
        if let Some(number) = self.flows.numbers(p).iter().copied().find(exceeded) {
            let excluded = Cube::new(vec![constraint]);
            self.learn(sums, Lemma { excluded, reason: Reason::Exceeded(number as usize) });
        }
    }

    /// Lemmas that the solver's solution breaks: a few, if there are any.
    fn broken(&self, sums: &Sums<'_>) -> Vec<Lemma> {
        let range = |sum: SumId| self.range(sum);
        let mut asked: BTreeSet<u32> = BTreeSet::new();
        for p in 0..sums.net.places().len().min(self.atoms.len()) {
            if !self.atoms[p].is_empty() {
                asked.extend(self.flows.numbers(PlaceId::new(p)));
            }
        }
        let of_flows = asked.into_iter().filter_map(|number| {
            let flow = self.flow(number as usize);
            exceeded(&flow.weights, flow.total, &range)
                .map(|excluded| Lemma { excluded, reason: Reason::Exceeded(number as usize) })
                .or_else(|| {
                    let missed = flow.constant.then(|| missed(&flow.weights, flow.total, &range))??;
                    Some(Lemma { excluded: missed, reason: Reason::Missed(number as usize) })
                })
        });
        let of_sums = sums.composed().filter_map(|sum| {
            let (least, most) = range(sum);
            let terms = sums.terms(sum);
            let too_low = least.and_then(|least| {
                let with = |mut cube: Vec<Constraint>| {
                    cube.push(Constraint { sum, reaches: true, number: least });
                    Cube::new(cube)
                };
                below(terms, least, &range).map(with)
            });
            let too_high = || {
                let most = most?;
                let flipped: Vec<(PlaceId, i64)> = terms.iter().map(|&(p, weight)| (p, -weight)).collect();
                let mut cube = below(&flipped, -most, &range)?;
                cube.push(Constraint { sum, reaches: false, number: most + 1 });
                Some(Cube::new(cube))
            };
            too_low.or_else(too_high).map(|excluded| Lemma { excluded, reason: Reason::Sum(sum) })
        });
        of_flows.chain(of_sums).take(FEW).collect()
    }

    /// The least and the greatest value of a sum in the solver's solution, as far as it tells.
    fn range(&self, sum: SumId) -> (Option<i64>, Option<i64>) {
        let Some(known) = self.atoms.get(sum.0 as usize) else { return (None, None) };
        let least = known.iter().rev().find(|e| self.cnf.holds(*e.1)).map(|e| *e.0);
        let most = known.iter().find(|e| !self.cnf.holds(*e.1)).map(|e| *e.0 - 1);
        (least, most)
    }

    /// Whether a constraint holds in the solver's solution.
    pub(super) fn holds(&mut self, sums: &Sums<'_>, constraint: Constraint) -> bool {
        let literal = self.literal(sums, constraint);
        self.cnf.holds(literal)
    }
}

/// So many lemmas are learned at once.
const FEW: usize = 20;

type Range<'a> = &'a dyn Fn(SumId) -> (Option<i64>, Option<i64>);

fn place(p: PlaceId) -> SumId {
    SumId(p.index() as u32)
}

/// Least numbers of tokens that exceed a total together, of few places; weights are positive.
fn exceeded(weights: &[(PlaceId, i64)], total: i64, range: Range<'_>) -> Option<Cube> {
    let share = |&(p, weight): &(PlaceId, i64)| {
        let least = range(place(p)).0.filter(|&least| least > 0)?;
        Some((i128::from(weight) * i128::from(least), p, least))
    };
    let mut shares: Vec<(i128, PlaceId, i64)> = weights.iter().filter_map(share).collect();
    shares.sort_unstable_by(|a, b| b.cmp(a));
    let (mut sum, mut cube) = (0, Vec::new());
    for (share, p, number) in shares {
        sum += share;
        cube.push(Constraint { sum: place(p), reaches: true, number });
        if sum > i128::from(total) {
            return Some(Cube::new(cube));
        }
    }
    None
}

/// Greatest numbers of tokens that do not attain a total; weights are positive.
fn missed(weights: &[(PlaceId, i64)], total: i64, range: Range<'_>) -> Option<Cube> {
    below(weights, total, range).map(Cube::new)
}

/// Bounds of places because of which a sum is less than a number.
fn below(terms: &[(PlaceId, i64)], number: i64, range: Range<'_>) -> Option<Vec<Constraint>> {
    let (mut most, mut cube) = (0_i128, Vec::new());
    for &(p, weight) in terms {
        let (least, greatest) = range(place(p));
        match weight > 0 {
            true => {
                let greatest = greatest?;
                cube.push(Constraint { sum: place(p), reaches: false, number: greatest + 1 });
                most += i128::from(weight) * i128::from(greatest);
            }
            false => {
                // Without a bound there are at least no tokens.
                if let Some(number) = least.filter(|&least| least > 0) {
                    cube.push(Constraint { sum: place(p), reaches: true, number });
                    most += i128::from(weight) * i128::from(number);
                }
            }
        }
    }
    (most < i128::from(number)).then_some(cube)
}
