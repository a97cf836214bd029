//! Unit propagation with two watched literals a clause, clauses that are needed anyway first.
//!
//! Literals that hold for good form the first part of the trail, literals under assumptions the rest. For good, a clause
//! with a false watched literal has a true one as the other: when the true one is given up again, the clause is found
//! among those that watch it. Hence no shortcuts through other literals of the clause are taken there.

use super::clauses::Clauses;
use crate::sat::Literal;

/// No clause: an assumption.
const ASSUMED: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Open,
    True,
    False,
}

/// A clause in the list of a literal that it watches.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: u32,
    /// Another literal of the clause: when it is true, there is nothing to do.
    blocker: Literal,
}

/// Whether shortcuts are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    ForGood,
    Assumed,
}

#[derive(Debug)]
pub(super) struct Propagation {
    pub(super) clauses: Clauses,
    /// Whether a clause is known to be needed.
    needed: Vec<bool>,
    /// By literal: clauses that are not known to be needed, and those that are.
    watches: [Vec<Vec<Watch>>; 2],
    heads: [usize; 2],
    values: Vec<Value>,
    reasons: Vec<u32>,
    /// By variable: where its literal is on the trail.
    positions: Vec<usize>,
    trail: Vec<Literal>,
    /// Clauses from this number on are no longer there.
    limit: usize,
}

impl Propagation {
    /// All clauses, none of which is attached yet.
    pub(super) fn new(clauses: Clauses) -> Self {
        let variables = clauses.variables();
        let lists = || vec![Vec::new(); 2 * variables];
        Self {
            needed: vec![false; clauses.len()],
            watches: [lists(), lists()],
            heads: [0, 0],
            values: vec![Value::Open; 2 * variables],
            reasons: vec![ASSUMED; variables],
            positions: vec![0; variables],
            trail: Vec::new(),
            limit: clauses.len(),
            clauses,
        }
    }

    pub(super) fn trail(&self) -> &[Literal] {
        &self.trail
    }

    pub(super) fn is_true(&self, literal: Literal) -> bool {
        self.values[literal.code()] == Value::True
    }

    pub(super) fn is_false(&self, literal: Literal) -> bool {
        self.values[literal.code()] == Value::False
    }

    /// The clause that made the variable's literal true; `None` for an assumption.
    pub(super) fn reason(&self, variable: usize) -> Option<usize> {
        let reason = self.reasons[variable];
        (reason != ASSUMED).then_some(reason as usize)
    }

    /// Where the literal of a variable with a value is on the trail.
    pub(super) fn position(&self, variable: usize) -> usize {
        self.positions[variable]
    }

    pub(super) fn need(&mut self, clause: usize) {
        self.needed[clause] = true;
    }

    pub(super) fn is_needed(&self, clause: usize) -> bool {
        self.needed[clause]
    }

    /// Makes an open literal true.
    pub(super) fn assume(&mut self, literal: Literal) {
        self.enqueue(literal, ASSUMED);
    }

    fn enqueue(&mut self, literal: Literal, reason: u32) {
        self.values[literal.code()] = Value::True;
        self.values[(!literal).code()] = Value::False;
        self.reasons[literal.variable()] = reason;
        self.positions[literal.variable()] = self.trail.len();
        self.trail.push(literal);
    }

    /// Puts a clause into force; false if all its literals are false.
    pub(super) fn attach(&mut self, clause: usize) -> bool {
        if self.clauses.is_tautology(clause) {
            return true;
        }
        let number = u32::try_from(clause).expect("fewer than 2^32 clauses");
        let values = &self.values;
        let literals = self.clauses.get_mut(clause);
        literals.sort_by_key(|l| values[l.code()] == Value::False);
        let open = literals.iter().take(2).filter(|l| values[l.code()] != Value::False).count();
        let first = literals.first().copied();
        if let [first, second, ..] = *literals {
            self.watch(first, Watch { clause: number, blocker: second });
            self.watch(second, Watch { clause: number, blocker: first });
        }
        if let Some(first) = first.filter(|&first| open == 1 && !self.is_true(first)) {
            self.enqueue(first, number);
        }
        open > 0
    }

    fn watch(&mut self, literal: Literal, watch: Watch) {
        let list = usize::from(self.needed[watch.clause as usize]);
        self.watches[list][literal.code()].push(watch);
    }

    /// Draws all consequences, or finds a clause whose literals are all false.
    pub(super) fn propagate(&mut self, mode: Mode) -> Option<usize> {
        loop {
            let list = [1, 0].into_iter().find(|&list| self.heads[list] < self.trail.len())?;
            let literal = self.trail[self.heads[list]];
            self.heads[list] += 1;
            if let Some(conflict) = self.falsified(!literal, list, mode) {
                return Some(conflict);
            }
        }
    }

    /// Visits the clauses of a list that watch a literal that became false.
    fn falsified(&mut self, literal: Literal, list: usize, mode: Mode) -> Option<usize> {
        let mut watching = std::mem::take(&mut self.watches[list][literal.code()]);
        let (mut kept, mut next) = (0, 0);
        let mut conflict = None;
        while next < watching.len() && conflict.is_none() {
            let watch = watching[next];
            next += 1;
            let stays = match self.visit(literal, watch, mode) {
                Visit::Moved => None,
                Visit::Stays(watch) => Some(watch),
                Visit::Conflict => {
                    conflict = Some(watch.clause as usize);
                    Some(watch)
                }
            };
            match stays {
                Some(watch) if list == 0 && self.needed[watch.clause as usize] => self.watch(literal, watch),
                Some(watch) => {
                    watching[kept] = watch;
                    kept += 1;
                }
                None => {}
            }
        }
        watching.drain(kept..next);
        self.watches[list][literal.code()] = watching;
        conflict
    }

    /// One clause that watches, or watched, a literal that became false.
    fn visit(&mut self, literal: Literal, watch: Watch, mode: Mode) -> Visit {
        if watch.clause as usize >= self.limit {
            return Visit::Moved;
        }
        if mode == Mode::Assumed && self.is_true(watch.blocker) {
            return Visit::Stays(watch);
        }
        let values = &self.values;
        let clause = self.clauses.get_mut(watch.clause as usize);
        if clause[0] == literal {
            clause.swap(0, 1);
        }
        if clause[1] != literal {
            return Visit::Moved;
        }
        let other = clause[0];
        let stays = Watch { blocker: other, ..watch };
        if values[other.code()] == Value::True {
            return Visit::Stays(stays);
        }
        if let Some(i) = (2..clause.len()).find(|&i| values[clause[i].code()] != Value::False) {
            clause.swap(1, i);
            let watched = clause[1];
            self.watch(watched, stays);
            return Visit::Moved;
        }
        if values[other.code()] == Value::False {
            return Visit::Conflict;
        }
        self.enqueue(other, watch.clause);
        Visit::Stays(stays)
    }

    /// Takes back everything after the first so many literals of the trail.
    pub(super) fn cut(&mut self, length: usize) {
        for &literal in &self.trail[length..] {
            self.values[literal.code()] = Value::Open;
            self.values[(!literal).code()] = Value::Open;
        }
        self.trail.truncate(length);
        self.heads = self.heads.map(|head| head.min(length));
    }

    /// Takes back a clause that was the last one to be attached, with everything that held for good since.
    pub(super) fn detach(&mut self, clause: usize, length: usize) {
        self.limit = clause;
        let gone = self.trail[length..].to_vec();
        self.cut(length);
        for literal in gone {
            for list in 0..2 {
                let watching = std::mem::take(&mut self.watches[list][literal.code()]);
                watching.iter().for_each(|watch| self.renew(literal, watch.clause as usize));
                self.watches[list][literal.code()] = watching;
            }
        }
    }

    /// Lets a clause watch an open literal instead of a false one beside the one that is no longer true.
    fn renew(&mut self, literal: Literal, clause: usize) {
        if clause >= self.limit {
            return;
        }
        let values = &self.values;
        let literals = self.clauses.get_mut(clause);
        if literals[1] == literal {
            literals.swap(0, 1);
        }
        if literals[0] != literal || values[literals[1].code()] != Value::False {
            return;
        }
        let open = (2..literals.len()).find(|&i| values[literals[i].code()] != Value::False);
        literals.swap(1, open.expect("what held for good before is complete: no clause has a single open literal"));
        let (watched, number) = (literals[1], u32::try_from(clause).expect("fewer than 2^32 clauses"));
        self.watch(watched, Watch { clause: number, blocker: literal });
    }
}

/// What became of a watch.
enum Visit {
    Moved,
    Stays(Watch),
    Conflict,
}
