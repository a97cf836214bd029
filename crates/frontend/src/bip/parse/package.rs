//! Packages.

use model::Span;

use super::cursor::{Parsed, Parser};
use crate::bip::ast::{Constant, Package, Path, PortType};
use crate::bip::token::Kind;

/// The words that a declaration of a package begins with.
const WORDS: [&str; 8] = ["use", "const", "extern", "port", "atom", "connector", "compound", "end"];

impl Parser<'_, '_> {
    /// The package that makes up a file; what could not be parsed was reported and is missing.
    pub(super) fn file(mut self, part: Span) -> Option<Package> {
        let begins = |p: &Self| p.at(Kind::Package);
        let head = self.recovering(begins, |p| p.annotations());
        let name = match head {
            Some(()) => self.recovering(Self::at_item, |p| p.package_name()),
            // The mistake was before the package, which can be read nonetheless.
            None => self.package_name().ok(),
        };
        let mut package = Package { span: part, ..empty(name?) };
        self.items(&mut package);
        if !self.tired() {
            let end = self.expect(Kind::End, "a declaration or `end`").map(|_| ());
            let rest = end.and_then(|()| self.expect(Kind::TextEnd, "nothing after the `end` of the package"));
            if let Err(mistake) = rest {
                self.report(*mistake);
            }
        }
        Some(package)
    }

    fn package_name(&mut self) -> Parsed<Path> {
        self.expect(Kind::Package, "`package`")?;
        self.path("the name of the package")
    }

    /// Whether a declaration of a package begins here. Inner declarations of types may begin with the same words, and
    /// only the last `end` is that of the package.
    fn at_item(&self) -> bool {
        let external = matches!(self.kind(1), Kind::Function | Kind::Operator) || self.kind(2) == Kind::Type;
        match self.kind(0) {
            Kind::At | Kind::Use | Kind::Const => true,
            Kind::Extern => external,
            Kind::End => self.kind(1) == Kind::TextEnd,
            _ => self.at_type(),
        }
    }

    /// The declarations up to `end`.
    fn items(&mut self, package: &mut Package) {
        while !self.at(Kind::End) && !self.at(Kind::TextEnd) && !self.tired() {
            self.recovering(Self::at_item, |p| {
                p.annotations()?;
                p.item(package)
            });
        }
    }

    fn item(&mut self, package: &mut Package) -> Parsed<()> {
        match self.kind(0) {
            Kind::Use => {
                self.bump();
                package.uses.push(self.path("the name of a package")?);
            }
            Kind::Const => package.constants.extend(self.constants()?),
            Kind::Extern => self.extern_item(package)?,
            Kind::Port => package.port_types.push(self.port_type()?),
            Kind::Atom => package.atoms.extend(self.atom_type()?),
            Kind::Connector => package.connectors.extend(self.connector_type()?),
            Kind::Compound => package.compounds.extend(self.compound_type()?),
            _ => return Err(self.unexpected_word("a declaration", &WORDS)),
        }
        Ok(())
    }

    /// `const data int X = 3, Y = 2*X`.
    fn constants(&mut self) -> Parsed<Vec<Constant>> {
        self.bump();
        self.expect(Kind::Data, "`data`")?;
        let data_type = self.data_type()?;
        self.list(|p| {
            let name = p.name("the name of the constant")?;
            p.expect(Kind::Is, "`=` and the value of the constant")?;
            Ok(Constant { data_type: data_type.clone(), name, value: p.expr()? })
        })
    }

    /// `port type T(int x)`.
    fn port_type(&mut self) -> Parsed<PortType> {
        let start = self.bump();
        self.expect(Kind::Type, "`type`")?;
        let name = self.name("the name of the type")?;
        let data = self.parameters()?;
        Ok(PortType { name, data, span: self.since(start) })
    }
}

fn empty(name: Path) -> Package {
    let span = name.span;
    Package {
        name,
        uses: Vec::new(),
        constants: Vec::new(),
        extern_types: Vec::new(),
        functions: Vec::new(),
        operators: Vec::new(),
        port_types: Vec::new(),
        atoms: Vec::new(),
        connectors: Vec::new(),
        compounds: Vec::new(),
        span,
    }
}
