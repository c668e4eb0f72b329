//! Statements that are prepared once and kept.

use diesel::{
    QueryResult,
    backend::Backend,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
};

/// Has a statement prepared once for its text. Diesel prepares every UPDATE and every upsert anew, since their columns may differ from call
/// to call; where they do not, that is a round trip to PostgreSQL for nothing, and most of the work on SQLite.
///
/// For statements with one text only: each text is kept for as long as its connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prepared<Q>(Q);

pub(crate) trait Prepare: Sized {
    fn prepared(self) -> Prepared<Self> {
        Prepared(self)
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
