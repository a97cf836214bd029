//! Binary decision diagrams: sets of assignments to a fixed number of variables, which are tested in their order.
//!
//! A manager has room for a fixed number of nodes. An operation for which there is no room left says [`Full`], and
//! everything that was built before stays valid. What nobody holds any more is reclaimed when room gets short.
//!
//! Operations recurse along the variables: run them on a thread with a stack for as many calls ([`deep`]).

mod copy;
mod restrict;

use std::fmt;

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::{AllocResult, OptBool, SatCountCache};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, HasLevel, Manager as _,
    ManagerRef as _, Node, Subst,
};

pub use oxidd::util::num::Natural;

/// The bytes of a node, with its part of the tables.
const NODE: u64 = 32;

/// The bytes of an entry of the cache for operations.
const ENTRY: u64 = 24;

/// The stack that calls take, in bytes for each variable.
const FRAME: usize = 8 << 10;

/// The most variables for which a stack can be made.
pub const MOST: usize = 1 << 20;

/// There is no room for another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no room for another node of a decision diagram")
    }
}

impl std::error::Error for Full {}

/// How much room a manager has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The most nodes.
    pub nodes: usize,
    /// Entries of the cache for operations.
    pub cache: usize,
}

impl Room {
    /// As much as fits into this many bytes, for this many variables. Memory is taken only as nodes are made; the
    /// cache is taken at once, so it is smaller where there is less to do.
    pub fn within(bytes: Option<u64>, variables: usize) -> Self {
        let bytes = bytes.unwrap_or(4 << 30).max(1 << 20);
        let wished = (variables.max(1) << 9).clamp(1 << 12, 1 << 22).next_power_of_two();
        let cache = wished.min((bytes / 4 / ENTRY) as usize);
        let nodes = ((bytes - cache as u64 * ENTRY) / NODE).min(1 << 29) as usize;
        Self { nodes, cache }
    }
}

/// Calls `f` on a thread whose stack is deep enough for this many variables.
pub fn deep<T: Send>(variables: usize, f: impl FnOnce() -> T + Send) -> T {
    let stack = (variables.min(MOST) * FRAME).max(64 << 20);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("diagrams".to_owned()).stack_size(stack).spawn_scoped(scope, f);
        let thread = thread.expect("a thread can be started");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Holds the nodes.
pub struct Manager {
    inner: BCDDManagerRef,
    variables: u32,
}

/// A set of assignments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bdd(BCDDFunction);

/// Some of the variables.
#[derive(Clone, Debug)]
pub struct Variables(Bdd);

/// Values of some variables.
#[derive(Clone, Debug)]
pub struct Cube(Bdd);

/// Variables that take the places of others.
pub struct Renaming(Subst<BCDDFunction>);

impl fmt::Debug for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Manager({} variables, {} nodes)", self.variables, self.nodes())
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdd({} nodes)", self.nodes())
    }
}

impl fmt::Debug for Renaming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Renaming")
    }
}

/// Runs an operation; if there is no room, once more after what nobody holds was reclaimed.
fn made(manager: &BCDDManagerRef, operation: impl Fn() -> AllocResult<BCDDFunction>) -> Result<Bdd, Full> {
    let again = |_| {
        manager.with_manager_shared(|m| m.gc());
        operation()
    };
    operation().or_else(again).map(Bdd).map_err(|_| Full)
}

impl Manager {
    /// A manager for variables `0..variables`.
    pub fn new(variables: u32, room: Room) -> Self {
        let inner = oxidd::bcdd::new_manager(room.nodes, room.cache, 1);
        inner.with_manager_exclusive(|m| m.add_vars(variables));
        Self { inner, variables }
    }

    /// The number of variables.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The nodes that are held now, those that could be reclaimed included.
    pub fn nodes(&self) -> usize {
        self.inner.with_manager_shared(|m| m.approx_num_inner_nodes())
    }

    /// About how many bytes the nodes take.
    pub fn bytes(&self) -> u64 {
        self.nodes() as u64 * NODE
    }

    /// All assignments.
    pub fn all(&self) -> Bdd {
        Bdd(self.inner.with_manager_shared(|m| BCDDFunction::t(m)))
    }

    /// No assignment.
    pub fn none(&self) -> Bdd {
        Bdd(self.inner.with_manager_shared(|m| BCDDFunction::f(m)))
    }

    /// The assignments that give a variable this value.
    pub fn literal(&self, variable: u32, value: bool) -> Result<Bdd, Full> {
        let make = if value { BCDDFunction::var } else { BCDDFunction::not_var };
        made(&self.inner, || self.inner.with_manager_shared(|m| make(m, variable)))
    }

    /// Values of some variables.
    pub fn cube(&self, literals: impl IntoIterator<Item = (u32, bool)>) -> Result<Cube, Full> {
        let mut literals: Vec<(u32, bool)> = literals.into_iter().collect();
        literals.sort_unstable_by(|a, b| b.cmp(a));
        let step = |cube: Bdd, (variable, value)| cube.and(&self.literal(variable, value)?);
        literals.into_iter().try_fold(self.all(), step).map(Cube)
    }

    /// Some of the variables.
    pub fn set(&self, variables: impl IntoIterator<Item = u32>) -> Result<Variables, Full> {
        self.cube(variables.into_iter().map(|v| (v, true))).map(|cube| Variables(cube.0))
    }

    /// The second variable of each pair takes the place of the first.
    pub fn renaming(&self, pairs: &[(u32, u32)]) -> Result<Renaming, Full> {
        let to = pairs.iter().map(|&(_, to)| Ok(self.literal(to, true)?.0)).collect::<Result<Vec<_>, Full>>()?;
        Ok(Renaming(Subst::new(pairs.iter().map(|p| p.0).collect(), to)))
    }
}

impl Cube {
    /// The assignments with these values.
    pub fn set(&self) -> &Bdd {
        &self.0
    }
}

impl Bdd {
    fn made(&self, operation: impl Fn(&BCDDFunction) -> AllocResult<BCDDFunction>) -> Result<Bdd, Full> {
        made(&self.0.manager_ref(), || operation(&self.0))
    }

    /// Whether it is empty.
    pub fn is_none(&self) -> bool {
        !self.0.satisfiable()
    }

    /// Whether it is everything.
    pub fn is_all(&self) -> bool {
        self.0.valid()
    }

    /// The complement.
    #[must_use]
    pub fn not(&self) -> Bdd {
        Bdd(self.0.not().expect("a complement needs no node"))
    }

    /// The intersection.
    pub fn and(&self, other: &Bdd) -> Result<Bdd, Full> {
        self.made(|f| f.and(&other.0))
    }

    /// The union.
    pub fn or(&self, other: &Bdd) -> Result<Bdd, Full> {
        self.made(|f| f.or(&other.0))
    }

    /// What is in this set and not in the other.
    pub fn minus(&self, other: &Bdd) -> Result<Bdd, Full> {
        self.and(&other.not())
    }

    /// Whether every assignment of this set is in the other.
    pub fn within(&self, other: &Bdd) -> Result<bool, Full> {
        Ok(self.minus(other)?.is_none())
    }

    /// Whatever the values of some variables.
    pub fn exists(&self, variables: &Variables) -> Result<Bdd, Full> {
        self.made(|f| f.exists(&variables.0.0))
    }

    /// The intersection, whatever the values of some variables.
    pub fn and_exists(&self, other: &Bdd, variables: &Variables) -> Result<Bdd, Full> {
        self.made(|f| f.apply_exists(BooleanOperator::And, &other.0, &variables.0.0))
    }

    /// What is left when some variables have these values; it says nothing of them any more.
    pub fn given(&self, cube: &Cube) -> Result<Bdd, Full> {
        self.made(|f| f.restrict(&cube.0.0))
    }

    /// With other variables in their places.
    pub fn renamed(&self, renaming: &Renaming) -> Result<Bdd, Full> {
        self.made(|f| f.substitute(&renaming.0))
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.0.node_count()
    }

    /// How many assignments of this many variables; all variables that it depends on must be among them.
    pub fn count(&self, all: u32, counted: u32) -> Natural {
        let mut cache: SatCountCache<Natural, std::hash::RandomState> = SatCountCache::default();
        self.0.sat_count(all, &mut cache) >> (all - counted)
    }

    /// An assignment of the set: the least one, where variables that do not matter are 0.
    pub fn pick(&self) -> Option<Vec<bool>> {
        let cube = self.0.pick_cube(|_, _, _| false)?;
        Some(cube.into_iter().map(|value| value == OptBool::True).collect())
    }

    /// Whether an assignment is in the set.
    pub fn contains(&self, assignment: &[bool]) -> bool {
        self.0.eval(assignment.iter().enumerate().map(|(v, value)| (v as u32, *value)))
    }

    /// The variable tested first, and what is left when it is 1 and when it is 0.
    pub fn split(&self) -> Option<(u32, Bdd, Bdd)> {
        let (high, low) = self.0.cofactors()?;
        let variable = self.0.with_manager_shared(|m, edge| match m.get_node(edge) {
            Node::Inner(node) => m.level_to_var(node.level()),
            Node::Terminal(_) => unreachable!("it has cofactors"),
        });
        Some((variable, Bdd(high), Bdd(low)))
    }

    /// The variable if both sides differ: `high` where it is 1 and `low` where it is 0. They test later variables only.
    pub fn node(variable: u32, high: &Bdd, low: &Bdd) -> Result<Bdd, Full> {
        let manager = high.0.manager_ref();
        let test = || manager.with_manager_shared(|m| BCDDFunction::var(m, variable));
        made(&manager, || test()?.ite(&high.0, &low.0))
    }
}

#[cfg(test)]
mod tests;
