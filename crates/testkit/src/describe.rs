//! A system as text, for the message of a test that fails.

use std::fmt::Write;

use model::{Hold, Location, System};

/// The objects and transitions of a system, in its own names.
pub fn describe(system: &System) -> String {
    let mut text = String::new();
    for process in system.processes() {
        let locations: Vec<String> = process
            .locations
            .iter()
            .map(|l| format!("{}{}{}", l.name, if l.end { " (end)" } else { "" }, hold(l)))
            .collect();
        line(&mut text, format!("process {}: {}; starts at {:?}", process.name, locations.join(", "), process.initial));
    }
    for object in system.objects() {
        line(&mut text, format!("object {}: {:?} = {:?}", object.name, object.kind, object.initial));
    }
    for (i, t) in system.transitions().iter().enumerate() {
        let moves: Vec<String> = t.moves.iter().map(|m| format!("{:?}: {:?}->{:?}", m.process, m.from, m.to)).collect();
        let guard: Vec<String> = t.guard.iter().map(|e| system.show_expr(e)).collect();
        let command: Vec<String> = t.command.iter().map(|c| system.show_command(c)).collect();
        let (moves, guard, command) = (moves.join(", "), guard.join(" and "), command.join(", "));
        let resort = if t.last_resort { " last resort" } else { "" };
        line(&mut text, format!("t{i} {} ({:?}){resort} [{moves}] when {guard} do {command}", t.name, t.joining));
    }
    text
}

fn line(text: &mut String, line: String) {
    writeln!(text, "{line}").expect("a string can always be written to");
}

fn hold(location: &Location) -> &'static str {
    match location.hold {
        Hold::No => "",
        Hold::Atomic => " (atomic)",
        Hold::Step => " (step)",
    }
}
