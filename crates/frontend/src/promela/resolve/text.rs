//! Statements as SPIN's users know them.

use super::flow::{Jump, Kind};
use crate::name::Text;

/// The text of an element.
pub(super) fn of(kind: &Kind<'_>) -> Text {
    match kind {
        Kind::Basic(statement) => format!("{statement:?}").into(),
        Kind::Declare(decl, _) => format!("{} = 0", decl.name.text).into(),
        Kind::Else => "else".into(),
        Kind::Goto(Jump::Label(name)) => format!("goto {}", name.text).into(),
        Kind::Goto(Jump::Exit(_)) | Kind::Exit => "break".into(),
        _ => "skip".into(),
    }
}
