//! The models by BIP's own authors.

use std::fs;

use crate::support;

#[test]
fn dump() {
    let Some(folder) = support::data() else { return eprintln!("skipped: IMPASSE_DATA names no data") };
    for (name, text) in support::models(&folder) {
        match support::load(&text) {
            Err(e) => println!("{name}: REFUSED {}", e[0].message),
            Ok(l) => {
                let naive = testkit::naive::Naive::new(&l.system);
                let n = testkit::naive::explore(&naive, 3000).map(|g| {
                    let dead = g.edges.iter().filter(|e| e.is_empty()).count();
                    let faults = g.edges.iter().flatten().filter(|(_, t)| t.is_err()).count();
                    format!("{} states {} transitions {dead} dead {faults} faults", g.states.len(), g.transitions())
                });
                println!(
                    "{name}: {} processes {} objects {} transitions; {n:?}; {} warnings; {:?}",
                    l.system.processes().len(),
                    l.system.objects().len(),
                    l.system.transitions().len(),
                    l.warnings.len(),
                    l.properties.iter().map(|p| p.name.clone()).collect::<Vec<_>>()
                );
                for w in l.warnings.iter().take(4) {
                    println!("     {}", w.message);
                }
            }
        }
    }
}
