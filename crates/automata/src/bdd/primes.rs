//! The prime implicants of a monotone function, each as the set of its variables.

use super::{Bdd, Manager, Metered, Var};

impl Manager {
    /// The smallest sets of variables that make the function true. It must be monotone: more true variables never
    /// make it false.
    pub(crate) fn primes(&mut self, f: Bdd) -> Metered<Vec<Vec<Var>>> {
        self.spend(1)?;
        if f == Bdd::FALSE {
            return Ok(Vec::new());
        }
        if f == Bdd::TRUE {
            return Ok(vec![Vec::new()]);
        }
        let (low, high) = self.branches(f);
        let var = self.top(f);
        let mut primes = self.primes(low)?;
        for mut prime in self.primes(high)? {
            self.spend(1)?;
            if !self.holds_of(low, &prime) {
                prime.insert(0, var);
                primes.push(prime);
            }
        }
        Ok(primes)
    }

    /// The value of the function where exactly these variables, in order, are true.
    fn holds_of(&self, mut f: Bdd, mut vars: &[Var]) -> bool {
        while f != Bdd::TRUE && f != Bdd::FALSE {
            let var = self.top(f);
            let passed = vars.iter().take_while(|v| **v < var).count();
            vars = &vars[passed..];
            let (low, high) = self.branches(f);
            f = if vars.first() == Some(&var) { high } else { low };
        }
        f == Bdd::TRUE
    }
}
