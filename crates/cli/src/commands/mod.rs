//! One module a command.

pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod fmt;
pub(crate) mod generate;
pub(crate) mod info;
pub(crate) mod lsp;
pub(crate) mod mcc;
pub(crate) mod mcp;
pub(crate) mod paper;
pub(crate) mod serve;
pub(crate) mod simulate;
pub(crate) mod test;
pub(crate) mod verify;
