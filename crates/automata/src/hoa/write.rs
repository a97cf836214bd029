//! Writing automata.

use std::fmt::Write;

use super::Named;
use crate::automaton::{Automaton, Cube, Edge, Label, Marks};

/// The automaton as text.
pub fn write(named: &Named) -> String {
    let Named { name, atoms, automaton } = named;
    let mut out = String::from("HOA: v1\n");
    let line = &mut out;
    if let Some(name) = name {
        push(line, format_args!("name: {}\n", quoted(name)));
    }
    push(line, format_args!("States: {}\nStart: {}\nAP: {}", automaton.size(), automaton.initial.0, atoms.len()));
    atoms.iter().for_each(|atom| push(line, format_args!(" {}", quoted(atom))));
    push(line, format_args!("\nacc-name: {}\nAcceptance: {}\n", acceptance_name(automaton), acceptance(automaton)));
    line.push_str("properties: trans-labels explicit-labels trans-acc");
    line.push_str(if automaton.is_deterministic() { " deterministic\n--BODY--\n" } else { "\n--BODY--\n" });
    for state in automaton.states() {
        push(line, format_args!("State: {}\n", state.0));
        automaton.from(state).iter().for_each(|edge| push_edge(line, edge));
    }
    out.push_str("--END--\n");
    out
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("strings take all text");
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn acceptance_name(automaton: &Automaton) -> String {
    match automaton.sets {
        0 => "all".to_owned(),
        1 => "Buchi".to_owned(),
        n => format!("generalized-Buchi {n}"),
    }
}

fn acceptance(automaton: &Automaton) -> String {
    if automaton.sets == 0 {
        return "0 t".to_owned();
    }
    let all: Vec<String> = (0..automaton.sets).map(|set| format!("Inf({set})")).collect();
    format!("{} {}", automaton.sets, all.join("&"))
}

fn push_edge(out: &mut String, edge: &Edge) {
    push(out, format_args!("[{}] {}", label(&edge.label), edge.target.0));
    if edge.marks != Marks::default() {
        let sets: Vec<String> = (0..Marks::MOST).filter(|s| edge.marks.has(*s)).map(|s| s.to_string()).collect();
        push(out, format_args!(" {{{}}}", sets.join(" ")));
    }
    out.push('\n');
}

fn label(label: &Label) -> String {
    let cubes: Vec<String> = label.0.iter().map(cube).collect();
    if cubes.is_empty() { "f".to_owned() } else { cubes.join(" | ") }
}

fn cube(cube: &Cube) -> String {
    let literal = |atom: u32| match (cube.positive >> atom & 1, cube.negative >> atom & 1) {
        (0, 0) => None,
        (1, _) => Some(atom.to_string()),
        _ => Some(format!("!{atom}")),
    };
    let literals: Vec<String> = (0..64).filter_map(literal).collect();
    if literals.is_empty() { "t".to_owned() } else { literals.join("&") }
}
