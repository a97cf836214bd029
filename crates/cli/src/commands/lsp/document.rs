//! An open document: its text, what a worker said about it, and how that is shown.

use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Value, json};

use super::text::Text;
use super::{names, uri};
use crate::diagnostics::Mistake;
use crate::worker::{Entry, Outline, Stop};

/// So many steps of a run are shown beside a diagnostic.
const SHOWN_STEPS: usize = 100;

/// An open document.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) uri: String,
    /// The file, and the same under a name that says its language.
    pub(super) file: PathBuf,
    pub(super) path: PathBuf,
    pub(super) version: Value,
    pub(super) text: Text,
    /// When it is to be looked at again.
    pub(super) due: Option<Instant>,
    /// Ends the worker that looks at it.
    pub(super) looking: Option<Stop>,
    /// Messages about the text as it is.
    mistakes: Vec<Mistake>,
    problem: Option<String>,
    /// What the names meant and which properties there were when there last were some, with the text of that time.
    names: (Text, Vec<Entry>),
    properties: (Text, Outline),
    /// Answers, by the property that they are about.
    answers: Vec<(String, Value)>,
}

impl Document {
    pub(super) fn new(uri: &str, language: &str, version: Value, text: String) -> Self {
        let text = Text::new(text);
        let file = uri::file(uri);
        Self {
            uri: uri.to_owned(),
            path: uri::with_language(&file, language),
            file,
            version,
            names: (text.clone(), Vec::new()),
            properties: (text.clone(), Outline::default()),
            text,
            due: Some(Instant::now()),
            looking: None,
            mistakes: Vec::new(),
            problem: None,
            answers: Vec::new(),
        }
    }

    /// Something that the text may include has changed.
    pub(super) fn look_again(&mut self, due: Instant) {
        self.due = Some(due);
        if let Some(stop) = self.looking.take() {
            stop.set();
        }
    }

    /// The text has changed: what was answered was about another one.
    pub(super) fn change(&mut self, version: Value, text: String, due: Instant) {
        self.text = Text::new(text);
        self.version = version;
        self.answers.clear();
        self.look_again(due);
    }

    /// A worker has looked at the text.
    pub(super) fn seen(&mut self, mut outline: Outline) {
        self.mistakes = std::mem::take(&mut outline.mistakes);
        self.problem = outline.problem.take();
        let names = std::mem::take(&mut outline.names);
        if !names.is_empty() {
            self.names = (self.text.clone(), names);
        }
        if outline.properties.is_some() {
            self.properties = (self.text.clone(), outline);
        }
    }

    /// No worker could look at the text.
    pub(super) fn unseen(&mut self, why: &str) {
        self.mistakes.clear();
        self.problem = Some(why.to_owned());
    }

    fn is_net(&self) -> bool {
        self.path.extension().is_some_and(|e| e.eq_ignore_ascii_case("pnml") || e.eq_ignore_ascii_case("xml"))
    }

    /// All messages about it, for a client that can or cannot show notes beside them.
    pub(super) fn diagnostics(&self, notes: bool) -> Value {
        let problem = self.problem.iter().map(|why| diagnostic(&self.text.whole_line(1), 1, why));
        let mistakes = self.mistakes.iter().map(|m| self.mistake(m, notes));
        let answers = self.answers.iter().map(|(_, answer)| answer.clone());
        let all: Vec<Value> = problem.chain(mistakes).chain(answers).collect();
        json!({ "uri": self.uri, "version": self.version, "diagnostics": all })
    }

    fn mistake(&self, m: &Mistake, notes: bool) -> Value {
        let range = self.text.between(m.start, m.end);
        let severity = if m.severity == "error" { 1 } else { 2 };
        if !notes {
            return diagnostic(&range, severity, &m.sentence());
        }
        let mut out = diagnostic(&range, severity, &m.message);
        let help = m.help.iter().map(|help| format!("help: {help}"));
        let all = Some(m.label.clone()).filter(|l| !l.is_empty()).into_iter().chain(help);
        let related: Vec<Value> = all.map(|note| self.note(&range, &note)).collect();
        if !related.is_empty() {
            out["relatedInformation"] = json!(related);
        }
        out
    }

    fn note(&self, range: &Value, message: &str) -> Value {
        json!({ "location": { "uri": self.uri, "range": range }, "message": message })
    }

    /// What a name is, for a reader.
    pub(super) fn hover(&self, position: &Value) -> Option<Value> {
        let at = self.text.offset(position)?;
        let (entry, word) = names::find(&self.names.1, &self.text.text, at, self.is_net())?;
        let mut lines = vec![format!("**{}** `{}`", entry.kind, entry.name)];
        let declared = self.names.0.line_around(entry.span.0);
        if !self.is_net() && !declared.is_empty() {
            let short: String = declared.chars().take(200).collect();
            lines.push(format!("```\n{short}\n```"));
        }
        lines.extend(entry.facts.iter().cloned());
        let value = lines.join("\n\n");
        Some(json!({ "contents": { "kind": "markdown", "value": value }, "range": self.text.range(word) }))
    }

    /// Where a name is declared.
    pub(super) fn definition(&self, position: &Value) -> Option<Value> {
        let at = self.text.offset(position)?;
        let (entry, _) = names::find(&self.names.1, &self.text.text, at, self.is_net())?;
        Some(json!({ "uri": self.uri, "range": self.names.0.range(entry.span) }))
    }

    /// All names, those of processes within them.
    pub(super) fn symbols(&self) -> Value {
        let (text, names) = &self.names;
        let symbol = |e: &Entry| {
            let whole = e.inside.unwrap_or(e.span);
            let kind = symbol_kind(&e.kind);
            json!({ "name": e.name, "detail": e.kind, "kind": kind, "range": text.range(whole), "selectionRange": text.range(e.span) })
        };
        let top = names.iter().filter(|e| e.scope.is_none()).map(|e| {
            let mut out = symbol(e);
            if e.inside.is_some() {
                out["children"] = names.iter().filter(|i| i.scope == e.inside).map(&symbol).collect();
            }
            out
        });
        top.collect()
    }

    /// What can be checked, and where to say so.
    pub(super) fn lenses(&self) -> Value {
        let (text, Outline { properties, .. }) = &self.properties;
        let Some(properties) = properties else { return json!([]) };
        let lens = |range: Value, title: String, asked: Value| {
            let command = json!({ "title": title, "command": super::CHECK, "arguments": [asked] });
            json!({ "range": range, "command": command })
        };
        let top = || text.range((0, 0));
        let mut out = vec![lens(top(), "check for deadlock".to_owned(), json!({ "uri": self.uri, "deadlock": true }))];
        if properties.len() > 1 {
            out.push(lens(top(), "check everything".to_owned(), json!({ "uri": self.uri })));
        }
        for property in properties.iter().filter(|p| p.span.is_some() || p.name != "deadlock-free") {
            let range = property.span.map_or_else(top, |span| text.range(span));
            out.push(lens(
                range,
                format!("check {}", property.name),
                json!({ "uri": self.uri, "property": property.name }),
            ));
        }
        json!(out)
    }

    /// Shows the answers of a report at their properties; says all of them in one sentence, and how bad it is.
    pub(super) fn answer(&mut self, report: &Value) -> (String, u8) {
        let (mut sentences, mut worst) = (Vec::new(), 3);
        for result in report["results"].as_array().into_iter().flatten() {
            let name = result["property"].as_str().unwrap_or_default();
            let (sentence, severity) = verdict(result);
            let line = result["source"]["line"].as_u64().unwrap_or(1);
            let mut out = diagnostic(&self.text.whole_line(usize::try_from(line).unwrap_or(1)), severity, &sentence);
            let related = self.run(&result["explanation"]);
            if !related.is_empty() {
                out["relatedInformation"] = json!(related);
            }
            self.answers.retain(|(known, _)| known != name);
            self.answers.push((name.to_owned(), out));
            sentences.push(sentence);
            worst = worst.min(severity);
        }
        (sentences.join("; "), worst)
    }

    /// The lines of the steps of a run.
    fn run(&self, explanation: &Value) -> Vec<Value> {
        let steps = explanation["steps"].as_array().into_iter().flatten().take(SHOWN_STEPS);
        let lines = steps.flat_map(|step| {
            let operations: Vec<&str> =
                step["operations"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let name = step["transition"].as_str().unwrap_or_default();
            let colon = if operations.is_empty() { "" } else { ": " };
            let message = format!("{}. {name}{colon}{}", step["number"], operations.join(", "));
            let lines = step["source"].as_array().into_iter().flatten().filter_map(|p| p["line"].as_u64());
            lines.map(move |line| (usize::try_from(line).unwrap_or(1), message.clone())).collect::<Vec<_>>()
        });
        lines.map(|(line, message)| self.note(&self.text.whole_line(line), &message)).collect()
    }
}

fn diagnostic(range: &Value, severity: u8, message: &str) -> Value {
    json!({ "range": range, "severity": severity, "source": "impasse", "message": message })
}

/// One answer in a sentence, and how bad it is: what the author expects is no error.
fn verdict(result: &Value) -> (String, u8) {
    let text = |field: &str| result[field].as_str().unwrap_or_default();
    let (name, verdict) = (text("property"), text("verdict"));
    let expected = result["expect"].as_str() == Some(verdict);
    match verdict {
        "holds" => (format!("{name}: holds"), 3),
        "violated" => {
            let steps = result["trace"]["stem"].as_array().map_or(0, Vec::len);
            let cycle = result["trace"]["cycle"].as_array().map_or(0, Vec::len);
            let run =
                if cycle > 0 { format!("{steps} steps and a cycle of {cycle}") } else { format!("{steps} steps") };
            let what = match text("violation") {
                "" => String::new(),
                "deadlock" => format!(": {run} lead to a deadlock"),
                "partial-deadlock" => format!(": {run} lead to a partial deadlock"),
                "model-error" => format!(": {run} lead to an error of the model itself"),
                _ if result["trace"].is_null() => ": there is no such state".to_owned(),
                _ => format!(": {run} show it"),
            };
            let as_expected = if expected { ", as expected" } else { "" };
            (format!("{name}: violated{as_expected}{what}"), if expected { 3 } else { 1 })
        }
        _ => (format!("{name}: unknown: {}", text("reason")), 2),
    }
}

/// The number that the protocol has for a kind of name.
fn symbol_kind(kind: &str) -> u8 {
    match kind {
        "process" => 5,
        "property" => 7,
        "field" => 8,
        "type" => 10,
        "channel" => 11,
        "action" | "transition" => 12,
        "constant" | "parameter" | "macro" => 14,
        "label" | "state" => 22,
        _ => 13,
    }
}
