//! Clauses about numbers of tokens and about transitions that fire.
//!
//! Numbers are order encoded: the literal at `i` says that there are more than `i`. A literal that is made for a
//! predicate implies it; the other direction is never needed.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use model::nets::{Linear, Predicate};
use model::views::PlaceId;
use solve::sat::{Answer, Literal, Sat};

/// The solver is interrupted so often, to see whether somebody else has the answer.
const PIECE: Duration = Duration::from_millis(50);
/// Sums with more partial sums than this are not encoded.
const PARTIAL_SUMS: usize = 20_000;
/// Up to so many literals exclude one another in pairs.
const PAIRS: usize = 5;

/// The tokens of a place in one marking.
#[derive(Clone, Debug)]
pub(crate) struct Tokens {
    /// At `i`, that there are more than `i`.
    pub(crate) more_than: Rc<[Literal]>,
    /// Whether there are never more than there are literals.
    pub(crate) exact: bool,
}

/// A growing set of clauses.
#[derive(Debug)]
pub(crate) struct Cnf {
    sat: Sat,
    yes: Literal,
    start: Instant,
    /// When the solver stops next, in microseconds from the start.
    until: Arc<AtomicU64>,
    size: u64,
    variables: u64,
}

impl Cnf {
    pub(crate) fn new() -> Self {
        let (start, until) = (Instant::now(), Arc::new(AtomicU64::new(0)));
        let shared = Arc::clone(&until);
        let mut sat = Sat::new(Box::new(move || micros(start.elapsed()) >= shared.load(Ordering::Relaxed)));
        let yes = sat.fresh();
        sat.clause(&[yes]);
        Self { sat, yes, start, until, size: 0, variables: 1 }
    }

    /// The literal that is always true, or never.
    pub(crate) fn constant(&self, value: bool) -> Literal {
        if value { self.yes } else { !self.yes }
    }

    pub(crate) fn fresh(&mut self) -> Literal {
        self.variables += 1;
        self.sat.fresh()
    }

    pub(crate) fn clause(&mut self, literals: &[Literal]) {
        self.size += literals.len() as u64 + 4;
        self.sat.clause(literals);
    }

    /// About how many bytes clauses and variables take, and as many again as the clauses for what is learned.
    pub(crate) fn bytes(&self) -> u64 {
        16 * self.size + 128 * self.variables
    }

    pub(crate) fn holds(&self, literal: Literal) -> bool {
        self.sat.holds(literal)
    }

    /// Whether all clauses can hold together with some literals; unknown if it is over before, which is asked now and
    /// then with the bytes that are used.
    pub(crate) fn solve(&mut self, assumed: &[Literal], is_over: &mut dyn FnMut(u64) -> bool) -> Answer {
        while !is_over(self.bytes()) {
            self.until.store(micros(self.start.elapsed() + PIECE), Ordering::Relaxed);
            match self.sat.solve_with(assumed) {
                Answer::Unknown => {}
                answer => return answer,
            }
        }
        Answer::Unknown
    }

    /// After an impossible question: the literals that were assumed and that suffice.
    pub(crate) fn core(&self) -> Vec<Literal> {
        self.sat.core()
    }

    /// A number that can have any value from zero.
    pub(crate) fn number(&mut self, most: usize, exact: bool) -> Tokens {
        let more_than: Rc<[Literal]> = (0..most).map(|_| self.fresh()).collect();
        for pair in more_than.windows(2) {
            self.clause(&[!pair[1], pair[0]]);
        }
        Tokens { more_than, exact }
    }

    /// A number that is known.
    pub(crate) fn known(&self, value: u64, most: usize, exact: bool) -> Tokens {
        Tokens { more_than: (0..most as u64).map(|i| self.constant(value > i)).collect(), exact }
    }

    /// That there are at least so many; `None` if the literals do not tell.
    pub(crate) fn reaches(&self, tokens: &Tokens, value: i128) -> Option<Literal> {
        match usize::try_from(value) {
            Err(_) if value < 0 => Some(self.yes),
            Ok(0) => Some(self.yes),
            Ok(v) if v <= tokens.more_than.len() => Some(tokens.more_than[v - 1]),
            _ => tokens.exact.then_some(!self.yes),
        }
    }

    /// At most one of the literals holds.
    pub(crate) fn at_most_one(&mut self, literals: &[Literal]) {
        if literals.len() <= PAIRS {
            for (i, &a) in literals.iter().enumerate() {
                literals[..i].iter().for_each(|&b| self.clause(&[!a, !b]));
            }
            return;
        }
        let mut before = literals[0];
        for &literal in &literals[1..] {
            self.clause(&[!before, !literal]);
            let after = self.fresh();
            self.clause(&[!before, after]);
            self.clause(&[!literal, after]);
            before = after;
        }
    }

    /// A literal that holds exactly if one of some does.
    pub(crate) fn any(&mut self, literals: &[Literal]) -> Literal {
        match *literals {
            [] => self.constant(false),
            [one] => one,
            _ => {
                let name = self.fresh();
                literals.iter().for_each(|&l| self.clause(&[!l, name]));
                let clause: Vec<Literal> = literals.iter().copied().chain([!name]).collect();
                self.clause(&clause);
                name
            }
        }
    }

    /// A literal that implies what is known of a predicate: comparisons that cannot be told from what is counted, or
    /// that take too many clauses, may hold anywhere.
    pub(crate) fn predicate(
        &mut self,
        predicate: &Predicate,
        tokens: &mut dyn FnMut(&mut Self, PlaceId) -> Tokens,
    ) -> Literal {
        match predicate {
            Predicate::Constant(value) => self.constant(*value),
            Predicate::AtMostZero(expression) => self.at_most_zero(expression, tokens).unwrap_or(self.yes),
            Predicate::All(parts) => {
                let name = self.fresh();
                for part in parts {
                    let part = self.predicate(part, tokens);
                    self.clause(&[!name, part]);
                }
                name
            }
            Predicate::Any(parts) => {
                let name = self.fresh();
                let mut clause = parts.iter().map(|p| self.predicate(p, tokens)).collect::<Vec<_>>();
                clause.push(!name);
                self.clause(&clause);
                name
            }
        }
    }

    fn at_most_zero(
        &mut self,
        expression: &Linear,
        tokens: &mut dyn FnMut(&mut Self, PlaceId) -> Tokens,
    ) -> Option<Literal> {
        let constant = i128::from(expression.constant());
        if let [(p, factor)] = *expression.terms() {
            let tokens = tokens(self, p);
            let factor = i128::from(factor);
            return match factor > 0 {
                true => self.reaches(&tokens, (-constant).div_euclid(factor) + 1).map(|more| !more),
                false => self.reaches(&tokens, -((-constant).div_euclid(-factor))),
            };
        }
        let (mut terms, mut least) = (Vec::new(), constant);
        for &(p, factor) in expression.terms() {
            let tokens = tokens(self, p);
            if !tokens.exact {
                return None;
            }
            let weight = i128::from(factor.unsigned_abs());
            if factor < 0 {
                terms.push((weight, tokens.more_than.to_vec()));
            } else {
                least += weight * tokens.more_than.len() as i128;
                terms.push((weight, tokens.more_than.iter().rev().map(|&more| !more).collect()));
            }
        }
        self.sum_reaches(&terms, least)
    }

    /// A literal that implies that a weighted sum is at least so much: one literal for each partial sum that matters,
    /// from the last term to the first.
    fn sum_reaches(&mut self, terms: &[(i128, Vec<Literal>)], least: i128) -> Option<Literal> {
        let mut most = vec![0_i128];
        for (weight, values) in terms {
            most.push(most[most.len() - 1] + weight * values.len() as i128);
        }
        let needed = partial_sums(terms, &most, least)?;
        let mut known: BTreeMap<i128, Literal> = BTreeMap::new();
        for (i, (weight, values)) in terms.iter().enumerate() {
            let mut next = BTreeMap::new();
            for &sum in &needed[i + 1] {
                let name = self.fresh();
                for v in 0..=values.len() {
                    let rest = sum - weight * v as i128;
                    if rest <= 0 {
                        break;
                    }
                    let rest = if rest > most[i] { !self.yes } else { known[&rest] };
                    let more = values.get(v).copied().unwrap_or(!self.yes);
                    self.clause(&[!name, rest, more]);
                }
                next.insert(sum, name);
            }
            known = next;
        }
        Some(match least {
            ..=0 => self.yes,
            _ if least > most[terms.len()] => !self.yes,
            _ => known[&least],
        })
    }
}

/// By number of terms, the sums of so many first terms that are asked for and neither certain nor impossible.
fn partial_sums(terms: &[(i128, Vec<Literal>)], most: &[i128], least: i128) -> Option<Vec<BTreeSet<i128>>> {
    let open = |i: usize, sum: i128| (1..=most[i]).contains(&sum);
    let mut needed = vec![BTreeSet::new(); terms.len() + 1];
    needed[terms.len()].extend(Some(least).filter(|&sum| open(terms.len(), sum)));
    let mut count = 0;
    for (i, (weight, values)) in terms.iter().enumerate().rev() {
        let rest = |sum: &i128| (0..=values.len() as i128).map(|v| sum - weight * v).collect::<Vec<_>>();
        needed[i] = needed[i + 1].iter().flat_map(rest).filter(|&sum| open(i, sum)).collect();
        count += needed[i].len();
        if count > PARTIAL_SUMS {
            return None;
        }
    }
    Some(needed)
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
