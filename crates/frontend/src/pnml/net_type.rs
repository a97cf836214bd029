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

/// What tokens are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NetType {
    Plain,
    /// High-level nets are read as far as they are symmetric ones.
    Coloured,
}

impl NetType {
    /// Refuses nets of other types.
    pub(super) fn find(value: &Value<'_>) -> Result<Self, Diagnostic> {
        let kind = value.text.trim();
        if kind == PT_NET || SYNONYMS.contains(&kind) {
            return Ok(Self::Plain);
        }
        if COLOURED.iter().any(|part| kind.contains(part)) {
            return Ok(Self::Coloured);
        }
        let shown: String = kind.chars().take(100).collect();
        Err(Diagnostic::error(value.span, format!("unknown type of net `{shown}`"))
            .label("expected a place/transition net or a symmetric net")
            .help(format!("place/transition nets have the type `{PT_NET}`")))
    }
}

/// What is said about signs of a coloured net in a net of another type.
pub(super) fn coloured(span: model::Span) -> Diagnostic {
    Diagnostic::error(span, "a place/transition net has a label of coloured nets")
        .label("belongs to a coloured net")
        .help("coloured nets have the type `http://www.pnml.org/version-2009/grammar/symmetricnet`")
}
