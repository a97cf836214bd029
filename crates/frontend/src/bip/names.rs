//! Which declaration a name of a type means: one of the package itself, or, by its path, of a package that it uses.

use super::ast::{AtomType, CompoundType, ConnectorType, ExternType, Model, Name, Package, PackageId, Path, PortType};

/// What a component can be an instance of.
#[derive(Clone, Copy, Debug)]
pub enum ComponentType<'m> {
    /// An atom type.
    Atom(&'m AtomType),
    /// A compound type.
    Compound(&'m CompoundType),
}

impl Path {
    /// As it is written, without spaces.
    pub fn text(&self) -> String {
        let parts: Vec<&str> = self.package.iter().chain([&self.name]).map(|name| &*name.text).collect();
        parts.join(".")
    }

    /// Whether these names are the path of a package.
    fn is(&self, names: &[Name]) -> bool {
        let own = self.package.iter().chain([&self.name]);
        own.map(|name| &name.text).eq(names.iter().map(|name| &name.text))
    }
}

impl Model {
    /// The package of the text itself.
    pub const MAIN: PackageId = PackageId(0);

    /// A package.
    pub fn package(&self, id: PackageId) -> &Package {
        &self.packages[id.0 as usize]
    }

    /// The package with this name.
    pub(super) fn package_named(&self, path: &Path) -> Option<&Package> {
        self.packages.iter().find(|package| package.name.text() == path.text())
    }

    /// The package in which a path that is written in `from` is declared: `from` itself, or one that it uses.
    pub fn home(&self, from: PackageId, path: &Path) -> Option<PackageId> {
        let own = self.package(from);
        if path.package.is_empty() || own.name.is(&path.package) {
            return Some(from);
        }
        own.uses.iter().find(|used| used.is(&path.package))?;
        let found = self.packages.iter().position(|package| package.name.is(&path.package))?;
        Some(PackageId(found as u32))
    }

    /// The atom type or the compound type that a path in `from` means, and its package.
    pub fn component_type(&self, from: PackageId, path: &Path) -> Option<(PackageId, ComponentType<'_>)> {
        let home = self.home(from, path)?;
        let package = self.package(home);
        let atom = package.atoms.iter().find(|a| a.name.text == path.name.text).map(ComponentType::Atom);
        let compound = || package.compounds.iter().find(|c| c.name.text == path.name.text).map(ComponentType::Compound);
        Some((home, atom.or_else(compound)?))
    }

    /// The connector type that a path in `from` means, and its package.
    pub fn connector_type(&self, from: PackageId, path: &Path) -> Option<(PackageId, &ConnectorType)> {
        let home = self.home(from, path)?;
        let found = self.package(home).connectors.iter().find(|c| c.name.text == path.name.text)?;
        Some((home, found))
    }

    /// The port type that a path in `from` means, and its package.
    pub fn port_type(&self, from: PackageId, path: &Path) -> Option<(PackageId, &PortType)> {
        let home = self.home(from, path)?;
        let found = self.package(home).port_types.iter().find(|p| p.name.text == path.name.text)?;
        Some((home, found))
    }

    /// The external data type that a path in `from` means, and its package.
    pub fn extern_type(&self, from: PackageId, path: &Path) -> Option<(PackageId, &ExternType)> {
        let home = self.home(from, path)?;
        let found = self.package(home).extern_types.iter().find(|t| t.name.text == path.name.text)?;
        Some((home, found))
    }
}
