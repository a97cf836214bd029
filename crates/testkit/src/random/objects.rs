//! Random objects.

use std::sync::Arc;

use model::{ChannelType, Domain, Enumeration, Kind, Object, ObjectId, ProcessId, Value};

use super::{Profile, Sort};
use crate::Rng;

/// An object, or an array of equal ones.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) first: ObjectId,
    pub(crate) len: u32,
    pub(crate) kind: Kind,
}

impl Group {
    pub(crate) fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (self.first.0..self.first.0 + self.len).map(ObjectId)
    }
}

pub(crate) fn objects(rng: &mut Rng, profile: &Profile, processes: usize) -> (Vec<Group>, Vec<Object>) {
    let (mut groups, mut objects) = (Vec::new(), Vec::new());
    for g in 0..rng.size(&profile.objects) {
        let sort = *rng.pick(&profile.sorts);
        let kind = kind(rng, sort, profile.capacity);
        let len = if rng.chance(profile.arrays) { 2 + rng.below(2) as u32 } else { 1 };
        groups.push(Group { first: ObjectId::new(objects.len()), len, kind: kind.clone() });
        for cell in 0..len {
            let initial = initial(rng, &kind, processes);
            let name = if len == 1 { format!("o{g}") } else { format!("o{g}[{cell}]") };
            objects.push(Object { name, kind: kind.clone(), initial, span: None });
        }
    }
    (groups, objects)
}

fn kind(rng: &mut Rng, sort: Sort, capacity: u32) -> Kind {
    let max = 1 + rng.below(3) as u32;
    match sort {
        Sort::Flag => Kind::Variable(Domain::Bool),
        Sort::Range if rng.chance(10) => Kind::Variable(Domain::Range { lo: i32::MIN, hi: i32::MAX }),
        Sort::Range => Kind::Variable(range(rng)),
        Sort::Named => Kind::Variable(enumeration(rng)),
        Sort::Lock => Kind::Lock,
        Sort::Semaphore => Kind::Semaphore { max },
        Sort::Counter => Kind::Counter { max },
        Sort::Channel => channel(1 + rng.below(capacity as usize) as u32, false, fields(rng, 2)),
        Sort::Rendezvous => channel(0, false, fields(rng, 2)),
        Sort::Lossy => channel(1 + rng.below(2) as u32, true, fields(rng, 1)),
        Sort::Wide => wide(rng),
    }
}

fn channel(capacity: u32, lossy: bool, fields: Vec<Domain>) -> Kind {
    Kind::Channel(ChannelType { capacity, lossy, fields })
}

/// Channels that do not fit into a word: few wide messages, or many narrow ones.
fn wide(rng: &mut Rng) -> Kind {
    let word = Domain::Range { lo: i32::MIN, hi: i32::MAX };
    match rng.below(3) {
        0 => channel(3, false, vec![word]),
        1 => channel(3, false, vec![Domain::Bool, word, Domain::Range { lo: -3, hi: 9 }]),
        _ => channel(5, false, vec![Domain::Range { lo: -70_000, hi: 70_000 }]),
    }
}

fn range(rng: &mut Rng) -> Domain {
    let lo = rng.between(-2..=1) as i32;
    Domain::Range { lo, hi: lo + rng.between(0..=3) as i32 }
}

fn enumeration(rng: &mut Rng) -> Domain {
    let constants = (0..1 + rng.below(3)).map(|i| format!("c{i}")).collect();
    Domain::Named(Arc::new(Enumeration { name: "E".to_owned(), constants }))
}

fn fields(rng: &mut Rng, most: usize) -> Vec<Domain> {
    let field = |rng: &mut Rng| match rng.below(3) {
        0 => Domain::Bool,
        1 => range(rng),
        _ => enumeration(rng),
    };
    (0..rng.below(most + 1)).map(|_| field(rng)).collect()
}

fn initial(rng: &mut Rng, kind: &Kind, processes: usize) -> Value {
    match kind {
        Kind::Variable(d) => Value::Int(member(rng, d)),
        Kind::Semaphore { max } | Kind::Counter { max } => Value::Int(rng.between(0..=i64::from(*max))),
        Kind::Lock if processes > 0 && rng.chance(15) => Value::Lock(Some(ProcessId::new(rng.below(processes)))),
        Kind::Lock => Value::Lock(None),
        Kind::Channel(c) => {
            let message = |rng: &mut Rng| c.fields.iter().map(|d| member(rng, d)).collect();
            let filled = if rng.chance(30) { rng.below(c.capacity as usize + 1) } else { 0 };
            Value::Queue((0..filled).map(|_| message(rng)).collect())
        }
    }
}

/// A value of a domain: any of few, or one of some remarkable ones of many.
pub(crate) fn member(rng: &mut Rng, domain: &Domain) -> i64 {
    let (lo, hi) = (domain.lo(), domain.hi());
    if hi - lo < 20 { rng.between(lo..=hi) } else { *rng.pick(&[lo, hi, 0, -1]) }
}
