//! The definitions of the thesis, word by word, over the tables of a small world; and the relations held against them.

use std::collections::HashSet;

use model::objects::{Operation, Output};

use crate::world::{Table, World};

/// The relations of a world as the definitions give them. Indices are positions in the world's lists.
pub(crate) struct Literal<'a> {
    world: &'a World,
    /// `dependent[a][b]` has the scalars of the values in which `a` and `b` are dependent.
    dependent: Vec<Vec<HashSet<i64>>>,
}

/// Definition 3.18 for two operations with given inputs.
fn disagree(a: &Table, b: &Table, value: usize) -> bool {
    let keeps = |first: &Table, second: &Table| match first[value] {
        None => true,
        Some((_, after)) => second[value].is_some() == second[after].is_some(),
    };
    if !keeps(a, b) || !keeps(b, a) {
        return true;
    }
    match (a[value], b[value]) {
        (Some((out_a, after_a)), Some((out_b, after_b))) => {
            let (later_b, later_a) = (b[after_a].expect("kept defined"), a[after_b].expect("kept defined"));
            later_a.0 != out_a || later_b.0 != out_b || later_a.1 != later_b.1
        }
        _ => false,
    }
}

impl<'a> Literal<'a> {
    pub(crate) fn new(world: &'a World) -> Self {
        let count = world.operations.len();
        let mut dependent = vec![vec![HashSet::new(); count]; count];
        for (a, row) in dependent.iter_mut().enumerate() {
            for (b, scalars) in row.iter_mut().enumerate() {
                for (value, scalar) in world.scalars.iter().enumerate() {
                    let inputs = world.meanings[a].iter().flat_map(|x| world.meanings[b].iter().map(move |y| (x, y)));
                    if inputs.into_iter().any(|(x, y)| disagree(x, y, value)) {
                        scalars.insert(*scalar);
                    }
                }
            }
        }
        Self { world, dependent }
    }

    pub(crate) fn dependent(&self, a: usize, b: usize, value: usize) -> bool {
        self.dependent[a][b].contains(&self.world.scalars[value])
    }

    fn defined(&self, op: usize, value: usize) -> bool {
        self.world.meanings[op].iter().any(|t| t[value].is_some())
    }

    fn values(&self) -> std::ops::Range<usize> {
        0..self.world.scalars.len()
    }

    /// Definition 4.6.
    fn can_be_dependent(&self, a: usize, b: usize) -> bool {
        !self.dependent[a][b].is_empty()
    }

    /// Definition 4.13.
    fn do_not_accord(&self, a: usize, b: usize) -> bool {
        self.values().any(|v| self.defined(a, v) && self.defined(b, v) && self.dependent(a, b, v))
    }

    /// What weak stubborn sets need: one after the other without a fault, and the other order is none or another.
    fn order_matters(&self, first: usize, then: usize) -> bool {
        let step = |table: &Table, value: usize| table[value].filter(|(out, _)| !matches!(out, Output::Fault(_)));
        let differs = |a: &Table, b: &Table, value: usize| {
            let Some((out_a, after)) = step(a, value) else { return false };
            let Some((out_b, end)) = step(b, after) else { return false };
            match b[value] {
                Some((Output::Fault(_), _)) => false,
                None => true,
                Some((out, after)) => out != out_b || a[after] != Some((out_a, end)),
            }
        };
        let inputs = |a: &Table| self.world.meanings[then].iter().any(|b| self.values().any(|v| differs(a, b, v)));
        self.world.meanings[first].iter().any(inputs)
    }

    /// Whether the world calls two operations dependent, in a weakly uniform way or not. What may interfere first depends
    /// on the relation in use.
    fn called_dependent(&self, a: usize, b: usize, value: usize, uniform: bool) -> bool {
        let (a, b, scalar) = (self.world.operations[a], self.world.operations[b], self.world.scalars[value]);
        match uniform {
            true => self.world.relations.uniformly_dependent(a, b, scalar),
            false => self.world.relations.dependent(a, b, scalar),
        }
    }

    /// The values that operations independent with `op` at each step can lead to.
    fn undisturbed(&self, op: usize, from: usize, uniform: bool) -> Vec<usize> {
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&value) = reached.get(next) {
            next += 1;
            let independent = |o: &usize| !self.called_dependent(op, *o, value, uniform);
            for other in (0..self.world.operations.len()).filter(independent) {
                for (_, after) in self.world.meanings[other].iter().filter_map(|t| t[value]) {
                    if !reached.contains(&after) {
                        reached.push(after);
                    }
                }
            }
        }
        reached
    }

    /// Definition 4.26: whether `other` is the first to disturb `op` on the way to one of these values.
    fn first(&self, op: usize, other: usize, reached: &[usize], uniform: bool) -> bool {
        reached.iter().any(|&v| self.defined(other, v) && self.called_dependent(op, other, v, uniform))
    }

    /// Compares the relations of the world with the definitions: equal, or at least included.
    pub(crate) fn compare(&self, exact: bool) -> Result<(), String> {
        for (i, &a) in self.world.operations.iter().enumerate() {
            let reached = |uniform| self.values().map(|v| self.undisturbed(i, v, uniform)).collect::<Vec<_>>();
            let (plain, uniform) = (reached(false), reached(true));
            for (j, &b) in self.world.operations.iter().enumerate() {
                self.compare_constant((i, a), (j, b), exact)?;
                for value in self.values() {
                    let first = (self.first(i, j, &plain[value], false), self.first(i, j, &uniform[value], true));
                    self.compare_in((i, a), (j, b), value, (exact, first))?;
                }
            }
        }
        Ok(())
    }

    fn compare_constant(
        &self,
        (i, a): (usize, Operation),
        (j, b): (usize, Operation),
        exact: bool,
    ) -> Result<(), String> {
        let r = &self.world.relations;
        let check = |what: &str, literal: bool, ours: bool| agree(&self.world.name, what, (literal, ours), exact);
        check(&format!("{a:?} can be dependent with {b:?}"), self.can_be_dependent(i, j), r.can_be_dependent(a, b))?;
        check(&format!("{a:?} does not accord with {b:?}"), self.do_not_accord(i, j), r.do_not_accord(a, b))?;
        let order = (self.order_matters(i, j), r.order_matters(a, b));
        agree(&self.world.name, &format!("the order of {a:?} and {b:?} matters"), order, false)?;
        agree(&self.world.name, &format!("{a:?}, {b:?} and the other way round"), symmetric(self.world, a, b), true)
    }

    fn compare_in(
        &self,
        (i, a): (usize, Operation),
        (j, b): (usize, Operation),
        value: usize,
        (exact, (first, uniformly_first)): (bool, (bool, bool)),
    ) -> Result<(), String> {
        let (r, scalar) = (&self.world.relations, self.world.scalars[value]);
        let check = |what: &str, literal: bool, ours: bool, exact: bool| {
            agree(&self.world.name, &format!("{a:?} {what} {b:?} at {scalar}"), (literal, ours), exact)
        };
        let dependent = self.dependent(i, j, value);
        check("is dependent with", dependent, r.dependent(a, b, scalar), exact)?;
        check("may first be disturbed by", first, r.may_interfere_first(a, b, scalar), exact)?;
        let ours = r.may_interfere_first_uniformly(a, b, scalar);
        check("may first be disturbed, uniformly, by", uniformly_first, ours, false)?;
        check("may be disturbed at all by", ours, r.can_be_dependent(a, b), false)?;
        let uniform = r.uniformly_dependent(a, b, scalar);
        let together = uniform && self.defined(i, value) && self.defined(j, value);
        check("does not accord, uniformly, with", together, r.do_not_accord(a, b), false)?;
        check("is uniformly dependent with", dependent, uniform, false)?;
        check("is uniformly, so sometimes, dependent with", uniform, r.can_be_dependent(a, b), false)?;
        if self.defined(i, value) && !r.is_defined(a, scalar) {
            return Err(format!("{}: {a:?} is defined at {scalar}", self.world.name));
        }
        Ok(())
    }
}

fn agree(world: &str, what: &str, (literal, ours): (bool, bool), exact: bool) -> Result<(), String> {
    if literal == ours || (!exact && !literal) {
        return Ok(());
    }
    Err(format!("{world}: {what}: by definition {literal}, ours {ours}"))
}

/// A relation that ought to be symmetric, both ways, as one number each.
fn symmetric(world: &World, a: Operation, b: Operation) -> (bool, bool) {
    let r = &world.relations;
    let all = |a, b| {
        let mut facts = vec![r.can_be_dependent(a, b), r.do_not_accord(a, b)];
        facts.extend(world.scalars.iter().map(|&v| r.dependent(a, b, v)));
        facts.extend(world.scalars.iter().map(|&v| r.uniformly_dependent(a, b, v)));
        facts
    };
    (true, all(a, b) == all(b, a))
}

/// What a transition does to the object: it may test it, then it may change it.
struct Program {
    operations: Vec<usize>,
    /// For each value, what it may become; nothing where the program is not defined or a fault.
    results: Vec<Vec<usize>>,
}

impl Program {
    fn new(world: &World, operations: Vec<usize>) -> Self {
        let step = |op: usize, value: usize| -> Vec<usize> {
            let ways = world.meanings[op].iter().filter_map(|t| t[value]);
            ways.filter(|(out, _)| !matches!(out, Output::Fault(_))).map(|(_, after)| after).collect()
        };
        let results = (0..world.scalars.len())
            .map(|value| operations.iter().fold(vec![value], |at, &op| at.iter().flat_map(|&v| step(op, v)).collect()))
            .collect();
        Self { operations, results }
    }
}

/// Tests that tell different things, and all operations that change the object, alone and in pairs.
fn programs(world: &World) -> Vec<Program> {
    let mut told = HashSet::new();
    let mut tests = Vec::new();
    let mut changes = Vec::new();
    for (i, op) in world.operations.iter().enumerate() {
        if !op.only_reads() {
            changes.push(i);
            continue;
        }
        let outputs: Vec<Output> = world.meanings[i][0].iter().map(|o| o.expect("reading is defined").0).collect();
        let pattern: Vec<bool> = outputs.iter().map(|o| *o == outputs[0]).collect();
        if *op == Operation::Read || told.insert(pattern) {
            tests.push(i);
        }
    }
    let alone = tests.iter().chain(&changes).map(|&i| vec![i]);
    let pairs = tests.iter().flat_map(|&t| changes.iter().map(move |&c| vec![t, c]));
    alone.chain(pairs).map(|ops| Program::new(world, ops)).collect()
}

/// Definition 6.6 for a relation between operations, lifted to programs as Definition 3.21 does.
pub(crate) fn weakly_uniform(world: &World, related: impl Fn(Operation, Operation, i64) -> bool) -> Result<(), String> {
    let programs = programs(world);
    let op = |i: usize| world.operations[i];
    let dependent: Vec<Vec<Vec<bool>>> = programs
        .iter()
        .map(|p| {
            let with = |q: &Program, v: i64| {
                p.operations.iter().any(|&a| q.operations.iter().any(|&b| related(op(a), op(b), v)))
            };
            programs.iter().map(|q| world.scalars.iter().map(|&v| with(q, v)).collect()).collect()
        })
        .collect();
    let show = |p: usize| -> Vec<Operation> { programs[p].operations.iter().map(|&i| op(i)).collect() };
    for (t1, first) in programs.iter().enumerate() {
        for (value, afters) in first.results.iter().enumerate() {
            for t2 in (0..programs.len()).filter(|&t2| dependent[t1][t2][value]) {
                for &after in afters.iter().filter(|&&after| !programs[t2].results[after].is_empty()) {
                    let apart = |t3: usize| !dependent[t1][t3][value] && !dependent[t2][t3][after];
                    let later = (0..programs.len()).filter(|&t3| apart(t3));
                    let mut later = later.flat_map(|t3| programs[t3].results[value].iter().map(move |&v| (t3, v)));
                    if let Some((t3, v)) = later.find(|&(_, v)| !dependent[t1][t2][v]) {
                        let (a, b, c) = (show(t1), show(t2), show(t3));
                        let (from, to) = (world.scalars[value], world.scalars[v]);
                        return Err(format!("{}: {a:?} and {b:?} at {from}, {c:?} leads to {to}", world.name));
                    }
                }
            }
        }
    }
    Ok(())
}
