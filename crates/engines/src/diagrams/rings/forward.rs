//! From the initial states to the suspects, through what a backward search found.
//!
//! What is kept are nested sets, initial states first: in each there are the states of the one before, and others to
//! which one step leads from there. The backward search may have added states outside of the invariant; no step leads
//! there.

use solve::bdd::Bdd;

use super::Pace;
use super::onion::Ground;
use crate::diagrams::Stop;

impl Ground<'_, '_> {
    /// The suspects found to be reachable, and how.
    pub(super) fn forward(&self, onion: &[Bdd]) -> Result<(Bdd, Vec<Bdd>), Stop> {
        match self.rings.pace {
            Pace::Shortest => self.through_rings(onion),
            Pace::Chained => self.through_all(onion),
        }
    }

    /// Step by step to the next ring: every suspect as near as the nearest one.
    fn through_rings(&self, onion: &[Bdd]) -> Result<(Bdd, Vec<Bdd>), Stop> {
        let (last, inner) = onion.split_last().expect("suspects are the first ring");
        let mut layer = last.and(&self.initial)?;
        let mut nested = vec![layer.clone()];
        for ring in inner.iter().rev() {
            layer = self.space.post(&layer, ring)?;
            nested.push(nested[nested.len() - 1].or(&layer)?);
        }
        Ok((layer, nested))
    }

    /// Rule by rule through everything that was found: every suspect to which a way leads inside.
    fn through_all(&self, onion: &[Bdd]) -> Result<(Bdd, Vec<Bdd>), Stop> {
        let (suspects, region) = (&onion[0], &onion[onion.len() - 1]);
        let mut known = region.and(&self.initial)?;
        let mut nested = vec![known.clone()];
        loop {
            let before = nested.len();
            for &rule in &self.rules {
                let new = self.space.after(rule, &known)?.and(region)?.minus(&known)?;
                if !new.is_none() {
                    known = known.or(&new)?;
                    nested.push(known.clone());
                }
            }
            if nested.len() == before {
                return Ok((known.and(suspects)?, nested));
            }
        }
    }
}
