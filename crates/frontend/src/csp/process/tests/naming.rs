//! The names of what a network shows.

use super::support::Table;

#[test]
fn components_states_and_rules_are_named_after_the_script() {
    let t = &mut Table::new();
    let p = t.recursive(|t, p| t.prefixes(&["a", "b"], p));
    let both = t.parallel(&[p, p], &["a"]);
    let hidden = t.hide(both, &["a"]);
    let network = t.network(hidden);
    let names: Vec<&str> = network.components().iter().map(|c| c.name()).collect();
    assert_eq!(names, ["P0", "P0#2"]);
    let states: Vec<&str> = network.components()[0].states().iter().map(|s| s.name.as_str()).collect();
    assert_eq!(states, ["P0", "P0 after a"]);
    let mut rules: Vec<(String, String)> =
        network.rules().iter().map(|r| (r.label.to_string(), r.name.to_string())).collect();
    rules.sort();
    let expected = [("b", "b"), ("b", "b"), ("tau", "tau (a)")].map(|(l, n)| (l.to_owned(), n.to_owned()));
    assert_eq!(rules, expected);
}

#[test]
fn what_cannot_happen_is_not_in_the_network() {
    let t = &mut Table::new();
    let stop = t.stop();
    let (left, right) = (t.prefixes(&["a", "b", "c"], stop), t.prefixes(&["a", "d"], stop));
    let both = t.parallel(&[left, right], &["a", "b"]);
    let network = t.network(both);
    assert_eq!(network.component(model::views::ComponentId(0)).states().len(), 2, "b never happens, nor c");
    assert_eq!(network.rules().len(), 2);
}
