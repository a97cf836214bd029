//! Results of calls: structured, and the same as text; neither longer than a reader can bear.

use serde_json::{Value, json};

use crate::worker::Outcome;

/// The version of what the tools return.
const SCHEMA: &str = "impasse-mcp-1";
/// The longest structured result, in bytes of JSON.
const MAX_DATA: usize = 1 << 20;
/// The longest text, in bytes.
const MAX_TEXT: usize = 64 << 10;
/// What is left out of a result that is too long, one after the other.
const DISPENSABLE: [&str; 4] = ["attempts", "trace", "explanation", "disabled"];

/// The result of a call whose arguments make no sense.
pub(super) fn wrong(tool: &str, why: &str) -> Value {
    refusal(tool, &json!({ "kind": "usage", "message": why }))
}

/// The result of what a worker did.
pub(super) fn of(tool: &str, outcome: Outcome) -> Value {
    match outcome {
        Outcome::Answer(answer) => result(tool, answer),
        Outcome::Refusal(why) => refusal(tool, &why),
        Outcome::Late | Outcome::Stopped => {
            let reason = "the time was over before there was an answer";
            result(tool, json!({ "verdict": "unknown", "reason": reason, "text": format!("UNKNOWN: {reason}\n") }))
        }
        Outcome::Broken(why) => refusal(tool, &json!({ "kind": "internal", "message": why })),
    }
}

fn result(tool: &str, mut answer: Value) -> Value {
    let text = answer["text"].take();
    answer["schema"] = json!(SCHEMA);
    answer["tool"] = json!(tool);
    if let Some(verdict) = verdict(&answer["report"]) {
        answer["verdict"] = json!(verdict);
    }
    if let Some(fields) = answer.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    shorten(&mut answer);
    let text = cut(text.as_str().unwrap_or_default());
    json!({ "content": [{ "type": "text", "text": text }], "structuredContent": answer, "isError": false })
}

/// The worst of the verdicts of a report.
fn verdict(report: &Value) -> Option<&'static str> {
    let results = report["results"].as_array()?;
    let any = |verdict: &str| results.iter().any(|r| r["verdict"] == verdict);
    Some(if any("violated") {
        "violated"
    } else if any("unknown") || results.is_empty() {
        "unknown"
    } else {
        "holds"
    })
}

fn refusal(tool: &str, error: &Value) -> Value {
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let mistakes = error["diagnostics"].as_array().into_iter().flatten().map(|d| {
        let notes: String =
            [&d["label"], &d["help"]].iter().filter_map(|n| n.as_str()).map(|n| format!("; {n}")).collect();
        let (line, column) = (&d["start"]["line"], &d["start"]["column"]);
        format!("\n{line}:{column}: {}: {}{notes}", text(&d["severity"]), text(&d["message"]))
    });
    let told = cut(&std::iter::once(text(&error["message"])).chain(mistakes).collect::<String>());
    let data = json!({ "schema": SCHEMA, "tool": tool, "error": error });
    json!({ "content": [{ "type": "text", "text": told }], "structuredContent": data, "isError": true })
}

fn cut(text: &str) -> String {
    if text.len() <= MAX_TEXT {
        return text.to_owned();
    }
    let end = (0..=MAX_TEXT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}\n... and {} bytes more", &text[..end], text.len() - end)
}

/// Leaves out what is too long.
fn shorten(answer: &mut Value) {
    let long = |answer: &Value| answer.to_string().len() > MAX_DATA;
    for field in DISPENSABLE {
        if !long(answer) {
            return;
        }
        answer["truncated"] = json!(true);
        remove(answer, field);
    }
    if long(answer)
        && let Some(fields) = answer.as_object_mut()
    {
        fields.retain(|_, value| !value.is_object() && !value.is_array());
    }
}

/// Removes a field wherever it is.
fn remove(value: &mut Value, field: &str) {
    match value {
        Value::Object(fields) => {
            fields.remove(field);
            fields.values_mut().for_each(|v| remove(v, field));
        }
        Value::Array(items) => items.iter_mut().for_each(|v| remove(v, field)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_left_out() {
        let long = "x".repeat(MAX_DATA);
        let report = json!({ "results": [{ "verdict": "violated", "trace": long, "explanation": "short" }] });
        let made = of("check", Outcome::Answer(json!({ "report": report, "text": "y".repeat(2 * MAX_TEXT) })));
        let data = &made["structuredContent"];
        assert_eq!((&data["verdict"], &data["truncated"]), (&json!("violated"), &json!(true)));
        assert!(data["report"]["results"][0]["trace"].is_null());
        assert_eq!(data["report"]["results"][0]["explanation"], "short");
        assert!(made["content"][0]["text"].as_str().is_some_and(|t| t.len() < MAX_TEXT + 100));
        let made = of("check", Outcome::Answer(json!({ "report": { "results": [{ "verdict": long }] } })));
        assert!(made.to_string().len() < MAX_DATA);
    }

    #[test]
    fn the_worst_verdict_is_that_of_all() {
        let of = |all: &[&str]| {
            verdict(&json!({ "results": all.iter().map(|v| json!({ "verdict": v })).collect::<Vec<_>>() }))
        };
        assert_eq!(of(&["holds", "unknown", "violated"]), Some("violated"));
        assert_eq!(of(&["holds", "unknown"]), Some("unknown"));
        assert_eq!((of(&["holds"]), of(&[])), (Some("holds"), Some("unknown")));
    }
}
