//! The rule that a statement locks rows of one owner only.
//!
//! A cluster that keeps each owner's rows on one node (Citus) refuses statements that lock rows of several owners,
//! because they can be on several nodes. The conformance tests on PostgreSQL check every statement that is sent.

use std::collections::BTreeMap;

const LOCKS: &[&str] = &[" FOR UPDATE", " FOR NO KEY UPDATE", " FOR SHARE", " FOR KEY SHARE"];

/// The owner column of each table.
#[derive(Clone, Debug)]
pub struct Owners(BTreeMap<String, String>);

impl Owners {
    pub fn new(owners: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(owners.into_iter().collect())
    }

    /// Checks the locks that a statement takes.
    pub fn check(&self, statement: &str) -> Result<(), String> {
        let text = statement.split("-- binds:").next().unwrap_or_default().replace(['\n', '"'], " ");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" .", ".").replace(". ", ".");
        for lock in LOCKS {
            for (at, _) in text.match_indices(lock) {
                self.check_select(select_before(&text[..at]), &names_after(&text[at + lock.len()..]))?;
            }
        }
        Ok(())
    }

    /// Checks each table whose rows the select locks: those that are named behind the lock, otherwise all.
    fn check_select(&self, select: &str, named: &[&str]) -> Result<(), String> {
        let (_, from) = select.split_once(" FROM ").ok_or_else(|| format!("locks no table: {select}"))?;
        let tables = tables(from);
        if let Some(name) = named.iter().find(|name| tables.iter().all(|table| table.alias != **name)) {
            return Err(format!("locks {name}, which it does not read: {select}"));
        }
        for Table { name, alias } in tables.iter().filter(|table| named.is_empty() || named.contains(&table.alias)) {
            let owner = self.0.get(*name).ok_or_else(|| format!("locks {name}, which has no owner: {select}"))?;
            if !names_one(from, alias, owner) {
                return Err(format!("locks {name} without saying whose rows: {select}"));
            }
        }
        Ok(())
    }
}

/// A table that a select reads.
struct Table<'a> {
    name: &'a str,
    /// The name that columns of the table are qualified with.
    alias: &'a str,
}

/// The tables of a FROM clause. Functions such as `unnest` are none.
fn tables(from: &str) -> Vec<Table<'_>> {
    let (mut tables, mut words, mut depth) = (Vec::new(), words(from).peekable(), 0);
    let mut is_table_next = true;
    while let Some(word) = words.next() {
        match word {
            "(" => depth += 1,
            ")" => depth -= 1,
            "WHERE" | "ORDER" | "LIMIT" if depth == 0 => break,
            "JOIN" => is_table_next = true,
            "," if depth == 0 => is_table_next = true,
            "LATERAL" | "ONLY" => {}
            _ if !is_table_next => {}
            name => {
                is_table_next = false;
                if words.peek() == Some(&"(") {
                    continue;
                }
                words.next_if_eq(&"AS");
                let alias = words.peek().copied().filter(|word| !ends_a_table(word)).unwrap_or(name);
                tables.push(Table { name, alias });
            }
        }
    }
    tables
}

/// Whether a word behind a table is not its alias.
fn ends_a_table(word: &str) -> bool {
    const KEYWORDS: &[&str] =
        &["ON", "USING", "JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "NATURAL", "WHERE", "ORDER", "LIMIT"];
    KEYWORDS.contains(&word) || !word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// The words of a statement, with parentheses and commas as words of their own.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_single = |letter: char| matches!(letter, '(' | ')' | ',');
    text.split_inclusive(is_single)
        .flat_map(move |part| {
            let (rest, single) = part.split_at(part.len() - usize::from(part.ends_with(is_single)));
            [rest, single]
        })
        .flat_map(str::split_whitespace)
}

/// The tables in `OF a, b` at the beginning of what comes behind a lock.
fn names_after(behind: &str) -> Vec<&str> {
    let mut words = words(behind);
    let mut names = Vec::new();
    if words.next() != Some("OF") {
        return names;
    }
    names.extend(words.next());
    while words.next() == Some(",") {
        names.extend(words.next());
    }
    names
}

/// The select that a lock belongs to: it starts after the parenthesis that is still open.
fn select_before(text: &str) -> &str {
    let mut open = 0;
    for (at, letter) in text.char_indices().rev() {
        match letter {
            ')' => open += 1,
            '(' if open == 0 => return &text[at + 1..],
            '(' => open -= 1,
            _ => {}
        }
    }
    text
}

/// Whether a condition compares a column of a table with one value.
fn names_one(conditions: &str, table: &str, column: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    conditions.match_indices(column).any(|(at, _)| {
        let before = &conditions[..at];
        let is_of_table = match before.strip_suffix('.') {
            Some(qualified) => qualified
                .strip_suffix(table)
                .is_some_and(|rest| !rest.ends_with(|letter: char| is_word(letter) || letter == '.')),
            // A column without its table is ambiguous, and refused, if two tables have it.
            None => !before.ends_with(is_word),
        };
        let behind = conditions[at + column.len()..].trim_start();
        is_of_table && behind.strip_prefix('=').is_some_and(|value| value.trim_start().starts_with(['$', '?']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owners() -> Owners {
        let owner = |(table, column): (&str, &str)| (table.to_owned(), column.to_owned());
        Owners::new([("workspaces", "id"), ("sessions", "user_id"), ("event_heads", "workspace_id")].map(owner))
    }

    #[test]
    fn rows_of_one_owner_may_be_locked() {
        for fine in [
            r#"SELECT "workspaces"."id" FROM "workspaces" WHERE ("workspaces"."id" = $1) FOR NO KEY UPDATE -- binds: ["w"]"#,
            r#"SELECT "sessions"."id" FROM "sessions" WHERE (("sessions"."user_id" = $1) AND ("sessions"."id" = ANY($2))) FOR SHARE"#,
            "DELETE FROM sessions WHERE (user_id, id) IN (SELECT user_id, id FROM sessions WHERE over_at < $1 AND user_id = $2 \
             LIMIT $3 FOR UPDATE SKIP LOCKED) AND user_id = $2",
            "UPDATE sessions SET a = b.a FROM (SELECT s.id FROM sessions AS s JOIN unnest($1) AS t (id) ON s.id = t.id \
             WHERE s.user_id = $2 FOR NO KEY UPDATE OF s) AS b WHERE sessions.id = b.id",
            "SELECT s.id FROM sessions s JOIN workspaces w ON w.id = s.workspace_id WHERE s.user_id = $1 AND w.id = $2 FOR SHARE",
            "SELECT s.id FROM sessions s, workspaces w WHERE s.user_id = $1 FOR UPDATE OF s SKIP LOCKED",
            r#"SELECT "sessions"."id" FROM ("sessions" INNER JOIN "workspaces" ON ("workspaces"."id" = "sessions"."workspace_id")) WHERE (("workspaces"."id" = $1) AND ("sessions"."user_id" = $2)) FOR NO KEY UPDATE"#,
            "SELECT id FROM workspaces WHERE id = ANY($1)",
        ] {
            assert_eq!(owners().check(fine), Ok(()), "{fine}");
        }
    }

    #[test]
    fn rows_of_several_owners_may_not() {
        for wrong in [
            r#"SELECT "workspaces"."id" FROM "workspaces" WHERE "workspaces"."id" = ANY($1) ORDER BY "workspaces"."id" FOR NO KEY UPDATE"#,
            r#"SELECT "event_heads"."workspace_id" FROM "event_heads" WHERE ("event_heads"."workspace_id" = ANY($1)) FOR UPDATE"#,
            "DELETE FROM sessions WHERE (user_id, id) IN (SELECT user_id, id FROM sessions WHERE over_at < $1 LIMIT $2 \
             FOR UPDATE SKIP LOCKED) AND user_id = $3",
            "SELECT s.id FROM sessions s JOIN unnest($1, $2) AS t (user_id, id) ON s.user_id = t.user_id FOR NO KEY UPDATE OF s",
            "SELECT id FROM sessions WHERE other_user_id = $1 FOR UPDATE",
            "SELECT id FROM unheard_of WHERE id = $1 FOR UPDATE",
            "SELECT s.id FROM sessions s JOIN workspaces w ON w.id = s.workspace_id WHERE s.user_id = $1 FOR SHARE",
            "SELECT s.id FROM sessions AS s, workspaces AS w WHERE s.user_id = $1 AND s.id = $2 FOR SHARE",
            "SELECT s.id FROM sessions s JOIN workspaces w ON w.id = s.workspace_id WHERE s.user_id = $1 FOR SHARE OF s, w",
            r#"SELECT "sessions"."id" FROM ("sessions" INNER JOIN "workspaces" ON ("workspaces"."id" = "sessions"."workspace_id")) WHERE ("sessions"."user_id" = $1) FOR NO KEY UPDATE"#,
            "SELECT id FROM sessions WHERE user_id = $1 FOR UPDATE OF users",
        ] {
            assert!(owners().check(wrong).is_err(), "{wrong}");
        }
    }
}
