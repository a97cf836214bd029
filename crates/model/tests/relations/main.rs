//! The relations of every kind of object against their definitions, over all values and operations of small objects.

mod literal;
mod tables;
mod world;

use literal::{Literal, weakly_uniform};
use model::objects::{Operation, Relations};
use world::World;

#[test]
fn every_relation_is_what_its_definition_says() {
    for world in world::all() {
        Literal::new(&world).compare(true).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn with_a_single_message_the_relations_are_still_safe() {
    for capacity in 1..=3 {
        Literal::new(&world::channel(capacity, 1)).compare(false).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn the_uniform_relations_are_weakly_uniform() {
    let one_message = (1..=3).map(|capacity| world::channel(capacity, 1));
    for world in world::all().into_iter().chain(one_message) {
        let uniform = |a, b, v| world.relations.uniformly_dependent(a, b, v);
        weakly_uniform(&world, uniform).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn counters_need_a_uniform_relation() {
    let world = world::counter(3);
    let error = weakly_uniform(&world, |a, b, v| world.relations.dependent(a, b, v));
    assert!(error.is_err(), "another producer hides that gaining enables taking");
}

#[test]
fn anything_is_related_to_everything() {
    for world in world::all() {
        let r = &world.relations;
        for &op in world.operations.iter().chain([&Operation::Any]) {
            assert!(r.can_be_dependent(op, Operation::Any) && r.do_not_accord(Operation::Any, op), "{}", world.name);
            for &v in &world.scalars {
                assert!(r.dependent(op, Operation::Any, v) && r.uniformly_dependent(Operation::Any, op, v));
                assert!(r.may_interfere_first(op, Operation::Any, v) && r.may_interfere_first(Operation::Any, op, v));
            }
        }
    }
}

/// Right relations, but for one answer.
struct Mutant {
    inner: Box<dyn Relations>,
    dependent: Answer,
    first: Answer,
    accord: fn(Operation, Operation) -> Option<bool>,
    order: fn(Operation, Operation) -> Option<bool>,
    uniformly_first: Answer,
}

type Answer = fn(Operation, Operation, i64) -> Option<bool>;

impl Mutant {
    fn of(inner: Box<dyn Relations>) -> Self {
        Self {
            inner,
            dependent: |_, _, _| None,
            first: |_, _, _| None,
            accord: |_, _| None,
            order: |_, _| None,
            uniformly_first: |_, _, _| None,
        }
    }
}

impl Relations for Mutant {
    fn is_defined(&self, op: Operation, v: i64) -> bool {
        self.inner.is_defined(op, v)
    }

    fn dependent(&self, a: Operation, b: Operation, v: i64) -> bool {
        (self.dependent)(a, b, v).unwrap_or_else(|| self.inner.dependent(a, b, v))
    }

    fn uniformly_dependent(&self, a: Operation, b: Operation, v: i64) -> bool {
        self.inner.uniformly_dependent(a, b, v)
    }

    fn can_be_dependent(&self, a: Operation, b: Operation) -> bool {
        self.inner.can_be_dependent(a, b)
    }

    fn do_not_accord(&self, a: Operation, b: Operation) -> bool {
        (self.accord)(a, b).unwrap_or_else(|| self.inner.do_not_accord(a, b))
    }

    fn may_interfere_first(&self, a: Operation, b: Operation, v: i64) -> bool {
        (self.first)(a, b, v).unwrap_or_else(|| self.inner.may_interfere_first(a, b, v))
    }

    fn may_interfere_first_uniformly(&self, a: Operation, b: Operation, v: i64) -> bool {
        (self.uniformly_first)(a, b, v).unwrap_or_else(|| self.inner.may_interfere_first_uniformly(a, b, v))
    }

    fn order_matters(&self, a: Operation, b: Operation) -> bool {
        (self.order)(a, b).unwrap_or_else(|| self.inner.order_matters(a, b))
    }
}

/// Whether the comparison notices that a relation was changed.
fn is_caught(make: fn() -> World, change: impl Fn(&mut Mutant), exact: bool) -> bool {
    let world = make();
    let mut mutant = Mutant::of(make().relations);
    change(&mut mutant);
    Literal::new(&world.with(mutant)).compare(exact).is_err()
}

#[test]
fn planted_bugs_are_caught() {
    use Operation::{Acquire, Add, Complement, Gain, Receive, Release, Send, Take, Write};
    let channel = || world::channel(3, 2);
    assert!(!is_caught(channel, |_| {}, true), "the unchanged relations are right");
    let forgets_the_first_message: Answer = |a, b, n| match (a, b) {
        (Send, Receive) | (Receive, Send) => Some(n == 3),
        _ => None,
    };
    assert!(is_caught(channel, |m| m.dependent = forgets_the_first_message, false));
    assert!(is_caught(channel, |m| m.accord = |a, b| (a == Send && b == Send).then_some(false), false));
    assert!(is_caught(channel, |m| m.first = |a, b, n| (a == Receive && b == Send).then_some(n == 1), false));
    let loses_a_send: Answer = |a, b, n| (a == Receive && b == Send && n == 0).then_some(false);
    assert!(is_caught(channel, |m| m.uniformly_first = loses_a_send, false));
    assert!(is_caught(channel, |m| m.order = |a, b| (a == Send && b == Receive).then_some(false), false));
    // A relation that claims too much is safe, but not exact.
    let too_much =
        |m: &mut Mutant| m.accord = |a, b| matches!((a, b), (Send, Receive) | (Receive, Send)).then_some(true);
    assert!(is_caught(channel, too_much, true));
    assert!(!is_caught(channel, too_much, false));

    let counter = || world::counter(3);
    assert!(is_caught(counter, |m| m.first = |a, b, v| (a == Take(2) && b == Gain(1)).then_some(v == 1), false));
    let flag = || world::variable(0, 1);
    assert!(is_caught(flag, |m| m.dependent = |a, b, _| (a == Complement && b == Complement).then_some(true), true));
    assert!(is_caught(flag, |m| m.dependent = |a, b, _| (a == Write && b == Add(1)).then_some(false), false));
    let lock = || world::lock(2);
    let blind: Answer =
        |a, b, _| matches!((a, b), (Acquire(_), Release(_)) | (Release(_), Acquire(_))).then_some(false);
    assert!(is_caught(lock, |m| m.dependent = blind, false));
}
