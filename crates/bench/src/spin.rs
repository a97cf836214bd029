//! SPIN's figures: `spin -a`, `gcc -O2`, `pan`. Without statement merging and data-flow optimisation (`-o1 -o2 -o3`), so
//! that both tools walk the same states when nothing is reduced.

use std::path::Path;
use std::time::Duration;

use testkit::spin::{Compiler, Refusal, Spin};

pub(crate) use testkit::spin::INSTALL;

use crate::impasse::Figures;
use crate::measure::median;

/// Whether SPIN and the compiler it needs can be run.
pub(crate) fn is_here() -> bool {
    Spin::is_here()
}

/// Whether SPIN's partial-order reduction is on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    Off,
    On,
}

/// Searches the state space of a Promela model, several times; `states` sizes its hash table.
pub(crate) fn measure(model: &Path, reduction: Reduction, states: u64, runs: usize) -> Result<Figures, String> {
    let options = Spin {
        reduction: reduction == Reduction::On,
        compiler: Compiler::Speed,
        depth: states + 10_000,
        table: states.max(1 << 16).next_power_of_two().ilog2(),
        time: Duration::from_secs(3600),
        megabytes: 8192,
        ..Spin::default()
    };
    let (mut seconds, mut whole, mut last) = (Vec::new(), Vec::new(), None);
    for _ in 0..runs {
        let pan = options.build(model).map_err(|refusal| match refusal {
            Refusal::Model(why) => format!("{}: SPIN does not accept it: {why}", model.display()),
            Refusal::Tools(why) => why,
        })?;
        let search = pan.search(&[])?;
        if !search.finished {
            return Err(format!("{}: SPIN does not finish", model.display()));
        }
        seconds.push(search.elapsed.max(0.001));
        whole.push(pan.seconds + search.seconds);
        last = Some(search);
    }
    let search = last.ok_or("at least one run is needed")?;
    let states = search.states as f64;
    Ok(Figures {
        states: search.states,
        transitions: search.transitions,
        states_per_second: states / median(seconds),
        bytes_per_state: search.bytes as f64 / states,
        end_to_end: median(whole),
    })
}
