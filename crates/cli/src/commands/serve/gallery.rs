//! Classics that can be looked at without a file: models of the corpus, with one sentence each.

use serde_json::{Value, json};

/// Name, sentence and text of a model.
struct Classic {
    id: &'static str,
    about: &'static str,
    file: &'static str,
    text: &'static str,
}

macro_rules! classics {
    ($($id:literal, $file:literal, $about:literal;)*) => {
        &[$(Classic { id: $id, about: $about, file: $file, text: include_str!(concat!("../../../../../corpus/", $file)) }),*]
    };
}

const CLASSICS: &[Classic] = classics! {
    "philosophers", "philosophers.imp", "Five philosophers, five forks: all take the left one first";
    "philosophers-asymmetric", "classics/philosophers-asymmetric.imp", "The same, but one takes the right fork first";
    "transfer-lock-order", "services/transfer-lock-order.imp", "Two transfers between two accounts lock them in opposite orders";
    "connection-pool", "services/connection-pool.imp", "Requests that need two connections of a pool at once";
    "missed-wakeup", "services/missed-wakeup.imp", "A wake-up that comes before the sleep";
    "rpc-cycle", "services/rpc-cycle.imp", "Services that call each other in a circle";
    "thread-pool-starvation", "services/thread-pool-starvation.imp", "Tasks of a pool that wait for tasks of the same pool";
    "pipeline-feedback", "services/pipeline-feedback.imp", "A pipeline with bounded queues and a way back";
    "peterson", "classics/peterson.imp", "Mutual exclusion with three variables";
    "peterson-flags-only", "classics/peterson-flags-only.imp", "The same without the turn: both wait for ever";
    "dekker", "classics/dekker.imp", "The first mutual exclusion with variables only";
    "bakery", "classics/bakery.imp", "Mutual exclusion by tickets";
    "alternating-bit", "classics/alternating-bit.imp", "A protocol over channels that lose messages";
    "two-phase-commit", "classics/two-phase-commit.imp", "All commit or nobody does";
    "two-phase-commit-crash", "classics/two-phase-commit-crash.imp", "The same when the coordinator may crash";
    "sleeping-barber", "classics/sleeping-barber.imp", "A barber, customers and a few chairs";
    "gas-station", "classics/gas-station.imp", "Customers, pumps and an operator who takes the money first";
    "producer-consumer", "classics/producer-consumer.imp", "A bounded buffer between two sides";
    "milner-scheduler", "classics/milner-scheduler.imp", "A ring of cells that start tasks in turn";
    "leader-election", "classics/leader-election.imp", "A ring of processes chooses one of them";
    "petri-net-order", "classics/petri-net-order.imp", "A Petri net, written as one process: the order of its steps matters";
};

/// What there is, for a list.
pub(super) fn list() -> Vec<Value> {
    CLASSICS.iter().map(|c| json!({ "id": c.id, "about": c.about })).collect()
}

/// The text of a model.
pub(super) fn find(id: &str) -> Option<&'static str> {
    CLASSICS.iter().find(|c| c.id == id).map(|c| c.text)
}

/// The name that the text of a model goes by.
pub(super) fn file(id: &str) -> &'static str {
    let path = CLASSICS.iter().find(|c| c.id == id).map_or("", |c| c.file);
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_classic_is_a_model_and_has_its_own_name() {
        for (i, classic) in CLASSICS.iter().enumerate() {
            frontend::native::load(classic.id, classic.text, &[]).unwrap_or_else(|e| panic!("{}: {e:?}", classic.id));
            assert!(CLASSICS[..i].iter().all(|c| c.id != classic.id && file(c.id) != file(classic.id)));
        }
    }
}
