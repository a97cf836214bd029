//! The declarations of a program. Those of included files are at their `#include`; macros and inlines, which are gone
//! when the text is parsed, are those of the text itself.

use model::Span;

use super::ast::{Init, Sequence, Stmt, StmtKind, Unit, VarDecl};
use super::{Options, parse};
use crate::name::Name;
use crate::outline::{Outline, Symbol, SymbolKind};
use crate::sources::{Reader, Sources};

/// What a text declares, if it can be parsed; its macros and inlines always.
pub fn outline(text: &str, reader: Reader<'_>, options: &Options) -> Vec<Symbol> {
    let mut out = Outline::default();
    macros(&mut out, text);
    if let Ok(parsed) = parse(text, reader, options) {
        let units = &parsed.program.units;
        // A process goes on until something else begins.
        let starts: Vec<u32> = units.iter().filter_map(start).collect();
        let mut names = Names { out, sources: &parsed.sources };
        for unit in units {
            names.unit(unit, |from| starts.iter().copied().filter(|s| *s > from).min().unwrap_or(text.len() as u32));
        }
        return names.out.symbols;
    }
    out.symbols
}

/// Where a part of the program begins, roughly.
fn start(unit: &Unit) -> Option<u32> {
    match unit {
        Unit::Mtype(m) => m.constants.iter().map(|c| c.span.start).min(),
        Unit::Typedef(t) => Some(t.name.span.start),
        Unit::Vars(vars) => vars.first().map(|v| v.name.span.start),
        Unit::Proctype(p) => Some(p.name.span.start),
        Unit::Never(claim) => Some(claim.span.start),
        Unit::Ltl(ltl) => Some(ltl.span.start),
        Unit::Trace(trace) => Some(trace.span.start),
    }
}

struct Names<'s> {
    out: Outline,
    sources: &'s Sources,
}

impl Names<'_> {
    fn add(&mut self, kind: SymbolKind, name: &Name) {
        self.out.add(kind, &name.text, self.sources.in_main(name.span));
    }

    fn unit(&mut self, unit: &Unit, end: impl Fn(u32) -> u32) {
        match unit {
            Unit::Mtype(mtype) => {
                mtype.subtype.iter().for_each(|name| self.add(SymbolKind::Type, name));
                mtype.constants.iter().for_each(|name| self.add(SymbolKind::Constant, name));
            }
            Unit::Typedef(typedef) => {
                self.add(SymbolKind::Type, &typedef.name);
                typedef.fields.iter().for_each(|field| self.add(SymbolKind::Field, &field.name));
            }
            Unit::Vars(vars) => self.variables(vars),
            Unit::Proctype(p) => {
                let span = self.sources.in_main(p.name.span);
                let inside = Span { start: span.start, end: end(span.start).max(span.end) };
                let mut out = std::mem::take(&mut self.out);
                out.process((&p.name.text, span), inside, |out| {
                    let mut names = Names { out: std::mem::take(out), sources: self.sources };
                    names.variables(&p.parameters);
                    names.sequence(&p.body);
                    *out = names.out;
                });
                self.out = out;
            }
            Unit::Never(claim) => claim.name.iter().for_each(|name| self.add(SymbolKind::Property, name)),
            Unit::Ltl(ltl) => ltl.name.iter().for_each(|name| self.add(SymbolKind::Property, name)),
            Unit::Trace(_) => {}
        }
    }

    fn variables(&mut self, vars: &[VarDecl]) {
        for var in vars {
            let channel = matches!(var.init, Some(Init::Channel(..))) || var.ty == super::ast::Type::Chan;
            self.add(if channel { SymbolKind::Channel } else { SymbolKind::Object }, &var.name);
        }
    }

    fn sequence(&mut self, sequence: &Sequence) {
        sequence.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        statement.labels.iter().for_each(|label| self.add(SymbolKind::Label, label));
        match &statement.kind {
            StmtKind::Vars(vars) => self.variables(vars),
            StmtKind::If(options) | StmtKind::Do(options) => options.iter().for_each(|s| self.sequence(s)),
            StmtKind::Unless(main, escape) => {
                self.statement(main);
                self.statement(escape);
            }
            StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) | StmtKind::For(_, _, body) => {
                self.sequence(body);
            }
            _ => {}
        }
    }
}

/// `#define name` and `inline name` at the beginning of a line.
fn macros(out: &mut Outline, text: &str) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let defined = trimmed
            .strip_prefix('#')
            .and_then(|rest| rest.trim_start().strip_prefix("define"))
            .or_else(|| trimmed.strip_prefix("inline"))
            .filter(|rest| rest.starts_with([' ', '\t']))
            .map(str::trim_start);
        if let Some(rest) = defined {
            let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
            let at = start + line.len() - rest.len();
            out.add(SymbolKind::Macro, name, Span::new(at, at + name.len()));
        }
        start += line.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_they_are_declared() {
        let text = "#define N 2\nmtype = { ping }\nchan c = [N] of { mtype };\nactive proctype P(byte i) {\n  int x;\n\
                    end: do :: c!ping :: { bit y; skip } od\n}\nbyte g;\n#include \"other\"\n";
        let reader = |_: &str| Ok("byte far;".to_owned());
        let found = outline(text, &reader, &Options::default());
        let all: Vec<(&str, &str)> = found.iter().map(|s| (s.kind.word(), &*s.name)).collect();
        let expected = [
            ("macro", "N"),
            ("constant", "ping"),
            ("channel", "c"),
            ("process", "P"),
            ("object", "i"),
            ("object", "x"),
            ("label", "end"),
            ("object", "y"),
            ("object", "g"),
            ("object", "far"),
        ];
        assert_eq!(all, expected);
        for symbol in &found[..9] {
            assert_eq!(&text[symbol.span.range()], symbol.name);
        }
        assert!(text[found[9].span.range()].contains("other"), "an included name is where the file is included");
        let process = found[3].inside;
        assert!(found[4..8].iter().all(|s| s.scope == process) && found[8].scope.is_none());
        assert_eq!(outline("#define A 1\nproctype {", &reader, &Options::default()).len(), 1);
    }
}
