//! The reader follows from the name of the file.

use std::path::Path;

use frontend::{is_net, read_net};
use model::views::PlaceId;

#[test]
fn extensions_choose_the_reader() {
    let pnml = "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><place id='p'/></net></pnml>";
    let files = [
        ("a/one.pnml", pnml),
        ("one.XML", pnml),
        ("one.lola", "PLACE p; MARKING ;"),
        ("one.net", "pl p"),
        ("one.ll_net", "PEP\nPL\n\"p\"\n"),
    ];
    for (file, text) in files {
        let loaded = read_net(Path::new(file), text.as_bytes()).unwrap_or_else(|d| panic!("{file}: {d:?}"));
        assert_eq!((loaded.net.name(), loaded.net.places().len()), ("one", 1), "{file}");
        assert_eq!(loaded.ids.places("p"), Some(&[PlaceId::new(0)][..]), "{file}");
        assert!(loaded.ids.transitions("p").is_none());
    }
}

#[test]
fn other_files_are_no_nets() {
    for (file, text) in [("one.xml", "<html/>"), ("one.xml", "plain"), ("one.imp", ""), ("pnml", ""), ("", "")] {
        assert!(!is_net(Path::new(file), text.as_bytes()), "{file}");
        let mistakes = read_net(Path::new(file), text.as_bytes()).expect_err("no net");
        assert!(mistakes[0].message.contains("no format of nets"), "{mistakes:?}");
    }
    assert!(is_net(Path::new("one.pnml"), b""));
}
