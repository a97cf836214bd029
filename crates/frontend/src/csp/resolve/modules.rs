//! Modules and their instances.

use super::data::name_of;
use super::namespace::{Meaning, NamespaceId};
use super::{Pending, Resolver, error};
use crate::csp::ast::{Datatype, Decl, DeclKind, Expr, Module, Name, Text};
use crate::csp::code::Global;
use crate::csp::process::Checked;

/// Instances within instances.
const DEPTH: usize = 50;

impl<'a> Resolver<'a> {
    pub(super) fn declare_module(&mut self, namespace: NamespaceId, module: &'a Module) {
        if !module.parameters.is_empty() {
            return self.define(namespace, &module.name, Meaning::Template(module, namespace));
        }
        let inner = self.inner(namespace, namespace, &module.name);
        self.define(namespace, &module.name, Meaning::Namespace(inner));
        self.declare_body(inner, module);
    }

    /// Declares what a module has; everything in it sees everything else.
    fn declare_body(&mut self, inner: NamespaceId, module: &'a Module) {
        self.declare(inner, &module.private);
        self.declare(inner, &module.exported);
        let exported = module.exported.iter().flat_map(|decl| self.declared(decl)).collect();
        self.names(inner).exported = Some(exported);
    }

    /// The names that a declaration declares.
    fn declared(&self, decl: &Decl) -> Vec<Text> {
        let of_type = |datatype: &Datatype| {
            let constructors = datatype.constructors.iter().map(|c| c.name.text.clone());
            constructors.chain([datatype.name.text.clone()]).collect()
        };
        let texts = |names: &[Name]| names.iter().map(|n| n.text.clone()).collect();
        match &decl.kind {
            DeclKind::Function(function) => vec![function.name.text.clone()],
            DeclKind::Bind { pattern, .. } => match name_of(pattern) {
                Some(name) => vec![name.text],
                None => self.variables(pattern).into_iter().map(|(text, _)| text).collect(),
            },
            DeclKind::Channel { names, .. } | DeclKind::Transparent(names) | DeclKind::External(names) => texts(names),
            DeclKind::Datatype(datatype) | DeclKind::Subtype(datatype) => of_type(datatype),
            DeclKind::Nametype { name, .. } | DeclKind::Instance { name, .. } => vec![name.text.clone()],
            DeclKind::Module(module) => vec![module.name.text.clone()],
            DeclKind::Assert(_) | DeclKind::Print(_) | DeclKind::Signature(_) | DeclKind::Timed { .. } => vec![],
        }
    }

    pub(super) fn declare_instance(
        &mut self,
        namespace: NamespaceId,
        name: &Name,
        path: &'a [Name],
        arguments: &'a [Expr],
    ) -> Checked<()> {
        let (module, scope) = match self.look_up_path(path)? {
            Meaning::Template(module, scope) => (module, scope),
            Meaning::Namespace(id) if arguments.is_empty() => {
                self.define(namespace, name, Meaning::Namespace(id));
                return Ok(());
            }
            _ => return Err(error(name.span, format!("the instance `{}` is not one of a module", name.text))),
        };
        if module.parameters.len() != arguments.len() {
            let message = format!("the module `{}` has {} parameters", module.name.text, module.parameters.len());
            return Err(error(name.span, message));
        }
        self.instances += 1;
        if self.instances > DEPTH {
            return Err(error(name.span, format!("the instance `{}` never ends", name.text)));
        }
        let inner = self.inner(scope, namespace, name);
        self.define(namespace, name, Meaning::Namespace(inner));
        for (pattern, value) in module.parameters.iter().zip(arguments) {
            self.declare_parameter((inner, namespace), pattern, value);
        }
        self.declare_body(inner, module);
        self.instances -= 1;
        Ok(())
    }

    /// Binds a parameter in the instance to an argument, whose names are those of the place of the instance.
    fn declare_parameter(
        &mut self,
        (inner, outer): (NamespaceId, NamespaceId),
        pattern: &'a crate::csp::ast::Pattern,
        value: &'a Expr,
    ) {
        let Some(name) = name_of(pattern) else {
            self.current = inner;
            let before = self.pending.len();
            self.declare_match(inner, pattern, value);
            for (namespace, pending) in &mut self.pending[before..] {
                if matches!(pending, Pending::Match(..) | Pending::Value(..)) {
                    *namespace = outer;
                }
            }
            return;
        };
        let block = self.new_block();
        let global = self.new_global(Global::Block(block));
        self.define(inner, &name, Meaning::Global(global));
        self.pending.push((outer, Pending::Value(block, Some(name.text), value)));
    }
}
