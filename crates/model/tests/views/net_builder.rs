//! The builder gives the net that `Net::new` gives, whatever the order of the arcs.

use model::views::{ArcSet, Net, NetBuilder, NetTransitionId, Place, PlaceId};

type Arcs = Vec<(usize, usize, u32)>;

fn random_arcs(seed: &mut u64, places: usize, transitions: usize) -> Arcs {
    let mut below = |n: usize| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as usize % n
    };
    (0..below(40)).map(|_| (below(transitions), below(places), 1 + below(3) as u32)).collect()
}

fn built(places: usize, transitions: usize, pre: &Arcs, post: &Arcs) -> NetBuilder {
    let mut builder = NetBuilder::new("n");
    for p in 0..places {
        builder.place(Place::new(format!("p{p}"), p as u32));
    }
    for t in 0..transitions {
        builder.transition(format!("t{t}"));
    }
    pre.iter().for_each(|&(t, p, w)| builder.consume(NetTransitionId::new(t), PlaceId::new(p), w));
    post.iter().for_each(|&(t, p, w)| builder.produce(NetTransitionId::new(t), PlaceId::new(p), w));
    builder
}

fn plain(places: usize, transitions: usize, pre: &Arcs, post: &Arcs) -> Net {
    let of = |arcs: &Arcs, t| arcs.iter().filter(|a| a.0 == t).map(|a| (PlaceId::new(a.1), a.2)).collect();
    let sets = (0..transitions).map(|t| ArcSet::new(format!("t{t}"), of(pre, t), of(post, t))).collect();
    Net::new("n", (0..places).map(|p| Place::new(format!("p{p}"), p as u32)).collect(), sets).expect("well-formed")
}

#[test]
fn the_builder_agrees_with_the_plain_constructor() {
    let mut seed = 1;
    for round in 0..300 {
        let (places, transitions) = (1 + round % 7, 1 + round % 5);
        let pre = random_arcs(&mut seed, places, transitions);
        let post = random_arcs(&mut seed, places, transitions);
        let net = built(places, transitions, &pre, &post).build().expect("well-formed");
        assert_eq!(format!("{net:?}"), format!("{:?}", plain(places, transitions, &pre, &post)), "round {round}");
    }
}

#[test]
fn the_builder_refuses_what_the_plain_constructor_refuses() {
    let refused = |pre: Arcs| built(1, 1, &pre, &vec![]).build().expect_err("malformed").message;
    assert_eq!(refused(vec![(0, 0, 0)]), "an arc of `t0` has the weight 0");
    assert_eq!(refused(vec![(0, 1, 1)]), "an arc of `t0` leads to a place that is not there");
    assert_eq!(refused(vec![(1, 0, 1)]), "an arc leads to a transition that is not there");
    assert_eq!(refused(vec![(0, 0, u32::MAX), (0, 0, 1)]), "the arcs of `t0` weigh more than 2^32 - 1");
    let mut twice = NetBuilder::new("n");
    twice.place(Place::new("a", 0));
    twice.place(Place::new("a", 0));
    assert!(twice.build().is_err());
    let empty = NetBuilder::new("n").build().expect("a net may be empty");
    assert!(empty.places().is_empty() && empty.transitions().is_empty());
}
