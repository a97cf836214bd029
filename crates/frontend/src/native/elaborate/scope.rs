//! What names mean: index variables, then the objects of the process, then what is declared for all.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use model::{ActionId, Enumeration, Kind, LocationId, ObjectId, ProcessId, Span};

use super::types::Type;
use crate::native::ast::Name;

/// The index variables in force, the innermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Vars<'t>(Option<Rc<Binding<'t>>>);

#[derive(Debug)]
struct Binding<'t> {
    name: &'t str,
    value: i64,
    outer: Vars<'t>,
}

impl<'t> Vars<'t> {
    /// These variables and one more.
    pub(super) fn with(&self, name: &'t str, value: i64) -> Self {
        Self(Some(Rc::new(Binding { name, value, outer: self.clone() })))
    }

    pub(super) fn get(&self, name: &str) -> Option<i64> {
        self.iter().find(|b| b.name == name).map(|b| b.value)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'t str> {
        self.iter().map(|b| b.name)
    }

    fn iter(&self) -> impl Iterator<Item = &Binding<'t>> {
        std::iter::successors(self.0.as_deref(), |b| b.outer.0.as_deref())
    }
}

/// The member of a family that an expression belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Home {
    pub(super) family: usize,
    pub(super) member: usize,
}

/// Where an expression stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope<'t> {
    pub(super) vars: Vars<'t>,
    pub(super) home: Option<Home>,
    /// Whether `P at s` may be asked: in properties only.
    pub(super) may_ask_where: bool,
}

impl<'t> Scope<'t> {
    /// The same place with one more index variable.
    pub(super) fn with(&self, name: &'t str, value: i64) -> Self {
        Self { vars: self.vars.with(name, value), ..self.clone() }
    }
}

/// An object, or an array of them, row by row.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) first: ObjectId,
    pub(super) dims: Vec<u32>,
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// Whether its declaration was rejected: whoever uses it is not to blame.
    pub(super) broken: bool,
}

/// What a name for all stands for.
#[derive(Clone, Debug)]
pub(super) enum Entity {
    /// A constant and the word for it: parameter, constant or enumeration value.
    Constant(&'static str, Type, i64),
    Enumeration(Arc<Enumeration>),
    Objects(Rc<Array>),
    Actions(ActionId, Vec<u32>),
    Family(usize),
    /// One process of a family, by its whole name.
    Process(Home),
}

impl Entity {
    /// The word for it in messages.
    pub(super) fn noun(&self) -> &'static str {
        match self {
            Entity::Constant(noun, ..) => noun,
            Entity::Enumeration(_) => "enumeration",
            Entity::Objects(array) => array.kind.noun(),
            Entity::Actions(..) => "action",
            Entity::Family(_) | Entity::Process(_) => "process",
        }
    }
}

/// A declaration.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) entity: Entity,
    pub(super) span: Span,
}

/// The processes that one declaration makes.
#[derive(Debug)]
pub(super) struct Family<'t> {
    pub(super) name: Name<'t>,
    /// The ranges of its indices; none for a single process.
    pub(super) ranges: Vec<(i64, i64)>,
    pub(super) members: Vec<Member<'t>>,
    /// Whether the ranges were rejected: one member stands for all, so that its body is checked.
    pub(super) broken: bool,
}

/// One process.
#[derive(Debug)]
pub(super) struct Member<'t> {
    pub(super) id: ProcessId,
    pub(super) vars: Vars<'t>,
    pub(super) name: String,
    pub(super) locals: HashMap<&'t str, Rc<Array>>,
    pub(super) states: States<'t>,
}

/// The states of a process or an observer.
#[derive(Debug, Default)]
pub(super) struct States<'t> {
    pub(super) groups: HashMap<&'t str, Group>,
    /// The states that another language has one name for, which then counts.
    pub(super) shared: HashMap<&'t str, Vec<LocationId>>,
    /// The names and the groups of all states, in order.
    pub(super) names: Vec<(String, Span)>,
}

/// A state, or a family of states.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) first: LocationId,
    pub(super) ranges: Vec<(i64, i64)>,
    pub(super) span: Span,
    /// Whether the ranges were rejected.
    pub(super) broken: bool,
}

/// The position of `indices` in the block that `ranges` span, row by row; `Err` gives the index that is outside.
pub(super) fn position(ranges: &[(i64, i64)], indices: &[i64]) -> Result<usize, usize> {
    let mut out = 0;
    for (k, (&(lo, hi), &index)) in ranges.iter().zip(indices).enumerate() {
        if index < lo || index > hi {
            return Err(k);
        }
        out = out * (hi - lo + 1) as usize + (index - lo) as usize;
    }
    Ok(out)
}

/// How many positions the block has; `None` beyond any sensible number.
pub(super) fn volume(ranges: &[(i64, i64)]) -> Option<usize> {
    ranges.iter().try_fold(1usize, |product, &(lo, hi)| {
        let size = if hi < lo { 0 } else { hi.checked_sub(lo)?.checked_add(1)? };
        product.checked_mul(usize::try_from(size).ok()?)
    })
}

/// All positions of the block, row by row.
pub(super) fn positions(ranges: &[(i64, i64)]) -> impl Iterator<Item = Vec<i64>> {
    let count = volume(ranges).unwrap_or(0);
    (0..count).map(move |mut rest| {
        let mut indices = vec![0; ranges.len()];
        for (index, &(lo, hi)) in indices.iter_mut().zip(ranges).rev() {
            let size = (hi - lo + 1) as usize;
            *index = lo + (rest % size) as i64;
            rest /= size;
        }
        indices
    })
}

/// `name[1][2]`.
pub(super) fn indexed(name: &str, indices: &[i64]) -> String {
    let mut out = name.to_owned();
    for i in indices {
        out.push_str(&format!("[{i}]"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_row_by_row() {
        let ranges = [(0, 1), (-1, 1)];
        let all: Vec<Vec<i64>> = positions(&ranges).collect();
        assert_eq!(all, [[0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]]);
        for (k, indices) in all.iter().enumerate() {
            assert_eq!(position(&ranges, indices), Ok(k));
        }
        assert_eq!(position(&ranges, &[0, 2]), Err(1));
        assert_eq!(volume(&[(0, -5)]), Some(0));
        assert_eq!(volume(&[(i64::MIN, i64::MAX)]), None);
    }

    #[test]
    fn inner_variables_hide_outer_ones() {
        let vars = Vars::default().with("i", 1).with("j", 2).with("i", 3);
        assert_eq!((vars.get("i"), vars.get("j"), vars.get("k")), (Some(3), Some(2), None));
    }
}
