//! Random expressions over the objects of a system.

use model::{Binary, Domain, Expr, Kind, LocationId, Process, ProcessId, Target, Unary};

use super::Profile;
use super::objects::{Group, member};
use crate::Rng;

/// A test of an object, with the kinds of objects that it fits.
type Test = (fn(&Kind) -> bool, fn(Target) -> Expr);

/// What expressions can be made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    pub(crate) groups: &'a [Group],
    /// The processes whose locations may be asked for: none in guards and commands.
    pub(crate) processes: &'a [Process],
    pub(crate) faults: u32,
    pub(crate) machine: u32,
}

impl<'a> Words<'a> {
    pub(crate) fn new(profile: &Profile, groups: &'a [Group], processes: &'a [Process]) -> Self {
        Self { groups, processes, faults: profile.faults, machine: profile.machine }
    }

    /// Whether the next part may be a fault.
    pub(crate) fn wild(&self, rng: &mut Rng) -> bool {
        rng.chance(self.faults)
    }

    pub(crate) fn pick(&self, rng: &mut Rng, fits: impl Fn(&Kind) -> bool) -> Option<&'a Group> {
        let fitting: Vec<&Group> = self.groups.iter().filter(|g| fits(&g.kind)).collect();
        (!fitting.is_empty()).then(|| *rng.pick(&fitting))
    }

    /// An object of a group: a fixed one, or a cell that is chosen by a number.
    pub(crate) fn target(&self, rng: &mut Rng, group: &Group) -> Target {
        if group.len == 1 {
            return Target::fixed(group.first);
        }
        let len = i64::from(group.len);
        let index = match self.pick(rng, is_number) {
            Some(source) if rng.chance(60) => {
                let cell =
                    Target::cell(source.first, source.len, Expr::Const(rng.between(0..=i64::from(source.len) - 1)));
                let number = Expr::read(cell);
                if self.wild(rng) {
                    number
                } else {
                    number.op(Binary::Rem, len).op(Binary::Add, len).op(Binary::Rem, len)
                }
            }
            _ => Expr::Const(rng.between(0..=len - 1)),
        };
        Target::cell(group.first, group.len, index)
    }

    /// A number.
    pub(crate) fn int(&self, rng: &mut Rng, depth: u32) -> Expr {
        if depth == 0 || rng.chance(40) {
            return self.leaf(rng);
        }
        let (a, b) = (self.int(rng, depth - 1), self.int(rng, depth - 1));
        if self.is_machine(rng) {
            return self.bits(rng, a, b);
        }
        match rng.below(9) {
            0 | 1 => a.op(Binary::Add, b),
            2 | 3 => a.op(Binary::Sub, b),
            4 => a.op(Binary::Mul, b),
            5 => a.op(*rng.pick(&[Binary::Min, Binary::Max]), b),
            6 => Expr::Unary(Unary::Neg, Box::new(a)),
            7 => Expr::If(Box::new(self.boolean(rng, depth - 1)), Box::new(a), Box::new(b)),
            _ => {
                let divisor = if self.wild(rng) { b } else { Expr::Const(*rng.pick(&[1, 2, 3, -2])) };
                a.op(*rng.pick(&[Binary::Div, Binary::Rem]), divisor)
            }
        }
    }

    fn leaf(&self, rng: &mut Rng) -> Expr {
        let extreme = [i64::MAX, i64::MIN, i64::MAX - 1];
        match rng.below(4) {
            0 if self.wild(rng) => Expr::Const(*rng.pick(&extreme)),
            0 => Expr::Const(rng.between(-2..=3)),
            1 => match self.pick(rng, is_buffer) {
                Some(g) => Expr::Len(self.target(rng, g)),
                None => Expr::Const(1),
            },
            _ => match self.pick(rng, is_number) {
                Some(g) => Expr::Read(self.target(rng, g)),
                None => Expr::Const(rng.between(0..=1)),
            },
        }
    }

    /// A condition, 0 or 1.
    pub(crate) fn boolean(&self, rng: &mut Rng, depth: u32) -> Expr {
        if depth == 0 || rng.chance(50) {
            return self.atom(rng, depth);
        }
        let a = self.boolean(rng, depth - 1);
        match rng.below(4) {
            0 => a.negate(),
            1 => a.op(Binary::Or, self.boolean(rng, depth - 1)),
            2 => a.op(Binary::Implies, self.boolean(rng, depth - 1)),
            _ => a.op(Binary::And, self.boolean(rng, depth - 1)),
        }
    }

    fn atom(&self, rng: &mut Rng, depth: u32) -> Expr {
        let tests: [Test; 4] = [
            (|k| *k == Kind::Lock, Expr::Free),
            (is_buffer, Expr::Empty),
            (is_buffer, Expr::Full),
            (|k| *k == Kind::Variable(Domain::Bool), Expr::Read),
        ];
        if !self.processes.is_empty() && rng.chance(40) {
            let process = rng.below(self.processes.len());
            let location = rng.below(self.processes[process].locations.len());
            return Expr::At(ProcessId::new(process), LocationId::new(location));
        }
        if self.is_machine(rng)
            && let Some(g) = self.pick(rng, is_buffer)
        {
            return self.offer(rng, g);
        }
        let (fits, test) = *rng.pick(&tests);
        match self.pick(rng, fits) {
            Some(g) if rng.chance(60) => test(self.target(rng, g)),
            _ => {
                let op = *rng.pick(&[Binary::Eq, Binary::Ne, Binary::Lt, Binary::Le, Binary::Gt, Binary::Ge]);
                self.int(rng, depth).op(op, self.int(rng, depth))
            }
        }
    }

    /// A value for a variable or field: in its domain, unless faults may happen.
    pub(crate) fn value(&self, rng: &mut Rng, domain: &Domain) -> Expr {
        let (lo, hi) = (domain.lo(), domain.hi());
        match rng.below(3) {
            _ if self.wild(rng) => self.int(rng, 2),
            0 => Expr::Const(member(rng, domain)),
            1 if *domain == Domain::Bool => self.boolean(rng, 1),
            _ => {
                // Numbers that grow without bound would make the state space of a wide variable huge.
                let few = if hi - lo < 20 { (lo, hi) } else { (-1, 1) };
                self.int(rng, 2).op(Binary::Max, few.0).op(Binary::Min, few.1)
            }
        }
    }
}

pub(crate) fn is_number(kind: &Kind) -> bool {
    matches!(kind, Kind::Variable(_) | Kind::Semaphore { .. } | Kind::Counter { .. })
}

pub(crate) fn is_buffer(kind: &Kind) -> bool {
    matches!(kind, Kind::Channel(c) if c.capacity > 0)
}
