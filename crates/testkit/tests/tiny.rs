//! All tiny systems: the executable semantics is the documented one.

use testkit::compare::semantics;
use testkit::tiny;

#[test]
fn packed_and_naive_semantics_agree_on_all_tiny_systems() {
    let mut systems = 0;
    for (i, system) in tiny::all(tiny::EDGES).enumerate() {
        let agreement = semantics(&system, 1000).expect("tiny systems are small");
        agreement.unwrap_or_else(|difference| panic!("system {i}: {difference}"));
        systems += 1;
    }
    assert_eq!(systems, 51_172);
}
