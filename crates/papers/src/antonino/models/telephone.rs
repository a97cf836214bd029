//! A binary telephone switch: `n` layers of 2^n nodes, one for each bit of a number and each line.
//!
//! A call enters the first layer on any line. In layer k its line may differ from the one that is wanted in bit k: then
//! it is switched over to the node whose line differs there, and goes on. As usual for this example, where a call wants
//! to go is left open: a node chooses. A node has 6 states: idle; with a call that came in, not decided yet; with a call
//! to pass on; with a call to switch over, and then possibly with a second one that was switched to it and is passed on
//! first. Two neighbours that both wait for each other in the middle of an exchange are no deadlock, since each takes
//! the call of the other; but two idle ones do wait for each other, which is all that a cycle needs.

use model::views::Network;

use crate::parts::{Part, synchronised};

/// The switch for 2^n lines.
pub(crate) fn telephone(n: usize) -> Network {
    let lines = 1usize << n;
    let nodes = (0..n).flat_map(|layer| (0..lines).map(move |line| node(layer, line)));
    synchronised("telephone", nodes.collect())
}

fn node(layer: usize, line: usize) -> Part {
    let other = line ^ (1 << layer);
    let (enter, leave) = (format!("line_{layer}_{line}"), format!("line_{}_{line}", layer + 1));
    let (switched, switches) = (format!("over_{layer}_{line}"), format!("over_{layer}_{other}"));
    let mut part = Part::new(format!("Node_{layer}_{line}"));
    let [idle, came, passes, waits, both, taken] =
        ["idle", "came", "passes", "waits", "both", "taken"].map(|name| part.state(name));
    part.moves(idle, &enter, came);
    let straight = format!("straight_{layer}_{line}");
    let across = format!("across_{layer}_{line}");
    part.moves(came, &straight, passes);
    part.moves(came, &across, waits);
    part.moves(passes, &leave, idle);
    part.moves(waits, &switches, idle);
    part.moves(waits, &switched, both);
    part.moves(both, &leave, waits);
    part.moves(idle, &switched, taken);
    part.moves(taken, &leave, idle);
    part
}
