//! SARIF 2.1.0: one run, a result for each question.
//!
//! What holds has the kind `pass`, what was not decided `open`, what no engine is for `notApplicable`, what is violated
//! although nothing was expected `informational`; only what is wrong has the kind `fail`. A run of the model is a code flow whose steps carry what they change. There are no times: the same
//! answers are the same bytes.

use driver::{ReportResult, ToolInfo, Violation};
use explain::{Explanation, Place, Step};
use serde_json::{Map, Value, json};

use crate::case::related;
use crate::rule::{Rule, rule};
use crate::uri::uri;
use crate::{Case, Outcome, Region};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Where relative paths begin: the reader of the file knows.
const ROOT: &str = "%SRCROOT%";

/// All cases, and how the command ends: its exit code and what that means.
pub fn render(cases: &[Case], exit: (u8, &str)) -> String {
    let rules = Rules::new(cases);
    let tool = ToolInfo::default();
    let usable = !cases.iter().any(|c| c.outcome == Outcome::Unusable);
    let run = json!({
        "tool": {
            "driver": {
                "name": tool.name,
                "version": tool.version,
                "semanticVersion": tool.version,
                "rules": rules.0.iter().map(|r| described(r)).collect::<Vec<_>>(),
            }
        },
        "invocations": [{
            "executionSuccessful": usable,
            "exitCode": exit.0,
            "exitCodeDescription": exit.1,
        }],
        "artifacts": artifacts(cases),
        "columnKind": "unicodeCodePoints",
        "results": cases.iter().map(|c| result(c, &rules)).collect::<Vec<_>>(),
    });
    let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
    serde_json::to_string_pretty(&log).expect("a value is always JSON") + "\n"
}

/// The rules that results are about, each once, in the order in which they are met.
struct Rules(Vec<&'static Rule>);

impl Rules {
    fn new(cases: &[Case]) -> Self {
        let mut rules: Vec<&'static Rule> = Vec::new();
        for rule in cases.iter().map(rule_of) {
            if !rules.iter().any(|known| known.id == rule.id) {
                rules.push(rule);
            }
        }
        Self(rules)
    }

    fn index(&self, rule: &Rule) -> usize {
        self.0.iter().position(|known| known.id == rule.id).expect("the rules of all cases are known")
    }
}

/// What a case is about: an error of the model is one, whatever was asked.
fn rule_of(case: &Case) -> &'static Rule {
    let faulty = case.result.as_ref().is_some_and(|r| r.violation == Some(Violation::ModelError));
    rule(if faulty { "model-error" } else { case.kind })
}

fn described(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "name": rule.name,
        "shortDescription": { "text": rule.short },
        "help": { "text": rule.help },
        "defaultConfiguration": { "level": "error" },
    })
}

fn artifacts(cases: &[Case]) -> Vec<Value> {
    let mut files: Vec<&str> = cases.iter().map(|c| &*c.file).collect();
    files.dedup();
    let artifact = |file| Some(json!({ "location": artifact_location(file)?, "roles": ["analysisTarget"] }));
    files.into_iter().filter_map(artifact).collect()
}

fn result(case: &Case, rules: &Rules) -> Value {
    let (kind, level) = match case.outcome {
        Outcome::Failed | Outcome::Unusable => ("fail", "error"),
        Outcome::Undecided => ("open", "none"),
        Outcome::Passed => ("pass", "none"),
        Outcome::Noted => ("informational", "none"),
    };
    let rule = rule_of(case);
    let wrong = case.outcome == Outcome::Failed;
    let text = if wrong { format!("{}\n\n{}", case.message, case.details()) } else { case.message.clone() };
    let mut out = json!({
        "ruleId": rule.id,
        "ruleIndex": rules.index(rule),
        "kind": kind,
        "level": level,
        "message": { "text": text.trim_end() },
        "locations": [location(case)],
        "partialFingerprints": { "property/v1": format!("{}#{}", case.file, case.name) },
    });
    if let Some(result) = &case.result {
        out["properties"] = properties(result);
    }
    // A run is shown where something is wrong, not where it was expected.
    if let Some(result) = case.result.as_ref().filter(|_| wrong) {
        let places: Vec<Value> = distinct(related(result)).into_iter().filter_map(|p| physical(&p.into())).collect();
        if !places.is_empty() {
            out["relatedLocations"] = places.into_iter().map(|p| json!({ "physicalLocation": p })).collect();
        }
        if let Some(explanation) = &result.explanation {
            out["codeFlows"] = json!([code_flow(explanation)]);
        }
    }
    out
}

/// What others may want to know and SARIF has no word for.
fn properties(result: &ReportResult) -> Value {
    let mut out = Map::new();
    let texts = [
        ("property", Some(&result.property)),
        ("engine", Some(&result.engine)),
        ("expected", result.expect.as_ref()),
        ("reason", result.reason.as_ref()),
        ("evidence", result.evidence.as_ref().map(|e| &e.note)),
    ];
    out.insert("verdict".to_owned(), result.verdict.into());
    out.extend(texts.into_iter().filter_map(|(key, text)| Some((key.to_owned(), text?.as_str().into()))));
    Value::Object(out)
}

/// Where a result is: a line if one is known, the file otherwise; and the property by its name.
fn location(case: &Case) -> Value {
    let region = case.region.as_ref().and_then(physical);
    let whole = || Some(json!({ "artifactLocation": artifact_location(&case.file)? }));
    let mut out = json!({ "logicalLocations": [{ "name": case.name, "kind": "declaration" }] });
    if let Some(physical) = region.or_else(whole) {
        out["physicalLocation"] = physical;
    }
    out
}

fn physical(region: &Region) -> Option<Value> {
    let mut lines = json!({ "startLine": region.line });
    if let Some((column, (end_line, end_column))) = region.columns {
        lines["startColumn"] = column.into();
        lines["endLine"] = end_line.into();
        lines["endColumn"] = end_column.into();
    }
    Some(json!({ "artifactLocation": artifact_location(&region.file)?, "region": lines }))
}

fn artifact_location(file: &str) -> Option<Value> {
    let (uri, relative) = uri(file)?;
    Some(if relative { json!({ "uri": uri, "uriBaseId": ROOT }) } else { json!({ "uri": uri }) })
}

fn distinct<'a>(places: impl Iterator<Item = &'a Place>) -> Vec<&'a Place> {
    let mut all: Vec<&Place> = places.collect();
    all.sort();
    all.dedup();
    all
}

fn code_flow(explanation: &Explanation) -> Value {
    let repeated = explanation.conclusion.repeats_from();
    let last = explanation.steps.last().map(|s| s.number);
    let step = |step: &Step| {
        let essential = Some(step.number) == last;
        thread_flow_location(step, repeated.is_some_and(|first| step.number >= first), essential)
    };
    let locations: Vec<Value> = explanation.steps.iter().map(step).collect();
    if locations.is_empty() {
        // A flow has at least one location: here it is the initial state, which no step leads to.
        let initial = json!({ "location": { "message": { "text": "the initial state" } } });
        return json!({ "threadFlows": [{ "locations": [initial] }] });
    }
    json!({ "threadFlows": [{ "locations": locations }] })
}

fn thread_flow_location(step: &Step, repeated: bool, essential: bool) -> Value {
    let for_ever = if repeated { " (repeated for ever)" } else { "" };
    let doing = match &step.operations[..] {
        [] => String::new(),
        operations => format!(" do {}", operations.join(", ")),
    };
    let mut location = json!({
        "message": { "text": format!("{}{doing}{for_ever}", step.transition) },
        "logicalLocations": step.processes.iter().map(|p| json!({ "name": p, "kind": "function" })).collect::<Vec<_>>(),
    });
    if let Some(place) = step.source.first().and_then(|place| physical(&place.into())) {
        location["physicalLocation"] = place;
    }
    let state: Map<String, Value> =
        step.changes.iter().map(|c| (c.subject.clone(), json!({ "text": c.after }))).collect();
    json!({
        "location": location,
        "executionOrder": step.number,
        "importance": if essential { "essential" } else { "important" },
        "state": state,
    })
}
