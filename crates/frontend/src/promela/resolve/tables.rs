//! What is known of the whole program while its parts are resolved.

use std::collections::HashMap;

use super::scope::Scopes;
use super::types::{Shape, Types};
use crate::name::Text;
use crate::promela::ir::{NodeId, ProctypeId, Variable};

/// What everything in the program can refer to.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) types: Types,
    pub(super) globals: Locals,
    pub(super) proctypes: Vec<Signature>,
}

/// Variables with the scopes of their names: those of a body, or the global ones.
#[derive(Debug, Default)]
pub(super) struct Locals {
    pub(super) scopes: Scopes,
    pub(super) variables: Vec<Variable>,
}

/// A proctype as its callers see it.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) name: Text,
    /// Its parameters.
    pub(super) parameters: Vec<(Text, Shape)>,
}

/// What other processes can look at: known when all bodies are graphs.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// The variables of each proctype.
    pub(super) locals: Vec<Locals>,
    /// The labels of each proctype with their nodes.
    pub(super) labels: Vec<HashMap<Text, Vec<NodeId>>>,
}

impl Tables {
    /// The proctype of a name.
    pub(super) fn proctype(&self, name: &str) -> Option<ProctypeId> {
        self.proctypes.iter().position(|p| &*p.name == name).map(|at| ProctypeId(at as u32))
    }

    /// A proctype.
    pub(super) fn signature(&self, id: ProctypeId) -> &Signature {
        &self.proctypes[id.0 as usize]
    }
}
