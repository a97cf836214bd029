//! The interpreter is the oracle: random systems and all tiny ones have the same enabled transitions, the same successors
//! and the same faults with machine code as without; and machine code that is wrong on purpose is found out.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use model::native::{Assembler, Native, NotAssembled, Op};
use model::{Fault, System, TransitionId};
use testkit::random::{Profile, sample};

use crate::compile::{Piece, compile, compile_with};
use crate::translate::Translator;

/// The most states of one system that are compared.
const LIMIT: usize = 150;
const SEEDS: u64 = 25;

/// What a state leads to.
type Steps = Vec<(TransitionId, Result<Vec<u64>, Fault>)>;

fn steps(system: &System, state: &[u64]) -> Steps {
    let fire = |t: TransitionId| {
        let mut next = vec![0; system.words()];
        system.fire(t, state, &mut next).map(|()| next)
    };
    system.enabled(state).map(|e| e.map_or_else(|(t, f)| (t, Err(f)), |t| (t, fire(t)))).collect()
}

/// The first state, among the first ones, in which both do not do the same.
fn difference(plain: &System, accelerated: &System) -> Option<Vec<u64>> {
    let mut seen = BTreeSet::from([plain.initial_state()]);
    let mut queue = VecDeque::from([plain.initial_state()]);
    while let Some(state) = queue.pop_front() {
        let expected = steps(plain, &state);
        if steps(accelerated, &state) != expected || !agree_on_what_follows(plain, accelerated, &state, &expected) {
            return Some(state);
        }
        for next in expected.into_iter().filter_map(|(_, next)| next.ok()) {
            if seen.len() < LIMIT && seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    None
}

/// Whether both give the same transitions after each of these.
fn agree_on_what_follows(plain: &System, accelerated: &System, state: &[u64], steps: &Steps) -> bool {
    let after = |system: &System, t: TransitionId| system.enabled_after(t, state).collect::<Vec<_>>();
    steps.iter().all(|(t, _)| after(plain, *t) == after(accelerated, *t))
}

fn accelerated(system: &System, code: Option<Arc<dyn Native>>) -> System {
    let system = system.clone();
    system.accelerate(code.expect("this processor is known"));
    system
}

fn systems() -> impl Iterator<Item = (String, System)> {
    let mut profiles = Profile::all();
    profiles.push(("control".to_owned(), Profile::control()));
    profiles.push(("meeting".to_owned(), Profile::meeting()));
    profiles.push(("waiting".to_owned(), Profile::waiting()));
    profiles.into_iter().flat_map(|(name, profile)| {
        (0..SEEDS).map(move |seed| (format!("{name}, seed {seed}"), sample(seed, &profile).system))
    })
}

#[test]
fn machine_code_does_what_the_interpreter_does() {
    for (name, system) in systems() {
        let fast = accelerated(&system, compile(&system));
        assert_eq!(difference(&system, &fast), None, "{name}");
    }
}

#[test]
fn nearly_everything_has_machine_code() {
    let (mut have, mut all) = (0, 0);
    for (_, system) in systems() {
        let code = compile(&system).expect("this processor is known");
        let state = system.initial_state();
        have += system.transition_ids().filter(|&t| code.run(t, &mut state.clone()).is_some()).count();
        all += system.transitions().len();
    }
    assert!(have * 10 > all * 9, "{have} of {all}");
}

/// An assembler that confuses two operations.
struct Confused<'a, 'b> {
    inner: &'a mut Translator<'b>,
    bug: (Op, Op),
}

impl Assembler for Confused<'_, '_> {
    type Value = <Translator<'static> as Assembler>::Value;
    type Block = <Translator<'static> as Assembler>::Block;

    fn constant(&mut self, value: i64) -> Self::Value {
        self.inner.constant(value)
    }

    fn load(&mut self, word: u32) -> Self::Value {
        self.inner.load(word)
    }

    fn store(&mut self, word: u32, value: Self::Value) {
        self.inner.store(word, value);
    }

    fn load_at(&mut self, word: Self::Value) -> Self::Value {
        self.inner.load_at(word)
    }

    fn store_at(&mut self, word: Self::Value, value: Self::Value) {
        self.inner.store_at(word, value);
    }

    fn table(&mut self, entries: &[i64], index: Self::Value) -> Self::Value {
        self.inner.table(entries, index)
    }

    fn op(&mut self, op: Op, a: Self::Value, b: Self::Value) -> Self::Value {
        let op = if op == self.bug.0 { self.bug.1 } else { op };
        self.inner.op(op, a, b)
    }

    fn overflowing(&mut self, op: Op, a: Self::Value, b: Self::Value) -> (Self::Value, Self::Value) {
        let op = if op == self.bug.0 { self.bug.1 } else { op };
        self.inner.overflowing(op, a, b)
    }

    fn select(&mut self, condition: Self::Value, a: Self::Value, b: Self::Value) -> Self::Value {
        self.inner.select(condition, a, b)
    }

    fn block(&mut self, numbers: usize) -> Self::Block {
        self.inner.block(numbers)
    }

    fn jump(&mut self, to: Self::Block, numbers: &[Self::Value]) {
        self.inner.jump(to, numbers);
    }

    fn branch(&mut self, condition: Self::Value, yes: Self::Block, no: Self::Block) {
        self.inner.branch(condition, yes, no);
    }

    fn begin(&mut self, block: Self::Block) -> Vec<Self::Value> {
        self.inner.begin(block)
    }

    fn result(&mut self, value: Self::Value) {
        self.inner.result(value);
    }
}

/// The operations that decide where the code reads and writes are not confused: that would do more than harm the result.
#[test]
fn confused_operations_are_found_out() {
    let bugs = [
        (Op::Lt, Op::Le),
        (Op::Le, Op::Lt),
        (Op::Eq, Op::Ne),
        (Op::Ne, Op::Eq),
        (Op::Min, Op::Max),
        (Op::Max, Op::Min),
        (Op::Sub, Op::Add),
        (Op::Rem, Op::Div),
        (Op::Div, Op::Rem),
        (Op::Xor, Op::Or),
        (Op::ShiftRightSigned, Op::ShiftRight),
    ];
    for bug in bugs {
        let spoil = |system: &System| {
            compile_with(system, |piece: Piece, inner: &mut Translator<'_>| -> Result<(), NotAssembled> {
                let mut asm = Confused { inner, bug };
                match piece {
                    Piece::Scan(scan) => system.assemble_scan(scan, &mut asm),
                    Piece::Command(t) => system.assemble_command(t, &mut asm),
                }
            })
        };
        let found = systems().any(|(_, system)| {
            let wrong = accelerated(&system, spoil(&system));
            difference(&system, &wrong).is_some()
        });
        assert!(found, "{bug:?} is not noticed");
    }
}
