//! When to try: where attempts leave out next to nothing, they are made in few states only, so that a search that cannot
//! be reduced costs little more than a plain one. All enabled transitions are a persistent set, so this is always sound.

/// Watches what attempts are worth, a round of them at a time.
#[derive(Debug)]
pub(super) struct Brake {
    /// An attempt is made in one state of so many.
    period: u32,
    /// States until the next attempt.
    wait: u32,
    attempts: u32,
    enabled: usize,
    chosen: usize,
}

/// How many attempts are judged together.
const ROUND: u32 = 512;
/// A round that leaves out less than one of so many transitions is not worth it.
const WORTH: usize = 40;
/// The longest period.
const LONGEST: u32 = 16;

impl Default for Brake {
    fn default() -> Self {
        Self { period: 1, wait: 0, attempts: 0, enabled: 0, chosen: 0 }
    }
}

impl Brake {
    /// Whether this state is not tried.
    #[inline]
    pub(super) fn skips(&mut self) -> bool {
        let skips = self.wait > 0;
        self.wait = if skips { self.wait - 1 } else { self.period - 1 };
        skips
    }

    /// Takes note of an attempt.
    pub(super) fn learn(&mut self, enabled: usize, chosen: usize) {
        self.attempts += 1;
        self.enabled += enabled;
        self.chosen += chosen;
        if self.attempts == ROUND {
            let worth = (self.enabled - self.chosen) * WORTH >= self.enabled;
            self.period = if worth { 1 } else { (2 * self.period).min(LONGEST) };
            (self.attempts, self.enabled, self.chosen) = (0, 0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of states that are tried, if attempts leave out `saved` of 100 transitions.
    fn tried(brake: &mut Brake, saved: usize) -> usize {
        let mut tried = 0;
        for _ in 0..10_000 {
            if !brake.skips() {
                brake.learn(100, 100 - saved);
                tried += 1;
            }
        }
        tried
    }

    #[test]
    fn attempts_become_rare_where_they_are_worth_nothing() {
        let mut brake = Brake::default();
        assert_eq!(tried(&mut brake, 30), 10_000);
        assert!(tried(&mut brake, 0) < 3_500);
        (0..2).for_each(|_| _ = tried(&mut brake, 30));
        assert_eq!(tried(&mut brake, 30), 10_000, "and frequent again where they are");
    }
}
