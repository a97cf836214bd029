//! Runs in the Informal Trace Format of Apalache: every state of the run, with the values of all processes and objects.
//!
//! A process is a string, its location; a variable a number, a truth value or the constant of an enumeration; a lock the
//! process that holds it, or the empty string; a channel a sequence of messages, each a value, or a tuple of its fields. A
//! run that goes on for ever has a `loop`: after the last state comes the one with that number.

use check::CheckedTrace;
use model::{Domain, Kind, ObjectId, ProcessId, System, Value};
use serde_json::{Map, Value as Json, json};

use driver::ToolInfo;

/// More states than this are not written: the saved trace says the same in less.
pub const MAX_STATES: usize = 100_000;

/// A run, of the model in this file, that was found for a property; nothing if it is too long.
pub fn render(run: &CheckedTrace<'_>, file: &str, property: &str) -> Option<String> {
    let (system, trace) = (run.system(), run.trace());
    // The last state of a cycle is the first one again.
    let looping = !trace.cycle.is_empty();
    let states = run.fired() + usize::from(!looping);
    if states > MAX_STATES {
        return None;
    }
    let named = |number: usize| (number > 0).then(|| &*system.transition(trace.step(number - 1)).name);
    let states: Vec<Json> =
        run.states().take(states).enumerate().map(|(i, words)| state(system, i, named(i), &words)).collect();
    let tool = ToolInfo::default();
    let mut out = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": file,
            "description": format!("{} {}: a run found for {property}", tool.name, tool.version),
        },
        "vars": names(system),
        "states": states,
    });
    if looping {
        out["loop"] = trace.stem.len().into();
    }
    Some(serde_json::to_string_pretty(&out).expect("a value is always JSON") + "\n")
}

/// The names of all variables; processes first.
fn names(system: &System) -> Vec<&str> {
    let processes = system.processes().iter().map(|p| &*p.name);
    processes.chain(system.objects().iter().map(|o| &*o.name)).collect()
}

fn state(system: &System, index: usize, step: Option<&str>, words: &[u64]) -> Json {
    let mut meta = json!({ "index": index });
    if let Some(step) = step {
        meta["step"] = step.into();
    }
    let mut out = Map::from_iter([("#meta".to_owned(), meta)]);
    let process = |p: ProcessId| {
        let process = system.process(p);
        (process.name.clone(), Json::from(&*process.locations[system.location(p, words).index()].name))
    };
    out.extend(system.process_ids().map(process));
    out.extend(system.object_ids().map(|o| (system.object(o).name.clone(), object(system, o, words))));
    Json::Object(out)
}

fn object(system: &System, id: ObjectId, words: &[u64]) -> Json {
    let kind = &system.object(id).kind;
    match (system.value(id, words), kind) {
        (Value::Int(value), Kind::Variable(domain)) => scalar(domain, value),
        (Value::Int(value), _) => integer(value),
        (Value::Lock(holder), _) => holder.map_or("", |p| &*system.process(p).name).into(),
        (Value::Queue(messages), Kind::Channel(channel)) => {
            let fields = |message: &Vec<i64>| {
                let values: Vec<Json> = message.iter().zip(&channel.fields).map(|(v, d)| scalar(d, *v)).collect();
                <[Json; 1]>::try_from(values).map_or_else(|values| json!({ "#tup": values }), |[one]| one)
            };
            messages.iter().map(fields).collect()
        }
        (Value::Queue(_), _) => unreachable!("only channels hold messages"),
    }
}

fn scalar(domain: &Domain, value: i64) -> Json {
    match domain {
        Domain::Bool => (value != 0).into(),
        Domain::Named(_) => domain.show(value).into(),
        Domain::Range { .. } => integer(value),
    }
}

/// Numbers of any size: those of JSON are not.
fn integer(value: i64) -> Json {
    json!({ "#bigint": value.to_string() })
}
