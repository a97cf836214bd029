//! JSON against JSON schemas, with a small reader of the keywords that our schemas and that of SARIF use.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Keywords that say nothing about what fits, or nothing that is looked at.
const SILENT: [&str; 10] =
    ["$schema", "$id", "title", "description", "default", "examples", "definitions", "$defs", "format", "pattern"];

/// A schema of this project.
pub(crate) fn ours(name: &str) -> Value {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name))
}

/// The schema of SARIF, which is not ours to copy.
pub(crate) fn sarif() -> Option<Value> {
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| PathBuf::from("../../../shared/data"), PathBuf::from);
    let path = data.join("sarif-schema-2.1.0.json");
    if path.exists() {
        return Some(read(&path));
    }
    println!("skipped: there is no {}", path.display());
    None
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("the schema is JSON")
}

/// Whether a value fits a schema; if not, the first place where it does not.
pub(crate) fn fits(schema: &Value, value: &Value) -> Result<(), String> {
    fits_part(schema, schema, value, "")
}

fn fits_part(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let keywords = schema.as_object().expect("a schema is an object");
    keywords.iter().try_for_each(|(keyword, wanted)| fits_keyword(root, schema, (keyword, wanted), value, at))
}

fn fits_keyword(
    root: &Value,
    schema: &Value,
    (keyword, wanted): (&str, &Value),
    value: &Value,
    at: &str,
) -> Result<(), String> {
    let fitting = || {
        let choices = wanted.as_array().expect("a list of schemas");
        choices.iter().filter(|s| fits_part(root, s, value, at).is_ok()).count()
    };
    let items = || value.as_array().into_iter().flatten();
    let fields = || value.as_object().into_iter().flatten();
    let limit = || wanted.as_u64().expect("a number") as usize;
    let good = match keyword {
        "$ref" => {
            let name = wanted.as_str().and_then(|r| r.strip_prefix('#')).expect("a reference within the schema");
            return fits_part(root, root.pointer(name).expect("what is referred to"), value, at);
        }
        "oneOf" => fitting() == 1,
        "anyOf" => fitting() > 0,
        "const" => wanted == value,
        "enum" => wanted.as_array().is_some_and(|all| all.contains(value)),
        "type" => has_type(wanted.as_str().expect("one type"), value),
        "minimum" => value.as_f64().is_none_or(|n| n >= wanted.as_f64().expect("a number")),
        "maximum" => value.as_f64().is_none_or(|n| n <= wanted.as_f64().expect("a number")),
        "minItems" => items().count() >= limit() || !value.is_array(),
        "maxItems" => items().count() <= limit(),
        "uniqueItems" => {
            let all: Vec<_> = items().collect();
            (1..all.len()).all(|i| !all[..i].contains(&all[i]))
        }
        "items" => {
            return items().zip(0..).try_for_each(|(v, i)| fits_part(root, wanted, v, &format!("{at}/{i}")));
        }
        "properties" => {
            let known = |(k, v): (&String, &Value)| match wanted.get(k) {
                Some(schema) => fits_part(root, schema, v, &format!("{at}/{k}")),
                None => Ok(()),
            };
            return fields().try_for_each(known);
        }
        "additionalProperties" => {
            let new = |(k, _): &(&String, &Value)| schema["properties"].get(k.as_str()).is_none();
            return fields().filter(new).try_for_each(|(k, v)| match wanted {
                Value::Bool(true) => Ok(()),
                Value::Bool(false) => Err(format!("{at} has the unknown key {k}")),
                schema => fits_part(root, schema, v, &format!("{at}/{k}")),
            });
        }
        "required" => {
            let missing = wanted.as_array().into_iter().flatten().find(|k| value.get(k.as_str().unwrap()).is_none());
            return missing.map_or(Ok(()), |k| Err(format!("{at} lacks {k}")));
        }
        other => {
            assert!(SILENT.contains(&other), "the reader does not know the keyword `{other}`");
            true
        }
    };
    if good { Ok(()) } else { Err(format!("{at}: `{keyword}` is {wanted}, which does not fit {value}")) }
}

fn has_type(wanted: &str, value: &Value) -> bool {
    match wanted {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        // Nothing that we write is negative.
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the reader does not know the type `{other}`"),
    }
}

#[test]
fn the_reader_refuses() {
    let schema = serde_json::json!({
        "type": "object",
        "required": ["a"],
        "additionalProperties": false,
        "properties": {
            "a": { "type": "array", "items": { "type": "integer", "minimum": 1, "maximum": 3 }, "minItems": 1, "uniqueItems": true },
            "b": { "anyOf": [{ "const": 1 }, { "enum": ["x", "y"] }] },
        }
    });
    for good in [serde_json::json!({ "a": [1] }), serde_json::json!({ "a": [3, 2], "b": "y" })] {
        assert_eq!(fits(&schema, &good), Ok(()));
    }
    for bad in [
        serde_json::json!([]),
        serde_json::json!({}),
        serde_json::json!({ "a": [] }),
        serde_json::json!({ "a": [0] }),
        serde_json::json!({ "a": [4] }),
        serde_json::json!({ "a": [1, 1] }),
        serde_json::json!({ "a": ["1"] }),
        serde_json::json!({ "a": [1], "b": 2 }),
        serde_json::json!({ "a": [1], "c": 2 }),
    ] {
        assert!(fits(&schema, &bad).is_err(), "{bad}");
    }
}
