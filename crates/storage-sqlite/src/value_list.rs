//! Whether a column has one of these values.
//!
//! The values are one parameter, a JSON list of any length: the statement is always the same and prepared once, and
//! never exceeds the limit of parameters.

use diesel::{
    AppearsOnTable, Expression, QueryResult, SelectableExpression,
    expression::{ValidGrouping, is_aggregate},
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::{Bool, Text},
    sqlite::Sqlite,
};
use octavo_storage_tables::stored::{Stored, StoredText};
use serde_json::Value;

/// The SQL type that lists have as parameters of hand-written statements.
pub type ListType = Text;

/// Turns the values into one parameter.
pub fn list<T: StoredText>(values: impl IntoIterator<Item = T>) -> String {
    let texts = values.into_iter().map(|value| Value::String(value.text().into_owned()));
    Value::Array(texts.collect()).to_string()
}

/// The condition in a hand-written statement that the expression before it is in the list with this number.
pub fn among(parameter: usize) -> String {
    format!("IN (SELECT value FROM json_each(${parameter}))")
}

#[derive(Clone, Debug, QueryId)]
pub struct OneOf<C> {
    column: C,
    list: String,
}

impl<C> OneOf<C> {
    pub fn new<T: StoredText>(column: C, values: impl IntoIterator<Item = Stored<T>>) -> Self {
        Self { column, list: list(values.into_iter().map(|value| value.0)) }
    }
}

impl<C: Expression> Expression for OneOf<C> {
    type SqlType = Bool;
}

impl<C> ValidGrouping<()> for OneOf<C> {
    type IsAggregate = is_aggregate::No;
}

impl<S, C: AppearsOnTable<S>> AppearsOnTable<S> for OneOf<C> where Self: Expression {}

impl<S, C: SelectableExpression<S>> SelectableExpression<S> for OneOf<C> where Self: AppearsOnTable<S> {}

impl<C: QueryFragment<Sqlite>> QueryFragment<Sqlite> for OneOf<C> {
    fn walk_ast<'b>(&'b self, mut pass: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        self.column.walk_ast(pass.reborrow())?;
        pass.push_sql(" IN (SELECT value FROM json_each(");
        pass.push_bind_param::<Text, _>(&self.list)?;
        pass.push_sql("))");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use diesel::{Connection, QueryDsl, RunQueryDsl, SqliteConnection, connection::SimpleConnection};
    use octavo_core_model::{
        id::WorkspaceId,
        text::{Name, Slug},
    };
    use octavo_storage_tables::schema::workspaces;

    fn workspaces_of_names(names: &[&str]) -> SqliteConnection {
        let mut conn = SqliteConnection::establish(":memory:").unwrap();
        conn.batch_execute("CREATE TABLE workspaces (id TEXT, slug TEXT)").unwrap();
        for name in names {
            diesel::sql_query("INSERT INTO workspaces VALUES ('w', $1)")
                .bind::<Text, _>(*name)
                .execute(&mut conn)
                .unwrap();
        }
        conn
    }

    fn found(conn: &mut SqliteConnection, slugs: &[&str]) -> Vec<String> {
        let slugs = slugs.iter().map(|slug| Stored(Slug::from_stored((*slug).to_owned())));
        let list = workspaces::table.filter(OneOf::new(workspaces::slug, slugs)).select(workspaces::slug);
        list.load(conn).unwrap()
    }

    #[test]
    fn a_column_is_compared_with_each_value_as_it_is() {
        let odd = r#"a "quoted", [odd] \ one"#;
        let mut conn = workspaces_of_names(&["a", odd, "c"]);
        assert_eq!(found(&mut conn, &[odd, "c", "d"]), [odd, "c"]);
        assert!(found(&mut conn, &[]).is_empty());
    }

    #[test]
    fn any_number_of_values_is_one_parameter() {
        let ids: Vec<_> = (0..40_000).map(|number| WorkspaceId::new(number, [0; 10])).collect();
        let mut conn = workspaces_of_names(&["a"]);
        let list = workspaces::table.filter(OneOf::new(workspaces::id, ids.into_iter().map(Stored)));
        assert_eq!(list.count().get_result::<i64>(&mut conn), Ok(0));
    }

    #[test]
    fn names_are_listed_as_json() {
        let names = ["plain", "with \"quotes\""].map(|name| Name::from_stored(name.to_owned()));
        assert_eq!(list(names), r#"["plain","with \"quotes\""]"#);
    }
}
