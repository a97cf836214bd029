//! Links as mdBook resolves them: from the page that a chapter becomes, to pages and files of the built book only.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use super::text::{Chapter, prose, source};

/// What is wrong with the links and pictures of all chapters.
pub(super) fn dead(chapters: &[Chapter]) -> Vec<String> {
    let ids: HashMap<PathBuf, HashSet<String>> =
        chapters.iter().map(|c| (PathBuf::from(&c.name), headings(&c.text))).collect();
    let mut dead = Vec::new();
    for chapter in chapters {
        for target in targets(&chapter.text).iter().filter(|target| !target.contains("://")) {
            dead.extend(wrong(&chapter.name, target, &ids).map(|why| format!("{}: {target} {why}", chapter.name)));
        }
    }
    dead
}

/// Why a link of a chapter leads nowhere.
fn wrong(chapter: &str, target: &str, ids: &HashMap<PathBuf, HashSet<String>>) -> Option<String> {
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let page = match path {
        "" => PathBuf::from(chapter),
        _ => match normal(&Path::new(chapter).parent().expect("it has a name").join(path)) {
            Some(page) => page,
            None => return Some("leaves the book".to_owned()),
        },
    };
    match (ids.get(&page), anchor) {
        (Some(ids), Some(anchor)) if !ids.contains(anchor) => Some("has no such heading".to_owned()),
        (Some(_), _) => None,
        (None, _) if page.extension().is_some_and(|e| e == "md") => Some("is no chapter".to_owned()),
        (None, _) => (!source().join(&page).is_file()).then(|| "is no file of the book".to_owned()),
    }
}

/// A path without `..`, unless it leads out of the book.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => normal.pop().then_some(())?,
            Component::Normal(name) => normal.push(name),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(normal)
}

/// Where links and pictures lead, also those that are written as definitions or as HTML.
pub(super) fn targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for line in prose(text) {
        for (before, after) in [("](", ')'), ("href=\"", '"'), ("src=\"", '"')] {
            targets.extend(
                line.split(before).skip(1).filter_map(|rest| rest.split_once(after)).map(|(t, _)| t.to_owned()),
            );
        }
        if let Some((_, target)) = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")) {
            targets.push(target.trim().to_owned());
        }
    }
    targets
}

/// The anchors that mdBook gives to headings: letters and digits, small, with hyphens for blanks.
fn headings(text: &str) -> HashSet<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut inside = false;
    let mut all = HashSet::new();
    for line in text.lines() {
        inside ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if inside || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let plain = title.trim().chars().filter_map(|c| match c {
            c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_ascii_lowercase()),
            c if c.is_whitespace() => Some('-'),
            _ => None,
        });
        let plain: String = plain.collect();
        let before = seen.entry(plain.clone()).or_default();
        all.insert(if *before == 0 { plain } else { format!("{plain}-{before}") });
        *before += 1;
    }
    all
}

#[test]
fn dead_links_are_found() {
    let chapter =
        |name: &str, text: &str| Chapter { name: name.to_owned(), text: text.to_owned(), is_reference: false };
    let all = [
        chapter(
            "a.md",
            "# A\n[b](how/b.md#x-y), [lost](c.md), [out](../../x.md), `[code](d.md)`\n```\n[code](d.md)\n```\n",
        ),
        chapter(
            "how/b.md",
            "## X `y`!\n[a](../a.md#a) [here](#x-y) [no](#x) ![p](../pictures/none.svg)\n[away](https://x.y)\n[d]: z.md\n",
        ),
    ];
    assert_eq!(
        dead(&all),
        [
            "a.md: c.md is no chapter",
            "a.md: ../../x.md leaves the book",
            "how/b.md: #x has no such heading",
            "how/b.md: ../pictures/none.svg is no file of the book",
            "how/b.md: z.md is no chapter",
        ]
    );
}
