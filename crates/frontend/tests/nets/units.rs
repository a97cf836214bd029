//! NUPN data: kept where it fits the net, ignored with a warning where it does not.

use frontend::{LoadedNet, UnitId};

const UNITS: &str = "<unit id='u0'><places/><subunits>u1 u2</subunits></unit>
    <unit id='u1'><places>p1
      p2</places><subunits/></unit><unit id='u2'><places>p3</places></unit>";

fn load(size: &str, structure: &str, units: &str) -> LoadedNet {
    let marked = "<initialMarking><text>1</text></initialMarking>";
    let text = format!(
        "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>
        <toolspecific tool='nupn' version='1.1'><size {size}/><structure {structure}>{units}</structure></toolspecific>
        <place id='p1'>{marked}</place><place id='p2'/><place id='p3'>{marked}</place><transition id='t'/>
        <arc id='a' source='p1' target='t'/><arc id='b' source='t' target='p2'/></page></net></pnml>"
    );
    frontend::pnml::read("n", text.as_bytes()).unwrap_or_else(|d| panic!("{d:?}"))
}

const SIZE: &str = "places='3' transitions='1' arcs='2'";
const STRUCTURE: &str = "units='3' root='u0' safe='true'";

#[test]
fn consistent_units_are_kept() {
    let loaded = load(SIZE, STRUCTURE, UNITS);
    assert_eq!(loaded.warnings, []);
    let nupn = loaded.nupn.expect("the units fit");
    assert!(nupn.safe);
    assert_eq!((nupn.root, nupn.units.len()), (UnitId(0), 3));
    let places: Vec<_> = loaded.net.place_ids().collect();
    assert_eq!((nupn.units[1].name.as_str(), &nupn.units[1].places[..]), ("u1", &places[..2]));
    assert_eq!(nupn.units[0].subunits, [UnitId(1), UnitId(2)]);
    assert!(!load(SIZE, "units='3' root='u0' safe='false'", UNITS).nupn.expect("the units fit").safe);
}

#[test]
fn units_claim_to_hold_one_token() {
    let nested = "<unit id='u0'><places>p1</places><subunits>u1 u2</subunits></unit>
        <unit id='u1'><places>p2</places></unit><unit id='u2'><places>p3</places></unit>";
    let claims = |units: &str| {
        let loaded = load(SIZE, "units='3' root='u0'", units);
        let claims = loaded.nupn.expect("the units fit").claims();
        claims.iter().map(|c| c.iter().map(|p| p.index()).collect()).collect::<Vec<Vec<usize>>>()
    };
    assert_eq!(claims(UNITS), [vec![0], vec![1], vec![2], vec![0, 1]]);
    assert_eq!(claims(nested), [vec![0], vec![1], vec![2], vec![0, 1], vec![0, 2]], "paths, not brothers");
}

#[test]
fn inconsistent_units_are_ignored() {
    let ignored = |size: &str, structure: &str, units: &str, reason: &str| {
        let loaded = load(size, structure, units);
        assert!(loaded.nupn.is_none());
        assert_eq!(loaded.warnings[0].message, format!("the units are ignored: {reason}"));
    };
    let more = |unit: &str| format!("{UNITS}{unit}");
    let four = "units='4' root='u0' safe='true'";
    ignored("places='4'", STRUCTURE, UNITS, "it counts 4 places, and there are 3");
    ignored("arcs='x'", STRUCTURE, UNITS, "it counts x arcs, and there are 2");
    ignored(SIZE, four, UNITS, "it counts 4 units, and there are 3");
    ignored(SIZE, "root='u7' safe='true'", UNITS, "there is no unit `u7`");
    ignored(SIZE, four, &more("<unit id='u1'/>"), "two units are called `u1`");
    ignored(SIZE, four, &more("<unit/>"), "a unit has no id");
    ignored(SIZE, four, &more("<unit id='u3'/>"), "unit `u3` is not inside the root");
    ignored(SIZE, STRUCTURE, &UNITS.replace("u1 u2", "u1 u2 u1"), "unit `u1` is inside more than one unit");
    ignored(SIZE, STRUCTURE, &UNITS.replace("u1 u2", "u1 u2 u0"), "unit `u0` is inside more than one unit");
    ignored(SIZE, STRUCTURE, &UNITS.replace("p3", "p3 p1"), "place `p1` is in more than one unit");
    ignored(SIZE, STRUCTURE, &UNITS.replace("p3", ""), "place `p3` is in no unit");
    ignored(SIZE, STRUCTURE, &UNITS.replace("p3", "t"), "there is no place `t`");
    let together = UNITS.replace("p3", "").replace("p2<", "p2 p3<");
    ignored(SIZE, STRUCTURE, &together, "unit `u1` is not safe in the initial marking");
    let above = UNITS.replace("p3", "").replace("<places/>", "<places>p3</places>");
    ignored(SIZE, STRUCTURE, &above, "unit `u1` is not safe in the initial marking");
    assert!(load(SIZE, "units='3' root='u0'", &above).nupn.is_some(), "without the claim there is nothing to break");
}
