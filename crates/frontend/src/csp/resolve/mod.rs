//! From the syntax tree to code: every name is given its meaning, every variable its place.
//!
//! Modules become name spaces; an instance of a module with parameters is the module read once more in a name space of its
//! own.

mod data;
mod expr;
mod kinds;
mod lets;
mod modules;
mod namespace;
mod pattern;
mod process;
mod scope;

use model::Span;

use super::ast::{Decl, Expr, Function, Pattern, Text};
use super::code::{Block, BlockId, Body, Code, Global, GlobalId, Head, Kind, LetCode, Program, Slot, Type};
use super::process::Checked;
use crate::Diagnostic;
use namespace::{Namespace, NamespaceId};
use scope::Context;

/// A program, with blocks for the extra expressions.
pub(super) struct Resolved {
    pub(super) program: Program,
    pub(super) extra: Vec<BlockId>,
}

/// Resolves the declarations of a script and some expressions that see all of them.
pub(super) fn resolve(decls: &[Decl], expressions: &[&Expr]) -> Result<Resolved, Vec<Diagnostic>> {
    let mut resolver = Resolver::default();
    let root = resolver.root();
    resolver.declare(root, decls);
    let mut extra = vec![];
    for expression in expressions {
        let block = resolver.new_block();
        resolver.pending.push((root, Pending::Value(block, None, expression)));
        extra.push(block);
    }
    resolver.resolve_pending();
    resolver.finish().map(|program| Resolved { program, extra })
}

/// A block whose names are yet to be resolved.
enum Pending<'a> {
    Value(BlockId, Option<Text>, &'a Expr),
    Function(BlockId, &'a Function),
    Match(BlockId, &'a Pattern, &'a Expr),
    /// One of the values that a pattern binds.
    Part(BlockId, Text, (GlobalId, u32), Span),
}

impl Pending<'_> {
    fn block(&self) -> BlockId {
        match self {
            Self::Value(block, ..) | Self::Function(block, _) | Self::Match(block, ..) | Self::Part(block, ..) => {
                *block
            }
        }
    }
}

#[derive(Default)]
struct Resolver<'a> {
    blocks: Vec<Option<Block>>,
    globals: Vec<Global>,
    lets: Vec<Option<LetCode>>,
    heads: Vec<Head>,
    types: Vec<Type>,
    namespaces: Vec<Namespace<'a>>,
    pending: Vec<(NamespaceId, Pending<'a>)>,
    /// Where names are looked up.
    current: NamespaceId,
    contexts: Vec<Context>,
    errors: Vec<Diagnostic>,
    /// Instances that are being made within each other.
    instances: usize,
}

impl<'a> Resolver<'a> {
    fn new_block(&mut self) -> BlockId {
        self.blocks.push(None);
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn new_global(&mut self, global: Global) -> GlobalId {
        self.globals.push(global);
        GlobalId(self.globals.len() as u32 - 1)
    }

    fn resolve_pending(&mut self) {
        for (namespace, pending) in std::mem::take(&mut self.pending) {
            self.current = namespace;
            let block = pending.block();
            let done = match pending {
                Pending::Value(block, name, value) => self.value_block(block, name, value),
                Pending::Function(block, function) => self.function_block(block, function),
                Pending::Match(block, pattern, value) => self.match_block(block, pattern, value),
                Pending::Part(block, name, (source, index), span) => {
                    let source = Box::new(Code { kind: Kind::Global(source), span });
                    let body = Body::Value(Code { kind: Kind::Part(source, index), span });
                    self.set_block(block, Some(name), span, body, Context::default());
                    Ok(())
                }
            };
            self.name_fully(namespace, block);
            if let Err(error) = done {
                self.errors.push(*error);
                self.contexts.clear();
            }
        }
    }

    /// Puts the name of its module before that of a block.
    fn name_fully(&mut self, namespace: NamespaceId, block: BlockId) {
        let name = |block: &Block| block.name.as_ref().map(|name| self.full_name(namespace, name));
        let full = self.blocks[block.0 as usize].as_ref().and_then(name);
        if let Some(block) = &mut self.blocks[block.0 as usize] {
            block.name = full;
        }
    }

    fn value_block(&mut self, block: BlockId, name: Option<Text>, value: &'a Expr) -> Checked<()> {
        self.contexts.push(Context::default());
        let code = self.expr(value)?;
        let context = self.contexts.pop().expect("the context was pushed");
        self.set_block(block, name, value.span, Body::Value(code), context);
        Ok(())
    }

    fn match_block(&mut self, block: BlockId, pattern: &'a Pattern, value: &'a Expr) -> Checked<()> {
        self.contexts.push(Context::default());
        let code = self.expr(value)?;
        self.open_scope();
        let pat = self.pattern(pattern)?;
        let bound: Vec<Slot> = self.variables(pattern).iter().map(|(name, _)| self.bound(name)).collect();
        let context = self.contexts.pop().expect("the context was pushed");
        self.set_block(block, None, pattern.span.to(value.span), Body::Match(Box::new((code, pat)), bound), context);
        Ok(())
    }

    /// Fills a block in.
    fn set_block(&mut self, id: BlockId, name: Option<Text>, span: Span, body: Body, context: Context) {
        let Context { slots, captures, .. } = context;
        self.blocks[id.0 as usize] = Some(Block { name, span, slots, captures, body, is_process: false });
    }

    fn finish(self) -> Result<Program, Vec<Diagnostic>> {
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let whole = "without mistakes every block was resolved";
        let mut program = Program {
            blocks: self.blocks.into_iter().map(|block| block.expect(whole)).collect(),
            globals: self.globals,
            lets: self.lets.into_iter().map(|group| group.expect(whole)).collect(),
            heads: self.heads,
            types: self.types,
        };
        kinds::infer(&mut program);
        Ok(program)
    }
}

/// An error at a place.
pub(super) fn error(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(span, message))
}

/// A construct that is read but has no meaning here.
pub(super) fn unsupported(span: Span, what: &str) -> Box<Diagnostic> {
    let message = format!("{what} is not supported");
    Box::new(Diagnostic::error(span, message).label("outside of the part of CSPm that is understood"))
}
