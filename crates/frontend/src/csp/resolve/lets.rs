//! `let`: definitions that see each other.

use super::data::{name_of, split, unknown_function};
use super::scope::{Context, Local};
use super::{Resolver, error, unsupported};
use crate::csp::ast::{Decl, DeclKind, Expr, Function, Let, Pattern, Text};
use crate::csp::code::{BlockId, Body, Builtin, Code, Kind, LetCode, LetId, Slot};
use crate::csp::process::Checked;

/// A definition of a `let`.
enum Member<'a> {
    Function(&'a Function),
    Value(Text, &'a Expr),
    Match(&'a Pattern, &'a Expr),
    /// A value of the match that is this member.
    Part(Text, u32, u32),
}

impl<'a> Member<'a> {
    fn name(&self) -> Option<&Text> {
        match self {
            Member::Function(function) => Some(&function.name.text),
            Member::Value(name, _) | Member::Part(name, ..) => Some(name),
            Member::Match(..) => None,
        }
    }
}

impl<'a> Resolver<'a> {
    pub(super) fn let_within(&mut self, parts: &'a Let) -> Checked<Kind> {
        let id = LetId(self.lets.len() as u32);
        self.lets.push(None);
        let mut builtins = vec![];
        let members = self.members(&parts.decls, &mut builtins)?;
        let blocks: Vec<BlockId> = members.iter().map(|_| self.new_block()).collect();
        self.group(id, &members, &blocks, &builtins)?;
        self.open_scope();
        let group = self.context().new_slot();
        self.bind_members(group, &members, &blocks, &builtins)?;
        let body = self.boxed(&parts.body)?;
        self.close_scope();
        Ok(Kind::Let(id, group, body))
    }

    fn members(&mut self, decls: &'a [Decl], builtins: &mut Vec<(Text, Builtin)>) -> Checked<Vec<Member<'a>>> {
        let mut members = vec![];
        for decl in decls {
            match &decl.kind {
                DeclKind::Function(function) => members.push(Member::Function(function)),
                DeclKind::Bind { pattern, value } => self.bind_member(pattern, value, &mut members),
                DeclKind::Transparent(names) | DeclKind::External(names) => {
                    for name in names {
                        let builtin = Builtin::declared(&name.text).ok_or_else(|| unknown_function(name))?;
                        builtins.push((name.text.clone(), builtin));
                    }
                }
                DeclKind::Timed { .. } => return Err(unsupported(decl.span, "a Timed section")),
                DeclKind::Print(_) | DeclKind::Signature(_) => {}
                _ => return Err(error(decl.span, "this cannot be declared within `let`")),
            }
        }
        Ok(members)
    }

    fn bind_member(&self, pattern: &'a Pattern, value: &'a Expr, members: &mut Vec<Member<'a>>) {
        if let Some(name) = name_of(pattern) {
            return members.push(Member::Value(name.text, value));
        }
        if let Some(pairs) = split(pattern, value) {
            return pairs.into_iter().for_each(|(p, v)| self.bind_member(p, v, members));
        }
        let source = members.len() as u32;
        members.push(Member::Match(pattern, value));
        let names = self.variables(pattern).into_iter().enumerate();
        members.extend(names.map(|(i, (name, _))| Member::Part(name, source, i as u32)));
    }

    fn bind_members(
        &mut self,
        group: Slot,
        members: &[Member<'a>],
        blocks: &[BlockId],
        builtins: &[(Text, Builtin)],
    ) -> Checked<()> {
        for (name, builtin) in builtins {
            self.bind(name.clone(), Local::Builtin(*builtin));
        }
        for (i, member) in members.iter().enumerate() {
            let Some(name) = member.name() else { continue };
            if !self.bind(name.clone(), Local::Member(group, i as u32, blocks[i])) {
                let span = match member {
                    Member::Function(function) => function.name.span,
                    Member::Value(_, value) | Member::Match(_, value) => value.span,
                    Member::Part(_, source, _) => match members[*source as usize] {
                        Member::Match(pattern, _) => pattern.span,
                        _ => unreachable!("parts belong to a match"),
                    },
                };
                return Err(error(span, format!("the name `{name}` is defined more than once")));
            }
        }
        Ok(())
    }

    /// Resolves the definitions in a group of their own, whose first variable is the group itself.
    fn group(
        &mut self,
        id: LetId,
        members: &[Member<'a>],
        blocks: &[BlockId],
        builtins: &[(Text, Builtin)],
    ) -> Checked<()> {
        self.contexts.push(Context::default());
        let itself = self.context().new_slot();
        self.open_scope();
        self.bind_members(itself, members, blocks, builtins)?;
        for (member, block) in members.iter().zip(blocks) {
            self.member(member, *block, blocks)?;
        }
        let Context { slots, captures, .. } = self.contexts.pop().expect("the context was pushed");
        self.lets[id.0 as usize] = Some(LetCode { slots, captures, members: blocks.to_vec() });
        Ok(())
    }

    fn member(&mut self, member: &Member<'a>, block: BlockId, blocks: &[BlockId]) -> Checked<()> {
        match member {
            Member::Function(function) => self.function_block(block, function),
            Member::Value(name, value) => self.value_block(block, Some(name.clone()), value),
            Member::Match(pattern, value) => self.match_block(block, pattern, value),
            Member::Part(name, source, index) => {
                let mut context = Context::default();
                let group = context.new_slot();
                context.captures.push((Slot(0), group));
                let span = model::Span::new(0, 0);
                let whole = Code { kind: Kind::Member(group, *source, blocks[*source as usize]), span };
                let body = Body::Value(Code { kind: Kind::Part(Box::new(whole), *index), span });
                self.set_block(block, Some(name.clone()), span, body, context);
                Ok(())
            }
        }
    }
}
