//! A service: a client, a pool of workers between two bounded queues, a cache and a database behind locks, and somebody who
//! refreshes the cache.
//!
//!     client --requests--> worker[0], worker[1] --responses--> client
//!                              cache, database
//!                                 refresher
//!
//! Two things can go wrong in such a design, and neither shows in a test that runs it now and then. The refresher takes the
//! database and then the cache, as a worker with a cache miss does the other way round. And a client that sends a whole batch
//! before it reads an answer fills the queues: everybody waits to get rid of something.
//!
//! `cargo run --example service` shows both; the tests assert what is true of each design.

use impasse::{Check, Model, deadlock_free};

/// A way to build the service.
#[derive(Clone, Copy)]
struct Design {
    /// Whether the refresher takes the locks in the order of the workers.
    same_order: bool,
    /// How many requests the client sends before it reads answers.
    batch: usize,
}

const CROSSED: Design = Design { same_order: false, batch: 4 };
const TOO_MANY: Design = Design { same_order: true, batch: 7 };
const REPAIRED: Design = Design { same_order: true, batch: 6 };

fn service(design: Design) -> Model {
    let mut service = Model::new("service");
    let requests = service.queue("requests", 2);
    let responses = service.queue("responses", 2);
    let (cache, database) = (service.lock("cache"), service.lock("database"));

    service.thread("client", |t| {
        t.forever(|t| {
            t.at("idle");
            for _ in 0..design.batch {
                t.send(requests);
            }
            for _ in 0..design.batch {
                t.receive(responses);
            }
        });
    });
    for i in 0..2 {
        service.thread(format!("worker[{i}]"), |t| {
            t.forever(|t| {
                t.may_stop();
                t.receive(requests);
                t.acquire(cache);
                t.choose(|c| {
                    c.case(|t| t.step("hit"));
                    c.case(|t| {
                        t.step("miss"); // not the worker's choice: it comes before the lock
                        t.acquire(database);
                        t.release(database);
                    });
                });
                t.release(cache);
                t.send(responses);
            });
        });
    }
    service.thread("refresher", |t| {
        let (first, second) = if design.same_order { (cache, database) } else { (database, cache) };
        t.acquire(first);
        t.acquire(second);
        t.release(second);
        t.release(first);
    });
    service
}

fn main() {
    for (name, design) in [("locks crossed", CROSSED), ("batch too large", TOO_MANY), ("repaired", REPAIRED)] {
        let answer = Check::default().ask(&service(design), &deadlock_free()).expect("the model makes sense");
        println!("=== {name}\n\n{answer}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impasse::{assert_deadlock_free, assert_holds, assert_violated, invariant, ltl, reachable};

    #[test]
    fn the_repaired_service_cannot_get_stuck() {
        assert_deadlock_free!(service(REPAIRED));
        assert_holds!(service(REPAIRED), invariant("len(requests) <= 2"));
        assert_holds!(service(REPAIRED), reachable("len(requests) + len(responses) == 4"));
    }

    #[test]
    fn the_client_gets_all_its_answers() {
        assert_holds!(service(REPAIRED), ltl("always eventually client at idle under weak fairness"));
    }

    #[test]
    fn crossed_locks_block_each_other() {
        let text = assert_violated!(service(CROSSED), deadlock_free()).to_string();
        assert!(text.contains("refresher waits for cache, held by worker["), "{text}");
        assert!(text.contains(" waits for database, held by refresher"), "{text}");
        assert!(text.contains("acquire database  [crates/impasse/examples/service.rs:56]"), "{text}");
    }

    #[test]
    fn a_batch_can_be_too_large() {
        let text = assert_violated!(service(TOO_MANY), deadlock_free()).to_string();
        assert!(text.contains("client waits for room in requests, which worker["), "{text}");
        assert!(text.contains(" waits for room in responses, which client could make"), "{text}");
    }
}
