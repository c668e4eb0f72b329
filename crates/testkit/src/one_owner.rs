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
                self.check_select(select_before(&text[..at]))?;
            }
        }
        Ok(())
    }

    fn check_select(&self, select: &str) -> Result<(), String> {
        let (_, from) = select.split_once(" FROM ").ok_or_else(|| format!("locks no table: {select}"))?;
        let table: String = from.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        let owner = self.0.get(&table).ok_or_else(|| format!("locks {table}, which has no owner: {select}"))?;
        if names_one(from, owner) { Ok(()) } else { Err(format!("locks {table} without saying whose rows: {select}")) }
    }
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

/// Whether a condition compares a column with one value.
fn names_one(conditions: &str, column: &str) -> bool {
    conditions.match_indices(column).any(|(at, _)| {
        let is_whole = !conditions[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        let behind = conditions[at + column.len()..].trim_start();
        is_whole && behind.strip_prefix('=').is_some_and(|value| value.trim_start().starts_with(['$', '?']))
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
        ] {
            assert!(owners().check(wrong).is_err(), "{wrong}");
        }
    }
}
