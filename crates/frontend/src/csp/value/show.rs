//! Values as text, the way they are written in scripts.

use super::{Function, Sequence, Set, Target, Value};
use crate::csp::code::Program;

/// The text of a value.
pub(in crate::csp) fn show(program: &Program, value: &Value) -> String {
    let mut text = String::new();
    write(program, value, &mut text);
    text
}

fn write(program: &Program, value: &Value, out: &mut String) {
    match value {
        Value::Unset => out.push('?'),
        Value::Int(n) => out.push_str(&n.to_string()),
        Value::Bool(b) => out.push_str(&b.to_string()),
        Value::Char(c) => out.push_str(&format!("'{c}'")),
        Value::Head(head) => out.push_str(&program.head(*head).name),
        Value::Dot(atoms) => list(program, atoms, ("", ".", ""), out),
        Value::Tuple(items) => list(program, items, ("(", ", ", ")"), out),
        Value::Sequence(sequence) => write_sequence(program, sequence, out),
        Value::Set(set) => write_set(program, set, out),
        Value::Map(pairs) => write_map(program, pairs, out),
        Value::Image(_) => out.push_str("a relation"),
        Value::Process(_) => out.push_str("a process"),
        Value::Builtin(builtin) => out.push_str(builtin.name()),
        Value::Function(function) => write_function(program, function, out),
        Value::Group(_) => out.push_str("definitions"),
    }
}

fn list(program: &Program, items: &[Value], (open, between, close): (&str, &str, &str), out: &mut String) {
    out.push_str(open);
    for (i, item) in items.iter().enumerate() {
        out.push_str(if i > 0 { between } else { "" });
        write(program, item, out);
    }
    out.push_str(close);
}

fn write_sequence(program: &Program, sequence: &Sequence, out: &mut String) {
    let characters = |items: &[Value]| {
        let each = items.iter().map(|v| if let Value::Char(c) = v { Some(*c) } else { None });
        each.collect::<Option<String>>().filter(|text| !text.is_empty())
    };
    match sequence {
        Sequence::From(n) => out.push_str(&format!("<{n}..>")),
        Sequence::Finite { .. } => {
            let items = sequence.items().expect("the sequence is finite");
            match characters(items) {
                Some(text) => out.push_str(&format!("{text:?}")),
                None => list(program, items, ("<", ", ", ">"), out),
            }
        }
    }
}

fn write_set(program: &Program, set: &Set, out: &mut String) {
    match set {
        Set::Finite(values) => list(program, values, ("{", ", ", "}"), out),
        Set::From(n) => out.push_str(&format!("{{{n}..}}")),
        Set::Int => out.push_str("Int"),
        Set::Char => out.push_str("Char"),
        Set::Proc => out.push_str("Proc"),
        Set::Type(id) => out.push_str(&program.type_of(*id).name),
        Set::Sequences(of) | Set::Subsets(of) => {
            out.push_str(if matches!(set, Set::Sequences(_)) { "Seq(" } else { "Set(" });
            write_set(program, of, out);
            out.push(')');
        }
        Set::Tuples(sets) | Set::Dots(sets) => {
            let between = if matches!(set, Set::Tuples(_)) { ", " } else { "." };
            out.push('(');
            for (i, set) in sets.iter().enumerate() {
                out.push_str(if i > 0 { between } else { "" });
                write_set(program, set, out);
            }
            out.push(')');
        }
    }
}

fn write_map(program: &Program, pairs: &[(Value, Value)], out: &mut String) {
    out.push_str("(|");
    for (i, (key, value)) in pairs.iter().enumerate() {
        out.push_str(if i > 0 { ", " } else { " " });
        write(program, key, out);
        out.push_str(" => ");
        write(program, value, out);
    }
    out.push_str(" |)");
}

fn write_function(program: &Program, function: &Function, out: &mut String) {
    let name = match &function.target {
        Target::Lambda(..) => None,
        other => program.block(other.block()).name.as_deref(),
    };
    out.push_str(name.unwrap_or("\\ ..."));
    for group in &function.arguments {
        list(program, group, ("(", ", ", ")"), out);
    }
}
