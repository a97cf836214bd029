//! Small objects with all their values and operations, written out as tables.

use model::ProcessId;
use model::objects::{Channel, Comparison, Counter, Lock, Operation, Output, Relations, Shape, Variable};

/// What an operation with one of its inputs does to each value: nothing where it is not defined.
pub(crate) type Table = Vec<Option<(Output, usize)>>;

/// An object, its values numbered, with the literal meaning of its operations.
pub(crate) struct World {
    pub(crate) name: String,
    pub(crate) relations: Box<dyn Relations>,
    /// The scalar of each value.
    pub(crate) scalars: Vec<i64>,
    pub(crate) operations: Vec<Operation>,
    /// For each operation, its tables: one for each input.
    pub(crate) meanings: Vec<Vec<Table>>,
}

impl World {
    pub(crate) fn position(&self, op: Operation) -> usize {
        self.operations.iter().position(|o| *o == op).expect("the operation is one of the world")
    }

    /// The same world with other relations, to see whether they are told apart.
    pub(crate) fn with(mut self, relations: impl Relations + 'static) -> World {
        self.name.push_str(" (changed)");
        self.relations = Box::new(relations);
        self
    }

    fn scalar(
        shape: Shape,
        lo: i64,
        hi: i64,
        operations: Vec<Operation>,
        inputs: Inputs<'_>,
        apply: Apply<'_>,
    ) -> World {
        let table = |op: Operation, input: Option<i64>| -> Table {
            (lo..=hi).map(|v| apply(op, input, v).map(|(out, after)| (out, (after - lo) as usize))).collect()
        };
        let meanings =
            operations.iter().map(|&op| inputs(op).into_iter().map(|input| table(op, input)).collect()).collect();
        let (name, relations) = (format!("{shape:?}"), Box::new(shape));
        World { name, relations, scalars: (lo..=hi).collect(), operations, meanings }
    }
}

type Inputs<'a> = &'a dyn Fn(Operation) -> Vec<Option<i64>>;
type Apply<'a> = &'a dyn Fn(Operation, Option<i64>, i64) -> Option<(Output, i64)>;

fn tests(lo: i64, hi: i64) -> Vec<Operation> {
    let comparisons = [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le, Comparison::Gt, Comparison::Ge];
    comparisons.into_iter().flat_map(|c| (lo - 1..=hi + 1).map(move |k| Operation::test(c, k))).collect()
}

pub(crate) fn variable(lo: i64, hi: i64) -> World {
    let (object, size) = (Variable { lo, hi }, hi - lo + 1);
    let mut operations = vec![Operation::Read, Operation::Write];
    operations.extend(tests(lo, hi));
    operations.extend((lo - 1..=hi + 1).map(Operation::Assign));
    operations.extend((-size - 1..=size + 1).map(Operation::Add));
    if size == 2 {
        operations.push(Operation::Complement);
    }
    let inputs = |op: Operation| match op {
        Operation::Write => (lo..=hi).map(Some).chain([None]).collect(),
        _ => vec![None],
    };
    World::scalar(Shape::Variable(object), lo, hi, operations, &inputs, &|op, i, v| Some(object.apply(op, i, v)))
}

pub(crate) fn lock(processes: u32) -> World {
    let all = || (0..processes).map(ProcessId);
    let mut operations = vec![Operation::FREE, Operation::Read];
    operations.extend(all().map(Operation::Acquire));
    operations.extend(all().map(Operation::Release));
    let hi = i64::from(processes);
    World::scalar(Shape::Lock(Lock), 0, hi, operations, &|_| vec![None], &|op, _, v| Lock.apply(op, v))
}

pub(crate) fn counter(max: u32) -> World {
    let object = Counter { max };
    let mut operations = vec![Operation::Read];
    operations.extend(tests(0, i64::from(max)));
    operations.extend((0..=max + 1).map(Operation::Gain));
    operations.extend((0..=max + 1).map(Operation::Take));
    let hi = i64::from(max);
    World::scalar(Shape::Counter(object), 0, hi, operations, &|_| vec![None], &|op, _, v| object.apply(op, v))
}

pub(crate) fn channel(capacity: u32, messages: i64) -> World {
    let object = Channel { capacity };
    let mut contents: Vec<Vec<i64>> = vec![Vec::new()];
    let mut longest = contents.clone();
    for _ in 0..capacity {
        longest = longest.iter().flat_map(|c| (0..messages).map(|m| [&c[..], &[m]].concat())).collect();
        contents.extend(longest.clone());
    }
    let mut operations = vec![Operation::Read, Operation::Send, Operation::Receive];
    operations.extend(tests(0, i64::from(capacity)));
    let number = |content: Vec<i64>| contents.iter().position(|c| *c == content).expect("contents are complete");
    let table = |op: Operation, input: Option<i64>| -> Table {
        contents.iter().map(|c| object.apply(op, input, c).map(|(out, after)| (out, number(after)))).collect()
    };
    let inputs = |op: Operation| match op {
        Operation::Send | Operation::Receive => (0..messages).map(Some).chain([None]).collect(),
        _ => vec![None],
    };
    let mut meanings: Vec<Vec<Table>> =
        operations.iter().map(|&op| inputs(op).into_iter().map(|input| table(op, input)).collect()).collect();
    meanings[0].extend(looks(&contents, messages));
    let scalars = contents.iter().map(|c| c.len() as i64).collect();
    let shape = Shape::Channel(object);
    World { name: format!("{shape:?} of {messages}"), relations: Box::new(shape), scalars, operations, meanings }
}

/// What else a `Read` of a channel may be: all messages, whether one is offered, one that is looked up and stays.
fn looks(contents: &[Vec<i64>], messages: i64) -> Vec<Table> {
    let looking = |look: &dyn Fn(usize, &[i64]) -> Option<i64>| -> Table {
        let at = |(i, c): (usize, &Vec<i64>)| look(i, c).map(|seen| (Output::Value(seen), i));
        contents.iter().enumerate().map(at).collect()
    };
    let mut tables = vec![looking(&|i, _| Some(i as i64))];
    for wanted in 0..messages {
        let first = |c: &[i64]| c.first() == Some(&wanted);
        tables.push(looking(&|_, c| Some(i64::from(first(c)))));
        tables.push(looking(&|_, c| Some(i64::from(c.contains(&wanted)))));
        tables.push(looking(&|_, c| first(c).then_some(wanted)));
        tables.push(looking(&|_, c| c.contains(&wanted).then_some(wanted)));
    }
    tables
}

pub(crate) fn all() -> Vec<World> {
    let variables = [(0, 0), (0, 1), (0, 3), (-2, 1), (3, 5)].map(|(lo, hi)| variable(lo, hi));
    let counters = [0, 1, 2, 3, 4].map(counter);
    let channels = [1, 2, 3].map(|n| channel(n, 2));
    variables.into_iter().chain(counters).chain(channels).chain([lock(1), lock(2), lock(3)]).collect()
}
