//! The constants of the packages.

use std::collections::HashMap;

use super::Checked;
use super::data::is_followed;
use super::frame::{Frame, Meaning, Names, Notes};
use super::sym::Sym;
use super::types::Type;
use crate::bip::ast::{Model, PackageId};

/// The constants of all packages, by package and name.
#[derive(Default)]
pub(super) struct Constants<'m> {
    values: HashMap<(PackageId, &'m str), (Sym, Type)>,
}

struct Before<'a, 'm> {
    constants: &'a Constants<'m>,
    package: PackageId,
}

impl Names for Before<'_, '_> {
    fn name(&self, name: &str) -> Option<Meaning> {
        self.constants.get(self.package, name)
    }

    fn member(&self, _: &str, _: &str) -> Option<Meaning> {
        None
    }

    fn package(&self) -> PackageId {
        self.package
    }
}

impl<'m> Constants<'m> {
    /// Evaluates them, each from those before it.
    pub(super) fn new(model: &'m Model, notes: &Notes) -> Checked<Self> {
        let mut constants = Self::default();
        for (at, package) in model.packages.iter().enumerate() {
            let id = PackageId(at as u32);
            for constant in &package.constants {
                let names = Before { constants: &constants, package: id };
                let frame = Frame { model, notes, names: &names, data: Vec::new() };
                let ty = Type::of(&constant.data_type);
                let value = frame.eval_as(ty, &constant.value)?;
                let value = if is_followed(&constant.data_type) { value } else { Sym::Unknown };
                constants.values.insert((id, &constant.name.text), (value, ty));
            }
        }
        Ok(constants)
    }

    /// What the name of a constant means.
    pub(super) fn get(&self, package: PackageId, name: &str) -> Option<Meaning> {
        self.values.get(&(package, name)).map(|(value, ty)| Meaning::Value(value.clone(), *ty))
    }
}
