//! The nets of Wang and Buy. Their figures are drawings: Figure 1 is described in the text, Figure 3 is reconstructed.

use model::views::{ArcSet, Net, Place, PlaceId};

/// Places and transitions as they are named.
#[derive(Default)]
struct Drawing {
    places: Vec<Place>,
    transitions: Vec<ArcSet>,
}

impl Drawing {
    fn place(&mut self, name: impl Into<String>, initial: u32) -> PlaceId {
        self.places.push(Place::new(name, initial));
        PlaceId::new(self.places.len() - 1)
    }

    fn transition(&mut self, name: String, pre: &[PlaceId], post: &[PlaceId]) {
        let arcs = |places: &[PlaceId]| places.iter().map(|&p| (p, 1)).collect();
        self.transitions.push(ArcSet::new(name, arcs(pre), arcs(post)));
    }

    fn net(self, name: &str) -> Net {
        Net::new(name, self.places, self.transitions).expect("a net of a paper is sound")
    }
}

/// Figure 1: everybody takes the left fork first; which one is put back first is a choice.
pub(crate) fn philosophers(n: usize, left_back_first: bool) -> Net {
    let mut net = Drawing::default();
    let mut row = |name: &str, initial| (0..n).map(|i| net.place(format!("{name}{i}"), initial)).collect::<Vec<_>>();
    let (fork, thinks) = (row("fork", 1), row("thinks", 1));
    let (left, eats, puts) = (row("left", 0), row("eats", 0), row("puts", 0));
    for i in 0..n {
        let (mine, next) = (fork[i], fork[(i + 1) % n]);
        let (first, second) = if left_back_first { (mine, next) } else { (next, mine) };
        net.transition(format!("left{i}"), &[thinks[i], mine], &[left[i]]);
        net.transition(format!("right{i}"), &[left[i], next], &[eats[i]]);
        net.transition(format!("put{i}"), &[eats[i]], &[puts[i], first]);
        net.transition(format!("done{i}"), &[puts[i]], &[thinks[i], second]);
    }
    net.net("philosophers")
}

/// Figure 3, for any number of users. A user takes the resource with a job, which is served (t3), gets it back done, and
/// leaves. As drawn, the resource is put back by who leaves (t6 and t7); modified, by who gets the job done (t4 and t5).
pub(crate) fn users(n: usize, modified: bool) -> Net {
    let mut net = Drawing::default();
    let (resource, job, done) = (net.place("resource", 1), net.place("job", 0), net.place("done", 0));
    net.transition("serve".to_owned(), &[job], &[done]);
    for i in 0..n {
        let idle = net.place(format!("idle{i}"), 1);
        let (busy, ready) = (net.place(format!("busy{i}"), 0), net.place(format!("ready{i}"), 0));
        let (early, late) = if modified { (vec![resource], vec![]) } else { (vec![], vec![resource]) };
        net.transition(format!("take{i}"), &[idle, resource], &[job, busy]);
        net.transition(format!("finish{i}"), &[busy, done], &[&[ready], &*early].concat());
        net.transition(format!("leave{i}"), &[ready], &[&[idle], &*late].concat());
    }
    net.net("users")
}
