//! Types: every path means one, of this package or of one that it uses.

use super::Checker;
use crate::Diagnostic;
use crate::bip::ast::{DataType, DataTypeKind, Name, Package, Path, PortType};

impl<'m> Checker<'m> {
    pub(super) fn extern_type(&mut self, path: &Path) {
        if self.model.extern_type(self.package, path).is_none() {
            self.unknown_type(path, "data type", |p| p.extern_types.iter().map(|t| &t.name).collect());
        }
    }

    pub(super) fn data_type(&mut self, data_type: &DataType) {
        if let DataTypeKind::Extern(path) = &data_type.kind {
            self.extern_type(path);
        }
    }

    pub(super) fn port_type(&mut self, path: &Path) -> Option<&'m PortType> {
        let found = self.model.port_type(self.package, path).map(|(_, found)| found);
        if found.is_none() {
            self.unknown_type(path, "port type", |p| p.port_types.iter().map(|t| &t.name).collect());
        }
        found
    }

    /// Reports the path of a type that means nothing; `names` gives the types of its kind that a package declares.
    pub(super) fn unknown_type(&mut self, path: &Path, noun: &str, names: impl Fn(&'m Package) -> Vec<&'m Name>) {
        let Some(home) = self.model.home(self.package, path) else { return self.unused_package(path, noun) };
        if let Some(package) = self.package_with(path, &names) {
            let message = format!("there is no {noun} `{}` in this package", path.name.text);
            let help = format!("that of a used package is `{}.{}`", package.name.text(), path.name.text);
            return self.report(Diagnostic::error(path.span, message).label(format!("unknown {noun}")).help(help));
        }
        let candidates = names(self.model.package(home));
        self.unknown(&path.name, noun, candidates.iter().map(|name| &*name.text));
    }

    fn unused_package(&mut self, path: &Path, noun: &str) {
        let names: Vec<&str> = path.package.iter().map(|name| &*name.text).collect();
        let package = names.join(".");
        let error = Diagnostic::error(path.span, format!("the package `{package}` is not used here"));
        self.report(error.label(format!("unknown {noun}")).help(format!("write `use {package}` above")));
    }

    /// A package that is used and has what a name without a path may mean.
    fn package_with(&self, path: &Path, names: impl Fn(&'m Package) -> Vec<&'m Name>) -> Option<&'m Package> {
        let mut used = self.model.package(self.package).uses.iter().filter_map(|used| self.model.package_named(used));
        used.find(|package| path.package.is_empty() && names(package).iter().any(|name| name.text == path.name.text))
    }
}
