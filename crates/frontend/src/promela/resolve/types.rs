//! Types: `mtype`s with their constants, typedefs with their fields laid out in columns.

use std::collections::{HashMap, HashSet};

use crate::name::Text;
use crate::promela::ir::{Initial, Mtype, Scalar};

/// The number of a typedef.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StructId(pub(super) u32);

/// What one element of a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A number.
    Scalar(Scalar),
    /// A structure.
    Struct(StructId),
}

/// A typedef.
#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub(super) name: Text,
    pub(super) fields: Vec<Field>,
    /// The numbers in it, each with the sizes of the arrays around it.
    pub(super) leaves: Vec<Leaf>,
}

/// A field as it was declared.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: Text,
    pub(super) shape: Shape,
    pub(super) size: Option<u32>,
    /// Its first leaf.
    pub(super) leaf: u32,
}

/// A number in a structure, or an array of them.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The fields that lead to it, joined by dots; empty for a variable without structure.
    pub(super) path: String,
    pub(super) scalar: Scalar,
    pub(super) sizes: Vec<u32>,
    pub(super) initial: Initial,
}

/// One number of a structure: its leaf, and where in it.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) leaf: u32,
    pub(super) indices: Vec<u32>,
    pub(super) scalar: Scalar,
}

/// All types.
#[derive(Debug, Default)]
pub(super) struct Types {
    structs: Vec<Struct>,
    by_name: HashMap<Text, StructId>,
    /// The names of all typedefs of the text, those that are not yet known among them.
    pub(super) announced: HashSet<Text>,
    /// The constants by name: their `mtype` and value.
    pub(super) constants: HashMap<Text, (u32, i64)>,
    pub(super) mtypes: Vec<Mtype>,
}

impl Types {
    /// Adds a typedef.
    pub(super) fn add(&mut self, structure: Struct) {
        let id = StructId(self.structs.len() as u32);
        self.by_name.insert(structure.name.clone(), id);
        self.structs.push(structure);
    }

    /// The typedef of a name.
    pub(super) fn named(&self, name: &str) -> Option<StructId> {
        self.by_name.get(name).copied()
    }

    /// A typedef.
    pub(super) fn structure(&self, id: StructId) -> &Struct {
        &self.structs[id.0 as usize]
    }

    /// The names of all typedefs.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.structs.iter().map(|s| &*s.name)
    }

    /// The `mtype` of a subtype's name (nothing: the plain one), made if there is none.
    pub(super) fn mtype(&mut self, name: Option<&Text>) -> u32 {
        if self.mtypes.is_empty() {
            self.mtypes.push(Mtype::default());
        }
        if let Some(known) = self.find_mtype(name) {
            return known;
        }
        self.mtypes.push(Mtype { name: name.cloned(), constants: Vec::new() });
        self.mtypes.len() as u32 - 1
    }

    /// The `mtype` of a subtype's name.
    pub(super) fn find_mtype(&self, name: Option<&Text>) -> Option<u32> {
        self.mtypes.iter().position(|m| m.name.as_ref() == name).map(|at| at as u32)
    }

    /// The numbers of one element of a shape, in the order in which a message carries them.
    pub(super) fn cells(&self, shape: Shape) -> Vec<Cell> {
        match shape {
            Shape::Scalar(scalar) => vec![Cell { leaf: 0, indices: Vec::new(), scalar }],
            Shape::Struct(id) => {
                let fields = &self.structure(id).fields;
                fields.iter().flat_map(|f| self.cells_of_field(f)).collect()
            }
        }
    }

    fn cells_of_field(&self, field: &Field) -> Vec<Cell> {
        let inner = self.cells(field.shape);
        let Some(size) = field.size else {
            return inner.into_iter().map(|c| Cell { leaf: field.leaf + c.leaf, ..c }).collect();
        };
        let element = |index: u32| {
            inner.iter().map(move |c| {
                let indices = std::iter::once(index).chain(c.indices.iter().copied()).collect();
                Cell { leaf: field.leaf + c.leaf, indices, scalar: c.scalar }
            })
        };
        (0..size).flat_map(element).collect()
    }
}
