use automata::{Automaton, Exhausted, Formula, Options, Pool, is_stutter_invariant, translate};
pub(super) struct Blind(Automaton);
impl Blind {
    pub(super) fn of(pool: &mut Pool, f: Formula, o: &Options) -> Result<Option<Blind>, Exhausted> {
        if !is_stutter_invariant(pool, f, o)? {
            return Ok(None);
        }
        let a = translate(pool, f, o)?;
        Ok(a.is_deterministic().then_some(Blind(a)))
    }
    pub(super) fn assume(a: &Automaton, _: &Options) -> Result<Option<Blind>, Exhausted> {
        Ok(a.is_deterministic().then(|| Blind(a.clone())))
    }
    pub(super) fn into_automaton(self) -> Automaton {
        self.0
    }
}
