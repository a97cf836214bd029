//! What is written reads back as the same net.

use crate::support::{Reader, shown};
use frontend::{lola, pnml, write};
use model::views::{Limits, Net, NetBuilder, Place};
use testkit::Rng;
use testkit::random::{Profile, sample};

type Writer = fn(&Net) -> String;

const FORMATS: [(&str, Writer, Reader); 2] = [("PNML", write::pnml, pnml::read), ("LoLA", write::lola, lola::read)];

/// A net of any shape: empty, loops, repeated arcs, large numbers.
fn random_net(seed: u64, name: impl Fn(&mut Rng, usize) -> String) -> Net {
    let mut rng = Rng::new(seed);
    let mut builder = NetBuilder::new("net");
    let places: Vec<_> = (0..rng.below(8))
        .map(|n| {
            let initial = *rng.pick(&[0, 0, 1, 1, 2, 1000, u32::MAX]);
            builder.place(Place::new(name(&mut rng, n), initial))
        })
        .collect();
    let transitions: Vec<_> = (0..rng.below(8)).map(|n| builder.transition(name(&mut rng, n))).collect();
    if !places.is_empty() && !transitions.is_empty() {
        for _ in 0..rng.below(30) {
            let (t, p, weight) = (*rng.pick(&transitions), *rng.pick(&places), *rng.pick(&[1, 1, 2, 9, 1 << 20]));
            if rng.chance(50) { builder.consume(t, p, weight) } else { builder.produce(t, p, weight) }
        }
    }
    builder.build().expect("well-formed")
}

#[test]
fn random_nets_come_back() {
    for seed in 0..300 {
        let net = random_net(seed, |_, n| format!("n{n}"));
        for (format, write, read) in FORMATS {
            let text = write(&net);
            let back = read("net", text.as_bytes()).unwrap_or_else(|d| panic!("{format}, seed {seed}: {d:?}\n{text}"));
            assert_eq!(shown(&back.net), shown(&net), "{format}, seed {seed}\n{text}");
            assert!(back.warnings.is_empty());
        }
    }
}

#[test]
fn random_systems_as_nets_come_back() {
    let mut nets = 0;
    for seed in 0..200 {
        let (system, limits) = (sample(seed, &Profile::nets()).system, Limits::default());
        // Only some systems have a net with a place for each counter; the others have one with a place for each value.
        let values = || system.network(&limits).and_then(|network| network.net(&limits));
        let Ok(net) = system.net(&limits).or_else(|_| values()) else { continue };
        let text = write::pnml(&net);
        let back = pnml::read(net.name(), text.as_bytes()).unwrap_or_else(|d| panic!("seed {seed}: {d:?}\n{text}"));
        assert_eq!(shown(&back.net), shown(&net), "seed {seed}\n{text}");
        let renamed = lola::read("net", write::lola(&net).as_bytes()).unwrap_or_else(|d| panic!("seed {seed}: {d:?}"));
        assert_eq!(anonymous(&renamed.net), anonymous(&net), "seed {seed}");
        nets += 1;
    }
    assert!(nets > 100, "most of the systems have a net: {nets}");
}

#[test]
fn strange_names_do_not_matter() {
    let pieces =
        ["PLACE", "a b", "<&>", "\"'", "]]>", "{", ";", "p", "p_2", "\u{e9}\u{3b1}", "x:1", "7", "-", "_", "a_b"];
    for seed in 0..300 {
        // Places have distinct names; transitions may have the same.
        let net = random_net(seed, |rng, n| format!("{}{}", *rng.pick(&pieces), pieces[n]));
        let text = write::pnml(&net);
        let back = pnml::read("net", text.as_bytes()).unwrap_or_else(|d| panic!("seed {seed}: {d:?}\n{text}"));
        assert_eq!(shown(&back.net), shown(&net), "seed {seed}\n{text}");
        let text = write::lola(&net);
        let back = lola::read("net", text.as_bytes()).unwrap_or_else(|d| panic!("seed {seed}: {d:?}\n{text}"));
        assert_eq!(anonymous(&back.net), anonymous(&net), "seed {seed}\n{text}");
    }
}

#[test]
fn many_transitions_with_one_name_are_written_quickly() {
    let mut builder = NetBuilder::new("net");
    for _ in 0..50_000 {
        builder.transition("t");
    }
    let net = builder.build().expect("well-formed");
    let back = lola::read("net", write::lola(&net).as_bytes()).expect("well-formed").net;
    assert_eq!(back.transitions().len(), 50_000);
}

#[test]
fn names_that_lola_allows_stay() {
    let mut builder = NetBuilder::new("net");
    for name in ["a b", "a_b", "SAFE", "x.1", "a,b"] {
        builder.place(Place::new(name, 1));
    }
    builder.transition("t");
    builder.transition("t");
    let text = write::lola(&builder.build().expect("well-formed"));
    let back = lola::read("net", text.as_bytes()).expect("well-formed").net;
    assert_eq!(shown(&back), "a_b_2=1\na_b=1\n_SAFE=1\nx.1=1\na_b_3=1\nt: ->\nt_2: ->\n");
}

/// A net without its names.
fn anonymous(net: &Net) -> String {
    let initial = net.initial_marking();
    let arcs: Vec<_> = net.transition_ids().map(|t| (net.pre(t), net.post(t))).collect();
    format!("{initial:?} {arcs:?}")
}
