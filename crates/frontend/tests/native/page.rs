//! The examples of the language page are true.

use crate::support;
use frontend::native::load;

/// The fenced blocks of the page.
fn blocks() -> Vec<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md");
    let page = std::fs::read_to_string(page).expect("the language page");
    page.split("```").skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn the_first_example_has_the_size_it_claims() {
    let loaded = load("page", &blocks()[0], &[]).expect("the example loads");
    let (states, transitions) = support::size(&loaded.system);
    assert_eq!((loaded.size.states, loaded.size.transitions), (Some(states as u64), Some(transitions as u64)));
    let twelve = load("page", &blocks()[0], &[("n".to_owned(), 5)]).expect("a larger one");
    assert_eq!(twelve.system.processes().len(), 5);
}

#[test]
fn the_fragments_load_in_a_model() {
    let blocks = blocks();
    let header = blocks.iter().find(|b| b.contains("{ ... }")).expect("the header of a family");
    let process = header.replace("...", "states idle, busy  idle -> busy : take  busy -> idle : put sync go[i]  ");
    let observer = blocks.iter().find(|b| b.contains("safety")).expect("an observer");
    let fair = blocks.iter().find(|b| b.contains("under weak fairness")).expect("claims about fair runs");
    let text = format!("param n = 2 lock m action go[n] {process} {observer} {fair}");
    let loaded = load("page", &text, &[]).unwrap_or_else(|d| panic!("{text}\n{d:#?}"));
    assert_eq!(loaded.properties[0].name, "no_double_take");
    let fairness = |p: &model::NamedProperty| match &p.property {
        model::Property::Temporal(temporal) => temporal.fairness.len(),
        _ => 0,
    };
    assert_eq!(loaded.properties.iter().map(fairness).collect::<Vec<_>>(), [0, 2, 2, 2]);
}

#[test]
fn every_sample_loads() {
    for sample in support::samples() {
        let loaded = load("sample", &sample.text, &[]).unwrap_or_else(|d| panic!("{}\n{d:#?}", sample.name));
        assert!(!loaded.properties.is_empty());
    }
}
