//! Random nets that are grown by what some rules take back: twins of places and pools, which are rare by themselves.

use model::views::{ArcSet, Net, Place, PlaceId};
use testkit::{Rng, nets};

type Arcs = Vec<(PlaceId, u32)>;

/// A net as plain rows.
struct Rows {
    initial: Vec<u32>,
    arcs: Vec<(Arcs, Arcs)>,
}

/// A random net with a few twins or pools in it.
pub(super) fn grown(seed: u64) -> Net {
    let mut rng = Rng::new(seed ^ 0xface);
    let net = nets::random(seed);
    let arcs = net.transition_ids().map(|t| (net.pre(t).to_vec(), net.post(t).to_vec())).collect();
    let mut rows = Rows { initial: net.places().iter().map(|p| p.initial).collect(), arcs };
    for _ in 0..rng.size(&(1..=3)) {
        if rng.chance(50) { rows.twin(&mut rng) } else { rows.pool(&mut rng) }
    }
    rows.build()
}

impl Rows {
    fn fresh(&mut self, tokens: u32) -> PlaceId {
        self.initial.push(tokens);
        PlaceId::new(self.initial.len() - 1)
    }

    /// A place with the same consumers as another; some producers use it instead.
    fn twin(&mut self, rng: &mut Rng) {
        let p = PlaceId::new(rng.below(self.initial.len()));
        let q = self.fresh(rng.below(2) as u32);
        let swap = |row: &[(PlaceId, u32)]| row.iter().map(|&(r, w)| (if r == p { q } else { r }, w)).collect();
        let consumers: Vec<_> = self.arcs.iter().filter(|(pre, _)| pre.iter().any(|&(r, _)| r == p)).cloned().collect();
        self.redirect(rng, p, q);
        self.arcs.extend(consumers.iter().map(|(pre, post)| {
            let back = if rng.chance(50) { swap(post) } else { post.clone() };
            (swap(pre), back)
        }));
    }

    /// A place beside another one, with moves to it and back; some arcs use it instead.
    fn pool(&mut self, rng: &mut Rng) {
        let p = PlaceId::new(rng.below(self.initial.len()));
        let q = self.fresh(rng.below(2) as u32);
        self.redirect(rng, p, q);
        for (pre, _) in &mut self.arcs {
            pre.iter_mut().filter(|(r, _)| *r == p && rng.chance(40)).for_each(|(r, _)| *r = q);
        }
        self.arcs.extend([(vec![(p, 1)], vec![(q, 1)]), (vec![(q, 1)], vec![(p, 1)])]);
    }

    fn redirect(&mut self, rng: &mut Rng, p: PlaceId, q: PlaceId) {
        let consumes = |pre: &[(PlaceId, u32)]| pre.iter().any(|&(r, _)| r == p);
        for (_, post) in self.arcs.iter_mut().filter(|(pre, _)| !consumes(pre)) {
            post.iter_mut().filter(|(r, _)| *r == p && rng.chance(50)).for_each(|(r, _)| *r = q);
        }
    }

    fn build(self) -> Net {
        let places = self.initial.iter().enumerate().map(|(i, &tokens)| Place::new(format!("p{i}"), tokens)).collect();
        let arcs = self.arcs.into_iter().enumerate().map(|(i, (pre, post))| ArcSet::new(format!("t{i}"), pre, post));
        Net::new("grown", places, arcs.collect()).expect("arcs lead to places that are there")
    }
}
