//! What the tests share: nets as text, and mistakes with their positions.

use std::fmt::Write;

use frontend::{Diagnostic, LoadedNet};
use model::views::Net;

pub(crate) type Reader = fn(&str, &[u8]) -> Result<LoadedNet, Vec<Diagnostic>>;

/// A net as one line for each place and transition: `p=2` and `t: 2*p q -> r`.
pub(crate) fn shown(net: &Net) -> String {
    let mut out = String::new();
    for place in net.places() {
        let _ = writeln!(out, "{}={}", place.name, place.initial);
    }
    let arcs = |arcs: &[(model::views::PlaceId, u32)]| -> String {
        let arc = |(p, w): &(model::views::PlaceId, u32)| match w {
            1 => format!(" {}", net.place(*p).name),
            w => format!(" {w}*{}", net.place(*p).name),
        };
        arcs.iter().map(arc).collect()
    };
    for t in net.transition_ids() {
        let _ = writeln!(out, "{}:{} ->{}", net.transition(t).name, arcs(net.pre(t)), arcs(net.post(t)));
    }
    out
}

/// The net that a text gives, shown.
pub(crate) fn net(read: Reader, text: &str) -> String {
    let loaded = read("net", text.as_bytes()).unwrap_or_else(|d| panic!("{d:?}\n{text}"));
    assert_eq!(loaded.net.name(), "net");
    shown(&loaded.net)
}

/// The first mistake of a text: `line:column message`.
pub(crate) fn mistake(read: Reader, text: &str) -> String {
    let mistakes = read("net", text.as_bytes()).expect_err("the text has a mistake");
    let (line, column) = mistakes[0].position(text.as_bytes());
    format!("{line}:{column} {}", mistakes[0].message)
}
