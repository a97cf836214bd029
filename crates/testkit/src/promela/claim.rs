//! `never` claims with an end, as the translation of a safety property gives them.

use super::Program;
use super::generate::Generator;
use super::scope::Place;
use super::values::Kind;

impl Generator {
    /// Finds out what a claim could look at: global variables, and places of the first process.
    pub(super) fn watch(&mut self, program: &Program) {
        for declaration in &program.declarations {
            let words: Vec<&str> = declaration.split([' ', ';', '=']).collect();
            if let [kind, name, ..] = words[..]
                && name.starts_with('g')
                && !name.contains('[')
                && kind != "mtype"
            {
                self.scope.places.push(Place::plain(name, Kind::Byte));
            }
        }
        let first = program.processes.first().filter(|p| p.head.starts_with("active"));
        let text = first.map_or(String::new(), |p| Program { processes: vec![p.clone()], ..empty() }.to_string());
        for label in ["L0", "L1", "end0"].iter().filter(|label| text.contains(&format!("{label}: "))) {
            self.scope.remote.push(format!("P0[0]@{label}"));
        }
        self.scope.remote.push("(_last == 1)".to_owned());
        self.scope.remote.push("enabled(0)".to_owned());
    }

    /// Something to look at. In a claim there is no process that could ask for its own number.
    pub(super) fn sight(&mut self) -> String {
        loop {
            let sight = self.any_sight();
            if !sight.contains("_pid") && !sight.contains("_nr_pr") {
                return sight;
            }
        }
    }

    fn any_sight(&mut self) -> String {
        let remote = self.rng.pick(&self.scope.remote).clone();
        match self.rng.below(4) {
            0 => remote,
            1 => format!("({remote} || {})", self.condition(0)),
            2 => format!("!({})", self.condition(1)),
            _ => self.condition(1),
        }
    }

    /// A chain of loops, each of which may be left for the next.
    pub(super) fn claim_body(&mut self) -> String {
        let mut text = "never {\n".to_owned();
        for _ in 0..=self.rng.below(3) {
            let leave = self.sight();
            let stay = match self.rng.below(4) {
                0 => self.sight(),
                1 => "else".to_owned(),
                _ => "true".to_owned(),
            };
            text.push_str(&match self.rng.below(5) {
                0 => format!("  {leave};\n"),
                1 => format!("  if\n  :: {leave}\n  :: {stay}\n  fi;\n"),
                _ => format!("  do\n  :: {leave} -> break\n  :: {stay}\n  od;\n"),
            });
        }
        text.push('}');
        text
    }
}

fn empty() -> Program {
    Program { declarations: Vec::new(), processes: Vec::new(), claim: None }
}
