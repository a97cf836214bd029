//! The data items of atoms: their first values, and which of them are constant, part of the state, or not followed.
//!
//! An item is constant until something writes another value to it, and part of the state until something unknown is
//! written to it. The statuses only rise, so the passes over the model that find them come to an end.

use model::Span;

use super::Checked;
use super::design::{Atom, Design, given};
use super::frame::{Frame, Meaning, Names, Notes};
use super::slots::Slot;
use super::sym::Sym;
use super::types::Type;
use crate::Diagnostic;
use crate::bip::Abstraction;
use crate::bip::ast::{DataType, DataTypeKind, Model, PackageId};

/// A data item of an atom.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) ty: DataType,
    pub(super) initial: i64,
    pub(super) status: Status,
}

/// What is done with a data item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    /// It keeps its first value.
    Constant,
    /// It is part of the state.
    Followed,
    /// It may hold a value from outside of the model.
    Unknown,
}

impl Item {
    /// The type of its values.
    pub(super) fn ty(&self) -> Type {
        Type::of(&self.ty)
    }

    /// Its value in a state.
    pub(super) fn read(&self, number: usize) -> Sym {
        match self.status {
            Status::Constant => Sym::constant(self.initial),
            Status::Followed => Sym::read(Slot::Item(number)),
            Status::Unknown => Sym::Unknown,
        }
    }

    /// The status that it needs if this is written to it.
    pub(super) fn after(&self, number: usize, written: &Sym) -> Status {
        match written {
            Sym::Unknown => Status::Unknown,
            known if known.same(&self.read(number)) => self.status,
            _ => self.status.max(Status::Followed),
        }
    }
}

/// Whether values of the type are followed at all.
pub(super) fn is_followed(ty: &DataType) -> bool {
    matches!(ty.kind, DataTypeKind::Int | DataTypeKind::Bool)
}

/// The value of data that nobody has set.
pub(super) fn unset(ty: &DataType) -> Sym {
    if is_followed(ty) { Sym::constant(0) } else { Sym::Unknown }
}

/// The names that the actions and conditions of an atom may use.
pub(super) struct AtomNames<'a, 'm> {
    pub(super) design: &'a Design<'m>,
    pub(super) atom: &'a Atom<'m>,
}

impl Names for AtomNames<'_, '_> {
    fn name(&self, name: &str) -> Option<Meaning> {
        let ty = self.atom.ty;
        if let Some(at) = ty.data.iter().position(|d| &*d.name.text == name) {
            return Some(Meaning::Data(at, Type::of(&ty.data[at].data_type)));
        }
        let parameter = given(&ty.parameters, &self.atom.arguments, name);
        parameter.or_else(|| self.design.constants.get(self.atom.package, name))
    }

    fn member(&self, _: &str, _: &str) -> Option<Meaning> {
        None
    }

    fn package(&self) -> PackageId {
        self.atom.package
    }
}

/// The data items of all atoms as they begin.
pub(super) fn items(design: &Design<'_>, notes: &Notes) -> Checked<Vec<Item>> {
    let mut items = Vec::with_capacity(design.items);
    for atom in &design.atoms {
        items.extend(atom_items(design, atom, notes)?);
    }
    Ok(items)
}

fn atom_items(design: &Design<'_>, atom: &Atom<'_>, notes: &Notes) -> Checked<Vec<Item>> {
    let names = AtomNames { design, atom };
    let data = atom.ty.data.iter().map(|d| unset(&d.data_type)).collect();
    let mut frame = Frame { model: design.model, notes, names: &names, data };
    for (at, data) in atom.ty.data.iter().enumerate() {
        if let Some(initial) = data.initial.as_ref().filter(|_| is_followed(&data.data_type)) {
            frame.data[at] = frame.eval_as(Type::of(&data.data_type), initial)?;
        }
    }
    frame.run(&atom.ty.initial.actions)?;
    let values = frame.data;
    values.into_iter().enumerate().map(|(at, value)| item(design.model, atom, at, &value, notes)).collect()
}

fn item(model: &Model, atom: &Atom<'_>, at: usize, value: &Sym, notes: &Notes) -> Checked<Item> {
    let data = &atom.ty.data[at];
    let (name, span) = (format!("{}.{}", atom.path, data.name.text), data.name.span);
    let ty = data.data_type.clone();
    let outside =
        atom.ty.ports.iter().find(|p| p.external.is_some() && p.data.iter().any(|d| d.text == data.name.text));
    let status = match (value, outside) {
        _ if !is_followed(&data.data_type) => {
            let written = model.sources.text().get(data.data_type.span.range()).unwrap_or_default();
            let message = format!("`{}` is of type {written}: its values are unknown", data.name.text);
            notes.borrow_mut().insert(Abstraction { span, message });
            Status::Unknown
        }
        (_, Some(_)) | (Sym::Unknown, None) => Status::Unknown,
        (known, None) if known.value().is_some() => Status::Constant,
        _ => return Err(Diagnostic::error(span, format!("the first value of `{name}` cannot be computed"))),
    };
    let initial = value.value().unwrap_or(0);
    if status == Status::Constant && i32::try_from(initial).is_err() {
        let message = format!("the first value of `{name}` is {initial}, which does not fit into 32 bits");
        return Err(Diagnostic::error(span, message));
    }
    Ok(Item { name, span, ty, initial, status })
}
