//! Questions about whole runs: formulas, and labels of acceptance and of progress.

use super::generate::{Generator, random};
use super::{Program, Stmt};

/// The program of a seed with a formula, with labels of acceptance, or with labels of progress.
pub fn random_about_runs(seed: u64, size: usize) -> Program {
    let mut program = random(seed, size);
    // SPIN's claims, among them that of non-progress cycles, are processes that count.
    reword(&mut program, ("_nr_pr", "2"));
    let mut generator = Generator::watching(&program, seed);
    match generator.rng.below(4) {
        0 => generator.label(&mut program, "accept0"),
        1 => generator.label(&mut program, "progress0"),
        _ => {
            program.claim = Some(format!("ltl f {{ {} }}", generator.formula(3)));
            // SPIN's claims assert what must always be true: other assertions could not be told from these.
            reword(&mut program, ("assert(", "(true || "));
        }
    }
    program
}

/// Writes something else wherever a word stands.
fn reword(program: &mut Program, (word, other): (&str, &str)) {
    let change = |text: &mut String| *text = text.replace(word, other);
    program.declarations.iter_mut().for_each(change);
    for process in &mut program.processes {
        change(&mut process.head);
        process.locals.iter_mut().for_each(change);
        process.body.iter_mut().for_each(|statement| reword_in(statement, &change));
    }
}

fn reword_in(statement: &mut Stmt, change: &impl Fn(&mut String)) {
    let (Stmt::Line(text) | Stmt::Group { head: text, .. }) = statement;
    change(text);
    if let Stmt::Group { parts, .. } = statement {
        parts.iter_mut().flat_map(|(_, part)| part).for_each(|inner| reword_in(inner, change));
    }
}

impl Generator {
    /// Puts a label into some of the processes, at least one.
    fn label(&mut self, program: &mut Program, label: &str) {
        let chosen = self.rng.below(program.processes.len());
        for (i, process) in program.processes.iter_mut().enumerate() {
            if i == chosen || self.rng.chance(40) {
                self.place_label(&mut process.body, label);
            }
        }
    }

    /// A formula that nests temporal operators so deep.
    fn formula(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.chance(10) {
            return self.sight();
        }
        let a = self.formula(depth - 1);
        match self.rng.below(9) {
            0 | 1 => format!("[] ({a})"),
            2 | 3 => format!("<> ({a})"),
            4 => format!("!({a})"),
            n => {
                let b = self.formula(depth - 1);
                let operator = ["U", "V", "->", if self.rng.chance(50) { "&&" } else { "||" }][n - 5];
                format!("(({a}) {operator} ({b}))")
            }
        }
    }
}
