//! The files of the page.

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! file {
    ($name:literal, $kind:expr) => {
        ($name, $kind, include_str!(concat!("../page/", $name)))
    };
}

/// Name, kind and text of each.
const FILES: &[(&str, &str, &str)] = &[
    file!("index.html", HTML),
    file!("style.css", STYLE),
    file!("app.js", SCRIPT),
    file!("api.js", SCRIPT),
    file!("dom.js", SCRIPT),
    file!("layout.js", SCRIPT),
    file!("graph.js", SCRIPT),
    file!("system.js", SCRIPT),
    file!("automata.js", SCRIPT),
    file!("net.js", SCRIPT),
    file!("space.js", SCRIPT),
    file!("step.js", SCRIPT),
    file!("check.js", SCRIPT),
    file!("editor.js", SCRIPT),
];

/// A file, with its kind; the page itself has no name.
pub(crate) fn find(name: &str) -> Option<(&'static str, &'static str)> {
    let name = if name.is_empty() { "index.html" } else { name };
    FILES.iter().find(|(n, ..)| *n == name).map(|(_, kind, text)| (*kind, *text))
}
