//! A failure as JSON, for programs that wait for a report: described by `docs/report.schema.json`.

use driver::ToolInfo;
use serde_json::{Value, json};

use crate::exit::{Exit, Failure};

/// One object of a schema that says why there is no report.
pub(crate) fn json(failure: &Failure, schema: &str) -> String {
    let object = json!({ "schema": schema, "tool": ToolInfo::default(), "error": error(failure) });
    serde_json::to_string_pretty(&object).expect("a value is always JSON") + "\n"
}

/// What is wrong.
pub(crate) fn error(failure: &Failure) -> Value {
    let kind = match failure.exit {
        Exit::Internal => "internal",
        Exit::Usage => "usage",
        Exit::Unknown => "limit",
        _ if failure.mistakes.is_empty() => "input",
        _ => "model",
    };
    json!({ "kind": kind, "message": failure.summary, "diagnostics": failure.mistakes })
}
