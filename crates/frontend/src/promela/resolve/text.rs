//! Statements as SPIN's users know them.

use super::flow::{Jump, Kind, Late};
use super::types::Shape;
use crate::name::Text;
use crate::promela::ast::{Init, VarDecl};

/// The text of an element.
pub(super) fn of(kind: &Kind<'_>) -> Text {
    match kind {
        Kind::Basic(statement) => statement.to_string().into(),
        Kind::Declare(decl, late) => declaration(decl, *late),
        Kind::Else => "else".into(),
        Kind::Goto(Jump::Label(name)) => format!("goto {}", name.text).into(),
        Kind::Goto(Jump::Exit(_)) | Kind::Exit => "break".into(),
        Kind::End => "-end-".into(),
        Kind::Joint | Kind::Choice(_) | Kind::Group(..) | Kind::Unless(..) => "(goto)".into(),
    }
}

/// A declaration behind statements, as the assignment that it is.
fn declaration(decl: &VarDecl, late: Late) -> Text {
    let name = &decl.name.text;
    let index = if late.is_array { "[0]" } else { "" };
    match (&decl.init, late.shape) {
        (_, Shape::Struct(_)) => format!("declaration of {name}").into(),
        (Some(Init::Value(value)), _) => format!("{name}{index} = {value}").into(),
        _ => format!("{name}{index} = 0").into(),
    }
}
