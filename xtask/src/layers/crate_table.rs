//! The table of crates in the architecture page must match the workspace.

use crate::workspace::Member;
use std::collections::BTreeMap;

/// A row with a crate: `` | `crates/app` | 3 | pure | what it holds | ``.
#[derive(Debug, PartialEq, Eq)]
struct Row<'a> {
    folder: &'a str,
    layer: u64,
    pure: bool,
}

pub(crate) fn faults(page: &str, members: &[Member]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut listed = BTreeMap::new();
    for row in page.lines().filter_map(row) {
        if listed.insert(row.folder, (row.layer, row.pure)).is_some() {
            faults.push(format!("the crate table lists {} twice", row.folder));
        }
    }
    for member in members {
        match listed.remove(member.folder.as_str()) {
            None => faults.push(format!("the crate table lacks {}", member.folder)),
            Some((layer, pure)) if Some(layer) != member.layer || Some(pure) != member.pure => {
                faults.push(format!("the crate table and the manifest of {} differ in layer or purity", member.folder));
            }
            Some(_) => {}
        }
    }
    faults.extend(listed.keys().map(|folder| format!("the crate table lists {folder}, which is no crate")));
    faults
}

fn row(line: &str) -> Option<Row<'_>> {
    let mut cells = line.trim().strip_prefix('|')?.split('|').map(str::trim);
    let folder = cells.next()?.strip_prefix('`')?.strip_suffix('`')?.trim_end_matches('/');
    let layer = cells.next()?.parse().ok()?;
    Some(Row { folder, layer, pure: cells.next()? == "pure" })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "| crate | layer | | holds |\n|---|---|---|---|\n| `crates/app` | 3 | pure | use cases |\n\
                        | `bin/octavo/` | 5 | | wiring |\n\n| setting | default |\n|---|---|\n| `log` | text |\n";

    fn members() -> Vec<Member> {
        let member = |folder: &str, layer, pure| Member {
            folder: folder.to_owned(),
            layer: Some(layer),
            pure: Some(pure),
            ..Member::default()
        };
        vec![member("bin/octavo", 5, false), member("crates/app", 3, true)]
    }

    #[test]
    fn a_true_table_is_fine_and_other_tables_do_not_matter() {
        assert_eq!(faults(PAGE, &members()), Vec::<String>::new());
    }

    #[test]
    fn a_missing_row_is_a_fault() {
        let page = PAGE.replace("crates/app", "crates/apps");
        assert_eq!(
            faults(&page, &members()),
            ["the crate table lacks crates/app", "the crate table lists crates/apps, which is no crate"]
        );
    }

    #[test]
    fn a_wrong_layer_or_purity_is_a_fault() {
        assert_eq!(faults(&PAGE.replace("| 3 |", "| 2 |"), &members()).len(), 1);
        assert_eq!(faults(&PAGE.replace("| pure |", "| |"), &members()).len(), 1);
        assert_eq!(faults(&PAGE.replace("| 5 | |", "| 5 | pure |"), &members()).len(), 1);
    }

    #[test]
    fn a_crate_stands_in_the_table_once() {
        let twice = format!("{PAGE}| `crates/app` | 3 | pure | again |\n");
        assert_eq!(faults(&twice, &members()), ["the crate table lists crates/app twice"]);
    }
}
