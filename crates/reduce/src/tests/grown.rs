//! Random nets that are grown by what some rules take back, or nearly do, and what is rare by itself: twins of places, pools,
//! tokens that stay, and weights.

use model::views::{ArcSet, Net, Place, PlaceId};
use testkit::{Rng, nets};

type Arcs = Vec<(PlaceId, u32)>;

/// A net as plain rows.
struct Rows {
    initial: Vec<u32>,
    arcs: Vec<(Arcs, Arcs)>,
}

/// A random net with a few such parts in it.
pub(super) fn grown(seed: u64) -> Net {
    let mut rng = Rng::new(seed ^ 0xface);
    let net = nets::random(seed);
    let arcs = net.transition_ids().map(|t| (net.pre(t).to_vec(), net.post(t).to_vec())).collect();
    let mut rows = Rows { initial: net.places().iter().map(|p| p.initial).collect(), arcs };
    for _ in 0..rng.size(&(1..=3)) {
        match rng.below(6) {
            0 | 1 => rows.twin(&mut rng),
            2 | 3 => rows.pool(&mut rng),
            _ => rows.lasting(&mut rng),
        }
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
        let p = self.pick(rng);
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
        let p = self.pick(rng);
        let q = self.fresh(rng.below(2) as u32);
        self.redirect(rng, p, q);
        for (pre, _) in &mut self.arcs {
            pre.iter_mut().filter(|(r, _)| *r == p && rng.chance(40)).for_each(|(r, _)| *r = q);
        }
        self.arcs.extend([(vec![(p, 1)], vec![(q, 1)]), (vec![(q, 1)], vec![(p, 1)])]);
    }

    /// A place whose tokens stay: some transition brings them, another, old or new, looks at them.
    fn lasting(&mut self, rng: &mut Rng) {
        let p = self.fresh(rng.below(2) as u32);
        let weight = |rng: &mut Rng| 1 + rng.below(2) as u32;
        let (from, to) = (rng.below(self.arcs.len()), rng.below(self.arcs.len()));
        self.arcs[from].1.push((p, weight(rng)));
        let (asked, left) = (weight(rng), weight(rng));
        if from == to || rng.chance(40) {
            self.arcs.push((vec![(p, asked)], vec![(p, asked)]));
        } else {
            self.arcs[to].0.push((p, asked));
            self.arcs[to].1.push((p, left));
        }
    }

    /// Any place. Sometimes its tokens count twice from now on, apart from one arc, perhaps.
    fn pick(&mut self, rng: &mut Rng) -> PlaceId {
        let p = PlaceId::new(rng.below(self.initial.len()));
        if rng.chance(30) {
            self.initial[p.index()] *= 2;
            let mut arcs = self.arcs_of(p);
            arcs.iter_mut().for_each(|weight| **weight *= 2);
            if !arcs.is_empty() && rng.chance(50) {
                let lighter = rng.below(arcs.len());
                *arcs[lighter] -= 1;
            }
        }
        p
    }

    /// The weights of the arcs of a place.
    fn arcs_of(&mut self, p: PlaceId) -> Vec<&mut u32> {
        let all = self.arcs.iter_mut().flat_map(|(pre, post)| pre.iter_mut().chain(post));
        all.filter(|(q, _)| *q == p).map(|(_, weight)| weight).collect()
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
