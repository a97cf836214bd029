//! Whether jumps lead somewhere they may lead.

use model::Span;

use super::{ElementId, Flow, Jump, Kind};
use crate::Diagnostic;
use crate::native::nearest::suggestion;
use crate::promela::resolve::reports::Reports;

impl Flow<'_> {
    /// Reports jumps to labels that are not there, into a `d_step` and out of one.
    pub(super) fn check_jumps(&self, reports: &mut Reports) {
        for (at, element) in self.elements.iter().enumerate() {
            let Kind::Goto(jump) = &element.kind else { continue };
            let id = ElementId(at as u32);
            match (self.destination(id, jump), jump) {
                (Some(target), _) => self.check_step(id, target, reports),
                (None, Jump::Label(name)) => {
                    let what = format!("unknown label `{}`", name.text);
                    let similar = suggestion(&name.text, self.labels.iter().map(|l| &*l.name.text));
                    let write = || format!("write `{}:` before the statement to go on with", name.text);
                    let help = similar.unwrap_or_else(write);
                    reports.push(Diagnostic::error(name.span, what).label("no such label in this body").help(help));
                }
                (None, Jump::Exit(_)) => unreachable!("every loop has an exit when its body is complete"),
            }
        }
    }

    fn check_step(&self, from: ElementId, to: ElementId, reports: &mut Reports) {
        let (inside, target) = (self.element(from).step, self.element(to).step);
        let span: Span = self.element(from).span;
        if target.is_some() && inside != target {
            reports.push(Diagnostic::error(span, "a jump into a `d_step` from outside"));
        } else if inside.is_some() && inside != target {
            let what = "a jump out of a `d_step`";
            let help = "a `d_step` is left at its end only; `atomic` may be left by jumps";
            reports.push(Diagnostic::error(span, what).help(help));
        }
    }
}
