//! The guides: the files of `docs/guides`.

use super::text;
use octavo_blocks_tree::markdown::heading_as_title;
use std::sync::LazyLock;

/// Their path at the origin.
pub(crate) const PATH: &str = "/docs/guides";

/// A guide.
#[derive(Debug)]
pub(crate) struct Guide {
    /// The last part of its path.
    pub(crate) name: &'static str,
    pub(crate) title: String,
    /// Its first paragraph.
    pub(crate) summary: String,
    pub(crate) html: String,
}

impl Guide {
    fn of(name: &'static str, source: &str) -> Self {
        let (title, pieces) = heading_as_title(text::read(&with_links_to_pages(source)));
        let summary = pieces.first().and_then(|piece| piece.body.text()).map(|text| text.text().to_owned());
        Self {
            name,
            title: title.unwrap_or_default(),
            summary: summary.unwrap_or_default(),
            html: text::html_of(&pieces),
        }
    }

    /// Its path at the origin.
    pub(crate) fn path(&self) -> String {
        format!("{PATH}/{}", self.name)
    }
}

/// Links between the files name files; those between the pages name paths.
fn with_links_to_pages(source: &str) -> String {
    let mut linked = source.to_owned();
    for (name, _) in SOURCES {
        linked = linked.replace(&format!("]({name}.md"), &format!("]({PATH}/{name}"));
    }
    linked
}

macro_rules! sources {
    ($($name:literal)+) => {
        &[$(($name, include_str!(concat!("../../../../docs/guides/", $name, ".md")))),+]
    };
}

/// In the order in which to read them.
static SOURCES: &[(&str, &str)] =
    sources!["getting-started" "authentication" "pagination" "errors" "idempotency" "events"];

pub(crate) static GUIDES: LazyLock<Vec<Guide>> =
    LazyLock::new(|| SOURCES.iter().map(|(name, source)| Guide::of(name, source)).collect());

pub(crate) fn guide(name: &str) -> Option<&'static Guide> {
    GUIDES.iter().find(|guide| guide.name == name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::{AREAS, openapi::Description};
    use std::collections::BTreeSet;

    #[test]
    fn every_guide_has_a_title_and_a_summary_and_coloured_code() {
        for guide in GUIDES.iter() {
            assert!(!guide.title.is_empty() && guide.summary.len() > 40, "{guide:?}");
            assert!(guide.html.contains("<h2"), "{}", guide.name);
            assert!(guide.html.contains("<span class=\"s\">"), "{} has code without colours", guide.name);
        }
    }

    /// Each command of a guide names routes that exist, with their verbs.
    #[test]
    fn commands_call_routes_that_are_described() {
        let description = serde_json::to_value(Description::of(AREAS)).unwrap();
        let mut described = BTreeSet::new();
        for (path, item) in description["paths"].as_object().unwrap() {
            let bases: &[&str] = if item.get("servers").is_some() { &[""] } else { &["/api/v1", ""] };
            for verb in item.as_object().unwrap().keys() {
                described.extend(bases.iter().map(|base| (verb.to_uppercase(), segments(&format!("{base}{path}")))));
            }
        }
        let mut count = 0;
        for (name, source) in SOURCES {
            for (verb, path) in calls(source) {
                let called = segments(&path);
                let is_described = described.iter().any(|(known, template)| *known == verb && fits(template, &called));
                assert!(is_described, "{name}: {verb} {path}");
                count += 1;
            }
        }
        assert!(count > 20, "{count}");
    }

    /// The calls of the commands in a text: `curl` with the variable `$API`, which the first guide sets.
    fn calls(source: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for block in source.split("```").skip(1).step_by(2) {
            let commands = block.replace("\\\n", " ");
            for line in commands.lines() {
                for command in line.split("curl ").skip(1) {
                    let words: Vec<_> = command.split_whitespace().collect();
                    let address =
                        words.iter().find_map(|word| word.split_once("$API")).unwrap_or_else(|| panic!("{line}"));
                    let path = address.1.trim_end_matches(['"', '\'', ')']).split('?').next().unwrap_or_default();
                    let verb = words.iter().position(|word| *word == "-X").map(|at| words[at + 1]);
                    let has_body = words.iter().any(|word| ["--json", "-d", "--data"].contains(word));
                    let verb = verb.unwrap_or(if has_body { "POST" } else { "GET" });
                    found.push((verb.to_owned(), format!("/api/v1{path}")));
                }
            }
        }
        found
    }

    fn segments(path: &str) -> Vec<String> {
        path.split('/').map(str::to_owned).collect()
    }

    /// Whether a path is one of a template. Variables of the shell stand for parameters.
    fn fits(template: &[String], path: &[String]) -> bool {
        let is_same = |(known, part): (&String, &String)| {
            if known.starts_with('{') { part.starts_with('$') || part.contains('_') } else { known == part }
        };
        template.len() == path.len() && template.iter().zip(path).all(is_same)
    }
}
