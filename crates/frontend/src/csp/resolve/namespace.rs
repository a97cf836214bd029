//! Names that are declared outside of functions.

use std::collections::{HashMap, HashSet};

use model::Span;

use super::{Resolver, error};
use crate::csp::ast::{Module, Name, Text};
use crate::csp::code::{Builtin, GlobalId, HeadId};
use crate::csp::process::Checked;
use crate::native::nearest::suggestion;

/// A script, a module or an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NamespaceId(usize);

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning<'a> {
    Global(GlobalId),
    Head(HeadId),
    Builtin(Builtin),
    /// A module with parameters, and where its own names are looked up.
    Template(&'a Module, NamespaceId),
    Namespace(NamespaceId),
}

/// The names of a script, a module or an instance.
#[derive(Debug, Default)]
pub(super) struct Namespace<'a> {
    parent: Option<NamespaceId>,
    /// What stands before its names where they are shown: `M::`; nothing for the script itself.
    prefix: String,
    names: HashMap<Text, Meaning<'a>>,
    /// What others see; nothing said for the script itself.
    pub(super) exported: Option<HashSet<Text>>,
}

impl<'a> Resolver<'a> {
    /// The name space of the whole script.
    pub(super) fn root(&mut self) -> NamespaceId {
        self.namespaces.push(Namespace::default());
        NamespaceId(self.namespaces.len() - 1)
    }

    /// The name space of a module or an instance: which sees the names of `parent`, and where it is declared by which
    /// name.
    pub(super) fn inner(&mut self, parent: NamespaceId, place: NamespaceId, name: &Name) -> NamespaceId {
        let prefix = format!("{}::", self.full_name(place, &name.text));
        self.namespaces.push(Namespace { parent: Some(parent), prefix, ..Namespace::default() });
        NamespaceId(self.namespaces.len() - 1)
    }

    /// A name as it is written at the end of the script. Equal names of different modules are told apart by it.
    pub(super) fn full_name(&self, namespace: NamespaceId, name: &str) -> Text {
        format!("{}{name}", self.namespaces[namespace.0].prefix).into()
    }

    pub(super) fn names(&mut self, namespace: NamespaceId) -> &mut Namespace<'a> {
        &mut self.namespaces[namespace.0]
    }

    /// Gives a name its meaning, once.
    pub(super) fn define(&mut self, namespace: NamespaceId, name: &Name, meaning: Meaning<'a>) {
        if self.names(namespace).names.insert(name.text.clone(), meaning).is_some() {
            let message = format!("the name `{}` is defined more than once", name.text);
            self.errors.push(crate::Diagnostic::error(name.span, message).label("defined again here"));
        }
    }

    /// What a name means outside of functions.
    pub(super) fn look_up(&self, name: &str) -> Option<Meaning<'a>> {
        let mut at = Some(self.current);
        while let Some(id) = at {
            let namespace = &self.namespaces[id.0];
            if let Some(meaning) = namespace.names.get(name) {
                return Some(*meaning);
            }
            at = namespace.parent;
        }
        Builtin::named(name).map(Meaning::Builtin)
    }

    /// What `M::N::x` means.
    pub(super) fn look_up_path(&self, path: &[Name]) -> Checked<Meaning<'a>> {
        let first = path.first().expect("a path has names");
        let mut meaning = self.look_up(&first.text).ok_or_else(|| self.unknown(&first.text, first.span))?;
        for (module, name) in path.iter().zip(&path[1..]) {
            let Meaning::Namespace(id) = meaning else {
                return Err(error(module.span, format!("`{}` is not a module or an instance", module.text)));
            };
            let namespace = &self.namespaces[id.0];
            let visible = namespace.exported.as_ref().is_none_or(|names| names.contains(&name.text));
            meaning = *namespace.names.get(&name.text).filter(|_| visible).ok_or_else(|| {
                error(name.span, format!("the module `{}` exports nothing called `{}`", module.text, name.text))
            })?;
        }
        Ok(meaning)
    }

    pub(super) fn unknown(&self, name: &str, span: Span) -> Box<crate::Diagnostic> {
        let mut known: Vec<&str> = Builtin::names().collect();
        known.extend(self.local_names());
        known.extend(self.namespaces.iter().flat_map(|n| n.names.keys().map(|k| &**k)));
        known.sort_unstable();
        let help = if Builtin::declared(name).is_some() {
            Some(format!("declare it first: `transparent {name}` or `external {name}`"))
        } else {
            suggestion(name, known)
        };
        let report = crate::Diagnostic::error(span, format!("the name `{name}` is not defined"));
        Box::new(report.label("not found").maybe_help(help))
    }
}
