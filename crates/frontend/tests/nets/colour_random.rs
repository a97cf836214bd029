//! Random coloured nets: what they are unfolded to behaves like a naive interpreter of the coloured net.
//!
//! The interpreter knows no unfolding: it tries all values of the variables in every marking.

use std::collections::HashSet;

use frontend::pnml;
use testkit::Rng;

use crate::colour_text::*;

const MAX_MARKINGS: usize = 200;

/// The colours `a0`, `a1`, `a2` in a circle, and the numbers 1 and 2.
#[derive(Clone, Copy, PartialEq)]
enum Basic {
    A,
    N,
}

impl Basic {
    fn size(self) -> usize {
        if self == Basic::A { 3 } else { 2 }
    }
}

/// The variables of the net: two of the circle, one number.
const VARIABLES: [(&str, Basic); 3] = [("x", Basic::A), ("y", Basic::A), ("z", Basic::N)];

/// The sorts of places.
const SORTS: [(&str, &[Basic]); 4] =
    [("D", &[]), ("A", &[Basic::A]), ("AN", &[Basic::A, Basic::N]), ("AA", &[Basic::A, Basic::A])];

#[derive(Clone, Copy)]
enum Component {
    Constant(usize),
    Variable(usize),
    /// One further in the circle, or one back.
    Next(usize),
    Previous(usize),
    All,
}

struct Summand {
    count: u64,
    token: Vec<Component>,
}

struct Arc {
    place: usize,
    summands: Vec<Summand>,
}

/// Two components compared.
struct Test {
    relation: &'static str,
    basic: Basic,
    left: Component,
    right: Component,
}

struct Transition {
    tests: Vec<Test>,
    all: bool,
    inputs: Vec<Arc>,
    outputs: Vec<Arc>,
}

struct Spec {
    /// Places by their sorts, with the initial tokens of each colour.
    places: Vec<(usize, Vec<u64>)>,
    transitions: Vec<Transition>,
}

/// What the interpreter is to get wrong.
#[derive(Clone, Copy, PartialEq)]
enum Bug {
    None,
    NextGoesBack,
    ConditionsAreIgnored,
}

fn component(rng: &mut Rng, basic: Basic, sets: bool) -> Component {
    let variable = if basic == Basic::A { rng.below(2) } else { 2 };
    match rng.below(8) {
        0 => Component::Constant(rng.below(basic.size())),
        1 if basic == Basic::A => Component::Next(variable),
        2 if basic == Basic::A => Component::Previous(variable),
        3 if sets => Component::All,
        _ => Component::Variable(variable),
    }
}

fn summand(rng: &mut Rng, basics: &[Basic]) -> Summand {
    let token = basics.iter().map(|basic| component(rng, *basic, true)).collect();
    Summand { count: 1 + rng.below(8) as u64 / 7, token }
}

fn arcs(rng: &mut Rng, spec: &Spec) -> Vec<Arc> {
    let mut arcs: Vec<Arc> = Vec::new();
    for _ in 0..1 + rng.below(2) {
        let place = rng.below(spec.places.len());
        if arcs.iter().any(|arc| arc.place == place) {
            continue;
        }
        let basics = SORTS[spec.places[place].0].1;
        let mut summands = vec![summand(rng, basics)];
        if rng.chance(25) {
            summands.push(summand(rng, basics));
        }
        arcs.push(Arc { place, summands });
    }
    arcs
}

fn random(rng: &mut Rng) -> Spec {
    let mut spec = Spec { places: Vec::new(), transitions: Vec::new() };
    for _ in 0..2 + rng.below(3) {
        let sort = rng.below(SORTS.len());
        let colours: usize = SORTS[sort].1.iter().map(|b| b.size()).product();
        spec.places.push((sort, (0..colours).map(|_| rng.below(4) as u64 / 3).collect()));
    }
    for _ in 0..1 + rng.below(3) {
        let (inputs, outputs) = (arcs(rng, &spec), arcs(rng, &spec));
        let test = |rng: &mut Rng| {
            let basic = if rng.chance(70) { Basic::A } else { Basic::N };
            let relations = ["equality", "inequality", "lessthan", "greaterthanorequal"];
            let (left, right) = (component(rng, basic, false), component(rng, basic, false));
            Test { relation: relations[rng.below(relations.len())], basic, left, right }
        };
        let tests = (0..rng.below(3)).map(|_| test(rng)).collect();
        spec.transitions.push(Transition { tests, all: rng.chance(60), inputs, outputs });
    }
    spec
}

fn text_of(component: Component, basic: Basic) -> String {
    let variable = |v: usize| var(VARIABLES[v].0);
    match component {
        Component::Constant(c) if basic == Basic::A => constant(&format!("a{c}")),
        Component::Constant(c) => number(c as i64 + 1, 1, 2),
        Component::Variable(v) => variable(v),
        Component::Next(v) => op("successor", &[variable(v)]),
        Component::Previous(v) => op("predecessor", &[variable(v)]),
        Component::All => all(if basic == Basic::A { "A" } else { "N" }),
    }
}

fn token_text(token: &[Component], sort: usize) -> String {
    let mut parts: Vec<String> = token.iter().zip(SORTS[sort].1).map(|(c, basic)| text_of(*c, *basic)).collect();
    match parts.len() {
        0 => "<dotconstant/>".to_owned(),
        1 => parts.remove(0),
        _ => op("tuple", &parts),
    }
}

fn text(spec: &Spec) -> String {
    let mut declarations = sort("A", &cyclic(&["a0", "a1", "a2"])) + &sort("N", &range(1, 2)) + &sort("D", "<dot/>");
    declarations += &(sort("AN", &product(&["A", "N"])) + &sort("AA", &product(&["A", "A"])));
    declarations.extend(VARIABLES.map(|(name, basic)| variable(name, if basic == Basic::A { "A" } else { "N" })));
    let mut content = String::new();
    for (p, (sort, initial)) in spec.places.iter().enumerate() {
        let marked = initial.iter().enumerate().filter(|(_, n)| **n > 0);
        let terms: Vec<String> = marked.map(|(c, n)| times(*n as i64, &token_text(&digits(c, *sort), *sort))).collect();
        let marking = if terms.is_empty() { None } else { Some(op("add", &terms)) };
        content += &place(&format!("p{p}"), SORTS[*sort].0, marking.as_deref());
    }
    for (t, transition_spec) in spec.transitions.iter().enumerate() {
        let id = format!("t{t}");
        let test = |t: &Test| op(t.relation, &[text_of(t.left, t.basic), text_of(t.right, t.basic)]);
        let tests: Vec<String> = transition_spec.tests.iter().map(test).collect();
        let condition = op(if transition_spec.all { "and" } else { "or" }, &tests);
        content += &transition(&id, if tests.is_empty() { None } else { Some(&condition) });
        let label = |arc_spec: &Arc| {
            let term = |s: &Summand| times(s.count as i64, &token_text(&s.token, spec.places[arc_spec.place].0));
            op("add", &arc_spec.summands.iter().map(term).collect::<Vec<_>>())
        };
        transition_spec.inputs.iter().for_each(|a| content += &arc(&format!("p{}", a.place), &id, &label(a)));
        transition_spec.outputs.iter().for_each(|a| content += &arc(&id, &format!("p{}", a.place), &label(a)));
    }
    net(&declarations, &content)
}

/// The components of a colour of a place.
fn digits(mut colour: usize, sort: usize) -> Vec<Component> {
    let mut out = Vec::new();
    for basic in SORTS[sort].1.iter().rev() {
        out.push(Component::Constant(colour % basic.size()));
        colour /= basic.size();
    }
    out.reverse();
    out
}

/// All values that a component stands for.
fn values(component: Component, basic: Basic, binding: &[usize], bug: Bug) -> Vec<usize> {
    let size = basic.size();
    vec![match component {
        Component::Constant(c) => c,
        Component::Variable(v) => binding[v],
        Component::Next(v) if bug != Bug::NextGoesBack => (binding[v] + 1) % size,
        Component::Next(v) | Component::Previous(v) => (binding[v] + size - 1) % size,
        Component::All => return (0..size).collect(),
    }]
}

/// The tokens of arcs, as a change to a marking by place and colour.
fn tokens(spec: &Spec, arcs: &[Arc], binding: &[usize], bug: Bug) -> Vec<Vec<u64>> {
    let mut sum: Vec<Vec<u64>> = spec.places.iter().map(|(_, initial)| vec![0; initial.len()]).collect();
    for arc in arcs {
        let basics = SORTS[spec.places[arc.place].0].1;
        for summand in &arc.summands {
            let mut colours = vec![0];
            for (component, basic) in summand.token.iter().zip(basics) {
                let digits = values(*component, *basic, binding, bug);
                colours = colours.iter().flat_map(|c| digits.iter().map(move |d| c * basic.size() + d)).collect();
            }
            colours.iter().for_each(|c| sum[arc.place][*c] += summand.count);
        }
    }
    sum
}

fn allows(transition: &Transition, binding: &[usize], bug: Bug) -> bool {
    let holds = |test: &Test| {
        let value = |c| values(c, test.basic, binding, bug)[0];
        let (left, right) = (value(test.left), value(test.right));
        match test.relation {
            "equality" => left == right,
            "inequality" => left != right,
            "lessthan" => left < right,
            _ => left >= right,
        }
    };
    let tests = &transition.tests;
    bug == Bug::ConditionsAreIgnored
        || tests.is_empty()
        || if transition.all { tests.iter().all(holds) } else { tests.iter().any(holds) }
}

/// The variables that occur in a transition.
fn used(transition: &Transition) -> [bool; 3] {
    let mut used = [false; 3];
    let arcs = transition.inputs.iter().chain(&transition.outputs).flat_map(|a| &a.summands).flat_map(|s| &s.token);
    for component in arcs.chain(transition.tests.iter().flat_map(|t| [&t.left, &t.right])) {
        if let Component::Variable(v) | Component::Next(v) | Component::Previous(v) = component {
            used[*v] = true;
        }
    }
    used
}

/// Markings and steps, by the interpreter.
fn interpret(spec: &Spec, bug: Bug) -> Option<(usize, usize)> {
    let mut modes = Vec::new();
    for transition in &spec.transitions {
        let used = used(transition);
        let range = |v: usize| if used[v] { VARIABLES[v].1.size() } else { 1 };
        for code in 0..range(0) * range(1) * range(2) {
            let binding = [code % range(0), code / range(0) % range(1), code / range(0) / range(1)];
            if allows(transition, &binding, bug) {
                let tokens = |arcs| tokens(spec, arcs, &binding, bug).concat();
                modes.push((tokens(&transition.inputs), tokens(&transition.outputs)));
            }
        }
    }
    let initial: Vec<u64> = spec.places.iter().flat_map(|(_, initial)| initial.clone()).collect();
    explore(initial, |marking| {
        let enabled = modes.iter().filter(|(pre, _)| marking.iter().zip(pre).all(|(m, p)| m >= p));
        enabled.map(|(pre, post)| marking.iter().zip(pre).zip(post).map(|((m, p), q)| m - p + q).collect()).collect()
    })
}

/// Markings and steps, by the unfolded net.
fn unfolded(spec: &Spec) -> Option<(usize, usize)> {
    let text = text(spec);
    let net = pnml::read("net", text.as_bytes()).unwrap_or_else(|d| panic!("{d:?}\n{text}")).net;
    explore(net.initial_marking(), |marking| {
        net.transition_ids().filter(|t| net.is_enabled(*t, marking)).map(|t| net.fire(t, marking)).collect()
    })
}

/// Counts markings and steps; `None` if there are too many.
fn explore(initial: Vec<u64>, successors: impl Fn(&[u64]) -> Vec<Vec<u64>>) -> Option<(usize, usize)> {
    let (mut seen, mut open, mut steps) = (HashSet::from([initial.clone()]), vec![initial], 0);
    while let Some(marking) = open.pop() {
        for next in successors(&marking) {
            steps += 1;
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
        if seen.len() > MAX_MARKINGS {
            return None;
        }
    }
    Some((seen.len(), steps))
}

#[test]
fn random_coloured_nets_behave_as_interpreted() {
    let (mut compared, mut moving) = (0, 0);
    for seed in 0..2_000 {
        let spec = random(&mut Rng::new(seed));
        let expected = interpret(&spec, Bug::None);
        assert_eq!(unfolded(&spec), expected, "seed {seed}\n{}", text(&spec));
        compared += usize::from(expected.is_some());
        moving += usize::from(expected.is_some_and(|(markings, _)| markings > 3));
    }
    assert!(compared > 1_000 && moving > 200, "{compared} {moving}");
}

#[test]
fn planted_bugs_are_found() {
    for bug in [Bug::NextGoesBack, Bug::ConditionsAreIgnored] {
        let differs = |seed| {
            let spec = random(&mut Rng::new(seed));
            unfolded(&spec) != interpret(&spec, bug)
        };
        assert!((0..500).any(differs));
    }
}
