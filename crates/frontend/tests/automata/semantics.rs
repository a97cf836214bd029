//! Random behaviours against their meaning by structural rules: step by step from the operands, never flattened.

use std::collections::BTreeSet;
use std::collections::btree_map::Entry;

use testkit::Rng;

use crate::support::{Folder, Space, aut, folder, network, space};

/// Gates that all leaves draw from; the last ones have offers.
const LABELS: &[&str] = &["A", "B", "C !1", "C !2", "i", "exit"];
const GATES: &[&str] = &["A", "B", "C"];

#[derive(Clone, Debug)]
enum Expr {
    /// The number of the leaf, and its moves.
    Leaf(usize, Vec<(usize, String, usize)>),
    /// The operator as written, the gates it names, and whether it is `||`.
    Two(Box<Expr>, Box<Expr>, Vec<String>, bool),
    /// Gates for all with how many meet, and branches with their own gates.
    Par(Vec<(String, Option<usize>)>, Vec<(Vec<String>, Expr)>),
    /// Vectors with a label for each branch that takes part.
    Vectors(Vec<(Vec<Option<String>>, String)>, Vec<Expr>),
    Hide(Vec<String>, bool, Box<Expr>),
    Cut(Vec<String>, bool, Box<Expr>),
    Rename(Vec<(String, String)>, Box<Expr>),
}

fn gate(label: &str) -> &str {
    label.split(' ').next().unwrap_or_default()
}

type Steps = BTreeSet<(String, Vec<usize>)>;

impl Expr {
    fn text(&self) -> String {
        match self {
            // The moves that only mention states never happen.
            Expr::Leaf(n, _) => format!("(cut never in \"{n}.aut\")"),
            Expr::Two(l, r, _, true) => format!("({} || {})", l.text(), r.text()),
            Expr::Two(l, r, gates, false) if gates.is_empty() => format!("({} ||| {})", l.text(), r.text()),
            Expr::Two(l, r, gates, false) => format!("({} |[{}]| {})", l.text(), gates.join(", "), r.text()),
            Expr::Par(gates, branches) => {
                let degree = |d: &Option<usize>| d.map_or_else(String::new, |d| format!("#{d}"));
                let gates: Vec<String> = gates.iter().map(|(g, d)| format!("{g}{}", degree(d))).collect();
                let list =
                    |own: &[String]| if own.is_empty() { String::new() } else { format!("{} -> ", own.join(", ")) };
                let branches: Vec<String> =
                    branches.iter().map(|(own, e)| format!("{}{}", list(own), e.text())).collect();
                format!("par {} in {} end par", gates.join(", "), branches.join(" || "))
            }
            Expr::Vectors(vectors, branches) => {
                let part = |p: &Option<String>| p.as_ref().map_or("_".to_owned(), |l| format!("\"{l}\""));
                let vector = |(parts, result): &(Vec<Option<String>>, String)| {
                    format!("{} -> \"{result}\"", parts.iter().map(part).collect::<Vec<_>>().join(" * "))
                };
                let vectors: Vec<String> = vectors.iter().map(vector).collect();
                let branches: Vec<String> = branches.iter().map(Expr::text).collect();
                format!("par using {} in {} end par", vectors.join(", "), branches.join(" || "))
            }
            Expr::Hide(gates, all, e) => format!("hide {}{} in {} end hide", but(*all), gates.join(", "), e.text()),
            Expr::Cut(gates, all, e) => format!("(cut {}{} in {})", but(*all), gates.join(", "), e.text()),
            Expr::Rename(pairs, e) => {
                let pairs: Vec<String> = pairs.iter().map(|(a, b)| format!("{a} -> {b}")).collect();
                format!("rename {} in {} end rename", pairs.join(", "), e.text())
            }
        }
    }

    /// What can happen in a state, which gives the state of every leaf.
    fn steps(&self, state: &[usize]) -> Steps {
        match self {
            Expr::Leaf(n, moves) => {
                let step = |(_, label, to): &(usize, String, usize)| {
                    let mut next = state.to_vec();
                    next[*n] = *to;
                    (label.clone(), next)
                };
                moves.iter().filter(|m| m.0 == state[*n]).map(step).collect()
            }
            Expr::Two(l, r, gates, full) => {
                let meets =
                    |label: &str| label != "i" && (*full || label == "exit" || gates.contains(&gate(label).to_owned()));
                let all = [l.steps(state), r.steps(state)];
                let alone = all.iter().flatten().filter(|(label, _)| !meets(label)).cloned();
                let together = meet(state, &[&all[0], &all[1]]).into_iter().filter(|(label, _)| meets(label));
                alone.chain(together).collect()
            }
            Expr::Par(gates, branches) => par(state, gates, branches),
            Expr::Vectors(vectors, branches) => {
                let all: Vec<Steps> = branches.iter().map(|b| b.steps(state)).collect();
                let mut out: Steps = all.iter().flatten().filter(|(label, _)| label == "i").cloned().collect();
                for (parts, result) in vectors {
                    let chosen: Vec<Steps> = parts
                        .iter()
                        .zip(&all)
                        .filter_map(|(part, steps)| {
                            let label = part.as_ref()?;
                            Some(steps.iter().filter(|s| s.0 == *label).map(|s| (String::new(), s.1.clone())).collect())
                        })
                        .collect();
                    let together = meet(state, &chosen.iter().collect::<Vec<_>>());
                    out.extend(together.into_iter().map(|(_, next)| (result.clone(), next)));
                }
                out
            }
            Expr::Hide(gates, all, e) => {
                let hidden = |l: &str| l != "exit" && gates.contains(&gate(l).to_owned()) != *all;
                e.steps(state).into_iter().map(|(l, s)| if hidden(&l) { ("i".to_owned(), s) } else { (l, s) }).collect()
            }
            Expr::Cut(gates, all, e) => {
                let cut = |l: &str| !["i", "exit"].contains(&l) && gates.contains(&gate(l).to_owned()) != *all;
                e.steps(state).into_iter().filter(|(l, _)| !cut(l)).collect()
            }
            Expr::Rename(pairs, e) => {
                let new = |l: &str| pairs.iter().find(|(a, _)| a == gate(l)).map(|(a, b)| l.replacen(a.as_str(), b, 1));
                e.steps(state).into_iter().map(|(l, s)| (new(&l).unwrap_or(l), s)).collect()
            }
        }
    }
}

fn but(all: bool) -> &'static str {
    if all { "all but " } else { "" }
}

/// Steps with one label of all of these at once.
fn meet(state: &[usize], all: &[&Steps]) -> Steps {
    let Some((first, rest)) = all.split_first() else { return Steps::new() };
    let mut out: Steps = (*first).clone();
    for steps in rest {
        let mut next = Steps::new();
        for (l, s) in &out {
            for (m, t) in steps.iter().filter(|(m, _)| m == l) {
                // Different leaves moved: what differs from the old state is new.
                let both = (0..state.len()).map(|i| if s[i] != state[i] { s[i] } else { t[i] }).collect();
                next.insert((m.clone(), both));
            }
        }
        out = next;
    }
    out
}

/// On each gate: so many of those who list it, or of all if nobody does.
fn par(state: &[usize], gates: &[(String, Option<usize>)], branches: &[(Vec<String>, Expr)]) -> Steps {
    let all: Vec<Steps> = branches.iter().map(|(_, e)| e.steps(state)).collect();
    let global = |g: &str| gates.iter().find(|(name, _)| name == g);
    let members = |g: &str| {
        let listed: Vec<usize> = (0..branches.len()).filter(|b| branches[*b].0.contains(&g.to_owned())).collect();
        if (listed.is_empty() && global(g).is_some()) || g == "exit" { (0..branches.len()).collect() } else { listed }
    };
    let mut out = Steps::new();
    for (b, steps) in all.iter().enumerate() {
        out.extend(steps.iter().filter(|(l, _)| !members(gate(l)).contains(&b)).cloned());
    }
    for g in GATES.iter().chain(&["exit"]) {
        let members = members(g);
        let degree = global(g).and_then(|(_, d)| *d).unwrap_or(members.len());
        let of_gate: Vec<Steps> =
            all.iter().map(|s| s.iter().filter(|(l, _)| gate(l) == *g).cloned().collect()).collect();
        for mask in 0_u32..1 << members.len() {
            if mask.count_ones() as usize == degree {
                let chosen: Vec<&Steps> =
                    members.iter().enumerate().filter(|(k, _)| mask >> k & 1 == 1).map(|(_, b)| &of_gate[*b]).collect();
                out.extend(meet(state, &chosen));
            }
        }
    }
    out
}

struct Maker {
    rng: Rng,
    leaves: Vec<Vec<(usize, String, usize)>>,
}

impl Maker {
    fn gates(&mut self) -> Vec<String> {
        let mut gates: Vec<String> = GATES.iter().filter(|_| self.rng.chance(45)).map(|g| (*g).to_owned()).collect();
        if gates.is_empty() {
            gates.push((*self.rng.pick(GATES)).to_owned());
        }
        gates
    }

    fn leaf(&mut self) -> Expr {
        let states = 2 + self.rng.below(2);
        let mut moves = Vec::new();
        for k in 0..2 * states + self.rng.below(4) {
            let (from, label) = (k % states, *self.rng.pick(LABELS));
            // Termination leads to a state of its own.
            let to = if label == "exit" { states } else { self.rng.below(states) };
            moves.push((from, label.to_owned(), to));
        }
        self.leaves.push(moves.clone());
        Expr::Leaf(self.leaves.len() - 1, moves)
    }

    fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.leaves.len() > 4 {
            return self.leaf();
        }
        match self.rng.below(12) {
            0 => Expr::Hide(self.gates(), self.rng.chance(20), Box::new(self.expr(depth - 1))),
            1 => Expr::Cut(self.gates(), self.rng.chance(20), Box::new(self.expr(depth - 1))),
            2 => {
                let pair = |m: &mut Self| ((*m.rng.pick(GATES)).to_owned(), (*m.rng.pick(GATES)).to_owned());
                let mut pairs = vec![pair(self), pair(self)];
                pairs.dedup_by(|a, b| a.0 == b.0);
                Expr::Rename(pairs, Box::new(self.expr(depth - 1)))
            }
            3 | 8 | 9 => {
                let branches = (0..2 + self.rng.below(2)).map(|_| self.branch(depth)).collect::<Vec<_>>();
                let degree = |m: &mut Self| m.rng.chance(40).then(|| 1 + m.rng.below(2));
                let gates = self.gates().into_iter().map(|g| (g, degree(self))).collect();
                Expr::Par(gates, branches)
            }
            4 | 10 => {
                let branches: Vec<Expr> = (0..2 + self.rng.below(2)).map(|_| self.expr(depth - 1)).collect();
                let vectors = (0..3 + self.rng.below(5)).map(|_| self.vector(branches.len())).collect();
                Expr::Vectors(vectors, branches)
            }
            5 => Expr::Two(
                Box::new(self.expr(depth - 1)),
                Box::new(self.expr(depth - 1)),
                Vec::new(),
                self.rng.chance(50),
            ),
            _ => Expr::Two(Box::new(self.expr(depth - 1)), Box::new(self.expr(depth - 1)), self.gates(), false),
        }
    }

    fn branch(&mut self, depth: usize) -> (Vec<String>, Expr) {
        let gates = if self.rng.chance(60) { self.gates() } else { Vec::new() };
        (gates, self.expr(depth - 1))
    }

    fn vector(&mut self, width: usize) -> (Vec<Option<String>>, String) {
        let label = |m: &mut Self| LABELS[..4][m.rng.below(4)].to_owned();
        let mut parts: Vec<Option<String>> = (0..width).map(|_| self.rng.chance(60).then(|| label(self))).collect();
        if parts.iter().all(Option::is_none) {
            parts[0] = Some(label(self));
        }
        (parts, label(self))
    }
}

fn random(seed: u64) -> (Expr, Folder) {
    let mut maker = Maker { rng: Rng::new(seed), leaves: Vec::new() };
    let expr = maker.expr(3);
    let mut files = folder(&[]);
    for (n, moves) in maker.leaves.iter().enumerate() {
        let moves: Vec<(usize, &str, usize)> = moves.iter().map(|(a, l, b)| (*a, l.as_str(), *b)).collect();
        files.insert(format!("{n}.aut"), renumbered(&moves));
    }
    (expr, files)
}

/// States keep their numbers only if all are mentioned: a move that cannot happen mentions them.
fn renumbered(moves: &[(usize, &str, usize)]) -> String {
    let last = moves.iter().map(|m| m.0.max(m.2)).max().unwrap_or(0);
    let mut all = moves.to_vec();
    all.extend((1..=last).map(|s| (s, "never", s)));
    aut(&all)
}

fn meaning(expr: &Expr, leaves: usize) -> Space {
    let mut found = Space::new();
    let mut open = vec![vec![0; leaves]];
    while let Some(state) = open.pop() {
        if let Entry::Vacant(place) = found.entry(state) {
            let steps = expr.steps(place.key());
            open.extend(steps.iter().map(|(_, next)| next.clone()));
            place.insert((steps, false));
        }
    }
    found
}

fn without_ends(mut space: Space) -> Space {
    space.values_mut().for_each(|(_, end)| *end = false);
    space
}

#[test]
fn behaviours_mean_what_their_operators_say() {
    let mut sizes = 0;
    for seed in 0..1500 {
        let (expr, files) = random(seed);
        let text = expr.text();
        let found = without_ends(space(&network(&text, &files)));
        let expected = meaning(&expr, files.len());
        assert_eq!(found, expected, "seed {seed}: {text}\n{files:?}");
        sizes += usize::from(found.len() > 4);
    }
    assert!(sizes > 400, "{sizes}");
}

/// A meaning in which termination is not common is told apart.
#[test]
fn termination_of_one_alone_is_caught() {
    let mut caught = 0;
    for seed in 0..400 {
        let (expr, mut files) = random(seed);
        let leaves = files.len();
        files.values_mut().for_each(|text| *text = text.replace("\"exit\"", "\"quit\""));
        let found = without_ends(space(&network(&expr.text(), &files)));
        caught += usize::from(found.len() != meaning(&expr, leaves).len());
    }
    assert!(caught > 30, "{caught}");
}
