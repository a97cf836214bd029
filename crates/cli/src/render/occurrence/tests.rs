//! What pictures show: everything once, by its name, and well-formed whatever the names are.

use std::collections::BTreeMap;

use driver::{Prefix, Unfolding};
use evidence::Budget;
use model::views::{ArcSet, Net, NetTransitionId, Place, PlaceId};
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::Event;

use super::*;

/// Philosophers who put down one fork after the other: Figure 1 of Wang and Buy.
fn philosophers(n: usize) -> Net {
    let names = ["think", "left", "eat", "rel", "fork"];
    let place = |k: usize| Place::new(format!("{}{}", names[k / n], k % n), u32::from(k / n == 0 || k / n == 4));
    let places = (0..5 * n).map(place).collect();
    let at = |kind: usize, i: usize| (PlaceId::new(kind * n + i % n), 1);
    let arcs = (0..n).flat_map(|i| {
        [
            ArcSet::new(format!("take{i}"), vec![at(0, i), at(4, i)], vec![at(1, i)]),
            ArcSet::new(format!("eat{i}"), vec![at(1, i), at(4, i + 1)], vec![at(2, i)]),
            ArcSet::new(format!("drop{i}"), vec![at(2, i)], vec![at(3, i), at(4, i)]),
            ArcSet::new(format!("think{i}"), vec![at(3, i)], vec![at(0, i), at(4, i + 1)]),
        ]
    });
    Net::new("philosophers", places, arcs.collect()).expect("a net")
}

fn prefix(net: &Net) -> Prefix {
    Unfolding::default().prefix(net, &Budget::unlimited()).expect("it is small")
}

/// What is drawn: by identity, the classes, the title and the texts. Fails unless the document is well-formed.
type Drawn = BTreeMap<String, (String, String, Vec<String>)>;

fn drawn(svg: &str) -> Drawn {
    let mut reader = Reader::from_str(svg);
    let (mut open, mut out, mut current, mut text) = (Vec::new(), Drawn::new(), String::new(), String::new());
    loop {
        let event = reader.read_event().expect("well-formed");
        if let Event::Start(e) | Event::Empty(e) = &event {
            let attribute = |name: &str| {
                let all = e.attributes().map(|a| a.expect("attributes are well-formed"));
                let found = all.filter(|a| a.key.as_ref() == name);
                found.map(|a| a.value.into_owned()).next().unwrap_or_default()
            };
            let id = attribute("id");
            if !id.is_empty() {
                let fresh = out.insert(id.clone(), (attribute("class"), String::new(), Vec::new()));
                assert!(fresh.is_none(), "{id} is drawn twice");
                current = id;
            }
        }
        match event {
            Event::Start(e) => {
                text.clear();
                open.push(e.name().as_ref().to_owned());
            }
            Event::Text(t) => text.push_str(&t),
            Event::GeneralRef(r) => text.push_str(&unescape(&format!("&{};", &*r)).expect("known")),
            Event::End(e) => {
                let name = open.pop().expect("it was opened");
                assert_eq!(name, e.name().as_ref());
                if let Some((_, title, texts)) = out.get_mut(&current) {
                    match name.as_str() {
                        "title" => title.clone_from(&text),
                        "text" => texts.push(text.clone()),
                        _ => {}
                    }
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty(), "everything is closed");
    out
}

fn count(drawn: &Drawn, is: impl Fn(&str) -> bool) -> usize {
    drawn.values().filter(|(class, ..)| is(class)).count()
}

#[test]
fn three_philosophers_have_21_events_and_39_conditions() {
    let net = philosophers(3);
    let prefix = prefix(&net);
    let svg = Picture::of_prefix(&net, &prefix).svg();
    assert!(svg.contains(">21 events (6 cut-offs), 39 conditions</text>"), "{svg}");
    let drawn = drawn(&svg);
    assert_eq!(count(&drawn, |class| class.starts_with("event")), 21);
    assert_eq!(count(&drawn, |class| class == "event cutoff"), 6);
    assert_eq!(count(&drawn, |class| class.starts_with("condition")), 39);
    assert_eq!(count(&drawn, |class| class == "condition initial"), 6);
    for e in prefix.event_ids() {
        let (_, _, texts) = &drawn[&format!("e{}", e.index())];
        assert_eq!(texts[0], *net.transition(prefix.transition(e)).name);
        let companion = match prefix.companion(e) {
            None => continue,
            Some(Companion::Start) => "= start".to_owned(),
            Some(Companion::Event(f)) => {
                assert_eq!(
                    drawn[&format!("e{}", f.index())].2[1],
                    format!("e{}", f.index()),
                    "companions say who they are"
                );
                format!("= e{}", f.index())
            }
        };
        assert_eq!(texts[1], companion);
    }
    for c in prefix.condition_ids() {
        assert_eq!(drawn[&format!("c{}", c.index())].2, [net.place(prefix.place(c)).name.clone()]);
    }
    let arcs = prefix.event_ids().map(|e| prefix.preset(e).len() + prefix.postset(e).count()).sum::<usize>();
    assert_eq!(count(&drawn, |class| class == "arc"), arcs);
    for e in prefix.event_ids() {
        prefix.preset(e).iter().for_each(|c| assert!(drawn.contains_key(&format!("c{}-e{}", c.index(), e.index()))));
        prefix.postset(e).for_each(|c| assert!(drawn.contains_key(&format!("e{}-c{}", e.index(), c.index()))));
    }
    assert_eq!(svg, Picture::of_prefix(&net, &prefix).svg(), "the same bytes each time");
}

#[test]
fn the_graph_for_graphviz_has_the_same() {
    let net = philosophers(3);
    let prefix = prefix(&net);
    let dot = Picture::of_prefix(&net, &prefix).dot();
    let lines = |part: &str| dot.lines().filter(|line| line.contains(part)).count();
    assert_eq!((lines("shape=box"), lines("shape=ellipse"), lines("style=dashed")), (21, 39, 6));
    assert_eq!((lines("style=bold"), lines("= start"), lines("rank=source")), (6, 3, 1));
    let arcs = prefix.event_ids().map(|e| prefix.preset(e).len() + prefix.postset(e).count());
    assert_eq!(lines(" -> "), arcs.sum::<usize>());
    assert_eq!(dot, Picture::of_prefix(&net, &prefix).dot());
}

#[test]
fn a_deadlock_shows_who_lacks_what() {
    let net = philosophers(3);
    let takes: Vec<NetTransitionId> = [0, 4, 8].map(NetTransitionId::new).to_vec();
    let process = Prefix::process(&net, &takes).expect("a run");
    let picture = Picture::of_process(&net, &process);
    let drawn = drawn(&picture.svg());
    assert_eq!(count(&drawn, |class| class == "event"), 3);
    assert_eq!(count(&drawn, |class| class == "condition left"), 3);
    assert_eq!(count(&drawn, |class| class == "blocked"), 3);
    assert_eq!(count(&drawn, |class| class == "arc lacking"), 3);
    // The first has its left fork, and lacks the fork that the second took; the third lacks the fork of the first.
    assert_eq!(drawn["c6"].1, "left0");
    assert_eq!(drawn["b1"].1, "eat0");
    let (fork0, fork1) = ("c3", "c4");
    assert_eq!([&drawn[fork0].1, &drawn[fork1].1], ["fork0", "fork1"]);
    assert_eq!([&drawn["c6-b1"].0, &drawn["c4-b1"].0, &drawn["c3-b9"].0], ["arc", "arc lacking", "arc lacking"]);
    assert!(drawn.contains_key("c4-e1"), "and it shows who took it");
    let dot = picture.dot();
    assert!(dot.contains("  c4 -> b1 [style=dashed, color=red];\n") && dot.contains("  c6 -> b1;\n"), "{dot}");
}

#[test]
fn only_a_deadlock_shows_what_is_lacking() {
    let net = philosophers(3);
    let process = Prefix::process(&net, &[NetTransitionId::new(0)]).expect("a run");
    let svg = Picture::of_process(&net, &process).svg();
    assert_eq!(count(&drawn(&svg), |class| class == "blocked"), 0);
    assert!(!svg.contains("cannot happen"), "no sign is explained that is not there");
    let stop = |end| {
        let places = vec![Place { end, ..Place::new("p", 1) }, Place::new("never", 0)];
        let arcs = vec![ArcSet::new("t", vec![(PlaceId::new(0), 1), (PlaceId::new(1), 1)], vec![])];
        let net = Net::new("n", places, arcs).expect("a net");
        let process = Prefix::process(&net, &[]).expect("a run");
        drawn(&Picture::of_process(&net, &process).svg())
    };
    assert_eq!(count(&stop(true), |class| class == "blocked"), 0, "it may stop there");
    assert_eq!(stop(false)["b0"].2, ["t", "lacks never"]);
}

#[test]
fn names_may_be_anything() {
    let (place, transition) = ("a\"<b>&'\\\u{1}]]>", "</title></svg><script>alert(1)</script>-->&amp; \u{1F374}");
    let long = "a_name_of_a_place_that_goes_on_and_on_and_on[17]";
    let places = vec![Place::new(place, 1), Place::new(long, 0)];
    let arcs = vec![ArcSet::new(transition, vec![(PlaceId::new(0), 1)], vec![(PlaceId::new(1), 1)])];
    let net = Net::new("<&\">", places, arcs).expect("a net");
    let picture = Picture::of_prefix(&net, &prefix(&net));
    let svg = picture.svg();
    assert!(!svg.contains("<script"), "{svg}");
    let drawn = drawn(&svg);
    assert_eq!(drawn["e0"].1, transition);
    assert_eq!(drawn["c0"].1, place.replace('\u{1}', "\u{FFFD}"));
    assert_eq!(drawn["c1"].1, long);
    let label = &drawn["c1"].2[0];
    assert!(label.chars().count() == 36 && label.starts_with("a_name") && label.ends_with("[17]"), "{label}");
    let dot = picture.dot();
    assert!(dot.contains("label=\"a\\\"<b>&'\\\\\u{1}]]>\"];\n"), "{dot}");
    for line in dot.lines() {
        let mut escaped = false;
        let quotes = line.chars().filter(|&c| {
            let counts = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            counts
        });
        assert_eq!(quotes.count() % 2, 0, "{line}");
    }
}

#[test]
fn the_largest_picture_is_drawn_soon() {
    // Tokens that wait for the whole run: every arc passes every row.
    let (many, steps) = (900, 500);
    let mut places: Vec<Place> = (0..many).map(|i| Place::new(format!("p{i}"), 1)).collect();
    places.extend([Place::new("odd", 1), Place::new("even", 0)]);
    let (odd, even) = ((PlaceId::new(many), 1), (PlaceId::new(many + 1), 1));
    let last = (0..=many).map(|i| (PlaceId::new(i), 1)).collect();
    let tick = |from, to| ArcSet::new("tick", vec![from], vec![to]);
    let net = Net::new("n", places, vec![tick(odd, even), tick(even, odd), ArcSet::new("end", last, vec![])]);
    let net = net.expect("a net");
    let mut run: Vec<NetTransitionId> = (0..steps).map(|i| NetTransitionId::new(i % 2)).collect();
    run.push(NetTransitionId::new(2));
    let process = Prefix::process(&net, &run).expect("a run");
    let start = std::time::Instant::now();
    let svg = Picture::of_process(&net, &process).svg();
    assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(svg.len() < 2 << 20, "{} bytes", svg.len());
    assert_eq!(count(&drawn(&svg), |class| class == "event"), steps + 1);
}

#[test]
fn steps_that_read_one_token_do_not_wait_for_each_other() {
    // Two readers of a flag, and then somebody who takes it.
    let p = |i: usize| (PlaceId::new(i), 1);
    let places = ["flag", "a", "b", "done a", "done b"].iter().enumerate();
    let places = places.map(|(i, name)| Place::new(*name, u32::from(i < 3))).collect();
    let arcs = vec![
        ArcSet::new("read a", vec![p(0), p(1)], vec![p(0), p(3)]),
        ArcSet::new("read b", vec![p(0), p(2)], vec![p(0), p(4)]),
        ArcSet::new("take", vec![p(0)], vec![]),
        ArcSet::new("late", vec![p(0), p(3)], vec![]),
    ];
    let net = Net::new("n", places, arcs).expect("a net");
    let run: Vec<NetTransitionId> = net.transition_ids().take(3).collect();
    let process = Prefix::process(&net, &run).expect("a run");
    let picture = Picture::of_process(&net, &process);
    let rows: BTreeMap<&str, usize> = picture.nodes.iter().map(|node| (node.name.as_str(), node.row)).collect();
    assert_eq!((rows["read a"], rows["read b"], rows["take"]), (1, 1, 3));
    let svg = picture.svg();
    assert!(svg.contains(">3 events, 5 conditions</text>") && svg.contains("line without a tip"), "{svg}");
    let drawn = drawn(&svg);
    assert_eq!(count(&drawn, |class| class.starts_with("condition")), 5, "the flag is drawn once");
    assert_eq!([&drawn["c0-e0"].0, &drawn["c0-e1"].0, &drawn["c0-e2"].0], ["arc read", "arc read", "arc"]);
    assert_eq!([&drawn["c1-e0"].0, &drawn["e0-c4"].0], ["arc", "arc"], "{:?}", drawn.keys());
    assert_eq!(picture.dot().matches("[dir=none, style=dotted]").count(), 2);
    // As a part of the prefix, everything is drawn as it is there.
    let part = Picture::of_configuration(&net, &process).svg();
    assert!(part.contains(">3 events, 7 conditions</text>") && !part.contains("arc read"), "{part}");
    // Who lacks the flag lacks the one that was taken, wherever it was read.
    assert!(picture.dot().contains("  c0 -> b3 [style=dashed, color=red];\n"), "{}", picture.dot());
}
