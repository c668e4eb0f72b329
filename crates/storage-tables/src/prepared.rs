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
