//! Smaller programs with the same fault.

use super::{Program, Stmt};

/// Cuts a program as long as `still` says that what was wrong is wrong still. Programs that nobody accepts any more
/// must be none of these.
pub fn shrink(program: &Program, mut still: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    while let Some(smaller) = cuts(&best).into_iter().find(&mut still) {
        best = smaller;
    }
    best
}

/// All programs that are one cut smaller, large cuts first.
fn cuts(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for i in 0..program.processes.len() {
        let mut cut = program.clone();
        cut.processes.remove(i);
        all.push(cut);
    }
    for (i, process) in program.processes.iter().enumerate() {
        all.extend(sequences(&process.body).into_iter().map(|body| {
            let mut cut = program.clone();
            cut.processes[i].body = body;
            cut
        }));
    }
    for i in 0..program.declarations.len() {
        let mut cut = program.clone();
        cut.declarations.remove(i);
        all.push(cut);
    }
    for (i, process) in program.processes.iter().enumerate() {
        for j in 0..process.locals.len() {
            let mut cut = program.clone();
            cut.processes[i].locals.remove(j);
            all.push(cut);
        }
    }
    all
}

/// A sequence with one statement less, or with one statement smaller.
fn sequences(body: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut all = Vec::new();
    for (i, statement) in body.iter().enumerate() {
        all.extend(replaced(body, i, &[]));
        let Stmt::Group { head, parts, tail } = statement else { continue };
        for (_, part) in parts {
            all.extend(replaced(body, i, part));
        }
        for j in 0..parts.len() {
            let mut fewer = parts.clone();
            fewer.remove(j);
            all.extend(replaced(body, i, &[Stmt::Group { head: head.clone(), parts: fewer, tail }]));
            for smaller in sequences(&parts[j].1) {
                let mut changed = parts.clone();
                changed[j].1 = smaller;
                all.extend(replaced(body, i, &[Stmt::Group { head: head.clone(), parts: changed, tail }]));
            }
        }
    }
    all
}

/// The sequence with other statements in the place of one.
fn replaced(body: &[Stmt], at: usize, by: &[Stmt]) -> Option<Vec<Stmt>> {
    let mut changed = body.to_vec();
    changed.splice(at..=at, by.iter().cloned());
    (!changed.is_empty()).then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::promela::random;

    #[test]
    fn what_matters_is_left() {
        let program =
            (0..).map(|seed| random(seed, 12)).find(|p| p.to_string().contains("!!")).expect("there are some");
        let small = shrink(&program, |p| p.to_string().contains("!!"));
        let statements: usize = small.processes.iter().map(|p| p.body.len()).sum();
        assert_eq!((small.processes.len(), statements), (1, 1), "{small}");
        assert!(small.to_string().contains("!!"));
    }
}
