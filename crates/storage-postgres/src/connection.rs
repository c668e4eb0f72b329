//! The connection that runs a statement of a scope: its own, or one that views share.

use diesel::{
    QueryResult,
    pg::Pg,
    query_builder::{AsQuery, QueryFragment, QueryId},
};
use diesel_async::{
    AsyncConnectionCore, AsyncPgConnection, SimpleAsyncConnection, pooled_connection::deadpool::Object,
};
use std::sync::Arc;

#[allow(
    clippy::large_enum_variant,
    reason = "one lives for as long as its scope; a box would be an allocation for each unit"
)]
pub enum Conn {
    Own(Object<AsyncPgConnection>),
    Shared(Arc<AsyncPgConnection>),
}

impl Conn {
    pub(super) fn client(&self) -> &AsyncPgConnection {
        match self {
            Self::Own(object) => object,
            Self::Shared(client) => client,
        }
    }
}

impl SimpleAsyncConnection for Conn {
    async fn batch_execute(&mut self, statements: &str) -> QueryResult<()> {
        self.client().batch_execute(statements).await
    }
}

/// All statements go through a shared reference, because only then does the driver send one while others still run.
impl AsyncConnectionCore for Conn {
    type LoadFuture<'conn, 'query> = <&'conn AsyncPgConnection as AsyncConnectionCore>::LoadFuture<'conn, 'query>;
    type ExecuteFuture<'conn, 'query> = <&'conn AsyncPgConnection as AsyncConnectionCore>::ExecuteFuture<'conn, 'query>;
    type Stream<'conn, 'query> = <AsyncPgConnection as AsyncConnectionCore>::Stream<'conn, 'query>;
    type Row<'conn, 'query> = <AsyncPgConnection as AsyncConnectionCore>::Row<'conn, 'query>;
    type Backend = Pg;

    fn load<'conn, 'query, T>(&'conn mut self, source: T) -> Self::LoadFuture<'conn, 'query>
    where
        T: AsQuery + 'query,
        T::Query: QueryFragment<Pg> + QueryId + 'query,
    {
        let mut client = self.client();
        AsyncConnectionCore::load(&mut client, source)
    }

    fn execute_returning_count<'conn, 'query, T>(&'conn mut self, source: T) -> Self::ExecuteFuture<'conn, 'query>
    where
        T: QueryFragment<Pg> + QueryId + 'query,
    {
        let mut client = self.client();
        AsyncConnectionCore::execute_returning_count(&mut client, source)
    }
}
