//! Which names are visible where. Blocks are scopes, options of `if` and `do` are not; a name is visible from its
//! declaration on.

use std::collections::HashMap;

use model::Span;

use super::types::Shape;
use crate::name::Text;

/// The number of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct ScopeId(u32);

/// A place in a body, as far as names are concerned.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) scope: ScopeId,
    /// How many names were declared before it.
    pub(super) names: u32,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    /// Its first column.
    pub(super) column: u32,
    /// What one element of it is.
    pub(super) shape: Shape,
    /// How many elements an array has.
    pub(super) size: Option<u32>,
    /// Where it is declared.
    pub(super) span: Span,
    /// How many names were declared before it.
    number: u32,
}

/// The scopes of one body; the first one is that of the whole body.
#[derive(Debug)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
    names: u32,
}

#[derive(Debug, Default)]
struct Scope {
    parent: Option<ScopeId>,
    symbols: HashMap<Text, Symbol>,
}

impl Default for Scopes {
    fn default() -> Self {
        Self { scopes: vec![Scope::default()], names: 0 }
    }
}

impl Scopes {
    /// A new scope inside another one.
    pub(super) fn open(&mut self, parent: ScopeId) -> ScopeId {
        self.scopes.push(Scope { parent: Some(parent), symbols: HashMap::new() });
        ScopeId(self.scopes.len() as u32 - 1)
    }

    /// The scope around a scope.
    pub(super) fn parent(&self, scope: ScopeId) -> Option<ScopeId> {
        self.scopes[scope.0 as usize].parent
    }

    /// The place that was reached in a scope.
    pub(super) fn place(&self, scope: ScopeId) -> Place {
        Place { scope, names: self.names }
    }

    /// Declares a variable, unless the scope has one of its name.
    pub(super) fn declare(&mut self, scope: ScopeId, name: &Text, symbol: Declared) -> Result<(), Span> {
        if let Some(other) = self.scopes[scope.0 as usize].symbols.get(name) {
            return Err(other.span);
        }
        let Declared { column, shape, size, span } = symbol;
        let number = self.names;
        self.names += 1;
        self.scopes[scope.0 as usize].symbols.insert(name.clone(), Symbol { column, shape, size, span, number });
        Ok(())
    }

    /// The variable that a name means at a place.
    pub(super) fn find(&self, place: Place, name: &str) -> Option<&Symbol> {
        let mut at = Some(place.scope);
        while let Some(scope) = at {
            let scope = &self.scopes[scope.0 as usize];
            if let Some(symbol) = scope.symbols.get(name).filter(|s| s.number < place.names) {
                return Some(symbol);
            }
            at = scope.parent;
        }
        None
    }

    /// The variable of a name that a scope itself declares.
    pub(super) fn find_in(&self, scope: ScopeId, name: &str) -> Option<&Symbol> {
        self.scopes[scope.0 as usize].symbols.get(name)
    }

    /// The variable of a name wherever it is declared, outer scopes first: how other processes see it.
    pub(super) fn find_anywhere(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().find_map(|s| s.symbols.get(name))
    }

    /// All names that are visible at a place.
    pub(super) fn visible(&self, place: Place) -> Vec<&str> {
        let mut names = Vec::new();
        let mut at = Some(place.scope);
        while let Some(scope) = at {
            let scope = &self.scopes[scope.0 as usize];
            names.extend(scope.symbols.keys().map(|n| &**n));
            at = scope.parent;
        }
        names.sort_unstable();
        names
    }

    /// All names.
    pub(super) fn all_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.scopes.iter().flat_map(|s| s.symbols.keys()).map(|n| &**n).collect();
        names.sort_unstable();
        names
    }
}

/// What is known of a variable when it is declared.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) column: u32,
    pub(super) shape: Shape,
    pub(super) size: Option<u32>,
    pub(super) span: Span,
}
