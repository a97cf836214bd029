//! Which nets a PNML file may hold.

use crate::Diagnostic;
use crate::xml::Value;

/// The type of place/transition nets in the standard.
pub(crate) const PT_NET: &str = "http://www.pnml.org/version-2009/grammar/ptnet";

/// The types that other editions and tools write for the same.
const SYNONYMS: &[&str] =
    &["http://www.informatik.hu-berlin.de/top/pntd/ptNetb", "http://www.informatik.hu-berlin.de/top/ptNetb", "PTNet"];

/// Parts of the types of coloured nets.
const COLOURED: &[&str] = &["symmetricnet", "highlevelnet", "hlpng", "hlcore"];

/// Refuses nets that are not place/transition nets.
pub(super) fn check(value: &Value<'_>) -> Result<(), Diagnostic> {
    let kind = value.text.trim();
    if kind == PT_NET || SYNONYMS.contains(&kind) {
        return Ok(());
    }
    if COLOURED.iter().any(|part| kind.contains(part)) {
        return Err(coloured(value.span));
    }
    let shown: String = kind.chars().take(100).collect();
    Err(Diagnostic::error(value.span, format!("unknown type of net `{shown}`"))
        .label("expected a place/transition net")
        .help(format!("place/transition nets have the type `{PT_NET}`")))
}

/// What is said about every sign of a coloured net.
pub(super) fn coloured(span: model::Span) -> Diagnostic {
    Diagnostic::error(span, "symmetric (coloured) nets are not read yet")
        .label("belongs to a coloured net")
        .help("unfold the net to a place/transition net first")
}
