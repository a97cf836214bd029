//! What cannot be viewed says why, in the model's own names; what is malformed is refused.

use model::views::{ArcSet, Automaton, ComponentId, EventId, LocalState, Origin, Place, PlaceId, Rule, StateId};
use model::{Binary, Builder, Command, Domain, Expr, Kind, Limits, Net, Network, Pattern, Target};

use crate::models::{assign, channel, edge, process, range};

#[test]
fn a_channel_with_too_many_contents_is_named() {
    let mut b = Builder::new("wide");
    let q = b.object("q", channel(5, false, vec![Domain::Range { lo: 0, hi: 255 }]));
    let x = b.object("x", range(0, 255));
    let p = process(&mut b, "P", 1);
    b.edge(edge(p, 0, 0).run(assign(x, Expr::read(x).op(Binary::Add, 1).op(Binary::Rem, 256))));
    b.edge(edge(p, 0, 0).run(Command::Send(q.into(), vec![Expr::read(x)])));
    b.edge(edge(p, 0, 0).run(Command::Receive(q.into(), vec![Pattern::Bind(x.into())])));
    let error = b.build().expect("a good model").network(&Limits::default()).expect_err("too large");
    assert_eq!(error.message, "channel `q` has 1103823438081 values; at most 4096 are expanded");
}

#[test]
fn objects_used_jointly_by_too_many_are_named() {
    let mut b = Builder::new("joint");
    let objects: Vec<_> = ["x", "y", "z"].iter().map(|n| b.object(*n, range(0, 99))).collect();
    let p = process(&mut b, "P", 1);
    for &o in &objects {
        b.edge(edge(p, 0, 0).run(assign(o, Expr::read(o).op(Binary::Add, 1).op(Binary::Rem, 100))));
    }
    let sum = Expr::read(objects[0]).op(Binary::Add, Expr::read(objects[1]));
    b.edge(edge(p, 0, 0).label("meet").when(sum.is(Expr::read(objects[2]))));
    let error = b.build().expect("a good model").network(&Limits::default()).expect_err("too large");
    assert_eq!(
        error.message,
        "`P.meet` uses `x`, `y`, `z` jointly, with 1000000 combinations of values; at most 262144 are expanded"
    );
}

#[test]
fn limits_on_rules_and_states_hold() {
    let system = crate::models::philosophers_with_locks(4);
    let limits = Limits { rules: 20, ..Limits::default() };
    assert!(system.network(&limits).expect_err("too many").message.contains("more than 20 rules"));
    let limits = Limits { states: 20, ..Limits::default() };
    assert!(system.network(&limits).expect_err("too many").message.contains("28 local states"));
    let network = system.network(&Limits::default()).expect("small");
    let limits = Limits { rules: 20, ..Limits::default() };
    assert!(network.net(&limits).expect_err("too many").message.contains("more than 20 transitions"));
    let limits = Limits { rules: 15, ..Limits::default() };
    assert!(system.net(&limits).expect_err("too many").message.contains("more than 15 transitions"));
}

/// The message with which a net is refused for one guard and one operation.
fn refusal(guard: impl Fn(&mut Builder) -> Expr, command: impl Fn(&mut Builder) -> Option<Command>) -> String {
    let mut b = Builder::new("refused");
    b.object("c[0]", Kind::Counter { max: 9 });
    b.object("c[1]", Kind::Counter { max: 9 });
    b.object("v", range(0, 3));
    let p = process(&mut b, "P", 1);
    let mut e = edge(p, 0, 0).label("go").when(guard(&mut b));
    if let Some(c) = command(&mut b) {
        e = e.run(c);
    }
    b.edge(e);
    b.build().expect("a good model").net(&Limits::default()).expect_err("no net").message
}

#[test]
fn a_net_names_the_conjunct_that_it_cannot_express() {
    use model::ObjectId;
    let c = |k: u32| Expr::read(ObjectId(k));
    let none = |_: &mut Builder| None;
    assert_eq!(
        refusal(|_| c(0).op(Binary::Lt, c(1)), none),
        "the guard `c[0] < c[1]` of `P.go` uses several objects at once"
    );
    assert_eq!(refusal(|_| c(0).op(Binary::Rem, 2).is(0), none), "the guard `c[0] % 2 == 0` of `P.go` is no bound");
    assert_eq!(
        refusal(|_| c(2).is(0), none),
        "the guard `v == 0` of `P.go` uses the variable `v`, which is no place of a net"
    );
    let dynamic = |_: &mut Builder| Some(Command::Gain(Target::cell(ObjectId(0), 2, Expr::read(ObjectId(2))), 1));
    assert_eq!(
        refusal(|_| Expr::TRUE, dynamic),
        "the operation `c[v] += 1` of `P.go` has an index that is not constant"
    );
    assert_eq!(refusal(|_| Expr::Const(1).op(Binary::Div, 0), none), "the guard `1 / 0` of `P.go` is a model error");
}

fn automaton(name: &str, states: &[&str]) -> Automaton {
    let states: Vec<LocalState> = states.iter().map(|s| LocalState { name: (*s).to_owned(), end: false }).collect();
    let moves = vec![(StateId(0), EventId(0), StateId(1))];
    let (origin, initial, events) = (Origin::Given, StateId(0), vec!["go".to_owned()]);
    Automaton { name: name.to_owned(), origin, states, initial, events, moves }
}

#[test]
fn malformed_networks_are_refused() {
    let go = |c: u32| (ComponentId(c), EventId(0));
    let new = |automata, participants| Network::new("n", automata, vec![Rule::new("go", participants)]);
    let two = || vec![automaton("A", &["0", "1"]), automaton("B", &["0", "1"])];
    let network = new(two(), vec![go(1), go(0)]).expect("well-formed");
    let rule = network.rule_ids().next().expect("there is one");
    assert_eq!(network.successors(rule, &network.initial_state()), [[StateId(1), StateId(1)]]);
    assert!(new(two(), vec![go(2)]).is_err());
    assert!(new(two(), vec![go(0), go(0)]).is_err());
    assert!(new(two(), vec![(ComponentId(0), EventId(1))]).is_err());
    assert!(new(vec![automaton("A", &["0", "1"]), automaton("A", &["0", "1"])], vec![]).is_err());
    assert!(new(vec![automaton("A", &["0", "0"])], vec![]).is_err());
    assert!(new(vec![automaton("A", &["0"])], vec![]).is_err());
    assert!(new(vec![automaton("A", &[])], vec![]).is_err());
}

#[test]
fn malformed_nets_are_refused() {
    let new = |weight, place| {
        let arc = (PlaceId(place), weight);
        Net::new("n", vec![Place::new("a", 2)], vec![ArcSet::new("t", vec![arc, arc], vec![])])
    };
    assert!(new(1, 0).is_ok());
    assert!(new(0, 0).is_err() && new(1, 1).is_err() && new(u32::MAX, 0).is_err());
    assert!(Net::new("n", vec![Place::new("a", 0), Place::new("a", 0)], vec![]).is_err());
    let error = new(1, 0).expect("well-formed").to_system(|_| 1).expect_err("too many tokens");
    assert_eq!(error.message, "place `a` starts with 2 tokens, more than 1");
}
