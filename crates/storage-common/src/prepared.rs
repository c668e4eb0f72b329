//! Statements that are prepared once and kept, and hand-written statements with typed columns.

use diesel::{
    QueryResult,
    backend::Backend,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
};
use std::marker::PhantomData;

/// Prepares a statement once for its text. Diesel prepares every UPDATE and every upsert anew, since their columns
/// may differ from call to call. If they do not differ, that is a useless round trip to PostgreSQL, and most of the
/// work on SQLite.
///
/// Only for statements that always have the same text: each text is kept as long as its connection.
#[derive(Clone, Copy, Debug)]
pub struct Prepared<Q>(Q);

pub trait Prepare: Sized {
    fn prepared(self) -> Prepared<Self> {
        Prepared(self)
    }

    /// Keeps the statement under the name of its place, a type that nothing else uses. For statements that run row by
    /// row: diesel would otherwise build their text for each row.
    fn prepared_as<Place: 'static>(self) -> PreparedAs<Self, Place> {
        PreparedAs { statement: self, place: PhantomData }
    }
}

impl<Q> Prepare for Q {}

impl<Q: QueryFragment<DB>, DB: Backend> QueryFragment<DB> for Prepared<Q> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(pass)
    }

    fn is_safe_to_cache_prepared(&self, _backend: &DB) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<Q> QueryId for Prepared<Q> {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q: Query> Query for Prepared<Q> {
    type SqlType = Q::SqlType;
}

impl<Q, C> diesel::RunQueryDsl<C> for Prepared<Q> {}

#[derive(Debug)]
pub struct PreparedAs<Q, Place> {
    statement: Q,
    place: PhantomData<Place>,
}

impl<Q: QueryFragment<DB>, Place, DB: Backend> QueryFragment<DB> for PreparedAs<Q, Place> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.statement.walk_ast(pass)
    }

    fn is_safe_to_cache_prepared(&self, _backend: &DB) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<Q, Place: 'static> QueryId for PreparedAs<Q, Place> {
    type QueryId = Place;

    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<Q: Query, Place> Query for PreparedAs<Q, Place> {
    type SqlType = Q::SqlType;
}

impl<Q, Place, C> diesel::RunQueryDsl<C> for PreparedAs<Q, Place> {}

/// A hand-written statement with typed columns, whose rows are read by position: looking a column up by name costs
/// more than reading it. The columns are in the order of the row's fields.
#[derive(Debug)]
pub struct Typed<Q, T> {
    statement: Q,
    types: PhantomData<T>,
}

pub trait Columns: Sized {
    fn columns<T>(self) -> Typed<Self, T> {
        Typed { statement: self, types: PhantomData }
    }
}

impl<Q> Columns for Q {}

impl<Q: QueryFragment<DB>, T, DB: Backend> QueryFragment<DB> for Typed<Q, T> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.statement.walk_ast(pass)
    }
}

impl<Q, T> QueryId for Typed<Q, T> {
    type QueryId = ();

    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q, T> Query for Typed<Q, T> {
    type SqlType = T;
}

impl<Q, T, C> diesel::RunQueryDsl<C> for Typed<Q, T> {}

#[cfg(all(test, feature = "sqlite"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use crate::{rows::log::EventRow, schema::events, stored::Stored};
    use diesel::{ExpressionMethods, insert_into, sqlite::Sqlite, update};
    use octavo_core_model::id::{EventId, WorkspaceId};

    fn is_kept(statement: &impl QueryFragment<Sqlite>) -> bool {
        statement.is_safe_to_cache_prepared(&Sqlite).unwrap()
    }

    #[test]
    fn a_prepared_update_is_cached() {
        let change = || update(events::table).set(events::version.eq(1));
        assert!(!is_kept(&change()), "what is wrapped here would be kept without");
        assert!(is_kept(&change().prepared()));
    }

    #[test]
    fn a_row_is_inserted_by_one_statement_whatever_it_lacks() {
        let row = EventRow {
            workspace_id: Stored(WorkspaceId::new(1, [0; 10])),
            id: Stored(EventId::new(1, [0; 10])),
            kind: "",
            occurred_at: 0,
            actor_type: "",
            actor_id: None,
            on_behalf_of: None,
            page_id: None,
            database_id: None,
            record_id: None,
            team_id: None,
            resource_type: "",
            resource_id: String::new(),
            version: None,
            details: serde_json::Value::Null,
        };
        assert!(is_kept(&insert_into(events::table).values(&row)));
    }
}
