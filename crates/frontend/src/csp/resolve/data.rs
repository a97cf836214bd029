//! Declarations: names first, so that definitions may use each other in any order.

use super::namespace::{Meaning, NamespaceId};
use super::{Pending, Resolver, error, unsupported};
use crate::csp::ast::{Datatype, Decl, DeclKind, Expr, Name, Pattern, PatternKind};
use crate::csp::code::{BlockId, Builtin, Global, GlobalId, Head, HeadId, Kind, Type, TypeId};
use crate::csp::process::Checked;

impl<'a> Resolver<'a> {
    /// Declares the names of a script, a module or an instance; what they stand for is resolved later.
    pub(super) fn declare(&mut self, namespace: NamespaceId, decls: &'a [Decl]) {
        for decl in decls {
            self.declare_one(namespace, decl);
        }
        // The names in these depend on what is a constructor or a module.
        for decl in decls {
            self.current = namespace;
            let done = match &decl.kind {
                DeclKind::Bind { pattern, value } if name_of(pattern).is_none() => {
                    self.declare_match(namespace, pattern, value);
                    Ok(())
                }
                DeclKind::Subtype(subtype) => self.declare_subtype(namespace, subtype),
                DeclKind::Instance { name, module, arguments } => {
                    self.declare_instance(namespace, name, module, arguments)
                }
                _ => Ok(()),
            };
            self.errors.extend(done.err().map(|e| *e));
        }
    }

    fn declare_one(&mut self, namespace: NamespaceId, decl: &'a Decl) {
        match &decl.kind {
            DeclKind::Function(function) => {
                let block = self.declare_block(namespace, &function.name);
                self.pending.push((namespace, Pending::Function(block, function)));
            }
            DeclKind::Bind { pattern, value } => {
                if let Some(name) = name_of(pattern) {
                    let block = self.declare_block(namespace, &name);
                    self.pending.push((namespace, Pending::Value(block, Some(name.text), value)));
                }
            }
            DeclKind::Channel { names, data } => self.declare_channels(namespace, names, data.as_ref()),
            DeclKind::Datatype(datatype) => self.declare_datatype(namespace, datatype),
            DeclKind::Nametype { name, value } => {
                let block = self.new_block();
                let global = self.new_global(Global::Nametype(block));
                self.define(namespace, name, Meaning::Global(global));
                self.pending.push((namespace, Pending::Value(block, None, value)));
            }
            DeclKind::Transparent(names) | DeclKind::External(names) => {
                for name in names {
                    match Builtin::declared(&name.text) {
                        Some(builtin) => self.define(namespace, name, Meaning::Builtin(builtin)),
                        None => self.errors.push(*unknown_function(name)),
                    }
                }
            }
            DeclKind::Module(module) => self.declare_module(namespace, module),
            DeclKind::Timed { .. } => self.errors.push(*unsupported(decl.span, "a Timed section")),
            DeclKind::Assert(_) | DeclKind::Print(_) | DeclKind::Signature(_) => {}
            DeclKind::Subtype(_) | DeclKind::Instance { .. } => {}
        }
    }

    fn declare_block(&mut self, namespace: NamespaceId, name: &Name) -> BlockId {
        let block = self.new_block();
        let global = self.new_global(Global::Block(block));
        self.define(namespace, name, Meaning::Global(global));
        block
    }

    pub(super) fn declare_match(&mut self, namespace: NamespaceId, pattern: &'a Pattern, value: &'a Expr) {
        if let Some(pairs) = split(pattern, value) {
            for (pattern, value) in pairs {
                match name_of(pattern) {
                    None => self.declare_match(namespace, pattern, value),
                    Some(name) => {
                        let block = self.declare_block(namespace, &name);
                        self.pending.push((namespace, Pending::Value(block, Some(name.text), value)));
                    }
                }
            }
            return;
        }
        let block = self.new_block();
        let source = self.new_global(Global::Block(block));
        for (index, (text, span)) in self.variables(pattern).into_iter().enumerate() {
            let name = Name { text, span };
            let part = self.declare_block(namespace, &name);
            self.pending.push((namespace, Pending::Part(part, name.text, (source, index as u32), span)));
        }
        self.pending.push((namespace, Pending::Match(block, pattern, value)));
    }

    fn declare_channels(&mut self, namespace: NamespaceId, names: &'a [Name], data: Option<&'a Expr>) {
        let data = data.map(|expr| self.data_block(namespace, expr));
        for name in names {
            let head = self.new_head(namespace, name, true, data);
            self.define(namespace, name, Meaning::Head(head));
        }
    }

    fn data_block(&mut self, namespace: NamespaceId, data: &'a Expr) -> BlockId {
        let block = self.new_block();
        self.pending.push((namespace, Pending::Value(block, None, data)));
        block
    }

    fn new_head(&mut self, namespace: NamespaceId, name: &Name, is_channel: bool, data: Option<BlockId>) -> HeadId {
        let name = self.full_name(namespace, &name.text);
        self.heads.push(Head { name, is_channel, data });
        HeadId(self.heads.len() as u32 - 1)
    }

    fn declare_datatype(&mut self, namespace: NamespaceId, datatype: &'a Datatype) {
        let mut constructors = vec![];
        for constructor in &datatype.constructors {
            let data = constructor.data.as_ref().map(|expr| self.data_block(namespace, expr));
            let head = self.new_head(namespace, &constructor.name, false, data);
            self.define(namespace, &constructor.name, Meaning::Head(head));
            constructors.push((head, data));
        }
        self.declare_type(namespace, &datatype.name, constructors);
    }

    fn declare_subtype(&mut self, namespace: NamespaceId, subtype: &'a Datatype) -> Checked<()> {
        let mut constructors = vec![];
        for constructor in &subtype.constructors {
            let Name { text, span } = &constructor.name;
            let Some(Meaning::Head(head)) = self.look_up(text) else {
                return Err(error(*span, format!("`{text}` is not a constructor of a datatype")));
            };
            let data = constructor.data.as_ref().map(|expr| self.data_block(namespace, expr));
            constructors.push((head, data));
        }
        self.declare_type(namespace, &subtype.name, constructors);
        Ok(())
    }

    fn declare_type(&mut self, namespace: NamespaceId, name: &Name, constructors: Vec<(HeadId, Option<BlockId>)>) {
        let id = TypeId(self.types.len() as u32);
        self.types.push(Type { name: name.text.clone(), constructors });
        let global = self.new_global(Global::Type(id));
        self.define(namespace, name, Meaning::Global(global));
    }

    /// The code of a global name.
    pub(super) fn global_kind(&self, meaning: Meaning<'a>) -> Option<Kind> {
        match meaning {
            Meaning::Global(GlobalId(id)) => Some(Kind::Global(GlobalId(id))),
            Meaning::Head(head) => Some(Kind::Head(head)),
            Meaning::Builtin(builtin) => Some(Kind::Builtin(builtin)),
            Meaning::Template(..) | Meaning::Namespace(_) => None,
        }
    }
}

/// The name that a plain definition defines.
pub(super) fn name_of(pattern: &Pattern) -> Option<Name> {
    match &pattern.kind {
        PatternKind::Name(text) => Some(Name { text: text.clone(), span: pattern.span }),
        _ => None,
    }
}

/// `(p, q) = (a, b)` is two definitions, so that neither waits for the other.
pub(super) fn split<'a>(pattern: &'a Pattern, value: &'a Expr) -> Option<Vec<(&'a Pattern, &'a Expr)>> {
    match (&pattern.kind, &value.kind) {
        (PatternKind::Tuple(patterns), crate::csp::ast::ExprKind::Tuple(values)) if patterns.len() == values.len() => {
            Some(patterns.iter().zip(values).collect())
        }
        _ => None,
    }
}

pub(super) fn unknown_function(name: &Name) -> Box<crate::Diagnostic> {
    error(name.span, format!("there is no predefined function `{}`", name.text))
}
