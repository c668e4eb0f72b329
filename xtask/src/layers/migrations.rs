//! Both engines must have the same migrations.

use std::collections::{BTreeMap, BTreeSet};

const ENGINES: [&str; 2] = ["postgres", "sqlite"];

/// `paths` are those of all `.sql` files, relative to the root.
pub(crate) fn faults<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut steps = BTreeMap::<&str, BTreeSet<(&str, &str)>>::new();
    let mut faults = Vec::new();
    for path in paths.filter(|path| path.starts_with("migrations/")) {
        match path.split('/').collect::<Vec<_>>()[..] {
            [_, engine, step, file] if ENGINES.contains(&engine) && ["up.sql", "down.sql"].contains(&file) => {
                steps.entry(step).or_default().insert((engine, file));
            }
            _ => faults.push(format!("{path} is not migrations/<engine>/<step>/up.sql or down.sql")),
        }
    }
    for (step, has) in steps {
        let wanted = ENGINES.into_iter().flat_map(|engine| [(engine, "up.sql"), (engine, "down.sql")]);
        let missing = wanted.filter(|file| !has.contains(file));
        faults.extend(missing.map(|(engine, file)| format!("migrations/{engine}/{step}/{file} is missing")));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [&str; 5] = [
        "migrations/postgres/1_a/down.sql",
        "migrations/postgres/1_a/up.sql",
        "migrations/sqlite/1_a/down.sql",
        "migrations/sqlite/1_a/up.sql",
        "docs/example.sql",
    ];

    #[test]
    fn the_same_steps_on_both_engines_are_fine() {
        assert_eq!(faults(BOTH.into_iter()), Vec::<String>::new());
    }

    #[test]
    fn each_missing_file_is_a_fault() {
        for missing in &BOTH[..4] {
            let paths = BOTH.into_iter().filter(|path| path != missing);
            assert_eq!(faults(paths), [format!("{missing} is missing")]);
        }
    }

    #[test]
    fn a_stray_file_is_a_fault() {
        assert_eq!(faults(["migrations/mysql/1_a/up.sql"].into_iter()).len(), 1);
        assert_eq!(faults(["migrations/postgres/up.sql"].into_iter()).len(), 1);
    }
}
