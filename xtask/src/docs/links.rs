//! Links between the pages of the project: the file must exist, and the heading in it too.

use crate::project_files::ProjectFile;
use std::collections::{BTreeMap, BTreeSet};

/// `exists` is called for paths relative to the root that are not among the pages.
pub(crate) fn faults(pages: &[ProjectFile], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let anchors = pages.iter().map(|page| (page.path.as_str(), anchors(&page.text))).collect::<BTreeMap<_, _>>();
    let mut faults = Vec::new();
    for page in pages {
        for (number, link) in links(&page.text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { Some(page.path.clone()) } else { resolved(&page.path, file) };
            let is_good = target.is_some_and(|target| match anchors.get(target.as_str()) {
                Some(anchors) => anchor.is_empty() || anchors.contains(anchor),
                None => exists(&target),
            });
            if !is_good {
                faults.push(format!("{}:{number}: {link}", page.path));
            }
        }
    }
    faults
}

/// The path that a link on a page refers to; `None` if it is outside of the project.
fn resolved(page: &str, file: &str) -> Option<String> {
    let mut parts = page.split('/').collect::<Vec<_>>();
    parts.pop();
    for part in file.split('/') {
        match part {
            "." | "" => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Links that do not lead to the web, with their lines.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        // An odd number of backticks between two `](` of a line starts or ends code, which only shows how links are
        // written.
        let mut in_code = false;
        let mut parts = line.split("](");
        in_code ^= ticks(parts.next().unwrap_or_default());
        for rest in parts {
            let is_shown = in_code;
            in_code ^= ticks(rest);
            if is_shown {
                continue;
            }
            let link = rest.split([')', ' ']).next().unwrap_or_default();
            let elsewhere = link.contains("://") || link.starts_with("mailto:") || link.starts_with('/');
            if !elsewhere {
                found.push((number, link));
            }
        }
        // `[name]: target`
        let defined = line.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        found.extend(defined.map(|(_, link)| (number, link.trim())).filter(|(_, link)| !link.contains("://")));
    }
    found
}

/// Whether code starts or ends in a part of a line, but not both.
fn ticks(part: &str) -> bool {
    part.matches('`').count() % 2 == 1
}

/// The anchors of headings, as the usual renderers name them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen = BTreeMap::<String, usize>::new();
    let headings = prose(text).filter_map(|(_, line)| {
        let title = line.trim_start_matches('#');
        (title.len() < line.len()).then(|| title.strip_prefix(' ')).flatten()
    });
    headings
        .map(|title| {
            let name = anchor(title.trim());
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            if *count == 1 { name } else { format!("{name}-{}", *count - 1) }
        })
        .collect()
}

fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|character| character.is_alphanumeric() || " -_".contains(*character));
    kept.flat_map(char::to_lowercase).map(|character| if character == ' ' { '-' } else { character }).collect()
}

/// The lines outside of fenced code.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, text: &str) -> ProjectFile {
        ProjectFile { path: path.to_owned(), text: text.to_owned() }
    }

    fn broken(text: &str) -> Vec<String> {
        let operate = page("docs/operate.md", "# Operate\n## Back up & restore\n## Logs\n## Logs\n");
        let pages = [page("docs/start.md", text), operate];
        faults(&pages, |path| ["LICENSE-MIT", "docs/openapi.yaml"].contains(&path))
    }

    #[test]
    fn links_that_lead_somewhere_are_fine() {
        let text = "# Start\n[a](operate.md), [b](./operate.md#back-up--restore) [c](../LICENSE-MIT \"title\") [d](#start)\n\
                    [e](https://example.org/nowhere) [f](operate.md#logs-1) [g](/docs) [mail](mailto:a@example.org) `[h](nowhere)`\n\
                    ```\n[code](nowhere.md)\n```\n[h]: openapi.yaml\n";
        assert_eq!(broken(text), Vec::<String>::new());
    }

    #[test]
    fn links_that_lead_nowhere_are_faults_with_their_line() {
        assert_eq!(broken("\n[a](nowhere.md)\n"), ["docs/start.md:2: nowhere.md"]);
        assert_eq!(broken("[a](LICENSE-MIT)"), ["docs/start.md:1: LICENSE-MIT"]);
        assert_eq!(broken("[a](operate.md#logs-2)"), ["docs/start.md:1: operate.md#logs-2"]);
        assert_eq!(broken("[a](#start)"), ["docs/start.md:1: #start"]);
        assert_eq!(broken("[a](../../outside.md)"), ["docs/start.md:1: ../../outside.md"]);
        assert_eq!(broken("[a]: gone.md"), ["docs/start.md:1: gone.md"]);
    }
}
